// What lint says of numbers that are MuJoCo 3.3.7's, simulated: how wrong they are in the model
// that is reported, and that they are right in the one beside it. The numbers are also those of
// docs/quirks.md.

#include <condyle/behaviour.h>

#include "support/load.h"
#include "support/test.h"

static mjModel* model;
static mjData* data;
static int mended;  // behaviours of models to come

__attribute__((format(printf, 1, 2))) static void load(const char* format, ...) {
  char text[2000];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof(text), format, args);
  va_end(args);
  model = test_model(text);
  model->opt.behaviour |= mended;
  data = test_data(model);
}

static void simulate(double time) {
  while (data->time < (mjtNum)time) {
    mj_step(model, data);
  }
}

// Fails unless low <= value <= high.
static void assert_between(const char* what, double value, double low, double high) {
  if (!(value >= low && value <= high)) {
    fail_msg("%s is %.6g, not within %g .. %g", what, value, low, high);
  }
}

static double held_speed(const char* integrator) {
  load(
      "<mujoco><option timestep='.01' gravity='0 0 0' integrator='%s'/><worldbody><body><joint "
      "name='j' type='slide'/><geom size='.1' mass='1'/></body></worldbody><actuator><velocity "
      "joint='j' kv='1000' forcerange='-5 5'/></actuator></mujoco>",
      integrator);
  data->ctrl[0] = 100;
  for (int i = 0; i < 100; i++) {
    mj_step(model, data);
  }
  return (double)data->qvel[0];
}

TEST(a_held_servo_is_slower_by_its_implicit_damping) {
  assert_between("speed with implicitfast", held_speed("implicitfast"), 0.4545, 0.4546);
  assert_between("speed with implicit", held_speed("implicit"), 0.4545, 0.4546);
  assert_between("speed with Euler", held_speed("Euler"), 4.9999, 5.0001);
  mended = 1 << cndBEHAVIOUR_actclamp;
  assert_between("speed with the rule", held_speed("implicitfast"), 4.9999, 5.0001);
  mended = 0;
}

// What the sensor at a hook of 0.1 kg reads, on which 1 kg hangs, with gravity 10.
static double hook_reading(const char* tendon, const char* more) {
  load(
      "<mujoco><option gravity='0 0 -10'/><worldbody><body name='hook' pos='0 0 2'><geom "
      "size='.02' "
      "mass='.1'/><site name='h'/></body><body name='w' pos='0 0 1'><joint type='slide' "
      "damping='10'/><geom size='.05' mass='1'/><site name='s'/></body></worldbody>"
      "<tendon><spatial name='t' %s><site site='h'/><site site='s'/></spatial></tendon>%s"
      "<sensor><force site='h'/></sensor></mujoco>",
      tendon, more);
  simulate(4);
  return (double)data->sensordata[2];
}

TEST(a_force_sensor_feels_a_connect_and_no_tendon) {
  assert_between("with a spring", hook_reading("stiffness='100'", ""), 0.99, 1.01);
  assert_between("with a limit", hook_reading("range='0 1'", ""), 0.99, 1.01);
  assert_between("with an equality", hook_reading("", "<equality><tendon tendon1='t'/></equality>"),
                 0.99, 1.01);
  const char* connect = "<equality><connect body1='w' body2='hook' anchor='0 0 0'/></equality>";
  assert_between("with a connect", hook_reading("", connect), 10.9, 11.1);
  mended = 1 << cndBEHAVIOUR_tendonload;
  assert_between("with the rule", hook_reading("stiffness='100'", ""), 10.9, 11.1);
  assert_between("with the rule", hook_reading("range='0 1'", ""), 10.9, 11.1);
  const char* equality = "<equality><tendon tendon1='t'/></equality>";
  assert_between("with the rule", hook_reading("", equality), 10.9, 11.1);
  mended = 0;
}

#ifndef mjUSESINGLE  // numbers of motions that grow from rounding

// Lift of an ellipsoid in a wind from below, in units of its size squared.
static double lift(double scale) {
  load(
      "<mujoco><option density='1.2' wind='1 0 .5'/><worldbody><body><freejoint/><geom "
      "type='ellipsoid' size='%g %g %g' fluidshape='ellipsoid' fluidcoef='0 0 0 1 0'/></body>"
      "</worldbody></mujoco>",
      10 * scale, 3 * scale, 0.5 * scale);
  mj_forward(model, data);
  return (double)data->qfrc_fluid[0] / (scale * scale);
}

TEST(lift_of_a_small_wing_is_lost) {
  double large = lift(1), centimetre = lift(.01), millimetre = lift(.001);
  assert_between("the share of centimetres", centimetre / large, 0.999999, 1.000001);
  assert_between("the share of millimetres", millimetre / large, 0.0001, 0.001);
  mended = 1 << cndBEHAVIOUR_smalldrag;
  assert_between("the share with the rule", lift(.001) / lift(1), 0.999999, 1.000001);
  mended = 0;
}

