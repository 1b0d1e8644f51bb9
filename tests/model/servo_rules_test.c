// Later rules of servos: damping ratios, targets of turns, forces at their bounds; with the numbers
// of 4.0.0.

#include <condyle/derivative.h>

#include "model/behaviour.h"
#include "support/load.h"
#include "support/near.h"
#include "support/precision.h"
#include "support/recorded.h"
#include "support/test.h"

static const char kServos[] = "tests/models/since/servos.xml";

static mjData* at_state(const mjModel* m) {
  mjData* d = test_data(m);
  mjtNum turn[16];
  for (int i = 0; i < m->nv; i++) {
    turn[i] = (mjtNum)0.3 * mju_sin((mjtNum)(1 + i));
    d->qvel[i] = mju_cos((mjtNum)(2 * i));
  }
  mj_integratePos(m, d->qpos, turn, 1);
  return d;
}

TEST(damping_ratios_are_of_the_mass_that_a_servo_feels) {
  DOUBLE_ONLY();
  mjModel* m = test_model_file(kServos);
  mjtNum bias[27];
  for (int i = 0; i < 9; i++) {
    mju_copy(bias + 3 * i, m->actuator_biasprm + mjNBIAS * i, 3);
  }
  assert_recorded("servos_biasprm", bias, 27);
}

TEST(constants_of_a_compiled_model_leave_ratios_alone) {
  for (int rule = 0; rule < 2; rule++) {
    mjModel* m = test_model_file(kServos);
    m->opt.behaviour = rule << cndBEHAVIOUR_dampratio;
    m->actuator_biasprm[2] = (mjtNum)0.5;
    assert_int_equal(cnd_behaviourMatters(m, cndBEHAVIOUR_dampratio), 1);
    mj_setConst(m, test_data(m));
    assert_int_equal(m->actuator_biasprm[2] == (mjtNum)0.5, rule);
  }
}

TEST(servos_of_turns_take_the_nearest_target) {
  DOUBLE_ONLY();
  static const struct {
    mjtNum ctrl;
    const char* name;
  } row[] = {{6.5, "6.5"}, {7, "7"}, {20, "20"}, {-9, "-9"}};
  mjModel* m = test_model_file(kServos);
  mjData* d = at_state(m);
  for (size_t k = 0; k < sizeof(row) / sizeof(row[0]); k++) {
    char name[40];
    for (int i = 0; i < m->nu; i++) {
      d->ctrl[i] = row[k].ctrl;
    }
    d->act[0] = row[k].ctrl;
    mj_forward(m, d);
    snprintf(name, sizeof(name), "servos_force_%s", row[k].name);
    assert_recorded(name, d->actuator_force, (size_t)m->nu);
  }
  // one that is no servo, and all by the rule of 3.3.7, pull the long way
  m->opt.behaviour &= ~(1 << cndBEHAVIOUR_servowrap);
  d->ctrl[4] = 20;
  mj_forward(m, d);
  assert_that(d->actuator_force[4], >, 100);
}

TEST(servos_at_their_bounds_step_as_in_the_newest_release) {
  DOUBLE_ONLY();
  for (int integrator = mjINT_IMPLICIT; integrator <= mjINT_IMPLICITFAST; integrator++) {
    mjModel* m = test_model_file(kServos);
    m->opt.integrator = integrator;
    mjtNum state[2][32];
    int n = m->nq + m->nv + m->na;
    for (int rule = 1; rule >= 0; rule--) {
      m->opt.behaviour &= rule ? -1 : ~(1 << cndBEHAVIOUR_actclamp);
      mjData* d = at_state(m);
      for (int i = 0; i < m->nu; i++) {
        d->ctrl[i] = 3 * mju_sin((mjtNum)i);
      }
      d->ctrl[6] = 40;
      for (int i = 0; i < 100; i++) {
        mj_step(m, d);
      }
      mju_copy(state[rule], d->qpos, m->nq);
      mju_copy(state[rule] + m->nq, d->qvel, m->nv);
      mju_copy(state[rule] + m->nq + m->nv, d->act, m->na);
    }
    char name[40];
    snprintf(name, sizeof(name), "servos_steps_%d", integrator);
    assert_recorded(name, state[1], (size_t)n);
    mju_subFrom(state[0], state[1], n);
    assert_that(mju_norm(state[0], n), >, 1e-3);
  }
}

static mjtNum damping_of(const char* actuators, const char* joint, int rule) {
  char xml[1000];
  snprintf(
      xml, sizeof(xml),
      "<mujoco><option integrator='implicit'/><worldbody><body><joint name='a' type='slide' %s/>"
      "<geom size='.1' mass='1'/></body></worldbody><tendon><fixed name='t' actuatorfrcrange="
      "'-5 5' actuatorfrclimited='true'><joint joint='a' coef='1'/></fixed></tendon><actuator>"
      "%s</actuator></mujoco>",
      joint, actuators);
  mjModel* m = test_model(xml);
  m->opt.behaviour = rule << cndBEHAVIOUR_actclamp;
  mjData* d = test_data(m);
  mju_fill(d->ctrl, 100, m->nu);
  mj_step(m, d);
  return d->qDeriv[0];
}

// Each bound takes what it holds out of the derivative, and nothing else.
TEST(actuators_at_a_bound_have_no_derivative) {
  const char* own =
      "<general joint='a' biastype='affine' biasprm='0 0 -4' forcerange='-9 9'/>"
      "<general joint='a' gainprm='0' biastype='affine' biasprm='0 0 -2' forcerange='-9 9'/>";
  const char* joint =
      "<general joint='a' biastype='affine' biasprm='0 0 -4'/>"
      "<general tendon='t' gainprm='0' biastype='affine' biasprm='0 0 -2'/>";
  const char* tendon =
      "<general joint='a' biastype='affine' biasprm='0 0 -4'/>"
      "<general tendon='t' biastype='affine' biasprm='0 0 -2'/>"
      "<general tendon='t' gainprm='0' biastype='affine' biasprm='0 0 -1'/>";
  assert_near(damping_of(own, "", 0), -6, 1e-12);
  assert_near(damping_of(own, "", 1), -2, 1e-12);
  assert_near(damping_of(joint, "actuatorfrcrange='-9 9'", 0), -6, 1e-12);
  assert_near(damping_of(joint, "actuatorfrcrange='-9 9'", 1), -2, 1e-12);
  assert_near(damping_of(tendon, "", 0), -7, 1e-12);
  assert_near(damping_of(tendon, "", 1), -4, 1e-12);
}

// Where a rule could change them, exact derivatives and lanes refuse; elsewhere it doesn't matter.
TEST(rules_of_servos_say_where_they_matter) {
  mjModel* m = test_model_file(kServos);
  assert_int_equal(cnd_behaviourMatters(m, cndBEHAVIOUR_servowrap), 1);
  assert_int_equal(cnd_behaviourMatters(m, cndBEHAVIOUR_actclamp), 1);
  assert_int_equal(cnd_behaviourMatters(m, cndBEHAVIOUR_dampratio), 0);  // no ratio is left
  m->opt.integrator = mjINT_EULER;
  assert_int_equal(cnd_behaviourMatters(m, cndBEHAVIOUR_actclamp), 0);
}
