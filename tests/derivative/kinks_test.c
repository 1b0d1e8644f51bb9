// Places where two smooth pieces of a step meet: they are counted, next to them nothing is, and
// every entry there is the derivative of one side.

#include "derivative/ladder.h"

// A state at a kink; place puts it there, or so far off. Springs of rows may make their own kinks,
// so models have as little as they can.
typedef struct Kink_ {
  const char *name, *xml;
  void (*place)(const mjModel* m, mjData* d, mjtNum off);
} Kink;

static const mjtNum kOff = (mjtNum)1e-6;

static void settle(const mjModel* m, mjData* d) {
  mj_forward(m, d);
  mju_copy(d->qacc_warmstart, d->qacc, m->nv);
}

static mjModel* exact_model(const char* xml) {
  mjModel* m = test_model(xml);
  m->opt.tolerance = 0;
  m->opt.iterations = 200;
  m->opt.ls_iterations = 100;
  return m;
}

// Entries that are the limit of the differences of neither side, to 1e-5 of the largest of their
// row.
static int entries_astray(char text[200], Steps* s) {
  int columns = s->nx + s->nu, astray = 0;
  Ladder l = ladder_make(s->m, s->ny);
  for (int j = 0; j < columns; j++) {
    l.rungs = 0;
    ladder_climb(&l, s, j, LADDER_RUNGS);
    for (int i = 0; i < s->ny; i++) {
      double exact = steps_exact(s, i, j), size = 1e-4;
      for (int k = 0; k < columns; k++) {
        size = fmax(size, fabs((double)steps_exact(s, i, k)));
      }
      Windows ahead = ladder_windows(l.sides[0], i, l.rungs, 4, exact, 1e-5 * size);
      Windows behind = ladder_windows(l.sides[1], i, l.rungs, 4, exact, 1e-5 * size);
      if (!ahead.agrees && !behind.agrees) {
        snprintf(text, 200, "row %d, column %d: %.9g, differences %.9g ahead and %.9g behind", i, j,
                 exact, ahead.value, behind.value);
        astray++;
      }
    }
  }
  ladder_free(&l);
  return astray;
}

// At the state of s->d, which the exact derivative is of.
static void assert_sides(Steps* s, const char* name) {
  char text[200] = "";
  settle(s->m, s->d);
  mj_getState(s->m, s->d, s->start, STEPS_SPEC);
  s->kinks = cnd_transitionExact(s->m, s->d, s->A, s->B, s->C, s->D);
  int astray = entries_astray(text, s);
  if (astray) {
    fail_msg("%s: %d entries are of neither side, %s (%d kinks)", name, astray, text, s->kinks);
  }
}

static int adjoint_kinks(const Steps* s) {
  mjtNum* weight = calloc((size_t)(2 * s->nx + s->nu + 1), sizeof(mjtNum));
  int kinks =
      cnd_transitionAdjoint(s->m, s->d, weight, NULL, weight + s->nx, weight + 2 * s->nx, NULL);
  free(weight);
  return kinks;
}

// is_sided: no input leaves the state for other pieces on both sides, as levers do
static void check_kink(const Kink* kink, int integrator, int is_sided) {
  mjModel* m = exact_model(kink->xml);
  m->opt.integrator = integrator;
  Steps s = steps_make(m);
  kink->place(m, s.d, 0);
  settle(m, s.d);
  if (is_sided) {
    assert_sides(&s, kink->name);
  }
  s.kinks = cnd_transitionExact(m, s.d, s.A, s.B, s.C, s.D);
  int exact = s.kinks, adjoint = adjoint_kinks(&s);
  if (exact <= 0 || adjoint != exact) {
    fail_msg("%s, integrator %d: %d kinks, of products %d", kink->name, integrator, exact, adjoint);
  }
  for (int sign = -1; sign <= 1; sign += 2) {
    mj_resetData(m, s.d);
    kink->place(m, s.d, sign * kOff);
    settle(m, s.d);
    int off = cnd_transitionExact(m, s.d, s.A, s.B, NULL, NULL);
    if (off) {
      fail_msg("%s, integrator %d: %d kinks at %g beside it", kink->name, integrator, off,
               sign * (double)kOff);
    }
  }
  steps_free(&s);
  test_release(m);
}

