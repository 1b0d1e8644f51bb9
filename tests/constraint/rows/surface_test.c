// Surfaces that move or adhere: the numbers of the release that brought them, and what they mean to
// contacts that are hard or stick.

#include "constraint/rows/surface.h"

#include "model/field.h"
#include "support/load.h"
#include "support/near.h"
#include "support/precision.h"
#include "support/recorded.h"
#include "support/test.h"

enum {
  MOST = 16  // contacts of the model
};

static mjModel* surfaces(int cone) {
  mjModel* m = test_model_file("tests/models/since/surfaces.xml");
  m->opt.cone = cone;
  return m;
}

static mjData* in_motion(const mjModel* m) {
  mjData* d = test_data(m);
  for (int i = 0; i < m->nv; i++) {
    d->qvel[i] = (mjtNum)0.3 * mju_sin((mjtNum)(1 + i));
  }
  return d;
}

TEST(models_hold_velocities_in_the_frames_of_their_shapes) {
  DOUBLE_ONLY();
  mjModel* m = surfaces(mjCONE_PYRAMIDAL);
  assert_recorded("surfaces_geom_surfacevel", m->geom_surfacevel, 6 * (size_t)m->ngeom);
  assert_recorded("surfaces_geom_adhesion", m->geom_adhesion, (size_t)m->ngeom);
  assert_recorded("surfaces_pair_adhesion", m->pair_adhesion, (size_t)m->npair);
  assert_that(m->flg_surfacevel, ==, 1);
  assert_that(m->flg_adhesion, ==, 1);
}

TEST(contacts_hold_how_their_surfaces_move_and_adhere) {
  DOUBLE_ONLY();
  mjModel* m = surfaces(mjCONE_PYRAMIDAL);
  mjData* d = in_motion(m);
  mj_forward(m, d);
  mjtNum velocity[3 * MOST], adhesion[MOST], dim[2 * MOST];
  assert_that(d->ncon, <=, MOST);
  for (int i = 0; i < d->ncon; i++) {
    mju_copy3(velocity + 3 * i, d->contact[i].surfacevel);
    adhesion[i] = d->contact[i].adhesion;
    dim[2 * i] = d->contact[i].dim;
    dim[2 * i + 1] = d->contact[i].exclude;
  }
  assert_recorded("surfaces_contact_surfacevel", velocity, 3 * (size_t)d->ncon);
  assert_recorded("surfaces_contact_adhesion", adhesion, (size_t)d->ncon);
  assert_recorded("surfaces_dim_pyramid", dim, 2 * (size_t)d->ncon);
}

// Relative to the largest number: forces are as exact as the solver makes them.
static void assert_solved(const char* what, const char* cone, const mjtNum* x, int n) {
  char name[64];
  snprintf(name, sizeof(name), "surfaces_%s_%s", what, cone);
  mjtNum* expected = recorded(name, (size_t)n);
  int differ = numbers_differ(name, x, expected, n, 1e-8, 1);
  free(expected);
  assert_false(differ);
}

static void forces_are_recorded(int cone, const char* name) {
  DOUBLE_ONLY();
  mjModel* m = surfaces(cone);
  mjData* d = in_motion(m);
  mj_forward(m, d);
  assert_solved("efc_vel", name, d->efc_vel, d->nefc);
  assert_solved("efc_aref", name, d->efc_aref, d->nefc);
  assert_solved("qfrc_adhesion", name, d->qfrc_adhesion, m->nv);
  assert_solved("qfrc_passive", name, d->qfrc_passive, m->nv);
  assert_solved("efc_force", name, d->efc_force, d->nefc);
  assert_solved("qacc", name, d->qacc, m->nv);
  assert_solved("sensordata", name, d->sensordata, m->nsensordata);
  mjtNum force[6 * MOST];
  for (int i = 0; i < d->ncon; i++) {
    mj_contactForce(m, d, i, force + 6 * i);
  }
  assert_solved("force", name, force, 6 * d->ncon);
  for (int i = 0; i < 40; i++) {
    mj_step(m, d);
  }
  mjtNum state[128];
  mju_copy(state, d->qpos, m->nq);
  mju_copy(state + m->nq, d->qvel, m->nv);
  assert_solved("steps", name, state, m->nq + m->nv);
}

