// Potential and kinetic energy of rigid bodies and springs.      theory/smooth/inertia.md, Energies
//
//   potential = - sum m gravity . xipos + 1/2 sum k |displacement|^2
//   kinetic   = 1/2 qvel' M qvel
//
// Gravity compensation, fluids, actuators and contacts have no part in it.

#include <mujoco/api/base.h>
#include <mujoco/api/smooth.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "base/joint.h"
#include "model/checks/pair.h"
#include "model/plastic.h"
#include "model/terms.h"
#include "smooth/flex/flex.h"
#include "smooth/inertia.h"
#include "smooth/passive.h"
#include "smooth/tendon.h"

// gravity . sum m xipos; the 12 coordinates of four bodies are three vectors of four
static KERNEL mjtNum weighted_height(const mjModel* m, const mjData* d) {
  const mjtNum* g = m->opt.gravity;
  const mjtNum* mass = m->body_mass;
  const mjtNum* xipos = d->xipos;
  Simd4 sum[3] = {0};
  mjtNum rest[3] = {0};
  int i = 0, n = m->nbody;
  for (; i + 4 <= n; i += 4) {
    Simd4 masses[3];
    simd4_repeat3(masses, mass + i);
    for (int k = 0; k < 3; k++) {
      sum[k] += masses[k] * SIMD_READ(Simd4, xipos + 3 * i + 4 * k);
    }
  }
  for (; i < n; i++) {
    v3_addtoscl(rest, xipos + 3 * i, mass[i]);
  }
  Simd4 moment = sum[0] * (Simd4){g[0], g[1], g[2], g[0]} +
                 sum[1] * (Simd4){g[1], g[2], g[0], g[1]} +
                 sum[2] * (Simd4){g[2], g[0], g[1], g[2]};
  return v3_dot(g, rest) + (moment[0] + moment[1]) + (moment[2] + moment[3]);
}

// Spring energies k angle^2 of ball joints, evaluated four at a time. For a displacement q = (w, v)
// and f(t), t = 1 - |w| / |q| (base/algebra/rotation.h):
//
//   k angle^2 = weight f(t)^2,    weight = 4 k v . v / |q|^2
typedef struct {
  mjtNum t[4], weight[4];
  int n;
} Balls;

INLINE void balls_evaluate(mjtNum* energy, Balls* balls) {
  Simd4 f;
  angles_over_sines(&f, &SIMD_READ(Simd4, balls->t));
  f *= f * SIMD_READ(Simd4, balls->weight);
  *energy += (f[0] + f[1]) + (f[2] + f[3]);
  SIMD_AT(Simd4, balls->weight) = (Simd4){0};
  balls->n = 0;
}

INLINE void balls_add(Balls* balls, mjtNum stiffness, const mjtNum q[4]) {
  mjtNum inverse = inverse_root(q_square(q));
  int k = balls->n++;
  balls->t[k] = 1 - mju_abs(q[0]) * inverse;
  balls->weight[k] = 4 * stiffness * inverse * inverse * v3_dot(q + 1, q + 1);
}

// Also joint_springs in smooth/passive.c.
static KERNEL mjtNum joint_springs(const mjModel* m, const mjData* d) {
  Balls balls = {0};
  mjtNum energy = 0, ball_energy = 0;
  for (int j = 0; j < m->njnt; j++) {
    mjtNum stiffness = m->jnt_stiffness[j], square = 0, displacement[4];
    const mjtNum* q = d->qpos + m->jnt_qposadr[j];
    const mjtNum* rest = m->qpos_spring + m->jnt_qposadr[j];
    int type = m->jnt_type[j], n = joint_scalars(type);
    if (stiffness == 0) {
      continue;
    }
    for (int k = 0; k < n; k++) {
      square += num_square(q[k] - rest[k]);
    }
    energy += stiffness * square;
    if (joint_has_quat(type)) {
      passive_difference(displacement, q + n, rest + n);
      balls_add(&balls, stiffness, displacement);
    }
    if (balls.n == 4) {
      balls_evaluate(&ball_energy, &balls);
    }
  }
  if (balls.n) {
    balls_evaluate(&ball_energy, &balls);
  }
  return (energy + ball_energy) / 2;
}

// The same of models with polynomial terms, of tendons too. Also in model/terms.h.
static mjtNum spring_terms(const mjModel* m, const mjData* d) {
  mjtNum energy = 0, displacement[3];
  for (int j = 0; j < m->njnt; j++) {
    Terms k = terms_joint_spring(m, j);
    const mjtNum* q = d->qpos + m->jnt_qposadr[j];
    const mjtNum* rest = plastic_rest(m, d, j);
    int type = m->jnt_type[j], n = joint_scalars(type);
    mju_sub(displacement, q, rest, n);
    energy += terms_energy(k, n == 1 ? displacement[0] : mju_norm(displacement, n));
    if (joint_has_quat(type)) {
      passive_turn(displacement, q + n, rest + n);
      energy += terms_energy(k, v3_norm(displacement));
    }
  }
  for (int t = 0; t < m->ntendon; t++) {
    mjtNum pull = tendon_excess(plastic_lengths(m, d, t), d->ten_length[t]);
    energy += terms_energy(terms_tendon_spring(m, t), -pull);
  }
  return energy;
}

// - sum m g . x + sum of 1/2 k displacement^2 over springs
// Also sense_potential in derivative/sensor/sensors.c.
void mj_energyPos(const mjModel* m, mjData* d) {
  check_pair(m, d);
  mjtNum energy = 0;
  if (!(m->opt.disableflags & mjDSBL_GRAVITY)) {
    energy -= weighted_height(m, d);
  }
  if (!(m->opt.disableflags & mjDSBL_SPRING)) {
    energy += m->cnd_has_terms ? spring_terms(m, d) : joint_springs(m, d);
    energy += flex_energy(m, d);
    for (int t = 0; t < m->ntendon && !m->cnd_has_terms; t++) {
      if (m->tendon_stiffness[t] != 0) {
        mjtNum displacement = tendon_displacement(m, t, d->ten_length[t]);
        energy += m->tendon_stiffness[t] * num_square(displacement) / 2;
      }
    }
  }
  d->energy[0] = energy;
  d->flg_energypos = 1;
}

// 1/2 v' M v
void mj_energyVel(const mjModel* m, mjData* d) {
  check_pair(m, d);
  d->energy[1] = inertia_square(m, d->M, d->qvel) / 2;
  d->flg_energyvel = 1;
}
