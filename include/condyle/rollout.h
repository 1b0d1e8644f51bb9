// rollout.h: many trajectories at once, each from its own initial state.
//
//   cndPool* pool = cnd_makePool(4);
//   cndRollout r;
//   cnd_defaultRollout(&r);
//   r.nbatch = 100, r.nstep = 50;
//   r.model = &m, r.nmodel = 1;
//   r.data = d, r.ndata = 4;                  // mjData* d[4]
//   r.initial_state = start;                  // 100 x nstate
//   r.control = control;                      // 100 x 50 x nu
//   r.state = state;                          // 100 x 50 x nstate
//   if (cnd_rollout(pool, &r, error, sizeof(error))) ...
//
// A trajectory is a function of its inputs alone: the bits are those of a loop of mj_step, for any
// number of threads; in lanes they are those but for rounding.             docs/batch.md, Rollouts

#ifndef CONDYLE_ROLLOUT_H_
#define CONDYLE_ROLLOUT_H_

#include <condyle/pool.h>
#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>

#ifdef __cplusplus
extern "C" {
#endif

// What to simulate. Arrays are row-major; nstate is mj_stateSize(m, cndSTATE_FULLPHYSICS),
// ncontrol is mj_stateSize(m, control_spec).
typedef struct cndRollout_ {
  int nbatch;  // trajectories
  int nstep;   // steps of each

  const mjModel* const* model;  // one for all trajectories, or one for each
  int nmodel;                   // 1 or nbatch
  mjData* const* data;          // working memory, one for each thread, all different
  int ndata;                    // at least 1; no more threads than that are used

  const mjtNum* initial_state;      // nbatch x nstate
  const mjtNum* initial_warmstart;  // nbatch x nv; NULL: zeros
  const mjtNum* control;            // nbatch x nstep x ncontrol; NULL: no inputs
  unsigned int control_spec;        // what control holds: bits of mjSTATE_USER

  mjtNum* state;       // nbatch x nstep x nstate: the states after each step; may be NULL
  mjtNum* sensordata;  // nbatch x nstep x nsensordata: sensors of each step; may be NULL

  int chunk_size;  // trajectories that a thread takes at once; 0: fewer towards the end

  cndfCancel cancel;  // may be NULL
  void* cancel_argument;

  int lanes;  // 1: several trajectories side by side, where the model allows it
} cndRollout;

// Zeros and NULLs, and mjSTATE_CTRL for control_spec.
MJAPI void cnd_defaultRollout(cndRollout* rollout);

// Computes trajectories on the threads of a pool; NULL is the caller's thread alone.
//
// Before each, the full physics state is set, the warm start is the given one or zero, warnings are
// cleared, and inputs that control doesn't give get their values after a reset. Only userdata, on
// which nothing but callbacks depends, starts as data[0] holds it. Before each step control is set.
// After a step with a warning (mjData.warning) a trajectory stays as it is: its last state and
// sensors fill the rest.
//
// Each data holds the end of the last trajectory that it computed; in lanes, one data holds the end
// of the last trajectory of all. If a step ends in mju_error, the trajectories of lower number are
// finished, the text of the first that failed goes to error (cut to error_sz bytes), and its data
// is reset. What an unfinished trajectory has written so far is unspecified. Wrong sizes or
// pointers, and models that differ in the sizes of their data, end in mju_error.
MJAPI cndtRun cnd_rollout(cndPool* pool, const cndRollout* rollout, char* error, int error_sz);

#ifdef __cplusplus
}
#endif

#endif  // CONDYLE_ROLLOUT_H_