static void check_kinks(const Kink* kinks, int n, int is_sided) {
  for (int i = 0; i < n; i++) {
    check_kink(kinks + i, mjINT_EULER, is_sided);
    check_kink(kinks + i, mjINT_IMPLICITFAST, is_sided);
  }
}

#define CHECK(kinks, is_sided) \
  check_kinks(kinks, (int)(sizeof(kinks) / sizeof((kinks)[0])), is_sided)

// actuators

#define SLIDE(joint, actuator)                                                      \
  "<mujoco><option gravity='0 0 0'/><worldbody><body><joint name='a' type='slide' " \
  "damping='.3' " joint "/><geom size='.1'/></body></worldbody><actuator>" actuator \
  "</actuator></mujoco>"

static void control_at(const mjModel* m, mjData* d, mjtNum off) {
  (void)m;
  d->ctrl[0] = 1 + off;
}

static void force_at(const mjModel* m, mjData* d, mjtNum off) {
  (void)m;
  d->qpos[0] = (mjtNum)0.3;
  d->ctrl[0] = (mjtNum)0.5 + off;
}

static void activation_at(const mjModel* m, mjData* d, mjtNum off) {
  (void)m;
  d->act[0] = 1 + off;
}

static void filter_at(const mjModel* m, mjData* d, mjtNum off) {
  (void)m;
  d->act[0] = 1 + off;
  d->ctrl[0] = 1 + off;
}

static void halves_at(const mjModel* m, mjData* d, mjtNum off) {
  (void)m;
  d->ctrl[0] = (mjtNum)0.5 + off;
}

static void sum_at(const mjModel* m, mjData* d, mjtNum off) {
  (void)m;
  d->ctrl[0] = (mjtNum)0.75;
  d->ctrl[1] = (mjtNum)1.25 + off;
}

TEST(ends_of_ranges_are_counted) {
  DOUBLE_ONLY();
  static const Kink kinks[] = {
      {"control", SLIDE("", "<motor joint='a' ctrlrange='-2 1'/>"), control_at},
      {"lower control", SLIDE("", "<motor joint='a' ctrlrange='1 2' gear='-3'/>"), control_at},
      {"force", SLIDE("", "<position joint='a' kp='10' kv='1' forcerange='-4 2'/>"), force_at},
      {"activation", SLIDE("", "<intvelocity joint='a' kp='3' actrange='-2 1'/>"), activation_at},
      {"exact filter",
       SLIDE("",
             "<general joint='a' dyntype='filterexact' dynprm='.1' gainprm='2' actlimited='true'"
             " actrange='-1 1'/>"),
       filter_at},
      {"early activation",
       SLIDE("",
             "<general joint='a' dyntype='integrator' gainprm='2' actlimited='true'"
             " actearly='true' actrange='-1 1'/>"),
       activation_at},
      {"force on a joint", SLIDE("actuatorfrcrange='-1 1'", "<motor joint='a' gear='2'/>"),
       halves_at},
      {"force on a tendon",
       "<mujoco><worldbody><body><joint name='a' type='slide'/><geom size='.1'/></body></worldbody>"
       "<tendon><fixed name='t' actuatorfrclimited='true' actuatorfrcrange='-1 2'><joint joint='a' "
       "coef='1'/></fixed></tendon>"
       "<actuator><motor tendon='t'/><motor tendon='t'/></actuator></mujoco>",
       sum_at},
  };
  CHECK(kinks, 1);
}

// muscles

#define MUSCLE(attributes)                                                                    \
  SLIDE("", "<muscle joint='a' lengthrange='-1 1' force='30' timeconst='.01 .04' " attributes \
            "/"                                                                               \
            ">")

