// Soft contacts that bounce: heights, energies, whose coefficient counts.

#include "constraint/rows/restitution.h"

#include "support/zoo.h"

static mjModel* model_of(const char* option, const char* custom, const char* bodies) {
  char xml[5000];
  snprintf(xml, sizeof xml,
           "<mujoco>%s<custom>%s</custom><worldbody><geom name='floor' type='plane' size='5 5 1'/>"
           "%s</worldbody></mujoco>",
           option, custom, bodies);
  return test_model(xml);
}

static const char kBall[] = "<body pos='0 0 1.1'><freejoint/><geom name='ball' size='.1'/></body>";

// Heights of the first bounces, above the place where the ball touches the floor.
static void bounce_heights(mjtNum* height, int n, const mjModel* m) {
  mjData* d = mj_makeData(m);
  mjtNum before = 0;
  int found = 0;
  for (int step = 0; step < 20000 && found < n; step++) {
    mj_step(m, d);
    if (before > 0 && d->qvel[2] <= 0) {
      height[found++] = d->qpos[2] - (mjtNum)0.1;
    }
    before = d->qvel[2];
  }
  assert_int_equal(found, n);
  mj_deleteData(d);
}

// A bounce may begin up to h v below the surface, half as deep again with Runge-Kutta, from where
// the ball has to come up again with e of its speed: e^2 h0 - (1 - e^2) h v. Euler's velocities are
// half a step of gravity from their positions, which makes as much. The impedance keeps 2e-4.
TEST(balls_rise_to_the_square_of_their_coefficient) {
  static const char* const integrators[] = {"Euler", "RK4", "implicit", "implicitfast"};
  static const char* const solvers[] = {"Newton", "CG", "PGS"};
  const double coefficients[] = {0.3, 0.5, 0.8, 1}, h = 0.001;
  for (int i = 0; i < 4 * 3 * 2 * 4; i++) {
    char option[200], custom[200];
    double e = coefficients[i % 4];
    snprintf(option, sizeof option,
             "<option timestep='%g' integrator='%s' solver='%s' cone='%s' tolerance='1e-12'/>", h,
             integrators[i / 4 % 4], solvers[i / 16 % 3], i / 48 ? "elliptic" : "pyramidal");
    snprintf(custom, sizeof custom, "<numeric name='condyle.restitution' data='%g'/>", e);
    mjModel* m = model_of(option, custom, kBall);
    mjtNum height[2];
    bounce_heights(height, 2, m);
    double from = 1;
    for (int k = 0; k < 2; k++) {
      double speed = sqrt(2 * 9.81 * from), should = e * e * from;
      double below = (1 - e * e) * h * speed * 1.5 + h * speed * e / 4 + 1e-3 * should;
      if (height[k] > should + h * speed * e / 4 || height[k] < should - below) {
        fail_msg("%s e = %g bounce %d: height %g, not %g - %g", option, e, k, (double)height[k],
                 should, below);
      }
      from = height[k];
    }
    test_release(m);
  }
}

// 1/1000 of the height, when the step is short enough
TEST(short_steps_are_exact) {
  mjModel* m = model_of("<option timestep='.0001' integrator='RK4'/>",
                        "<numeric name='condyle.restitution' data='.8'/>", kBall);
  mjtNum height = 0;
  bounce_heights(&height, 1, m);
  assert_near(height, 0.64, 1e-3 * 0.64);
}

TEST(nothing_bounces_below_the_threshold) {
  mjModel* m = model_of("",
                        "<numeric name='condyle.restitution' data='1'/>"
                        "<numeric name='condyle.restitution_threshold' data='6'/>",
                        kBall);
  mjData* d = test_data(m);
  int touched = 0;
  for (int step = 0; step < 1000; step++) {
    mj_step(m, d);
    touched |= d->ncon > 0;
    assert_true(!touched || d->qpos[2] < (mjtNum)0.101);
  }
  assert_true(touched);
}

