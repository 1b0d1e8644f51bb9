// mass.c: the total mass of a model, without the world body, and scaling bodies to a given total.

#include <mujoco/api/model.h>

#include "base/algebra/vec.h"
#include "base/memory/check.h"

mjtNum mj_getTotalmass(const mjModel* m) {
  check_given(m);
  mjtNum total = 0;
  for (int i = 1; i < m->nbody; i++) {
    total += m->body_mass[i];
  }
  return total;
}

void mj_setTotalmass(mjModel* m, mjtNum newmass) {
  check_given(m);
  mjtNum scale = num_max(mjMINVAL, newmass / num_max(mjMINVAL, mj_getTotalmass(m)));
  for (int i = 1; i < m->nbody; i++) {
    m->body_mass[i] *= scale;
    v3_scl(m->body_inertia + 3 * i, m->body_inertia + 3 * i, scale);
  }
}
