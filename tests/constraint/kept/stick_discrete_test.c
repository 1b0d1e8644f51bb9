// Sticking contacts and friction loss in discrete steps: their bristles act at the end of the step,
// so that what holds at small steps holds at ten times the step, beside a stiff servo.

#include <condyle/state.h>

#include "support/zoo.h"

static const double kLargeStep = .02;  // ten times that of tests of other integrators

// A plate on a table that a servo of great stiffness holds, pulled by a gravity as if the table
// were tilted by the angle towards a heading.
static mjModel* table(const char* mode, const char* option, double step, double tangent,
                      double heading, double mu) {
  char xml[4000];
  double angle = atan(tangent);
  snprintf(
      xml, sizeof xml,
      "<mujoco><option integrator='discrete' timestep='%g' tolerance='1e-12' iterations='200' "
      "%s gravity='%.17g %.17g %.17g'/><custom><text name='condyle.contact' data='%s'/></custom>"
      "<default><geom friction='%g .01 .02'/></default><worldbody>"
      "<body pos='0 0 -.1'><joint name='x' type='slide' axis='1 0 0'/>"
      "<joint name='y' type='slide' axis='0 1 0'/><geom type='box' size='9 9 .1' mass='5'/>"
      "</body><body pos='0 0 .02'><freejoint/><geom type='box' size='.2 .2 .02' mass='1'/>"
      "</body></worldbody><actuator><position joint='x' kp='1e6' kv='2e3'/>"
      "<position joint='y' kp='1e6' kv='2e3'/></actuator></mujoco>",
      step, option, 9.81 * sin(angle) * cos(heading), 9.81 * sin(angle) * sin(heading),
      -9.81 * cos(angle), mode, mu);
  return test_model(xml);
}

static void run(const mjModel* m, mjData* d, double time) {
  for (int step = (int)(time / m->opt.timestep + 0.5); step > 0; step--) {
    mj_step(m, d);
  }
}

// How far the plate gets on the table in some time, after it came to rest and the load came slowly.
static double drift(mjModel* m, double time) {
  mjData* d = mj_makeData(m);
  const mjtNum x = m->opt.gravity[0], y = m->opt.gravity[1];
  for (int step = 0; step < 200; step++) {
    mjtNum part = step < 50 ? 0 : step < 100 ? (mjtNum)(step - 50) / 50 : 1;
    m->opt.gravity[0] = part * x;
    m->opt.gravity[1] = part * y;
    mj_step(m, d);
  }
  mjtNum from[2], to[2];
  mju_sub(from, d->qpos + 2, d->qpos, 2);
  run(m, d, time);
  mju_sub(to, d->qpos + 2, d->qpos, 2);
  mju_subFrom(to, from, 2);
  double distance = mju_norm(to, 2);
  mj_deleteData(d);
  return distance;
}

TEST(plates_hold_under_a_stiff_servo) {
  DOUBLE_ONLY();
  static const char* const kOptions[] = {"cone='elliptic'", "cone='elliptic' solver='CG'",
                                         "cone='pyramidal'", "cone='pyramidal' solver='CG'"};
  const double mus[] = {.2, .6, 1};
  for (int i = 0; i < 4 * 3 * 2; i++) {
    double mu = mus[i / 4 % 3], heading = i / 12 ? .5 : 0;
    double limit = i % 4 < 2 ? mu : mu / (cos(heading) + sin(heading));
    mjModel* m = table("stick", kOptions[i % 4], kLargeStep, .97 * limit, heading, mu);
    double distance = drift(m, 10);
    test_release(m);
    if (!(distance < 1e-9)) {
      fail_msg("%s mu %g heading %g: drifts %g m", kOptions[i % 4], mu, heading, distance);
    }
  }
}

TEST(soft_contacts_creep_in_discrete_steps) {
  mjModel* m = table("soft", "cone='elliptic'", kLargeStep, .5, 0, .6);
  assert_that(drift(m, 10), >, 1e-3);
}

// A little beyond its limit the plate slides as Coulomb says, whatever the step is. (At speed soft
// contacts chatter, with sticking as without.)
TEST(what_slides_has_the_friction_of_coulomb) {
  DOUBLE_ONLY();
  const double steps[] = {.002, .005, kLargeStep};
  for (int i = 0; i < 3; i++) {
    double mu = .5, tangent = .52, angle = atan(tangent), time = .5;
    mjModel* m = table("stick", "cone='elliptic'", steps[i], tangent, 0, mu);
    mjData* d = test_data(m);
    const mjtNum x = m->opt.gravity[0];
    m->opt.gravity[0] = 0;
    run(m, d, 1);
    m->opt.gravity[0] = x;
    run(m, d, .3);
    mjtNum before = d->qvel[2] - d->qvel[0];
    run(m, d, time);
    double a = (double)(d->qvel[2] - d->qvel[0] - before) / time;
    assert_near((9.81 * sin(angle) - a) / (mu * 9.81 * cos(angle)), 1, .015);
  }
}

// What is applied is what inverse dynamics finds: the reference has the bristles in both.
TEST(inverse_dynamics_finds_the_forces_again) {
  DOUBLE_ONLY();
  mjModel* m = table("stick", "cone='elliptic'", kLargeStep, .4, .3, .6);
  mjData* d = test_data(m);
  m->opt.enableflags |= mjENBL_FWDINV;
  run(m, d, 1);
  mj_forward(m, d);
  assert_near(d->solver_fwdinv[0], 0, 1e-8);
  assert_near(d->solver_fwdinv[1], 0, 1e-8);
  assert_that(mju_norm(d->cnd_memory, m->cnd_nmemory), >, 0);
}

// A motor below the friction loss of its joint doesn't move it; what is stiff may be very stiff.
TEST(friction_loss_holds_a_motor) {
  DOUBLE_ONLY();
  static const char* const kReferences[] = {".02 1", ".0001 1", "-1e7 -1e3"};
  for (int i = 0; i < 3; i++) {
    char xml[1500];
    snprintf(
        xml, sizeof xml,
        "<mujoco><option integrator='discrete' timestep='%g' tolerance='1e-12'/>"
        "<custom><text name='condyle.contact' data='stick'/></custom><worldbody><body>"
        "<joint name='j' axis='0 1 0' armature='.05' frictionloss='1' solreffriction='%s'/>"
        "<geom size='.01'/></body></worldbody><actuator><motor joint='j'/></actuator></mujoco>",
        kLargeStep, kReferences[i]);
    mjModel* m = test_model(xml);
    mjData* d = test_data(m);
    d->ctrl[0] = (mjtNum).9;
    run(m, d, 2);
    mjtNum from = d->qpos[0];
    run(m, d, 10);
    assert_near(d->qpos[0], from, 1e-9);
    d->ctrl[0] = 2;
    run(m, d, .2);
    mjtNum before = d->qvel[0];
    run(m, d, 1);
    assert_near((d->qvel[0] - before) / (1 / .05), 1, 1e-3);
  }
}
