#include "base/target.h"
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

// gravity . sum m xipos; bodies by turns in two sums, neither of which waits for the other
static KERNEL mjtNum weighted_height(const mjModel* m, const mjData* d) {
  mjtNum even[3] = {0}, odd[3] = {0};
  int i = 1;
  for (; i + 1 < m->nbody; i += 2) {
    v3_addtoscl(odd, d->xipos + 3 * i, m->body_mass[i]);
    v3_addtoscl(even, d->xipos + 3 * i + 3, m->body_mass[i + 1]);
  }
  if (i < m->nbody) {
    v3_addtoscl(odd, d->xipos + 3 * i, m->body_mass[i]);
  }
  v3_addto(even, odd);
  return v3_dot(m->opt.gravity, even);
}

static KERNEL mjtNum joint_springs(const mjModel* m, const mjData* d) {
  mjtNum energy = 0;
  for (int j = 0; j < m->njnt; j++) {
    mjtNum stiffness = m->jnt_stiffness[j], away[3], sum = 0;
    const mjtNum* q = d->qpos + m->jnt_qposadr[j];
    const mjtNum* rest = m->qpos_spring + m->jnt_qposadr[j];
    int type = m->jnt_type[j];
    if (stiffness == 0) {
      continue;
    }
    if (type == mjJNT_HINGE || type == mjJNT_SLIDE) {
      energy += stiffness * squared(*q - *rest);
      continue;
    }
    if (type == mjJNT_FREE) {
      v3_sub(away, q, rest);
      sum = v3_dot(away, away);
      q += 3;
      rest += 3;
    }
    passive_turn(away, q, rest);
    energy += stiffness * (sum + v3_dot(away, away));
  }
  return energy / 2;
}

void mj_energyPos(const mjModel* m, mjData* d) {
  mjtNum energy = 0;
  if (!(m->opt.disableflags & mjDSBL_GRAVITY)) {
    energy -= weighted_height(m, d);
  }
  if (!(m->opt.disableflags & mjDSBL_SPRING)) {
    energy += joint_springs(m, d);
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
  d->energy[1] = inertia_square(m, d->M, d->qvel) / 2;
}
