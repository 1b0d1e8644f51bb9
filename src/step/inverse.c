// Inverse dynamics: the applied force that gives an acceleration. Constraint forces are an explicit
// function of qacc, because constraints are soft, so no solver is needed:
//
//   qfrc_inverse = M qacc + qfrc_bias - qfrc_passive - qfrc_constraint(qacc)
//                                                      theory/time/integration.md, Inverse dynamics

#include <mujoco/api/base.h>
#include <mujoco/api/constraint.h>
#include <mujoco/api/model.h>
#include <mujoco/api/sensor.h>
#include <mujoco/api/smooth.h>
#include <mujoco/api/step.h>

#include "base/algebra/vec.h"
#include "constraint/hard/hard.h"
#include "model/checks/pair.h"
#include "model/data/arena.h"
#include "model/options.h"
#include "model/timer.h"
#include "smooth/inertia.h"
#include "smooth/support.h"
#include "step/discrete.h"
#include "step/forward.h"
#include "step/free_body.h"
#include "step/implicit.h"

void mj_invPosition(const mjModel* m, mjData* d) {
  check_pair(m, d);
  d->cnd_stage = 0;
  position_stage(m, d, 0);
}

void mj_invVelocity(const mjModel* m, mjData* d) {
  check_pair(m, d);
  mj_fwdVelocity(m, d);
}

// Turns a discrete acceleration (v_new - v) / h into that of continuous time. Integrators give
// (v_new - v) / h = X^-1 M qacc with their matrix X, so qacc = M^-1 X (discrete qacc).
static void continuous_acceleration(const mjModel* m, mjData* d) {
  int nv = m->nv;
  mjtNum h = m->opt.timestep;
  mj_markStack(d);
  mjtNum* x = mj_stackAllocNum(d, nv);

  switch (m->opt.integrator) {
    case mjINT_EULER:
      if (!options_has_euler_damping(m)) {
        mj_freeStack(d);
        return;
      }
      mj_mulM(m, d, x, d->qacc);
      const mjtNum* damping = options_euler_damping(mj_stackAllocNum(d, nv), m, d);
      for (int i = 0; i < nv; i++) {
        x[i] += h * damping[i] * d->qacc[i];
      }
      break;

    case mjINT_IMPLICIT:
      implicit_matrix_full(m, d);
      for (int i = 0; i < nv; i++) {
        int end = m->D_rowadr[i] + m->D_rownnz[i];
        x[i] = 0;
        for (int k = m->D_rowadr[i]; k < end; k++) {
          x[i] += d->qLU[k] * d->qacc[m->D_colind[k]];
        }
      }
      break;

    case mjINT_IMPLICITFAST:
      implicit_matrix_fast(m, d);
      inertia_mul(x, tree_pattern(m), d->qH, d->qacc);
      if (free_body_is_on(m)) {
        free_body_mul(x, m, d, d->qacc);
      }
      break;

    default:
      mju_error("inverse dynamics in discrete time: integrator %d is not supported",
                m->opt.integrator);
  }
  mj_solveM(m, d, d->qacc, x, 1);
  mj_freeStack(d);
}

