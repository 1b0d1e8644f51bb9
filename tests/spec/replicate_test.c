// Replicas of a part: where they are, and what they are called.

#include "support/load.h"
#include "support/near.h"
#include "support/precision.h"

// p_(i+1) = p_i + R(i e) offset, with e a quarter turn
TEST(each_replica_is_an_offset_further_as_the_last_one_sees_it) {
  DOUBLE_ONLY();
  const mjtNum pos[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, x[3] = {1, 0, 0};
  mjModel* m = test_model(
      "<mujoco><worldbody><replicate count='4' offset='1 0 0' euler='0 0 90' "
      "sep='-'><site name='s'/></replicate></worldbody></mujoco>");
  assert_int_equal(m->nsite, 4);
  for (int i = 0; i < 4; i++) {
    char name[10];
    mjtNum out[3], turned[3] = {(mjtNum)cos(i * mjPI / 2), (mjtNum)sin(i * mjPI / 2), 0};
    snprintf(name, sizeof(name), "s-%d", i);
    assert_int_equal(mj_name2id(m, mjOBJ_SITE, name), i);
    assert_close(m->site_pos + 3 * i, pos[i], 3, 1e-12);
    mju_rotVecQuat(out, x, m->site_quat + 4 * i);
    assert_close(out, turned, 3, 1e-12);
  }
}

// Numbers have as many digits as the count; what refers to a part is copied along.
TEST(replicas_have_numbers_of_one_width_and_followers_of_their_own) {
  mjModel* m = test_model(
      "<mujoco><worldbody><replicate count='12' offset='1 0 0'><body name='b'>"
      "<joint name='j'/><geom size='.1'/></body></replicate></worldbody><actuator>"
      "<motor name='m' joint='j'/></actuator></mujoco>");
  assert_int_equal(m->nu, 12);
  for (int i = 0; i < 12; i++) {
    char name[3][10];
    for (int k = 0; k < 3; k++) {
      snprintf(name[k], sizeof(name[k]), "%c%02d", "bjm"[k], i);
    }
    assert_int_equal(mj_name2id(m, mjOBJ_BODY, name[0]), i + 1);
    int motor = mj_name2id(m, mjOBJ_ACTUATOR, name[2]);
    assert_in_range(motor, 0, 11);
    assert_int_equal(m->actuator_trnid[2 * motor], mj_name2id(m, mjOBJ_JOINT, name[1]));
  }
}

TEST(no_replica_at_all_leaves_nothing) {
  mjModel* m = test_model(
      "<mujoco><worldbody><replicate count='0'><site name='s'/></replicate>"
      "</worldbody></mujoco>");
  assert_int_equal(m->nsite, 0);
}
