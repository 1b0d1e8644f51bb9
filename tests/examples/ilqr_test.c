// The optimizer of examples/ilqr: slopes of its residuals, and a pole that is swung up on exact
// derivatives and on differences.

#include "ilqr.h"
#include "support/load.h"
#include "support/precision.h"
#include "support/test.h"
#include "tasks.h"

typedef int TaskMake(Task* task, mjModel* m, mjData* d, char* error, int error_size);

enum {
  MAX_VALUES = TASK_RESIDUALS * TASK_RESIDUALS
};

// Residuals at the present state moved by so much along coordinate i of positions and velocities.
static void moved_residual(mjtNum* residual, const Task* task, const mjModel* m, mjData* d, int i,
                           mjtNum amount) {
  static mjtNum qpos[100], direction[100];
  mju_copy(qpos, d->qpos, m->nq);
  mjtNum rate = i < m->nv ? 0 : d->qvel[i - m->nv];
  if (i < m->nv) {
    mju_zero(direction, m->nv);
    direction[i] = 1;
    mj_integratePos(m, d->qpos, direction, amount);
  } else {
    d->qvel[i - m->nv] += amount;
  }
  mj_step1(m, d);
  task->residual(residual, NULL, task, m, d);
  mju_copy(d->qpos, qpos, m->nq);
  if (i >= m->nv) {
    d->qvel[i - m->nv] = rate;
  }
}

static void check_slopes(const char* file, TaskMake* make) {
  static mjtNum slope[MAX_VALUES], here[TASK_RESIDUALS], up[TASK_RESIDUALS], down[TASK_RESIDUALS];
  const mjtNum width = 1e-5;
  char error[1000];
  Task task;
  mjModel* m = test_model_file("%s", file);
  mjData* d = test_data(m);
  assert_true(make(&task, m, d, error, sizeof error));
  for (int i = 0; i < m->nv; i++) {
    d->qvel[i] = sin(i + 1);
  }
  mj_integratePos(m, d->qpos, d->qvel, 0.3);
  mj_step1(m, d);
  assert_in_range(task.nresidual * 2 * m->nv, 1, MAX_VALUES);
  mju_zero(slope, MAX_VALUES);
  task.residual(here, slope, &task, m, d);
  for (int j = 0; j < 2 * m->nv; j++) {
    moved_residual(up, &task, m, d, j, width);
    moved_residual(down, &task, m, d, j, -width);
    for (int i = 0; i < task.nresidual; i++) {
      mjtNum difference = (up[i] - down[i]) / (2 * width), exact = slope[i * 2 * m->nv + j];
      if (!(fabs(difference - exact) < 1e-8)) {
        fail_msg("%s: residual %d by coordinate %d: %.12g, differences give %.12g", file, i, j,
                 exact, difference);
      }
    }
  }
  test_release(m);
}

TEST(slopes_of_residuals_agree_with_differences) {
  DOUBLE_ONLY();
  check_slopes("examples/ilqr/cart_pole.xml", task_cartPole);
  check_slopes("models/humanoid.xml", task_standUp);
}

// How many iterations it takes until the solver is done; the cost never rises.
static int iterations_until_done(Ilqr* solver, Derivatives derivatives, int limit) {
  IlqrStatus status = ILQR_IMPROVED;
  int count = 0;
  while (status < ILQR_CONVERGED && count < limit) {
    mjtNum before = ilqr_cost(solver);
    status = ilqr_iterate(solver, derivatives);
    assert_that(ilqr_cost(solver), <=, before);
    count++;
  }
  assert_int_equal(status, ILQR_CONVERGED);
  return count;
}

static void check_swing(const Ilqr* solver, const Task* task, const mjModel* m, mjData* d) {
  ilqr_show(solver, d, 0);
  assert_that(task_height(task, d), <, -0.99);
  ilqr_show(solver, d, task->horizon);
  assert_that(task_height(task, d), >, 0.99);
  assert_that(fabs(d->qpos[0]), <, 0.1);
  assert_that(mju_norm(d->qvel, m->nv), <, 0.5);
}

