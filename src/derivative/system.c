// Adds up the derivatives of all forces to r and H, and solves H dx = dr, with bordered rows by
// their Schur complement.                              theory/time/exact-derivatives.md, The system

#include "derivative/system.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/actuator.h"
#include "base/algebra/simd.h"
#include "derivative/constraint/constraint.h"
#include "derivative/kinks.h"
#include "derivative/smooth/metric_forces.h"
#include "derivative/tree/factor.h"
#include "model/behaviour.h"
#include "model/data/arena.h"
#include "model/field.h"
#include "model/flex/rod.h"
#include "model/options.h"

// Arrays of later releases that derivatives know.
static const char* const known_fields[] = {
    // springs and dampers, and what actuators add to them
    "jnt_stiffnesspoly", "dof_dampingpoly", "tendon_stiffnesspoly", "tendon_dampingpoly",
    "actuator_damping", "actuator_dampingpoly", "actuator_armature", "jnt_actuatorid",
    "tendon_actuatorid",
    // actuators of several inputs
    "actuator_ctrlnum", "actuator_ctrladr", "actuator_ctrlspec", "actuator_outadr",
    "actuator_outnum",
    // buffers of past values, unless they are read
    "actuator_history", "actuator_historyadr", "sensor_history", "sensor_historyadr",
    "sensor_delay", "sensor_interval",
    // surfaces
    "geom_surfacevel", "geom_adhesion", "pair_adhesion"};

void system_check(const char* function, const mjModel* m) {
  const struct {
    const char* name;
    int set;
  } callback[] = {
      {"mjcb_passive", mjcb_passive != NULL},
      {"mjcb_control", mjcb_control != NULL},
      {"mjcb_act_dyn", mjcb_act_dyn != NULL && m->na},
      {"mjcb_act_gain", mjcb_act_gain != NULL && m->nu},
      {"mjcb_act_bias", mjcb_act_bias != NULL && m->nu},
  };
  for (size_t i = 0; i < sizeof(callback) / sizeof(callback[0]); i++) {
    if (callback[i].set) {
      mju_error("%s: the callback %s is set, and nobody knows its derivative: use differences",
                function, callback[i].name);
    }
  }
  if (m->nplugin) {
    mju_error("%s: the model has plugins, and nobody knows their derivatives: use differences",
              function);
  }
  if (m->cnd_contact.mode != cndCONTACT_SOFT) {
    mju_error("%s: contacts of the model are %s, which have no exact derivative: use differences",
              function, m->cnd_contact.mode == cndCONTACT_HARD ? "hard" : "sticking");
  }
  if (m->opt.enableflags & mjENBL_SLEEP) {
    mju_error("%s: trees of the model may sleep (flag sleep), which has no derivative", function);
  }
  const char* unknown =
      field_later_but(m, known_fields, (int)(sizeof(known_fields) / sizeof(known_fields[0])));
  if (unknown) {
    mju_error("%s: the model uses %s, which has no exact derivative: use differences", function,
              unknown);
  }
  for (int i = 0; i < (int)m->nactuator; i++) {
    if (m->actuator_gaintype[i] == mjGAIN_SO3) {
      mju_error("%s: actuator %d is an orientation, which has no exact derivative: use differences",
                function, i);
    }
    int has_bristle = m->actuator_gaintype[i] == mjGAIN_DCMOTOR &&
                      m->actuator_dynprm[mjNDYN * i + MOTOR_BRISTLE_STIFFNESS] > 0;
    if (has_bristle && m->opt.integrator == mjINT_RK4) {
      mju_error(
          "%s: actuator %d is a motor with friction of bristles, which Runge-Kutta ends by a rule "
          "without exact derivative: use another integrator or differences",
          function, i);
    }
  }
  for (int i = 0; i < m->nflex; i++) {
    if (m->flex_interp[i] && m->flex_nodenum[i] != 8) {
      mju_error(
          "%s: flex %d has several or quadratic cells, which have no exact derivative: use "
          "differences",
          function, i);
    }
    Rod rod;
    if (rod_of(&rod, m, i)) {
      mju_error("%s: flex %d is a rod, which has no exact derivative: use differences", function,
                i);
    }
  }
  if (options_is_discrete(m) && m->nflex) {
    mju_error(
        "%s: the model has flexes, whose stiffness in the metric of the integrator discrete has no "
        "exact derivative: use differences",
        function);
  }
  if (m->opt.enableflags & mjENBL_DIAGEXACT) {
    mju_error("%s: the flag diagexact has no exact derivative: use differences", function);
  }
  if (m->opt.enableflags & mjENBL_SPECULATIVE) {
    mju_error("%s: the flag speculative has no exact derivative: use differences", function);
  }
  // tendonload and weldtorque are about sensors of forces alone, which refuse them
  const int known =
      1 << cndBEHAVIOUR_restacc | 1 << cndBEHAVIOUR_sidesite | 1 << cndBEHAVIOUR_insidecom |
      1 << cndBEHAVIOUR_solverexit | 1 << cndBEHAVIOUR_marginsum | 1 << cndBEHAVIOUR_marginband |
      1 << cndBEHAVIOUR_meshface | 1 << cndBEHAVIOUR_weldpose | 1 << cndBEHAVIOUR_gjkepa |
      1 << cndBEHAVIOUR_boxclip | 1 << cndBEHAVIOUR_capsules | 1 << cndBEHAVIOUR_tendonload |
      1 << cndBEHAVIOUR_weldtorque;
  unknown = behaviour_unknown(m, known);
  if (unknown) {
    mju_error(
        "%s: the model has the behaviour %s, of which there is no exact derivative: use "
        "differences",
        function, unknown);
  }
  if (m->opt.noslip_iterations > 0) {
    mju_error("%s: the noslip solver ends off the solution: use differences", function);
  }
}

