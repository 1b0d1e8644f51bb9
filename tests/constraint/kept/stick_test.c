// Soft contacts that stick: what holds does not creep, what slides does so as Coulomb says, and
// what is kept is state.

#include <condyle/state.h>

#include "support/zoo.h"

static const char kPlate[] =
    "<body pos='0 0 .02'><freejoint/><geom type='box' size='.2 .2 .02'/></body>";

// A plane, pulled by a gravity as if it were tilted by the angle towards a heading.
static mjModel* tilted(const char* mode, const char* option, double angle, double heading,
                       double mu, int condim, const char* bodies) {
  char xml[5000];
  snprintf(xml, sizeof xml,
           "<mujoco><option timestep='.002' tolerance='1e-12' %s gravity='%.17g %.17g %.17g'/>"
           "<custom><text name='condyle.contact' data='%s'/></custom>"
           "<default><geom friction='%g .01 .02' condim='%d'/></default>"
           "<worldbody><geom type='plane' size='9 9 1'/>%s</worldbody></mujoco>",
           option, 9.81 * sin(angle) * cos(heading), 9.81 * sin(angle) * sin(heading),
           -9.81 * cos(angle), mode, mu, condim, bodies);
  return test_model(xml);
}

static void run(const mjModel* m, mjData* d, double time) {
  for (int step = (int)(time / m->opt.timestep + 0.5); step > 0; step--) {
    mj_step(m, d);
  }
}

// Lets the bodies come to rest, then tilts the plane for the rest of the first second.
static mjData* tilt(mjModel* m) {
  mjData* d = mj_makeData(m);
  const mjtNum x = m->opt.gravity[0], y = m->opt.gravity[1];
  for (int step = 0; step < 500; step++) {
    mjtNum part = step < 100 ? 0 : (step < 250 ? (mjtNum)(step - 100) / 150 : 1);
    m->opt.gravity[0] = part * x;
    m->opt.gravity[1] = part * y;
    mj_step(m, d);
  }
  return d;
}

// How far the first body gets in some time after the first second.
static double drift(mjModel* m, double time) {
  mjData* d = tilt(m);
  mjtNum from[3];
  mju_copy3(from, d->qpos);
  run(m, d, time);
  double distance = mju_dist3(d->qpos, from);
  mj_deleteData(d);
  return distance;
}

// largest tangent: of the pyramid |f_1| + |f_2| <= mu f_0
static double steepest(int elliptic, double mu, double heading) {
  return elliptic ? mu : mu / (fabs(cos(heading)) + fabs(sin(heading)));
}

static const char* const kCone[] = {"cone='pyramidal'", "cone='elliptic'"};
static const double kEighth = 0.78539816339744831;

// Pyramids slide on single edges, which chatters: steep ones may not come to rest again at the very
// limit.
TEST(plates_on_slopes_stay_where_they_are) {
  DOUBLE_ONLY();
  for (int i = 0; i < 2 * 8 * 4; i++) {
    const double mus[] = {0.1, 0.5, 1, 2};
    double mu = mus[i % 4], heading = i / 4 % 8 * kEighth;
    double part = i / 32 || mu < 2 ? 0.99 : 0.9, angle = atan(part * steepest(i / 32, mu, heading));
    mjModel* m = tilted("stick", kCone[i / 32], angle, heading, mu, 3, kPlate);
    double distance = drift(m, 1);
    test_release(m);
    if (!(distance < 1e-9)) {
      fail_msg("%s mu = %g heading %g: drifts %g m", kCone[i / 32], mu, heading, distance);
    }
  }
}

// what the same slope does to contacts that are soft alone
TEST(soft_contacts_creep) {
  mjModel* m = tilted("soft", kCone[1], atan(0.45), 0, 0.5, 3, kPlate);
  assert_that(drift(m, 1), >, 1e-4);
}

TEST(all_integrators_and_solvers_hold) {
  static const char* const options[] = {"cone='elliptic' integrator='RK4'",
                                        "cone='elliptic' integrator='implicit'",
                                        "integrator='implicitfast'",
                                        "cone='elliptic' solver='CG' iterations='500'",
                                        "solver='PGS' iterations='500'",
                                        "cone='elliptic' jacobian='sparse'",
                                        "cone='elliptic' noslip_iterations='3'"};
  for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
    mjModel* m = tilted("stick", options[i], atan(0.4), kEighth / 2, 0.6, 3, kPlate);
    double distance = drift(m, 1);
    test_release(m);
    if (!(distance < 1e-9)) {
      fail_msg("%s: drifts %g m", options[i], distance);
    }
  }
}

