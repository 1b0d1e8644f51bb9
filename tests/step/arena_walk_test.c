// Arenas of every size: a step never ends in an error. What doesn't fit is warned of and left out,
// and without a warning the result is the one of a large arena, bit by bit.

#include "model/data/arena.h"
#include "support/models.h"

// a pit of convex shapes, with every kind of row, transmissions, and sensors that need room
static const char kPit[] =
    "<mujoco><option noslip_iterations='0'><flag fwdinv='enable'/></option><worldbody>"
    "<geom type='plane' size='1 1 1'/><site name='world'/>"
    "<geom type='box' size='1 .1 1' pos='0 .6 1'/><geom type='box' size='1 .1 1' pos='0 -.6 1'/>"
    "<replicate count='4' offset='.01 .02 .35'>"
    "<body pos='0 0 .2' euler='20 30 0'><freejoint/><geom name='c' type='cylinder' size='.2 "
    ".1'/></body>"
    "<body name='e' pos='.1 .1 .3'><freejoint/><geom name='e' type='ellipsoid' size='.2 .15 "
    ".1'/></body>"
    "<body pos='-.1 .1 .3' euler='0 50 0'><joint name='x' type='slide' axis='0 0 1' damping='1'/>"
    "<joint name='y' type='slide' axis='1 0 0' frictionloss='1' limited='true' range='-.1 .1'/>"
    "<geom name='b' type='box' size='.2 .1 .1'/><site name='s'/></body>"
    "</replicate></worldbody>"
    "<tendon><spatial name='t' limited='true' range='0 .5' damping='1'><site site='s0'/><site "
    "site='s3'/>"
    "</spatial><fixed name='f' frictionloss='1'><joint joint='x0' coef='1'/><joint joint='x2' "
    "coef='1'/>"
    "</fixed></tendon>"
    "<equality><connect body1='e1' body2='e2' anchor='0 0 0'/><joint joint1='y0' joint2='y3'/>"
    "<tendon tendon1='f'/></equality>"
    "<actuator><motor tendon='t'/><adhesion body='e1' ctrlrange='0 1'/><muscle joint='x0' "
    "lengthrange='-1 1'/>"
    "<general site='s0' refsite='world' gear='1 1 1 1 1 1'/></actuator><sensor>"
    "<distance geom1='c0' geom2='e3' cutoff='9'/><distance geom1='b0' geom2='b3' cutoff='9'/>"
    "<contact geom1='c0' num='9'/><contact num='99' reduce='maxforce'/>"
    "<tendonlimitfrc tendon='t'/><subtreeangmom body='e1'/><framelinacc objtype='body' "
    "objname='e2'/>"
    "</sensor></mujoco>";

static mjtSize tried;

static void fail_error(const char* text) {
  fail_msg("%zu bytes: %s", (size_t)tried, text);
}

// A state in which the model has contacts, from so many steps with all the memory it asks for.
static void rich_state(mjtNum* state, mjModel* m, int steps) {
  mjData* d = mj_makeData(m);
  for (int i = 0; i < steps; i++) {
    mj_step(m, d);
  }
  mj_getState(m, d, state, mjSTATE_INTEGRATION);
  mj_deleteData(d);
}

// What came out of some steps and an inverse with an arena of that size; returns the warnings.
static int outcome(mjtNum* state, mjtNum* force, mjModel* m, const mjtNum* start, mjtSize size) {
  m->narena = tried = size;
  mjData* d = mj_makeData(m);
  int warnings = 0;
  mj_setState(m, d, start, mjSTATE_INTEGRATION);
  for (int i = 0; i < 2; i++) {
    mj_step(m, d);
  }
  mj_forward(m, d);
  mj_inverse(m, d);
  assert_int_equal(d->pstack, 0);
  assert_int_equal(d->pbase, 0);
  for (int i = 0; i < mjNWARNING; i++) {
    assert_true(i == mjWARN_CONTACTFULL || i == mjWARN_CNSTRFULL || !d->warning[i].number);
    warnings += d->warning[i].number;
  }
  for (int i = 0; i < m->nv; i++) {
    assert_finite_number(d->qacc[i]);
    assert_finite_number(d->qvel[i]);
    assert_finite_number(d->qfrc_inverse[i]);
  }
  for (int i = 0; i < m->nsensordata; i++) {
    assert_finite_number(d->sensordata[i]);
  }
  mj_getState(m, d, state, mjSTATE_INTEGRATION);
  memcpy(force, d->qfrc_inverse, (size_t)m->nv * sizeof(mjtNum));
  mj_deleteData(d);
  return warnings;
}