static void muscle_at(mjData* d, mjtNum act, mjtNum ctrl) {
  d->qpos[0] = (mjtNum)0.13;
  d->qvel[0] = (mjtNum)0.2;
  d->act[0] = act;
  d->ctrl[0] = ctrl;
}

static void muscle_at_rest(const mjModel* m, mjData* d, mjtNum off) {
  (void)m;
  // between both ends nothing is left of the kinks if the activation differs
  muscle_at(d, off != 0 ? mju_abs(off) : 0, off != 0 ? 3 * mju_abs(off) : 0);
}

static void muscle_tensed(const mjModel* m, mjData* d, mjtNum off) {
  (void)m;
  muscle_at(d, 1 - (off != 0 ? mju_abs(off) : 0), 1 - (off != 0 ? 3 * mju_abs(off) : 0));
}

static void muscle_balanced(const mjModel* m, mjData* d, mjtNum off) {
  (void)m;
  muscle_at(d, (mjtNum)0.4, (mjtNum)0.4 + off);
}

static void muscle_bounded(const mjModel* m, mjData* d, mjtNum off) {
  (void)m;
  muscle_at(d, (mjtNum)0.4 + 2 * off, (mjtNum)0.4 + off);
}

static void muscle_idle(const mjModel* m, mjData* d, mjtNum off) {
  (void)m;
  muscle_at(d, off, (mjtNum)0.4);
}

static void muscle_full(const mjModel* m, mjData* d, mjtNum off) {
  (void)m;
  muscle_at(d, 1 + off, (mjtNum)0.4);
}

TEST(kinks_of_muscles_are_counted) {
  DOUBLE_ONLY();
  static const Kink kinks[] = {
      {"muscle at rest", MUSCLE(""), muscle_at_rest},
      {"muscle at rest, smooth", MUSCLE("tausmooth='.2'"), muscle_at_rest},
      {"muscle at rest, limited",
       SLIDE("",
             "<general joint='a' dyntype='muscle' gaintype='muscle' biastype='muscle'"
             " lengthrange='-1 1' dynprm='.01 .04 0' gainprm='.75 1.05 30 1 .5 1.6 1.5 1.3 1.2'"
             " biasprm='.75 1.05 30 1 .5 1.6 1.5 1.3 1.2' actlimited='true' actrange='0 1'"
             " ctrlrange='0 1'/>"),
       muscle_at_rest},
      {"muscle at its most", MUSCLE(""), muscle_tensed},
      {"muscle whose control is its activation", MUSCLE(""), muscle_balanced},
      {"muscle whose control ends at its activation", MUSCLE("ctrlrange='.1 .4'"), muscle_bounded},
      {"activation of 0", MUSCLE(""), muscle_idle},
      {"activation of 1", MUSCLE(""), muscle_full},
  };
  CHECK(kinks, 1);
}

// At rest in the reset state the sides of a muscle are known: it activates by 1 / (tau / 2).
TEST(a_muscle_at_rest_has_the_values_of_growing_inputs) {
  mjModel* m = exact_model(MUSCLE(""));
  Steps s = steps_make(m);
  mjtNum h = m->opt.timestep;
  assert_that(cnd_transitionExact(m, s.d, s.A, s.B, NULL, NULL), >, 0);
  assert_near(s.A[2 * 3 + 2], 1 - h * 0.5 / 0.04, 1e-12);
  assert_near(s.B[2], h / (0.5 * 0.01), 1e-12);
  steps_free(&s);
}

