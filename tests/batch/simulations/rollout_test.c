// Rollouts of rows: steps with controls of their own, records after each, and what stops them.

#include <mujoco/mjbatch.h>

#include "support/caught.h"
#include "support/models.h"

enum {
  N = 3,
  T = 20
};

static mjBatch* make_batch(const mjModel* m, int nthread) {
  char error[200] = "";
  mjBatchConfig config = {nthread, 0};
  mjBatch* b = mjb_makeBatch(m, N, &config, error, sizeof(error));
  assert_string_equal(error, "");
  return b;
}

TEST(records_are_those_of_steps) {
  const mjModel* m = our_model(kHumanoid);
  int full = mj_stateSize(m, mjSTATE_FULLPHYSICS);
  mjtNum* control = calloc((size_t)(2 * T * m->nu), sizeof(mjtNum));
  mjtNum* state = calloc((size_t)(2 * T * full), sizeof(mjtNum));
  mjtNum* xpos = calloc((size_t)(2 * T * 3 * m->nbody), sizeof(mjtNum));
  mjtNum time[2 * T];
  int ncon[2 * T];
  uint64_t seed = 4;
  for (int k = 0; k < 2 * T * m->nu; k++) {
    control[k] = (mjtNum)uniform_random(&seed);
  }
  const mjBatchRecord record[] = {
      {NULL, mjSTATE_FULLPHYSICS, state}, {"xpos", 0, xpos}, {"ncon", 0, ncon}, {"time", 0, time}};
  static const int ids[] = {0, 2};
  for (int nthread = 1; nthread < 3; nthread++) {
    mjBatch* b = make_batch(m, nthread);
    assert_that(mjb_rollout(b, ids, 2, T, control, mjSTATE_CTRL, record, 4), ==, 0);
    for (int k = 0; k < 2; k++) {
      mjData* d = test_data(m);
      for (int t = 0; t < T; t++) {
        int row = k * T + t;
        mju_copy(d->ctrl, control + row * m->nu, m->nu);
        mj_step(m, d);
        assert_that(state[row * full + 3], ==, d->qpos[2]);
        assert_that(xpos[row * 3 * m->nbody + 5], ==, d->xpos[5]);
        assert_that(ncon[row], ==, d->ncon);
        assert_that(time[row], ==, d->time);
      }
      // the last controls stay
      assert_that(mjb_stateComponent(b, mjSTATE_CTRL, NULL)[ids[k] * mjb_nstate(b)], ==,
                  control[(k * T + T - 1) * m->nu]);
      test_release(d);
    }
    assert_that(mjb_state(b)[mjb_nstate(b)], ==, 0);
    mjb_deleteBatch(b);
  }
  free(control);
  free(state);
  free(xpos);
}

TEST(bits_of_states_are_those_of_the_dialect) {
  const mjModel* m = our_model(kHumanoid);
  mjBatch* b = make_batch(m, 1);
  int size = 0;
  const int ctrl = 1 << 6, warmstart = 1 << 5;  // as 4.0.0 numbers them
  assert_ptr_equal(cnd_stateComponentAs(400, b, ctrl, &size),
                   mjb_stateComponent(b, mjSTATE_CTRL, NULL));
  assert_that(size, ==, m->nu);
  mjtNum* control = calloc((size_t)(N * m->nu), sizeof(mjtNum));
  mjtNum* ours = calloc((size_t)(N * m->nv), sizeof(mjtNum));
  mjtNum* theirs = calloc((size_t)(N * m->nv), sizeof(mjtNum));
  mju_fill(control, (mjtNum)0.5, N * m->nu);
  const mjBatchRecord record_ours = {NULL, mjSTATE_WARMSTART, ours};
  const mjBatchRecord record_theirs = {NULL, warmstart, theirs};
  mjb_rollout(b, NULL, 0, 1, control, mjSTATE_CTRL, &record_ours, 1);
  mjb_reset(b, NULL, 0, NULL, mjSTAGE_NONE);
  cnd_rolloutAs(400, b, NULL, 0, 1, control, ctrl, &record_theirs, 1);
  assert_that(ours[m->nv - 1], !=, 0);
  assert_memory_equal(theirs, ours, (size_t)(N * m->nv) * sizeof(mjtNum));
  assert_error(cnd_rolloutAs(400, b, NULL, 0, 1, control, mjSTATE_TIME, NULL, 0),
               "control_spec must be a subset of mjSTATE_USER");
  free(control);
  free(ours);
  free(theirs);
  mjb_deleteBatch(b);
}

TEST(a_new_warning_stops_a_simulation_but_not_an_old_one) {
  const mjModel* m = our_model(kHumanoid);
  mju_user_warning = silent;
  mjBatch* b = make_batch(m, 2);
  mjtNum time[N * 4];
  const mjBatchRecord record = {NULL, mjSTATE_TIME, time};
  mjb_stateComponent(b, mjSTATE_QVEL, NULL)[mjb_nstate(b)] = (mjtNum)1e11;
  mjb_warning(b)[2 * mjNWARNING + mjWARN_BADQVEL].number = 5;
  assert_that(mjb_rollout(b, NULL, 0, 4, NULL, 0, &record, 1), ==, 0);
  mjtNum h = m->opt.timestep;
  assert_that(time[3], >, 3 * h);
  for (int t = 0; t < 4; t++) {
    assert_that(time[4 + t], ==, h);
  }
  assert_that(time[11], ==, time[3]);
  assert_that(mjb_state(b)[mjb_nstate(b)], ==, h);
  assert_that(mjb_warning(b)[mjNWARNING + mjWARN_BADQVEL].number, ==, 1);
  mju_user_warning = NULL;
  mjb_deleteBatch(b);
}

TEST(wrong_records_and_controls_are_named) {
  mjBatch* b = make_batch(our_model(kHumanoid), 1);
  mjtNum numbers[1000] = {0};
  const mjBatchRecord unknown = {"foo", 0, numbers}, arena = {"efc_force", 0, numbers};
  const mjBatchRecord state = {NULL, 1 << 20, numbers}, none = {"qpos", 0, NULL};
  assert_error(mjb_rollout(b, NULL, 0, 0, NULL, 0, NULL, 0), "mjb_rollout: nstep must be positive");
  assert_error(mjb_rollout(b, NULL, 0, 1, numbers, mjSTATE_QPOS, NULL, 0),
               "mjb_rollout: control_spec must be a subset of mjSTATE_USER");
  assert_error(mjb_rollout(b, NULL, 0, 1, NULL, 0, NULL, 1),
               "mjb_rollout: record is NULL but nrecord is positive");
  assert_error(mjb_rollout(b, NULL, 0, 1, NULL, 0, &unknown, 1),
               "mjb_rollout: unknown field 'foo'");
  assert_error(mjb_rollout(b, NULL, 0, 1, NULL, 0, &arena, 1), "unknown field 'efc_force'");
  assert_error(mjb_rollout(b, NULL, 0, 1, NULL, 0, &state, 1),
               "mjb_rollout: invalid state spec 1048576 in record 0");
  assert_error(mjb_rollout(b, NULL, 0, 1, NULL, 0, &none, 1),
               "mjb_rollout: record 0 has no buffer");
  assert_that(mjb_state(b)[0], ==, 0);
  mjb_deleteBatch(b);
}
