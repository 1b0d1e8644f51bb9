// Depth of overlap of two convex shapes against its definition, over all pairs of shapes.
//
// The overlap of A and B along a unit direction u, by which B must move along u to be free, is
//
//     e(u) = h_A(u) + h_B(-u) - u . (c_B - c_A),     h(u) = max over x in the shape of u . (x - c)
//
// and the depth is its minimum. The widths h have closed forms for our shapes, so the minimum is
// found here by trying directions all over the sphere and improving the best, without any polytope.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka needs the four above first
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "collision/collide.h"
#include "collision/pair_case.h"

enum {
  NDIRECTION = 1000,
  NSTART = 16,
  NROUND = 6
};

static const int types[] = {mjGEOM_SPHERE, mjGEOM_CAPSULE, mjGEOM_ELLIPSOID, mjGEOM_CYLINDER,
                            mjGEOM_BOX};
enum {
  NTYPE = sizeof(types) / sizeof(types[0])
};

// h(u), for the shapes that are symmetric about their centre
static double width(int type, const mjtNum size[3], const mjtNum mat[9], const double u[3]) {
  double l[3];
  for (int k = 0; k < 3; k++) {
    l[k] = fabs(mat[k] * u[0] + mat[3 + k] * u[1] + mat[6 + k] * u[2]);
  }
  switch (type) {
    case mjGEOM_SPHERE:
      return size[0];
    case mjGEOM_CAPSULE:
      return size[0] + size[1] * l[2];
    case mjGEOM_ELLIPSOID:
      return sqrt(pow(size[0] * l[0], 2) + pow(size[1] * l[1], 2) + pow(size[2] * l[2], 2));
    case mjGEOM_CYLINDER:
      return size[0] * hypot(l[0], l[1]) + size[1] * l[2];
    default:
      return size[0] * l[0] + size[1] * l[1] + size[2] * l[2];
  }
}

static double overlap(const PairCase* p, const int type[2], const double u[3]) {
  double e = 0;
  for (int k = 0; k < 3; k++) {
    e -= u[k] * (p->pos[3 + k] - p->pos[k]);
  }
  return e + width(type[0], p->size, p->mat, u) + width(type[1], p->size + 3, p->mat + 9, u);
}

// A direction of an even cover of the sphere: points of a spiral of golden angles.
static void direction(double u[3], int i) {
  double z = 1 - (2 * i + 1.0) / NDIRECTION, r = sqrt(1 - z * z), angle = i * 2.399963229728653;
  u[0] = r * cos(angle);
  u[1] = r * sin(angle);
  u[2] = z;
}

// Least overlap near u: ever smaller steps to any side.
static double improve(const PairCase* p, const int type[2], const double start[3]) {
  double u[3] = {start[0], start[1], start[2]}, best = overlap(p, type, u);
  uint64_t seed = 7;
  for (double step = 0.05; step > 1e-9; step *= 0.85) {
    for (int i = 0; i < 16; i++) {
      double v[3], norm = 0;
      for (int k = 0; k < 3; k++) {
        v[k] = u[k] + step * case_real(&seed, -1, 1);
        norm += v[k] * v[k];
      }
      for (int k = 0; k < 3; k++) {
        v[k] /= sqrt(norm);
      }
      double e = overlap(p, type, v);
      if (e < best) {
        best = e;
        memcpy(u, v, sizeof(u));
      }
    }
  }
  return best;
}

static double depth_by_definition(const PairCase* p, const int type[2]) {
  // from the lowest samples, of which each is taken out when it has been improved
  double sample[NDIRECTION], best = INFINITY, u[3];
  for (int i = 0; i < NDIRECTION; i++) {
    direction(u, i);
    sample[i] = overlap(p, type, u);
  }
  for (int k = 0; k < NSTART; k++) {
    int lowest = 0;
    for (int i = 1; i < NDIRECTION; i++) {
      lowest = sample[i] < sample[lowest] ? i : lowest;
    }
    direction(u, lowest);
    best = fmin(best, improve(p, type, u));
    sample[lowest] = INFINITY;
  }
  return best;
}

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
static int is_searched(const int type[2]) {
  return mjCOLLISIONFUNC[type[0]][type[1]] == collide_convex || type[0] == mjGEOM_BOX;
}

// Polytopes have their depth exactly; a polytope in a round shape has less, by what it leaves out
// when iterations end.
static void overlaps_have_the_depth_of_their_definition(void** state) {
  (void)state;
  if (sizeof(mjtNum) < sizeof(double)) {
    skip();
  }
  uint64_t seed = 4242;
  for (int how = 0; how < NPLACE; how++) {
    for (int i = 0; i < NTYPE; i++) {
      for (int j = i; j < NTYPE; j++) {
        const int type[2] = {types[i], types[j]};
        if (!is_searched(type)) {
          continue;
        }
        const double part = type[0] == mjGEOM_BOX ? 1e-3 : 0.05;
        for (int k = 0; k < NROUND; k++) {
          PairCase p = place(&seed, how);
          double depth = depth_by_definition(&p, type);
          if (depth < 1e-3) {
            continue;
          }
          mjContact con[mjMAXCONPAIR];
          int num = collide(con, &p, type, 0);
          double n[3] = {con->frame[0], con->frame[1], con->frame[2]};
          double along = overlap(&p, type, n);
          if (num < 1 || !(fabs(con->dist + depth) < part * depth) ||
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
}

// whichever collider is in charge of a pair
static void overlaps_have_a_contact(void** state) {
  (void)state;
  uint64_t seed = 17;
  for (int how = 0; how < NPLACE; how++) {
    for (int i = 0; i < NTYPE; i++) {
      for (int j = i; j < NTYPE; j++) {
        const int type[2] = {types[i], types[j]};
        for (int k = 0; k < NROUND; k++) {
          PairCase p = place(&seed, how);
          mjContact con[mjMAXCONPAIR];
          if (depth_by_definition(&p, type) < 1e-3) {
            continue;
          }
          int num = collide(con, &p, type, 1);
          if (num < 1 || !(con->dist <= 0) || !(fabs(v3_norm(con->frame) - 1) < 1e-5)) {
            fail_msg("types %d-%d, placed %d, case %d: %d contacts, dist %g", type[0], type[1], how,
                     k, num, num ? (double)con->dist : 0);
          }
        }
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(overlaps_have_the_depth_of_their_definition),
      cmocka_unit_test(overlaps_have_a_contact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