// the larger one of both, that of the model where a geom has none, none for hard contacts
TEST(the_larger_coefficient_counts) {
  mjModel* m =
      model_of("",
               "<numeric name='condyle.restitution' data='.25'/><tuple name='condyle.restitution'>"
               "<element objtype='geom' objname='ball' prm='.5'/>"
               "<element objtype='geom' objname='dull' prm='.125'/></tuple>",
               "<body pos='0 0 1.1'><freejoint/><geom name='ball' size='.1'/></body>"
               "<body pos='1 0 1.1'><freejoint/><geom name='dull' size='.1'/></body>");
  int floor = mj_name2id(m, mjOBJ_GEOM, "floor"), ball = mj_name2id(m, mjOBJ_GEOM, "ball");
  int dull = mj_name2id(m, mjOBJ_GEOM, "dull");
  const struct {
    int geom[2];
    double e;
  } pairs[] = {{{floor, ball}, .5}, {{ball, dull}, .5}, {{dull, floor}, .25}, {{dull, dull}, .125}};
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
    mjContact contact = {.geom = {pairs[i].geom[0], pairs[i].geom[1]}};
    assert_near(restitution_of(m, &contact), pairs[i].e, 0);
    assert_true(restitution_is_soft(m, &contact));
  }
  m->cnd_contact.mode = cndCONTACT_HARD;
  assert_false(restitution_is_soft(m, &(mjContact){.geom = {floor, ball}}));
}

// Are all contacts, if any, in the midst of an impact?
static int all_bounce(const mjModel* m, const mjData* d) {
  for (int i = 0; i < d->ncon; i++) {
    mjData one = *d;
    one.contact = d->contact + i;
    one.ncon = 1;
    if (!restitution_bounces(m, &one)) {
      return 0;
    }
  }
  return d->ncon > 0;
}

// Forces change the kinetic energy of a step by h f'J (v + v+) / 2. Impacts never add to it, with
// friction, several points and whatever spin; an elastic one on a rough floor takes nothing but
// what the impedance yields.
TEST(impacts_never_gain_energy) {
  static const char* const shapes[] = {"type='box' size='.1 .2 .3'", "type='capsule' size='.05 .2'",
                                       "type='cylinder' size='.2 .05'",
                                       "type='ellipsoid' size='.1 .2 .3'"};
  int impacts = 0;
  for (int k = 0; k < 24; k++) {
    char option[200], custom[200], body[300];
    double e = (k % 3 + 2) * 0.25;
    snprintf(option, sizeof option,
             "<option timestep='.001' cone='%s' tolerance='1e-14' iterations='200'/>",
             k / 12 ? "elliptic" : "pyramidal");
    snprintf(custom, sizeof custom, "<numeric name='condyle.restitution' data='%g'/>", e);
    snprintf(body, sizeof body,
             "<body pos='0 0 .8' euler='%d %d %d'><freejoint/><geom %s friction='%g .01 .001'"
             " condim='6'/></body>",
             13 * k + 7, 37 * k, 11 * k, shapes[k % 4], 0.1 + 0.2 * (k % 5));
    mjModel* m = model_of(option, custom, body);
    mjData* d = test_data(m);
    for (int i = 0; i < 6; i++) {
      d->qvel[i] = (mjtNum)sin(k * 7 + i * 3) * (i < 3 ? 3 : 2);
    }
    for (int step = 0; step < 800; step++) {
      mjtNum before[6], gain = 0, loss = 0;
      mju_copy(before, d->qvel, 6);
      mj_step(m, d);
      if (!all_bounce(m, d)) {
        continue;
      }
      for (int i = 0; i < 6; i++) {
        mjtNum work = m->opt.timestep * d->qfrc_constraint[i] * (before[i] + d->qvel[i]) / 2;
        gain += work;
        loss += fabs(work);
      }
      impacts++;
      if (!(gain <= (sizeof(mjtNum) == 4 ? 1e-3 : 1e-9) * loss)) {
        fail_msg("%s e = %g step %d: gains %g J of %g J", body, e, step, (double)gain,
                 (double)loss);
      }
    }
    test_release(m);
  }
  assert_that(impacts, >, 40);
}

// the law is one of state and acceleration, so inverse dynamics finds the same forces
TEST(inverse_dynamics_agrees_in_an_impact) {
  DOUBLE_ONLY();
  for (int elliptic = 0; elliptic < 2; elliptic++) {
    mjModel* m = model_of(
        elliptic ? "<option cone='elliptic' tolerance='1e-14'/>" : "<option tolerance='1e-14'/>",
        "<numeric name='condyle.restitution' data='.7'/>", kBall);
    mjData* d = test_data(m);
    d->qpos[2] = (mjtNum)0.099;
    d->qvel[0] = 1;
    d->qvel[2] = -2;
    d->qvel[4] = 5;
    mj_forward(m, d);
    assert_true(restitution_bounces(m, d));
    mjtNum force[6];
    mju_copy(force, d->qfrc_constraint, 6);
    mj_inverse(m, d);
    assert_numbers(d->qfrc_constraint, force, 6, rounding(1e-9), 1);
    test_release(m);
  }
}
