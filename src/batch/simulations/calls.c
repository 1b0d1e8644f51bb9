// calls.c: step, forward and reset of simulations, and functions of the program's own.

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/step.h>

#include "batch/simulations/check.h"
#include "batch/simulations/run.h"
#include "step/forward.h"
#include "step/step.h"

// Computes the stages of a call at its end.
static void end_call(const SimCall* call, const mjModel* m, mjData* d) {
  if (call->stage != mjSTAGE_NONE) {
    forward_to(m, d, call->stage);
  }
}

static void run_steps(const SimItem* item, const SimCall* call, const mjModel* m, mjData* d) {
  int first = 0;
  if (sim_is_ahead(item->b, item->sim) && step_can_continue(m, d)) {
    step_continue(m, d);
    first = 1;
  }
  for (int t = first; t < call->nstep; t++) {
    mj_step(m, d);
  }
  end_call(call, m, d);
}

int mjb_step(mjBatch* b, const int* ids, int nid, int nstep, int stage) {
  sim_check("mjb_step", b);
  if (nstep <= 0) {
    mju_error("mjb_step: nstep must be positive");
  }
  sim_check_stage("mjb_step", stage);
  SimCall call = sim_call("mjb_step", b, ids, nid, run_steps);
  call.nstep = nstep;
  call.stage = stage;
  call.saves = call.refreshes = 1;
  return sim_run(b, &call);
}

static void run_forward(const SimItem* item, const SimCall* call, const mjModel* m, mjData* d) {
  (void)item;
  end_call(call, m, d);
}

int mjb_forward(mjBatch* b, const int* ids, int nid, int stage) {
  sim_check("mjb_forward", b);
  sim_check_stage("mjb_forward", stage);
  SimCall call = sim_call("mjb_forward", b, ids, nid, run_forward);
  call.stage = stage;
  call.saves = 1;
  call.refreshes = stage != mjSTAGE_NONE;
  return sim_run(b, &call);
}

static void run_reset(const SimItem* item, const SimCall* call, const mjModel* m, mjData* d) {
  mj_resetDataKeyframe(m, d, call->key ? call->key[item->k] : -1);
  end_call(call, m, d);
}

int mjb_reset(mjBatch* b, const int* ids, int nid, const int* key, int stage) {
  sim_check("mjb_reset", b);
  sim_check_stage("mjb_reset", stage);
  SimCall call = sim_call("mjb_reset", b, ids, nid, run_reset);
  for (int k = 0; key && k < call.n; k++) {
    const mjModel* m = b->models ? b->models[ids ? ids[k] : k] : b->m;
    if (key[k] < -1 || key[k] >= m->nkey) {
      mju_error("mjb_reset: keyframes must be in [-1, %d), got %d", m->nkey, key[k]);
    }
  }
  call.key = key;
  call.stage = stage;
  call.skips_load = call.saves = call.refreshes = 1;
  return sim_run(b, &call);
}

static void run_function(const SimItem* item, const SimCall* call, const mjModel* m, mjData* d) {
  call->func(m, d, item->sim, call->argument);
}

int mjb_apply(mjBatch* b, const int* ids, int nid, mjfBatchFunc func, void* arg, int save) {
  SimCall call = sim_call("mjb_apply", b, ids, nid, run_function);
  if (!func) {
    mju_error("mjb_apply: func is NULL");
  }
  call.func = func;
  call.argument = arg;
  call.saves = save != 0;
  return sim_run(b, &call);
}
