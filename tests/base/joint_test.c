// Factors of joints: they make up the joint, dofs that move together are one factor, and equal
// factors of different types move alike.

#include "base/joint.h"

#include "support/load.h"
#include "support/test.h"

static const char* kJoints =
    "<mujoco><worldbody>"
    "<body><freejoint/><geom size='.1'/></body>"
    "<body><joint type='slide'/><joint/><geom size='.1'/></body>"
    "<body><joint type='ball'/><geom size='.1'/></body>"
    "<body><joint type='slide'/><joint type='slide'/><joint type='slide'/><geom size='.1'/></body>"
    "</worldbody></mujoco>";

TEST(factors_have_the_numbers_of_their_joint) {
  static const int nq[] = {
      [mjJNT_FREE] = 7, [mjJNT_BALL] = 4, [mjJNT_SLIDE] = 1, [mjJNT_HINGE] = 1};
  static const int nv[] = {
      [mjJNT_FREE] = 6, [mjJNT_BALL] = 3, [mjJNT_SLIDE] = 1, [mjJNT_HINGE] = 1};
  for (int type = mjJNT_FREE; type <= mjJNT_HINGE; type++) {
    assert_int_equal(joint_nq(type), nq[type]);
    assert_int_equal(joint_nv(type), nv[type]);
    assert_int_equal(joint_has_quat(type), nq[type] != nv[type]);
  }
}

TEST(a_factor_is_a_scalar_or_a_whole_quaternion) {
  static const int first[] = {0, 1, 2, 3, 3, 3, 6, 7, 8, 8, 8, 11, 12, 13};
  mjModel* m = test_model(kJoints);
  assert_int_equal(m->nv, 14);
  for (int dof = 0; dof < m->nv; dof++) {
    DofStep step = dof_step(m, dof);
    int is_quat = (dof >= 3 && dof < 6) || (dof >= 8 && dof < 11);
    assert_int_equal(step.first, first[dof]);
    assert_int_equal(step.end, first[dof] + (is_quat ? 3 : 1));
    assert_int_equal(dof_in_quat(m, dof), is_quat);
  }
}

TEST(a_free_joint_moves_like_three_slides_and_a_ball) {
  mjModel* m = test_model(kJoints);
  mjtNum q[2][16], v[14];
  const int free = m->jnt_qposadr[0], ball = m->jnt_qposadr[3], slides = m->jnt_qposadr[4];
  for (int trial = 0; trial < 100; trial++) {
    mjtNum dt = mju_Halton(trial + 1, 3);
    for (int k = 0; k < 2; k++) {
      for (int i = 0; i < m->nq; i++) {
        q[k][i] = 2 * mju_Halton(1 + trial + 100 * (i + 20 * k), 2) - 1;
      }
      mj_normalizeQuat(m, q[k]);
      memcpy(q[k] + slides, q[k] + free, 3 * sizeof(mjtNum));
      memcpy(q[k] + ball, q[k] + free + 3, 4 * sizeof(mjtNum));
    }
    mj_differentiatePos(m, v, dt, q[0], q[1]);
    assert_memory_equal(v + 11, v, 3 * sizeof(mjtNum));
    assert_memory_equal(v + 8, v + 3, 3 * sizeof(mjtNum));
    mj_integratePos(m, q[0], v, dt);
    assert_memory_equal(q[0] + slides, q[0] + free, 3 * sizeof(mjtNum));
    assert_memory_equal(q[0] + ball, q[0] + free + 3, 4 * sizeof(mjtNum));
  }
}
