// force_differences.h: derivatives of generalized forces against differences of the engine's own.

#ifndef CONDYLE_TESTS_DERIVATIVE_SMOOTH_FORCE_DIFFERENCES_H_
#define CONDYLE_TESTS_DERIVATIVE_SMOOTH_FORCE_DIFFERENCES_H_

#include "derivative/scene.h"
#include "derivative/smooth/forces.h"

// Computes a force of nv numbers at the state of d; `of` is the test's own.
typedef PositionFunction ForceFunction;

enum {
  BY_VELOCITY,
  BY_ACTIVATION,
  BY_CONTROL
};

typedef struct {
  Scene* s;
  ForceFunction* f;
  void* of;
  int kind;
} Forced;

static inline void force_at(mjtNum* y, const mjtNum* x, void* of) {
  const Forced* forced = of;
  mjData* d = scene_with(forced->s, forced->kind, x);
  forced->f(y, forced->s->m, d, forced->of);
  mj_deleteData(d);
}

// Everything in F against differences of f.
static inline void check_jacobian(Scene* s, const ForceJacobian* F, ForceFunction* f, void* of,
                                  double tolerance) {
  int nv = s->nv, n[3] = {nv, s->m->na, s->m->nu};
  const mjtNum* input[3] = {s->d->qvel, s->d->act, s->d->ctrl};
  const mjtNum* part[3] = {F->v, F->act, F->ctrl};
  mjtNum* J = scene_zeros(s, nv * nv);
  differences_by_dofs(J, f, of, s->m, s->d, nv, (mjtNum)1e-4);
  assert_numbers(F->q, J, nv * nv, tolerance, largest_of(J, nv * nv) + 1e-3);
  for (int kind = 0; kind < 3; kind++) {
    Forced forced = {s, f, of, kind};
    if (n[kind]) {
      J = scene_zeros(s, nv * n[kind]);
      differences(J, force_at, &forced, input[kind], nv, n[kind], (mjtNum)1e-4);
      assert_numbers(part[kind], J, nv * n[kind], tolerance, largest_of(J, nv * n[kind]) + 1e-3);
    }
  }
}

// What forces of the engine need.
static inline void update_velocities(const mjModel* m, mjData* d) {
  mj_fwdPosition(m, d);
  mj_fwdVelocity(m, d);
}

#endif  // CONDYLE_TESTS_DERIVATIVE_SMOOTH_FORCE_DIFFERENCES_H_