// The force at rest meets two parabolas, of which implicit integrators ask for the curvature.
TEST(implicit_integrators_have_a_kink_at_rest) {
  DOUBLE_ONLY();
  mjModel* m = exact_model(MUSCLE(""));
  Steps s = steps_make(m);
  for (int i = mjINT_EULER; i <= mjINT_IMPLICITFAST; i++) {
    m->opt.integrator = i;
    muscle_at(s.d, (mjtNum)0.3, (mjtNum)0.7);
    s.d->qvel[0] = 0;
    int is_implicit = i == mjINT_IMPLICIT || i == mjINT_IMPLICITFAST;
    assert_sides(&s, "muscle that stands still");
    assert_int_equal(s.kinks > 0, is_implicit);
    s.d->qvel[0] = kOff;
    assert_int_equal(cnd_transitionExact(m, s.d, s.A, s.B, NULL, NULL), 0);
  }
  steps_free(&s);
}

// rows

static void joint_at(const mjModel* m, mjData* d, mjtNum off) {
  d->qpos[0] = m->jnt_range[1] - m->jnt_margin[0] + off;
  d->qvel[0] = (mjtNum)-0.1;
}

static void ball_at(const mjModel* m, mjData* d, mjtNum off) {
  const mjtNum axis[3] = {(mjtNum)0.6, 0, (mjtNum)0.8};
  mju_axisAngle2Quat(d->qpos, axis, m->jnt_range[1] + off);
}

static void tendon_at(const mjModel* m, mjData* d, mjtNum off) {
  d->qpos[0] = (m->tendon_range[1] + off) / 2;
}

static void slack_at(const mjModel* m, mjData* d, mjtNum off) {
  d->qpos[0] = (m->tendon_lengthspring[1] + off) / 2;
}

static void width_at(const mjModel* m, mjData* d, mjtNum off) {
  d->qpos[0] = m->jnt_range[1] + (mjtNum)0.01 + off;
}

// f = eta where x = -R eta, without a velocity: M x = applied + f
static void sliding_at(const mjModel* m, mjData* d, mjtNum off) {
  mj_forward(m, d);
  mjtNum eta = m->dof_frictionloss[0], R = d->efc_R[0], mass = d->qM[0];
  d->qfrc_applied[0] = -(mass * R + 1) * eta + off;
}

#define TENDON(attributes)                                                                      \
  "<mujoco><worldbody><body><joint name='a' type='slide'/><geom size='.1'/></body></worldbody>" \
  "<tendon><fixed " attributes "><joint joint='a' coef='2'/></fixed></tendon></mujoco>"

TEST(ends_of_rows_are_counted) {
  DOUBLE_ONLY();
  static const Kink kinks[] = {
      {"limit of a slide", SLIDE("range='-1 .7'", ""), joint_at},
      {"limit of a slide with a margin", SLIDE("range='-1 .7' margin='.05'", ""), joint_at},
      {"limit of a hinge",
       "<mujoco><worldbody><body><joint axis='0 1 0' range='-30 50'/><geom size='.1' pos='.2 0 0'/>"
       "</body></worldbody></mujoco>",
       joint_at},
      {"limit of a ball",
       "<mujoco><worldbody><body><joint type='ball' range='0 50'/><geom size='.1' pos='.2 0 0'/>"
       "</body></worldbody></mujoco>",
       ball_at},
      {"limit of a tendon", TENDON("range='-1 .6'"), tendon_at},
      {"slack of a tendon", TENDON("stiffness='20' springlength='0 .5'"), slack_at},
      {"bound of friction loss", SLIDE("frictionloss='.4'", ""), sliding_at},
      {"end of a straight impedance", SLIDE("range='-1 .7' solimplimit='.8 .95 .01 .5 1'", ""),
       width_at},
  };
  CHECK(kinks, 1);
}

// Where both rest lengths are one, the spring is linear through it.
TEST(a_spring_at_its_rest_length_pulls_back) {
  mjModel* m = exact_model(TENDON("stiffness='20' springlength='0'"));
  mjData* d = test_data(m);
  mjtNum A[4], h = m->opt.timestep;
  mj_forward(m, d);
  assert_int_equal(cnd_transitionExact(m, d, A, NULL, NULL, NULL), 0);
  assert_near(A[2], -h * 20 * 4 / d->qM[0], 1e-12);
}

// contacts

