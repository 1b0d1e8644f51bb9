// batch.h: many worlds of one model, each with its own state and, if wanted, its own parameters.
//
//   cndBatch* batch = cnd_makeBatch(m, 1024, 8);    // 1024 worlds on 8 threads
//   cndArray qpos, xpos;
//   cnd_batchExpose(&qpos, batch, "qpos");          // state: always there
//   cnd_batchExpose(&xpos, batch, "xpos");          // computed: kept from here on
//   cnd_batchStep(batch, NULL, ctrl, 10);           // ten steps of every world
//   ... ((mjtNum*)xpos.data)[(world * m->nbody + body) * 3]
//   cnd_deleteBatch(batch);
//
// A field of all worlds is one array: row i belongs to world i. Arrays stay where they are until
// the batch is deleted and may be read and, if they are state or parameters, written between calls.
// After a call they hold what a loop over worlds with an mjData each would hold, for any number of
// threads: bit for bit where worlds are stepped one by one, but for rounding and the solver's
// tolerance where they are stepped side by side (see cnd_batchLanes).
//
// Functions that return cndtRun go on with the other worlds when one ends in mju_error. The world
// that failed keeps the state it had: see cnd_batchFailed, cnd_batchWorldError. Cancelled calls
// (see cnd_batchCancel) leave each world either as it was or with all its steps done. Masks have a
// byte for each world: 0 leaves it out; NULL takes all.                     docs/batch.md, Batches

#ifndef CONDYLE_BATCH_H_
#define CONDYLE_BATCH_H_

#include <condyle/condyle.h>
#include <condyle/derivative.h>
#include <condyle/pool.h>
#include <condyle/rollout.h>
#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cndBatch_ cndBatch;

// Makes n worlds after a reset, n >= 1, and nthread threads, as cnd_makePool does. The model must
// live as long as the batch; its options may change between calls. Returns NULL with a warning if
// memory is out.
MJAPI cndBatch* cnd_makeBatch(const mjModel* m, int n, int nthread);

// Frees a batch and its arrays; batch may be NULL. Waits for the end of an asynchronous step.
MJAPI void cnd_deleteBatch(cndBatch* batch);

// The number of worlds, of threads, and the model.
MJAPI int cnd_batchSize(const cndBatch* batch);
MJAPI int cnd_batchThreads(const cndBatch* batch);
MJAPI const mjModel* cnd_batchModel(const cndBatch* batch);

// Sets the callback that may end later calls; NULL for none.
MJAPI void cnd_batchCancel(cndBatch* batch, cndfCancel cancel, void* argument);

// arrays

// Finds a field of mjData and keeps it for all worlds from here on. array gets the place of world
// 0, and the rows and columns of one world.
//
//   state  time qpos qvel act qacc_warmstart cnd_memory ctrl qfrc_applied xfrc_applied eq_active
//          mocap_pos mocap_quat userdata plugin_state warning cnd_warning: may be written
//   other  copied after each call: as in mjData they are results of the state before the last step,
//          or of cnd_batchForward; zero before and after a reset
//
// Fields of the arena, whose rows come and go, and those about memory or threads end in mju_error.
MJAPI void cnd_batchExpose(cndArray* array, cndBatch* batch, const char* name);

// Finds a field of mjModel, or "opt.NAME", and gives each world its own, with the model's values to
// begin with. array is as in cnd_batchExpose and may be written. Values are checked before a world
// uses them. Fields that can't differ end in mju_error, which says why.
MJAPI void cnd_batchVary(cndArray* array, cndBatch* batch, const char* name);

// Why a field of mjModel can't vary; NULL if it can.
MJAPI const char* cnd_batchFixed(const char* name);

// Recomputes what mj_setConst does, for each world from its own parameters: inverse weights,
// subtree masses, M at qpos0, rest lengths and so on, which vary from then on. To be called after a
// change of masses, inertias, frames, armatures or qpos0.
MJAPI cndtRun cnd_batchSetConst(cndBatch* batch, const mjtByte* mask);

