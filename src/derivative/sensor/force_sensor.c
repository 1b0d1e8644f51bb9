// Derivatives of sensors of limits, of the force and torque between a body and its parent, and of
// touch.                                                  theory/time/exact-derivatives.md, Sensors
// Symbols: constraint/row_law.h.

#include <mujoco/api/base.h>
#include <mujoco/api/constraint.h>
#include <mujoco/api/model.h>

#include "base/algebra/vec.h"
#include "derivative/constraint/constraint.h"
#include "derivative/constraint/row_law.h"
#include "derivative/sensor/sensor.h"
#include "derivative/tree/tendon_length.h"
#include "model/data/arena.h"
#include "sensor/sensor.h"
#include "smooth/jacobian.h"

// limits

// Derivative of the residual of a limit row by positions (nv numbers), and of its velocity J z by
// positions at constant z.
static void limit_gradient(mjtNum* gradient, mjtNum* change, const SensorDerivative* s, int row,
                           const Twists* Z) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  if (m->sensor_objtype[s->id] == mjOBJ_TENDON) {
    mjtNum low = d->ten_length[s->object] - m->tendon_range[2 * s->object];
    mjtNum sign = mju_abs(low - d->efc_pos[row]) <= mjMINVAL * (1 + mju_abs(low)) ? 1 : -1;
    tendon_length_derivative(gradient, m, d, s->object, sign);
    tendon_rate_derivative(change, m, d, s->object, Z, sign);
    return;
  }
  int dof = m->jnt_dofadr[s->object];
  const mjtNum* qpos = d->qpos + m->jnt_qposadr[s->object];
  if (m->jnt_type[s->object] != mjJNT_BALL) {
    mjtNum low = *qpos - m->jnt_range[2 * s->object];
    gradient[dof] = mju_abs(low - d->efc_pos[row]) <= mjMINVAL * (1 + mju_abs(low)) ? 1 : -1;
    return;
  }

  // J = -a' with the axis a of the rotation by t: da = [cot(t/2)/2 (E - a a') + skew(a)/2] dq
  mjtNum quat[4], a[3], across[3], turned[3];
  q_unit(quat, qpos);
  v3_scl(a, quat + 1, quat[0] < 0 ? -1 : 1);
  mjtNum sine = v3_normalize(a), cot = sine > mjMINVAL ? mju_abs(quat[0]) / sine / 2 : 0;
  const mjtNum* z = Z->z + dof;
  v3_scl(gradient + dof, a, -1);
  v3_addscl(across, z, a, -v3_dot(a, z));
  v3_cross(turned, z, a);
  v3_addtoscl(change + dof, across, -cot);
  v3_addtoscl(change + dof, turned, (mjtNum)-0.5);
}

// Position pos - margin, velocity J v, and force of the row:
//
//   df = - Hs (J dx + (dJ) z + b J dv + spring dr) + f sigma dr       z = x + b v,  dr = J dq
void limit_sensor(SensorDerivative* s) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  int row = sensor_limit_row(m, d, s->id), nv = m->nv;
  mjtStage stage = sensor_type(m->sensor_type[s->id])->stage;
  if (row < 0) {
    return;
  }
  mjtNum* numbers = mj_stackAllocNum(d, 4 * (size_t)nv);
  mjtNum *gradient = numbers, *change = numbers + nv, *z = numbers + 2 * nv, *J = numbers + 3 * nv;
  mju_zero(numbers, 4 * nv);
  mjtNum b = stage == mjSTAGE_ACC ? row_damping(&(RowLaw){.m = m, .d = d}, row) : 0;
  mju_addScl(z, s->system->x, d->qvel, b, nv);
  if (stage == mjSTAGE_VEL) {
    mju_copy(z, d->qvel, nv);
  }
  Twists Z = twists_make(m, d, z);
  limit_gradient(gradient, change, s, row, &Z);
  mju_copy(J, gradient, nv);
  if (stage == mjSTAGE_POS) {
    mju_copy(s->q, gradient, nv);
  } else if (stage == mjSTAGE_VEL) {
    mju_copy(s->q, change, nv);
    mju_copy(s->v, J, nv);
  } else {
    RowLaw law = row_law_make(m, d, s->system->x);
    mjtNum Hs = row_stiffness(&law, row);
    mju_addToScl(s->x, J, -Hs, nv);
    mju_addToScl(s->v, J, -Hs * b, nv);
    mju_addToScl(s->q, change, -Hs, nv);
    mju_addToScl(s->q, gradient, law.force[row] * row_sigma(&law, row) - Hs * row_spring(&law, row),
                 nv);
    sensor_weigh(s, 0, row, law.force[row]);
  }
}