KERNEL static size_t count_finite(const mjtNum* x, size_t n) {
  size_t finite = 0;
  for (size_t i = 0; i < n; i++) {
    finite += (size_t)(x[i] - x[i] == 0);
  }
  return finite;
}

void system_checkFinite(mjData* d, const SystemResult* result, int count) {
  for (const SystemResult* r = result; r < result + count; r++) {
    if (r->x && count_finite(r->x, r->n) < r->n) {
      int i = 0;
      while (r->x[i] - r->x[i] == 0) {
        i++;
      }
      mj_warning(d, cndWARN_DERIVATIVE, i);
      return;
    }
  }
}

static void add_inertia(mjtNum* H, const mjModel* m, const mjData* d) {
  size_t nv = (size_t)m->nv;
  for (size_t i = 0; i < nv; i++) {
    int adr = m->M_rowadr[i];
    for (int k = adr; k < adr + m->M_rownnz[i]; k++) {
      size_t j = (size_t)m->M_colind[k];
      H[i * nv + j] = H[j * nv + i] = d->M[k];
    }
  }
}

// What a discrete step has besides: its metric, and regularizers that depend on it.
static void add_metric(System* s) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  metric_forces_derivative(&s->r, s->H, m, d, &s->velocity, s->x);
  s->is_skew = metric_gyroscopic_derivative(&s->r, s->H, m, d, s->x);
  s->regularizers = regularizers_make(m, d, &s->velocity, s->x);
  regularizers_derivative(&s->r, &s->regularizers, m, d, s->x);
}

// The system without constraints.
static System smooth_system(const mjModel* m, mjData* d, const mjtNum* x, ForceParts parts) {
  size_t nv = (size_t)m->nv;
  System s = {.m = m,
              .d = d,
              .x = x,
              .actuation = parts.actuation,
              .bordered = parts.bordered,
              .function = parts.function};
  s.r = force_jacobian(m, d);
  s.r.kinks = position_kinks(m, d);
  s.H = arena_zeros(d, nv * nv);
  s.motion = motion_make(m, d, &(JointMotion){d->qvel, x, 1});
  s.velocity = twists_make(m, d, d->qvel);
  if (parts.actuation) {
    actuators_derivative(&s.r, m, d, &s.velocity);
  }
  if (parts.applied) {
    applied_derivative(&s.r, m, d);
  }
  passive_derivative(&s.r, m, d, &s.motion, &s.velocity, x);
  dynamics_derivative(s.r.q, s.r.v, m, d, &s.motion, -1);
  add_inertia(s.H, m, d);
  if (d->efm_active) {
    add_metric(&s);
  }
  return s;
}

