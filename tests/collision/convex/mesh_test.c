// Meshes: contacts and distances against the reference, and against their definition.

#include "collision/mesh_scene.h"
#include "support/bridge.h"
#include "support/depth.h"
#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

static int is_round(int geom) {
  return geom > 0 && geom < SCENE_SOLIDS - 1;
}

// Contacts of geoms g1 < g2 by the colliders of types t1 and t2 of both engines: equal in number,
// order and place. Those of round shapes end at a tolerance. Returns their number.
static int compare_colliders(Bridge* b, int t1, int t2, int g1, int g2, mjtNum margin, int how) {
  static mjContact ours[mjMAXCONPAIR], theirs[mjMAXCONPAIR];
  int num = mjCOLLISIONFUNC[t1][t2](b->m, b->d, ours, g1, g2, margin);
  int expected = bridge_collide(theirs, b, t1, t2, g1, g2, margin);
  char label[80];
  snprintf(label, sizeof label, "geoms %d %d, placed %d, margin %g", g1, g2, how, (double)margin);
  if (num != expected) {
    fail_msg("%s: %d contacts, reference %d", label, num, expected);
  }
  int path = is_round(g1) && g1 > 1;
  for (int i = 0; i < num; i++) {
    int differ = near_apart(label, ours[i].dist, theirs[i].dist, path ? 1e-6 : 1e-9) +
                 numbers_differ(label, ours[i].pos, theirs[i].pos, 3, path ? 1e-3 : 1e-9, 1) +
                 numbers_differ(label, ours[i].frame, theirs[i].frame, 3, path ? 1e-3 : 1e-9, 1);
    assert_int_equal(differ, 0);
  }
  return num;
}

static int coincide(const mjData* d, int g1, int g2) {
  return v3_dist(d->geom_xpos + 3 * g1, d->geom_xpos + 3 * g2) < (mjtNum)1e-12;
}

// All pairs with a mesh, in several poses each; round: with round shapes, too.
static void compare_scene(int multiccd, int round, mjtNum margin, int rounds) {
  Bridge* b = test_bridge(scene_text(multiccd));
  uint64_t seed = 4711 + (uint64_t)multiccd;
  int contacts = 0;
  for (int n = 0; n < rounds * SCENE_PLACES; n++) {
    for (int g2 = SCENE_SOLIDS; g2 < SCENE_GEOMS; g2++) {
      for (int g1 = 0; g1 <= g2; g1++) {
        int how = n % SCENE_PLACES;
        if (g1 == g2 || (is_round(g1) && !round)) {
          continue;
        }
        scene_place(b->d, g1, g2, &seed, how, 0.4);
        if (coincide(b->d, g1, g2)) {
          continue;
        }
        bridge_push(b, "geom_xpos geom_xmat");
        contacts += compare_colliders(b, b->m->geom_type[g1], mjGEOM_MESH, g1, g2, margin, how);
      }
    }
  }
  test_release(b);
  assert_that(contacts, >, 100 * rounds);
}

TEST(contacts_agree_with_the_reference) {
  BRIDGE_OR_SKIP();
  DOUBLE_ONLY();
  compare_scene(0, 1, 0, 8);
}

TEST(contacts_with_a_margin_agree_with_the_reference) {
  BRIDGE_OR_SKIP();
  DOUBLE_ONLY();
  compare_scene(0, 0, (mjtNum)0.05, 2);
}

TEST(several_contacts_agree_with_the_reference) {
  BRIDGE_OR_SKIP();
  DOUBLE_ONLY();
  compare_scene(1, 0, 0, 12);
}

