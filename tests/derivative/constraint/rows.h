// rows.h: derivatives of the forces of a few rows against differences of what the engine makes.
//
//   F(q, v, x) = J' f    with f the forces of all rows at constant accelerations x
//
// A scene has nothing but rows of the file that is tested.

#pragma once

#include "constraint/law/law.h"
#include "derivative/constraint/row_law.h"
#include "derivative/scene.h"
#include "derivative/tree/coupling.h"
#include "derivative/tree/vjp.h"

enum {
  MOST_ROWS = 200
};

// F of the positions and velocities of d at the accelerations `of`.
static inline void rows_force(mjtNum* y, const mjModel* m, mjData* d, void* of) {
  mjtNum f[MOST_ROWS], Jx[MOST_ROWS];
  int zone[MOST_ROWS];
  update_positions(m, d);
  mj_flex(m, d);
  mj_tendon(m, d);
  mj_collision(m, d);
  mj_makeConstraint(m, d);
  mj_referenceConstraint(m, d);
  assert_in_range(d->nefc, 1, MOST_ROWS);
  Rows rows = rows_whole(m, d);
  mj_mulJacVec(m, d, Jx, of);
  mju_subFrom(Jx, d->efc_aref, d->nefc);
  law_cost(f, zone, &rows, Jx, 0);
  mj_mulJacTVec(m, d, y, f);
}

// The scene, and one of its inputs that is moved.
typedef struct {
  Scene* s;
  const mjtNum* x;
} RowsOf;

static inline void rows_by_velocity(mjtNum* y, const mjtNum* v, void* of) {
  const RowsOf* rows = of;
  mjData* d = data_like(rows->s->m, rows->s->d);
  mju_copy(d->qvel, v, rows->s->nv);
  rows_force(y, rows->s->m, d, (void*)(uintptr_t)rows->x);
  mj_deleteData(d);
}

static inline void rows_by_acceleration(mjtNum* y, const mjtNum* x, void* of) {
  const RowsOf* rows = of;
  mjData* d = data_like(rows->s->m, rows->s->d);
  rows_force(y, rows->s->m, d, (void*)(uintptr_t)x);
  mj_deleteData(d);
}

// What is tested: adds all rows of the scene.
typedef void AddPartials(Couplings* of, Load* loads, const RowLaw* law);
typedef void AddVjp(ConstraintVjp* of);

// Accelerations near those of the state, so that rows stay in their zones.
static inline mjtNum* near_accelerations(const Scene* s) {
  mjtNum* x = scene_numbers(s, s->nv, 9);
  for (int i = 0; i < s->nv; i++) {
    x[i] = s->d->qacc[i] + (mjtNum)0.05 * x[i] * (1 + mju_abs(s->d->qacc[i]));
  }
  return x;
}

// F_q, F_v and H = -F_x by differences, on the stack of the scene.
static inline void rows_differences(mjtNum* out[3], Scene* s, const mjtNum* x) {
  int nv = s->nv;
  RowsOf rows = {s, x};
  for (int i = 0; i < 3; i++) {
    out[i] = scene_zeros(s, nv * nv);
  }
  differences_by_dofs(out[0], rows_force, (void*)(uintptr_t)x, s->m, s->d, nv, (mjtNum)1e-5);
  differences(out[1], rows_by_velocity, &rows, s->d->qvel, nv, nv, (mjtNum)1e-4);
  differences(out[2], rows_by_acceleration, &rows, x, nv, nv, (mjtNum)1e-3);
  mju_scl(out[2], out[2], -1, nv * nv);
}

// The matrices; H is the same alone.
static inline void check_partials(Scene* s, AddPartials* add, double tolerance) {
  int n = s->nv * s->nv, any = 0;
  const mjtNum* x = near_accelerations(s);
  mjtNum *F[3], *expected[3], *H = scene_zeros(s, n);
  rows_differences(expected, s, x);
  for (int i = 0; i < 3; i++) {
    F[i] = scene_zeros(s, n);
  }
  RowLaw law = row_law_make(s->m, s->d, x);
  Load* loads = loads_make(s->m, s->d);
  Couplings of = couplings_make(s->m, s->d, x, F[0], F[1], F[2]);
  Couplings stiffness = couplings_make(s->m, s->d, x, NULL, NULL, H);
  add(&of, loads, &law);
  couplings_finish(&of);
  loads_derivative(F[0], s->m, s->d, loads, 1);
  add(&stiffness, NULL, &law);
  couplings_finish(&stiffness);
  for (int i = 0; i < 3; i++) {
    double size = largest_of(expected[i], n);
    any |= size > 1e-3;
    assert_numbers(F[i], expected[i], n, tolerance, size + 1e-9);
  }
  assert_true(any);
  assert_numbers(H, F[2], n, 1e-12, largest_of(F[2], n) + 1e-9);
}

// F_q' lambda, F_v' lambda and F_x' lambda.
static inline void check_vjp(Scene* s, AddVjp* add, double tolerance) {
  int nv = s->nv, n = nv * nv;
  const mjtNum *x = near_accelerations(s), *lambda = scene_numbers(s, nv, 4);
  mjtNum *expected[3], *rate[3], *product = scene_zeros(s, nv);
  rows_differences(expected, s, x);
  for (int i = 0; i < 3; i++) {
    rate[i] = scene_zeros(s, nv);
  }
  RowLaw law = row_law_make(s->m, s->d, x);
  ConstraintVjp of = vjp_make(s->m, s->d, &law, x, lambda, rate[0], rate[1], rate[2]);
  add(&of);
  vjp_finish(&of);
  for (int i = 0; i < 3; i++) {
    mju_mulMatTVec(product, expected[i], lambda, nv, nv);
    mju_scl(product, product, i == 2 ? -1 : 1, nv);
    assert_numbers(rate[i], product, nv, tolerance, largest_of(expected[i], n) + 1e-9);
  }
}
