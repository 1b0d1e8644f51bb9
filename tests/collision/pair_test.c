// Colliders of single pairs against numbers recorded from the reference, and what must hold without
// it.

#include "collision/collide.h"
#include "collision/contact_param.h"
#include "collision/pair_case.h"
#include "support/near.h"
#include "support/test.h"

enum {
  NCASE = 48
};

static const int pair_type[][2] = {
    {mjGEOM_PLANE, mjGEOM_SPHERE},       {mjGEOM_PLANE, mjGEOM_CAPSULE},
    {mjGEOM_PLANE, mjGEOM_ELLIPSOID},    {mjGEOM_PLANE, mjGEOM_CYLINDER},
    {mjGEOM_PLANE, mjGEOM_BOX},          {mjGEOM_SPHERE, mjGEOM_SPHERE},
    {mjGEOM_SPHERE, mjGEOM_CAPSULE},     {mjGEOM_SPHERE, mjGEOM_CYLINDER},
    {mjGEOM_SPHERE, mjGEOM_BOX},         {mjGEOM_CAPSULE, mjGEOM_CAPSULE},
    {mjGEOM_CAPSULE, mjGEOM_BOX},        {mjGEOM_BOX, mjGEOM_BOX},
    {mjGEOM_SPHERE, mjGEOM_ELLIPSOID},   {mjGEOM_CAPSULE, mjGEOM_ELLIPSOID},
    {mjGEOM_CAPSULE, mjGEOM_CYLINDER},   {mjGEOM_ELLIPSOID, mjGEOM_ELLIPSOID},
    {mjGEOM_ELLIPSOID, mjGEOM_CYLINDER}, {mjGEOM_ELLIPSOID, mjGEOM_BOX},
    {mjGEOM_CYLINDER, mjGEOM_CYLINDER},  {mjGEOM_CYLINDER, mjGEOM_BOX},
};
enum {
  NPAIR = sizeof(pair_type) / sizeof(pair_type[0]),
  NEXACT = 12,  // from here on iterations stop at a tolerance
};

// What the colliders that iterate are given.
static mjtNum ccd_tolerance = (mjtNum)1e-6;
static int ccd_iterations = 35;

// Contacts of geoms 0 and 1 of a model that is nothing but them, with complete frames.
static int collide(mjContact con[mjMAXCONPAIR], const PairCase* p, int type1, int type2) {
  int num = case_collide(con, p, type1, type2, mjCOLLISIONFUNC[type1][type2], ccd_tolerance,
                         ccd_iterations);
  if (type1 == mjGEOM_BOX && type2 == mjGEOM_BOX) {
    Solid a = {p->pos, p->mat, p->size}, b = {p->pos + 3, p->mat + 9, p->size + 3};
    num = box_box_clean(con, num, &a, &b, p->margin);
  }
  for (int i = 0; i < num; i++) {
    contact_frame(con[i].frame);
  }
  return num;
}

static void expect_close(double ours, double reference, double tolerance, const char* what,
                         int pair, int k) {
  char label[80];
  snprintf(label, sizeof label, "types %d-%d, case %d: %s", pair_type[pair][0], pair_type[pair][1],
           k, what);
  assert_false(near_apart(label, ours, reference, tolerance));
}