static double rest_height(double radius, double timestep, double timeconst) {
  load(
      "<mujoco><option timestep='%g'/><default><geom solref='%g 1'/></default><asset><hfield "
      "name='h' nrow='10' ncol='10' size='1 1 .1 1'/></asset><worldbody><geom type='hfield' "
      "hfield='h'/><body pos='.03 .02 %g'><freejoint/><geom size='%g'/></body></worldbody>"
      "</mujoco>",
      timestep, timeconst, 0.5 + radius, radius);
  simulate(2);
  return (double)data->qpos[2];
}

TEST(a_height_field_swallows_what_its_contacts_let_in) {
  assert_between("the height of a ball of 1 cm", rest_height(.01, .002, .02), -1, 0);
  assert_between("the same with a shorter timestep", rest_height(.01, .001, .02), -1, 0);
  assert_between("the same with harder contacts", rest_height(.01, .002, .005), .009, .0105);
  assert_between("the height of a ball of 2.5 cm", rest_height(.025, .002, .02), .024, .0255);
}

static double rattling(const char* flag) {
  load(
      "<mujoco><option><flag multiccd='%s'/></option><asset><mesh name='c' vertex='-1 -1 -1 1 -1 "
      "-1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 1 1 1' scale='.05 .05 .05'/></asset><worldbody>"
      "<geom type='box' size='1 1 .1' pos='0 0 -.1'/><body pos='.03 .02 .05'><freejoint/><geom "
      "type='mesh' mesh='c'/></body></worldbody></mujoco>",
      flag);
  double most = 0;
  simulate(1.5);
  for (int i = 0; i < 750; i++) {
    mj_step(model, data);
    for (int k = 0; k < 6; k++) {
      most = fmax(most, fabs((double)data->qvel[k]));
    }
  }
  return most;
}

TEST(a_cube_on_one_contact_rattles) {
  assert_between("its speed on one contact", rattling("disable"), 0.1, 2);
  assert_between("its speed on several", rattling("enable"), 0, 1e-9);
}

static int ends_badly(double radius, const char* integrator) {
  load(
      "<mujoco><option integrator='%s'/><worldbody><geom type='plane' size='5 5 1'/><body pos='0 0 "
      ".5' euler='70 10 0'><freejoint/><geom type='capsule' size='%g .1'/></body></worldbody>"
      "</mujoco>",
      integrator, radius);
  void (*before)(const char*) = mju_user_warning;
  mju_user_warning = silent;
  data->qvel[0] = 1;
  int bad = 0;
  for (int i = 0; i < 1500 && !bad; i++) {
    mj_step(model, data);
    bad = data->warning[mjWARN_BADQACC].number + data->warning[mjWARN_BADQVEL].number;
  }
  mju_user_warning = before;
  return bad;
}

TEST(a_thin_rod_that_is_dropped_ends_badly) {
  assert_int_equal(ends_badly(.0005, "Euler"), 1);
  assert_int_equal(ends_badly(.0005, "implicitfast"), 1);
  assert_int_equal(ends_badly(.0005, "implicit"), 0);
  assert_int_equal(ends_badly(.004, "Euler"), 0);
}

static double energy_growth(const char* integrator) {
  load(
      "<mujoco><option gravity='0 0 0' integrator='%s'/><worldbody><body><freejoint/><geom "
      "type='capsule' size='.005 .2'/></body></worldbody></mujoco>",
      integrator);
  data->qvel[3] = data->qvel[5] = 10;
  mj_forward(model, data);
  mj_energyVel(model, data);
  mjtNum before = data->energy[1];
  simulate(10);
  mj_energyVel(model, data);
  return (double)(data->energy[1] / before);
}

TEST(a_rod_that_tumbles_gains_energy) {
  assert_between("its growth with Euler", energy_growth("Euler"), 7.3, 7.4);
  assert_between("its growth with RK4", energy_growth("RK4"), 0.999, 1.001);
}

// Depths of two cubes of 0.1 m side by side, the second turned a little.
static double depth_beside(double size, double turn) {
  load(
      "<mujoco><worldbody><geom type='box' size='.05 .05 .05'/><body><freejoint/><geom type='box' "
      "size='%g %g %g'/></body></worldbody></mujoco>",
      size, size, size);
  double most = 0;
  for (int i = 0; i < 3000; i++) {
    mjtNum axis[3] = {mju_Halton(i + 1, 2) - (mjtNum)0.5, mju_Halton(i + 1, 3) - (mjtNum)0.5,
                      mju_Halton(i + 1, 5) - (mjtNum)0.5};
    data->qpos[0] = (mjtNum)(0.05 + size - 1e-5);
    mju_normalize3(axis);
    mju_axisAngle2Quat(data->qpos + 3, axis, (mjtNum)(turn * mju_Halton(i + 1, 7)));
    mj_fwdPosition(model, data);
    for (int k = 0; k < data->ncon; k++) {
      most = fmax(most, -(double)data->contact[k].dist);
    }
  }
  return most;
}

TEST(cubes_that_share_an_edge_are_deep_in_each_other) {
  assert_between("the depth of equal cubes", depth_beside(.05, 3e-8), 0.01, 0.2);
  assert_between("the depth of unequal ones", depth_beside(.0499, 3e-8), 0, 2e-5);
  mended = 1 << cndBEHAVIOUR_boxclip;
  assert_between("the depth with the rule", depth_beside(.05, 3e-8), 0, 2e-5);
  mended = 0;
}

#endif