System system_make(const mjModel* m, mjData* d, const mjtNum* x, ForceParts parts) {
  System s = smooth_system(m, d, x, parts);
  s.r.kinks += constraint_partials(m, d, x, s.bordered, s.r.q, s.r.v, s.H);
  return s;
}

System system_make_apart(const mjModel* m, mjData* d, const mjtNum* x, ForceParts parts) {
  System s = smooth_system(m, d, x, parts);
  constraint_stiffness(m, d, x, s.bordered, s.H);
  for (size_t i = 0; s.is_skew && i < (size_t)m->nv; i++) {
    for (size_t j = 0; j < i; j++) {
      mjtNum *a = s.H + i * (size_t)m->nv + j, *b = s.H + j * (size_t)m->nv + i, swap = *a;
      *a = *b;
      *b = swap;
    }
  }
  return s;
}

StateColumns state_columns(const mjModel* m) {
  StateColumns c = {.q = 0, .v = m->nv, .act = 2 * m->nv};
  c.ctrl = c.act + m->na;
  c.n = c.ctrl + m->nu;
  c.ld = SIMD_PADDED(c.n);
  return c;
}

static void factor_system(System* s) {
  if (s->is_factored) {
    return;
  }
  s->is_factored = 1;
  if (!factor_make(s->H, s->m->nv, !s->is_skew)) {
    mju_error("%s: the inertia matrix is singular", s->function);
  }
}

// Derivatives of the bordered rows by positions and velocities, at constant accelerations.
static mjtNum* bordered_rates(const System* s, StateColumns c) {
  const BorderedRows* bordered = s->bordered;
  size_t nv = (size_t)s->m->nv;
  mjtNum* dy = arena_zeros(s->d, (size_t)bordered->n * (size_t)c.ld);
  mjtNum *nothing = arena_zeros(s->d, nv), *unused = arena_zeros(s->d, nv);
  for (int i = 0; i < bordered->n; i++) {
    mjtNum* row = dy + (size_t)i * (size_t)c.ld;
    mju_zero(bordered->response, bordered->n);
    bordered->response[i] = 1;
    constraint_vjp(s->m, s->d, s->x, bordered, nothing, row + c.q, row + c.v, unused, NULL);
  }
  return dy;
}

static void solve_bordered(mjtNum* X, const System* s, StateColumns c) {
  mj_markStack(s->d);
  mjtNum* dy = bordered_rates(s, c);
  SchurComplement schur = schur_make(s->bordered, s->d, s->H, s->m->nv, s->function);
  schur_solve(X, dy, s->d, &schur, c.ld, c.ld, s->m->nv);
  mj_freeStack(s->d);
}

void system_pull(mjtNum* xi, System* s) {
  factor_system(s);
  factor_solve_one(xi, s->H, s->m->nv);
  if (s->bordered) {
    mj_markStack(s->d);
    SchurComplement schur = schur_make(s->bordered, s->d, s->H, s->m->nv, s->function);
    schur_pull(xi, &schur, s->m->nv);
    mj_freeStack(s->d);
  }
}

// dx = H^-1 dr, H = M + J' Hs J; Hs: Hessian of the constraint cost by row (row_law.h). r, x:
// system.h.
mjtNum* system_solve(System* s, StateColumns c) {
  const mjModel* m = s->m;
  size_t nv = (size_t)m->nv, na = (size_t)m->na, nu = (size_t)m->nu, size = sizeof(mjtNum);
  mjtNum* X = arena_zeros(s->d, nv * (size_t)c.ld);
  for (size_t i = 0; i < nv; i++) {
    mjtNum* row = X + i * (size_t)c.ld;
    memcpy(row + c.q, s->r.q + i * nv, nv * size);
    memcpy(row + c.v, s->r.v + i * nv, nv * size);
    memcpy(row + c.act, s->r.act + i * na, na * size);
    memcpy(row + c.ctrl, s->r.ctrl + i * nu, nu * size);
  }
  factor_system(s);
  factor_solve_shared(X, s->d, c.ld, c.ld, s->H, m->nv);
  if (s->bordered) {
    solve_bordered(X, s, c);
  }
  return X;
}
