// Accelerations by articulated bodies are those of the factored inertia, in time that grows with
// the dofs.

#include "smooth/aba.h"

#include <condyle/dynamics.h>
#include <time.h>

#include "../bench/long_chain.h"
#include "smooth/ldl.h"
#include "support/models.h"
#include "support/zoo.h"

static const double kTolerance = 1e-10;

static mjtNum* numbers(int n) {
  return calloc(n + 1, sizeof(mjtNum));
}

// Are n numbers equal, relative to the largest of what they should be?
static void assert_alike(const mjtNum* is, const mjtNum* should, int n, const char* what) {
  if (numbers_differ(what, is, should, n, rounding(kTolerance), 1e-12)) {
    fail();
  }
}

// forces of the user on every dof and body, then all stages
static void push_everything(const mjModel* m, mjData* d, uint64_t seed) {
  zoo_randomize(m, d, seed);
  for (int i = 0; i < m->nv; i++) {
    d->qfrc_applied[i] = uniform_random(&seed);
  }
  for (int i = 6; i < 6 * m->nbody; i++) {
    d->xfrc_applied[i] = uniform_random(&seed);
  }
  mj_forward(m, d);
}

static void compare_forward(const mjModel* m, const char* what) {
  mjData* d = mj_makeData(m);
  mjtNum* qacc = numbers(m->nv);
  for (uint64_t seed = 1; seed <= 3; seed++) {
    push_everything(m, d, seed);
    cnd_forwardAba(m, d, qacc);
    assert_alike(qacc, d->qacc_smooth, m->nv, what);
  }
  free(qacc);
  mj_deleteData(d);
}

static int compared;

// what isn't a whole model is part of another
static void compare_file(const char* path) {
  char error[1000] = "";
  mjModel* m = mj_loadXML(path, NULL, error, sizeof error);
  if (m) {
    compare_forward(m, path);
    compared++;
  }
  mj_deleteModel(m);
}

TEST(acceleration_is_that_of_the_factor) {
  DOUBLE_ONLY();
  models_each("", compare_file);
  assert_that(compared, >, 150);
  // with tendons that have inertia, some of it beyond the pattern of M, and without
  mjModel* m = test_model(ZOO_XML);
  compare_forward(m, "zoo");
  assert_false(aba_applies(m));
  for (int i = 0; i < m->ntendon; i++) {
    m->tendon_armature[i] = 0;
  }
  assert_true(aba_applies(m));
  compare_forward(m, "zoo without tendon armature");
}

// joints of all kinds in one body, bodies without joints between, a branch, a simple body
static const char kTree[] =
    "<mujoco>" ZOO_NOCONTACT
    "<worldbody><body pos='0 0 1'><body><body>"
    "<joint type='slide' axis='1 2 0' armature='.1' damping='2'/>"
    "<joint axis='0 1 1' pos='.1 .2 0'/><joint type='ball' damping='.5'/><geom size='.1' pos='.2 0 "
    "0'/>"
    "<body pos='.3 0 0'><geom type='box' size='.1 .2 .05' euler='10 20 30'/>"
    "<body name='left' pos='.1 .2 .3'><joint axis='1 1 0' damping='1'/>"
    "<geom type='capsule' size='.05 .2'/></body>"
    "<body name='right' pos='.2 0 0'><joint type='ball' armature='.02'/>"
    "<geom type='box' size='.1 .1 .2'/><body name='tip' pos='.1 .1 .1'><geom size='.05'/></body>"
    "</body></body></body></body></body>"
    "<body name='crate' pos='3 0 0'><freejoint/><geom type='box' size='.1 .2 .3'/></body>"
    "<body name='kite' pos='5 0 0'><freejoint/><geom type='box' size='.1 .2 .3' pos='.1 0 0'/>"
    "<body pos='0 .3 0'><joint type='slide' axis='0 0 1' damping='3'/><geom size='.1'/></body>"
    "</body></worldbody></mujoco>";

TEST(damping_is_taken_at_the_end_of_the_step) {
  const mjtNum h = (mjtNum)0.1;
  mjModel* m = test_model(kTree);
  mjData* d = test_data(m);
  push_everything(m, d, 5);
  int* dof = calloc(m->nv, sizeof(int));
  mjtNum *y = numbers(m->nv), *path = numbers(m->nv);
  mjtNum *LD = numbers(m->nC), *diaginv = numbers(m->nv);
  ldl_factor(LD, diaginv, tree_pattern(m), d->M, m->dof_damping, h);
  memcpy(y, d->qfrc_smooth, m->nv * sizeof(mjtNum));
  ldl_solve(y, tree_pattern(m), LD, diaginv, path);
  for (int i = 0; i < m->nv; i++) {
    dof[i] = i;
  }
  mj_markStack(d);
  AbaFactor factor = aba_factor(m, d, h);
  AbaResponse response = aba_response_make(m, d, &factor);
  aba_push_dofs(&response, d->qfrc_smooth, dof, m->nv);
  aba_response_solve(&response, dof, m->nv);
  assert_alike(response.rate, y, m->nv, "damped");
  mj_freeStack(d);
  free(dof), free(y), free(path), free(LD), free(diaginv);
}

