// Accelerations that integrators make of those of forward dynamics, against differences.

#include "derivative/discrete.h"

#include "derivative/scene.h"

static const ForceParts kAll = {1, 1, NULL, "test"};

static Scene integrated_scene(int integrator) {
  Scene s = scene_make(ZOO_XML, 0.3);
  s.m->opt.integrator = integrator;
  mj_forward(s.m, s.d);
  return s;
}

// (velocity after a step - velocity) / h
static void step_acceleration(mjtNum* y, const mjModel* m, mjData* d, void* of) {
  (void)of;
  mjtNum* before = malloc((size_t)m->nv * sizeof(mjtNum));
  mju_copy(before, d->qvel, m->nv);
  mj_step(m, d);
  mju_sub(y, d->qvel, before, m->nv);
  mju_scl(y, y, 1 / m->opt.timestep, m->nv);
  free(before);
}

static void by_velocity(mjtNum* y, const mjtNum* v, void* of) {
  const Scene* s = of;
  mjData* d = data_like(s->m, s->d);
  mju_copy(d->qvel, v, s->nv);
  step_acceleration(y, s->m, d, NULL);
  mj_deleteData(d);
}

TEST(accelerations_of_integrators_change_as_differences_say) {
  DOUBLE_ONLY();
  static const int kinds[3] = {mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST};
  for (int i = 0; i < 3; i++) {
    Scene s = integrated_scene(kinds[i]);
    int nv = s.nv;
    StateColumns c = state_columns(s.m);
    mjtNum *q = scene_zeros(&s, nv * nv), *v = scene_zeros(&s, nv * nv), *a0 = scene_zeros(&s, nv);
    by_velocity(a0, s.d->qvel, &s);
    differences_by_dofs(q, step_acceleration, NULL, s.m, s.d, nv, (mjtNum)1e-4);
    differences(v, by_velocity, &s, s.d->qvel, nv, nv, (mjtNum)1e-4);
    assert_false(discrete_is_plain(s.m));
    System system = system_make(s.m, s.d, s.d->qacc, kAll);
    mjtNum* dx = system_solve(&system, c);
    const mjtNum* a = discrete_acceleration(dx, &system, c);
    assert_numbers(a, a0, nv, 1e-9, largest_of(a0, nv));
    for (int r = 0; r < nv; r++) {
      assert_numbers(dx + r * c.ld + c.q, q + r * nv, nv, 1e-6, largest_of(q, nv * nv));
      assert_numbers(dx + r * c.ld + c.v, v + r * nv, nv, 1e-6, largest_of(v, nv * nv));
    }
    scene_free(&s);
  }
}

// A = M - h Q
TEST(matrices_of_an_integrator_belong_together) {
  DOUBLE_ONLY();
  static const int kinds[3] = {mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST};
  for (int i = 0; i < 3; i++) {
    Scene s = integrated_scene(kinds[i]);
    int n = s.nv * s.nv;
    mjtNum* A = scene_zeros(&s, n);
    DiscreteMatrices at = discrete_matrices(s.m, s.d);
    mj_fullM(s.m, A, s.d->qM);
    mju_addToScl(A, at.Q, -s.m->opt.timestep, n);
    assert_numbers(at.A, A, n, 1e-12, largest_of(A, n));
    assert_that(largest_of(at.Q, n), >, 0);
    scene_free(&s);
  }
}

TEST(euler_without_damping_takes_accelerations_as_they_are) {
  Scene s = integrated_scene(mjINT_EULER);
  s.m->opt.disableflags |= mjDSBL_EULERDAMP;
  assert_true(discrete_is_plain(s.m));
  StateColumns c = state_columns(s.m);
  System system = system_make(s.m, s.d, s.d->qacc, kAll);
  mjtNum* dx = scene_numbers(&s, s.nv * c.ld, 3);
  mjtNum* before = scene_zeros(&s, s.nv * c.ld);
  mju_copy(before, dx, s.nv * c.ld);
  assert_ptr_equal(discrete_acceleration(dx, &system, c), s.d->qacc);
  assert_close(dx, before, s.nv * c.ld, 0);
  scene_free(&s);
}
