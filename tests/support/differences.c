// differences.c: central differences of two widths, combined to the fourth order.

#include "support/differences.h"

#include <stdlib.h>

void differences(mjtNum* J, VectorFunction* f, void* of, const mjtNum* x, int ny, int nx,
                 mjtNum h) {
  const mjtNum step[4] = {h, -h, h / 2, -h / 2};
  mjtNum* moved = malloc((size_t)(nx + 4 * ny) * sizeof(mjtNum));
  mjtNum* y = moved + nx;
  mju_copy(moved, x, nx);
  for (int j = 0; j < nx; j++) {
    for (int k = 0; k < 4; k++) {
      moved[j] = x[j] + step[k];
      f(y + k * ny, moved, of);
    }
    moved[j] = x[j];
    for (int i = 0; i < ny; i++) {
      mjtNum wide = (y[i] - y[ny + i]) / (2 * h), narrow = (y[2 * ny + i] - y[3 * ny + i]) / h;
      J[i * nx + j] = (4 * narrow - wide) / 3;
    }
  }
  free(moved);
}

static void take_state(mjData* to, const mjModel* m, const mjData* d) {
  mjtNum* state = malloc((size_t)mj_stateSize(m, mjSTATE_INTEGRATION) * sizeof(mjtNum));
  mj_getState(m, d, state, mjSTATE_INTEGRATION);
  mj_setState(m, to, state, mjSTATE_INTEGRATION);
  mju_copy(to->qacc, d->qacc, m->nv);
  free(state);
}

mjData* data_like(const mjModel* m, const mjData* d) {
  mjData* copy = mj_makeData(m);
  take_state(copy, m, d);
  return copy;
}

// A function of positions as one of steps along the dofs.
typedef struct Moved_ {
  PositionFunction* f;
  void* of;
  const mjModel* m;
  const mjData* d;
  mjData* work;
} Moved;

static void at_moved(mjtNum* y, const mjtNum* x, void* of) {
  const Moved* moved = of;
  take_state(moved->work, moved->m, moved->d);
  mj_integratePos(moved->m, moved->work->qpos, x, 1);
  moved->f(y, moved->m, moved->work, moved->of);
}

void differences_by_dofs(mjtNum* J, PositionFunction* f, void* of, const mjModel* m,
                         const mjData* d, int ny, mjtNum h) {
  Moved moved = {f, of, m, d, data_like(m, d)};
  mjtNum* zero = calloc((size_t)m->nv + 1, sizeof(mjtNum));
  differences(J, at_moved, &moved, zero, ny, m->nv, h);
  free(zero);
  mj_deleteData(moved.work);
}
