// force_differences.h: derivatives of generalized forces against differences of the engine's own.

#pragma once

#include "derivative/scene.h"
#include "derivative/smooth/forces.h"

// Computes a force of nv numbers at the state of d; `of` is the test's own.
typedef PositionFunction ForceFunction;

// Everything in F against differences of f.
static inline void check_jacobian(Scene* s, const ForceJacobian* F, ForceFunction* f, void* of,
                                  double tolerance) {
  const mjtNum* part[NFORWARD] = {F->q, F->v, F->act, F->ctrl};
  for (int by = 0; by < NFORWARD; by++) {
    int n = s->nv * scene_input(s->m, s->d, by).n;
    if (n) {
      const mjtNum* J = scene_differences(s, f, of, s->nv, by);
      assert_numbers(part[by], J, n, tolerance, largest_of(J, n) + 1e-3);
    }
  }
}

// What forces of the engine need.
static inline void update_velocities(const mjModel* m, mjData* d) {
  mj_fwdPosition(m, d);
  mj_fwdVelocity(m, d);
}
