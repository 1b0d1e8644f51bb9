// How far shapes reach out of sites, mesh sites, and rules of sensors that later releases changed:
// numbers of MuJoCo 4.0.0, and what must hold for any two shapes.

#include "collision/query/enclosed.h"

#include "model/behaviour.h"
#include "support/load.h"
#include "support/near.h"
#include "support/precision.h"
#include "support/random.h"
#include "support/recorded.h"
#include "support/test.h"

static const mjtNum kPose[4][8] = {
    {0.03, 0.01, 0.02, 0.9, 0.3, -0.2, 0.1, 0.2},
    {0.25, -0.1, 0.15, 0.5, -0.2, 0.8, 0.3, -1},
    {0.08, 0.2, -0.1, 0.1, 0.6, 0.2, -0.7, 2},
    {1, 0.5, -0.7, 0.3, 0.3, 0.9, 0.1, 0.5},
};

TEST(all_pairs_of_shapes_are_those_of_the_newest_release) {
  DOUBLE_ONLY();
  mjModel* m = test_model_file("tests/models/since/enclosed.xml");
  mjData* d = test_data(m);
  size_t n = (size_t)m->nsensordata;
  assert_recorded("enclosed_site_size", m->site_size, 3 * (size_t)m->nsite);
  for (int pose = 0; pose < 4; pose++) {
    char name[20];
    mju_copy(d->qpos, kPose[pose], 8);
    mj_normalizeQuat(m, d->qpos);
    mj_forward(m, d);
    snprintf(name, sizeof(name), "enclosed_%d", pose);
    mjtNum* expected = recorded(name, n);
    for (size_t i = 0; i < n; i++) {
      // searches of the reference in other sites end below the maximum, at times by 0.03
      int site = m->sensor_refid[i], type = m->site_type[site];
      int is_exact = type == mjGEOM_SPHERE || type == mjGEOM_ELLIPSOID || type == mjGEOM_BOX;
      double more = d->sensordata[i] - expected[i];
      if (more < -1e-9 || more > (is_exact ? 1e-8 : 0.03)) {
        fail_msg("pose %d, sensor %zu: %.12g, recorded %.12g", pose, i, d->sensordata[i],
                 expected[i]);
      }
    }
    free(expected);
  }
}

// any two shapes

static mjtNum draw(uint64_t* seed, mjtNum low, mjtNum high) {
  return low + (high - low) * (mjtNum)(xorshift_random(seed) + 1) / 2;
}

static void draw_shape(ConvexShape* shape, const mjModel* m, int type, mjtNum scale,
                       uint64_t* seed) {
  mjtNum size[3], pos[3], quat[4], mat[9];
  for (int k = 0; k < 3; k++) {
    size[k] = scale * draw(seed, (mjtNum)0.3, 1);
    pos[k] = draw(seed, (mjtNum)-0.3, (mjtNum)0.3);
  }
  for (int k = 0; k < 4; k++) {
    quat[k] = (mjtNum)xorshift_random(seed);
  }
  mju_normalize4(quat);
  mju_quat2Mat(mat, quat);
  assert_true(convex_placed(shape, m, type, type == mjGEOM_MESH ? 0 : -1, size, pos, mat, 0));
}

static mjtNum height_of(const ConvexShape* object, const ConvexShape* room, const mjtNum u[3]) {
  mjtNum a[3], b[3];
  object->kind->support(a, object, u);
  room->kind->support(b, room, u);
  return mju_dot3(u, a) - mju_dot3(u, b);
}

