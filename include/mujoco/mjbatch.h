// mjbatch.h: many simulations of one model, as rows of numbers (the batch interface of 3.17).
//
//   mjBatch* b = mjb_makeBatch(m, 1024, NULL, error, sizeof(error));
//   mjtNum* ctrl = mjb_stateComponent(b, mjSTATE_CTRL, NULL);   // of simulation 0; rows are
//   mjtNum* xpos = mjb_output(b, "xpos", NULL, NULL);           // mjb_nstate(b) numbers apart
//   mjb_step(b, NULL, 0, 1, mjSTAGE_VEL);
//   mjb_deleteBatch(b);
//
// A simulation is one row of state: everything on which its next step depends. A call loads rows
// into mjData, runs, and saves them, on threads of the batch's own. Results have the bits of a loop
// over simulations with an mjData each, for any number of threads.
//
// Calls that run simulations take a selection: nid ids, ascending, or NULL for all, when nid is
// ignored. They return how many simulations ended in mju_error. Those keep the state they had, the
// others are finished; mjb_status and mjb_error tell of each one's last call. Wrong arguments end
// in mju_error before anything runs. Arrays belong to the batch and stay where they are until it is
// deleted. condyle/batch.h has another interface, whose worlds go side by side in vector registers.
//                                                               docs/batch.md, Simulations as rows

#ifndef MUJOCO_MJBATCH_H_
#define MUJOCO_MJBATCH_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjversion.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mjBatch_ mjBatch;

// what mjb_apply runs on one simulation
typedef void (*mjfBatchFunc)(const mjModel* m, mjData* d, int sim, void* arg);

// How a batch is made.
typedef struct mjBatchConfig_ {
  int nthread;          // threads, the caller's among them; <= 0: one per processor
  CND_BOOL persistent;  // 1: one mjData per simulation, 0: one per thread
} mjBatchConfig;

// What mjb_rollout records after each step.
typedef struct mjBatchRecord_ {
  const char* field;  // a name as for mjb_output, or of a state field; NULL: a state
  int spec;           // bits of mjtState, if it is a state
  void* buf;          // n x nstep x size elements of the field's type
} mjBatchRecord;

// making

// One thread per processor, one mjData per thread.
MJAPI void mjb_defaultConfig(mjBatchConfig* config);

// Makes nsim simulations of a copy of m, each after a reset, on at most nsim threads. config may be
// NULL. Returns NULL, and the reason in error (error_sz bytes, may be NULL), if that can't be.
MJAPI mjBatch* mjb_makeBatch(const mjModel* m, int nsim, const mjBatchConfig* config, char* error,
                             int error_sz);

// Frees a batch and its arrays; b may be NULL.
MJAPI void mjb_deleteBatch(mjBatch* b);

// What it was made of: simulations, threads (the caller's among them), whether each simulation has
// an mjData of its own, the batch's copy of the model.
MJAPI int mjb_nsim(const mjBatch* b);
MJAPI int mjb_nthread(const mjBatch* b);
MJAPI int mjb_persistent(const mjBatch* b);
MJAPI const mjModel* mjb_model(const mjBatch* b);

// state

// Length of a row: that of mjSTATE_INTEGRATION, with histories and plastic springs under each
// mjVERSION_API (cndSTATE_INTEGRATION).
MJAPI int mjb_nstate(const mjBatch* b);

// The rows, nsim x nstate, as mj_getState orders them. What is written becomes the state of the
// simulation at its next call. Any number but 0 makes an equality active.
MJAPI mjtNum* mjb_state(mjBatch* b);

// mjb_stateComponent with a bit as programs of a dialect number them.
MJAPI mjtNum* cnd_stateComponentAs(int dialect, mjBatch* b, int component, int* size);

#if mjVERSION_API >= 400
static inline mjtNum* mjb_stateComponent(mjBatch* b, int component, int* size) {
  return cnd_stateComponentAs(mjVERSION_API, b, component, size);
}
#else
// Where a part of the state (one bit of mjtState) begins in the first row; its length goes to size,
// which may be NULL.
MJAPI mjtNum* mjb_stateComponent(mjBatch* b, int component, int* size);
#endif

// Counters of warnings, nsim x mjNWARNING: loaded and saved with the rows, and may be written.
MJAPI mjWarningStat* mjb_warning(mjBatch* b);

