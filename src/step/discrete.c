// discrete.c: what each spring, damper, servo and fluid adds to the metric.
//
//   joint      h b + h^2 k on its dofs       k of a displacement x: d force / d x, b likewise
//   tendon     (h b + h^2 k) J'J             k is 0 where the spring is slack
//   actuator   (h b + h^2 k) g'g             k = -d force / d length, b = -d force / d velocity
//   fluid      - h d drag / d v              within M's pattern, symmetric
//
// b, k >= 0. The shift of the forces, -h k v, has the same k.

#include "step/discrete.h"

#include <mujoco/api/base.h>
#include <mujoco/api/constraint.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/actuator.h"
#include "base/algebra/sparse_row.h"
#include "base/algebra/vec.h"
#include "base/joint.h"
#include "constraint/diagonal.h"
#include "constraint/metric/flex.h"
#include "constraint/metric/metric.h"
#include "model/data/arena.h"
#include "model/data/awake.h"
#include "model/data/jacobian.h"
#include "model/options.h"
#include "model/plastic.h"
#include "model/terms.h"
#include "model/timer.h"
#include "sensor/sensor.h"
#include "smooth/actuation.h"
#include "smooth/drive/drive.h"
#include "smooth/passive.h"
#include "smooth/slopes.h"
#include "smooth/tendon.h"
#include "step/advance.h"
#include "step/derivative.h"
#include "step/free_body.h"

// joints

static mjtNum spring_slope(Terms k, mjtNum x) {
  return num_max(0, terms_rigidity(k, x));
}

static void add_stiffness(const mjModel* m, mjData* d, int dof, int n, mjtNum k) {
  mjtNum h = m->opt.timestep;
  for (int i = dof; i < dof + n; i++) {
    d->efm_diag[i] += h * h * k;
    d->efm_ck[i] = h * k;
    d->efm_c[i] = -h * k * d->qvel[i];
  }
}

// Also joint_terms in smooth/passive.c.
static void joint_springs(const mjModel* m, mjData* d, int j) {
  Terms k = m->cnd_has_terms ? terms_joint_spring(m, j) : (Terms){m->jnt_stiffness[j], 0, 0};
  const mjtNum *q = d->qpos + m->jnt_qposadr[j], *rest = plastic_rest(m, d, j);
  int type = m->jnt_type[j], n = joint_scalars(type), dof = m->jnt_dofadr[j];
  mjtNum x[3];
  if (!terms_any(k)) {
    return;
  }
  mju_sub(x, q, rest, n);
  if (n) {
    add_stiffness(m, d, dof, n, spring_slope(k, n == 1 ? x[0] : mju_norm(x, n)));
  }
  if (joint_has_quat(type)) {
    passive_turn(x, q + n, rest + n);
    add_stiffness(m, d, dof + n, 3, spring_slope(k, v3_norm(x)));
  }
}

static void joint_terms(const mjModel* m, mjData* d, const AwakeRun* run) {
  int disabled = m->opt.disableflags, damps = !(disabled & mjDSBL_DAMPER);
  for (int i = run->dof; damps && i < run->dof_end; i++) {
    mjtNum b =
        m->cnd_has_terms ? terms_slope(terms_dof_damper(m, i), d->qvel[i]) : m->dof_damping[i];
    d->efm_diag[i] = m->opt.timestep * num_max(0, b);
  }
  for (int j = run->joint; !(disabled & mjDSBL_SPRING) && j < run->joint_end; j++) {
    joint_springs(m, d, j);
  }
}

// tendons

// Also tendon_terms in smooth/passive.c.
static void tendon_slopes(mjtNum slope[2], const mjModel* m, const mjData* d, int t) {
  int disabled = m->opt.disableflags, terms = m->cnd_has_terms;
  slope[0] = slope[1] = 0;
  if (!(disabled & mjDSBL_SPRING)) {
    Terms k = terms ? terms_tendon_spring(m, t) : (Terms){m->tendon_stiffness[t], 0, 0};
    mjtNum x = -tendon_excess(plastic_lengths(m, d, t), d->ten_length[t]);
    slope[0] = x != 0 ? spring_slope(k, x) : 0;
  }
  if (!(disabled & mjDSBL_DAMPER)) {
    slope[1] = num_max(0, terms ? terms_slope(terms_tendon_damper(m, t), d->ten_velocity[t])
                                : m->tendon_damping[t]);
  }
}

