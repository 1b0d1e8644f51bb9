// gradient.c: exact derivatives of the steps of all worlds, at their present states.

#include <condyle/derivative.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/memory/check.h"
#include "batch/batch.h"
#include "derivative/parameter_gradient.h"

// Row `world` of an array with n in front; NULL stays NULL.
static mjtNum* part(mjtNum* array, int world, size_t size) {
  return array ? array + (size_t)world * size : NULL;
}

static BatchKeep derive_world(cndBatch* batch, const mjModel* m, Slot* slot, int world) {
  const BatchCall* call = &batch->call;
  size_t nx = 2 * (size_t)m->nv + (size_t)m->na, nu = (size_t)m->nu, ns = (size_t)m->nsensordata;
  int kinks =
      cnd_transitionExact(m, slot->d, part(call->A, world, nx * nx), part(call->B, world, nx * nu),
                          part(call->C, world, ns * nx), part(call->D, world, ns * nu));
  if (call->nkink) {
    call->nkink[world] = kinks;
  }
  return KEEP_WARNINGS;
}

cndtRun cnd_batchTransition(cndBatch* batch, mjtNum* A, mjtNum* B, mjtNum* C, mjtNum* D,
                            int* nkink) {
  batch_check("cnd_batchTransition", batch);
  batch->call = (BatchCall){.A = A, .B = B, .C = C, .D = D, .nkink = nkink};
  return batch_run(batch, NULL, derive_world);
}

static BatchKeep pull_world(cndBatch* batch, const mjModel* m, Slot* slot, int world) {
  const BatchCall* call = &batch->call;
  size_t nx = 2 * (size_t)m->nv + (size_t)m->na, ns = (size_t)m->nsensordata;
  size_t first = (size_t)world * (size_t)call->nloss;
  cndParameterGradient parameters;
  if (call->dparam) {
    parameters = parameters_row(call->dparam, m, first);
  }
  const mjtNum* dsensor = call->dsensor ? call->dsensor + first * ns : NULL;
  int kinks = cnd_transitionAdjoints(m, slot->d, call->nloss, call->dnext + first * nx, dsensor,
                                     call->dstate ? call->dstate + first * nx : NULL,
                                     call->dctrl ? call->dctrl + first * (size_t)m->nu : NULL,
                                     call->dparam ? &parameters : NULL);
  if (call->nkink) {
    call->nkink[world] = kinks;
  }
  return KEEP_WARNINGS;
}

cndtRun cnd_batchAdjoints(cndBatch* batch, int count, const mjtNum* dnext, const mjtNum* dsensor,
                          mjtNum* dstate, mjtNum* dctrl, const cndParameterGradient* dparam,
                          int* nkink) {
  batch_check("cnd_batchAdjoints", batch);
  if (count < 0) {
    mju_error("cnd_batchAdjoints: count is %d, must not be negative", count);
  }
  check_arrays(count ? 2 * batch->m->nv + batch->m->na : 0, dnext);
  batch->call = (BatchCall){.nloss = count,
                            .dnext = dnext,
                            .dsensor = dsensor,
                            .dstate = dstate,
                            .dctrl = dctrl,
                            .dparam = dparam,
                            .nkink = nkink};
  return batch_run(batch, NULL, pull_world);
}

cndtRun cnd_batchAdjoint(cndBatch* batch, const mjtNum* dnext, const mjtNum* dsensor,
                         mjtNum* dstate, mjtNum* dctrl, const cndParameterGradient* dparam,
                         int* nkink) {
  batch_check("cnd_batchAdjoint", batch);
  check_arrays(2 * batch->m->nv + batch->m->na, dnext);
  return cnd_batchAdjoints(batch, 1, dnext, dsensor, dstate, dctrl, dparam, nkink);
}
