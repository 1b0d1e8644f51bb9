// Shapes: defaults, sizes by type, shapes between points; beside the reference where it is.

#include "scene/shape.h"

#include "support/bridge.h"
#include "support/caught.h"
#include "support/near.h"
#include "support/random.h"
#include "support/test.h"

static const int connectors[] = {mjGEOM_CAPSULE, mjGEOM_CYLINDER, mjGEOM_ARROW,
                                 mjGEOM_ARROW1,  mjGEOM_ARROW2,   mjGEOM_LINE};

static mjvGeom garbage(void) {
  mjvGeom geom;
  memset(&geom, 0x5a, sizeof geom);
  return geom;
}

TEST(a_shape_keeps_what_it_stands_for) {
  mjvGeom geom = garbage(), before = geom;
  mjv_initGeom(&geom, mjGEOM_BOX, NULL, NULL, NULL, NULL);
  assert_int_equal(geom.objtype, before.objtype);
  assert_int_equal(geom.objid, before.objid);
  assert_int_equal(geom.category, before.category);
  assert_int_equal(geom.segid, before.segid);
  assert_that(geom.transparent, ==, before.transparent);
  assert_int_equal(geom.dataid, -1);
  assert_int_equal(geom.matid, -1);
  assert_string_equal(geom.label, "");
  assert_that(geom.size[0], ==, .1f);
  assert_that(geom.mat[4], ==, 1);
  assert_that(geom.rgba[3], ==, 1);
}

TEST(a_place_is_taken_again_as_if_it_were_new) {
  mjvScene scn = {.maxgeom = 1};
  scn.geoms = calloc(1, sizeof(mjvGeom));
  for (int i = 0; i < 3; i++) {
    mjvGeom* geom = scene_next(&scn, mjOBJ_BODY, i, mjCAT_DECOR);
    mjvGeom expected = scene_blank;
    expected.objtype = mjOBJ_BODY;
    expected.objid = i;
    expected.category = mjCAT_DECOR;
    assert_memory_equal(geom, &expected, offsetof(mjvGeom, transparent) + 1);
    memset(geom, 0x5a, sizeof *geom);
  }
  free(scn.geoms);
}

TEST(radii_come_first_and_half_lengths_last) {
  const mjtNum size[3] = {1, 2, 3};
  mjvGeom geom;
  mjv_initGeom(&geom, mjGEOM_SPHERE, size, NULL, NULL, NULL);
  assert_that(geom.size[0], ==, 1);
  assert_that(geom.size[1], ==, 1);
  assert_that(geom.size[2], ==, 1);
  mjv_initGeom(&geom, mjGEOM_CYLINDER, size, NULL, NULL, NULL);
  assert_that(geom.size[0], ==, 1);
  assert_that(geom.size[1], ==, 1);
  assert_that(geom.size[2], ==, 2);
  mjv_initGeom(&geom, mjGEOM_BOX, size, NULL, NULL, NULL);
  assert_that(geom.size[0], ==, 1);
  assert_that(geom.size[1], ==, 2);
  assert_that(geom.size[2], ==, 3);
}

// R is a rotation, its z axis along the vector, and it turns no more than it has to: R + R' is
// symmetric about z.
static void check_turn(const mjtNum vec[3]) {
  mjtNum R[9], RR[9], identity[9], unit[3];
  mju_copy3(unit, vec);
  mju_normalize3(unit);
  scene_turn(R, vec);
  mju_mulMatTMat(RR, R, R, 3, 3, 3);
  mju_eye(identity, 3);
  assert_close(RR, identity, 9, 1e-9);
  const mjtNum z[3] = {R[2], R[5], R[8]};
  assert_close(z, unit, 3, 1e-9);
  assert_near(R[1], R[3], 1e-9);
}

TEST(the_least_turn_takes_z_to_every_direction) {
  uint64_t seed = 1;
  for (int trial = 0; trial < 1000; trial++) {
    mjtNum vec[3];
    for (int k = 0; k < 3; k++) {
      vec[k] = (mjtNum)uniform_random(&seed) * (trial % 3 == k ? (mjtNum)1e-4 : 1);
    }
    check_turn(vec);
  }
  const mjtNum edges[][3] = {{0, 0, 1}, {0, 0, -1}, {(mjtNum)1e-6, 0, -1}, {1, 0, 0}, {0, -2, 0}};
  for (int i = 0; i < 5; i++) {
    check_turn(edges[i]);
  }
  mjtNum R[9], identity[9], none[3] = {0};
  mju_eye(identity, 3);
  scene_turn(R, none);
  assert_close(R, identity, 9, 0);
}

