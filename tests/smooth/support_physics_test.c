// What a program asks of a model besides stepping it, without the reference.

#include "support/caught.h"
#include "support/zoo.h"

TEST(the_difference_of_two_configurations_leads_from_one_to_the_other) {
  mjModel* m = test_model(ZOO_XML);
  mjData* d = test_data(m);
  mjtNum *moved = calloc(m->nq, sizeof *moved), *velocity = calloc(m->nv, sizeof *velocity);
  for (uint64_t seed = 1; seed <= 20; seed++) {
    zoo_randomize(m, d, seed);
    memcpy(moved, d->qpos, m->nq * sizeof *moved);
    mj_integratePos(m, moved, d->qvel, (mjtNum)0.6);
    mj_differentiatePos(m, velocity, (mjtNum)0.6, d->qpos, moved);
    assert_close(velocity, d->qvel, m->nv, 1e-13);
  }
  free(moved);
  free(velocity);
}

TEST(quaternions_are_normalized_and_nothing_else) {
  mjModel* m = test_model(ZOO_XML);
  mjData* d = test_data(m);
  mjtNum* scaled = calloc(m->nq, sizeof *scaled);
  zoo_randomize(m, d, 3);
  memcpy(scaled, d->qpos, m->nq * sizeof *scaled);
  for (int j = 0; j < m->njnt; j++) {
    int free = m->jnt_type[j] == mjJNT_FREE, ball = m->jnt_type[j] == mjJNT_BALL;
    if (free || ball) {
      mjtNum* q = scaled + m->jnt_qposadr[j] + (free ? 3 : 0);
      mju_scl(q, q, (mjtNum)3.5, 4);
    }
  }
  size_t where;
  assert_that(relative_error(&where, scaled, d->qpos, m->nq, 1), >, 0.1);
  mj_normalizeQuat(m, scaled);
  assert_close(scaled, d->qpos, m->nq, 1e-15);
  free(scaled);
}

// masses and inertias grow alike, so free motion stays what it was
TEST(a_new_total_mass_scales_everything) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body><freejoint/><geom size='.1' mass='2'/><body pos='.3 0 0'>"
      "<joint axis='0 1 0'/><geom type='box' size='.1 .2 .3' mass='3'/></body></body>"
      "<body pos='0 0 9'><geom size='.1' mass='1'/></body></worldbody></mujoco>");
  mjData *before = mj_makeData(m), *after = mj_makeData(m);
  zoo_randomize(m, before, 2);
  zoo_randomize(m, after, 2);
  mj_forward(m, before);
  assert_near(mj_getTotalmass(m), 6, 1e-14);
  mj_setTotalmass(m, 15);
  assert_near(mj_getTotalmass(m), 15, 1e-14);
  mj_forward(m, after);
  mju_scl(before->M, before->M, (mjtNum)2.5, m->nC);
  assert_close(after->M, before->M, m->nC, 1e-14);
  assert_close(after->qacc, before->qacc, m->nv, 1e-12);

  // nothing may become massless
  mj_setTotalmass(m, 0);
  assert_that(mj_getTotalmass(m), >, 0);
  mj_deleteData(before);
  mj_deleteData(after);
}

TEST(a_force_at_a_point_is_a_force_and_its_moment_elsewhere) {
  mjModel* m = test_model(ZOO_XML);
  mjData* d = test_data(m);
  int body = mj_name2id(m, mjOBJ_BODY, "wrist");
  mjtNum *at_point = calloc(m->nv, sizeof *at_point), *elsewhere = calloc(m->nv, sizeof *elsewhere);
  mjtNum force[3] = {1, -2, (mjtNum)0.5}, moment[3], arm[3], point[3] = {1, 2, 3};
  zoo_randomize(m, d, 5);
  mj_forward(m, d);
  mj_applyFT(m, d, force, NULL, point, body, at_point);
  mju_sub3(arm, point, d->xpos + 3 * body);
  mju_cross(moment, arm, force);
  mj_applyFT(m, d, NULL, moment, point, body, elsewhere);
  mj_applyFT(m, d, force, NULL, d->xpos + 3 * body, body, elsewhere);
  assert_that(mju_norm(at_point, m->nv), >, 1);
  assert_close(elsewhere, at_point, m->nv, 1e-13);
  free(at_point);
  free(elsewhere);
}

TEST(a_geom_moves_as_its_jacobian_says) {
  mjModel* m = test_model(ZOO_XML);
  mjData* d = test_data(m);
  mjtNum* jacobian = calloc(6 * m->nv, sizeof *jacobian);
  zoo_randomize(m, d, 6);
  mj_forward(m, d);
  for (int geom = 0; geom < m->ngeom; geom++) {
    mjtNum found[6], expected[6];
    mj_jacGeom(m, d, jacobian + 3 * m->nv, jacobian, geom);
    mju_mulMatVec(found, jacobian, d->qvel, 6, m->nv);
    mj_objectVelocity(m, d, mjOBJ_GEOM, geom, expected, 0);
    assert_close(found, expected, 6, 1e-13);
  }
  free(jacobian);
}

TEST(what_does_not_exist_is_an_error) {
  mjModel* m = test_model(ZOO_XML);
  mjData* d = test_data(m);
  const mjtNum force[3] = {0};
  mjtNum out[6];
  assert_error(mj_applyFT(m, d, force, force, force, m->nbody, d->qfrc_applied), "body");
  assert_error(mj_applyFT(m, d, force, force, force, -1, d->qfrc_applied), "body");
  assert_error(mj_objectVelocity(m, d, mjOBJ_TENDON, 0, out, 0), "invalid object type");
}
