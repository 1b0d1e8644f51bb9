// Sweeps over forces that take several rows at once: PGS of elliptic cones, and NoSlip after each
// solver.

#include "lanes/alike.h"

typedef struct Sweeps {
  int solver, cone, iterations, noslip_iterations;
} Sweeps;

static void sweep(const char* xml, const Sweeps* sweeps, double reach) {
  mjModel* m = mj_copyModel(NULL, test_model(xml));
  m->opt.solver = sweeps->solver;
  m->opt.cone = sweeps->cone;
  m->opt.iterations = sweeps->iterations;
  m->opt.noslip_iterations = sweeps->noslip_iterations;
  m->opt.impratio = 3;
  steps_alike(m, reach, 1, 12, 1, 1e-8);
  mj_deleteModel(m);
}

static void sweep_all(const char* xml, double reach) {
  static const Sweeps kSweeps[] = {
      {mjSOL_PGS, mjCONE_ELLIPTIC, 20, 0},     {mjSOL_PGS, mjCONE_ELLIPTIC, 5, 3},
      {mjSOL_PGS, mjCONE_PYRAMIDAL, 5, 3},     {mjSOL_NEWTON, mjCONE_PYRAMIDAL, 100, 4},
      {mjSOL_NEWTON, mjCONE_ELLIPTIC, 100, 4},
  };
  for (size_t k = 0; k < sizeof(kSweeps) / sizeof(kSweeps[0]); k++) {
    sweep(xml, kSweeps + k, reach);
  }
}

TEST(walker) {
  sweep_all(LANE_WALKER("tolerance='1e-12'", "contype='1' conaffinity='1'"), 0.2);
}

TEST(rolling) {
  sweep_all(LANE_WALKER("tolerance='1e-12'", "contype='1' conaffinity='1' condim='6'"), 0.2);
}

TEST(spinning) {
  sweep_all(LANE_WALKER("tolerance='1e-12'", "contype='1' conaffinity='1' condim='4'"), 0.2);
}

TEST(frictionless) {
  sweep_all(LANE_WALKER("tolerance='1e-12'", "contype='1' conaffinity='1' condim='1'"), 0.2);
}

// friction of a tendon, equalities, limits
TEST(ties) {
  sweep_all(LANE_TIES, 0.05);
}

// a long chain, whose contacts have no Jacobians
TEST(snake) {
  sweep_all(LANE_SNAKE("tolerance='1e-12'", "condim='3'"), 0.05);
}

TEST(few_iterations) {
  const Sweeps sweeps = {mjSOL_NEWTON, mjCONE_PYRAMIDAL, 2, 4};
  sweep(LANE_WALKER("", "contype='1' conaffinity='1'"), &sweeps, 0.2);
}

// touch sensors and forces on bodies belong to the forces that NoSlip has found
TEST(sensors) {
  DOUBLE_ONLY();
  const mjModel* m = test_model(LANE_SENSES("noslip_iterations='5' cone='elliptic'"));
  mjData* d = test_data(m);
  cndBatch* batch = cnd_makeBatch(m, 1, 0);
  cnd_batchLanes(batch, cndLANES_DOUBLE);
  cndArray sensors, forces;
  cnd_batchExpose(&sensors, batch, "sensordata");
  cnd_batchExpose(&forces, batch, "cfrc_ext");
  cnd_batchBodyForces(batch, 1);
  assert_null(cnd_batchWhy(batch));
  size_t where;
  for (int k = 0; k < 60; k++) {
    cnd_batchStep(batch, NULL, NULL, 1);
    mj_step(m, d);
  }
  mj_rnePostConstraint(m, d);
  assert_true(d->ncon > 1);
  assert_true(relative_error(&where, sensors.data, d->sensordata, m->nsensordata, 1.0) <= 1e-6);
  assert_true(relative_error(&where, forces.data, d->cfrc_ext, 6 * m->nbody, 1.0) <= 1e-6);
  cnd_deleteBatch(batch);
  test_release(d);
}