TEST(connectors_end_at_their_points) {
  uint64_t seed = 2;
  for (int trial = 0; trial < 60; trial++) {
    mjtNum from[3], to[3], end[3];
    for (int k = 0; k < 3; k++) {
      from[k] = (mjtNum)uniform_random(&seed);
      to[k] = (mjtNum)uniform_random(&seed);
    }
    mjvGeom geom;
    mjv_initGeom(&geom, mjGEOM_NONE, NULL, NULL, NULL, NULL);
    mjv_connector(&geom, connectors[trial % 6], (mjtNum)0.25, from, to);
    for (int k = 0; k < 3; k++) {
      end[k] = (mjtNum)(geom.pos[k] + geom.mat[3 * k + 2] * geom.size[2]);
    }
    assert_numbers(end, to, 3, 1e-6, 1);
    assert_that(geom.size[0], ==, .25f);
  }
}

TEST(other_types_connect_nothing) {
  mjvGeom geom = garbage();
  const mjtNum from[3] = {0}, to[3] = {1};
  assert_error(mjv_connector(&geom, mjGEOM_BOX, 1, from, to),
               "mjv_connector: invalid geom type 6 for connector");
}

TEST(a_triangle_has_its_corners) {
  const mjtNum v[3][3] = {{1, 2, 3}, {2, 2, 5}, {0, 3, 3}};
  mjvGeom geom = scene_blank;
  scene_triangle(&geom, v[0], v[1], v[2]);
  for (int side = 0; side < 2; side++) {
    mjtNum corner[3];
    for (int k = 0; k < 3; k++) {
      corner[k] = (mjtNum)(geom.pos[k] + geom.mat[3 * k + side] * geom.size[side]);
    }
    assert_numbers(corner, v[side + 1], 3, 1e-6, 1);
  }
}

TEST(a_full_scene_has_no_next_shape) {
  mjvScene scn;
  mjv_defaultScene(&scn);
  assert_null(scene_next(&scn, mjOBJ_GEOM, 0, mjCAT_STATIC));
  mjv_makeScene(NULL, &scn, 1);
  mjvGeom* geom = scene_next(&scn, mjOBJ_GEOM, 7, mjCAT_STATIC);
  assert_non_null(geom);
  assert_int_equal(geom->objid, 7);
  assert_int_equal(geom->segid, 0);
  scn.ngeom++;
  assert_null(scene_next(&scn, mjOBJ_GEOM, 0, mjCAT_STATIC));
  mjv_freeScene(&scn);
}

TEST(shapes_agree_with_the_reference) {
  BRIDGE_OR_SKIP();
  typedef void Init(mjvGeom*, int, const mjtNum*, const mjtNum*, const mjtNum*, const float*);
  typedef void Connect(mjvGeom*, int, mjtNum, const mjtNum*, const mjtNum*);
  Init* init = (Init*)bridge_function("mjv_initGeom");
  Connect* connect = (Connect*)bridge_function("mjv_connector");
  uint64_t seed = 3;
  for (int trial = 0; trial < 400; trial++) {
    mjtNum x[18];
    for (int k = 0; k < 18; k++) {
      x[k] = (mjtNum)uniform_random(&seed);
    }
    const float rgba[4] = {.1f, .2f, .3f, .4f};
    const mjtNum *size = trial & 1 ? x : NULL, *pos = trial & 2 ? x + 3 : NULL;
    const mjtNum* mat = trial & 4 ? x + 6 : NULL;
    mjvGeom ours = garbage(), theirs = garbage();
    int type = trial / 8 % 9;
    mjv_initGeom(&ours, type, size, pos, mat, trial & 8 ? rgba : NULL);
    init(&theirs, type, size, pos, mat, trial & 8 ? rgba : NULL);
    theirs.label[99] = ours.label[99];
    assert_int_equal(ours.label[0], theirs.label[0]);
    memcpy(theirs.label, ours.label, sizeof ours.label);
    assert_memory_equal(&ours, &theirs, offsetof(mjvGeom, transparent) + 1);

    mjv_connector(&ours, connectors[trial % 6], x[0], x, x + 3);
    connect(&theirs, connectors[trial % 6], x[0], x, x + 3);
    assert_int_equal(ours.type, theirs.type);
    assert_numbers(ours.size, theirs.size, 15, 1e-6, 1e-3);  // size, pos, mat in a row
  }
}