// The largest difference of support heights that random directions find, from some starts first
// anywhere, then ever nearer to the best. most: no direction may find more.
static mjtNum search(const ConvexShape* object, const ConvexShape* room, mjtNum most,
                     uint64_t* seed) {
  mjtNum overall = -10;
  for (int start = 0; start < 12; start++) {
    mjtNum best = -10, at[3] = {0, 0, 0}, spread = 1;
    for (int i = 0; i < 900; i++) {
      mjtNum u[3];
      spread *= i < 100 ? 1 : (mjtNum)0.99;
      for (int k = 0; k < 3; k++) {
        u[k] = (i < 100 ? 0 : at[k]) + spread * (mjtNum)xorshift_random(seed);
      }
      if (mju_normalize3(u) < (mjtNum)0.01) {
        continue;
      }
      mjtNum found = height_of(object, room, u);
      assert_that(found, <=, most);
      if (found > best) {
        best = found;
        mju_copy3(at, u);
      }
    }
    overall = mju_max(overall, best);
  }
  return overall;
}

TEST(the_reach_is_the_maximum_over_all_directions) {
  static const int types[] = {mjGEOM_SPHERE,   mjGEOM_CAPSULE, mjGEOM_ELLIPSOID,
                              mjGEOM_CYLINDER, mjGEOM_BOX,     mjGEOM_MESH};
  mjModel* m = test_model(
      "<mujoco><asset><mesh name='m' vertex='-.5 -.3 -.4 .6 -.4 -.3 0 .7 -.5 .1 0 .6 .4 .4 .3'/>"
      "</asset><worldbody><site type='mesh' mesh='m'/></worldbody></mujoco>");
  uint64_t seed = 11;
  for (int pair = 0; pair < 36; pair++) {
    for (int round = 0; round < 10; round++) {
      ConvexShape object, room;
      draw_shape(&object, m, types[pair % 6], round % 2 ? (mjtNum)0.2 : (mjtNum)0.8, &seed);
      draw_shape(&room, m, types[pair / 6], 1, &seed);
      mjtNum reach = enclosed_reach(&object, &room);
      mjtNum found = search(&object, &room, reach + (mjtNum)rounding(1e-9), &seed);
      if (found < reach - (mjtNum)2e-3) {
        fail_msg("types %d in %d, round %d: %.12g, of directions %.12g", types[pair % 6],
                 types[pair / 6], round, (double)reach, (double)found);
      }
    }
  }
}

// mesh sites

static const char kMeshSite[] =
    "<mujoco><asset><mesh name='m' vertex='0 0 0  .4 0 0  0 .3 0  0 0 .2  .1 .1 .05'/>"
    "<material name='red'/></asset><worldbody><geom type='plane' size='3 3 1'/>"
    "<body pos='0 0 .099'><freejoint/><geom size='.1'/>"
    "<site name='s' type='mesh' mesh='m' pos='%s'/></body></worldbody>"
    "<sensor><touch site='s'/></sensor></mujoco>";

static mjtNum touch_of(const char* pos) {
  char xml[800];
  snprintf(xml, sizeof(xml), kMeshSite, pos);
  mjModel* m = test_model(xml);
  mjData* d = test_data(m);
  mj_forward(m, d);
  assert_int_equal(d->ncon, 1);
  mjtNum force[6];
  mj_contactForce(m, d, 0, force);
  return d->sensordata[0] / force[0];
}

// the ray goes down from the contact under the ball
TEST(a_ray_meets_the_mesh_of_a_site) {
  assert_that(touch_of("-.05 -.05 -.4"), ==, 1);
  assert_that(touch_of("-.05 -.05 -.15"), ==, 1);  // the contact is inside
  assert_that(touch_of("-.05 -.05 0"), ==, 0);     // all of it is above
  assert_that(touch_of("-.25 -.2 -.4"), ==, 0);    // beside the slanted face
}

