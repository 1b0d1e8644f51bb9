#include "derivative/smooth_slope.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/muscle.h"
#include "base/vec.h"
#include "derivative/tendon_length.h"
#include "smooth/actuation.h"
#include "smooth/jacobian.h"
#include "smooth/tendon.h"

// Q is a sum of terms g moment moment' on the pattern of D, of J' B J of fluids, and of the bias.
//                                                     theory/exact-derivatives.md, Implicit integrators

typedef struct {
  ForceJacobian* F;
  const mjModel* m;
  mjData* d;
  const mjtNum* a;
  const Twists* W;
  mjtNum *row, *part, *change;  // nv each: a moment, (moment . a) by rows, dg by positions
  mjtNum* hessian;              // D moment, nv x nv
} Slopes;

// part_k = sum of moment_l a_l over the pattern of row k
static void partial_sums(Slopes* s) {
  const mjModel* m = s->m;
  for (int k = 0; k < m->nv; k++) {
    s->part[k] = 0;
    for (int i = m->D_rowadr[k]; s->row[k] != 0 && i < m->D_rowadr[k] + m->D_rownnz[k]; i++) {
      s->part[k] += s->row[m->D_colind[i]] * s->a[m->D_colind[i]];
    }
  }
}

// g (D moment_k part_k + moment_k sum over the pattern of D moment_l a_l). The part of a row that the moment
// does not have may still get some.
static void add_hessian(Slopes* s, mjtNum g) {
  const mjModel* m = s->m;
  size_t nv = (size_t)m->nv;
  for (size_t k = 0; k < nv; k++) {
    mjtNum* out = s->F->q + k * nv;
    mjtNum part = 0;
    for (int i = m->D_rowadr[k]; i < m->D_rowadr[k] + m->D_rownnz[k]; i++) {
      size_t l = (size_t)m->D_colind[i];
      part += s->row[l] * s->a[l];
      if (s->row[k] != 0) {
        mju_addToScl(out, s->hessian + l * nv, g * s->row[k] * s->a[l], m->nv);
      }
    }
    mju_addToScl(out, s->hessian + k * nv, g * part, m->nv);
  }
}

// actuators

static mjtNum muscle_secondSlope(const mjModel* m, const mjData* d, int i) {
  const mjtNum *prm = m->actuator_gainprm + mjNGAIN * i, *range = m->actuator_lengthrange + 2 * i;
  return muscle_gainSecondSlope(d->actuator_length[i], d->actuator_velocity[i], range,
                                m->actuator_acc0[i], prm);
}

static void add_actuator(Slopes* s, int i) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  const mjtNum *gain = m->actuator_gainprm + mjNGAIN * i, *range = m->actuator_lengthrange + 2 * i;
  int nv = m->nv, no_act = m->actuator_dyntype[i] == mjDYN_NONE;
  int last = m->actuator_actadr[i] + m->actuator_actnum[i] - 1, adr = d->moment_rowadr[i];
  int muscle = m->actuator_gaintype[i] == mjGAIN_MUSCLE;
  mjtNum input = no_act ? d->ctrl[i] : d->act[last], l = d->actuator_length[i];
  mjtNum v = d->actuator_velocity[i], acc0 = m->actuator_acc0[i], by_input = 0, g = 0;
  if (m->actuator_gaintype[i] == mjGAIN_AFFINE) {
    by_input = gain[2];
  } else if (muscle) {
    by_input = muscle_gainSlope(l, v, range, acc0, gain);
  }
  if (m->actuator_biastype[i] == mjBIAS_AFFINE) {
    g = m->actuator_biasprm[mjNBIAS * i + 2];
  }
  g += by_input * input;
  if (g == 0 && by_input == 0 && !muscle) {
    return;
  }
  mju_zero(s->row, nv);
  for (int k = 0; k < d->moment_rownnz[i]; k++) {
    s->row[d->moment_colind[adr + k]] = d->actuator_moment[adr + k];
  }
  partial_sums(s);
  mju_zero(s->change, nv);
  if (muscle) {
    mjtNum by_length = muscle_gainSlopeByLength(l, v, range, acc0, gain) * input;
    mjtNum by_velocity = muscle_secondSlope(m, d, i) * input;
    transmission_lengthDerivative(s->change, m, d, i, by_length);
    transmission_rateDerivative(s->change, m, d, i, s->W, by_velocity);
    for (int k = 0; k < nv; k++) {
      mju_addToScl(s->F->v + (size_t)k * nv, s->row, s->row[k] * s->part[k] * by_velocity, nv);
    }
  }
  for (int k = 0; k < nv; k++) {
    mjtNum both = s->row[k] * s->part[k];
    mju_addToScl(s->F->q + (size_t)k * nv, s->change, both, nv);
    if (no_act) {
      s->F->ctrl[(size_t)k * m->nu + i] += both * by_input;
    } else {
      s->F->act[(size_t)k * m->na + last] += both * by_input;
    }
  }
  if (m->actuator_trntype[i] == mjTRN_JOINT || g == 0) {
    return;
  }
  mj_markStack(d);
  Load* loads = loads_make(m, d);
  mjtNum* follower = mj_stackAllocNum(d, 6 * (size_t)m->nbody);
  mju_zero(follower, 6 * m->nbody);
  mju_zero(s->hessian, nv * nv);
  s->F->kinks += transmission_derivative(s->hessian, loads, follower, m, d, i, 1);
  loads_derivative(s->hessian, m, d, loads, 1);
  followers_derivative(s->hessian, m, d, follower);
  add_hessian(s, g);
  mj_freeStack(d);
}