#define DROP(floor, shape) \
  "<mujoco><worldbody>" floor "<body><freejoint/><geom " shape "/></body></worldbody></mujoco>"
#define PLANE "<geom type='plane' size='2 2 .1'/>"

static void sphere_at(const mjModel* m, mjData* d, mjtNum off) {
  (void)m;
  d->qpos[0] = (mjtNum)0.3;
  d->qpos[2] = (mjtNum)0.1 + off;
  d->qvel[2] = (mjtNum)0.05;
}

static void raised_at(const mjModel* m, mjData* d, mjtNum off) {
  sphere_at(m, d, off + (mjtNum)0.02);
}

TEST(distances_at_the_margin_are_counted) {
  DOUBLE_ONLY();
  static const Kink spheres[] = {
      {"sphere on a plane", DROP(PLANE, "size='.1'"), sphere_at},
      {"sphere on a plane with a margin", DROP(PLANE, "size='.1' margin='.02'"), raised_at},
      {"sphere on a plane with a gap", DROP(PLANE, "size='.1' margin='.05' gap='.03'"), raised_at},
      {"sphere on a box", DROP("<geom type='box' pos='0 0 -.5' size='1 1 .5'/>", "size='.1'"),
       sphere_at},
  };
  static const Kink boxes[] = {
      {"box on a plane", DROP(PLANE, "type='box' size='.2 .3 .1'"), sphere_at},
      {"box on a box",
       DROP("<geom type='box' pos='0 0 -.5' size='1 1 .5'/>", "type='box' size='.2 .3 .1'"),
       sphere_at},
  };
  CHECK(spheres, 1);
  CHECK(boxes, 0);
}

static void drop(Steps* s, int steps) {
  for (int i = 0; i < steps; i++) {
    mj_step(s->m, s->d);
  }
}

// Two parallel faces tie for the normal, and rounding decides: whichever it is, the derivative is
// that next to the state.
TEST(a_box_flat_on_a_box_has_the_entries_of_its_differences) {
  DOUBLE_ONLY();
  static const char* const kScene[] = {
      "<geom type='box' size='1 1 .1' pos='0 0 -.1' euler='0 0 %d'/><body pos='.1 .05 .1' "
      "euler='0 0 %d'><freejoint/><geom type='box' size='.1 .13 .1'/></body>",
      "<body pos='.1 .05 .1' euler='0 0 %d'><freejoint/><geom type='box' size='.1 .13 .1'/></body>"
      "<body pos='0 0 -.1' euler='0 0 %d'><geom type='box' size='1 1 .1'/></body>",
  };
  for (int i = 0; i < 12; i++) {
    char scene[400], xml[600];
    snprintf(scene, sizeof scene, kScene[i % 2], 31 * i, 17 * i * i);
    snprintf(xml, sizeof xml, "<mujoco><worldbody>%s</worldbody></mujoco>", scene);
    mjModel* m = exact_model(xml);
    Steps s = steps_make(m);
    drop(&s, 400);
    assert_sides(&s, scene);
    assert_int_equal(s.kinks, 0);
    steps_free(&s);
    test_release(m);
  }
}

// Numbers that are exact tie exactly, and then the first box has its face: the small one here.
TEST(an_exact_tie_has_the_entries_of_its_differences) {
  DOUBLE_ONLY();
  mjModel* m = exact_model(
      "<mujoco><worldbody><body pos='.125 .0625 .124'><freejoint/><geom type='box' "
      "size='.125 .125 .125'/></body><body pos='0 0 -.125'><geom type='box' size='1 1 "
      ".125'/></body>"
      "</worldbody></mujoco>");
  Steps s = steps_make(m);
  s.d->qpos[2] = (mjtNum)0.125 - (mjtNum)1 / 1024;
  assert_sides(&s, "cube over a box");
  assert_int_equal(s.kinks, 0);
  steps_free(&s);
}

