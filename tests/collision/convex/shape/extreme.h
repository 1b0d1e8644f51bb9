// extreme.h: what every kind of convex shape promises of its support points and normals.

#pragma once

#include "collision/convex/placed.h"

// A kind by its definition: how far a point of its frame is out of it, in any measure that is zero
// on the surface; negative inside.
typedef struct {
  const ConvexKind* kind;
  mjtNum size[3];
  double (*outside)(const mjtNum size[3], const mjtNum x[3]);
} Defined;

static inline ConvexShape anywhere(const Defined* of, uint64_t* seed) {
  mjtNum pos[3];
  random_vector(pos, 1, seed);
  ConvexShape s = placed(of->kind, of->size, pos);
  case_rotation(s.mat, seed);
  return s;
}

// A point of the shape, in the world, mostly near to its surface.
static inline void point_inside(mjtNum out[3], const ConvexShape* s, const Defined* of,
                                uint64_t* seed) {
  mjtNum x[3], low = 0, high = 4;
  random_direction(x, seed);
  for (int i = 0; i < 40; i++) {
    mjtNum middle = (low + high) / 2, y[3];
    v3_scl(y, x, middle);
    *(of->outside(of->size, y) > 0 ? &high : &low) = middle;
  }
  v3_scl(x, x, low);
  shape_point(out, s, x);
}

// S(u) is a point of the shape, and no other is further along u.
static inline void check_support_is_extreme(const Defined* of) {
  uint64_t seed = 11;
  for (int trial = 0; trial < 100; trial++) {
    ConvexShape s = anywhere(of, &seed);
    mjtNum u[3], top[3], local[3], x[3];
    random_direction(u, &seed);
    support_point(top, &s, u);
    v3_sub(local, top, s.pos);
    m3_tmulv(local, s.mat, local);
    assert_near(of->outside(of->size, local), 0, 1e-9);
    for (int i = 0; i < 50; i++) {
      point_inside(x, &s, of, &seed);
      if (v3_dot(u, x) > v3_dot(u, top) + (mjtNum)rounding(1e-9)) {
        fail_msg("a point is at %.12g along a direction, the support point at %.12g",
                 (double)v3_dot(u, x), (double)v3_dot(u, top));
      }
    }
  }
}

// A margin m moves the support point by m/2 along u; the older pipeline's rules give the same
// height.
static inline void check_margin_adds(const Defined* of) {
  uint64_t seed = 12;
  for (int trial = 0; trial < 50; trial++) {
    ConvexShape s = anywhere(of, &seed);
    mjtNum u[3], bare[3], wide[3], legacy[3];
    random_direction(u, &seed);
    support_point(bare, &s, u);
    s.margin = (mjtNum)0.3;
    support_point(wide, &s, u);
    legacy_support(legacy, &s, u);
    v3_addtoscl(bare, u, (mjtNum)0.15);
    assert_close(wide, bare, 3, 1e-12);
    assert_near(v3_dot(legacy, u), v3_dot(wide, u), 1e-9);
  }
}

// The normal at a support point S(u), found from a guess about it, is u. told: how often there is
// one.
static inline void check_normals_are_those_of_supports(const Defined* of, int least_told) {
  uint64_t seed = 13;
  int told = 0;
  for (int trial = 0; trial < 200; trial++) {
    ConvexShape s = anywhere(of, &seed);
    mjtNum u[3], top[3], local[3], n[3];
    random_direction(u, &seed);
    s.kind->support(top, &s, u);
    v3_sub(local, top, s.pos);
    m3_tmulv(local, s.mat, local);
    random_vector(n, (mjtNum)0.3, &seed);
    v3_addto(n, u);
    m3_tmulv(n, s.mat, n);
    if (s.kind->normal(n, &s, local)) {
      m3_mulv(n, s.mat, n);
      v3_normalize(n);
      assert_close(n, u, 3, 1e-5);
      told++;
    }
  }
  assert_in_range(told, least_told, 200);
}