static void add_tendon(Slopes* s, int t) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  mj_markStack(d);
  Load* loads = loads_make(m, d);
  tendon_row(s->row, m, d, t);
  mju_zero(s->hessian, m->nv * m->nv);
  s->F->kinks += tendon_derivative(s->hessian, loads, m, d, t, 1);
  loads_derivative(s->hessian, m, d, loads, 1);
  add_hessian(s, -m->tendon_damping[t]);
  mj_freeStack(d);
}

// fluids

typedef struct {
  ForceJacobian* F;
  mjtNum* follower;
  const mjtNum* rate;    // W_<j x S_j of the velocities
  const mjtNum* rate_a;  // and of a
  const Twists* A;       // velocities that a gives
  int symmetric;
} FluidSlopes;

// (rotation, translation at the piece) of a spatial vector, in the axes of the piece
static void to_piece(mjtNum out[6], const mjModel* m, const mjData* d, const FluidPart* part,
                     const mjtNum s[6]) {
  mjtNum v[3];
  velocity_at(v, m, d, part->body, s, part->pos);
  m3_tmulv(out, part->mat, s);
  m3_tmulv(out + 3, part->mat, v);
}

// J' B y with y = J a: the wrench B y turns with the piece but for the changes of the local velocity V and
// of y,
//
//   d(B y) = (dB/dV y) dV + B dy      dy = R' (A_<j x S_j)
static void add_piece(const mjModel* m, mjData* d, const FluidPart* part, void* arg) {
  const FluidSlopes* s = arg;
  int n, body = part->body;
  size_t nv = (size_t)m->nv;
  const int* chain = jac_bodyChain(&n, m, body);
  mjtNum B[36], T[216], C[36] = {0}, y[6], local[6], torque[3], force[3], r[3], t[3];
  fluid_derivative(B, m, part);
  fluid_secondDerivative(T, m, part);
  to_piece(y, m, d, part, s->A->body + 6 * body);
  int symmetric = s->symmetric && part->geom >= 0;
  for (int i = 0; i < 36; i++) {
    for (int k = 0; k < 6; k++) {
      mjtNum own = T[36 * (i / 6) + 6 * k + i % 6], other = T[36 * k + 6 * (i / 6) + i % 6];
      C[i] += y[k] * (symmetric ? (own + other) / 2 : own);
    }
  }
  for (int i = 0; symmetric && i < 6; i++) {
    for (int k = 0; k < i; k++) {
      B[6 * i + k] = B[6 * k + i] = (B[6 * i + k] + B[6 * k + i]) / 2;
    }
  }
  mju_mulMatVec(local, B, y, 6, 6);
  m3_mulv(torque, part->mat, local);
  m3_mulv(force, part->mat, local + 3);
  v3_sub(r, part->pos, tree_point(m, d, body));
  v3_crossadd(torque, r, force, torque);
  v3_addto(s->follower + 6 * body, torque);
  v3_addto(s->follower + 6 * body + 3, force);

  for (int j = 0; j < n; j++) {
    mjtNum J[6], moved[6], by_q[6], by_v[6], more[6];
    const mjtNum* S = d->cdof + 6 * chain[j];
    to_piece(J, m, d, part, S);
    to_piece(moved, m, d, part, s->rate + 6 * chain[j]);
    v3_cross(t, S, m->opt.wind);
    m3_tmulv(t, part->mat, t);
    v3_addto(moved + 3, t);
    mju_mulMatVec(by_v, C, J, 6, 6);
    mju_mulMatVec(by_q, C, moved, 6, 6);
    to_piece(moved, m, d, part, s->rate_a + 6 * chain[j]);
    mju_mulMatVec(more, B, moved, 6, 6);
    sp_addto(by_q, more);
    for (int k = 0; k < n; k++) {
      size_t at = nv * (size_t)chain[k] + (size_t)chain[j];
      to_piece(J, m, d, part, d->cdof + 6 * chain[k]);
      s->F->q[at] += sp_dot(J, by_q);
      s->F->v[at] += sp_dot(J, by_v);
    }
  }
}

