// States of huge numbers: derivatives that are not finite are never without a warning, and those
// that are finite never have one.

#include <condyle/derivative.h>

#include "support/caught.h"
#include "support/zoo.h"

// two links, whose velocities are squared, a free body, an actuator with an activation
static const char kModel[] =
    "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 1'><joint name='j' axis='0 "
    "1 "
    "0' damping='.1'/><geom type='capsule' contype='0' conaffinity='0' size='.05' fromto='0 0 0 .1 "
    "0 -.4'/><body pos='0 0 -.4'>"
    "<joint axis='1 1 0'/><geom type='capsule' contype='0' conaffinity='0' size='.04' fromto='0 0 "
    "0 0 .2 -.4'/><site name='s'/>"
    "</body></body><body pos='3 0 .09'><freejoint/><geom size='.1'/></body></worldbody><actuator>"
    "<general joint='j' dyntype='filter' dynprm='.1' "
    "gainprm='3'/></actuator><sensor><accelerometer "
    "site='s'/></sensor></mujoco>";

enum {
  ROOM = 1000
};

static int warning_count;

static void count_warning(const char* text) {
  warning_count += strstr(text, "Exact derivatives are not finite") != NULL;
}

static int all_finite(const mjtNum* x, int n) {
  for (int i = 0; i < n; i++) {
    if (!isfinite((double)x[i])) {
      return 0;
    }
  }
  return 1;
}

static void set_state(const mjModel* m, mjData* d, int which, mjtNum number) {
  mjtNum* const array[] = {d->qpos, d->qvel, d->act, d->ctrl, d->qfrc_applied, d->qacc};
  const int n[] = {m->nq, m->nv, m->na, m->nu, m->nv, m->nv};
  mj_resetData(m, d);
  for (int i = 0; i < n[which]; i++) {
    array[which][i] = i % 2 ? -number : number;
  }
}

enum {
  TRANSITION,
  ADJOINT,
  INVERSE,
  NFUNCTION
};

static const char* const kNames[NFUNCTION] = {"cnd_transitionExact", "cnd_transitionAdjoint",
                                              "cnd_inverseExact"};

static mjtNum r[7][ROOM], weight[ROOM];

// 0 if it ends in an error, which is a word as well.
static int returns(int function, const mjModel* m, mjData* d) {
  mju_user_error = caught_jump;
  if (setjmp(caught_place)) {
    mju_user_error = NULL;
    return 0;
  }
  cndParameterGradient gradient = {.body_mass = r[2]};
  if (function == TRANSITION) {
    cnd_transitionExact(m, d, r[0], r[1], r[2], r[3]);
  } else if (function == ADJOINT) {
    cnd_transitionAdjoint(m, d, weight, NULL, r[0], r[1], &gradient);
  } else {
    cnd_inverseExact(m, d, 1, r[0], r[1], r[2], r[3], r[4], r[5], r[6]);
  }
  mju_user_error = NULL;
  return 1;
}

TEST(results_that_are_not_finite_come_with_a_warning) {
  DOUBLE_ONLY();
  static const int integrators[] = {mjINT_EULER, mjINT_RK4, mjINT_IMPLICIT, mjINT_IMPLICITFAST};
  static const double numbers[] = {0.5, 1e10, 1e100, 1e154, 1e200, 1e300};
  mjModel* m = test_model(kModel);
  int nx = 2 * m->nv + m->na, bad = 0, good = 0;
  assert_that(nx * nx, <=, ROOM);
  assert_that(m->nv * m->nM, <=, ROOM);
  mju_fill(weight, 1, ROOM);
  void (*before)(const char*) = mju_user_warning;
  mju_user_warning = count_warning;
  for (int k = 0; k < 4 * 6 * 6 * NFUNCTION; k++) {
    int function = k % NFUNCTION, which = k / NFUNCTION % 6;
    mjtNum number = (mjtNum)numbers[k / NFUNCTION / 6 % 6];
    m->opt.integrator = integrators[k / NFUNCTION / 36];
    mjData* d = mj_makeData(m);
    memset(r, 0, sizeof r);
    set_state(m, d, which, number);
    warning_count = 0;
    if (returns(function, m, d)) {
      // what is not written is 0
      int finite = all_finite(r[0], 7 * ROOM);
      int warned = d->cnd_warning[cndWARN_DERIVATIVE - cndWARN_FIRST].number;
      if (warned == finite || warning_count == finite) {
        fail_msg("%s, array %d of %g: finite %d, warned %d times, told %d times", kNames[function],
                 which, (double)number, finite, warned, warning_count);
      }
      bad += !finite;
      good += finite;
    }
    mj_deleteData(d);
  }
  mju_user_warning = before;
  print_message("%d results are finite, %d are not\n", good, bad);
  assert_that(good, >, 100);
  assert_that(bad, >, 20);
}
