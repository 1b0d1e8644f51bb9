#include <string.h>

#include "base/vec.h"
#include "smooth/fluid.h"
#include "smooth/jacobian.h"
#include "smooth/passive.h"
#include "smooth/tendon.h"

// Forces that depend on position and velocity only: springs, dampers, lift against gravity, fluids.
//                                                                                spec 04, section 9

int passive_displacement(mjtNum out[6], const mjModel* m, const mjData* d, int joint) {
  const mjtNum* q = d->qpos + m->jnt_qposadr[joint];
  const mjtNum* rest = m->qpos_spring + m->jnt_qposadr[joint];
  mjtNum unit[4];
  int n = m->jnt_type[joint] == mjJNT_FREE ? 3 : 0;
  if (n) {
    v3_sub(out, q, rest);
  }
  q_copy(unit, q + n);
  q_normalize(unit);
  mju_subQuat(out + n, unit, rest + n);
  return n + 3;
}

static void springs(const mjModel* m, mjData* d) {
  for (int j = 0; j < m->njnt; j++) {
    mjtNum stiffness = m->jnt_stiffness[j], displacement[6];
    if (stiffness == 0) {
      continue;
    }
    mjtNum* force = d->qfrc_spring + m->jnt_dofadr[j];
    if (m->jnt_type[j] == mjJNT_HINGE || m->jnt_type[j] == mjJNT_SLIDE) {
      int adr = m->jnt_qposadr[j];
      force[0] = -stiffness * (d->qpos[adr] - m->qpos_spring[adr]);
      continue;
    }
    int n = passive_displacement(displacement, m, d, j);
    for (int i = 0; i < n; i++) {
      force[i] = -stiffness * displacement[i];
    }
  }
  for (int t = 0; t < m->ntendon; t++) {
    mjtNum force = m->tendon_stiffness[t];
    if (force != 0) {
      force *= tendon_stretch(m, t, d->ten_length[t]);
    }
    if (force != 0) {
      TendonRow row = tendon_view(m, d, t);
      tendon_addTo(d->qfrc_spring, &row, force);
    }
  }
}

static void dampers(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->nv; i++) {
    d->qfrc_damper[i] = -m->dof_damping[i] * d->qvel[i];
  }
  for (int t = 0; t < m->ntendon; t++) {
    if (m->tendon_damping[t] != 0) {
      TendonRow row = tendon_view(m, d, t);
      tendon_addTo(d->qfrc_damper, &row, -m->tendon_damping[t] * d->ten_velocity[t]);
    }
  }
}

int passive_hasGravcomp(const mjModel* m) {
  return m->ngravcomp > 0 && !(m->opt.disableflags & mjDSBL_GRAVITY) &&
         v3_norm(m->opt.gravity) != 0;
}

// every body with a gravcomp factor is lifted at its com by that fraction of its weight
static void gravity_compensation(const mjModel* m, mjData* d) {
  const mjtNum zero[3] = {0, 0, 0};
  for (int i = 1; i < m->nbody; i++) {
    if (m->body_gravcomp[i] != 0) {
      mjtNum force[3];
      v3_scl(force, m->opt.gravity, -m->body_mass[i] * m->body_gravcomp[i]);
      jac_addForce(d->qfrc_gravcomp, m, d, force, zero, d->xipos + 3 * i, i);
    }
  }
}

static void add_all(mjtNum* out, const mjtNum* in, int n) {
  for (int i = 0; i < n; i++) {
    out[i] += in[i];
  }
}

void mj_passive(const mjModel* m, mjData* d) {
  int nv = m->nv;
  size_t bytes = nv * sizeof(mjtNum);
  int spring = !(m->opt.disableflags & mjDSBL_SPRING);
  int damper = !(m->opt.disableflags & mjDSBL_DAMPER);

  memset(d->qfrc_spring, 0, bytes);
  memset(d->qfrc_damper, 0, bytes);
  memset(d->qfrc_gravcomp, 0, bytes);
  memset(d->qfrc_fluid, 0, bytes);
  memset(d->qfrc_passive, 0, bytes);
  if (!spring && !damper) {
    return;
  }

  if (spring) {
    springs(m, d);
    add_all(d->qfrc_passive, d->qfrc_spring, nv);
  }
  if (damper) {
    dampers(m, d);
    add_all(d->qfrc_passive, d->qfrc_damper, nv);
  }
  if (fluid_isActive(m)) {
    fluid_forces(m, d);
    add_all(d->qfrc_passive, d->qfrc_fluid, nv);
  }

  // dofs whose compensation is the actuators' business get it in mj_fwdActuation
  if (passive_hasGravcomp(m)) {
    gravity_compensation(m, d);
    for (int i = 0; i < nv; i++) {
      if (!m->jnt_actgravcomp[m->dof_jntid[i]]) {
        d->qfrc_passive[i] += d->qfrc_gravcomp[i];
      }
    }
  }

  if (mjcb_passive) {
    mjcb_passive(m, d);
  }
}
