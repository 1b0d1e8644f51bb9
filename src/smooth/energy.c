#include "base/vec.h"
#include "smooth/inertia.h"
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

// squared displacement of a joint from its spring's rest
static mjtNum joint_displacement2(const mjModel* m, const mjData* d, int joint) {
  const mjtNum* q = d->qpos + m->jnt_qposadr[joint];
  const mjtNum* rest = m->qpos_spring + m->jnt_qposadr[joint];
  mjtNum sum = 0, t[3], unit[4];

  switch (m->jnt_type[joint]) {
    case mjJNT_FREE:
      v3_sub(t, q, rest);
      sum = v3_dot(t, t);
      q += 3;
      rest += 3;
      break;
    case mjJNT_BALL:
      break;
    default:
      return squared(*q - *rest);
  }
  q_copy(unit, q);
  q_normalize(unit);
  mju_subQuat(t, unit, rest);
  return sum + v3_dot(t, t);
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
      if (m->jnt_stiffness[j] != 0) {
        energy += m->jnt_stiffness[j] * joint_displacement2(m, d, j) / 2;
      }
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
