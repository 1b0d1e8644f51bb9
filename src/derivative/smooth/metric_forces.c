// Derivatives of the terms of the metric, in the order of step/discrete.c. With v+ = v + h x, a
// term with the row g (a tendon's Jacobian, an actuator's moment), stiffness k and damping b gives
//
//   p = - h (k g . v+ + b g . x)      force g' p
//   D (g' p) = g' dp + (D g)' p       dp = - h (dk g.v+ + db g.x + k D(g) v+ + b D(g) x + k g dv)
//
// k and b of an actuator are functions of its length, velocity and input where they are positive,
// those of tendons and joints are constant unless they have polynomial terms.

#include "derivative/smooth/metric_forces.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/actuator.h"
#include "base/muscle.h"
#include "derivative/smooth/second_order.h"
#include "derivative/smooth/springs.h"
#include "derivative/tree/tendon_length.h"
#include "model/data/arena.h"
#include "smooth/actuation.h"
#include "smooth/fluid.h"
#include "smooth/tendon.h"
#include "step/discrete.h"
#include "step/free_body.h"

typedef struct {
  ForceJacobian* F;
  const mjModel* m;
  mjData* d;
  const Twists *W, *X;  // at the velocities and at x
  const mjtNum* x;
  mjtNum *row, *change;  // nv each: g, and dp by positions
} Metric;

static int fluid_acts(const mjModel* m) {
  int passive = mjDSBL_SPRING | mjDSBL_DAMPER;
  return fluid_is_active(m) && (m->opt.disableflags & passive) != passive;
}

// joints

// - (h k v + (h^2 k + h b) x) of a dof, with the k of its spring and the b of its damper
static void add_rigidity(void* to, int dof, int n, const mjtNum slope[3]) {
  const Metric* s = to;
  mjtNum h = s->m->opt.timestep;
  for (int i = dof; i < dof + n; i++) {
    mju_addToScl(s->F->q + (size_t)i * (size_t)s->m->nv + dof, slope,
                 -h * (s->d->qvel[i] + h * s->x[i]), n);
  }
}

static void add_joints(Metric* s) {
  const mjModel* m = s->m;
  size_t nv = (size_t)m->nv;
  for (size_t i = 0; i < nv; i++) {
    mjtNum bend = damper_dof_bend(m, s->d, (int)i, 1);
    s->F->v[i * nv + i] -= s->d->efm_ck[i] + m->opt.timestep * bend * s->x[i];
  }
  spring_each_rigidity(add_rigidity, s, m, s->d);
}

// tendons

static void add_tendon(const Metric* s, Load* loads, int k) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  int nv = m->nv, t = d->efm_tid[k];
  mjtNum hk = d->efm_tk[k], all = d->efm_ts[k], h = m->opt.timestep;
  TendonSlopes slopes = spring_tendon_slopes(m, d, t);
  tendon_row(s->row, m, d, t);
  mju_zero(s->change, nv);
  mjtNum v = mju_dot(s->row, d->qvel, nv), x = mju_dot(s->row, s->x, nv);
  if (slopes.stiffness_by_length != 0) {
    tendon_length_derivative(s->change, m, d, t, -h * slopes.stiffness_by_length * (v + h * x));
  }
  if (slopes.damping_by_velocity != 0) {
    mjtNum by_velocity = -h * slopes.damping_by_velocity * x;
    tendon_rate_derivative(s->change, m, d, t, s->W, by_velocity);
    add_product(s->F->v, nv, s->row, NULL, nv, s->row, NULL, nv, by_velocity);
  }
  tendon_rate_derivative(s->change, m, d, t, s->W, -hk);
  tendon_rate_derivative(s->change, m, d, t, s->X, -all);
  add_product(s->F->q, nv, s->row, NULL, nv, s->change, NULL, nv, 1);
  add_product(s->F->v, nv, s->row, NULL, nv, s->row, NULL, nv, -hk);
  mjtNum p = -hk * v - all * x;
  if (p != 0) {
    s->F->kinks += tendon_derivative(s->F->q, loads, m, d, t, p);
  }
}

// actuators

// Derivatives of the stiffness and damping of an actuator, -dp/dl and -dp/dl', by its length,
// velocity and input, or the activations of a drive. They are zero where these are not positive.
typedef struct {
  mjtNum by_length, by_velocity, by_input, by_act[DRIVE_ACTIVATIONS];
} Slope;

typedef struct {
  Slope stiffness, damping;
  ActuatorDerivative force;
  int nact;  // number of by_act
} Servo;

