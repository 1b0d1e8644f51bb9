// Derivatives of the springs and dampers of joints and tendons. A model without polynomial terms
// has the linear ones alone.

#include "derivative/smooth/springs.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "base/algebra/vec.h"
#include "base/joint.h"
#include "derivative/tree/kink.h"
#include "derivative/tree/tendon_length.h"
#include "model/options.h"
#include "smooth/passive.h"
#include "smooth/tendon.h"

static const Terms kNone = {0, 0, 0};

static Terms linear(mjtNum a) {
  return (Terms){a, 0, 0};
}

Terms spring_of_joint(const mjModel* m, int joint) {
  return m->opt.disableflags & mjDSBL_SPRING ? kNone
         : m->cnd_has_terms                  ? terms_joint_spring(m, joint)
                                             : linear(m->jnt_stiffness[joint]);
}

Terms spring_of_tendon(const mjModel* m, int tendon) {
  return m->opt.disableflags & mjDSBL_SPRING ? kNone
         : m->cnd_has_terms                  ? terms_tendon_spring(m, tendon)
                                             : linear(m->tendon_stiffness[tendon]);
}

Terms damper_of_dof(const mjModel* m, int dof) {
  return m->opt.disableflags & mjDSBL_DAMPER ? kNone
         : m->cnd_has_terms                  ? terms_dof_damper(m, dof)
                                             : linear(m->dof_damping[dof]);
}

Terms damper_of_tendon(const mjModel* m, int tendon) {
  return m->opt.disableflags & mjDSBL_DAMPER ? kNone
         : m->cnd_has_terms                  ? terms_tendon_damper(m, tendon)
                                             : linear(m->tendon_damping[tendon]);
}

// joints

// The displacement x of a group of n dofs of a joint, with its derivative D (n x n, row-major) by
// their positions: of what slides or turns about an axis, the translations of a free joint, or what
// turns as a ball.
typedef struct {
  int dof, n;
  mjtNum x[3], D[9];
} Displacement;

// - d(k(r) x) = - k dx - (k'(r) / r) x (x' dx), and of a single one - (k(x) x)' dx
static void add_spring(ForceJacobian* F, const mjModel* m, const Displacement* at, Terms k) {
  size_t nv = (size_t)m->nv, dof = (size_t)at->dof, n = (size_t)at->n;
  mjtNum r = n == 1 ? at->x[0] : v3_norm(at->x), along[3];
  if (n == 1) {
    F->q[dof * nv + dof] -= terms_rigidity(k, r);
    return;
  }
  mjtNum secant = terms_stiffness(k, r), by_r = r > 0 ? (k.b + 2 * k.c * r) / r : 0;
  m3_tmulv(along, at->D, at->x);
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) {
      F->q[(dof + i) * nv + dof + j] -= secant * at->D[3 * i + j];
      if (by_r != 0) {
        F->q[(dof + i) * nv + dof + j] -= by_r * at->x[i] * along[j];
      }
    }
  }
}

// The groups of dofs of a joint: their number is returned.
static int displacements(Displacement group[2], const mjModel* m, const mjData* d, int j) {
  static const mjtNum kUnit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const mjtNum *q = d->qpos + m->jnt_qposadr[j], *rest = m->qpos_spring + m->jnt_qposadr[j];
  int type = m->jnt_type[j], n = joint_scalars(type), count = 0;
  if (n) {
    Displacement* at = group + count++;
    *at = (Displacement){.dof = m->jnt_dofadr[j], .n = n};
    mju_sub(at->x, q, rest, n);
    mju_copy(at->D, kUnit, 9);
  }
  if (joint_has_quat(type)) {
    Displacement* at = group + count++;
    mjtNum unit[4];
    *at = (Displacement){.dof = m->jnt_dofadr[j] + n, .n = 3};
    q_unit(unit, q + n);
    passive_turn(at->x, q + n, rest + n);
    mjd_subQuat(unit, rest + n, at->D, NULL);
  }
  return count;
}

// Also joint_springs and joint_terms in smooth/passive.c.
static void joint_springs(ForceJacobian* F, const mjModel* m, const mjData* d) {
  for (int j = 0; j < m->njnt; j++) {
    Terms k = spring_of_joint(m, j);
    Displacement group[2];
    int count = terms_any(k) ? displacements(group, m, d, j) : 0;
    for (int i = 0; i < count; i++) {
      add_spring(F, m, group + i, k);
    }
  }
}

// Also joint_springs in step/discrete.c.
void spring_each_rigidity(AddRigidity* add, void* to, const mjModel* m, const mjData* d) {
  for (int j = 0; j < m->njnt && m->cnd_has_terms; j++) {
    Terms k = spring_of_joint(m, j);
    Displacement group[2];
    int count = k.b != 0 || k.c != 0 ? displacements(group, m, d, j) : 0;
    for (int i = 0; i < count; i++) {
      const Displacement* at = group + i;
      mjtNum r = at->n == 1 ? at->x[0] : v3_norm(at->x), slope[3] = {1, 0, 0};
      if (at->n == 3 && r > 0) {
        m3_tmulv(slope, at->D, at->x);
        v3_scl(slope, slope, 1 / r);
      }
      if (terms_rigidity(k, r) > 0 && (at->n == 1 || r > 0)) {
        v3_scl(slope, slope, terms_rigidity_slope(k, r));
        add(to, at->dof, at->n, slope);
      }
    }
  }
}