static void tendon_terms(const mjModel* m, mjData* d) {
  mjtNum h = m->opt.timestep;
  int asleep = awake_some_sleep(m, d);
  d->nefmT = 0;
  for (int t = 0; options_metric_couples(m) && t < m->ntendon; t++) {
    mjtNum slope[2];
    if (asleep && tendon_sleeps(m, d, t)) {
      continue;
    }
    tendon_slopes(slope, m, d, t);
    if (slope[0] == 0 && slope[1] == 0) {
      continue;
    }
    TendonRow row = tendon_view(m, d, t);
    if (!metric_takes(m, row.val, row.colind, row.n)) {
      continue;
    }
    int k = d->nefmT++;
    d->efm_tid[k] = t;
    d->efm_ts[k] = h * (h * slope[0] + slope[1]);
    d->efm_tk[k] = h * slope[0];
    tendon_add_to(d->efm_c, &row, -d->efm_tk[k] * d->ten_velocity[t]);
  }
}

// fluids

static void fluid_terms(const mjModel* m, mjData* d) {
  mju_zero(d->efm_fluid, (int)m->nC);
  if (derivative_drag(m, d)) {
    for (int k = 0; k < d->cnd_nrun; k++) {
      const AwakeRun* run = awake_run(d, k);
      int end = run->dof_end < m->nv ? m->M_rowadr[run->dof_end] : (int)m->nC;
      for (int i = run->dof < m->nv ? m->M_rowadr[run->dof] : end; i < end; i++) {
        d->efm_fluid[i] = -m->opt.timestep * d->qDeriv[m->mapD2M[i]];
      }
    }
  }
}

void discrete_velocity(const mjModel* m, mjData* d) {
  mju_zero(d->efm_diag, m->nv);
  mju_zero(d->efm_ck, m->nv);
  mju_zero(d->efm_c, m->nv);
  for (int k = 0; k < d->cnd_nrun; k++) {
    joint_terms(m, d, awake_run(d, k));
  }
  tendon_terms(m, d);
  fluid_terms(m, d);
  metric_flex_shift(d->efm_c, m, d);
}

// actuators

// stiffness and damping of an actuator with these controls
static void servo_slopes(mjtNum slope[2], const mjModel* m, const mjData* d, int i,
                         const mjtNum* u) {
  mjtNum force[3];
  if (gain_has_law(m->actuator_gaintype[i])) {
    law_forces(force, m, d, i, u);
    int saturated = actuator_is_saturated(m, d, i, force);
    slope[0] = law_by_length(m, d, i, u, saturated);
    slope[1] = law_by_velocity(m, d, i, u, saturated);
  } else if (actuator_is_saturated(m, d, i, d->actuator_force + m->actuator_outadr[i])) {
    slope[0] = slope[1] = 0;
  } else {
    slope[0] = actuator_by_length(m, d, i, *u, 1);
    slope[1] = actuator_by_velocity(m, d, i, *u, 1);
  }
  slope[0] = num_max(0, -slope[0]);
  slope[1] = num_max(0, -slope[1]);
}

static int takes_servo(const mjModel* m, const mjData* d, int i) {
  int end = m->actuator_outadr[i] + m->actuator_outnum[i], takes = 1;
  for (int row = m->actuator_outadr[i]; row < end && takes; row++) {
    int adr = d->moment_rowadr[row];
    takes =
        metric_takes(m, d->actuator_moment + adr, d->moment_colind + adr, d->moment_rownnz[row]);
  }
  return takes;
}

static void add_servo(const mjModel* m, mjData* d, int i, const mjtNum slope[2]) {
  mjtNum h = m->opt.timestep;
  int k = d->nefmA++, end = m->actuator_outadr[i] + m->actuator_outnum[i];
  d->efm_aid[k] = i;
  d->efm_as[k] = h * (h * slope[0] + slope[1]);
  d->efm_ak[k] = h * slope[0];
  for (int row = m->actuator_outadr[i]; row < end && slope[0] != 0; row++) {
    int adr = d->moment_rowadr[row], n = d->moment_rownnz[row];
    const int* column = d->moment_colind + adr;
    mjtNum velocity = row_dot(d->actuator_moment + adr, column, n, d->qvel);
    row_add_to(d->efm_ca, d->actuator_moment + adr, column, n, -d->efm_ak[k] * velocity);
  }
}