// Boxes that don't overlap yet have the normal of edges that tie with the face: it is that of the
// face, until turns take the face itself, at half the distance.
TEST(a_box_over_a_box_within_the_margin_has_the_entries_of_its_differences) {
  DOUBLE_ONLY();
  mjModel* m = exact_model(
      "<mujoco><worldbody><geom type='box' size='1 1 .1' pos='0 0 -.1' margin='.02' gap='.01'/>"
      "<body pos='0 0 .12' euler='0 0 20'><freejoint/><geom type='box' size='.1 .1 .1' "
      "margin='.01'/></body></worldbody></mujoco>");
  Steps s = steps_make(m);
  drop(&s, 200);
  assert_that(s.d->ncon, ==, 4);
  assert_that(s.d->contact[0].dist, >, 0);
  assert_sides(&s, "box over a box");
  assert_that(s.kinks, >, 0);
  steps_free(&s);
}

// A plank across another has the normal of one box in turns about the one axis, and that of the
// other box about the other.
TEST(planks_across_each_other_are_at_kinks) {
  DOUBLE_ONLY();
  mjModel* m = exact_model(
      DROP("<geom type='box' size='1 .1 .1' pos='0 0 -.1'/>", "type='box' size='.1 .4 .1'"));
  Steps s = steps_make(m);
  s.d->qpos[2] = (mjtNum)0.1;
  drop(&s, 300);
  assert_sides(&s, "planks");
  assert_that(s.kinks, >, 0);
  steps_free(&s);
}

// A corner that stands on the border of a face belongs to two features.
TEST(corners_on_borders_are_at_kinks) {
  mjModel* m = exact_model(
      DROP("<geom type='box' size='.1 .1 .1' pos='0 0 -.1'/>", "type='box' size='.1 .1 .1'"));
  Steps s = steps_make(m);
  s.d->qpos[2] = (mjtNum)0.0999;
  assert_that(cnd_transitionExact(m, s.d, s.A, NULL, NULL, NULL), >, 0);
  steps_free(&s);
}

// Level across a narrow box a capsule has two lowest ends: the second contact is held twice.
TEST(capsules_level_across_a_box_are_at_kinks) {
  DOUBLE_ONLY();
  for (int i = 0; i < 2; i++) {
    char xml[400];
    snprintf(xml, sizeof xml,
             DROP("<geom type='box' size='.05 .2 .2' pos='0 0 -.2'/>",
                  "type='capsule' size='.05 .2' euler='0 90 %d'"),
             20 * i);
    mjModel* m = exact_model(xml);
    Steps s = steps_make(m);
    s.d->qpos[1] = (mjtNum)0.01;
    s.d->qpos[2] = (mjtNum)0.0499;
    assert_sides(&s, "capsule");
    assert_that(s.kinks, >, 0);
    steps_free(&s);
    test_release(m);
  }
}

// All corners of a flat manifold are as deep, and one depth is that of all contacts.
TEST(flat_manifolds_are_at_kinks) {
  DOUBLE_ONLY();
  static const char* const kTurn[] = {"0 0 0", "0 0 27", "0 .2 0"};
  for (int i = 0; i < 3; i++) {
    char xml[800];
    snprintf(xml, sizeof xml,
             "<mujoco><option><flag multiccd='enable'/></option><asset><mesh name='c' vertex='-.1 "
             "-.1 -.1 .1 -.1 -.1 -.1 .1 -.1 .1 .1 -.1 -.1 -.1 .1 .1 -.1 .1 -.1 .1 .1 .1 .1 .1'/>"
             "</asset><worldbody><geom type='box' size='1 1 .1' pos='0 0 -.1'/><body pos='.013 "
             ".007 .0999' euler='%s'><freejoint/><geom type='mesh' mesh='c'/></body></worldbody>"
             "</mujoco>",
             kTurn[i]);
    mjModel* m = exact_model(xml);
    Steps s = steps_make(m);
    assert_sides(&s, xml);
    assert_that(s.kinks, >, 0);
    steps_free(&s);
    test_release(m);
  }
}