static void add_muscle(Servo* out, const mjModel* m, const mjData* d, int i, mjtNum input) {
  const mjtNum *gain = m->actuator_gainprm + mjNGAIN * i, *bias = m->actuator_biasprm + mjNBIAS * i;
  const mjtNum* range = m->actuator_lengthrange + 2 * i;
  mjtNum l = d->actuator_length[i], v = d->actuator_velocity[i], acc0 = m->actuator_acc0[i];
  if (m->actuator_gaintype[i] == mjGAIN_MUSCLE) {
    mjtNum both = -input * muscle_gain_by_velocity_and_length(l, v, range, acc0, gain);
    out->stiffness.by_length -= input * muscle_gain_by_length_twice(l, v, range, acc0, gain);
    out->stiffness.by_velocity += both;
    out->damping.by_length += both;
    out->damping.by_velocity -= input * muscle_gain_by_velocity_twice(l, v, range, acc0, gain);
  }
  if (m->actuator_biastype[i] == mjBIAS_MUSCLE) {
    out->stiffness.by_length -= muscle_bias_by_length_twice(l, range, acc0, bias);
  }
}

static Servo drive_servo(const mjModel* m, const mjData* d, int i) {
  Drive drive;
  drive_make(&drive, m, d, i);
  Servo out = {.nact = drive.nact};
  for (int k = 0; k < drive.nact; k++) {
    int at = DRIVE_BY_ACTIVATION + k;
    out.stiffness.by_act[k] = drive.by_length.x < 0 ? -drive.by_length.by[at] : 0;
    out.damping.by_act[k] = drive.by_velocity.x < 0 ? -drive.by_velocity.by[at] : 0;
  }
  return out;
}

// Also servo_slopes in step/discrete.c.
static Servo servo_make(const mjModel* m, const mjData* d, int k) {
  const Slope none = {0, 0, 0, {0}};
  int i = d->efm_aid[k];
  if (actuator_is_drive(m, i)) {
    return drive_servo(m, d, i);
  }
  Servo out = {.force = actuator_derivative(m, d, i)};
  out.stiffness.by_input = -actuator_gain_by_length(m, d, i);
  out.damping.by_input = -actuator_gain_by_velocity(m, d, i);
  add_muscle(&out, m, d, i, out.force.input);
  if (!(out.force.by_length < 0)) {
    out.stiffness = none;
  }
  if (!(out.force.by_velocity < 0)) {
    out.damping = none;
  }
  return out;
}

// row += scale times the derivative of a slope by the state and controls
static void add_slope(ForceTerms* row, const Metric* s, const Servo* servo, const Slope* slope,
                      int i, mjtNum scale) {
  const mjModel* m = s->m;
  if (slope->by_length != 0) {
    transmission_length_derivative(row->q, m, s->d, i, scale * slope->by_length);
  }
  if (slope->by_velocity != 0) {
    transmission_rate_derivative(row->q, m, s->d, i, s->W, scale * slope->by_velocity);
    mju_addToScl(row->v, s->row, scale * slope->by_velocity, m->nv);
  }
  if (slope->by_input != 0) {
    mjtNum by = scale * slope->by_input;
    if (m->actuator_actadr[i] >= 0) {
      row->act[m->actuator_actadr[i] + m->actuator_actnum[i] - 1] += by * servo->force.input_by_act;
    }
    row->ctrl[m->actuator_ctrladr[i]] += by * servo->force.input_by_ctrl;
  }
  for (int k = 0; k < servo->nact; k++) {
    row->act[m->actuator_actadr[i] + k] += scale * slope->by_act[k];
  }
}

// Zero rows of one number, on the stack.
static ForceTerms terms_make(const mjModel* m, mjData* d) {
  size_t nv = (size_t)m->nv, na = (size_t)m->na;
  mjtNum* all = arena_zeros(d, 2 * nv + na + (size_t)m->nu);
  return (ForceTerms){all, all + nv, all + 2 * nv, all + 2 * nv + na};
}

// F += scale u' terms
static void add_terms(ForceJacobian* F, const mjModel* m, const mjtNum* u, const ForceTerms* terms,
                      mjtNum scale) {
  for (size_t k = 0; k < (size_t)m->nv; k++) {
    if (u[k] != 0) {
      mju_addToScl(F->q + k * (size_t)m->nv, terms->q, scale * u[k], m->nv);
      mju_addToScl(F->v + k * (size_t)m->nv, terms->v, scale * u[k], m->nv);
      mju_addToScl(F->act + k * (size_t)m->na, terms->act, scale * u[k], m->na);
      mju_addToScl(F->ctrl + k * (size_t)m->nu, terms->ctrl, scale * u[k], m->nu);
    }
  }
}

// row = moment of an actuator
static void find_moment(mjtNum* row, const mjModel* m, const mjData* d, int i) {
  int adr = d->moment_rowadr[i];
  mju_zero(row, m->nv);
  for (int k = adr; k < adr + d->moment_rownnz[i]; k++) {
    row[d->moment_colind[k]] = d->actuator_moment[k];
  }
}