// Generalized force of a wrench about the com of the tree: every dof's axis times it, if it moves
// the body.
static void add_wrench(mjtNum* tau, const mjModel* m, const mjData* d, int body,
                       const mjtNum wrench[6], mjtNum scale) {
  for (int i = aba_tip(m, body); m->body_weldid[body] && i >= 0; i = m->dof_parentid[i]) {
    for (int k = 0; k < 6; k++) {
      tau[i] += scale * wrench[k] * d->cdof[6 * i + k];
    }
  }
}

// pairs of bodies with opposite wrenches, in one tree, in two, and beside a static body
TEST(answers_to_wrenches_are_columns_of_the_inverse) {
  mjModel* m = test_model(kTree);
  mjData* d = test_data(m);
  push_everything(m, d, 7);
  int nv = m->nv;
  int list[100];
  mjtNum *tau = numbers(nv), *acc = numbers(6 * nv), *push = numbers(nv);
  uint64_t seed = 3;
  for (int i = 0; i < nv; i++) {
    list[i] = i;
  }
  mj_markStack(d);
  AbaFactor factor = aba_factor(m, d, 0);
  AbaResponse response = aba_response_make(m, d, &factor);
  for (int a = 0; a < m->nbody; a++) {
    for (int b = 0; b < m->nbody; b++) {
      mjtNum wrench[6], force = uniform_random(&seed);
      int dof = (7 * a + b) % nv;
      for (int k = 0; k < 6; k++) {
        wrench[k] = uniform_random(&seed);
      }
      aba_push(&response, a, wrench, -1);
      aba_push(&response, b, wrench, 1);
      push[dof] = force;
      aba_push_dofs(&response, push, list, nv);
      push[dof] = 0;
      aba_response_solve(&response, list, nv);
      memset(tau, 0, nv * sizeof(mjtNum));
      add_wrench(tau, m, d, a, wrench, -1);
      add_wrench(tau, m, d, b, wrench, 1);
      tau[dof] += force;
      mj_solveM(m, d, tau, tau, 1);
      assert_alike(response.rate, tau, nv, "rate");
      for (int i = 0; i < nv; i++) {
        for (int k = 0; k < 6; k++) {
          acc[6 * i + k] = tau[i] * d->cdof[6 * i + k] +
                           (m->dof_parentid[i] < 0 ? 0 : acc[6 * m->dof_parentid[i] + k]);
        }
      }
      assert_alike(response.acc, acc, 6 * nv, "acc");
      assert_that(largest_of(response.impulse, nv), ==, 0);
    }
  }
  mj_freeStack(d);
  free(tau), free(acc), free(push);
}

// what was not asked for is not needed: the dofs of one body and their ancestors
TEST(answers_need_the_ancestors_alone) {
  mjModel* m = test_model(kTree);
  mjData* d = test_data(m);
  push_everything(m, d, 9);
  int body = mj_name2id(m, mjOBJ_BODY, "tip"), tip = aba_tip(m, body), n = 0, list[100];
  for (int i = tip; i >= 0; i = m->dof_parentid[i]) {
    n++;
  }
  for (int i = tip, k = n; i >= 0; i = m->dof_parentid[i]) {
    list[--k] = i;
  }
  mjtNum wrench[6] = {1, 2, 3, 4, 5, 6}, *tau = numbers(m->nv);
  mj_markStack(d);
  AbaFactor factor = aba_factor(m, d, 0);
  AbaResponse response = aba_response_make(m, d, &factor);
  aba_push(&response, body, wrench, 2);
  aba_response_solve(&response, list, n);
  add_wrench(tau, m, d, body, wrench, 2);
  mj_solveM(m, d, tau, tau, 1);
  for (int k = 0; k < n; k++) {
    assert_alike(response.rate + list[k], tau + list[k], 1, "rate");
  }
  mj_freeStack(d);
  free(tau);
}

// M qacc + c, by recursive Newton-Euler, is what acts, for a chain too long for M
TEST(long_chains_move_as_their_forces_say) {
  DOUBLE_ONLY();
  const int n = 10000;
  LongChain chain = make_chain(n, 0);
  mjData* d = chain.d;
  mjtNum* force = numbers(n);
  cnd_forwardAba(&chain.m, d, d->qacc);
  mj_rne(&chain.m, d, 1, force);
  if (numbers_differ("forces of the chain", force, d->qfrc_actuator, n, rounding(1e-6), 0)) {
    fail();
  }
  free(force);
  delete_chain(&chain);
}

static double time_per_dof(int n) {
  LongChain chain = make_chain(n, 0);
  double least = HUGE_VAL;
  for (int run = 0; run < 2000000 / n / 20; run++) {
    struct timespec start, end;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    cnd_forwardAba(&chain.m, chain.d, chain.d->qacc);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    least = fmin(
        least, (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec));
  }
  delete_chain(&chain);
  return least / n;
}

// M's factor would take a hundred times the time per dof
TEST(time_per_dof_is_constant) {
  double few = time_per_dof(1000), many = time_per_dof(10000);
  if (!(many < 2 * few)) {
    fail_msg("%g ns a dof for 1,000 dofs, %g ns for 10,000", 1e9 * few, 1e9 * many);
  }
}
