// Exact derivatives of steps: against differences, and of systems whose derivatives are known.

#include "derivative/steps.h"

TEST(forces_agree_with_differences) {
  DOUBLE_ONLY();
  steps_checkFile("tests/models/actuator_joint.xml", 2);
  steps_checkFile("tests/models/actuator_crank.xml", 2);
  steps_checkFile("tests/models/actuator_site.xml", 2);
  steps_checkFile("tests/models/actuator_muscle.xml", 2);
  steps_checkFile("tests/models/actuator_groups.xml", 2);
  steps_checkFile("tests/models/joint_everything.xml", 1);
}

TEST(tendons_agree_with_differences) {
  DOUBLE_ONLY();
  steps_checkFile("tests/models/tendon_sphere.xml", 2);
  steps_checkFile("tests/models/tendon_sphere_inside.xml", 2);
  steps_checkFile("tests/models/tendon_cylinder_side.xml", 2);
  steps_checkFile("tests/models/tendon_cylinder_inside.xml", 2);
  steps_checkFile("tests/models/tendon_pulley.xml", 2);
  steps_checkFile("tests/models/tendon_springs.xml", 2);
  steps_checkFile("tests/models/tendon_armature.xml", 1);
  steps_checkFile("tests/models/tendon_force_limit.xml", 2);
}

TEST(fluids_agree_with_differences) {
  DOUBLE_ONLY();
  steps_checkFile("tests/models/fluid_box.xml", 1);
  steps_checkFile("tests/models/fluid_ellipsoid.xml", 1);
}

TEST(sensors_agree_with_differences) {
  DOUBLE_ONLY();
  static const char* const kFiles[] = {"accelerations", "framelinvel", "frameangvel", "framepos",
                                       "framequat",     "framexaxis",  "joints",      "subtrees",
                                       "inside",        "distance"};
  for (size_t i = 0; i < sizeof kFiles / sizeof kFiles[0]; i++) {
    char file[100];
    snprintf(file, sizeof file, "tests/models/sensor_%s.xml", kFiles[i]);
    mjModel* m = test_model_file("%s", file);
    steps_check(m, file, 1);
    test_release(m);
  }
}

TEST(constraints_agree_with_differences) {
  DOUBLE_ONLY();
  steps_checkFile("models/limits.xml", 1);
  steps_checkFile("tests/models/equality_bodies.xml", 1);
  steps_checkFile("tests/models/actuator_adhesion.xml", 1);
}

// a hinge that carries a mass m at l, with inertia I: q'' = - m g l sin(q) / (I + m l^2)
TEST(pendulum_has_its_derivative) {
  mjModel* m = test_model(
      "<mujoco><option timestep='.01' gravity='0 0 -9.81'/><worldbody><body>"
      "<joint axis='0 -1 0'/><inertial pos='0 0 -.7' mass='2' diaginertia='.1 .2 .15'/>"
      "</body></worldbody></mujoco>");
  mjData* d = test_data(m);
  double h = 0.01, inertia = 0.2 + 2 * 0.49, stiffness;
  mjtNum A[4];
  d->qpos[0] = (mjtNum)0.6;
  d->qvel[0] = (mjtNum)1.3;
  assert_int_equal(cnd_transitionExact(m, d, A, NULL, NULL, NULL), 0);
  stiffness = 2 * 9.81 * 0.7 * cos(0.6) / inertia;
  const double expected[4] = {1 - h * h * stiffness, h, -h * stiffness, 1};
  for (int i = 0; i < 4; i++) {
    assert_near(A[i], expected[i], 1e-14);
  }
}

// A body that turns freely: one step of Euler keeps its orientation's chart, and a rigid turn of
// the start is a symmetry, so A times the symmetry's direction is the symmetry's direction at the
// end.
TEST(free_turn_is_a_symmetry) {
  mjModel* m = test_model(
      "<mujoco><option gravity='0 0 0'/><worldbody><body><freejoint/>"
      "<geom type='box' size='.1 .2 .3'/></body></worldbody></mujoco>");
  mjData* d = test_data(m);
  mjtNum A[144], before[9], after[9];
  for (int integrator = mjINT_EULER; integrator <= mjINT_IMPLICITFAST; integrator++) {
    mj_resetData(m, d);
    m->opt.integrator = integrator;
    for (int i = 0; i < 3; i++) {
      d->qvel[3 + i] = (mjtNum)(1 + i);
    }
    cnd_transitionExact(m, d, A, NULL, NULL, NULL);
    mju_quat2Mat(before, d->qpos + 3);
    mj_step(m, d);
    mju_quat2Mat(after, d->qpos + 3);
    for (int axis = 0; axis < 3; axis++) {
      for (int r = 0; r < 3; r++) {
        mjtNum sum = 0, velocity = 0;
        for (int k = 0; k < 3; k++) {
          sum += A[12 * (3 + r) + 3 + k] * before[3 * axis + k];
          velocity += A[12 * (9 + r) + 3 + k] * before[3 * axis + k];
        }
        assert_near(sum, after[3 * axis + r], 1e-13);
        assert_near(velocity, 0, 1e-13);
      }
    }
  }
}