static int is_constant_moment(const mjModel* m, const mjData* d, int i) {
  return m->actuator_trntype[i] == mjTRN_JOINT && d->moment_rownnz[i] == 1;
}

static void add_actuator(const Metric* s, Load* loads, mjtNum* follower, int k) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  int nv = m->nv, i = d->efm_aid[k];
  mjtNum h = m->opt.timestep, hk = d->efm_ak[k], all = d->efm_as[k];
  mj_markStack(d);
  Servo servo = servo_make(m, d, k);
  ForceTerms dp = terms_make(m, d);
  find_moment(s->row, m, d, i);
  mjtNum v = mju_dot(s->row, d->qvel, nv), x = mju_dot(s->row, s->x, nv);
  add_slope(&dp, s, &servo, &servo.stiffness, i, -h * (v + h * x));
  add_slope(&dp, s, &servo, &servo.damping, i, -h * x);
  transmission_rate_derivative(dp.q, m, d, i, s->W, -hk);
  transmission_rate_derivative(dp.q, m, d, i, s->X, -all);
  mju_addToScl(dp.v, s->row, -hk, nv);
  add_terms(s->F, m, s->row, &dp, 1);
  mjtNum p = -hk * v - all * x;
  if (p != 0 && !is_constant_moment(m, d, i)) {
    s->F->kinks += transmission_derivative(s->F->q, loads, follower, m, d, i, p);
  }
  mj_freeStack(d);
}

// all

static void add_metric(mjtNum* H, const mjModel* m, mjData* d) {
  size_t nv = (size_t)m->nv;
  for (size_t i = 0; i < nv; i++) {
    int adr = d->efm_K_rowadr[i];
    for (int k = adr; k < adr + d->efm_K_rownnz[i]; k++) {
      size_t j = (size_t)d->efm_K_colind[k];
      H[i * nv + j] += d->efm_K_val[k];
      H[j * nv + i] += i == j ? 0 : d->efm_K_val[k];
    }
  }
}

void metric_forces_derivative(ForceJacobian* F, mjtNum* H, const mjModel* m, mjData* d,
                              const Twists* W, const mjtNum* x) {
  size_t nv = (size_t)m->nv;
  add_metric(H, m, d);
  mj_markStack(d);
  Twists X = twists_make(m, d, x);
  Metric s = {F, m, d, W, &X, x, mj_stackAllocNum(d, nv), mj_stackAllocNum(d, nv)};
  Load* loads = loads_make(m, d);
  mjtNum* follower = arena_zeros(d, 6 * (size_t)m->nbody);
  add_joints(&s);
  for (int k = 0; k < d->nefmT; k++) {
    add_tendon(&s, loads, k);
  }
  for (int k = 0; k < d->nefmA; k++) {
    add_actuator(&s, loads, follower, k);
  }
  if (d->nefmT || d->nefmA) {
    loads_derivative(F->q, m, d, loads, 1);
    followers_derivative(F->q, m, d, follower);
  }
  if (fluid_acts(m)) {
    mjtNum* moved = mj_stackAllocNum(d, nv);
    mju_scl(moved, x, m->opt.timestep, m->nv);
    fluid_products_derivative(F, m, d, moved);
  }
  mj_freeStack(d);
}

// free bodies

int metric_gyroscopic_derivative(ForceJacobian* F, mjtNum* H, const mjModel* m, mjData* d,
                                 const mjtNum* x) {
  size_t nv = (size_t)m->nv;
  if (!free_body_exists(m)) {
    return 0;
  }
  mj_markStack(d);
  mjtByte* held = mj_stackAllocByte(d, (size_t)m->ntree, 1);
  mjtByte* is_free = mj_stackAllocByte(d, nv, 1);
  memset(is_free, 0, nv);
  discrete_find_held(held, m, d);
  int any = free_body_gyroscopic(H, is_free, m, d, held) > 0;
  if (any) {
    mjtNum *v = arena_zeros(d, nv), *moved = arena_zeros(d, nv);
    for (size_t i = 0; i < nv; i++) {
      v[i] = is_free[i] ? d->qvel[i] : 0;
      moved[i] = is_free[i] ? m->opt.timestep * x[i] : 0;
    }
    bias_products_derivative(F, m, d, v, moved);
  }
  mj_freeStack(d);
  return any;
}

// diagonal

// F_k += scale D (row_k^2) = 2 scale row_k D row_k, with D row = hessian
static void add_squares(ForceJacobian* F, const mjModel* m, const mjtNum* row,
                        const mjtNum* hessian, mjtNum scale) {
  size_t nv = (size_t)m->nv;
  for (size_t k = 0; k < nv; k++) {
    if (row[k] != 0) {
      mju_addToScl(F->q + k * nv, hessian + k * nv, 2 * scale * row[k], m->nv);
    }
  }
}

