// Passive forces: springs, dampers, gravity compensation, fluids.
//                                                 theory/smooth/passive.md, Order of passive forces

#include <mujoco/api/model.h>
#include <mujoco/api/smooth.h>
#include <string.h>

#include "base/algebra/dense.h"
#include "base/joint.h"
#include "model/checks/pair.h"
#include "model/data/arena.h"
#include "model/data/awake.h"
#include "model/data/tree_runs.h"
#include "model/plastic.h"
#include "model/plugin.h"
#include "model/terms.h"
#include "smooth/adhesion.h"
#include "smooth/flex/flex.h"
#include "smooth/fluid.h"
#include "smooth/jacobian.h"
#include "smooth/passive.h"
#include "smooth/tendon.h"

// Forces of joint springs. The entries of dofs without one are zero on entry.
// Also in lanes/dynamics/forces.h, derivative/smooth/springs.c and smooth/energy.c.
INLINE void joint_springs(const mjModel* m, mjData* d, const AwakeRun* run) {
  for (int j = run->joint; j < run->joint_end; j++) {
    mjtNum stiffness = m->jnt_stiffness[j];
    if (stiffness == 0) {
      continue;
    }
    mjtNum* force = d->qfrc_spring + m->jnt_dofadr[j];
    const mjtNum* q = d->qpos + m->jnt_qposadr[j];
    const mjtNum* rest = m->qpos_spring + m->jnt_qposadr[j];
    int type = m->jnt_type[j], n = joint_scalars(type);
    for (int k = 0; k < n; k++) {
      force[k] = -stiffness * (q[k] - rest[k]);
    }
    if (joint_has_quat(type)) {
      passive_turn(force + n, q + n, rest + n);
      v3_scl(force + n, force + n, -stiffness);
    }
  }
}

// The same, and the damping, of models with polynomial terms: the stiffness depends on the
// displacement, which is a distance or an angle where there are three. Also in model/terms.h.
static void joint_terms(const mjModel* m, mjData* d, int spring, int damper, const AwakeRun* run) {
  for (int i = run->dof; damper && i < run->dof_end; i++) {
    d->qfrc_damper[i] = -terms_resistance(terms_dof_damper(m, i), d->qvel[i]);
  }
  for (int j = run->joint; spring && j < run->joint_end; j++) {
    Terms k = terms_joint_spring(m, j);
    mjtNum* force = d->qfrc_spring + m->jnt_dofadr[j];
    const mjtNum* q = d->qpos + m->jnt_qposadr[j];
    const mjtNum* rest = plastic_rest(m, d, j);
    int type = m->jnt_type[j], n = joint_scalars(type);
    mju_sub(force, q, rest, n);
    mju_scl(force, force, -terms_stiffness(k, n == 1 ? force[0] : mju_norm(force, n)), n);
    if (joint_has_quat(type)) {
      passive_turn(force + n, q + n, rest + n);
      v3_scl(force + n, force + n, -terms_stiffness(k, v3_norm(force + n)));
    }
  }
}

// Forces that each dof makes alone (damping; +0 without), and zeros in the arrays of forces that
// few models have.
static KERNEL void plain_forces(const mjModel* m, mjData* d, int spring, int damper,
                                const AwakeRun* run) {
  const mjtNum *damping = m->dof_damping, *qvel = d->qvel;
  mjtNum *drag = d->qfrc_damper, *pull = d->qfrc_spring;
  mjtNum *gravcomp = d->qfrc_gravcomp, *fluid = d->qfrc_fluid;
  for (int i = run->dof, end = run->dof_end; i < end; i++) {
    drag[i] = damper && damping[i] != 0 ? -damping[i] * qvel[i] : 0;
    pull[i] = gravcomp[i] = fluid[i] = 0;
  }
  if (m->cnd_has_terms) {
    joint_terms(m, d, spring, damper, run);
  } else if (spring) {
    joint_springs(m, d, run);
  }
}

typedef struct PlainForces_ {
  const mjModel* m;
  mjData* d;
  int spring, damper;
} PlainForces;

static void run_plain_forces(void* argument, const AwakeRun* run) {
  const PlainForces* s = argument;
  plain_forces(s->m, s->d, s->spring, s->damper, run);
}

// Adds a tendon's row. sum holds spring and damper force of each dof side by side, so that one pass
// over the row serves both.
INLINE void add_row(Simd2* sum, const TendonRow* row, Simd2 force) {
  if (!row->colind) {
    for (int k = 0; k < row->n; k++) {
      sum[k] += force * row->val[k];
    }
    return;
  }
#pragma GCC unroll 4
  for (int k = 0; k < row->n; k++) {
    sum[row->colind[k]] += force * row->val[k];
  }
}

// The forces along a tendon of a model with polynomial terms: of its spring and of its damper.
// Also in model/terms.h.
static Simd2 tendon_terms(const mjModel* m, const mjData* d, int t, int spring, int damper) {
  mjtNum pull = spring ? tendon_excess(plastic_lengths(m, d, t), d->ten_length[t]) : 0;
  mjtNum speed = damper ? d->ten_velocity[t] : 0;
  return simd2(terms_stiffness(terms_tendon_spring(m, t), -pull) * pull,
               -terms_resistance(terms_tendon_damper(m, t), speed));
}

// The forces of the spring and of the damper of a tendon.
INLINE Simd2 tendon_force(const mjModel* m, const mjData* d, int t, int spring, int damper) {
  Simd2 force = {0, 0};
  if (m->cnd_has_terms) {
    return tendon_terms(m, d, t, spring, damper);
  }
  if (spring && m->tendon_stiffness[t] != 0) {
    force[0] = m->tendon_stiffness[t] * tendon_displacement(m, t, d->ten_length[t]);
  }
  if (damper && m->tendon_damping[t] != 0) {
    force[1] = -m->tendon_damping[t] * d->ten_velocity[t];
  }
  return force;
}