// g (sin - mu cos), once sliding is steady
TEST(steeper_plates_slide_as_coulomb_says) {
  DOUBLE_ONLY();
  for (int i = 0; i < 8 * 4; i++) {
    const double mus[] = {0.1, 0.5, 1, 2}, ratios[] = {1.01, 1.5};
    double mu = mus[i % 4], ratio = ratios[i % 2 && mu < 2], heading = i / 4 * kEighth;
    double angle = atan(ratio * mu);
    mjModel* m = tilted("stick", kCone[1], angle, heading, mu, 3, kPlate);
    mjData* d = tilt(m);
    run(m, d, ratio > 1.1 ? 0.5 : 3);
    mjtNum speed = mju_norm(d->qvel, 2);
    run(m, d, 0.5);
    double is = (mju_norm(d->qvel, 2) - speed) / 0.5;
    double should = 9.81 * (sin(angle) - mu * cos(angle));
    mj_deleteData(d);
    test_release(m);
    if (!(fabs(is - should) < rounding(1e-6) * should)) {
      fail_msg("mu = %g heading %g: accelerates by %.9g, not %.9g", mu, heading, is, should);
    }
  }
}

// A plate pushed off stops where its energy is used up; the last of it is taken by the damping,
// over a time constant. Constraints never do work on the whole, and it comes to rest.
TEST(sliding_plates_stop) {
  DOUBLE_ONLY();
  for (int i = 0; i < 4; i++) {
    double speed = i / 2 ? 2 : 0.5, mu = 0.5, should = speed * speed / (2 * mu * 9.81);
    mjModel* m = tilted("stick", kCone[i % 2], 0, 0, mu, 3, kPlate);
    mjData* d = test_data(m);
    run(m, d, 0.5);
    d->qvel[0] = speed;
    mjtNum from = d->qpos[0], farthest = 0, work = 0;
    for (int step = 0; step < 1000; step++) {
      mjtNum before[6];
      mju_copy(before, d->qvel, 6);
      mj_step(m, d);
      for (int k = 0; k < 6; k++) {
        work += m->opt.timestep * d->qfrc_constraint[k] * (before[k] + d->qvel[k]) / 2;
      }
      farthest = d->qpos[0] - from > farthest ? d->qpos[0] - from : farthest;
      assert_that(work, <, 1e-3);
    }
    double is = d->qpos[0] - from;
    mjtNum rest = mju_norm(d->qvel, 6);
    test_release(m);
    if (!(fabs(is - should) < 0.02 * speed && farthest - is < 2e-3 && rest < 1e-9)) {
      fail_msg("%s: stops at %g m, not %g, farthest %g, with %g m/s", kCone[i % 2], is, should,
               (double)farthest, (double)rest);
    }
  }
}

// rotations: a torque about the normal on two pads, a ball on a slope that may not roll
TEST(torsion_and_rolling_hold) {
  DOUBLE_ONLY();
  static const char ball[] = "<body pos='0 0 .1'><freejoint/><geom size='.1'/></body>";
  for (int i = 0; i < 2; i++) {
    mjModel* m = tilted("stick", kCone[i], 0, 0, 0.5, 4, ball);
    mjData* d = mj_makeData(m);
    mjtNum weight = 9.81 * m->body_mass[1];
    run(m, d, 0.5);
    d->qfrc_applied[5] = (mjtNum)0.9 * (mjtNum)0.01 * weight;
    run(m, d, 3);
    mjtNum before[4];
    mju_copy(before, d->qpos + 3, 4);
    run(m, d, 1);
    for (int k = 0; k < 4; k++) {
      assert_near(d->qpos[3 + k], before[k], 1e-9);
    }
    assert_that(mju_norm(d->qvel, 6), <, 1e-9);
    mj_deleteData(d);
    test_release(m);

    // torque of the weight about the contact: m g .1 sin(angle) against .02 m g cos(angle)
    m = tilted("stick", kCone[i], 0.1, 0.3, 0.5, 6, ball);
    d = tilt(m);
    run(m, d, 3);
    mju_copy3(before, d->qpos);
    run(m, d, 1);
    assert_that(mju_dist3(d->qpos, before), <, 1e-9);
    mj_deleteData(d);
    test_release(m);
  }
}

// What stands on a table that turns goes round with it, because its bristles turn as well. Euler's
// steps along the tangent lead outwards by h w^2 r / 2 per time.
TEST(nothing_slips_on_a_turntable) {
  mjModel* m = test_model(
      "<mujoco><option timestep='.002' cone='elliptic' tolerance='1e-12'/>"
      "<custom><text name='condyle.contact' data='stick'/></custom><worldbody>"
      "<body><joint name='turn' axis='0 0 1' armature='1000'/>"
      "<geom name='table' type='box' size='1 1 .05'/></body>"
      "<body pos='.5 0 .069'><freejoint/><geom type='box' size='.05 .05 .02' mass='.1'/></body>"
      "</worldbody></mujoco>");
  mjData* d = test_data(m);
  d->qvel[0] = 1;
  mjtNum at[2][2];
  for (int k = 0; k < 2; k++) {
    run(m, d, 2);
    mjtNum c = cos(d->qpos[0]), s = sin(d->qpos[0]);
    at[k][0] = c * d->qpos[1] + s * d->qpos[2];
    at[k][1] = c * d->qpos[2] - s * d->qpos[1];
  }
  assert_near(at[1][0] - at[0][0], 0.002 * 0.5 / 2 * 2, 1e-4);
  assert_near(at[1][1] - at[0][1], 0, 1e-4);
  assert_near(d->qvel[6], d->qvel[0], 1e-6);
}