static void square_rigidity(void* to, int dof, int n, const mjtNum slope[3]) {
  const Metric* s = to;
  mjtNum h = s->m->opt.timestep;
  for (int i = dof; i < dof + n; i++) {
    mju_addToScl(s->F->q + (size_t)i * (size_t)s->m->nv + dof, slope, h * h, n);
  }
}

static void square_joints(Metric* s) {
  const mjModel* m = s->m;
  size_t nv = (size_t)m->nv;
  for (size_t i = 0; i < nv && m->cnd_has_terms; i++) {
    s->F->v[i * nv + i] += m->opt.timestep * damper_dof_bend(m, s->d, (int)i, 1);
  }
  spring_each_rigidity(square_rigidity, s, m, s->d);
}

static void square_tendon(const Metric* s, mjtNum* hessian, const Twists* W, int k) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  int nv = m->nv, t = d->efm_tid[k];
  mjtNum h = m->opt.timestep;
  TendonSlopes slopes = spring_tendon_slopes(m, d, t);
  tendon_row(s->row, m, d, t);
  if (slopes.stiffness_by_length != 0 || slopes.damping_by_velocity != 0) {
    mju_zero(s->change, nv);
    tendon_length_derivative(s->change, m, d, t, h * h * slopes.stiffness_by_length);
    tendon_rate_derivative(s->change, m, d, t, W, h * slopes.damping_by_velocity);
    for (size_t i = 0; i < (size_t)nv; i++) {
      mjtNum square = s->row[i] * s->row[i];
      mju_addToScl(s->F->q + i * (size_t)nv, s->change, square, nv);
      mju_addToScl(s->F->v + i * (size_t)nv, s->row, square * h * slopes.damping_by_velocity, nv);
    }
  }
  if (m->wrap_type[m->tendon_adr[t]] == mjWRAP_JOINT) {
    return;
  }
  mj_markStack(d);
  Load* loads = loads_make(m, d);
  mju_zero(hessian, nv * nv);
  tendon_derivative(hessian, loads, m, d, t, 1);
  loads_derivative(hessian, m, d, loads, 1);
  add_squares(s->F, m, s->row, hessian, d->efm_ts[k]);
  mj_freeStack(d);
}

static void square_actuator(const Metric* s, mjtNum* hessian, int k) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  int i = d->efm_aid[k];
  mjtNum h = m->opt.timestep;
  mj_markStack(d);
  Servo servo = servo_make(m, d, k);
  ForceTerms slope = terms_make(m, d);
  find_moment(s->row, m, d, i);
  add_slope(&slope, s, &servo, &servo.stiffness, i, h * h);
  add_slope(&slope, s, &servo, &servo.damping, i, h);
  for (int j = 0; j < m->nv; j++) {
    s->change[j] = s->row[j] * s->row[j];
  }
  add_terms(s->F, m, s->change, &slope, 1);
  if (!is_constant_moment(m, d, i)) {
    Load* loads = loads_make(m, d);
    mjtNum* follower = arena_zeros(d, 6 * (size_t)m->nbody);
    mju_zero(hessian, m->nv * m->nv);
    transmission_derivative(hessian, loads, follower, m, d, i, 1);
    loads_derivative(hessian, m, d, loads, 1);
    followers_derivative(hessian, m, d, follower);
    add_squares(s->F, m, s->row, hessian, d->efm_as[k]);
  }
  mj_freeStack(d);
}

// F += h d(diagonal of the fluids' part), which is - B
static void diagonal_of_fluids(ForceJacobian* F, const mjModel* m, mjData* d) {
  size_t n = (size_t)m->nv * (size_t)m->nv;
  mj_markStack(d);
  ForceJacobian B = force_jacobian(m, d);
  fluid_diagonal_derivative(&B, m, d);
  for (size_t i = 0; i < n; i++) {
    F->q[i] -= m->opt.timestep * B.q[i];
    F->v[i] -= m->opt.timestep * B.v[i];
  }
  mj_freeStack(d);
}

void metric_diagonal_derivative(ForceJacobian* F, const mjModel* m, mjData* d, const Twists* W) {
  size_t nv = (size_t)m->nv;
  mj_markStack(d);
  Metric s = {F, m, d, W, NULL, NULL, mj_stackAllocNum(d, nv), mj_stackAllocNum(d, nv)};
  mjtNum* hessian = mj_stackAllocNum(d, nv * nv);
  square_joints(&s);
  for (int k = 0; k < d->nefmT; k++) {
    square_tendon(&s, hessian, W, k);
  }
  for (int k = 0; k < d->nefmA; k++) {
    square_actuator(&s, hessian, k);
  }
  if (fluid_acts(m)) {
    diagonal_of_fluids(F, m, d);
  }
  mj_freeStack(d);
}