TEST(pyramidal_contacts_feel_surfaces_as_recorded) {
  forces_are_recorded(mjCONE_PYRAMIDAL, "pyramid");
}

TEST(elliptic_contacts_feel_surfaces_as_recorded) {
  forces_are_recorded(mjCONE_ELLIPTIC, "ellipse");
}

TEST(a_belt_pulls_a_ball) {
  DOUBLE_ONLY();
  mjModel* m = test_model(
      "<mujoco><worldbody><geom type='plane' size='1 1 1' surfacevel='1 .5 0 0 0 2'/>"
      "<body pos='.3 -.2 .099'><freejoint/><geom size='.1' condim='4'/></body></worldbody>"
      "</mujoco>");
  mjData* d = test_data(m);
  mj_forward(m, d);
  const mjtNum surface[] = {-1.1, 1.4, -2}, vel[] = {-1.1, 1.1, 1.4, -1.4, -.01, .01};
  const mjtNum acc[] = {29.61491388, 21.04669074, 40.85160462};
  assert_close(d->contact[0].surfacevel, surface, 3, 1e-12);
  assert_close(d->efc_vel, vel, 6, 1e-12);
  assert_close(d->qacc, acc, 3, 1e-8);
}

TEST(an_adhesive_ball_rests_as_deep_as_a_plain_one) {
  mjModel* m = test_model(
      "<mujoco><option cone='elliptic'/><worldbody>"
      "<geom type='plane' size='1 1 1' adhesion='1.5'/><body pos='0 0 .099'><freejoint/>"
      "<geom size='.1' mass='1' adhesion='2'/></body></worldbody></mujoco>");
  mjData* d = test_data(m);
  mj_forward(m, d);
  assert_near(d->qfrc_adhesion[2], -3.5, 1e-12);
  assert_near(d->efc_aref[0], 2.81578947368, 1e-10);
  assert_near(d->efc_force[0], 15.3195, 1e-7);
  assert_near(d->qacc[2], 2.0095, 1e-8);
  mjtNum force[6];
  mj_contactForce(m, d, 0, force);
  assert_near(force[0], 11.8195, 1e-7);
}

TEST(springs_and_dampers_switched_off_take_the_attraction_along) {
  mjModel* m = surfaces(mjCONE_ELLIPTIC);
  mjData* d = in_motion(m);
  mj_forward(m, d);
  assert_that(mju_norm(d->qfrc_adhesion, m->nv), >, 1);
  m->opt.disableflags |= mjDSBL_SPRING | mjDSBL_DAMPER;
  mj_forward(m, d);
  assert_that(mju_norm(d->qfrc_adhesion, m->nv), ==, 0);
}

// A program may write into contacts between collision and velocities, if the flags say so.
TEST(numbers_of_a_program_count_if_the_flags_are_set) {
  mjModel* m = test_model(
      "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .099'><freejoint/>"
      "<geom size='.1' mass='1'/></body></worldbody></mujoco>");
  mjData* d = test_data(m);
  assert_that(m->flg_surfacevel + m->flg_adhesion, ==, 0);
  for (int flag = 0; flag < 2; flag++) {
    m->flg_surfacevel = m->flg_adhesion = (mjtByte)flag;
    mj_fwdPosition(m, d);
    d->contact[0].surfacevel[1] = 2;
    d->contact[0].adhesion = 3;
    mj_fwdVelocity(m, d);
    assert_near(d->efc_vel[2], 2 * flag, 0);
    assert_near(d->qfrc_adhesion[2], -3 * flag, 0);
  }
}

TEST(flexes_are_carried_and_held_as_geoms_are) {
  mjModel* m = test_model(
      "<mujoco><worldbody>"
      "<geom type='plane' size='5 5 1' surfacevel='1 2 3 0 0 4' adhesion='2'/>"
      "<flexcomp name='f' type='grid' count='3 3 1' spacing='.1 .1 .1' pos='0 0 .005' "
      "radius='.01' mass='1' dim='2'><contact condim='4'/></flexcomp></worldbody></mujoco>");
  mjData* d = test_data(m);
  mj_forward(m, d);
  const mjtNum corner[] = {-1.6, 1.4, -4};  // of 4.0.0
  assert_that(d->ncon, ==, 9);
  assert_close(d->contact[0].surfacevel, corner, 3, 1e-12);
  for (int i = 0; i < 9; i++) {
    assert_near(d->qfrc_adhesion[3 * i + 2], -2, 1e-12);
  }
}