// state

static mjData* loaded_plate(mjModel** m) {
  *m = tilted("stick", kCone[1], atan(0.3), 0.5, 0.5, 3, kPlate);
  mjData* d = mj_makeData(*m);
  run(*m, d, 0.5);
  assert_that(largest_of(d->cnd_memory, CND_NMEMORY * (*m)->cnd_nmemory), >, 0);
  return d;
}

TEST(steps_alone_advance_the_deformations) {
  DOUBLE_ONLY();
  mjModel* m;
  mjData* d = loaded_plate(&m);
  size_t bytes = sizeof(mjtNum) * CND_NMEMORY * (size_t)m->cnd_nmemory;
  mjtNum* before = malloc(bytes);
  memcpy(before, d->cnd_memory, bytes);
  mj_forward(m, d);
  mj_inverse(m, d);
  mj_step1(m, d);
  assert_memory_equal(before, d->cnd_memory, bytes);
  mj_step2(m, d);
  assert_memory_not_equal(before, d->cnd_memory, bytes);

  mjData* copy = mj_copyData(NULL, m, d);
  assert_memory_equal(copy->cnd_memory, d->cnd_memory, bytes);
  mj_resetData(m, copy);
  assert_that(largest_of(copy->cnd_memory, CND_NMEMORY * m->cnd_nmemory), ==, 0);
  mj_deleteData(copy);
  mj_deleteData(d);
  free(before);
}

TEST(steps_are_functions_of_the_state) {
  mjModel* m;
  mjData* d = loaded_plate(&m);
  int n = mj_stateSize(m, mjSTATE_INTEGRATION);
  mjtNum *start = malloc(sizeof(mjtNum) * n), *end = malloc(sizeof(mjtNum) * n);
  mj_getState(m, d, start, mjSTATE_INTEGRATION);
  run(m, d, 0.1);
  mj_getState(m, d, end, mjSTATE_INTEGRATION);
  mjData* other = test_data(m);
  run(m, other, 0.05);
  mj_setState(m, other, start, mjSTATE_INTEGRATION);
  run(m, other, 0.1);
  mj_getState(m, other, start, mjSTATE_INTEGRATION);
  assert_memory_equal(start, end, sizeof(mjtNum) * n);
  free(start), free(end);
  mj_deleteData(d);
}

// the vector of cnd_getState is that of the integration state
TEST(the_state_has_the_deformations) {
  mjModel* m;
  mjData* d = loaded_plate(&m);
  int n = cnd_stateSize(m), memory = CND_NMEMORY * m->cnd_nmemory;
  assert_int_equal(n, mj_stateSize(m, mjSTATE_INTEGRATION));
  assert_int_equal(mj_stateSize(m, mjSTATE_WARMSTART), m->nv + memory);
  mjtNum *one = malloc(sizeof(mjtNum) * n), *two = malloc(sizeof(mjtNum) * n);
  cnd_getState(m, d, one);
  mj_getState(m, d, two, mjSTATE_INTEGRATION);
  assert_memory_equal(one, two, sizeof(mjtNum) * n);
  mjData* other = test_data(m);
  cnd_setState(m, other, one);
  assert_memory_equal(other->cnd_memory, d->cnd_memory, sizeof(mjtNum) * memory);
  free(one), free(two);
  mj_deleteData(d);
}

// a model compiled as soft has no room: it creeps, and says so
TEST(what_has_no_room_is_warned_about) {
  mjModel* m = tilted("soft", kCone[1], 0.1, 0, 0.5, 3, kPlate);
  m->cnd_contact.mode = cndCONTACT_STICK;
  mjData* d = test_data(m);
  mju_user_warning = silent;
  run(m, d, 0.1);
  mju_user_warning = NULL;
  assert_that(d->cnd_warning[cndWARN_MEMORY - cndWARN_FIRST].number, >, 0);
}

TEST(inverse_dynamics_knows_the_springs) {
  mjModel* m;
  mjData* d = loaded_plate(&m);
  mjtNum force[6];
  mj_forward(m, d);
  mju_copy(force, d->qfrc_constraint, 6);
  mj_inverse(m, d);
  assert_numbers(d->qfrc_constraint, force, 6, rounding(1e-9), 1);
  mj_deleteData(d);
}