static void add_fluids(ForceJacobian* F, const mjModel* m, mjData* d, const mjtNum* a) {
  mj_markStack(d);
  BodyMotion velocity = motion_make(m, d, &(Motion){d->qvel, NULL, 0});
  BodyMotion along = motion_make(m, d, &(Motion){a, NULL, 0});
  Twists A = twists_make(m, d, a);
  mjtNum* follower = mj_stackAllocNum(d, 6 * (size_t)m->nbody);
  mju_zero(follower, 6 * m->nbody);
  FluidSlopes s = {F,          follower, velocity.rate,
                   along.rate, &A,       m->opt.integrator == mjINT_IMPLICITFAST};
  fluid_visit(m, d, add_piece, &s);
  followers_derivative(F->q, m, d, follower);
  mj_freeStack(d);
}

// bias

// c is quadratic in v, so with any s
//
//   dc/dv a = (c(v + s a) - c(v - s a)) / (2 s)         d(dc/dv a)/dv = dc/dv at v = a
//
// s makes both of one size, so that little cancels.
static void add_bias(ForceJacobian* F, const mjModel* m, mjData* d, const mjtNum* a) {
  mj_markStack(d);
  mjtNum* v = mj_stackAllocNum(d, (size_t)m->nv);
  mjtNum* unused = mj_stackAllocNum(d, (size_t)m->nv * (size_t)m->nv);
  mjtNum size_a = mju_norm(a, m->nv), size_v = mju_norm(d->qvel, m->nv);
  mjtNum s = size_a > 0 && size_v > 0 ? size_v / size_a : 1;
  for (int side = -1; side <= 1; side += 2) {
    mju_addScl(v, d->qvel, a, (mjtNum)side * s, m->nv);
    BodyMotion motion = motion_make(m, d, &(Motion){v, NULL, 0});
    dynamics_derivative(F->q, NULL, m, d, &motion, -(mjtNum)side / (2 * s));
  }
  BodyMotion motion = motion_make(m, d, &(Motion){a, NULL, 0});
  dynamics_derivative(unused, F->v, m, d, &motion, -1);
  mj_freeStack(d);
}

void smooth_slopeDerivative(ForceJacobian* F, const mjModel* m, mjData* d, const mjtNum* a) {
  int disabled = m->opt.disableflags, passive = mjDSBL_SPRING | mjDSBL_DAMPER;
  size_t nv = (size_t)m->nv;
  mj_markStack(d);
  Twists W = twists_make(m, d, d->qvel);
  Slopes s = {F,
              m,
              d,
              a,
              &W,
              mj_stackAllocNum(d, nv),
              mj_stackAllocNum(d, nv),
              mj_stackAllocNum(d, nv),
              mj_stackAllocNum(d, nv * nv)};
  for (int i = 0; !(disabled & mjDSBL_ACTUATION) && i < m->nu; i++) {
    if (!actuator_isDisabled(m, i)) {
      add_actuator(&s, i);
    }
  }
  for (int t = 0; !(disabled & mjDSBL_DAMPER) && t < m->ntendon; t++) {
    if (m->tendon_damping[t] != 0 && m->wrap_type[m->tendon_adr[t]] != mjWRAP_JOINT) {
      add_tendon(&s, t);
    }
  }
  if (fluid_isActive(m) && (disabled & passive) != passive) {
    add_fluids(F, m, d, a);
  }
  if (m->opt.integrator == mjINT_IMPLICIT) {
    add_bias(F, m, d, a);
  }
  mj_freeStack(d);
}
