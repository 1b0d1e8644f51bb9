// Physics doesn't depend on where the scene stands, which way it is turned, and what its lengths,
// masses and times are measured in.

#include "support/models.h"
#include "support/zoo.h"

// Things on a plane and a ramp, in a frame of choice; friction is isotropic, so that no contact
// prefers the axes of the world.
static mjModel* scene(const char* frame, const mjtNum gravity[3]) {
  char xml[3000];
  snprintf(
      xml, sizeof xml,
      "<mujoco><compiler angle='radian'/>"
      "<option gravity='%.17g %.17g %.17g' cone='elliptic' timestep='.001'>"
      "<flag energy='enable'/></option><worldbody><frame %s>"
      "<geom type='plane' size='5 5 1'/>"
      "<geom type='box' size='.5 .5 .05' pos='.9 0 .2' euler='0 -.4 0'/>"
      "<body pos='0 0 .095'><freejoint/><geom type='capsule' size='.1 .2' euler='1.5 .1 0'/>"
      "<body pos='.3 0 .1'><joint axis='0 1 .2' range='-.5 .2' stiffness='2'/>"
      "<geom type='sphere' size='.06' pos='.1 0 0'/>"
      "<body pos='.2 0 0'><joint type='ball' damping='.01'/>"
      "<geom type='box' size='.05 .04 .03' pos='0 .1 0'/></body></body></body>"
      "<body pos='-.5 .3 .07' euler='.1 .2 .3'><freejoint/><geom type='box' size='.1 .08 .06'/>"
      "</body><body pos='.8 .2 .5'><freejoint/><geom type='capsule' size='.06 .1'/></body>"
      "<body pos='-.5 -.4 .05'><joint type='slide' axis='1 0 0'/>"
      "<joint type='slide' axis='0 0 1'/><geom type='sphere' size='.07'/></body>"
      "</frame></worldbody></mujoco>",
      (double)gravity[0], (double)gravity[1], (double)gravity[2], frame);
  mjModel* m = test_model(xml);
  tighten(m);
  return m;
}

// The scene turned and shifted moves as the original does: joints alike, free bodies turned and
// shifted.
TEST(a_change_of_frame_changes_nothing) {
  const mjtNum down[3] = {0, 0, (mjtNum)-9.81}, shift[3] = {3, -2, 5};
  mjtNum quat[4] = {(mjtNum)0.5, (mjtNum)0.1, (mjtNum)-0.7, (mjtNum)0.3}, turned[3];
  mju_normalize4(quat);
  mju_rotVecQuat(turned, down, quat);
  char frame[300];
  snprintf(frame, sizeof frame, "pos='%g %g %g' quat='%.17g %.17g %.17g %.17g'", (double)shift[0],
           (double)shift[1], (double)shift[2], (double)quat[0], (double)quat[1], (double)quat[2],
           (double)quat[3]);
  mjModel *a = scene("pos='0 0 0'", down), *b = scene(frame, turned);
  mjData *da = mj_makeData(a), *db = mj_makeData(b);
  int contacts = 0;
  for (int i = 0; i < 300; i++) {
    mj_step(a, da);
    mj_step(b, db);
    contacts += da->ncon;
    assert_int_equal(da->ncon, db->ncon);
    assert_int_equal(da->nefc, db->nefc);
    assert_near(da->energy[1], db->energy[1], 1e-8);
    for (int j = 0; j < a->njnt; j++) {
      int adr = a->jnt_qposadr[j];
      mjtNum moved[7];
      switch (a->jnt_type[j]) {
        case mjJNT_FREE:
          mju_rotVecQuat(moved, da->qpos + adr, quat);
          mju_addTo3(moved, shift);
          mju_mulQuat(moved + 3, quat, da->qpos + adr + 3);
          assert_close(db->qpos + adr, moved, 7, 1e-8);
          break;
        case mjJNT_BALL:
          assert_close(db->qpos + adr, da->qpos + adr, 4, 1e-8);
          break;
        default:
          assert_close(db->qpos + adr, da->qpos + adr, 1, 1e-8);
      }
    }
  }
  assert_that(contacts, >, 1000);
  mj_deleteData(da);
  mj_deleteData(db);
}

// A humanoid somewhere else and turned about the vertical falls the same way. The tangents of its
// contacts turn with nothing, so the friction pyramid would feel the difference: the cone is
// elliptic.
TEST(a_humanoid_elsewhere_falls_the_same_way) {
  mjModel* m = our_model(kHumanoid);
  tighten(m);
  m->opt.cone = mjCONE_ELLIPTIC;
  mjData *a = mj_makeData(m), *b = mj_makeData(m);
  const mjtNum shift[3] = {2, -1, 0}, up[3] = {0, 0, 1};
  mjtNum quat[4], moved[7];
  mju_axisAngle2Quat(quat, up, 2);
  mju_rotVecQuat(moved, a->qpos, quat);
  mju_add3(b->qpos, moved, shift);
  mju_mulQuat(b->qpos + 3, quat, a->qpos + 3);
  int contacts = 0;
  for (int i = 0; i < 200; i++) {
    for (int k = 0; k < m->nu; k++) {
      a->ctrl[k] = b->ctrl[k] = (mjtNum)(0.1 * sin(0.05 * i + k));
    }
    mj_step(m, a);
    mj_step(m, b);
    contacts += a->ncon;
    mju_rotVecQuat(moved, a->qpos, quat);
    mju_addTo3(moved, shift);
    mju_mulQuat(moved + 3, quat, a->qpos + 3);
    assert_close(b->qpos, moved, 7, 1e-6);
    assert_close(b->qpos + 7, a->qpos + 7, m->nq - 7, 1e-6);
  }
  assert_that(contacts, >, 300);
  mj_deleteData(a);
  mj_deleteData(b);
}

// With lengths in l, masses in l^3 and times in
// sqrt(l), everything moves alike.
TEST(a_larger_pendulum_swings_more_slowly) {
  const double scale = 4;
  mjtNum angle[2][2];
  for (int k = 0; k < 2; k++) {
    double s = k ? scale : 1;
    char xml[1000];
    snprintf(xml, sizeof xml,
             "<mujoco><option timestep='%.17g'><flag contact='disable'/></option><worldbody>"
             "<body><joint axis='0 1 0'/><geom type='capsule' size='%g' fromto='0 0 0 %g 0 0'/>"
             "<body pos='%g 0 0'><joint axis='0 1 .2'/><geom type='box' size='%g %g %g'/></body>"
             "</body></worldbody></mujoco>",
             0.001 * sqrt(s), 0.05 * s, 0.5 * s, 0.5 * s, 0.1 * s, 0.2 * s, 0.05 * s);
    mjModel* m = test_model(xml);
    mjData* d = test_data(m);
    for (int i = 0; i < 500; i++) {
      mj_step(m, d);
    }
    mju_copy(angle[k], d->qpos, 2);
    test_release(m);
  }
  assert_close(angle[1], angle[0], 2, 1e-9);
}
