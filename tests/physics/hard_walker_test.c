// A robot of 36 dofs with sprung feet steps on the spot. Its joints follow given angles without
// feedback of balance.

#include "support/models.h"
#include "support/precision.h"

static mjModel* walker(int points, const char* integrator) {
  char command[1000];
  snprintf(command, sizeof command, "python3 '%s/models/walker.py' %d %s", CONDYLE_SOURCE_DIR,
           points, integrator);
  char* text = model_output(command);
  mjModel* m = test_model(text);
  free(text);
  return m;
}

static double weight(const mjModel* m) {
  return -(double)(mj_getTotalmass(m) * m->opt.gravity[2]);
}

// Vertical forces on the left and the right sole, N.
static void foot_forces(double force[2], const mjModel* m, const mjData* d) {
  int left = mj_name2id(m, mjOBJ_BODY, "left_sole");
  force[0] = force[1] = 0;
  for (int i = 0; i < d->ncon; i++) {
    mjtNum f[6];
    mj_contactForce(m, d, i, f);
    int on_left = m->geom_bodyid[d->contact[i].geom[1]] == left;
    force[!on_left] += (double)f[0];
  }
}

static void servo(const mjModel* m, mjData* d, const char* side, const char* joint, double angle) {
  char name[100];
  snprintf(name, sizeof name, "%s_%s", side, joint);
  d->ctrl[mj_name2id(m, mjOBJ_ACTUATOR, name)] = (mjtNum)angle;
}

// from 0 at t = 0 to 1 at t = 1, smoothly
static double ease(double t) {
  return t <= 0 ? 0 : t >= 1 ? 1 : t * t * (3 - 2 * t);
}

// 8 s: over to the left, the right foot up and down, over to the right, the left foot up and down.
static void step_on_the_spot(const mjModel* m, mjData* d, double t) {
  const double sway = 0.16, lift = 0.25;
  double phase = fmod(t / 2, 4), side = t < 8 ? 0 : -1;
  double over = phase < 2 ? side + (1 - side) * ease(phase) : 1 - 2 * ease(phase - 2);
  static const char* const sides[] = {"left", "right"};
  for (int k = 0; k < 2; k++) {
    double up = phase - (k ? 1 : 3),
           bend = up > 0 && up < 1 ? lift * (1 - cos(2 * mjPI * up)) / 2 : 0;
    servo(m, d, sides[k], "hip_roll", -sway * over);
    servo(m, d, sides[k], "ankle_roll", sway * over);
    servo(m, d, sides[k], "hip_pitch", -bend);
    servo(m, d, sides[k], "knee", 2 * bend);
    servo(m, d, sides[k], "ankle_pitch", -bend);
  }
}

TEST(standing_feet_bear_the_weight) {
  DOUBLE_ONLY();
  static const char* const integrators[] = {"euler", "rk4"};
  for (int i = 0; i < 2; i++) {
    mjModel* m = walker(8, integrators[i]);
    mjData* d = test_data(m);
    double force[2], before[2] = {0}, jump = 0;
    while (d->time < 2) {
      mj_step(m, d);
      foot_forces(force, m, d);
      for (int k = 0; d->time > 0.5 && k < 2; k++) {
        jump = fmax(jump, fabs(force[k] - before[k]));
      }
      memcpy(before, force, sizeof before);
    }
    if (!(fabs((force[0] + force[1]) / weight(m) - 1) < 1e-6 && jump < 0.02 * weight(m))) {
      fail_msg("%s: feet bear %.9g N of %.9g, from step to step up to %g N more or less",
               integrators[i], force[0] + force[1], weight(m), jump);
    }
    test_release(m);
  }
}

TEST(the_robot_steps_on_the_spot) {
  DOUBLE_ONLY();
  mjModel* m = walker(8, "euler");
  mjData* d = test_data(m);
  double force[2], before[2] = {0}, jumps = 0, steps = 0, alone[2] = {0};
  double end = getenv("CONDYLE_LONG") ? 20 : 8.5;
  while (d->time < end) {
    step_on_the_spot(m, d, (double)d->time);
    mj_step(m, d);
    foot_forces(force, m, d);
    // touching down is an impact; else forces change little from step to step
    for (int k = 0; k < 2; k++) {
      steps++;
      jumps += fabs(force[k] - before[k]) > 0.02 * weight(m);
    }
    for (int k = 0; k < 2; k++) {
      alone[k] += force[!k] == 0 && force[k] > 0.5 * weight(m) ? (double)m->opt.timestep : 0;
    }
    memcpy(before, force, sizeof before);
    assert_that(d->qpos[2], >, 0.65);
  }
  // each foot was in the air for a good part of its turns
  if (!(alone[0] > 0.02 * end && alone[1] > 0.02 * end && jumps < 0.02 * steps)) {
    fail_msg(
        "alone on the left foot for %g s, on the right for %g s of %g s; %g jumps of force in %g "
        "steps",
        alone[0], alone[1], end, jumps, steps);
  }
}