// The model alone, with the controls of the trajectory, goes where the trajectory says; controls
// keep to their range.
static void check_replay(const Ilqr* solver, const Task* task, const mjModel* m, mjData* d) {
  mjData* alone = mj_makeData(m);
  assert_non_null(alone);
  for (int t = 0; t <= task->horizon; t++) {
    ilqr_show(solver, d, t);
    for (int i = 0; i < m->nq; i++) {
      assert_that(fabs(alone->qpos[i] - d->qpos[i]), <, 1e-9);
    }
    if (t < task->horizon) {
      assert_that(fabs(d->ctrl[0]), <=, 1);
      mju_copy(alone->ctrl, d->ctrl, m->nu);
      mj_step(m, alone);
    }
  }
  mj_deleteData(alone);
}

static int swing_up(Derivatives derivatives) {
  char error[1000];
  Task task;
  mjModel* m = test_model_file("examples/ilqr/cart_pole.xml");
  mjData* d = test_data(m);
  assert_true(task_cartPole(&task, m, d, error, sizeof error));
  Ilqr* solver = ilqr_make(m, d, &task, error, sizeof error);
  assert_non_null(solver);
  int count = iterations_until_done(solver, derivatives, task.iterations);
  check_swing(solver, &task, m, d);
  check_replay(solver, &task, m, d);
  ilqr_free(solver);
  test_release(m);
  return count;
}

TEST(exact_derivatives_swing_up_in_no_more_iterations) {
  DOUBLE_ONLY();
  int exact = swing_up(DERIVATIVES_EXACT);
  int forward = swing_up(DERIVATIVES_FORWARD), centred = swing_up(DERIVATIVES_CENTRED);
  if (exact > forward || exact > centred) {
    fail_msg("exact %d iterations, differences %d, centred %d", exact, forward, centred);
  }
}

// The humanoid on its side: a window is improved, and the next one begins where that goes.
TEST(a_window_moves_on_along_its_trajectory) {
  DOUBLE_ONLY();
  char error[1000];
  static mjtNum qpos[100];
  Task task;
  mjModel* m = test_model_file("models/humanoid.xml");
  mjData* d = test_data(m);
  assert_true(task_standUp(&task, m, d, error, sizeof error));
  Ilqr* solver = ilqr_make(m, d, &task, error, sizeof error);
  assert_non_null(solver);
  mjtNum before = ilqr_cost(solver);
  for (int i = 0; i < 4; i++) {
    ilqr_iterate(solver, DERIVATIVES_EXACT);
  }
  assert_that(ilqr_cost(solver), <, 0.99 * before);
  ilqr_show(solver, d, task.stride);
  mju_copy(qpos, d->qpos, m->nq);
  ilqr_advance(solver, task.stride);
  ilqr_show(solver, d, 0);
  for (int i = 0; i < m->nq; i++) {
    assert_that(d->qpos[i], ==, qpos[i]);
  }
  ilqr_free(solver);
}

TEST(models_that_do_not_fit_are_refused) {
  char error[1000] = "";
  Task task;
  mjModel *pole = test_model_file("examples/ilqr/cart_pole.xml"),
          *person = test_model_file("models/humanoid.xml");
  mjData *pole_data = mj_makeData(pole), *person_data = mj_makeData(person);
  assert_false(task_cartPole(&task, person, person_data, error, sizeof error));
  assert_non_null(strstr(error, "tip"));
  assert_false(task_standUp(&task, pole, pole_data, error, sizeof error));
  assert_non_null(strstr(error, "head"));
  assert_true(task_cartPole(&task, pole, pole_data, error, sizeof error));
  pole->opt.integrator = mjINT_RK4;
  assert_null(ilqr_make(pole, pole_data, &task, error, sizeof error));
  assert_non_null(strstr(error, "RK4"));
  mj_deleteData(pole_data);
  mj_deleteData(person_data);
}