// For each simulation 1 if its last call ended in an error, and the text of that, "" if there was
// none or sim doesn't exist.
MJAPI const int* mjb_status(const mjBatch* b);
MJAPI const char* mjb_error(const mjBatch* b, int sim);

// Copies a field of mjData out after each call but mjb_apply and mjb_setConst. Returns its rows,
// nsim x size elements of elemsize bytes; both pointers may be NULL. Names are those of arrays of
// fixed size, of solver_niter and the like, and of counts: ncon ne nf nl nefc nJ nA nisland nidof.
// Returns NULL for others, also for what the rows of state hold. Before the first call rows are
// zero, or hold what the simulation's own mjData does. What a call doesn't compute stays.
MJAPI void* mjb_output(mjBatch* b, const char* name, int* size, int* elemsize);

// running

// nstep times mj_step, then the stages of mj_forward up to stage (mjtStage) at the new state.
// Without these, outputs are those of the state before the last step. If each simulation has its
// own mjData, the next step goes on from stages that are done, unless more than ctrl, qfrc_applied
// and xfrc_applied have changed.
MJAPI int mjb_step(mjBatch* b, const int* ids, int nid, int nstep, int stage);

// The stages of mj_forward up to stage.
MJAPI int mjb_forward(mjBatch* b, const int* ids, int nid, int stage);

// mj_resetData, or mj_resetDataKeyframe where key (one for each selected simulation, may be NULL)
// is not -1; then the stages up to stage.
MJAPI int mjb_reset(mjBatch* b, const int* ids, int nid, const int* key, int stage);

// mjb_rollout with bits of states as programs of a dialect number them.
MJAPI int cnd_rolloutAs(int dialect, mjBatch* b, const int* ids, int nid, int nstep,
                        const mjtNum* control, int control_spec, const mjBatchRecord* record,
                        int nrecord);

#if mjVERSION_API >= 400
static inline int mjb_rollout(mjBatch* b, const int* ids, int nid, int nstep, const mjtNum* control,
                              int control_spec, const mjBatchRecord* record, int nrecord) {
  return cnd_rolloutAs(mjVERSION_API, b, ids, nid, nstep, control, control_spec, record, nrecord);
}
#else
// nstep times mj_step. Before each, control (n x nstep x mj_stateSize(m, control_spec), may be
// NULL) sets parts of the state that belong to mjSTATE_USER; after each, what record lists is
// copied. A simulation that counts a new warning stops, and repeats its last records.
MJAPI int mjb_rollout(mjBatch* b, const int* ids, int nid, int nstep, const mjtNum* control,
                      int control_spec, const mjBatchRecord* record, int nrecord);
#endif

// Runs func on each simulation, whose state d holds; save: whether the state is saved afterwards.
// func may call other batches, not this one.
MJAPI int mjb_apply(mjBatch* b, const int* ids, int nid, mjfBatchFunc func, void* arg, int save);

// models

// Gives each simulation its own values of a field of mjModel, or "opt.NAME", with the model's to
// begin with. Returns the rows, nsim x size elements of elemsize bytes; both pointers may be NULL.
// Returns NULL for what does not exist, for assets, and for structure: ids, addresses, counts and
// types. bvh_aabb has the boxes of bodies alone.
MJAPI void* mjb_expand(mjBatch* b, const char* name, int* size, int* elemsize);

// The rows of a field that mjb_expand or mjb_setConst has made, not to be written; NULL if all
// simulations share it, with size and elemsize all the same.
MJAPI const void* mjb_expanded(mjBatch* b, const char* name, int* size, int* elemsize);

// Runs mj_setConst on the model of each selected simulation. Fields that come out different from
// the model's get rows of their own. Constants of rows that were not expanded begin with the
// model's values. Does nothing if no expanded field matters.
MJAPI int mjb_setConst(mjBatch* b, const int* ids, int nid);

// Runs simulation i on models[i], which the caller keeps alive, instead of the batch's model. Their
// data must have the same layout. NULL: the batch's model again. Not together with expanded fields.
MJAPI void mjb_setModels(mjBatch* b, const mjModel* const* models);

// Writes the model of a simulation to m, which has its sizes.
MJAPI void mjb_getModel(mjBatch* b, int sim, mjModel* m);

// Writes state and warnings of a simulation to d, which has the sizes of the model; if it has an
// mjData of its own, everything.
MJAPI void mjb_getData(mjBatch* b, int sim, mjData* d);

#ifdef __cplusplus
}
#endif

#endif  // MUJOCO_MJBATCH_H_
