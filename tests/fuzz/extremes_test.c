// Models at the ends of what numbers can say, and states that a program spoils: they may be
// refused, they may be reset, but every step and every check of lint returns.

#include <condyle/lint.h>

#include "base/memory/error.h"
#include "support/load.h"
#include "support/test.h"

enum {
  NSTEP = 4,
};

static const double extremes[] = {1e-300, 1e-12, 1e-6, 1, 1e6, 1e12, 1e150, 1e300};
static const char* const shapes[] = {"sphere", "capsule", "ellipsoid", "cylinder", "box"};
static const char* const integrators[] = {"Euler", "RK4", "implicit", "implicitfast"};
static const char* const solvers[] = {"Newton", "CG", "PGS"};
static const char* const cones[] = {"pyramidal", "elliptic"};

enum {
  NEXTREME = sizeof(extremes) / sizeof(extremes[0]),
  NSHAPE = sizeof(shapes) / sizeof(shapes[0]),
};

// The k-th combination of a size, a mass and a shape; NULL if it is refused, which takes a reason.
static mjModel* make(int k, double size, double mass, const char* shape) {
  char text[2000];
  snprintf(text, sizeof(text),
           "<mujoco><option integrator='%s' solver='%s' cone='%s'/><default><geom type='%s' "
           "size='%g %g %g'/></default><worldbody><geom type='plane' size='1 1 1'/>"
           "<body pos='0 0 %g'><freejoint/><geom mass='%g'/>"
           "<body pos='%g 0 0'><joint axis='0 1 0' range='-.1 .1' stiffness='%g' damping='%g'/>"
           "<geom mass='1'/><site name='s'/></body></body>"
           "<body pos='0 0 1'><joint type='ball' frictionloss='%g'/><geom type='box' size='1 1 "
           "1'/><site name='q'/></body></worldbody>"
           "<tendon><spatial name='t' stiffness='%g'><site site='s'/><site site='q'/></spatial>"
           "</tendon><actuator><position tendon='t' kp='%g'/></actuator>"
           "<sensor><gyro site='s'/></sensor></mujoco>",
           integrators[k % 4], solvers[k % 3], cones[k % 2], shape, size, size, size, size * 0.9,
           mass, size, mass, mass, mass, mass, mass);
  char error[400];
  mjSpec* spec = mj_parseXMLString(text, NULL, error, sizeof(error));
  assert_true(spec || error[0]);
  mjModel* model = spec ? mj_compile(spec, NULL) : NULL;
  assert_true(!spec || model || mjs_getError(spec)[0]);
  mj_deleteSpec(spec);
  return model;
}

// Spoils each input in turn with each kind of bad number.
static void spoil(const mjModel* m, mjData* d) {
  static const double bad[] = {NAN, INFINITY, -1e300, 1e-310};
  mjtNum* const input[] = {d->qpos, d->qvel, d->ctrl, d->qfrc_applied, d->xfrc_applied + 6};
  const int size[] = {m->nq, m->nv, m->nu, m->nv, 6};
  for (int b = 0; b < 4; b++) {
    for (int i = 0; i < 5; i++) {
      mj_resetData(m, d);
      for (int k = 0; k < size[i]; k += 1 + i % 2) {
        input[i][k] = (mjtNum)bad[b];
      }
      mj_step(m, d);
      mj_inverse(m, d);
    }
  }
}

TEST(models_of_extreme_numbers_are_stepped_and_checked_or_refused) {
  void (*before)(const char*) = mju_user_warning;
  mju_user_warning = silent;
  int nmodel = 0, n = NEXTREME * NEXTREME * NSHAPE;
  for (int k = 0; k < n; k++) {
    double size = extremes[k % NEXTREME], mass = extremes[k / NEXTREME % NEXTREME];
    mjModel* m = make(k, size, mass, shapes[k / (NEXTREME * NEXTREME)]);
    if (!m) {
      continue;
    }
    mjData* d = mj_makeData(m);
    for (int i = 0; i < NSTEP; i++) {
      mj_step(m, d);
    }
    spoil(m, d);
    assert_that(cnd_lintModel(m, NULL, NULL), >=, 0);
    mj_deleteData(d);
    mj_deleteModel(m);
    nmodel++;
  }
  mju_user_warning = before;
  print_message("%d of %d models stepped\n", nmodel, n);
  assert_that(nmodel, >, n / 8);
}

