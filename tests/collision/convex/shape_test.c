// Contact features of convex shapes: where they lie, how they are oriented, and what they support.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka needs the four above first
#include <cmocka.h>
#include <math.h>

#include "collision/convex/shape.h"
#include "collision/pair_case.h"

enum {
  NTRIAL = 2000
};

static const ConvexKind* const kinds[] = {&convex_sphere, &convex_capsule, &convex_ellipsoid,
                                          &convex_cylinder, &convex_box};
enum {
  NKIND = sizeof(kinds) / sizeof(kinds[0])
};

static const mjtNum EPS = sizeof(mjtNum) == 8 ? (mjtNum)1e-12 : (mjtNum)1e-5;

static void check_near(mjtNum got, mjtNum want, const char* what, int kind, int trial) {
  if (!(fabs((double)(got - want)) <= (double)EPS)) {
    fail_msg("%s of kind %d, trial %d: %.17g, not %.17g", what, kind, trial, (double)got,
             (double)want);
  }
}

static void random_unit(mjtNum out[], int n, uint64_t* seed) {
  mjtNum square = 0;
  while (square < (mjtNum)0.01) {
    square = 0;
    for (int i = 0; i < n; i++) {
      out[i] = (mjtNum)case_real(seed, -1, 1);
      square += out[i] * out[i];
    }
  }
  for (int i = 0; i < n; i++) {
    out[i] /= (mjtNum)sqrt((double)square);
  }
}

static ConvexShape random_shape(const ConvexKind* kind, uint64_t* seed) {
  ConvexShape s = {.kind = kind, .last = -1};
  mjtNum quat[4];
  random_unit(quat, 4, seed);
  q_tomat(s.mat, quat);
  for (int i = 0; i < 3; i++) {
    s.size[i] = (mjtNum)case_real(seed, 0.1, 1);
    s.pos[i] = (mjtNum)case_real(seed, -2, 2);
  }
  s.radius = s.size[0];
  s.margin = case_real(seed, -1, 1) > 0 ? (mjtNum)case_real(seed, 0, 0.3) : 0;
  return s;
}

// A direction of the shape's frame, now and then exactly one of its axes or between two of them.
static void random_direction(mjtNum u[3], const ConvexShape* s, uint64_t* seed, int trial) {
  mjtNum l[3] = {0, 0, 0};
  random_unit(l, 3, seed);
  if (trial % 4 == 0) {
    int axis = trial / 4 % 3;
    mjtNum sign = trial / 12 % 2 ? 1 : -1;
    v3_zero(l);
    l[axis] = sign;
    if (trial / 24 % 2) {
      l[(axis + 1) % 3] = 1;
      v3_normalize(l);
    }
  }
  m3_mulv(u, s->mat, l);
}

// Signed excess over the surface of the shape without margin, of a point in its frame: 0 on it.
static mjtNum excess(int kind, const ConvexShape* s, const mjtNum p[3]) {
  const mjtNum* size = s->size;
  mjtNum z = mju_abs(p[2]), rho = mju_sqrt(p[0] * p[0] + p[1] * p[1]),
         over = num_max(z - size[1], 0);
  switch (kind) {
    case 0:
      return v3_norm(p) - size[0];
    case 1:
      return mju_sqrt(rho * rho + over * over) - size[0];
    case 2: {
      const mjtNum scaled[3] = {p[0] / size[0], p[1] / size[1], p[2] / size[2]};
      return v3_norm(scaled) - 1;
    }
    case 3:
      return num_max(rho - size[0], z - size[1]);
    default:
      return num_max(num_max(mju_abs(p[0]) - size[0], mju_abs(p[1]) - size[1]), z - size[2]);
  }
}

typedef struct Feature {
  ConvexShape shape;
  mjtNum u[3], vertex[MAX_FACE_VERTICES][3], normal[3], local[3];  // local: u in the shape's frame
  int num;
} Feature;

static Feature random_feature(int kind, uint64_t* seed, int trial) {
  Feature f = {.shape = random_shape(kinds[kind], seed)};
  random_direction(f.u, &f.shape, seed, trial);
  m3_tmulv(f.local, f.shape.mat, f.u);
  f.num = shape_face(f.vertex, f.normal, &f.shape, f.u);
  assert_in_range(f.num, 1, MAX_FACE_VERTICES);
  return f;
}