// inner forces

// The wrench of the world is the sum of those of its trees, each about the com c_i of its tree, and
// is read about the com c of everything, F = sum F_i:
//
//   D (sum T_i - (p - c) x F)  has  - D c_i x F_i + D c x F  besides what fixed points have
static void move_points(mjtNum* q, const SensorDerivative* s) {
  const mjModel* m = s->m;
  const mjData* d = s->d;
  for (int j = 0; j < m->nv; j++) {
    int part = m->dof_bodyid[j], about[2] = {0, m->body_rootid[part]};
    mjtNum v[3], t[3];
    velocity_at(v, m, d, part, d->cdof + 6 * j, d->subtree_com + 3 * part);
    for (int i = 0; i < 2; i++) {
      mjtNum share = m->body_subtreemass[part] / num_max(mjMINVAL, m->body_subtreemass[about[i]]);
      v3_cross(t, v, d->cfrc_int + 6 * about[i] + 3);
      for (int k = 0; k < 3; k++) {
        q[k * m->nv + j] += (i ? -share : share) * t[k];
      }
    }
  }
}

// Flags of the bodies whose wrenches are read for `body`.
static char* inside_make(const SensorDerivative* s, int body) {
  char* inside = mj_stackAllocByte(s->d, (size_t)s->m->nbody, 1);
  inside[0] = 0;
  for (int b = 1; b < s->m->nbody; b++) {
    inside[b] = (char)(sensor_in_subtree(s->m, b, body) != 0);
  }
  return inside;
}

// Derivative of the wrench from the parent of `body`, about the point of the tree: the force that
// the motion of the subtree needs, less constraint forces and applied forces, whose points move.
// What acts on the world itself is not read.
// Also body_forces in constraint/body_forces.c.
static void inner_wrench(mjtNum* q, mjtNum* v, mjtNum* x, SensorDerivative* s, int body) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  int nv = m->nv;
  mj_markStack(d);
  Subtree* subtrees = motion_subtrees(m, d, &s->system->motion);
  char* inside = inside_make(s, body);
  constraint_wrench_partials(m, d, s->system->x, inside, q, v, x);
  mju_scl(q, q, -1, 18 * nv);
  for (int j = 0; j < nv; j++) {
    mjtNum by_q[6], by_v[6], by_x[6];
    int own = m->dof_bodyid[j];
    if (!sensor_in_subtree(m, own, body) && !sensor_in_subtree(m, body, own)) {
      continue;
    }
    subtree_derivative(by_q, by_v, by_x, m, d, &s->system->motion, subtrees, body, j);
    for (int k = 0; k < 6; k++) {
      q[k * nv + j] += by_q[k];
      v[k * nv + j] += by_v[k];
      x[k * nv + j] += by_x[k];
    }
  }
  for (int b = int_max(body, 1); b < m->nbody; b++) {
    int n;
    const int* chain = jac_body_chain(&n, m, b);
    const mjtNum* force = d->xfrc_applied + 6 * b;
    if (!inside[b] || v3_iszero(force)) {
      continue;
    }
    for (int i = 0; i < n; i++) {
      mjtNum moved[3], torque[3];
      velocity_at(moved, m, d, b, d->cdof + 6 * chain[i], d->xipos + 3 * b);
      v3_cross(torque, moved, force);
      for (int k = 0; k < 3; k++) {
        q[k * nv + chain[i]] -= torque[k];
      }
    }
  }
  if (!body) {
    move_points(q, s);
  }
  mj_freeStack(d);
}