// The rows by the metric: regularizers, the dual matrix, and the bias of adhesion, which depends on
// the former.
static void update_rows(const mjModel* m, mjData* d) {
  int exact = diagonal_is_exact(m);
  if (!exact) {
    diagonal_discrete(m, d);
  }
  if (exact || mj_isDual(m)) {
    mj_projectConstraint(m, d);
  }
  if (m->flg_adhesion) {
    mj_referenceConstraint(m, d);
  }
}

void discrete_forces(const mjModel* m, mjData* d) {
  int asleep = awake_some_sleep(m, d);
  size_t top = arena_top(d);
  mju_zero(d->efm_ca, m->nv);
  d->nefmA = 0;
  if (m->nactuator && options_metric_couples(m) && !(m->opt.disableflags & mjDSBL_ACTUATION)) {
    mjtNum* ctrl = arena_num(d, m->nu);
    actuation_controls(ctrl, m, d);
    for (int i = 0; i < (int)m->nactuator; i++) {
      mjtNum slope[2];
      if (actuator_is_disabled(m, i) || (asleep && actuator_sleeps(m, d, i))) {
        continue;
      }
      servo_slopes(slope, m, d, i, ctrl + m->actuator_ctrladr[i]);
      if ((slope[0] != 0 || slope[1] != 0) && takes_servo(m, d, i)) {
        add_servo(m, d, i, slope);
      }
    }
  }
  arena_pop(d, top);
  metric_factor(m, d);
  if (d->nefc) {
    update_rows(m, d);
  }
}

// the step

void discrete_integrate(const mjModel* m, mjData* d) {
  mjtNum start = timer_start();
  sensor_store(m, d);
  advance(m, d, d->act_dot, d->qacc, NULL, NULL);
  timer_stop(d, mjTIMER_ADVANCE, start);
}

// Marks the trees of a row.
static void mark_row(mjtByte* held, const mjModel* m, const mjtNum* value, const int* column,
                     int n) {
  for (int k = 0; k < n; k++) {
    if (value[k] != 0) {
      held[m->dof_treeid[column ? column[k] : k]] = 1;
    }
  }
}

void discrete_find_held(mjtByte* held, const mjModel* m, const mjData* d) {
  int sparse = rows_are_sparse(m, d);
  memset(held, 0, (size_t)m->ntree);
  for (int i = 0; i < d->nefc; i++) {
    const int* column = sparse ? d->efc_J_colind + d->efc_J_rowadr[i] : NULL;
    const mjtNum* J = d->efc_J + (sparse ? (size_t)d->efc_J_rowadr[i] : (size_t)i * m->nv);
    mark_row(held, m, J, column, sparse ? d->efc_J_rownnz[i] : m->nv);
  }
  for (int k = 0; k < d->nefmT; k++) {
    TendonRow row = tendon_view(m, d, d->efm_tid[k]);
    mark_row(held, m, row.val, row.colind, row.n);
  }
  for (int k = 0; k < d->nefmA; k++) {
    int i = d->efm_aid[k], end = m->actuator_outadr[i] + m->actuator_outnum[i];
    for (int out = m->actuator_outadr[i]; out < end; out++) {
      int adr = d->moment_rowadr[out];
      mark_row(held, m, d->actuator_moment + adr, d->moment_colind + adr, d->moment_rownnz[out]);
    }
  }
}

void discrete_free_bodies(const mjModel* m, mjData* d) {
  size_t top = arena_top(d);
  if (free_body_exists(m)) {
    mjtByte* held = arena_take(d, (size_t)m->ntree, 1);
    mjtNum* frc = arena_num(d, m->nv);
    discrete_find_held(held, m, d);
    metric_shifted(frc, m, d);
    free_body_step(d->qacc, m, d, held, frc);
  }
  arena_pop(d, top);
}

void discrete_inverse(mjtNum* inertial, const mjModel* m, mjData* d) {
  size_t top = arena_top(d);
  metric_mul(inertial, m, d, d->qacc);
  if (free_body_exists(m)) {
    mjtByte* held = arena_take(d, (size_t)m->ntree, 1);
    discrete_find_held(held, m, d);
    free_body_force(inertial, m, d, held);
  }
  mju_subFrom(inertial, d->efm_c, m->nv);
  mju_subFrom(inertial, d->efm_ca, m->nv);
  arena_pop(d, top);
}