// which programs may put into the table; it gives up to eight contacts, whatever the flag
TEST(boxes_in_the_general_collider_agree_with_the_reference) {
  BRIDGE_OR_SKIP();
  DOUBLE_ONLY();
  Bridge* b = test_bridge(scene_text(0));
  uint64_t seed = 271828;
  int most = 0;
  for (int n = 0; n < 100 * SCENE_PLACES; n++) {
    int how = n % SCENE_PLACES, box = SCENE_SOLIDS - 1;
    scene_place(b->d, box, SCENE_BOX, &seed, how, 0.3);
    if (!coincide(b->d, box, SCENE_BOX)) {
      bridge_push(b, "geom_xpos geom_xmat");
      int num = compare_colliders(b, mjGEOM_BOX, mjGEOM_MESH, box, SCENE_BOX, 0, how);
      most = num > most ? num : most;
    }
  }
  test_release(b);
  assert_in_range(most, 5, 8);
}

// Where parallel faces are nearest the reference may take them for touching and answer 0.
TEST(distances_agree_with_the_reference) {
  BRIDGE_OR_SKIP();
  DOUBLE_ONLY();
  Bridge* b = test_bridge(scene_text(0));
  mjtNum (*reference)(const void*, const void*, int, int, mjtNum, mjtNum*) =
      bridge_function("mj_geomDistance");
  uint64_t seed = 31337;
  int compared = 0, zero = 0;
  for (int n = 0; n < 8 * SCENE_PLACES; n++) {
    for (int g2 = SCENE_SOLIDS; g2 < SCENE_GEOMS; g2++) {
      for (int g1 = 1; g1 < g2; g1++) {
        mjtNum ours[6], theirs[6];
        scene_place(b->d, g1, g2, &seed, n % SCENE_PLACES, 0.8);
        if (coincide(b->d, g1, g2)) {
          continue;
        }
        bridge_push(b, "geom_xpos geom_xmat");
        mjtNum x = mj_geomDistance(b->m, b->d, g1, g2, 5, ours);
        mjtNum y = reference(b->ref_m, b->ref_d, g1, g2, 5, theirs);
        assert_near(v3_dist(ours, ours + 3), mju_abs(x), 1e-6);
        if (y == 0) {
          zero++;
          continue;
        }
        char label[40];
        snprintf(label, sizeof label, "geoms %d %d", g1, g2);
        assert_false(near_apart(label, x, y, 1e-8));
        assert_false(numbers_differ(label, ours, theirs, 6, is_round(g1) ? 1e-3 : 1e-8, 1));
        compared++;
      }
    }
  }
  test_release(b);
  assert_that(compared, >, 4000);
  assert_that(zero, <, 400);
}

// The depth is the least overlap of all directions: none has less, and the normal has as much.
TEST(depths_are_the_least_overlap) {
  DOUBLE_ONLY();
  enum {
    FEW_VERTICES = SCENE_GEOMS - 1
  };
  mjModel* m = test_model(scene_text(0));
  mjData* d = test_data(m);
  m->opt.ccd_iterations = 170;
  uint64_t seed = 99;
  int touching = 0, apart = 0;
  for (int n = 0; n < 2 * SCENE_PLACES; n++) {
    for (int g2 = SCENE_SOLIDS + 1; g2 < FEW_VERTICES; g2++) {
      for (int g1 = SCENE_SOLIDS; g1 < g2; g1++) {
        static mjContact con[mjMAXCONPAIR];
        scene_place(d, g1, g2, &seed, n % SCENE_PLACES, 0.5);
        int num = mjCOLLISIONFUNC[mjGEOM_MESH][mjGEOM_MESH](m, d, con, g1, g2, 0);
        Overlap o = overlap_of_geoms(m, d, g1, g2, 0);
        double depth = (double)overlap_least(NULL, &o, num ? con->frame : NULL);
        if (num) {
          double along = overlap_along_normal(&o, con->frame);
          if (!(fabs(con->dist + depth) < 1e-9) || !(fabs(along - depth) < 1e-6)) {
            fail_msg("geoms %d %d: depth %.9g, overlap along the normal %.9g, the least %.9g", g1,
                     g2, (double)-con->dist, along, depth);
          }
          touching++;
        } else {
          mjtNum dist = mj_geomDistance(m, d, g1, g2, 5, NULL);
          if (!(dist >= 0) || !(fabs(dist + depth) < 1e-6)) {
            fail_msg("geoms %d %d: no contact at distance %g, overlap %g", g1, g2, (double)dist,
                     depth);
          }
          apart++;
        }
      }
    }
  }
  test_release(m);
  assert_that(touching, >, 300);
  assert_that(apart, >, 20);
}

