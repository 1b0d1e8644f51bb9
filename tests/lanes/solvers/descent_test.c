// Descents that end after few iterations: lanes make the points of the scalar engine, whatever the
// islands, cones and solver, or go on to the minimum if they are asked to.

#include <condyle/batch.h>
#include <math.h>

#include "lanes/models.h"
#include "support/near.h"

enum {
  N = 16,
  STEPS = 12
};

typedef struct Limits {
  int solver, iterations, ls_iterations, cone, disable;
} Limits;

static mjModel* limited_model(const char* xml, const Limits* limits) {
  mjModel* m = mj_copyModel(NULL, test_model(xml));
  m->opt.solver = limits->solver;
  m->opt.iterations = limits->iterations;
  m->opt.ls_iterations = limits->ls_iterations;
  m->opt.tolerance = (mjtNum)1e-8;
  m->opt.cone = limits->cone;
  m->opt.disableflags |= limits->disable;
  return m;
}

// How far a jitter of the last digits of a state moves the acceleration of its step: on the edge
// between two points of a search nobody can tell which one comes.
static double jitter(const mjModel* m, mjData* d, const mjtNum* state, const mjtNum* acc) {
  uint64_t seed = 5;
  double most = 0;
  size_t where;
  for (int k = 0; k < 4; k++) {
    mj_setState(m, d, state, mjSTATE_INTEGRATION);
    for (int i = 0; i < m->nv; i++) {
      d->qvel[i] *= (mjtNum)(1 + 1e-13 * uniform_random(&seed));
      d->qacc_warmstart[i] *= (mjtNum)(1 + 1e-13 * uniform_random(&seed));
    }
    for (int i = 0; i < m->nq; i++) {
      d->qpos[i] *= (mjtNum)(1 + 1e-13 * uniform_random(&seed));
    }
    mj_step(m, d);
    most = fmax(most, relative_error(&where, d->qacc, acc, m->nv, 1.0));
  }
  return most;
}

// Steps worlds in lanes from the states of their mjData, step by step.
static void compare(const char* xml, const Limits* limits, double reach) {
  DOUBLE_ONLY();
  mjModel* m = limited_model(xml, limits);
  mjData* d[N];
  cndBatch* batch = cnd_makeBatch(m, N, 0);
  cndArray array;
  const unsigned spec = mjSTATE_INTEGRATION;
  size_t size = (size_t)mj_stateSize(m, spec), where;
  mjtNum* state = mju_malloc(N * size * sizeof(mjtNum));
  assert_null(cnd_batchWhy(batch));
  cnd_batchExpose(&array, batch, "qacc");
  const mjtNum* acc = array.data;
  uint64_t seed = 7;
  for (int i = 0; i < N; i++) {
    d[i] = test_data(m);
    lane_state(d[i], m, &seed, reach, 1);
  }
  for (int t = 0; t < STEPS; t++) {
    for (int i = 0; i < N; i++) {
      mj_getState(m, d[i], state + (size_t)i * size, spec);
    }
    cnd_batchSetState(batch, NULL, state, spec);
    assert_int_equal(cnd_batchStep(batch, NULL, NULL, 1), cndRUN_DONE);
    assert_true(cnd_batchLeft(batch) <= N / 4);
    for (int i = 0; i < N; i++) {
      const mjtNum *from = state + (size_t)i * size, *other = acc + (size_t)i * (size_t)m->nv;
      mjtNum own[200];
      mj_step(m, d[i]);
      mju_copy(own, d[i]->qacc, m->nv);
      double error = relative_error(&where, other, own, m->nv, 1.0);
      if (!(error <= 1e-9) && !(error <= 100 * jitter(m, d[i], from, own))) {
        fail_msg("solver %d, %d of %d, cone %d: step %d, world %d: %g beside %g at dof %d",
                 limits->solver, limits->iterations, limits->ls_iterations, limits->cone, t, i,
                 (double)other[where], (double)own[where], (int)where);
      }
      mj_setState(m, d[i], from, spec);
      mj_step(m, d[i]);
    }
  }
  for (int i = 0; i < N; i++) {
    test_release(d[i]);
  }
  cnd_deleteBatch(batch);
  mju_free(state);
  mj_deleteModel(m);
}