// qfrc_inverse = M qacc + c - qfrc_passive - J' f
void mj_inverseSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor) {
  check_pair(m, d);
  hard_refuse_inverse(m, "mj_inverse");
  int nv = m->nv, discrete = m->opt.enableflags & mjENBL_INVDISCRETE;
  int energy = m->opt.enableflags & mjENBL_ENERGY;
  mjtNum start = timer_start();
  mj_markStack(d);
  mjtNum* qacc = mj_stackAllocNum(d, nv);
  mjtNum* inertial = mj_stackAllocNum(d, nv);

  if (skipstage < mjSTAGE_POS) {
    mj_invPosition(m, d);
    if (!skipsensor) {
      mj_sensorPos(m, d);
    }
    if (energy) {
      mj_energyPos(m, d);
    }
  }
  if (skipstage < mjSTAGE_VEL) {
    mj_invVelocity(m, d);
    if (!skipsensor) {
      mj_sensorVel(m, d);
    }
    if (energy) {
      mj_energyVel(m, d);
    }
  }

  // the inverse of a discrete step is that of its integrator
  discrete = discrete && !options_is_discrete(m);
  if (discrete) {
    mju_copy(qacc, d->qacc, nv);
    continuous_acceleration(m, d);
  }
  d->flg_rnepost = 0;
  if (d->efm_active) {
    discrete_forces(m, d);
  }
  mj_invConstraint(m, d);
  if (!skipsensor) {
    mj_sensorAcc(m, d);
  }
  if (d->efm_active) {
    discrete_inverse(inertial, m, d);
  } else {
    mj_mulM(m, d, inertial, d->qacc);
  }
  for (int i = 0; i < nv; i++) {
    d->qfrc_inverse[i] =
        d->qfrc_bias[i] + (inertial[i] - d->qfrc_passive[i] - d->qfrc_constraint[i]);
  }
  if (discrete) {
    mju_copy(d->qacc, qacc, nv);
  }
  mj_freeStack(d);
  timer_stop(d, mjTIMER_INVERSE, start);
}

void mj_inverse(const mjModel* m, mjData* d) {
  check_pair(m, d);
  mj_inverseSkip(m, d, mjSTAGE_NONE, 0);
}

static mjtNum distance(const mjtNum* a, const mjtNum* b, int n) {
  mjtNum sum = 0;
  for (int i = 0; i < n; i++) {
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  }
  return mju_sqrt(sum);
}

// Whether inverse dynamics is defined.
static int has_inverse(const mjModel* m) {
  int discrete = m->opt.enableflags & mjENBL_INVDISCRETE;
  return !hard_is_on(m) && !(discrete && m->opt.integrator == mjINT_RK4);
}

// Norms of the differences between forward and inverse dynamics: of constraint forces and of total
// applied force. A model may enable this check where it isn't defined, so that is only a warning.
void mj_compareFwdInv(const mjModel* m, mjData* d) {
  check_pair(m, d);
  int nv = m->nv, nefc = d->nefc;
  d->solver_fwdinv[0] = d->solver_fwdinv[1] = 0;
  if (!has_inverse(m)) {
    mj_warning(d, cndWARN_INVERSE, m->opt.integrator);
    return;
  }
  if (nefc <= 0) {
    return;
  }
  mj_markStack(d);
  mjtNum* qfrc_constraint = mj_stackAllocNum(d, nv);
  mjtNum* qfrc_external = mj_stackAllocNum(d, nv);

  // the inverse needs as much memory again as this copy of the forces
  size_t bytes = nefc * sizeof(mjtNum), align = _Alignof(mjtNum), top;
  mjtNum* efc_force = arena_push(d, bytes, align);
  top = d->pstack;
  if (!efc_force || !arena_push(d, bytes + (size_t)(d->cnd_arena - d->narena), align)) {
    mj_warning(d, mjWARN_CNSTRFULL, (int)d->narena);
    mj_freeStack(d);
    return;
  }
  arena_pop(d, top);
  mju_copy(qfrc_constraint, d->qfrc_constraint, nv);
  mju_copy(efc_force, d->efc_force, nefc);
  for (int i = 0; i < nv; i++) {
    qfrc_external[i] = d->qfrc_applied[i] + d->qfrc_actuator[i];
  }
  xfrc_accumulate(qfrc_external, m, d);

  mj_inverseSkip(m, d, mjSTAGE_VEL, 1);
  d->solver_fwdinv[0] = distance(qfrc_constraint, d->qfrc_constraint, nv);
  d->solver_fwdinv[1] = distance(qfrc_external, d->qfrc_inverse, nv);

  mju_copy(d->qfrc_constraint, qfrc_constraint, nv);
  mju_copy(d->efc_force, efc_force, nefc);
  mj_freeStack(d);
}
