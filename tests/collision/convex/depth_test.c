// Depth of overlap of two convex shapes against its definition, over all pairs of shapes.

#include "collision/collide.h"
#include "collision/pair_case.h"
#include "support/precision.h"
#include "support/test.h"

enum {
  NROUND = 3
};

static const int types[] = {mjGEOM_SPHERE, mjGEOM_CAPSULE, mjGEOM_ELLIPSOID, mjGEOM_CYLINDER,
                            mjGEOM_BOX};
enum {
  NTYPE = sizeof(types) / sizeof(types[0])
};

// Contacts by the general collider or by the one in the table.
static int collide(mjContact con[mjMAXCONPAIR], const PairCase* p, const int type[2], int table) {
  mjfCollision collider = table ? mjCOLLISIONFUNC[type[0]][type[1]] : collide_convex;
  return case_collide(con, p, type[0], type[1], collider, (mjtNum)1e-6, 150);
}

static void axes(mjtNum mat[9], uint64_t* seed) {
  static const int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  int k = case_int(seed, 6);
  memset(mat, 0, 9 * sizeof(mjtNum));
  for (int i = 0; i < 3; i++) {
    mat[3 * order[k][i] + i] = k > 2 && i == 2 ? -1 : 1;
  }
}

// How two shapes lie to each other.
enum {
  SAME_POSE,
  SAME_AXES,  // same centre, axes along the world's
  TURNED,     // same centre
  GRID,       // all numbers from a grid
  NUDGED,     // centres less than 1e-3 apart, down to rounding
  ANYWHERE,
  NPLACE
};

static PairCase place(uint64_t* seed, int how) {
  PairCase p = {.margin = 0};
  for (int i = 0; i < 6; i++) {
    p.size[i] = (mjtNum)(how == GRID || how == SAME_POSE ? 0.1 * (1 + case_int(seed, 4))
                                                         : case_real(seed, 0.1, 0.5));
  }
  case_rotation(p.mat, seed);
  memcpy(p.mat + 9, p.mat, 9 * sizeof(mjtNum));
  if (how == SAME_AXES || how == GRID) {
    axes(p.mat, seed);
    axes(p.mat + 9, seed);
  } else if (how != SAME_POSE) {
    case_rotation(p.mat + 9, seed);
  }
  for (int k = 0; k < 3; k++) {
    p.pos[k] = p.pos[3 + k] = (mjtNum)case_real(seed, -1, 1);
    double shift = how == GRID       ? 0.05 * (case_int(seed, 5) - 2)
                   : how == NUDGED   ? case_real(seed, -1, 1) * pow(0.1, 3 + case_int(seed, 14))
                   : how == ANYWHERE ? case_real(seed, -0.2, 0.2)
                                     : 0;
    p.pos[3 + k] += (mjtNum)shift;
  }
  return p;
}

// Pairs whose contacts or distances come from the general collider.
static int is_iterative(const int type[2]) {
  return mjCOLLISIONFUNC[type[0]][type[1]] == collide_convex || type[0] == mjGEOM_BOX;
}

// Polytopes have their depth exactly; a polytope in a round shape has less, by what it leaves out
// when iterations end.
TEST(overlaps_have_the_depth_of_their_definition) {
  DOUBLE_ONLY();
  uint64_t seed = 4242;
  int compared = 0;
  for (int how = 0; how < NPLACE; how++) {
    for (int i = 0; i < NTYPE; i++) {
      for (int j = i; j < NTYPE; j++) {
        const int type[2] = {types[i], types[j]};
        if (!is_iterative(type)) {
          continue;
        }
        const double part = type[0] == mjGEOM_BOX ? 1e-3 : 0.05;
        for (int k = 0; k < NROUND; k++) {
          PairCase p = place(&seed, how);
          Overlap o = case_overlap(&p, type);
          double depth = (double)overlap_least(NULL, &o, NULL);
          if (depth < 1e-3) {
            continue;
          }
          mjContact con[mjMAXCONPAIR];
          int num = collide(con, &p, type, 0);
          compared++;
          double along = overlap_along_normal(&o, con->frame);
          int boxes = type[0] == mjGEOM_BOX && type[1] == mjGEOM_BOX;
          if (num < 1 || num > (boxes ? 8 : 1) || !(fabs(con->dist + depth) < part * depth) ||
              !(along < (1 + 5 * part) * depth)) {
            fail_msg(
                "types %d-%d, placed %d, case %d: %d contacts, dist %.9g, along the normal %.9g, "
                "depth %.9g",
                type[0], type[1], how, k, num, con->dist, along, depth);
          }
        }
      }
    }
  }
  assert_that(compared, >, 100);
}

// Where no search can start, and surfaces are round all about the deepest points.
TEST(shapes_about_one_centre_have_their_depth_exactly) {
  DOUBLE_ONLY();
  uint64_t seed = 91;
  int compared = 0;
  for (int how = SAME_POSE; how <= TURNED; how++) {
    for (int i = 0; i < NTYPE; i++) {
      for (int j = i; j < NTYPE; j++) {
        const int type[2] = {types[i], types[j]};
        for (int k = 0; k < NROUND && type[0] != mjGEOM_BOX && is_iterative(type); k++) {
          PairCase p = place(&seed, how);
          Overlap o = case_overlap(&p, type);
          mjContact con[mjMAXCONPAIR];
          double depth = (double)overlap_least(NULL, &o, NULL);
          int num = collide(con, &p, type, 0);
          compared++;
          if (num < 1 || !(fabs(con->dist + depth) < 1e-6) ||
              !(fabs(overlap_along_normal(&o, con->frame) - depth) < 1e-6)) {
            fail_msg("types %d-%d, placed %d, case %d: %d contacts, dist %.9g, depth %.9g", type[0],
                     type[1], how, k, num, num ? (double)con->dist : 0, depth);
          }
        }
      }
    }
  }
  assert_that(compared, >, 50);
}

// whichever collider is in charge of a pair
TEST(overlaps_have_a_contact) {
  uint64_t seed = 17;
  int compared = 0;
  for (int how = 0; how < NPLACE; how++) {
    for (int i = 0; i < NTYPE; i++) {
      for (int j = i; j < NTYPE; j++) {
        const int type[2] = {types[i], types[j]};
        for (int k = 0; k < NROUND; k++) {
          PairCase p = place(&seed, how);
          Overlap o = case_overlap(&p, type);
          mjContact con[mjMAXCONPAIR];
          if (overlap_least(NULL, &o, NULL) < 1e-3L) {
            continue;
          }
          int num = collide(con, &p, type, 1);
          compared++;
          if (num < 1 || !(con->dist <= 0) || !(fabs(v3_norm(con->frame) - 1) < 1e-5)) {
            fail_msg("types %d-%d, placed %d, case %d: %d contacts, dist %g", type[0], type[1], how,
                     k, num, num ? (double)con->dist : 0);
          }
        }
      }
    }
  }
  assert_that(compared, >, 100);
}