TEST(coincident_meshes_have_a_contact) {
  mjModel* m = test_model(scene_text(1));
  mjData* d = test_data(m);
  uint64_t seed = 5;
  for (int g2 = SCENE_SOLIDS; g2 < SCENE_GEOMS; g2++) {
    for (int g1 = 1; g1 < g2; g1++) {
      static mjContact con[mjMAXCONPAIR];
      scene_place(d, g1, g2, &seed, SCENE_ALIGNED, 0);
      int num = mjCOLLISIONFUNC[m->geom_type[g1]][mjGEOM_MESH](m, d, con, g1, g2, 0);
      if (num < 1 || !(con->dist < (mjtNum)-0.05)) {
        fail_msg("geoms %d %d: %d contacts", g1, g2, num);
      }
    }
  }
}

// needles, flakes and specks, poses that are no numbers: an answer or none, but an end
TEST(extreme_meshes_come_to_an_end) {
  static const mjtNum scales[] = {(mjtNum)1e-6, 1, (mjtNum)1e6};
  mjModel* m = test_model(scene_text(1));
  mjData* d = test_data(m);
  uint64_t seed = 6;
  for (int n = 0; n < 27; n++) {
    mjModel* copy = mj_copyModel(NULL, m);
    for (int i = 0; i < copy->nmeshvert; i++) {
      copy->mesh_vert[3 * i] *= (float)scales[n % 3];
      copy->mesh_vert[3 * i + 1] *= (float)scales[n / 3 % 3];
      copy->mesh_vert[3 * i + 2] *= (float)(n == 4 ? 0 : scales[n / 9]);
    }
    for (int g2 = SCENE_SOLIDS; g2 < SCENE_GEOMS; g2++) {
      for (int g1 = 0; g1 < g2; g1++) {
        static mjContact con[mjMAXCONPAIR];
        scene_place(d, g1, g2, &seed, n % SCENE_PLACES, 0.3);
        if (n % 5 == 4) {
          d->geom_xmat[9 * g2 + n % 9] = (mjtNum)NAN;
        }
        int num = mjCOLLISIONFUNC[m->geom_type[g1]][mjGEOM_MESH](copy, d, con, g1, g2, 0);
        assert_in_range(num, 0, mjMAXCONPAIR);
        mj_geomDistance(copy, d, g1, g2, 1, NULL);
      }
    }
    mj_deleteModel(copy);
  }
}

// poses that are no numbers, which have no depth, warn; apart, touching and overlapping shapes
// don't
TEST(overlaps_without_a_depth_are_warned_of) {
  mjModel* m = test_model(scene_text(0));
  mjData* d = test_data(m);
  const mjWarningStat* warning = d->cnd_warning + (cndWARN_DEPTH - cndWARN_FIRST);
  mjContact con[mjMAXCONPAIR];
  const int g1 = SCENE_SOLIDS, g2 = SCENE_SOLIDS + 1;  // a box of half height 0.2 and one of 0.35
  mjfCollision collide = mjCOLLISIONFUNC[mjGEOM_MESH][mjGEOM_MESH];
  mj_kinematics(m, d);
  for (int i = 0; i < 3; i++) {
    v3_zero(d->geom_xpos + 3 * g1);
    v3_set(d->geom_xpos + 3 * g2, 0, 0, i == 0 ? 2 : (i == 1 ? 0.55 : 0.5));
    m3_identity(d->geom_xmat + 9 * g1);
    m3_identity(d->geom_xmat + 9 * g2);
    collide(m, d, con, g1, g2, 0);
    assert_int_equal(warning->number, 0);
  }
  for (int k = 0; k < 9; k++) {
    d->geom_xmat[9 * g2 + k] = NAN;
  }
  assert_int_equal(collide(m, d, con, g1, g2, 0), 0);
  assert_int_equal(warning->number, 1);
}