// What rows weigh changes their forces, and so minus the wrench: rows of 6 components by positions,
// velocities, activations and controls.
static void weigh_wrench(mjtNum* const rows[4], const SensorDerivative* s, int body) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  const Regularizers* all = &s->system->regularizers;
  if (!all->index) {
    return;
  }
  mj_markStack(d);
  RowLaw law = row_law_make(m, d, s->system->x);
  char* inside = inside_make(s, body);
  for (int row = 0; row < d->nefc; row++) {
    mjtNum wrench[6] = {0};
    if (all->index[row] >= 0) {
      constraint_add_wrench(wrench, &law, d, row, inside);
    }
    for (int k = 0; k < 6; k++) {
      ForceTerms to = {rows[0] + k * m->nv, rows[1] + k * m->nv, rows[2] + k * m->na,
                       rows[3] + k * m->nu};
      if (wrench[k] != 0) {
        regularizers_add(&to, all, m, row, wrench[k]);
      }
    }
  }
  mj_freeStack(d);
}

// R' f, or R' (t - (p - c) x f), in the axes R of a site at p; (t, f) is about c.
// Also sensor_torque in sensor/site.c.
void wrench_sensor(SensorDerivative* s) {
  enum {
    KINDS = 5
  };
  const mjModel* m = s->m;
  mjData* d = s->d;
  int body = m->site_bodyid[s->object], nv = m->nv, n;
  int is_force = m->sensor_type[s->id] == mjSENS_FORCE;
  const mjtNum *mat = d->site_xmat + 9 * s->object, *pos = d->site_xpos + 3 * s->object;
  const int width[KINDS] = {nv, nv, nv, m->na, m->nu};
  mjtNum* const out[KINDS] = {s->q, s->v, s->x, s->act, s->ctrl};
  mjtNum *rows[KINDS], arm[3], value[3];
  rows[0] = arena_zeros(d, 18 * (size_t)nv + 6 * (size_t)(m->na + m->nu));
  for (int kind = 1; kind < KINDS; kind++) {
    rows[kind] = rows[kind - 1] + 6 * width[kind - 1];
  }
  inner_wrench(rows[0], rows[1], rows[2], s, body);
  weigh_wrench((mjtNum* const[]){rows[0], rows[1], rows[3], rows[4]}, s, body);
  v3_sub(arm, pos, tree_point(m, d, body));
  for (int kind = 0; kind < KINDS; kind++) {
    for (int j = 0, of = width[kind]; j < of; j++) {
      mjtNum change[3], force[3], t[3];
      for (int k = 0; k < 3; k++) {
        change[k] = rows[kind][k * of + j];
        force[k] = rows[kind][(3 + k) * of + j];
      }
      v3_cross(t, arm, force);
      v3_subfrom(change, t);
      m3_tmulv(t, mat, is_force ? force : change);
      for (int k = 0; k < 3; k++) {
        out[kind][k * of + j] = t[k];
      }
    }
  }

  // the site itself moves
  const mjtNum* wrench = d->cfrc_int + 6 * body;
  const int* chain = jac_body_chain(&n, m, body);
  v3_cross(value, arm, wrench + 3);
  v3_sub(value, wrench, value);
  for (int i = 0; i < n; i++) {
    const mjtNum* S = d->cdof + 6 * chain[i];
    mjtNum moved[3], change[3], t[3];
    v3_cross(change, S, is_force ? wrench + 3 : value);
    if (!is_force) {
      velocity_at(moved, m, d, body, S, pos);
      v3_cross(t, moved, wrench + 3);
      v3_addto(change, t);
    }
    m3_tmulv(t, mat, change);
    for (int k = 0; k < 3; k++) {
      s->q[k * nv + chain[i]] -= t[k];
    }
  }
}

// touch

// Also sensor_touch in sensor/touch.c.
void touch_sensor(SensorDerivative* s) {
  const mjModel* m = s->m;
  mjData* d = s->d;
  int any = 0;
  char* chosen = mj_stackAllocByte(d, (size_t)d->ncon, 1);
  for (int i = 0; i < d->ncon; i++) {
    mjtNum force[6];
    mj_contactForce(m, d, i, force);
    chosen[i] = (char)sensor_touches(m, d, s->id, i, force[0]);
    any |= chosen[i];
    if (chosen[i] && d->contact[i].efc_address >= 0) {
      sensor_weigh(s, 0, d->contact[i].efc_address, force[0]);
    }
  }
  if (any) {
    s->kinks += constraint_normal_partials(m, d, s->system->x, chosen, s->q, s->v, s->x);
  }
}