// Parts of the state by the bits of mjtState, as mj_getState and mj_setState: n x mj_stateSize(m,
// sig). Worlds that the mask leaves out are skipped.
MJAPI void cnd_batchGetState(const cndBatch* batch, const mjtByte* mask, mjtNum* state,
                             unsigned int sig);
MJAPI void cnd_batchSetState(cndBatch* batch, const mjtByte* mask, const mjtNum* state,
                             unsigned int sig);

// Copies the state of a world to data of the model, and back.
MJAPI void cnd_batchGetData(const cndBatch* batch, int world, mjData* d);
MJAPI void cnd_batchSetData(cndBatch* batch, int world, const mjData* d);

// A copy of the model with the parameters of a world, to be freed by mj_deleteModel. NULL with a
// warning if memory is out.
MJAPI mjModel* cnd_batchCopyModel(cndBatch* batch, int world);

// simulation

// mj_resetData, or mj_resetDataKeyframe if key >= 0.
MJAPI cndtRun cnd_batchReset(cndBatch* batch, const mjtByte* mask, int key);

// Makes nstep steps (mj_step). ctrl (n x nu) becomes the controls before the first; NULL keeps
// them.
MJAPI cndtRun cnd_batchStep(cndBatch* batch, const mjtByte* mask, const mjtNum* ctrl, int nstep);

// How steps and rollouts are made.
typedef enum cndtLanes_ {
  cndLANES_OFF = 0,  // world by world, by mj_step
  cndLANES_DOUBLE,   // several worlds side by side in vector registers, where the model allows it
  cndLANES_SINGLE,   // the same, computed in float
  cndLANES_AUTO,     // as cndLANES_DOUBLE where that pays, else world by world
  cndLANES_MEASURED  // the same, by the clock
} cndtLanes;

// Chooses how steps and rollouts are made (cndLANES_AUTO at first), and returns how many worlds
// go side by side: 0 if the model, its options or the choice don't allow it (see cnd_batchWhy). In
// lanes a world comes out as by mj_step but for rounding and the solver's tolerance; its bits don't
// depend on which worlds stand beside it. With cndLANES_AUTO a batch of few worlds goes one by one,
// and a world that lanes had to leave to mj_step (cnd_batchLeft) goes alone for some calls, so that
// it costs no more than without lanes. So does, for some calls, a batch whose worlds differ so much
// that the solver's lanes are hardly used. All that follows from what the
// worlds have done, never from clocks. With cndLANES_MEASURED a batch times one of its calls in
// lanes, the next one by one, and goes on with what was quicker, until it measures again a thousand
// calls later: bits then depend on the clock. Ends in mju_error if memory is out.
//                                                                              docs/batch.md, Lanes
MJAPI int cnd_batchLanes(cndBatch* batch, cndtLanes choice);

// Whether lanes take models that allow fewer than 20 iterations of Newton's method or of conjugate
// gradients, or 20 evaluations of its line search, to their minimum; off at first. When off, lanes
// end where mj_step ends, at the same points on the way. Worlds that lanes leave to mj_step end as
// there in any case.                                                      docs/batch.md, Lanes
MJAPI void cnd_batchMinimum(cndBatch* batch, int on);

// Why the worlds of a batch are not stepped in lanes; NULL if they are. If a result is kept that
// lanes don't compute, a sensor of a rare kind for example, it says which although worlds go side
// by side: the last step of a call is then made world by world. The text is valid until the next
// call with this batch.
MJAPI const char* cnd_batchWhy(const cndBatch* batch);

// How many worlds of the last step or rollout began in lanes and were made anew by mj_step: because
// of bad numbers, a warning, an error, more contacts of a pair than there are slots, or a solver
// that ended before the minimum. Many of them mean that lanes gain less.
MJAPI int cnd_batchLeft(const cndBatch* batch);

