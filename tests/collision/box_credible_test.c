// Boxes that are parallel but for rounding. Soft contacts are the reference's, of which one may be
// as deep as the box is wide; rigid and sticking contacts have no such depth.

#include "support/models.h"

static const char kBoxes[] =
    "<mujoco><worldbody>"
    "<body><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "<body><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "</worldbody></mujoco>";

// where ten boxes on top of each other had come to after 48 steps
static const double kPose[14] = {-3.96483437e-11,
                                 -4.06863930e-12,
                                 9.99800000e-02,
                                 1,
                                 5.89662044e-11,
                                 -1.59660887e-10,
                                 3.86740427e-11,
                                 -1.47285218e-10,
                                 -2.87862100e-09,
                                 2.99960001e-01,
                                 1,
                                 6.54492571e-09,
                                 6.57209391e-11,
                                 1.64701288e-11};

// Number of contacts and the deepest of them.
static int contacts(mjtNum* deepest, mjModel* m, cndtContact mode) {
  m->cnd_contact.mode = mode;
  mjData* d = mj_makeData(m);
  for (int i = 0; i < m->nq; i++) {
    d->qpos[i] = (mjtNum)kPose[i];
  }
  mj_fwdPosition(m, d);
  int num = d->ncon;
  *deepest = 0;
  for (int i = 0; i < num; i++) {
    *deepest = mju_min(*deepest, d->contact[i].dist);
  }
  mj_deleteData(d);
  return num;
}

TEST(only_soft_boxes_keep_a_contact_that_is_too_deep) {
  if (sizeof(mjtNum) == sizeof(float)) {
    test_skip("rounding to single precision makes other contacts");
  }
  mjModel* m = test_model(kBoxes);
  mjtNum deepest;
  assert_int_equal(contacts(&deepest, m, cndCONTACT_SOFT), 5);
  assert_that(deepest, <, (mjtNum)-0.1);
  for (cndtContact mode = cndCONTACT_HARD; mode <= cndCONTACT_STICK; mode++) {
    assert_int_equal(contacts(&deepest, m, mode), 4);
    assert_that(deepest, >, (mjtNum)-3e-5);
    assert_that(deepest, <, (mjtNum)-1e-5);
  }
}