#define BELT(setting)                                                                         \
  "<mujoco><option timestep='.002' cone='elliptic'/>" setting                                 \
  "<worldbody><geom type='plane' size='9 9 1' surfacevel='.5 0 0 0 0 0'/><body pos='0 0 .1'>" \
  "<freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>"

static void box_reaches_the_speed_of_its_belt(const char* xml, mjtNum tolerance) {
  mjModel* m = test_model(xml);
  mjData* d = test_data(m);
  for (int i = 0; i < 500; i++) {
    mj_step(m, d);
  }
  assert_near(d->qvel[0], .5, tolerance);
  assert_near(d->qvel[2], 0, tolerance);
  // it slid at mu g until it had the speed of the belt
  assert_near(d->qpos[0], .5 * (1 - .5 / (2 * 9.81)), .005);
}

TEST(a_belt_carries_a_box_on_soft_contacts) {
  box_reaches_the_speed_of_its_belt(BELT(""), 1e-3);
}

TEST(a_belt_carries_a_box_on_hard_contacts) {
  box_reaches_the_speed_of_its_belt(
      BELT("<custom><text name='condyle.contact' data='hard'/></custom>"), 1e-9);
}

TEST(a_belt_carries_a_box_on_sticking_contacts) {
  box_reaches_the_speed_of_its_belt(
      BELT("<custom><text name='condyle.contact' data='stick'/></custom>"), 1e-6);
}

// On a wall friction holds a block if it is pressed with A >= m g / mu.
static mjtNum fallen_along_a_wall(mjtNum adhesion) {
  mjModel* m = test_model(
      "<mujoco><option timestep='.002'/>"
      "<custom><text name='condyle.contact' data='hard'/></custom><worldbody>"
      "<geom type='plane' size='9 9 1' zaxis='1 0 0' friction='.5' margin='.002'/><body pos='.1 0 "
      "0'>"
      "<freejoint/><geom type='box' size='.1 .1 .1' mass='1' friction='.5' adhesion='1'/>"
      "</body></worldbody></mujoco>");
  m->geom_adhesion[1] = adhesion / 4;  // four corners
  mjData* d = test_data(m);
  for (int i = 0; i < 200; i++) {
    mj_step(m, d);
  }
  return -d->qpos[2];
}

TEST(hard_contacts_bear_the_friction_of_their_attraction) {
  DOUBLE_ONLY();
  assert_near(fallen_along_a_wall(30), 0, 1e-6);
  // 9.81 - .5 * 10 down
  assert_near(fallen_along_a_wall(10), 4.81 * .4 * .402 / 2, .02);
}

TEST(what_computes_steps_in_its_own_way_is_told_of_moving_surfaces) {
  mjModel* m = test_model(BELT(""));
  assert_string_equal(field_later(m), "geom_surfacevel");
}

TEST(an_edit_of_a_model_counts_after_its_constants_are_computed) {
  mjModel* m = surfaces(mjCONE_ELLIPTIC);
  mjData* d = test_data(m);
  mju_zero(m->geom_surfacevel, 6 * m->ngeom);
  mju_zero(m->geom_adhesion, m->ngeom);
  mj_setConst(m, d);
  assert_that(m->flg_surfacevel, ==, 0);
  assert_that(m->flg_adhesion, ==, 1);  // of the pairs
  mju_zero(m->pair_adhesion, m->npair);
  mj_setConst(m, d);
  assert_that(m->flg_adhesion, ==, 0);
}

TEST(written_models_keep_their_surfaces) {
  mjSpec* spec = mj_parseXML(CONDYLE_SOURCE_DIR "/tests/models/since/surfaces.xml", NULL, NULL, 0);
  spec = test_own_spec(spec);
  mjModel* m = test_compile(spec);
  char* xml = malloc(1 << 16);
  assert_int_equal(mj_saveXMLString(spec, xml, 1 << 16, NULL, 0), 0);
  mjModel* again = test_model(xml);
  free(xml);
  assert_close(again->geom_surfacevel, m->geom_surfacevel, 6 * m->ngeom, 1e-9);
  assert_close(again->geom_adhesion, m->geom_adhesion, m->ngeom, 1e-12);
  assert_close(again->pair_adhesion, m->pair_adhesion, m->npair, 1e-12);
}