// Walks the sizes from nothing to enough, and beyond.
static void walk(mjModel* m, int steps) {
  mju_user_warning = silent;
  mju_user_error = fail_error;
  mjtSize large = m->narena;
  int n = mj_stateSize(m, mjSTATE_INTEGRATION), nv = m->nv, size = n + nv, starved = 0, fed = 0;
  mjtNum *numbers = calloc((size_t)(4 * size), sizeof(mjtNum)), *start = numbers;
  mjtNum *full = numbers + size, *one = full + size, *two = one + size;
  rich_state(start, m, steps);
  assert_int_equal(outcome(full, full + n, m, start, large), 0);

  double factor = kThorough ? 1.025 : 1.2;
  for (double bytes = 0; fed < 4 && bytes < (double)large; bytes = fmax(1000, bytes * factor)) {
    mjtSize arena = (mjtSize)bytes;
    int warnings = outcome(one, one + n, m, start, arena);
    assert_int_equal(outcome(two, two + n, m, start, arena), warnings);
    assert_memory_equal(one, two, (size_t)size * sizeof(mjtNum));
    if (!warnings) {
      assert_memory_equal(one, full, (size_t)size * sizeof(mjtNum));
    }
    fed = warnings ? 0 : fed + 1;
    starved += warnings > 0;
  }
  assert_that(starved, >, 3);
  assert_that(fed, ==, 4);
  m->narena = large;
  free(numbers);
  mju_user_warning = NULL;
  mju_user_error = NULL;
}

static void walk_settings(mjModel* m, int steps) {
  static const struct {
    int integrator, solver, cone, jacobian, noslip, disable, enable;
  } settings[] = {
      {mjINT_EULER, mjSOL_NEWTON, mjCONE_PYRAMIDAL, mjJAC_SPARSE, 0, 0, 0},
      {mjINT_EULER, mjSOL_NEWTON, mjCONE_ELLIPTIC, mjJAC_DENSE, 0, mjDSBL_ISLAND, mjENBL_FWDINV},
      {mjINT_IMPLICITFAST, mjSOL_CG, mjCONE_PYRAMIDAL, mjJAC_DENSE, 0, 0, mjENBL_INVDISCRETE},
      {mjINT_IMPLICIT, mjSOL_NEWTON, mjCONE_ELLIPTIC, mjJAC_SPARSE, 3, 0, mjENBL_MULTICCD},
      {mjINT_RK4, mjSOL_PGS, mjCONE_ELLIPTIC, mjJAC_SPARSE, 0, 0, mjENBL_FWDINV},
      {mjINT_RK4, mjSOL_CG, mjCONE_ELLIPTIC, mjJAC_DENSE, 2, mjDSBL_WARMSTART, 0},
      {mjINT_DISCRETE, mjSOL_NEWTON, mjCONE_ELLIPTIC, mjJAC_SPARSE, 0, 0, mjENBL_FWDINV},
      {mjINT_DISCRETE, mjSOL_CG, mjCONE_PYRAMIDAL, mjJAC_DENSE, 2, 0, mjENBL_DIAGEXACT},
  };
  for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
    m->opt.integrator = settings[i].integrator;
    m->opt.solver = settings[i].solver;
    m->opt.cone = settings[i].cone;
    m->opt.jacobian = settings[i].jacobian;
    m->opt.noslip_iterations = settings[i].noslip;
    m->opt.disableflags = settings[i].disable;
    m->opt.enableflags = settings[i].enable;
    walk(m, steps);
  }
  test_release(m);
}

TEST(a_pit_steps_in_any_arena) {
  walk_settings(test_model(kPit), 150);
}

TEST(a_humanoid_steps_in_any_arena) {
  walk_settings(our_model(kHumanoid), 300);
}

TEST(limits_step_in_any_arena) {
  walk_settings(our_model(kLimits), 50);
}

TEST(rubble_steps_in_any_arena) {
  walk_settings(our_model(kRubble), 400);
}

TEST(a_crowd_steps_in_any_arena) {
  walk_settings(our_model("3"), 200);
}

// stages without rows stay within the reserve, whatever the integrator
TEST(the_reserve_holds_every_stage) {
  static const char* models[] = {kHumanoid, kChain, kLimits, kRubble, kCrowd20};
  for (int i = 0; i < 5; i++) {
    mjModel* m = our_model(models[i]);
    if (!m) {
      continue;
    }
    for (m->opt.integrator = mjINT_EULER; m->opt.integrator <= mjINT_DISCRETE;
         m->opt.integrator++) {
      m->opt.disableflags |= mjDSBL_CONTACT;
      m->opt.enableflags |= mjENBL_ENERGY;
      mjData* d = test_data(m);
      mj_step(m, d);
      mj_inverse(m, d);
      assert_that(d->maxuse_stack, >, 0u);
      d->maxuse_stack = 0;
      m->opt.disableflags |= mjDSBL_CONSTRAINT;
      mj_step(m, d);
      mj_inverse(m, d);
      assert_in_range(d->maxuse_stack, 1, arena_reserve(m));
    }
    test_release(m);
  }
}
