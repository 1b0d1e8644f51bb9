// What sleeps has a darker color where islands are shown.

#include <mujoco/mujoco.h>

#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

#define BOX(pos) "<body pos='" pos "'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"

static const char xml[] =
    "<mujoco><option><flag sleep='enable'/></option><worldbody><geom type='plane' size='9 9 "
    ".1'/>" BOX("0 0 .1") BOX("0 0 .3") BOX("3 0 .1") "</worldbody></mujoco>";

static float brightest(const float rgba[4]) {
  float most = rgba[0] > rgba[1] ? rgba[0] : rgba[1];
  return most > rgba[2] ? most : rgba[2];
}

static void draw(mjvScene* scn, const mjModel* m, mjData* d) {
  mjvOption opt;
  mjvCamera cam;
  mjv_defaultOption(&opt);
  mjv_defaultFreeCamera(m, &cam);
  opt.flags[mjVIS_ISLAND] = 1;
  mjv_updateScene(m, d, &opt, NULL, &cam, mjCAT_ALL, scn);
  assert_that(scn->ngeom, ==, 4);
}

TEST(sleepers_are_darker_and_cycles_have_one_color) {
  mjModel* m = test_model(xml);
  mjData* d = test_data(m);
  mjvScene scn;
  mjv_defaultScene(&scn);
  mjv_makeScene(m, &scn, 100);
  mj_step(m, d);
  draw(&scn, m, d);
  for (int i = 1; i < 4; i++) {
    assert_near(brightest(scn.geoms[i].rgba), .7, 1e-6);
  }
  for (int i = 0; i < 1000 && d->ntree_awake; i++) {
    mj_step(m, d);
  }
  draw(&scn, m, d);
  for (int i = 1; i < 4; i++) {
    assert_near(brightest(scn.geoms[i].rgba), .42, 1e-6);
  }
  assert_memory_equal(scn.geoms[1].rgba, scn.geoms[2].rgba, 4 * sizeof(float));
  assert_true(memcmp(scn.geoms[1].rgba, scn.geoms[3].rgba, 4 * sizeof(float)) != 0);
  mjv_freeScene(&scn);
}
