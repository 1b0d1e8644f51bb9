// Room for contacts and rows that a program fills in.

#include <condyle/contact.h>

#include "support/load.h"
#include "support/test.h"

static const char BALLS[] =
    "<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
    "<body pos='0 0 .09'><freejoint/><geom size='.1'/><site name='a'/></body>"
    "<body pos='1 0 .09'><freejoint/><geom size='.1'/><site name='b'/></body></worldbody>"
    "<tendon><spatial><site site='a'/><site site='b'/></spatial></tendon></mujoco>";

TEST(rows_have_room_and_are_zero) {
  mjModel* m = test_model(BALLS);
  mjData* d = test_data(m);
  mj_forward(m, d);
  assert_that(d->ncon, ==, 2);
  assert_that(d->nefc, ==, 8);
  assert_int_equal(cnd_layoutRows(m, d, 3, 5, 7), 1);
  assert_that(d->ncon, ==, 3);
  assert_that(d->nefc, ==, 5);
  assert_that(d->nJ, ==, 7);
  assert_that(d->ne, ==, 0);
  assert_that(d->nf, ==, 0);
  assert_that(d->nl, ==, 0);
  assert_that(d->nA, ==, 0);
  assert_that(d->nisland, ==, 0);
  for (int i = 0; i < 3; i++) {
    assert_that(d->contact[i].dist, ==, 0);
    assert_that(d->contact[i].dim, ==, 0);
    d->contact[i].dist = 1;
  }
  for (int i = 0; i < 5; i++) {
    assert_that(d->efc_type[i], ==, 0);
    assert_that(d->efc_pos[i], ==, 0);
    assert_that(d->efc_force[i], ==, 0);
    d->efc_force[i] = 1;
  }
  for (int i = 0; i < 7; i++) {
    assert_that(d->efc_J[i], ==, 0);
    d->efc_J[i] = 1;
  }
  assert_that(d->contact[2].dist, ==, 1);
  assert_int_equal(d->tendon_efcadr[0], -1);

  // a step finds its own again
  mj_forward(m, d);
  assert_that(d->ncon, ==, 2);
  assert_that(d->nefc, ==, 8);
}

// a tendon that moves no dof has no row, but is noted where its limit is reached
TEST(tendons_without_rows_are_noted) {
  static const char FIXED[] =
      "<mujoco><worldbody><site name='a'/><site name='b' pos='1 0 0'/>"
      "<body><joint type='slide'/><geom size='.1'/></body></worldbody>"
      "<tendon><spatial limited='true' range='0 2'><site site='a'/><site site='b'/></spatial>"
      "<spatial limited='true' range='0 .5'><site site='a'/><site site='b'/></spatial>"
      "</tendon></mujoco>";
  mjModel* m = test_model(FIXED);
  mjData* d = test_data(m);
  mj_forward(m, d);
  assert_int_equal(d->nefc, 0);
  assert_int_equal(d->tendon_efcadr[0], -1);
  assert_int_equal(d->tendon_efcadr[1], 0);
}

TEST(there_may_be_none) {
  mjModel* m = test_model(BALLS);
  mjData* d = test_data(m);
  mj_forward(m, d);
  assert_int_equal(cnd_layoutRows(m, d, 0, 0, 0), 1);
  assert_that(d->ncon, ==, 0);
  assert_that(d->nefc, ==, 0);
  assert_that(d->nJ, ==, 0);
}

TEST(too_many_leave_none) {
  mjModel* m = test_model(BALLS);
  mjData* d = test_data(m);
  mju_user_warning = keep_warning;
  const int many[][3] = {{100000000, 0, 0}, {0, 100000000, 0}, {1, 1, 2147483647}};
  for (int i = 0; i < 3; i++) {
    mj_forward(m, d);
    assert_int_equal(cnd_layoutRows(m, d, many[i][0], many[i][1], many[i][2]), 0);
    assert_that(d->ncon, ==, 0);
    assert_that(d->nefc, ==, 0);
    assert_that(d->nJ, ==, 0);
    assert_true(!d->efc_type);
  }
  mju_user_warning = NULL;
  mj_forward(m, d);
  assert_int_equal(d->ncon, 2);
}

// opt.jacobian may change between the making of rows and their use
TEST(rows_stay_what_they_are_when_the_option_changes) {
  for (int solver = mjSOL_PGS; solver <= mjSOL_NEWTON; solver += mjSOL_NEWTON - mjSOL_PGS) {
    for (int first = mjJAC_DENSE; first <= mjJAC_SPARSE; first++) {
      mjModel* m = test_model(BALLS);
      m->opt.solver = solver;
      m->opt.jacobian = first;
      mjData* d = test_data(m);
      memset(d->arena, 0x55, d->narena);
      d->qpos[2] = 0.05;
      d->qvel[4] = 1;
      mj_step1(m, d);
      assert_that(d->nefc, ==, 8);
      mjtNum force[8] = {1, -2, 3, -4, 5, -6, 7, -8}, before[12], after[12];
      mj_mulJacTVec(m, d, before, force);
      m->opt.jacobian = first == mjJAC_DENSE ? mjJAC_SPARSE : mjJAC_DENSE;
      mj_mulJacTVec(m, d, after, force);
      for (int i = 0; i < 12; i++) {
        // dense rows have no entries as compressed ones
        assert_that(fabs(after[i] - (first == mjJAC_DENSE ? 0 : before[i])), <, 1e-12);
      }
      mj_printData(m, d, "/dev/null");
      mj_step2(m, d);
      mj_step(m, d);
      assert_that(d->nefc, ==, 8);
      assert_int_equal(d->warning[mjWARN_BADQACC].number, 0);
    }
  }
}
