// How accelerations change with the state and the controls, against differences of them.

#include "derivative/system.h"

#include "derivative/scene.h"
#include "support/caught.h"

static const ForceParts kAll = {1, 1, NULL, "test"};

static const char kSystem[] = "<mujoco>" ZOO_NOCONTACT ZOO_WORLD ZOO_ACTUATORS
                              "<equality><weld body1='shin' body2='crate'/></equality></mujoco>";

static void acceleration(mjtNum* y, const mjModel* m, mjData* d, void* of) {
  (void)of;
  mj_forward(m, d);
  mju_copy(y, d->qacc, m->nv);
}

TEST(accelerations_change_as_differences_say) {
  DOUBLE_ONLY();
  Scene s = scene_make(kSystem, 0.3);
  int nv = s.nv;
  StateColumns c = state_columns(s.m);
  System system = system_make(s.m, s.d, s.d->qacc, kAll);
  const mjtNum* dx = system_solve(&system, c);
  const int first[NFORWARD] = {c.q, c.v, c.act, c.ctrl};
  assert_int_equal(c.n, 2 * nv + s.m->na + s.m->nu);
  for (int by = 0; by < NFORWARD; by++) {
    int columns = scene_input(s.m, s.d, by).n;
    const mjtNum* J = scene_differences(&s, acceleration, NULL, nv, by);
    for (int i = 0; i < nv; i++) {
      assert_numbers(dx + i * c.ld + first[by], J + i * columns, columns, 1e-6,
                     largest_of(J, nv * columns));
    }
  }
  scene_free(&s);
}

// xi . dx = kappa . dr for all inputs at once.
TEST(pulling_back_is_the_transpose_of_solving) {
  DOUBLE_ONLY();
  Scene s = scene_make(kSystem, 0.3);
  int nv = s.nv;
  StateColumns c = state_columns(s.m);
  const mjtNum* xi = scene_numbers(&s, nv, 5);
  System system = system_make(s.m, s.d, s.d->qacc, kAll);
  System other = system_make(s.m, s.d, s.d->qacc, kAll);
  const mjtNum* dx = system_solve(&system, c);
  mjtNum *kappa = scene_zeros(&s, nv), *pulled = scene_zeros(&s, nv), *solved = scene_zeros(&s, nv);
  mju_copy(kappa, xi, nv);
  system_pull(kappa, &other);
  mju_mulMatTVec(pulled, other.r.q, kappa, nv, nv);
  for (int i = 0; i < nv; i++) {
    mju_addToScl(solved, dx + i * c.ld + c.q, xi[i], nv);
  }
  assert_numbers(pulled, solved, nv, 1e-10, largest_of(solved, nv));
  scene_free(&s);
}

TEST(without_constraints_r_lacks_theirs_and_h_does_not) {
  DOUBLE_ONLY();
  Scene s = scene_make(kSystem, 0.3);
  int n = s.nv * s.nv;
  System whole = system_make(s.m, s.d, s.d->qacc, kAll);
  System apart = system_make_apart(s.m, s.d, s.d->qacc, kAll);
  assert_numbers(apart.H, whole.H, n, 1e-12, largest_of(whole.H, n));
  mju_sub(apart.r.q, whole.r.q, apart.r.q, n);
  assert_that(largest_of(apart.r.q, n), >, 1);
  scene_free(&s);
}

static void no_force(const mjModel* m, mjData* d) {
  (void)m;
  (void)d;
}

TEST(what_has_no_derivative_is_refused_by_name) {
  mjModel* m = test_model(kSystem);
  system_check("test", m);
  mjcb_passive = no_force;
  assert_error(system_check("test", m), "test: the callback mjcb_passive is set");
  mjcb_passive = NULL;
  m->opt.noslip_iterations = 1;
  assert_error(system_check("test", m), "noslip");
}

TEST(numbers_that_are_not_finite_are_warned_of_once) {
  mjModel* m = test_model(kSystem);
  mjData* d = test_data(m);
  mjtNum fine[2] = {1, 2}, bad[3] = {1, INFINITY, NAN};
  const SystemResult good[2] = {{fine, 2}, {NULL, 5}},
                     results[3] = {{NULL, 7}, {fine, 2}, {bad, 3}};
  system_checkFinite(d, good, 2);
  assert_int_equal(d->cnd_warning[cndWARN_DERIVATIVE - cndWARN_FIRST].number, 0);
  system_checkFinite(d, results, 3);
  assert_int_equal(d->cnd_warning[cndWARN_DERIVATIVE - cndWARN_FIRST].number, 1);
}