// What a program put in wrong is counted, and the state is that of a fresh start.
TEST(spoiled_state_and_controls_are_counted_and_put_right) {
  void (*before)(const char*) = mju_user_warning;
  mju_user_warning = silent;
  mjModel* m = make(0, 0.1, 1, "sphere");
  assert_non_null(m);
  mjData* d = mj_makeData(m);

  d->qpos[2] = NAN;
  mj_step(m, d);
  assert_int_equal(d->warning[mjWARN_BADQPOS].number, 1);
  assert_false(isnan(d->qpos[2]));

  mj_resetData(m, d);
  d->qvel[1] = INFINITY;
  mj_step(m, d);
  assert_int_equal(d->warning[mjWARN_BADQVEL].number, 1);
  assert_finite_number(d->qvel[1]);

  mj_resetData(m, d);
  d->ctrl[0] = NAN;
  mj_step(m, d);
  assert_int_equal(d->warning[mjWARN_BADCTRL].number, 1);
  assert_finite_number(d->qacc[0]);

  mj_deleteData(d);
  mj_deleteModel(m);
  mju_user_warning = before;
}

typedef struct Step_ {
  const mjModel* model;
  mjData* data;
} Step;

static void step(void* argument) {
  Step* s = argument;
  mj_resetData(s->model, s->data);
  mj_step(s->model, s->data);
}

// A program or a binary file may give a geom four numbers that are no rotation.
TEST(shapes_collide_without_harm_whatever_their_orientation) {
  static const mjtNum quats[][4] = {{0, 0, 0, 0},     {(mjtNum)1e-3, 0, 0, 0}, {100, 20, 3, 4},
                                    {.3f, .3f, 0, 0}, {NAN, 0, 0, 0},          {1, 0, INFINITY, 0}};
  for (int pair = 0; pair < NSHAPE * NSHAPE; pair++) {
    char text[1000];
    snprintf(text, sizeof(text),
             "<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
             "<body><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
             "<geom type='%s' size='.1 .2 .3' pos='.1 0 0' quat='1 0 .1 0'/></body>"
             "<body pos='.1 .1 .1'><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
             "<geom type='%s' size='.1 .2 .3' pos='.1 0 0' quat='1 0 .1 0'/></body>"
             "</worldbody></mujoco>",
             shapes[pair % NSHAPE], shapes[pair / NSHAPE]);
    mjModel* m = test_model(text);
    mjData* d = test_data(m);
    for (size_t q = 0; q < sizeof(quats) / sizeof(quats[0]); q++) {
      for (int g = 1; g <= 2; g++) {
        memcpy(m->geom_quat + 4 * g, quats[q], sizeof(quats[q]));
        char message[200] = "";
        Step argument = {m, d};
        error_catch(message, sizeof(message), step, &argument);
        assert_that(d->ncon, >=, 0);
        assert_that(d->ncon, <=, 20);
      }
    }
    test_release(m);
  }
}

// Numbers that the reference takes for no limit and no contact, or steps with, by every solver.
TEST(odd_limits_and_floors_leave_the_state_finite) {
  static const char* const texts[][2] = {
      {"pos='0 0 -1'", "margin='nan'"},
      {"pos='0 0 -1'", "margin='1e300'"},
      {"pos='0 0 nan'", ""},
      {"quat='1 nan 0 0'", ""},
  };
  for (int i = 0; i < 4; i++) {
    for (int solver = 0; solver < 2; solver++) {
      char text[1000];
      snprintf(text, sizeof(text),
               "<mujoco><option solver='%s'/><worldbody><geom type='plane' size='1 1 1' %s/>"
               "<site name='a' pos='0 0 2'/><body><joint name='j' type='slide' axis='0 0 1'/>"
               "<geom type='cylinder' size='.1 .1'/><site name='b'/></body></worldbody>"
               "<tendon><spatial range='0 1' %s><site site='a'/><site site='b'/></spatial>"
               "<fixed range='0 1' %s><joint joint='j' coef='1'/></fixed></tendon></mujoco>",
               solvers[solver], texts[i][0], texts[i][1], texts[i][1]);
      mjModel* m = test_model(text);
      mjData* d = test_data(m);
      for (int k = 0; k < 20; k++) {
        mj_step(m, d);
        assert_int_equal(d->warning[mjWARN_BADQACC].number, 0);
        assert_finite_number(d->qpos[0]);
        assert_finite_number(d->qvel[0]);
      }
      test_release(m);
    }
  }
}
