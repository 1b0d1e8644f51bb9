// gradient.c: exact derivatives of the steps of all worlds, at their present states.

#include <condyle/derivative.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/memory/check.h"
#include "batch/batch.h"

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

// The arrays of a world, by the lines of cndParameterGradient.
static cndParameterGradient gradient_of(const cndParameterGradient* all, const mjModel* m,
                                        int world) {
  cndParameterGradient one;
#define PART(name, size) one.name = part(all->name, world, (size_t)(size))
  PART(body_mass, m->nbody);
  PART(body_inertia, 3 * m->nbody);
  PART(dof_damping, m->nv);
  PART(dof_armature, m->nv);
  PART(actuator_gainprm, m->nu * mjNGAIN);
  PART(actuator_biasprm, m->nu * mjNBIAS);
  PART(geom_friction, 3 * m->ngeom);
  PART(pair_friction, 5 * m->npair);
  PART(geom_pos, 3 * m->ngeom);
  PART(geom_turn, 3 * m->ngeom);
  PART(geom_size, 3 * m->ngeom);
  PART(dof_frictionloss, m->nv);
  PART(tendon_frictionloss, m->ntendon);
#undef PART
  return one;
}

static BatchKeep pull_world(cndBatch* batch, const mjModel* m, Slot* slot, int world) {
  const BatchCall* call = &batch->call;
  size_t nx = 2 * (size_t)m->nv + (size_t)m->na, ns = (size_t)m->nsensordata;
  cndParameterGradient parameters;
  if (call->dparam) {
    parameters = gradient_of(call->dparam, m, world);
  }
  const mjtNum* dsensor = call->dsensor ? call->dsensor + (size_t)world * ns : NULL;
  int kinks = cnd_transitionAdjoint(
      m, slot->d, call->dnext + (size_t)world * nx, dsensor, part(call->dstate, world, nx),
      part(call->dctrl, world, (size_t)m->nu), call->dparam ? &parameters : NULL);
  if (call->nkink) {
    call->nkink[world] = kinks;
  }
  return KEEP_WARNINGS;
}

cndtRun cnd_batchAdjoint(cndBatch* batch, const mjtNum* dnext, const mjtNum* dsensor,
                         mjtNum* dstate, mjtNum* dctrl, const cndParameterGradient* dparam,
                         int* nkink) {
  batch_check("cnd_batchAdjoint", batch);
  check_arrays(2 * batch->m->nv + batch->m->na, dnext);
  batch->call = (BatchCall){.dnext = dnext,
                            .dsensor = dsensor,
                            .dstate = dstate,
                            .dctrl = dctrl,
                            .dparam = dparam,
                            .nkink = nkink};
  return batch_run(batch, NULL, pull_world);
}