TEST(clamped_inputs_have_no_effect) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body><joint name='a' type='slide'/><geom size='.1'/></body></worldbody>"
      "<actuator><motor joint='a' ctrllimited='true' ctrlrange='-1 1'/>"
      "<position joint='a' kp='50' forcelimited='true' forcerange='-2 2'/></actuator></mujoco>");
  mjData* d = test_data(m);
  mjtNum A[4], B[4];
  d->ctrl[0] = 2;
  d->ctrl[1] = 1;
  cnd_transitionExact(m, d, A, B, NULL, NULL);
  for (int i = 0; i < 4; i++) {
    assert_that(B[i], ==, 0);
  }
  assert_that(A[2], ==, 0);
  d->ctrl[0] = (mjtNum)0.5;
  d->ctrl[1] = (mjtNum)0.01;
  cnd_transitionExact(m, d, A, B, NULL, NULL);
  assert_that(B[2], >, 0);
  assert_that(B[3], >, 0);
  assert_that(A[2], <, 0);
}

TEST(state_stays_and_bits_repeat) {
  mjModel* m = test_model_file("models/humanoid.xml");
  for (int i = mjINT_EULER; i <= mjINT_IMPLICITFAST; i++) {
    m->opt.integrator = i;
    Steps s = steps_make(m);
    size_t size = (size_t)(s.nx * (s.nx + s.nu)) * sizeof(mjtNum);
    size_t bytes = (size_t)mj_stateSize(m, STEPS_SPEC) * sizeof(mjtNum);
    mjtNum *first = malloc(size), *after = malloc(bytes);
    for (int k = 0; k < 50; k++) {
      mj_step(m, s.d);
    }
    mj_getState(m, s.d, s.start, STEPS_SPEC);
    cnd_transitionExact(m, s.d, s.A, s.B, NULL, NULL);
    mj_getState(m, s.d, after, STEPS_SPEC);
    assert_memory_equal(after, s.start, bytes);
    memcpy(first, s.A, size);
    cnd_transitionExact(m, s.d, s.A, s.B, NULL, NULL);
    assert_memory_equal(first, s.A, size);
    free(first);
    free(after);
    steps_free(&s);
  }
}

static void push(const mjModel* m, mjData* d) {
  (void)m;
  d->qfrc_passive[0] += 1;
}

// What has no exact derivative says so, and why.
TEST(unknown_parts_are_refused) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body name='b'><joint name='a' type='slide'/><geom size='.1'/></body>"
      "</worldbody><sensor><user dim='1'/></sensor></mujoco>");
  mjData* d = test_data(m);
  mjtNum A[4], C[2];
  assert_error(cnd_transitionExact(NULL, d, A, NULL, NULL, NULL), "m is NULL");
  assert_error(cnd_transitionExact(m, d, A, NULL, C, NULL), "a callback or a plugin computes it");
  cnd_transitionExact(m, d, A, NULL, NULL, NULL);
  mjcb_passive = push;
  assert_error(cnd_transitionExact(m, d, A, NULL, NULL, NULL), "mjcb_passive is set");
  mjcb_passive = NULL;
  m->opt.noslip_iterations = 3;
  assert_error(cnd_transitionExact(m, d, A, NULL, NULL, NULL), "noslip");
  m->opt.noslip_iterations = 0;
  m->cnd_contact.mode = cndCONTACT_HARD;
  assert_error(cnd_transitionExact(m, d, A, NULL, NULL, NULL), "are hard");
  m->cnd_contact.mode = cndCONTACT_STICK;
  assert_error(cnd_transitionExact(m, d, A, NULL, NULL, NULL), "are sticking");
}

// Contacts that could bounce have a derivative as long as none does.
TEST(a_bounce_is_refused) {
  mjModel* m = test_model(
      "<mujoco><custom><numeric name='condyle.restitution' data='.5'/></custom><worldbody>"
      "<geom type='plane' size='1 1 1'/><body pos='0 0 .099'><freejoint/><geom size='.1'/></body>"
      "</worldbody></mujoco>");
  mjData* d = test_data(m);
  mjtNum A[144];
  cnd_transitionExact(m, d, A, NULL, NULL, NULL);
  d->qvel[2] = -2;
  assert_error(cnd_transitionExact(m, d, A, NULL, NULL, NULL), "bounces in this step");
  assert_error(cnd_transitionAdjoint(m, d, A, NULL, NULL, NULL, NULL), "bounces in this step");
}