mjtNum damper_dof_bend(const mjModel* m, const mjData* d, int dof, int positive) {
  if (!m->cnd_has_terms) {
    return 0;
  }
  Terms b = damper_of_dof(m, dof);
  mjtNum v = d->qvel[dof];
  return positive && !(terms_slope(b, v) > 0) ? 0 : terms_bend(b, v);
}

// tendons

mjtNum spring_tendon_pull(const mjModel* m, const mjData* d, int t) {
  mjtNum displacement = tendon_displacement(m, t, d->ten_length[t]);
  return terms_stiffness(spring_of_tendon(m, t), -displacement) * displacement;
}

mjtNum damper_tendon_drag(const mjModel* m, const mjData* d, int t) {
  return -terms_resistance(damper_of_tendon(m, t), d->ten_velocity[t]);
}

// Is the spring of a tendon at rest within a range of lengths?
static int is_slack(const mjModel* m, int t, mjtNum displacement) {
  const mjtNum* range = m->tendon_lengthspring + 2 * t;
  return displacement == 0 && range[0] < range[1];
}

TendonSlopes spring_tendon_slopes(const mjModel* m, const mjData* d, int t) {
  TendonSlopes out = {0, 0};
  if (m->cnd_has_terms) {
    Terms k = spring_of_tendon(m, t), b = damper_of_tendon(m, t);
    mjtNum displacement = tendon_displacement(m, t, d->ten_length[t]), v = d->ten_velocity[t];
    if (displacement != 0 && terms_rigidity(k, -displacement) > 0) {
      out.stiffness_by_length = terms_rigidity_slope(k, -displacement);
    }
    out.damping_by_velocity = terms_slope(b, v) > 0 ? terms_bend(b, v) : 0;
  }
  return out;
}

// J' p, p = pull(l) + drag(l')
// Also tendon_forces in smooth/passive.c.
static void tendon_forces(ForceJacobian* F, const mjModel* m, mjData* d, const Twists* W) {
  int nv = m->nv;
  mj_markStack(d);
  Load* loads = loads_make(m, d);
  mjtNum* row = mj_stackAllocNum(d, nv);
  mjtNum* change = mj_stackAllocNum(d, nv);
  for (int t = 0; t < m->ntendon; t++) {
    Terms k = spring_of_tendon(m, t), b = damper_of_tendon(m, t);
    if (!terms_any(k) && !terms_any(b)) {
      continue;
    }
    mjtNum displacement = tendon_displacement(m, t, d->ten_length[t]);
    tendon_row(row, m, d, t);
    mju_zero(change, nv);
    if (terms_any(k) && !is_slack(m, t, displacement)) {
      tendon_length_derivative(change, m, d, t, -terms_rigidity(k, -displacement));
    }
    if (terms_any(b)) {
      mjtNum slope = terms_slope(b, d->ten_velocity[t]);
      tendon_rate_derivative(change, m, d, t, W, -slope);
      add_product(F->v, nv, row, NULL, nv, row, NULL, nv, -slope);
    }
    add_product(F->q, nv, row, NULL, nv, change, NULL, nv, 1);
    mjtNum force = spring_tendon_pull(m, d, t) + damper_tendon_drag(m, d, t);
    if (force != 0) {
      F->kinks += tendon_derivative(F->q, loads, m, d, t, force);
    }
  }
  loads_derivative(F->q, m, d, loads, 1);
  mj_freeStack(d);
}

static int any_tendon(const mjModel* m) {
  for (int t = 0; t < m->ntendon; t++) {
    if (terms_any(spring_of_tendon(m, t)) || terms_any(damper_of_tendon(m, t))) {
      return 1;
    }
  }
  return 0;
}

// all

void springs_derivative(ForceJacobian* F, const mjModel* m, mjData* d, const Twists* W) {
  size_t nv = (size_t)m->nv;
  joint_springs(F, m, d);
  for (size_t i = 0; i < nv; i++) {
    F->v[i * nv + i] -= terms_slope(damper_of_dof(m, (int)i), d->qvel[i]);
  }
  if (any_tendon(m)) {
    tendon_forces(F, m, d, W);
  }
}

// kinks

// Does the integrator have the slopes of dampers in its matrix?
static int takes_slopes(const mjModel* m) {
  return options_is_implicit(m) || options_is_discrete(m) ||
         (m->opt.integrator == mjINT_EULER && options_euler_damps(m));
}

// The slope of a damper with a quadratic term, b |v| v, bends where it rests.
static int damper_kinks(const mjModel* m, const mjData* d) {
  int kinks = 0;
  if (!m->cnd_has_terms || !takes_slopes(m)) {
    return 0;
  }
  for (int i = 0; i < m->nv; i++) {
    kinks += damper_of_dof(m, i).b != 0 && d->qvel[i] == 0;
  }
  for (int t = 0; t < m->ntendon && m->opt.integrator != mjINT_EULER; t++) {
    kinks += damper_of_tendon(m, t).b != 0 && d->ten_velocity[t] == 0;
  }
  return kinks;
}

int springs_kinks(const mjModel* m, const mjData* d) {
  int kinks = damper_kinks(m, d);
  for (int t = 0; t < m->ntendon; t++) {
    mjtNum length = d->ten_length[t];
    kinks += terms_any(spring_of_tendon(m, t)) &&
             kink_is_at_end(length, m->tendon_lengthspring + 2 * t, mju_abs(length));
  }
  return kinks;
}
