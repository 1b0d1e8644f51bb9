// separation.h: how far two convex shapes are apart, found without any collider.
//
// Along a unit direction n the shapes are  s(n) = min n.b - max n.a  apart, b in shape 2, a in shape 1. The distance of
// shapes that are apart, and minus the depth of shapes that overlap, is the largest s(n) of all. It is smooth but on
// the great circles across an axis of a box, cylinder or capsule, which are ridges: so it is searched on the sphere, on
// each of these circles, and where two of them meet. What is found is never too large.

#ifndef CONDYLE_TESTS_COLLISION_SEPARATION_H_
#define CONDYLE_TESTS_COLLISION_SEPARATION_H_

#include <math.h>

#include "base/vec.h"
#include "collision/pair_case.h"

typedef struct Shapes {
  const PairCase* p;
  int type[2];
} Shapes;

// max n.(x - center) over shape g
static inline double shape_reach(const Shapes* s, int g, const mjtNum n[3]) {
  const mjtNum* size = s->p->size + 3 * g;
  mjtNum l[3];
  m3_tmulv(l, s->p->mat + 9 * g, n);
  double x = fabs(l[0]), y = fabs(l[1]), z = fabs(l[2]);
  switch (s->type[g]) {
    case mjGEOM_SPHERE:
      return size[0];
    case mjGEOM_CAPSULE:
      return size[0] + size[1] * z;
    case mjGEOM_ELLIPSOID:
      return sqrt(size[0] * size[0] * x * x + size[1] * size[1] * y * y +
                  size[2] * size[2] * z * z);
    case mjGEOM_CYLINDER:
      return size[0] * hypot(x, y) + size[1] * z;
    default:
      return size[0] * x + size[1] * y + size[2] * z;
  }
}

// s(n); n need not be a unit vector
static inline double separation_along(const Shapes* s, const mjtNum n[3]) {
  mjtNum unit[3], gap[3], back[3];
  v3_scl(unit, n, 1 / v3_norm(n));
  v3_scl(back, unit, -1);
  v3_sub(gap, s->p->pos + 3, s->p->pos);
  return v3_dot(unit, gap) - shape_reach(s, 0, unit) - shape_reach(s, 1, back);
}

// Climbs from n along u and v, by steps that halve when none leads up; v may be 0. n is where it ends.
static inline double separation_climb(const Shapes* s, mjtNum n[3], const mjtNum u[3],
                                      const mjtNum v[3], double step) {
  enum {
    DIRECTIONS = 16
  };
  double best = separation_along(s, n);
  while (step > 1e-10) {
    int up = 0;
    for (int k = 0; k < DIRECTIONS; k++) {
      double turn = 2 * mjPI * k / DIRECTIONS;
      mjtNum there[3];
      v3_addscl(there, n, u, step * cos(turn));
      v3_addtoscl(there, v, step * sin(turn));
      double found = separation_along(s, there);
      if (found > best) {
        best = found;
        v3_scl(n, there, 1 / v3_norm(there));
        up = 1;
      }
    }
    step = up ? step : step / 2;
  }
  return best;
}

// Unit vectors across n.
static inline void separation_across(mjtNum u[3], mjtNum v[3], const mjtNum n[3]) {
  const mjtNum x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
  v3_cross(u, n, fabs(n[0]) < 0.7 ? x : y);
  v3_normalize(u);
  v3_cross(v, n, u);
}

// Direction i of so many that are spread evenly.
static inline void spread_direction(mjtNum n[3], int i, int count) {
  double z = 1 - (2 * i + 1.0) / count, turn = i * mjPI * (3 - sqrt(5));
  v3_set(n, sqrt(1 - z * z) * cos(turn), sqrt(1 - z * z) * sin(turn), z);
}

// How far a point is outside of shape g, as far as many directions tell; at most 0 inside.
static inline double shape_outside(const Shapes* s, int g, const mjtNum point[3]) {
  enum {
    COUNT = 2000
  };
  mjtNum arm[3], n[3];
  double worst = -INFINITY;
  v3_sub(arm, point, s->p->pos + 3 * g);
  for (int i = 0; i < COUNT; i++) {
    spread_direction(n, i, COUNT);
    worst = fmax(worst, v3_dot(n, arm) - shape_reach(s, g, n));
  }
  return worst;
}

// The largest s(n).
static inline double separation(const Shapes* s) {
  enum {
    SPHERE = 2000,  // directions, spread evenly
    CIRCLE = 90,
  };
  const mjtNum zero[3] = {0, 0, 0};
  mjtNum axis[6][3], n[3], u[3], v[3], top[3] = {0, 0, 1};
  double best = -INFINITY;

  // the best of many directions, climbed
  for (int i = 0; i < SPHERE; i++) {
    spread_direction(n, i, SPHERE);
    double found = separation_along(s, n);
    if (found > best) {
      best = found;
      v3_copy(top, n);
    }
  }
  separation_across(u, v, top);
  best = separation_climb(s, top, u, v, 0.05);

  // the axes, the circles across them, and where these meet
  for (int i = 0; i < 6; i++) {
    m3_column(axis[i], s->p->mat + 9 * (i / 3), i % 3);
  }
  for (int i = 0; i < 6; i++) {
    separation_across(u, v, axis[i]);
    for (int side = -1; side <= 1; side += 2) {
      v3_scl(n, axis[i], side);
      best = fmax(best, separation_along(s, n));
      for (int k = 0; k < i; k++) {
        v3_cross(n, axis[i], axis[k]);
        v3_scl(n, n, side);
        best = v3_norm(n) > 1e-6 ? fmax(best, separation_along(s, n)) : best;
      }
    }
    double here = -INFINITY;
    for (int k = 0; k < CIRCLE; k++) {
      double turn = 2 * mjPI * k / CIRCLE;
      v3_scl(n, u, cos(turn));
      v3_addtoscl(n, v, sin(turn));
      double found = separation_along(s, n);
      if (found > here) {
        here = found;
        v3_copy(top, n);
      }
    }
    v3_cross(u, axis[i], top);
    best = fmax(best, separation_climb(s, top, u, zero, 0.05));
  }
  return best;
}

#endif  // CONDYLE_TESTS_COLLISION_SEPARATION_H_