// What the last step or rollout has made of its lanes. Shares of nothing are 1.
typedef struct cndBatchStats_ {
  int lanes;          // worlds that were stepped in lanes
  int left;           // worlds that began in lanes and were made anew by mj_step, see cnd_batchLeft
  int unsolved;       // of them those in which the solver of the lanes ended short of the minimum
  int alone;          // worlds that went one by one, though others had lanes
  double filled;      // share of lanes that held a world
  double solving;     // share of lanes whose worlds had something to gain, of all iterations
  double touching;    // share of lanes that had a contact, of all slots that contacts took
  double iterations;  // of the solver in a step: the mean of all blocks
  double colliders;   // calls of a collider that is not in lanes, in a step of a world
} cndBatchStats;

// Tells how the last step or rollout went in lanes. Without lanes all counts are 0.
MJAPI void cnd_batchStats(cndBatchStats* stats, const cndBatch* batch);

// Whether steps, rollouts and cnd_batchForward end in mj_rnePostConstraint, which computes cacc,
// cfrc_int and cfrc_ext; off at first. When off, they are known only if a sensor needs them.
MJAPI void cnd_batchBodyForces(cndBatch* batch, int on);

// mj_forward: results of the present state.
MJAPI cndtRun cnd_batchForward(cndBatch* batch, const mjtByte* mask);

// Begins a step and returns at once; mask and ctrl are copied. Until cnd_batchWait nothing else may
// be done with the batch or its arrays: its functions end in mju_error. Without threads the step is
// made by cnd_batchWait.
MJAPI void cnd_batchStepAsync(cndBatch* batch, const mjtByte* mask, const mjtNum* ctrl, int nstep);

// Waits for the end of cnd_batchStepAsync.
MJAPI cndtRun cnd_batchWait(cndBatch* batch);

// nstep steps, each recorded: control (n x nstep x nu) sets ctrl before each, NULL keeps it. state
// (n x nstep x nstate, cndSTATE_FULLPHYSICS) and sensordata (n x nstep x nsensordata) may be NULL.
// The worlds go on from where they are and stay where they end.
MJAPI cndtRun cnd_batchRollout(cndBatch* batch, int nstep, const mjtNum* control, mjtNum* state,
                               mjtNum* sensordata);

// derivatives

// cnd_transitionExact at the present states. A, B, C, D have n as an additional first dimension;
// each may be NULL. nkink (n) gets the numbers of kinks, or may be NULL.
MJAPI cndtRun cnd_batchTransition(cndBatch* batch, mjtNum* A, mjtNum* B, mjtNum* C, mjtNum* D,
                                  int* nkink);

// cnd_transitionAdjoint at the present states. All arrays have n as an additional first dimension,
// those of dparam too. dsensor, dstate, dctrl, dparam and nkink may be NULL.
MJAPI cndtRun cnd_batchAdjoint(cndBatch* batch, const mjtNum* dnext, const mjtNum* dsensor,
                               mjtNum* dstate, mjtNum* dctrl, const cndParameterGradient* dparam,
                               int* nkink);

// cnd_transitionAdjoints at the present states: all arrays but nkink (n) begin with n x count.
MJAPI cndtRun cnd_batchAdjoints(cndBatch* batch, int count, const mjtNum* dnext,
                                const mjtNum* dsensor, mjtNum* dstate, mjtNum* dctrl,
                                const cndParameterGradient* dparam, int* nkink);

// How the last call that returned cndtRun went: a byte for each world, 1 if it failed, and the text
// of the first that did ("world 3: ..."), "" if none.
MJAPI const mjtByte* cnd_batchFailed(const cndBatch* batch);
MJAPI const char* cnd_batchError(const cndBatch* batch);

// Why a world failed in the last call that returned cndtRun, without its number; "" if it did not.
// Texts of the first 64 worlds that failed are kept, of the others only that they failed. Valid
// until the next call.
MJAPI const char* cnd_batchWorldError(const cndBatch* batch, int world);

#ifdef __cplusplus
}
#endif

#endif  // CONDYLE_BATCH_H_
