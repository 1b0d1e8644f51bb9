// Programs that give their own dynamics, gains, biases and passive forces.

#include "support/zoo.h"

static const char kModel[] =
    "<mujoco><worldbody><body><joint name='j' axis='0 1 0'/><geom size='.1'/></body></worldbody>"
    "<actuator><general joint='j' dyntype='user' gaintype='user' biastype='user'/>"
    "<general joint='j' dyntype='user' actdim='3' gaintype='user'/>"
    "<general joint='j' gaintype='user' biastype='user'/></actuator></mujoco>";

static mjtNum own_dynamics(const mjModel* m, const mjData* d, int id) {
  // several variables: the callback writes the rates itself
  if (m->actuator_actnum[id] > 1) {
    for (int k = 0; k < m->actuator_actnum[id]; k++) {
      d->act_dot[m->actuator_actadr[id] + k] = (mjtNum)(k + 10);
    }
    return 77;
  }
  return d->ctrl[id] + 1;
}

static mjtNum own_gain(const mjModel* m, const mjData* d, int id) {
  (void)m;
  (void)d;
  return (mjtNum)(id + 2);
}

static mjtNum own_bias(const mjModel* m, const mjData* d, int id) {
  (void)m;
  return 5 + d->actuator_length[id];
}

static void own_force(const mjModel* m, mjData* d) {
  (void)m;
  d->qfrc_passive[0] += 3;
}

TEST(user_actuators_follow_their_callbacks) {
  mjModel* m = test_model(kModel);
  mjData* d = test_data(m);
  d->qpos[0] = (mjtNum)0.25;
  d->ctrl[0] = d->ctrl[2] = (mjtNum)0.5;
  d->act[0] = 2;
  d->act[3] = 4;

  // without callbacks: no dynamics, gain 1, no bias
  mj_forward(m, d);
  assert_near(d->act_dot[0], 0, 0);
  assert_near(d->actuator_force[0], 2, 0);
  assert_near(d->actuator_force[1], 4, 0);
  assert_near(d->actuator_force[2], 0.5, 0);

  mjcb_act_dyn = own_dynamics;
  mjcb_act_gain = own_gain;
  mjcb_act_bias = own_bias;
  mjcb_passive = own_force;
  mj_forward(m, d);
  mjcb_act_dyn = NULL;
  mjcb_act_gain = NULL;
  mjcb_act_bias = NULL;
  mjcb_passive = NULL;
  assert_near(d->act_dot[0], 1.5, 0);
  for (int k = 0; k < 3; k++) {
    assert_near(d->act_dot[1 + k], k + 10, 0);
  }
  assert_near(d->actuator_force[0], 2 * 2 + 5.25, 1e-15);
  assert_near(d->actuator_force[1], 3 * 4, 1e-15);
  assert_near(d->actuator_force[2], 4 * 0.5 + 5.25, 1e-15);
  assert_near(d->qfrc_passive[0], 3, 0);
}