mjtNum passive_tendon_force(const mjModel* m, const mjData* d, int tendon) {
  int disabled = m->opt.disableflags;
  Simd2 force =
      tendon_force(m, d, tendon, !(disabled & mjDSBL_SPRING), !(disabled & mjDSBL_DAMPER));
  return force[0] + force[1];
}

// Also in lanes/dynamics/forces.h, derivative/smooth/springs.c, lanes/integrate.h and
// step/derivative.c.
static KERNEL void tendon_forces(Simd2* sum, const mjModel* m, mjData* d, int spring, int damper) {
  int asleep = awake_some_sleep(m, d);
  for (int i = 0; i < m->nv; i++) {
    sum[i] = simd2(-0.0, -0.0);  // leaves what it is added to, zeros with their sign
  }
  for (int t = 0; t < m->ntendon; t++) {
    if (asleep && tendon_sleeps(m, d, t)) {
      continue;
    }
    Simd2 force = tendon_force(m, d, t, spring, damper);
    if (force[0] != 0 || force[1] != 0) {
      TendonRow row = tendon_view(m, d, t);
      add_row(sum, &row, force);
    }
  }
  for (int k = 0; k < d->cnd_nrun; k++) {
    const AwakeRun* run = awake_run(d, k);
    for (int i = run->dof; i < run->dof_end; i++) {
      d->qfrc_spring[i] += sum[i][0];
      d->qfrc_damper[i] += sum[i][1];
    }
  }
}

static int tendons_push(const mjModel* m, int spring, int damper) {
  if (m->cnd_has_terms) {
    return 1;
  }
  for (int t = 0; t < m->ntendon; t++) {
    if ((spring && m->tendon_stiffness[t] != 0) || (damper && m->tendon_damping[t] != 0)) {
      return 1;
    }
  }
  return 0;
}

int passive_has_gravcomp(const mjModel* m) {
  return m->ngravcomp > 0 && !(m->opt.disableflags & mjDSBL_GRAVITY) &&
         v3_norm(m->opt.gravity) != 0;
}

// Lifts every body at its com by the fraction gravcomp of its weight.
// Also in lanes/dynamics/forces.h and derivative/smooth/passive.c.
static void gravity_compensation(const mjModel* m, mjData* d, const AwakeRun* run) {
  const mjtNum zero[3] = {0, 0, 0};
  for (int i = int_max(1, run->body); i < run->body_end; i++) {
    if (m->body_gravcomp[i] != 0) {
      mjtNum force[3];
      v3_scl(force, m->opt.gravity, -m->body_mass[i] * m->body_gravcomp[i]);
      jac_add_force(d->qfrc_gravcomp, m, d, force, zero, d->xipos + 3 * i, i);
    }
  }
}

// Adds a part of the passive forces.
static void add_passive(mjData* d, const mjtNum* part) {
  for (int k = 0; k < d->cnd_nrun; k++) {
    const AwakeRun* run = awake_run(d, k);
    axpy_n(d->qfrc_passive + run->dof, part + run->dof, 1, run->dof_end - run->dof);
  }
}

// qfrc_passive = qfrc_spring + qfrc_damper + qfrc_fluid + qfrc_adhesion
//                + qfrc_gravcomp (of joints without actuator gravity compensation)
void mj_passive(const mjModel* m, mjData* d) {
  check_pair(m, d);
  int nv = m->nv;
  int spring = !(m->opt.disableflags & mjDSBL_SPRING);
  int damper = !(m->opt.disableflags & mjDSBL_DAMPER);

  runs_share(m, d, run_plain_forces, &(PlainForces){m, d, spring, damper});
  if (m->nflex && (spring || damper)) {
    flex_forces(m, d, spring, damper);
    flex_contact_forces(d->qfrc_spring, m, d);
  }
  if (nv && m->ntendon && tendons_push(m, spring, damper)) {
    size_t top = arena_top(d);
    Simd2* sum = arena_take(d, nv * sizeof(Simd2), _Alignof(Simd2));
    tendon_forces(sum, m, d, spring, damper);
    arena_pop(d, top);
  }
  for (int k = 0; k < d->cnd_nrun; k++) {
    const AwakeRun* run = awake_run(d, k);
    for (int i = run->dof; i < run->dof_end; i++) {
      d->qfrc_passive[i] = d->qfrc_spring[i] + d->qfrc_damper[i];
    }
  }
  if (m->flg_adhesion) {
    mju_zero(d->qfrc_adhesion, nv);
  }
  if (!spring && !damper) {
    return;
  }

  if (fluid_is_active(m)) {
    fluid_forces(m, d);
    add_passive(d, d->qfrc_fluid);
  }

  if (m->flg_adhesion) {
    adhesion_forces(m, d);
    add_passive(d, d->qfrc_adhesion);
  }

  // the compensation of dofs with jnt_actgravcomp is added in mj_fwdActuation
  if (passive_has_gravcomp(m)) {
    for (int k = 0; k < d->cnd_nrun; k++) {
      const AwakeRun* run = awake_run(d, k);
      gravity_compensation(m, d, run);
      for (int i = run->dof; i < run->dof_end; i++) {
        if (!m->jnt_actgravcomp[m->dof_jntid[i]]) {
          d->qfrc_passive[i] += d->qfrc_gravcomp[i];
        }
      }
    }
  }

  if (mjcb_passive) {
    mjcb_passive(m, d);
  }
  if (m->nplugin) {
    plugin_compute(m, d, mjPLUGIN_PASSIVE);
  }
}
