// Every array of mjModel and mjData agrees with the reference's, and so do trajectories.
//
// Both sides read and compile the same text, are put into the same random states and compute
// everything. Numbers may differ by a tolerance relative to the largest of their array; integers
// are exact, sizes equal. The solvers run until they can't improve: their results are unique then.

#include "acceptance/compare.h"

// The model, then the datas of random states; the inverse dynamics overwrites parts of them.
static void everything_agrees(const char* model) {
  Bridge* b = both_models(model);
  int differ = bridge_compare_model(b, NULL, 1e-9);
  b->m->opt.enableflags |= mjENBL_ENERGY;
  *(int*)reference_option(b, "enableflags") |= mjENBL_ENERGY;
  tighten_both(b);
  for (unsigned int seed = 1; seed <= 20; seed++) {
    bridge_random(b, seed, 0.3);
    BOTH(b, mj_forward);
    BOTH(b, mj_subtreeVel);
    BOTH(b, mj_rnePostConstraint);
    int found = compare_datas(b) + islands_differ(b);
    BOTH(b, mj_inverse);
    found += bridge_compare(b, "qfrc_inverse", 1e-7);
    if (found) {
      print_error("%d fields differ in the random state %u of %s\n", found, seed, model);
    }
    differ += found;
  }
  test_release(b);
  assert_int_equal(differ, 0);
}

// 100 steps from random states.
static void trajectories_agree(const char* model, unsigned int states) {
  Bridge* b = both_models(model);
  int differ = 0;
  tighten_both(b);
  for (unsigned int seed = 1; seed <= states; seed++) {
    bridge_random(b, seed, 0.3);
    int found = 0;
    for (int step = 1; step <= 100 && !found; step++) {
      BOTH(b, mj_step);
      found = bridge_compare(b, "time ncon nefc", 1e-9) + bridge_compare(b, "qpos qvel act", 1e-6);
      if (found) {
        print_error("after step %d from the random state %u of %s\n", step, seed, model);
      }
    }
    differ += found;
  }
  test_release(b);
  assert_int_equal(differ, 0);
}

// Without a clock the timers count calls.
TEST(timers_count_the_same_calls) {
  Bridge* b = both_models(kHumanoid);
  BOTH(b, mj_step);
  BOTH(b, mj_step);
  BOTH(b, mj_forward);
  BOTH(b, mj_inverse);
  const mjTimerStat* theirs = bridge_ref_data(b, "timer", NULL);
  for (int i = 0; i < mjNTIMER; i++) {
    if (b->d->timer[i].number != theirs[i].number) {
      fail_msg("timer %d: %d calls, %d in the reference", i, b->d->timer[i].number,
               theirs[i].number);
    }
  }
}

static void set_int(Bridge* b, const char* name, int* ours, int value) {
  *ours = value;
  *(int*)reference_option(b, name) = value;
}

// Descents that end before the minimum end at the same point.
static void short_descents_agree(const char* model, int iterations, int ls_iterations) {
  Bridge* b = both_models(model);
  mjOption* opt = &b->m->opt;
  set_int(b, "iterations", &opt->iterations, iterations);
  set_int(b, "ls_iterations", &opt->ls_iterations, ls_iterations);
  int differ = 0;
  for (int solver = mjSOL_CG; solver <= mjSOL_NEWTON; solver++) {
    set_int(b, "solver", &opt->solver, solver);
    for (unsigned int seed = 1; seed <= 20; seed++) {
      bridge_random(b, seed, 0.3);
      BOTH(b, mj_forward);
      int found = bridge_compare(b, "qacc qfrc_constraint", 1e-9);
      if (found) {
        print_error("solver %d, state %u, %d iterations, %d evaluations\n", solver, seed,
                    iterations, ls_iterations);
      }
      differ += found;
    }
  }
  test_release(b);
  assert_int_equal(differ, 0);
}

TEST(few_iterations_end_alike) {
  const char* const models[] = {kHumanoid, kRubble, kLimits};
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
    short_descents_agree(models[i], 1, 4);
    short_descents_agree(models[i], 5, 50);
    short_descents_agree(models[i], 100, 6);
  }
}

#define TRUTH(name, model, states)                     \
  TEST(name##_agrees) {                                \
    everything_agrees(model);                          \
  }                                                    \
  TEST(name##_moves_alike) {                           \
    trajectories_agree(model, kThorough ? states : 1); \
  }

TRUTH(humanoid, kHumanoid, 20)
TRUTH(chain, kChain, 20)
TRUTH(rubble, kRubble, 20)
TRUTH(limits, kLimits, 20)
TRUTH(shared_humanoid, kShared, 20)
TRUTH(crowd, kCrowd20, 2)
