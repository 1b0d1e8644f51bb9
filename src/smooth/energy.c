#include "base/vec.h"
#include "smooth/inertia.h"
#include "smooth/passive.h"
#include "smooth/tendon.h"

// Potential and kinetic energy of rigid bodies and springs.                    spec 04, section 1.6
//
//   potential = - sum m gravity . xipos + 1/2 sum k |displacement|^2
//   kinetic   = 1/2 qvel' M qvel
//
// Gravity compensation, fluids, actuators and contacts have no part in it.

static inline mjtNum squared(mjtNum x) {
  return x * x;
}

void mj_energyPos(const mjModel* m, mjData* d) {
  mjtNum energy = 0;
  if (!(m->opt.disableflags & mjDSBL_GRAVITY)) {
    for (int i = 1; i < m->nbody; i++) {
      energy -= m->body_mass[i] * v3_dot(m->opt.gravity, d->xipos + 3 * i);
    }
  }
  if (!(m->opt.disableflags & mjDSBL_SPRING)) {
    for (int j = 0; j < m->njnt; j++) {
      mjtNum stiffness = m->jnt_stiffness[j], displacement[6], sum = 0;
      if (stiffness == 0) {
        continue;
      }
      if (m->jnt_type[j] == mjJNT_HINGE || m->jnt_type[j] == mjJNT_SLIDE) {
        int adr = m->jnt_qposadr[j];
        energy += stiffness * squared(d->qpos[adr] - m->qpos_spring[adr]) / 2;
        continue;
      }
      int n = passive_displacement(displacement, m, d, j);
      for (int i = 0; i < n; i++) {
        sum += squared(displacement[i]);
      }
      energy += stiffness * sum / 2;
    }
    for (int t = 0; t < m->ntendon; t++) {
      if (m->tendon_stiffness[t] != 0) {
        mjtNum stretch = tendon_stretch(m, t, d->ten_length[t]);
        energy += m->tendon_stiffness[t] * squared(stretch) / 2;
      }
    }
  }
  d->energy[0] = energy;
}

void mj_energyVel(const mjModel* m, mjData* d) {
  mj_markStack(d);
  mjtNum* momentum = mj_stackAllocNum(d, m->nv);
  inertia_mul(momentum, m, d->M, d->qvel);
  mjtNum sum = 0;
  for (int i = 0; i < m->nv; i++) {
    sum += momentum[i] * d->qvel[i];
  }
  d->energy[1] = sum / 2;
  mj_freeStack(d);
}