static void vertices_are_on_the_surface_half_a_margin_out(void** state) {
  (void)state;
  uint64_t seed = 1;
  for (int trial = 0; trial < NTRIAL; trial++) {
    for (int kind = 0; kind < NKIND; kind++) {
      Feature f = random_feature(kind, &seed, trial);
      for (int i = 0; i < f.num; i++) {
        mjtNum world[3], p[3];
        v3_sub(world, f.vertex[i], f.shape.pos);
        v3_addtoscl(world, f.normal, -f.shape.margin / 2);
        m3_tmulv(p, f.shape.mat, world);
        check_near(excess(kind, &f.shape, p), 0, "excess", kind, trial);
      }
    }
  }
}

static void no_point_of_the_shape_is_beyond_its_feature(void** state) {
  (void)state;
  uint64_t seed = 2;
  for (int trial = 0; trial < NTRIAL; trial++) {
    for (int kind = 0; kind < NKIND; kind++) {
      Feature f = random_feature(kind, &seed, trial);
      mjtNum support[3];
      shape_support(support, &f.shape, f.normal);
      check_near(v3_norm(f.normal), 1, "length of the normal", kind, trial);
      for (int i = 0; i < f.num; i++) {
        check_near(v3_dot(f.normal, f.vertex[i]), v3_dot(f.normal, support), "height", kind, trial);
      }
    }
  }
}

// The vertex furthest in the direction is the support point itself, as long as the shape is not
// inflated, which rounds its edges.
static void a_feature_reaches_as_far_as_the_shape(void** state) {
  (void)state;
  uint64_t seed = 3;
  for (int trial = 0; trial < NTRIAL; trial++) {
    for (int kind = 0; kind < NKIND; kind++) {
      Feature f = random_feature(kind, &seed, trial);
      if (f.shape.margin > 0 || (kind == 1 && f.num == 2)) {
        continue;
      }
      mjtNum support[3], best = -100;
      shape_support(support, &f.shape, f.u);
      for (int i = 0; i < f.num; i++) {
        best = num_max(best, v3_dot(f.u, f.vertex[i]));
      }
      check_near(best, v3_dot(f.u, support), "reach", kind, trial);
    }
  }
}

static void faces_turn_counter_clockwise_about_their_normal(void** state) {
  (void)state;
  uint64_t seed = 4;
  int faces = 0;
  for (int trial = 0; trial < NTRIAL; trial++) {
    for (int kind = 0; kind < NKIND; kind++) {
      Feature f = random_feature(kind, &seed, trial);
      for (int i = 0; f.num > 2 && i < f.num; i++) {
        mjtNum e1[3], e2[3], turn[3];
        v3_sub(e1, f.vertex[(i + 1) % f.num], f.vertex[i]);
        v3_sub(e2, f.vertex[(i + 2) % f.num], f.vertex[(i + 1) % f.num]);
        v3_cross(turn, e1, e2);
        mjtNum area = v3_norm(turn);
        assert_true(area > (mjtNum)1e-4);
        check_near(v3_dot(turn, f.normal), area, "turn", kind, trial);
        faces++;
      }
    }
  }
  assert_true(faces > NTRIAL);
}

static void the_feature_is_the_one_that_looks_most_in_the_direction(void** state) {
  (void)state;
  uint64_t seed = 5;
  int seen[NKIND][MAX_FACE_VERTICES + 1] = {{0}};
  for (int trial = 0; trial < NTRIAL; trial++) {
    for (int kind = 0; kind < NKIND; kind++) {
      Feature f = random_feature(kind, &seed, trial);
      const mjtNum* l = f.local;
      mjtNum rho = mju_sqrt(l[0] * l[0] + l[1] * l[1]), z = mju_abs(l[2]);
      mjtNum best = kind == 4              ? num_max(num_max(mju_abs(l[0]), mju_abs(l[1])), z)
                    : kind == 3            ? num_max(rho, z)
                    : kind == 1 && rho > z ? rho
                                           : 1;
      check_near(v3_dot(f.normal, f.u), kind == 1 && f.num == 2 ? rho : best, "alignment", kind,
                 trial);
      seen[kind][f.num]++;
    }
  }
  assert_true(seen[0][1] == NTRIAL && seen[2][1] == NTRIAL && seen[4][4] == NTRIAL);
  assert_true(seen[1][1] && seen[1][2] && seen[1][1] + seen[1][2] == NTRIAL);
  assert_true(seen[3][2] && seen[3][8] && seen[3][2] + seen[3][8] == NTRIAL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(vertices_are_on_the_surface_half_a_margin_out),
      cmocka_unit_test(no_point_of_the_shape_is_beyond_its_feature),
      cmocka_unit_test(a_feature_reaches_as_far_as_the_shape),
      cmocka_unit_test(faces_turn_counter_clockwise_about_their_normal),
      cmocka_unit_test(the_feature_is_the_one_that_looks_most_in_the_direction),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
