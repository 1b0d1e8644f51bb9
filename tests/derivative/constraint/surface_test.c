// Surfaces that move and adhere: exact derivatives of steps against differences, with every
// integrator and both cones, sensors of contacts among the outputs, and gradients by parameters.

#include "derivative/constraint/contact_carrier.h"

#include "derivative/ladder.h"

// A belt that swings, a wheel's rim that runs, a ball that both pull at, a box that floats in the
// gap of what adheres, and a pair that says how much it adheres.
static const char kMachine[] =
    "<mujoco><option timestep='.01' cone='%s' tolerance='0' iterations='200' ls_iterations='100' "
    "ccd_tolerance='1e-12' ccd_iterations='200'/>"
    "<default><geom condim='%d' friction='.7 .03 .02' solref='.03 .8' solimp='.5 .95 "
    ".02'/></default>"
    "<worldbody>"
    "<body name='belt'><joint axis='1 .2 0' damping='1'/><joint type='slide' damping='3'/>"
    "<geom name='belt' type='box' size='1 1 .1' pos='0 0 -.1' surfacevel='.6 -.3 .1 .4 .2 .9' "
    "adhesion='1.5'/></body>"
    "<body name='ball' pos='.2 .1 .097'><freejoint/><geom name='ball' size='.1' surfacevel='.1 .2 "
    "-.3 .5 .4 .3'/><site name='ball' size='.12'/></body>"
    "<body pos='-.4 .2 .118'><freejoint/><geom type='ellipsoid' size='.1 .15 .12' adhesion='-.7' "
    "margin='.01'/></body>"
    "<body pos='-.3 -.5 .112'><freejoint/><geom size='.1' margin='.02' gap='.015' adhesion='.8'/>"
    "</body><body pos='.21 .1 .29'><freejoint/><geom name='upper' size='.1'/></body></worldbody>"
    "<contact><pair geom1='ball' geom2='upper' condim='%d' adhesion='.6' friction='.5 .6 .02 .01 "
    ".03'/></contact>%s</mujoco>";

static const char kSensors[] =
    "<sensor><touch site='ball'/>"
    "<contact body1='ball' data='force torque pos normal tangent' num='3'/><force site='ball'/>"
    "<contact body1='ball' reduce='netforce' data='force torque'/></sensor>";

static mjModel* machine(int elliptic, int condim, const char* sensors) {
  static char xml[4000];
  snprintf(xml, sizeof xml, kMachine, elliptic ? "elliptic" : "pyramidal", condim, condim, sensors);
  mjModel* m = test_model(xml);
  m->narena += 40 * (mjtSize)m->nv * (2 * m->nv + m->na + m->nu) * (mjtSize)sizeof(mjtNum);
  return m;
}

static void scatter(Steps* s, unsigned seed) {
  mj_resetData(s->m, s->d);
  steps_scatter(s, &seed, (mjtNum)0.002);
  for (int i = 0; i < s->m->nv; i++) {
    s->d->qvel[i] *= 40;
  }
  mj_forward(s->m, s->d);
}

TEST(surfaces_agree_with_differences) {
  DOUBLE_ONLY();
  static const int kIntegrators[] = {mjINT_EULER, mjINT_IMPLICIT, mjINT_RK4, mjINT_IMPLICITFAST};
  static const int kDims[] = {1, 3, 4, 6};
  for (int i = 0; i < 8; i++) {
    mjModel* m = machine(i % 2, kDims[i / 2], kSensors);
    m->opt.integrator = kIntegrators[i / 2];
    Steps s = steps_make(m);
    scatter(&s, 3);
    assert_that(s.d->ncon, >=, 3);
    if (ladder_wrong(&s, 1e-6)) {
      fail_msg("cone %d, condim %d, integrator %d", i % 2, kDims[i / 2], m->opt.integrator);
    }
    steps_free(&s);
  }
}

// In discrete steps what adheres weighs with the metric, too; contact sensors have no derivative.
TEST(discrete_steps_have_surfaces) {
  DOUBLE_ONLY();
  for (int i = 0; i < 4; i++) {
    mjModel* m = machine(i % 2, i < 2 ? 3 : 6, "");
    m->opt.integrator = mjINT_DISCRETE;
    Steps s = steps_make(m);
    scatter(&s, 5);
    assert_int_equal(ladder_wrong(&s, 1e-6), 0);
    steps_free(&s);
  }
}

