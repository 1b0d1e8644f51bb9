// Forces and activations of actuators, against differences.

#include "derivative/smooth/force_differences.h"

#define MUSCLE                                                                         \
  "<muscle joint='knee' lengthrange='-2 2'/><muscle joint='twist' lengthrange='-2 2' " \
  "timeconst='.02 .05' tausmooth='.1'/>"

static const char kActuated[] =
    "<mujoco>" ZOO_NOCONTACT ZOO_WORLD
    "<actuator><general joint='hip' gaintype='affine' gainprm='1 2 -3' "
    "biastype='affine' biasprm='1 -2 -.5' ctrllimited='true' "
    "ctrlrange='-9 9' forcelimited='true' forcerange='-90 90'/>" MUSCLE
    "<general joint='reach' dyntype='filter' dynprm='.1' "
    "gaintype='affine' gainprm='1 2 -3'/>"
    "<general joint='yaw' dyntype='filterexact' dynprm='.1' gainprm='2' "
    "actlimited='true' actrange='-3 3'/>"
    "<general joint='cx' dyntype='integrator' gainprm='2'/>"
    "<general tendon='cord' dyntype='filterexact' dynprm='.1' "
    "actearly='true' gainprm='3'/>"
    "<motor joint='root' gear='1 2 3 4 5 6'/></actuator></mujoco>";

// activations inside of (0, 1), away from switches
static Scene actuated_scene(void) {
  Scene s = scene_make(kActuated, 0.5);
  for (int i = 0; i < s.m->nu; i++) {
    s.d->ctrl[i] = (mjtNum)0.5 + (mjtNum)0.05 * (mjtNum)i;
  }
  for (int i = 0; i < s.m->na; i++) {
    s.d->act[i] = (mjtNum)0.3 + (mjtNum)0.02 * (mjtNum)i;
  }
  mj_freeStack(s.d);
  mj_forward(s.m, s.d);
  mj_markStack(s.d);
  return s;
}

static void actuation(mjtNum* y, const mjModel* m, mjData* d, void* of) {
  (void)of;
  update_velocities(m, d);
  mj_fwdActuation(m, d);
  mju_copy(y, d->qfrc_actuator, m->nv);
}

TEST(forces_of_actuators_change_as_differences_say) {
  DOUBLE_ONLY();
  Scene s = actuated_scene();
  Twists W = twists_make(s.m, s.d, s.d->qvel);
  ForceJacobian F = force_jacobian(s.m, s.d);
  actuators_derivative(&F, s.m, s.d, &W);
  assert_int_equal(F.kinks, 0);
  check_jacobian(&s, &F, actuation, NULL, 1e-7);
  scene_free(&s);
}

// act_dot and the next activation, by act and ctrl of one actuator
typedef struct {
  Scene* s;
  int actuator;
} Activated;

static void activation_at(mjtNum y[2], const mjtNum x[2], void* of) {
  const Activated* a = of;
  const mjModel* m = a->s->m;
  mjData* d = data_like(m, a->s->d);
  int act = m->actuator_actadr[a->actuator] + m->actuator_actnum[a->actuator] - 1;
  d->act[act] = x[0];
  d->ctrl[a->actuator] = x[1];
  mj_forward(m, d);
  y[0] = d->act_dot[act];
  mj_Euler(m, d);
  y[1] = d->act[act];
  mj_deleteData(d);
}

TEST(activations_change_as_differences_say) {
  DOUBLE_ONLY();
  Scene s = actuated_scene();
  mjtNum row[200];
  ForceTerms terms = {row, row + s.nv, row + 2 * s.nv, row + 2 * s.nv + s.m->na};
  assert_that(2 * s.nv + s.m->na + s.m->nu, <=, 200);
  for (int i = 0; i < s.m->nu; i++) {
    if (s.m->actuator_actadr[i] < 0) {
      continue;
    }
    Activated of = {&s, i};
    const mjtNum x[2] = {s.d->act[s.m->actuator_actadr[i]], s.d->ctrl[i]};
    mjtNum J[4], rate[2], next[2];
    differences(J, activation_at, &of, x, 2, 2, (mjtNum)1e-4);
    int act = s.m->actuator_actadr[i] + s.m->actuator_actnum[i] - 1;
    Twists W = twists_make(s.m, s.d, s.d->qvel);
    mju_zero(row, 2 * s.nv + s.m->na + s.m->nu);
    activation_rate_row(&terms, s.m, s.d, i, act, &W, 1);
    rate[0] = terms.act[act];
    rate[1] = terms.ctrl[i];
    mju_zero(row, 2 * s.nv + s.m->na + s.m->nu);
    activation_next_row(&terms, s.m, s.d, i, act, &W, 1);
    next[0] = terms.act[act];
    next[1] = terms.ctrl[i];
    assert_numbers(rate, J, 2, 1e-7, 1);
    assert_numbers(next, J + 2, 2, 1e-7, 1);
    assert_that(activation_time(s.m, i, act), <=, s.m->opt.timestep);
  }
  scene_free(&s);
}

TEST(activations_out_of_their_range_are_clamped) {
  Scene s = actuated_scene();
  int exact = 4;
  assert_int_equal(s.m->actuator_actlimited[exact], 1);
  assert_true(activation_is_clamped(s.m, exact, 0, 4));
  assert_true(activation_is_clamped(s.m, exact, 0, -4));
  assert_false(activation_is_clamped(s.m, exact, 0, 0));
  assert_false(activation_is_clamped(s.m, 3, 0, 40));
  scene_free(&s);
}

// The row of a dof whose total is at its end is zero.
TEST(a_clamped_dof_answers_to_nothing) {
  Scene s = actuated_scene();
  int hip = scene_id(&s, mjOBJ_JOINT, "hip"), dof = s.m->jnt_dofadr[hip];
  s.m->jnt_actfrclimited[hip] = 1;
  s.m->jnt_actfrcrange[2 * hip] = (mjtNum)-1e-6;
  s.m->jnt_actfrcrange[2 * hip + 1] = (mjtNum)1e-6;
  mj_forward(s.m, s.d);
  Twists W = twists_make(s.m, s.d, s.d->qvel);
  ForceJacobian F = force_jacobian(s.m, s.d);
  actuators_derivative(&F, s.m, s.d, &W);
  assert_true(dof_is_clamped(s.m, s.d, dof));
  assert_false(dof_is_clamped(s.m, s.d, dof + 1));
  assert_near(largest_of(F.q + dof * s.nv, s.nv), 0, 0);
  assert_near(largest_of(F.ctrl + dof * s.m->nu, s.m->nu), 0, 0);
  assert_that(largest_of(F.ctrl, s.m->nu), >, 0);
  scene_free(&s);
}
