// A step runs in a thread with a small stack, because everything large or growing with the model is
// in the arena of mjData.

#define _DEFAULT_SOURCE

#include <limits.h>
#include <pthread.h>

#include "model/tree/alike.h"
#include "support/models.h"

// every kind of pair whose collider searches, in a pit, with distances asked for
static const char kPit[] =
    "<mujoco><option ccd_iterations='200' ccd_tolerance='1e-12'/><worldbody>"
    "<geom type='plane' size='1 1 1'/>"
    "<geom type='box' size='1 .1 1' pos='0 .6 1'/><geom type='box' size='1 .1 1' pos='0 -.6 1'/>"
    "<geom type='box' size='.1 1 1' pos='.6 0 1'/><geom type='box' size='.1 1 1' pos='-.6 0 1'/>"
    "<replicate count='8' offset='.01 .02 .35'>"
    "<body pos='0 0 .2' euler='20 30 0'><freejoint/><geom name='c' type='cylinder' size='.2 "
    ".1'/></body>"
    "<body pos='.1 .1 .3'><freejoint/><geom name='e' type='ellipsoid' size='.2 .15 .1'/></body>"
    "<body pos='-.1 .1 .3' euler='0 50 0'><freejoint/><geom name='b' type='box' size='.2 .1 "
    ".1'/></body>"
    "<body pos='0 .1 .3' euler='70 0 0'><freejoint/><geom name='k' type='capsule' size='.1 "
    ".1'/></body>"
    "</replicate></worldbody><sensor>"
    "<distance geom1='c0' geom2='e7' cutoff='9'/><distance geom1='b0' geom2='b5' cutoff='9'/>"
    "<distance geom1='k0' geom2='k5' cutoff='9'/><fromto geom1='c1' geom2='b6' cutoff='9'/>"
    "</sensor></mujoco>";

// four trees as large as those that share vectors (model/tree/alike.h)
static const char kAlike[] =
    "<mujoco><option><flag contact='disable'/></option><worldbody><replicate count='4' offset='0 2 "
    "0'><body><freejoint/><geom size='.1'/><replicate count='31' euler='0 0 11'><body pos='.2 0 0'>"
    "<joint axis='0 1 0' damping='.1'/><geom size='.02' pos='.1 0 0'/></body></replicate></body>"
    "</replicate></worldbody></mujoco>";

enum {
  STACK = 64 * 1024,
  STEPS = 300
};

typedef struct Task {
  const mjModel* m;
  mjData* d;
} Task;

static void* run(void* argument) {
  Task* task = argument;
  for (int i = 0; i < STEPS; i++) {
    mj_step(task->m, task->d);
    mj_inverse(task->m, task->d);
  }
  return NULL;
}

// Steps in a small thread; the result is the one of a large thread, bit by bit.
static void steps_in_a_small_thread(mjModel* m) {
#ifdef CONDYLE_SANITIZED
  test_skip("instrumented code needs more stack");
#endif
  static const int integrator[] = {mjINT_EULER, mjINT_RK4, mjINT_IMPLICIT};
  static const int solver[] = {mjSOL_NEWTON, mjSOL_CG, mjSOL_PGS};
  for (int i = 0; i < 3; i++) {
    m->opt.integrator = integrator[i];
    m->opt.solver = solver[i];
    m->opt.enableflags |= i ? mjENBL_MULTICCD : 0;
    Task small = {m, mj_makeData(m)}, large = {m, mj_makeData(m)};
    pthread_attr_t attributes;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    // the least that there is on arm64 is more
    size_t least = (size_t)PTHREAD_STACK_MIN, stack = least > STACK ? least : STACK;
    assert_int_equal(pthread_attr_setstacksize(&attributes, stack), 0);
    assert_int_equal(pthread_create(&thread, &attributes, run, &small), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
    run(&large);
    assert_memory_equal(small.d->qpos, large.d->qpos, (size_t)m->nq * sizeof(mjtNum));
    assert_that(small.d->ncon, ==, large.d->ncon);
    assert_that(small.d->time, >, 0);
    mj_deleteData(small.d);
    mj_deleteData(large.d);
  }
  test_release(m);
}

TEST(convex_shapes_step_in_a_small_thread) {
  steps_in_a_small_thread(test_model(kPit));
}

TEST(rubble_steps_in_a_small_thread) {
  steps_in_a_small_thread(our_model(kRubble));
}

TEST(humanoid_steps_in_a_small_thread) {
  steps_in_a_small_thread(our_model(kHumanoid));
}

TEST(limits_step_in_a_small_thread) {
  steps_in_a_small_thread(our_model(kLimits));
}

TEST(large_trees_side_by_side_step_in_a_small_thread) {
  mjModel* m = test_model(kAlike);
  alike_find(m);
  assert_that(m->cnd_ngroup, >, 0);
  steps_in_a_small_thread(m);
}
