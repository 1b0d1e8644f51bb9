// Fluids take energy out of what moves in them, exactly as much as drag and viscosity say.

#include "support/models.h"
#include "support/zoo.h"

static mjtNum power(const char* attributes, const char* options, uint64_t seed) {
  char xml[1000];
  snprintf(xml, sizeof xml,
           "<mujoco><option gravity='0 0 0' %s><flag "
           "contact='disable'/></option><worldbody><body><freejoint/>"
           "<geom type='ellipsoid' size='.3 .2 .1' fluidshape='ellipsoid' %s/><body pos='.4 0 "
           "0'><joint axis='0 1 0'/>"
           "<geom type='box' size='.2 .1 .05' pos='.2 0 0' euler='10 20 30' fluidshape='ellipsoid' "
           "%s/></body></body>"
           "</worldbody></mujoco>",
           options, attributes, attributes);
  mjModel* m = test_model(xml);
  mjData* d = test_data(m);
  zoo_randomize(m, d, seed);
  mj_forward(m, d);
  mjtNum total = mju_dot(d->qfrc_fluid, d->qvel, m->nv), size = 0;
  for (int i = 0; i < m->nv; i++) {
    size += mju_abs(d->qfrc_fluid[i] * d->qvel[i]);
  }
  assert_that(size, >, 1e-3);
  test_release(m);
  return total / size;
}

// added mass, Magnus and Kutta forces are gyroscopic: across the velocity
TEST(lift_does_no_work) {
  for (uint64_t seed = 1; seed <= 10; seed++) {
    assert_near(power("fluidcoef='0 0 0 1 1'", "density='100'", seed), 0, 1e-13);
  }
}

TEST(drag_takes_energy) {
  for (uint64_t seed = 1; seed <= 10; seed++) {
    assert_that(power("fluidcoef='.5 .25 1.5 1 1'", "density='100'", seed), <, -1e-3);
    assert_that(power("fluidcoef='0 0 0 0 0'", "viscosity='1'", seed), <, -0.1);
    assert_that(power("fluidcoef='0 0 0 0 0'", "viscosity='1' density='10'", seed), <, 0);
  }
}

static int moving;  // bodies that a wind blows along in a medium

// a body that moves with the stream feels nothing
static void check_stream(const char* path) {
  mjModel* m = test_model_file("%s", path);
  mjData* d = test_data(m);
  mju_zero3(m->opt.gravity);
  for (int j = 0; j < m->njnt; j++) {
    if (m->jnt_type[j] == mjJNT_FREE) {
      mju_copy3(d->qvel + m->jnt_dofadr[j], m->opt.wind);
    }
  }
  mj_forward(m, d);
  for (int j = 0; j < m->njnt; j++) {
    if (m->jnt_type[j] == mjJNT_FREE) {
      assert_near(mju_norm(d->qfrc_fluid + m->jnt_dofadr[j], 6), 0, 1e-9);
      moving += mju_norm3(m->opt.wind) > 0 && m->opt.density + m->opt.viscosity > 0;
    }
  }
  test_release(m);
}

TEST(no_force_in_the_stream) {
  moving = 0;
  models_each("fluid_", check_stream);
  assert_that(moving, >, 1);
}
