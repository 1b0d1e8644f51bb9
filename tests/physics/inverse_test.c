// Inverse dynamics of what forward dynamics gives returns the force that was applied, in contact,
// at limits and with friction, for every integrator.

#include "support/models.h"
#include "support/zoo.h"

// A state in the middle of things: random controls and 150 steps from the first keyframe, then
// random applied forces.
static void get_going(const mjModel* m, mjData* d, uint64_t seed) {
  mj_resetDataKeyframe(m, d, 0);
  if (!m->nkey) {
    mj_resetData(m, d);
  }
  for (int i = 0; i < m->nu; i++) {
    d->ctrl[i] = (mjtNum)(0.5 * uniform_random(&seed));
  }
  for (int i = 0; i < 150; i++) {
    mj_step(m, d);
  }
  for (int i = 0; i < m->nv; i++) {
    d->qfrc_applied[i] = uniform_random(&seed);
  }
  for (int i = 6; i < 6 * m->nbody; i++) {
    d->xfrc_applied[i] = uniform_random(&seed);
  }
}

// Everything that is applied from outside or by actuators, in joint space.
static void applied(mjtNum* out, const mjModel* m, mjData* d) {
  mju_add(out, d->qfrc_applied, d->qfrc_actuator, m->nv);
  for (int i = 1; i < m->nbody; i++) {
    mj_applyFT(m, d, d->xfrc_applied + 6 * i, d->xfrc_applied + 6 * i + 3, d->xipos + 3 * i, i,
               out);
  }
}

// |a - b| relative to the largest force at work
static double error(const mjModel* m, const mjData* d, const mjtNum* expected) {
  size_t where;
  double size = fmax(largest_of(d->qfrc_constraint, m->nv), largest_of(d->qfrc_bias, m->nv));
  return relative_error(&where, d->qfrc_inverse, expected, m->nv, fmax(1, size));
}

static const char* const models[] = {kHumanoid, kChain, kRubble, kLimits};

TEST(inverse_returns_what_was_applied) {
  int rows = 0;
  for (int k = 0; k < 4; k++) {
    mjModel* m = our_model(models[k]);
    mjData* d = test_data(m);
    mjtNum* expected = calloc((size_t)m->nv, sizeof *expected);
    assert_non_null(expected);
    tighten(m);
    for (int cone = 0; cone < 2; cone++) {
      for (uint64_t seed = 1; seed <= 5; seed++) {
        m->opt.cone = cone;
        get_going(m, d, seed);
        mj_forward(m, d);
        applied(expected, m, d);
        mj_inverse(m, d);
        rows += d->nefc;
        double found = error(m, d, expected);
        if (!(found <= rounding(1e-9))) {
          fail_msg("%s, cone %d, state %d: relative error %.3g", models[k], cone, (int)seed, found);
        }
      }
    }
    free(expected);
    test_release(m);
  }
  assert_that(rows, >, 300);
}

// The engine's own check says the same.
TEST(forward_and_inverse_agree_by_their_own_account) {
  for (int k = 0; k < 4; k++) {
    mjModel* m = our_model(models[k]);
    mjData* d = test_data(m);
    tighten(m);
    m->opt.enableflags |= mjENBL_FWDINV;
    get_going(m, d, 9);
    mj_forward(m, d);
    assert_near(d->solver_fwdinv[0], 0, slope_error(1e-7));
    assert_near(d->solver_fwdinv[1], 0, slope_error(1e-7));
    test_release(m);
  }
}

// The difference quotient of a step's velocities, given to the discrete inverse, returns the force
// as well, though the integrator has damped the step.
TEST(discrete_inverse_returns_what_was_applied) {
  static const int integrators[] = {mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST};
  for (int k = 0; k < 4; k++) {
    mjModel* m = our_model(models[k]);
    mjData *d = mj_makeData(m), *before = mj_makeData(m);
    mjtNum* expected = calloc((size_t)m->nv, sizeof *expected);
    assert_non_null(expected);
    tighten(m);
    for (int i = 0; i < 3; i++) {
      m->opt.integrator = integrators[i];
      m->opt.enableflags &= ~mjENBL_INVDISCRETE;
      get_going(m, d, 5);
      mj_copyData(before, m, d);
      mj_step(m, d);
      mj_forward(m, before);
      applied(expected, m, before);
      m->opt.enableflags |= mjENBL_INVDISCRETE;
      for (int j = 0; j < m->nv; j++) {
        before->qacc[j] = (d->qvel[j] - before->qvel[j]) / m->opt.timestep;
      }
      mj_inverse(m, before);
      double found = error(m, before, expected);
      if (!(found <= rounding(1e-9))) {
        fail_msg("%s, integrator %d: relative error %.3g", models[k], integrators[i], found);
      }
    }
    free(expected);
    mj_deleteData(d);
    mj_deleteData(before);
    test_release(m);
  }
}