static void compare_all(const char* xml, double reach) {
  static const Limits kLimits[] = {
      {mjSOL_NEWTON, 1, 4, mjCONE_PYRAMIDAL, 0},
      {mjSOL_NEWTON, 4, 8, mjCONE_PYRAMIDAL, 0},
      {mjSOL_NEWTON, 100, 3, mjCONE_ELLIPTIC, 0},
      {mjSOL_NEWTON, 3, 50, mjCONE_ELLIPTIC, mjDSBL_ISLAND},
      {mjSOL_CG, 6, 6, mjCONE_PYRAMIDAL, 0},
      {mjSOL_CG, 12, 8, mjCONE_ELLIPTIC, mjDSBL_WARMSTART},
  };
  for (size_t k = 0; k < sizeof(kLimits) / sizeof(kLimits[0]); k++) {
    compare(xml, kLimits + k, reach);
  }
}

TEST(walker) {
  compare_all(LANE_WALKER("", "contype='1' conaffinity='1' condim='4'"), 0.3);
}

TEST(ties) {
  compare_all(LANE_TIES, 0.2);
}

TEST(tied_legs) {
  compare_all(LANE_TIED_LEGS, 0.3);
}

// two trees touch each other, a third one the floor, and a fourth nothing
TEST(islands) {
  compare_all(
      "<mujoco><worldbody><geom type='plane' size='5 5 1'/>"
      "<body pos='0 0 .19'><freejoint/><geom type='capsule' size='.1 .2'/></body>"
      "<body pos='.05 .02 .38'><freejoint/><geom size='.1'/></body>"
      "<body pos='1 0 .09'><freejoint/><geom size='.1'/></body>"
      "<body pos='3 0 2'><freejoint/><geom size='.1'/></body>"
      "<body pos='2 0 .5'><joint axis='0 1 0' range='-10 10' limited='true'/>"
      "<geom type='capsule' fromto='0 0 0 .3 0 0' size='.05'/></body></worldbody></mujoco>",
      0.1);
}

TEST(runge_kutta) {
  const Limits limits = {mjSOL_NEWTON, 3, 6, mjCONE_PYRAMIDAL, 0};
  compare(LANE_WALKER("integrator='RK4'", LANE_FLOOR), &limits, 0.3);
}

// asked for the minimum, lanes find that of a model which allows more
TEST(minimum) {
  DOUBLE_ONLY();
  const Limits few = {mjSOL_NEWTON, 1, 3, mjCONE_PYRAMIDAL, 0};
  mjModel* m = limited_model(LANE_WALKER("tolerance='0'", LANE_FLOOR), &few);
  mjModel* many = mj_copyModel(NULL, m);
  many->opt.iterations = 100;
  many->opt.ls_iterations = 50;
  mjData* d = test_data(many);
  cndBatch* batch = cnd_makeBatch(m, 1, 0);
  cnd_batchLanes(batch, cndLANES_DOUBLE);
  cndArray array;
  cnd_batchExpose(&array, batch, "qacc");
  cnd_batchMinimum(batch, 1);
  uint64_t seed = 3;
  size_t where;
  for (int k = 0; k < 20; k++) {
    mjtNum state[500];
    lane_state(d, many, &seed, 0.3, 1);
    mj_getState(many, d, state, mjSTATE_INTEGRATION);
    cnd_batchSetState(batch, NULL, state, mjSTATE_INTEGRATION);
    cnd_batchStep(batch, NULL, NULL, 1);
    mj_forward(many, d);
    assert_int_equal(cnd_batchLeft(batch), 0);
    assert_true(relative_error(&where, array.data, d->qacc, m->nv, 1.0) <= 1e-9);
  }
  cnd_deleteBatch(batch);
  test_release(d);
  mj_deleteModel(many);
  mj_deleteModel(m);
}