// A contact against the depth that a search finds: the tolerance is how much shallower it may be.
// The normal is a direction of that depth, and the ends of the contact lie on their shapes, as far
// as depth tells a place.
static void expect_depth(const mjContact con[], int num, const PairCase* p, int pair, int k,
                         double tolerance) {
  Overlap o = case_overlap(p, pair_type[pair]);
  double depth = -(double)overlap_least(NULL, &o, num ? con->frame : NULL), dist = con->dist;
  char label[40];
  snprintf(label, sizeof label, "types %d-%d, case %d", o.shape[0].type, o.shape[1].type, k);
  if (num == 0) {
    assert_that(depth, >, p->margin - 1e-6);
    return;
  }
  assert_int_equal(num, 1);
  if (!(dist >= depth - 1e-5 && dist <= depth + tolerance)) {
    fail_msg("%s: distance %.10g, but %.10g is found", label, dist, depth);
  }
  // shapes that just touch have no way out
  double along = -overlap_along_normal(&o, con->frame);
  if (fabs(dist) > 1e-6 && !(along >= dist - 2 * tolerance)) {
    fail_msg("%s: distance %.10g, along its normal %.10g", label, dist, along);
  }
  for (int g = 0; g < 2; g++) {
    mjtNum end[3];
    v3_addscl(end, con->pos, con->frame, (g ? 0.5 : -0.5) * dist);
    double outside = (double)overlap_outside(&o, g, end);
    if (!(outside <= fmax(tolerance, 1e-3))) {
      fail_msg("%s: one end is outside of shape %d by %.10g", label, g, outside);
    }
  }
}

TEST(contacts_are_those_of_the_reference) {
  DOUBLE_ONLY();
  FILE* file = fopen(CONDYLE_SOURCE_DIR "/tests/reference/collision/pairs.txt", "r");
  assert_non_null(file);
  uint64_t seed = 88172645463325252u;
  for (int pair = 0; pair < NPAIR; pair++) {
    for (int k = 0; k < NCASE; k++) {
      PairCase p = pair_case(&seed, k % 3);
      mjContact con[mjMAXCONPAIR];
      int expected, num = collide(con, &p, pair_type[pair][0], pair_type[pair][1]);
      assert_int_equal(fscanf(file, "%d", &expected), 1);
      if (num != expected) {
        fail_msg("types %d-%d, case %d: %d contacts, reference %d", pair_type[pair][0],
                 pair_type[pair][1], k, num, expected);
      }
      // iterations converge in depth; where it is flat, place and normal follow its root. On the
      // grid they may stop at their limit, on a path that rounding chose: there the truth decides.
      int path = pair >= NEXACT && k % 3 != 0;
      double sharp = pair < NEXACT ? 1e-9 : 1e-6;
      double blunt = pair < NEXACT ? 1e-9 : 1e-3;
      if (path) {
        expect_depth(con, num, &p, pair, k, 0.02);
      }
      for (int i = 0; i < num; i++) {
        double x[7];
        for (int j = 0; j < 7; j++) {
          assert_int_equal(fscanf(file, "%lf", x + j), 1);
        }
        if (path) {
          continue;
        }
        expect_close(con[i].dist, x[0], sharp, "dist", pair, k);
        for (int j = 0; j < 3; j++) {
          expect_close(con[i].pos[j], x[1 + j], blunt, "pos", pair, k);
          expect_close(con[i].frame[j], x[4 + j], blunt, "normal", pair, k);
        }
      }
    }
  }
  fclose(file);
}

// With all the faces that it has room for, the collider is exact: for round shapes too, but for
// those that meet in a line or a point on the grid, where every face that is split leaves slivers.
TEST(depths_are_the_shortest_way_out) {
  DOUBLE_ONLY();
  uint64_t seed = 88172645463325252u;
  mjtNum tolerance = ccd_tolerance;
  int iterations = ccd_iterations, contacts = 0;
  ccd_tolerance = 1e-9;
  ccd_iterations = 1000;
  for (int pair = 0; pair < NPAIR; pair++) {
    for (int k = 0; k < NCASE; k++) {
      PairCase p = pair_case(&seed, k % 3);
      if (pair >= NEXACT) {
        int first = pair_type[pair][0], second = pair_type[pair][1];
        int hard = first == mjGEOM_CAPSULE
                       ? k % 3 != 0
                       : k % 3 == 1 && (second == mjGEOM_BOX || first == mjGEOM_CYLINDER);
        mjContact con[mjMAXCONPAIR];
        int num = collide(con, &p, first, second);
        expect_depth(con, num, &p, pair, k, hard ? 3e-3 : 1e-6);
        contacts += num;
      }
    }
  }
  ccd_tolerance = tolerance;
  ccd_iterations = iterations;
  assert_that(contacts, >, 200);
}

