// The rests of springs before they yield.

#include "model/plastic.h"

#include <math.h>
#include <mujoco/api/base.h>

#include "base/memory/memory.h"
#include "model/flex/rod.h"

// 6 per cell of a cage, else one per edge of each element.
mjtSize plastic_flex_stretch(const mjModel* m, int flex) {
  const int* count = m->flex_cellnum + 3 * (size_t)flex;
  if (!(m->flex_plasticmode[flex] & PLASTIC_STRETCH)) {
    return 0;
  }
  return m->flex_interp[flex] ? 6 * (mjtSize)count[0] * count[1] * count[2]
                              : (m->flex_dim[flex] == 2 ? 3 : 6) * (mjtSize)m->flex_elemnum[flex];
}

mjtSize plastic_flex_numbers(const mjModel* m, int flex) {
  if (m->flex_dim[flex] == 1) {
    return rod_state(m->flex_edgenum[flex]);
  }
  int bends = m->flex_plasticmode[flex] & PLASTIC_BEND;
  return plastic_flex_stretch(m, flex) + (bends ? (mjtSize)m->flex_edgenum[flex] : 0);
}

void plastic_reset(mjtNum* plastic, const mjModel* m) {
  for (int i = 0; i < m->njnt; i++) {
    if (m->jnt_plasticadr[i] >= 0) {
      mju_copy(plastic + m->jnt_plasticadr[i], m->qpos_spring + m->jnt_qposadr[i],
               plastic_numbers(m->jnt_type[i]));
    }
  }
  for (int i = 0; i < m->ntendon; i++) {
    if (m->tendon_plasticadr[i] >= 0) {
      mju_copy(plastic + m->tendon_plasticadr[i], m->tendon_lengthspring + 2 * i, PLASTIC_LENGTHS);
    }
  }
}

void plastic_fill_keys(mjModel* m) {
  size_t n = (size_t)m->nplastic;
  if (!n || !m->nkey) {
    return;
  }
  mjtNum* rest = heap_take(n * sizeof(mjtNum));
  mju_zero(rest, (int)n);
  plastic_reset(rest, m);
  for (size_t i = 0; i < n * (size_t)m->nkey; i++) {
    if (isnan(m->key_plastic[i])) {
      m->key_plastic[i] = rest[i % n];
    }
  }
  heap_free(rest);
  for (int k = 0; k < m->nkey * m->njnt; k++) {
    int joint = k % m->njnt, adr = m->jnt_plasticadr[joint];
    if (adr >= 0 && m->jnt_type[joint] == mjJNT_BALL) {
      mju_normalize4(m->key_plastic + n * (size_t)(k / m->njnt) + adr);
    }
  }
}
