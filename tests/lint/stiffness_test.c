// The criterion of src/lint/stiffness.c is where simulations of springs and servos blow up.

#include <condyle/lint.h>

#include "support/load.h"
#include "support/test.h"

// One kilogram on a slide, h = 0.01 s: K = h^2 k/M, B = h b/M. limit: K that it can just bear.
static const struct {
  const char* what;
  const char* integrator;
  double damping;  // of the joint
  double kv;       // of a servo
  int servo;       // the stiffness is the servo's
  double limit;
} cases[] = {
    {"an undamped spring", "Euler", 0, 0, 0, 4},
    {"an undamped spring", "implicitfast", 0, 0, 0, 4},
    {"implicit damping B = 1", "Euler", 100, 0, 0, 6},
    {"implicit damping B = 5", "implicit", 500, 0, 0, 14},
    {"an undamped servo", "Euler", 0, 0, 1, 4},
    {"explicit damping B = 0.5 of a servo", "Euler", 0, 50, 1, 3},
    {"implicit damping B = 0.5 of a servo", "implicitfast", 0, 50, 1, 5},
    {"both kinds of damping", "Euler", 100, 50, 1, 5},
};

static mjSpec* make(int i, double K) {
  char text[1000];
  double k = K / (0.01 * 0.01);
  snprintf(
      text, sizeof(text),
      "<mujoco><option timestep='.01' gravity='0 0 0' integrator='%s'/><worldbody><body><joint "
      "name='j' type='slide' stiffness='%.9g' damping='%g'/><geom size='.1' "
      "mass='1'/></body></worldbody><actuator><position joint='j' kp='%.9g' kv='%g'/>"
      "</actuator></mujoco>",
      cases[i].integrator, cases[i].servo ? 0 : k, cases[i].damping, cases[i].servo ? k : 0,
      cases[i].kv);
  mjSpec* spec = test_spec(text);
  return spec;
}

// Does a small displacement grow without end?
static int blows_up(int i, double K) {
  mjSpec* spec = make(i, K);
  mjModel* m = test_compile(spec);
  mjData* d = mj_makeData(m);
  void (*before)(const char*) = mju_user_warning;
  mju_user_warning = silent;
  d->qpos[0] = (mjtNum)1e-3;
  int grown = 0;
  for (int step = 0; step < 2000 && !grown; step++) {
    mj_step(m, d);
    grown = !(fabs(d->qpos[0]) <= 1);
  }
  mju_user_warning = before;
  mj_deleteData(d);
  test_release(m);
  test_release(spec);
  return grown;
}

// Does lint say that it will?
static int said_to_blow_up(int i, double K) {
  mjSpec* spec = make(i, K);
  cndDiagnostics* list = cnd_makeDiagnostics();
  assert_that(cnd_lintSpec(spec, NULL, NULL, list), >, 0);
  int said = 0;
  const cndDiagnostic* it;
  for (int k = 0; (it = cnd_diagnostic(list, k)); k++) {
    said |= !strncmp(it->check, "stiff-", 6) && strstr(it->message, "will blow up");
  }
  cnd_deleteDiagnostics(list);
  test_release(spec);
  return said;
}

TEST(what_is_said_to_blow_up_does_and_nothing_else) {
  int failed = 0;
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    for (int side = 0; side < 2; side++) {
      double K = cases[i].limit * (side ? 1.02 : 0.98);
      int does = blows_up((int)i, K), said = said_to_blow_up((int)i, K);
      if (does != side || said != side) {
        print_error("%s (%s), K = %g: %s, said %s\n", cases[i].what, cases[i].integrator, K,
                    does ? "blows up" : "holds", said ? "to blow up" : "to hold");
        failed++;
      }
    }
  }
  assert_int_equal(failed, 0);
}