// Without springs and dampers nothing pulls besides the rows.
TEST(without_passive_forces_rows_alone_adhere) {
  DOUBLE_ONLY();
  mjModel* m = machine(0, 3, "");
  m->opt.disableflags = mjDSBL_SPRING | mjDSBL_DAMPER;
  Steps s = steps_make(m);
  scatter(&s, 3);
  assert_int_equal(ladder_wrong(&s, 1e-6), 0);
  steps_free(&s);
}

TEST(adjoint_has_the_surfaces) {
  DOUBLE_ONLY();
  for (int i = 0; i < 2; i++) {
    Steps s = steps_make(machine(i, 6, kSensors));
    scatter(&s, 4);
    cnd_transitionExact(s.m, s.d, s.A, s.B, s.C, s.D);
    mjtNum *weight = calloc((size_t)s.ny, sizeof(mjtNum)),
           *product = calloc((size_t)s.nx, sizeof(mjtNum));
    for (int row = 0; row < s.ny; row++) {
      mju_zero(weight, s.ny);
      weight[row] = 1;
      cnd_transitionAdjoint(s.m, s.d, weight, weight + s.nx, product, NULL, NULL);
      for (int j = 0; j < s.nx; j++) {
        mjtNum exact = steps_exact(&s, row, j);
        assert_near(product[j], exact, 1e-9 * (1 + fabs((double)exact)));
      }
    }
    free(weight);
    free(product);
    steps_free(&s);
  }
}

// parameters

// The sum of velocities after a step, weighed by a wave.
static double loss(const mjModel* m, mjData* d, const Steps* s) {
  double sum = 0;
  mj_setState(m, d, s->start, STEPS_SPEC);
  mj_step(m, d);
  for (int i = 0; i < m->nv; i++) {
    sum += sin(1 + 2 * i) * (double)d->qvel[i];
  }
  return sum;
}

static void assert_gradient(mjModel* m, Steps* s, mjtNum* parameter, mjtNum exact) {
  const mjtNum h = (mjtNum)1e-5, before = *parameter;
  double d[2];
  for (int k = 0; k < 2; k++) {
    mjtNum width = k ? h / 2 : h;
    *parameter = before + width;
    d[k] = loss(m, s->work, s);
    *parameter = before - width;
    d[k] = (d[k] - loss(m, s->work, s)) / (2 * (double)width);
    *parameter = before;
  }
  assert_near(exact, (4 * d[1] - d[0]) / 3, 2e-6 * (1 + fabs((double)exact)));
}

static void check_gradients(int i) {
  mjModel* m = machine(i, 4, "");
  Steps s = steps_make(m);
  mjtNum friction[3 * 5] = {0}, pos[3 * 5] = {0}, pair[5] = {0};
  mjtNum next[100] = {0};
  for (int g = 0; g < m->ngeom; g++) {  // not equal ones
    m->geom_sameframe[g] = mjSAMEFRAME_NONE;
    m->geom_friction[3 * g] += (mjtNum)0.01 * (mjtNum)g;
    m->geom_friction[3 * g + 1] += (mjtNum)0.001 * (mjtNum)g;
  }
  scatter(&s, 3);
  mju_copy(s.d->qacc_warmstart, s.d->qacc, m->nv);
  mj_getState(m, s.d, s.start, STEPS_SPEC);
  for (int k = 0; k < m->nv; k++) {
    next[m->nv + k] = (mjtNum)sin(1 + 2 * k);
  }
  cndParameterGradient by = {.geom_friction = friction, .pair_friction = pair};
  cnd_transitionAdjoint(m, s.d, next, NULL, NULL, NULL, &by);
  for (int k = 0; k < 15; k++) {
    assert_gradient(m, &s, m->geom_friction + k, friction[k]);
  }
  for (int k = 0; k < 3; k++) {
    assert_gradient(m, &s, m->pair_friction + k, pair[k]);
  }
  cndParameterGradient place = {.geom_pos = pos};
  assert_error(cnd_transitionAdjoint(m, s.d, next, NULL, NULL, NULL, &place),
               "surfaces of the model adhere");
  mju_zero(m->geom_adhesion, m->ngeom);
  m->pair_adhesion[0] = 0;
  m->flg_adhesion = 0;
  scatter(&s, 3);
  mju_copy(s.d->qacc_warmstart, s.d->qacc, m->nv);
  mj_getState(m, s.d, s.start, STEPS_SPEC);
  cnd_transitionAdjoint(m, s.d, next, NULL, NULL, NULL, &place);
  for (int k = 0; k < 15; k++) {
    assert_gradient(m, &s, m->geom_pos + k, pos[k]);
  }
  steps_free(&s);
}

TEST(gradients_by_friction_and_places_agree) {
  DOUBLE_ONLY();
  check_gradients(0);
  check_gradients(1);
}
