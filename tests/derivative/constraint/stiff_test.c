// Derivatives of steps with rows whose regularizer is at its floor, because one end of them turns
// about its center of mass.

#include "derivative/ladder.h"

// Two boxes on ball joints in their centers, one with a pendulum, that touch the ground beside
// springs.
#define PIVOTS(OPTION, CONDIM, MORE)                                                            \
  "<mujoco><option timestep='.004' " OPTION                                                     \
  "/><default><joint damping='.02' armature='.001'/>"                                           \
  "<geom condim='" CONDIM                                                                       \
  "' friction='.8 .02 .01'/></default><worldbody>"                                              \
  "<geom type='plane' size='2 2 .1'/><body name='a' pos='0 0 .2' euler='20 30 10'>"             \
  "<joint type='ball' stiffness='1'/><geom type='box' size='.12 .13 .14'/><body pos='.2 0 .1'>" \
  "<joint axis='0 1 0'/><geom type='capsule' size='.03 .1' contype='0' conaffinity='0'/>"       \
  "</body></body><body name='b' pos='.6 0 .2' euler='15 -25 30'><joint type='ball' "            \
  "stiffness='1'/>"                                                                             \
  "<geom type='box' size='.13 .12 .14'/></body></worldbody>" MORE "</mujoco>"

// The largest difference between a product with weights of all rows and that of the matrices,
// relative to its terms.
static double product_off(Steps* s, unsigned* seed) {
  int nx = s->nx;
  double worst = 0;
  mjtNum* weight = calloc((size_t)(2 * nx), sizeof(mjtNum));
  for (int i = 0; i < nx; i++) {
    *seed = *seed * 1664525u + 1013904223u;
    weight[i] = (mjtNum)(*seed >> 8) / (1 << 23) - 1;
  }
  mj_setState(s->m, s->d, s->start, STEPS_SPEC);
  cnd_transitionAdjoint(s->m, s->d, weight, NULL, weight + nx, NULL, NULL);
  for (int j = 0; j < nx; j++) {
    double sum = 0, size = 1e-3;
    for (int i = 0; i < nx; i++) {
      sum += (double)(weight[i] * s->A[i * nx + j]);
      size += fabs((double)(weight[i] * s->A[i * nx + j]));
    }
    worst = fmax(worst, fabs(sum - (double)weight[nx + j]) / size);
  }
  free(weight);
  return worst;
}

// What entries may be off by, to their row, and products with them.
typedef struct {
  double entry, product;
} Tolerance;

// Every entry of some states in contact, and products. Returns the largest D of a row.
static mjtNum check_pivots(mjModel* m, const char* name, Tolerance tolerance) {
  mjtNum stiffest = 0;
  unsigned seed = 3;
  Steps s = steps_make(m);
  for (int state = 0; state < 3; state++) {
    mj_resetData(m, s.d);
    steps_scatter(&s, &seed, (mjtNum)0.1);
    for (int step = 0; step < 5; step++) {
      mj_step(m, s.d);
    }
    int wrong = ladder_wrong(&s, tolerance.entry);
    double off = product_off(&s, &seed);
    if (wrong || !(off < tolerance.product)) {
      fail_msg("%s, integrator %d, state %d: %d entries are wrong, products by %g", name,
               m->opt.integrator, state, wrong, off);
    }
    for (int row = 0; row < s.d->nefc; row++) {
      stiffest = fmax(stiffest, s.d->efc_D[row]);
    }
  }
  steps_free(&s);
  return stiffest;
}

static mjModel* precise_model(const char* xml) {
  mjModel* m = test_model(xml);
  m->opt.tolerance = 0;
  m->opt.iterations = 200;
  m->opt.ls_iterations = 100;
  return m;
}

TEST(pivoted_bodies_agree_with_differences) {
  DOUBLE_ONLY();
  static const char* const xml[] = {
      PIVOTS("", "1", ""), PIVOTS("", "1",
                                  "<equality><connect body1='a' body2='b' anchor='.3 .1 .05'/>"
                                  "</equality>")};
  for (int i = 0; i < 2; i++) {
    mjModel* m = precise_model(xml[i]);
    for (int k = mjINT_EULER; k <= mjINT_IMPLICITFAST; k++) {
      m->opt.integrator = k;
      assert_that(check_pivots(m, i ? "tied" : "touching", (Tolerance){1e-7, 1e-13}), >, 1e14);
    }
    test_release(m);
  }
}

// Friction holds a corner that can't move along the line to the center: its rows contradict each
// other, and products lose eight digits to that.
TEST(contradicting_rows_agree_with_differences) {
  DOUBLE_ONLY();
  mjModel* m = precise_model(PIVOTS("cone='elliptic' integrator='RK4'", "4", ""));
  assert_that(check_pivots(m, "contradicting", (Tolerance){1e-5, 1e-7}), >, 1e14);
}

// A derivative leaves rows as they were.
TEST(rows_stay_as_they_were) {
  DOUBLE_ONLY();
  mjModel* m = precise_model(PIVOTS("", "1", ""));
  mjData* d = test_data(m);
  mjtNum A[14 * 14], D[50], aref[50];
  mj_forward(m, d);
  assert_in_range(d->nefc, 1, 50);
  memcpy(D, d->efc_D, (size_t)d->nefc * sizeof(mjtNum));
  memcpy(aref, d->efc_aref, (size_t)d->nefc * sizeof(mjtNum));
  mju_copy(d->qacc_warmstart, d->qacc, m->nv);
  cnd_transitionExact(m, d, A, NULL, NULL, NULL);
  assert_memory_equal(D, d->efc_D, (size_t)d->nefc * sizeof(mjtNum));
  assert_memory_equal(aref, d->efc_aref, (size_t)d->nefc * sizeof(mjtNum));
}