TEST(points_are_inside_of_the_hull_where_the_mesh_is) {
  char xml[800];
  snprintf(xml, sizeof(xml), kMeshSite, ".1 .2 .3' euler='10 20 30");
  mjModel* m = test_model(xml);
  mjData* d = test_data(m);
  mj_forward(m, d);
  assert_int_equal(m->site_dataid[0], 0);
  uint64_t seed = 5;
  int inside = 0;
  for (int i = 0; i < 2000; i++) {
    mjtNum local[3], point[3];
    for (int k = 0; k < 3; k++) {
      local[k] = (mjtNum)0.25 * (mjtNum)(1 + xorshift_random(&seed));
    }
    mju_mulMatVec3(point, d->site_xmat, local);
    mju_addTo3(point, d->site_xpos);
    mjtNum level = local[0] / (mjtNum)0.4 + local[1] / (mjtNum)0.3 + local[2] / (mjtNum)0.2;
    if (mju_abs(level - 1) > (mjtNum)1e-4) {
      assert_int_equal(mj_insideSite(m, d, 0, point), level < 1);
      inside += level < 1;
    }
  }
  assert_that(inside, >, 30);
}

TEST(a_mesh_site_survives_files) {
  mjModel* m = test_model_file("tests/models/since/enclosed.xml");
  int size = mj_sizeModel(m);
  char* buffer = malloc((size_t)size);
  mj_saveModel(m, NULL, buffer, size);
  mjModel* again = mj_loadModelBuffer(buffer, size);
  assert_non_null(again);
  for (int i = 0; i < m->nsite; i++) {
    assert_int_equal(again->site_dataid[i], m->site_dataid[i]);
  }
  mj_deleteModel(again);
  free(buffer);
}

// rules of later releases

TEST(skins_feel_depths_and_bodies_without_mass_are_where_their_subtree_is) {
  DOUBLE_ONLY();
  mjModel* m = test_model_file("tests/models/since/skin_touch.xml");
  mjData* d = test_data(m);
  for (int i = 0; i < m->nv; i++) {
    d->qvel[i] = mju_sin((mjtNum)(1 + i));
  }
  assert_int_equal(m->sensor_needstage[0], mjSTAGE_VEL);
  assert_true(behaves(m, cndBEHAVIOUR_tactile) && behaves(m, cndBEHAVIOUR_insidecom));
  mj_forward(m, d);
  assert_recorded("skin_touch", d->sensordata, (size_t)m->nsensordata);

  // each rule alone
  mjtNum* with = malloc((size_t)m->nsensordata * sizeof(mjtNum));
  mju_copy(with, d->sensordata, m->nsensordata);
  int inside = m->sensor_adr[2];
  for (int rule = 0; rule < 2; rule++) {
    m->opt.behaviour &= ~(1 << (rule ? cndBEHAVIOUR_insidecom : cndBEHAVIOUR_tactile));
    mj_forward(m, d);
    assert_true(d->sensordata[0] <= 0 && with[0] >= 0);
    assert_true(d->sensordata[inside] == (rule ? 0 : 1));
  }
  free(with);
}

TEST(what_can_t_be_enclosed_is_named) {
  static const struct {
    const char *sensor, *message;
  } cases[] = {
      {"objtype='geom' objname='floor'",
       "geom 'floor' in enclosed insidesite sensor must be a "
       "compact convex shape"},
      {"objtype='body' objname='none'",
       "body 'none' in enclosed insidesite sensor must have at "
       "least one geom"},
      {"objtype='xbody' objname='world'", "geom 'floor' in enclosed insidesite sensor must be"},
      {"objtype='camera' objname='eye'", "camera 'eye' in enclosed insidesite sensor is not"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char xml[600], error[300] = "";
    snprintf(xml, sizeof(xml),
             "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1'/><site name='s'/>"
             "<camera name='eye'/><body name='none'/></worldbody><sensor><insidesite site='s' %s "
             "enclosed='true'/></sensor></mujoco>",
             cases[i].sensor);
    mjSpec* s = mj_parseXMLString(xml, NULL, error, sizeof(error));
    assert_non_null(s);
    assert_null(mj_compile(s, NULL));
    assert_non_null(strstr(mjs_getError(s), cases[i].message));
    mj_deleteSpec(s);
  }
}