TEST(frames_are_orthonormal_and_right_handed) {
  const double tolerance = sizeof(mjtNum) < sizeof(double) ? 1e-5 : 1e-12;
  uint64_t seed = 5;
  for (int pair = 0; pair < NPAIR; pair++) {
    int contacts = 0;
    for (int k = 0; k < 300; k++) {
      PairCase p = pair_case(&seed, 0);
      mjContact con[mjMAXCONPAIR];
      int num = collide(con, &p, pair_type[pair][0], pair_type[pair][1]);
      contacts += num;
      for (int i = 0; i < num; i++) {
        const mjtNum* f = con[i].frame;
        mjtNum z[3];
        v3_cross(z, f, f + 3);
        assert_that(fabs(v3_dot(f, f) - 1), <, tolerance);
        assert_that(fabs(v3_dot(f + 3, f + 3) - 1), <, tolerance);
        assert_that(fabs(v3_dot(f, f + 3)), <, tolerance);
        assert_that(v3_dist(z, f + 6), <, tolerance);
      }
    }
    assert_that(contacts, >, 50);
  }
}

// moving the whole scene moves the contacts with it
TEST(contacts_move_with_the_scene) {
  DOUBLE_ONLY();
  uint64_t seed = 11;
  for (int pair = 0; pair < NEXACT; pair++) {
    int contacts = 0;
    for (int k = 0; k < 300; k++) {
      PairCase p = pair_case(&seed, 0), moved = p;
      mjtNum turn[9];
      case_rotation(turn, &seed);
      const mjtNum shift[3] = {case_real(&seed, -1, 1), case_real(&seed, -1, 1), 0.3};
      for (int g = 0; g < 2; g++) {
        m3_mul(moved.mat + 9 * g, turn, p.mat + 9 * g);
        m3_mulv(moved.pos + 3 * g, turn, p.pos + 3 * g);
        v3_addto(moved.pos + 3 * g, shift);
      }
      mjContact a[mjMAXCONPAIR], b[mjMAXCONPAIR];
      int num = collide(a, &p, pair_type[pair][0], pair_type[pair][1]);
      assert_int_equal(collide(b, &moved, pair_type[pair][0], pair_type[pair][1]), num);
      contacts += num;
      for (int i = 0; i < num; i++) {
        mjtNum pos[3], normal[3];
        m3_mulv(pos, turn, a[i].pos);
        v3_addto(pos, shift);
        m3_mulv(normal, turn, a[i].frame);
        assert_that(fabs(a[i].dist - b[i].dist), <, 1e-9);
        assert_that(v3_dist(pos, b[i].pos), <, 1e-9);
        assert_that(v3_dist(normal, b[i].frame), <, 1e-9);
      }
    }
    assert_that(contacts, >, 50);
  }
}

TEST(coincident_spheres_are_parted_along_the_product_of_their_axes) {
  PairCase p = {.size = {1, 0, 0, 1, 0, 0},
                .mat = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, -1, 0}};
  mjContact con[mjMAXCONPAIR];
  assert_int_equal(collide(con, &p, mjGEOM_SPHERE, mjGEOM_SPHERE), 1);
  assert_that(con[0].dist, ==, -2);
  assert_that(fabs(con[0].frame[0]), ==, 1);
}

TEST(box_on_a_plane_has_its_four_lower_corners) {
  PairCase p = {.size = {0, 0, 1, 1, 2, 3},
                .pos = {0, 0, 0, 0, 0, 2.5},
                .mat = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1}};
  mjContact con[mjMAXCONPAIR];
  assert_int_equal(collide(con, &p, mjGEOM_PLANE, mjGEOM_BOX), 4);
  for (int i = 0; i < 4; i++) {
    assert_that(con[i].dist, ==, -0.5);
    assert_that(con[i].pos[2], ==, -0.25);
    assert_that(con[i].pos[0], ==, (i & 1 ? 1 : -1));
    assert_that(con[i].pos[1], ==, (i & 2 ? 2 : -2));
  }
}
