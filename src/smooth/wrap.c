// Wrapping in a plane: tangents of a circle outside, Newton's method inside; then back to space.

#pragma STDC FP_CONTRACT OFF  // rounding decides whether a string that grazes touches

#include "smooth/wrap.h"

#include <math.h>
#include <mujoco/api/base.h>

#include "base/algebra/elementary.h"
#include "base/algebra/vec.h"

// The plane problem: points (x, y) relative to the center of a circle of radius r; v2 functions
// work on them.

static const mjtNum kCrossed = -10000;

// Angles whose sine is below these count as 0: between the directions of two points from the center
// (the same point), and between two segments (parallel, so they do not intersect).
static const mjtNum kSamePoint = sizeof(mjtNum) == sizeof(float) ? (mjtNum)1e-6 : (mjtNum)1e-14;
static const mjtNum kParallel = sizeof(mjtNum) == sizeof(float) ? (mjtNum)1e-3 : (mjtNum)1e-7;

static inline mjtNum v2_dot(const mjtNum a[2], const mjtNum b[2]) {
  return a[0] * b[0] + a[1] * b[1];
}

static inline mjtNum v2_norm(const mjtNum a[2]) {
  return mju_sqrt(v2_dot(a, a));
}

static inline mjtNum v2_dist(const mjtNum a[2], const mjtNum b[2]) {
  const mjtNum d[2] = {a[0] - b[0], a[1] - b[1]};
  return v2_norm(d);
}

// out = a of unit length; the x axis if it has none
static inline void v2_unit(mjtNum out[2], const mjtNum a[2]) {
  mjtNum norm = v2_norm(a);
  if (norm < mjMINVAL) {
    out[0] = 1;
    out[1] = 0;
  } else {
    mjtNum inv = 1 / norm;
    out[0] = a[0] * inv;
    out[1] = a[1] * inv;
  }
}

// Whether the segments p1 p2 and p3 p4 meet. Segments that are parallel up to rounding don't.
// Also lane_segments_meet in lanes/dynamics/wrap.h.
static int segments_meet(const mjtNum p1[2], const mjtNum p2[2], const mjtNum p3[2],
                         const mjtNum p4[2]) {
  const mjtNum u[2] = {p2[0] - p1[0], p2[1] - p1[1]}, v[2] = {p4[0] - p3[0], p4[1] - p3[1]};
  mjtNum det = v[1] * u[0] - v[0] * u[1];
  if (mju_abs(det) < mjMINVAL || det * det < kParallel * kParallel * v2_dot(u, u) * v2_dot(v, v)) {
    return 0;
  }
  mjtNum a = (v[0] * (p1[1] - p3[1]) - v[1] * (p1[0] - p3[0])) / det;
  mjtNum b = (u[0] * (p1[1] - p3[1]) - u[1] * (p1[0] - p3[0])) / det;
  return a >= 0 && a <= 1 && b >= 0 && b <= 1;
}

// The tangent point of the line from d to the circle: the one to the right (turn 1) or left (-1) of
// the center.
//
//   t = (r^2 d + turn r sqrt(d^2 - r^2) (dy, -dx)) / d^2
static void touch(mjtNum out[2], const mjtNum d[2], mjtNum r, mjtNum turn) {
  mjtNum l = v2_dot(d, d);
  mjtNum s = turn * r * mju_sqrt(l - r * r);
  out[0] = (d[0] * r * r + s * d[1]) / l;
  out[1] = (d[1] * r * r - s * d[0]) / l;
}

// Angle from a to b about the center in the candidate's direction of rotation, up to 2 pi. If the
// string just grazes the circle, a and b are the same point up to rounding: then the cosine is
// clamped, and the angle is 0, not 2 pi.
// Also lane_arc_angle in lanes/dynamics/wrap.h.
static mjtNum arc_angle(const mjtNum a[2], const mjtNum b[2], int candidate) {
  mjtNum ua[2], ub[2];
  v2_unit(ua, a);
  v2_unit(ub, b);
  mjtNum angle = num_acos(num_clamp(v2_dot(ua, ub), -1, 1));
  mjtNum turn = ua[1] * ub[0] - ua[0] * ub[1];
  if ((turn > kSamePoint && candidate) || (turn < -kSamePoint && !candidate)) {
    angle = (mjtNum)(2 * mjPI) - angle;
  }
  return angle;
}

// String outside of the circle, from d[0] to d[1]. side: a point of the circle to pass by, or NULL.
// Also lane_wrap_outside in lanes/dynamics/wrap.h.
static mjtNum wrap_outside(mjtNum point[2][2], const mjtNum d[2][2], mjtNum r, const mjtNum* side) {
  const mjtNum D[2] = {d[1][0] - d[0][0], d[1][1] - d[0][1]};
  mjtNum dd = v2_dot(D, D);
  if (v2_dot(d[0], d[0]) < r * r || v2_dot(d[1], d[1]) < r * r || r < mjMINVAL || dd < mjMINVAL) {
    return -1;
  }

  // the string is straight if the segment passes the circle on the requested side
  mjtNum a = num_clamp(-v2_dot(D, d[0]) / dd, 0, 1);
  const mjtNum near[2] = {d[0][0] + a * D[0], d[0][1] + a * D[1]};
  if (v2_dot(near, near) > r * r && (!side || v2_dot(side, near) >= 0)) {
    return -1;
  }

  // two candidates, clockwise and counter-clockwise: the one nearer to `side` wins, or the shorter
  // one without it; a candidate whose pieces cross wins only if both cross
  mjtNum tangent[2][2][2], score[2];
  int crossed[2];
  for (int i = 0; i < 2; i++) {
    mjtNum turn = i ? -1 : 1;
    touch(tangent[i][0], d[0], r, turn);
    touch(tangent[i][1], d[1], r, -turn);
    const mjtNum *t0 = tangent[i][0], *t1 = tangent[i][1];
    if (side) {
      const mjtNum sum[2] = {t0[0] + t1[0], t0[1] + t1[1]};
      mjtNum unit[2];
      v2_unit(unit, sum);
      score[i] = v2_dot(unit, side);
    } else {
      const mjtNum gap[2] = {t0[0] - t1[0], t0[1] - t1[1]};
      score[i] = -v2_dot(gap, gap);
    }
    crossed[i] = segments_meet(d[0], t0, d[1], t1);
    if (crossed[i]) {
      score[i] = kCrossed;
    }
  }
  int best = score[0] > score[1] ? 0 : 1;
  if (crossed[best]) {
    return -1;
  }
  memcpy(point, tangent[best], 4 * sizeof(mjtNum));
  return r * arc_angle(point[0], point[1], best);
}

// out = a turned by an angle and scaled to a length.
// Also r2_turn in lanes/dynamics/wrap.h.
static void v2_turn(mjtNum out[2], const mjtNum a[2], mjtNum angle, mjtNum length) {
  mjtNum c = num_cos(angle), s = num_sin(angle), unit[2];
  v2_unit(unit, a);
  out[0] = length * (c * unit[0] - s * unit[1]);
  out[1] = length * (s * unit[0] + c * unit[1]);
}

// Angle from a to b, -pi to pi.
static mjtNum v2_angle(const mjtNum a[2], const mjtNum b[2]) {
  return num_atan2(a[0] * b[1] - a[1] * b[0], v2_dot(a, b));
}

// String outside of the circle, pulled tight from one that goes from d[0] by the point `side` to
// d[1]: it winds by the angle W about the center, and lies on the circle between its tangents,
//
//   W = angle(d0, side) + angle(side, d1)       arc = r (|W| - acos(r/|d0|) - acos(r/|d1|))
// Also lane_wrap_by_side in lanes/dynamics/wrap.h.
static mjtNum wrap_by_side(mjtNum point[2][2], const mjtNum d[2][2], mjtNum r,
                           const mjtNum side[2]) {
  mjtNum distance[2] = {v2_norm(d[0]), v2_norm(d[1])};
  if (distance[0] < r || distance[1] < r || r < mjMINVAL) {
    return -1;
  }
  mjtNum winding = v2_angle(d[0], side) + v2_angle(side, d[1]), sense = winding < 0 ? -1 : 1;
  mjtNum free[2] = {num_acos(r / distance[0]), num_acos(r / distance[1])};
  mjtNum arc = sense * winding - free[0] - free[1];
  if (arc < 0) {
    return -1;
  }
  v2_turn(point[0], d[0], sense * free[0], r);
  v2_turn(point[1], d[1], -sense * free[1], r);
  return r * arc;
}

// The square root, or mjMINVAL if rounding makes it smaller.
static double root_of(double square) {
  double root = sqrt(square);
  return mjMINVAL > root ? mjMINVAL : root;
}

// The inside string touches where both of its pieces make the same angle with the surface. With z
// the sine of that angle and G the angle between the ends seen from the center,
//
//   f(z) = asin(z r/L0) + asin(z r/L1) - 2 asin(z) + G = 0
// Newton's method starts at grazing incidence, where f is least, and z falls in each step. Returns
// the root, or -1 if a step goes elsewhere. Double precision, because near the start a float has no
// significant digits left.
// Also lane_inside_root in lanes/dynamics/wrap.h.
double wrap_inside_root(double A, double B, double G) {
  double z = WRAP_INSIDE_START;
  double f = portable_asin(A * z) + portable_asin(B * z) - 2 * portable_asin(z) + G;
  if (f > 0) {
    return -1;
  }
  int i = 0;
  for (; i < WRAP_INSIDE_ITERATIONS && fabs(f) > WRAP_INSIDE_TOLERANCE; i++) {
    double slope =
        A / root_of(1 - z * z * A * A) + B / root_of(1 - z * z * B * B) - 2 / root_of(1 - z * z);
    if (slope > -mjMINVAL) {
      return -1;
    }
    double next = z - f / slope;
    if (next > z) {
      return -1;
    }
    z = next;
    f = portable_asin(A * z) + portable_asin(B * z) - 2 * portable_asin(z) + G;
    if (f > WRAP_INSIDE_TOLERANCE) {
      return -1;
    }
  }
  return i < WRAP_INSIDE_ITERATIONS ? z : -1;
}

// String inside of the circle: it touches at one point, and no length of it lies on the surface.
// Also lane_wrap_inside in lanes/dynamics/wrap.h.
static mjtNum wrap_inside(mjtNum point[2][2], const mjtNum d[2][2], mjtNum r) {
  const mjtNum D[2] = {d[1][0] - d[0][0], d[1][1] - d[0][1]};
  mjtNum L0 = v2_norm(d[0]), L1 = v2_norm(d[1]), dd = v2_dot(D, D);
  if (L0 <= r || L1 <= r || r < mjMINVAL) {
    return -1;
  }

  // the straight segment goes through the circle
  if (dd > mjMINVAL) {
    mjtNum a = -v2_dot(D, d[0]) / dd;
    const mjtNum near[2] = {d[0][0] + a * D[0], d[0][1] + a * D[1]};
    if (a > 0 && a < 1 && v2_norm(near) <= r) {
      return -1;
    }
  }
  double A = (double)r / L0, B = (double)r / L1;
  double cosG = ((double)L0 * L0 + (double)L1 * L1 - dd) / (2.0 * L0 * L1);
  if (cosG < -1 + mjMINVAL) {
    return -1;
  }

  // without a root the string touches in the direction of the midpoint of both ends
  mjtNum unit[2];
  const mjtNum middle[2] = {(d[0][0] + d[1][0]) / 2, (d[0][1] + d[1][1]) / 2};
  v2_unit(unit, middle);
  double z = cosG > 1 - mjMINVAL ? -1 : wrap_inside_root(A, B, portable_acos(cosG));
  if (z >= 0) {
    int from = d[0][0] * d[1][1] - d[0][1] * d[1][0] > 0 ? 0 : 1;
    mjtNum angle = (mjtNum)(portable_asin(z) - portable_asin(z * (from ? B : A)));
    mjtNum c = num_cos(angle), s = num_sin(angle), start[2];
    v2_unit(start, d[from]);
    unit[0] = c * start[0] - s * start[1];
    unit[1] = s * start[0] + c * start[1];
  }
  for (int k = 0; k < 2; k++) {
    point[0][k] = point[1][k] = r * unit[k];
  }
  return 0;
}

// space

// Axes of the plane through the center and both points. If these are on a line, many planes contain
// it; the normal is then the cross product of the line and the diagonal of two coordinate axes to
// which it is less parallel.
// Also lane_sphere_plane in lanes/dynamics/wrap.h.
static void sphere_plane(mjtNum axis[2][3], const mjtNum p[2][3]) {
  mjtNum normal[3];
  v3_copy(axis[0], p[0]);
  v3_normalize(axis[0]);
  v3_cross(normal, p[0], p[1]);
  if (v3_norm(normal) < mjMINVAL) {
    mjtNum x = mju_abs(axis[0][0]), y = mju_abs(axis[0][1]), z = mju_abs(axis[0][2]);
    int largest = y > x && y > z ? 1 : (z > x && z > y ? 2 : 0);
    mjtNum diagonal[3] = {1, 1, 1};
    diagonal[largest] = 0;
    v3_cross(normal, axis[0], diagonal);
  }
  v3_normalize(normal);
  v3_cross(axis[1], normal, axis[0]);
  v3_normalize(axis[1]);
}

// Whether a string outside is straight, by more than rounding can change: its point nearest to the
// center (of a cylinder, in the cross-section) is out of the circle, and on the side of a point
// that is out of it, too. Most muscles of an arm are, and then need no plane. It is looked at in
// the frame of the geom, without roots and quotients:
//
//   near = a + (t/dd) D,   t = min(max(-a.D, 0), dd)         a = p0, D = p1 - p0, dd = D.D
static int passes_clearly(const mjtNum p[2][3], mjtNum radius, mjtWrap type, const mjtNum* side) {
  const mjtNum slack = sizeof(mjtNum) == sizeof(float) ? (mjtNum)1e-4 : (mjtNum)1e-9;
  const mjtNum least = (mjtNum)1e-12;  // far above the squares of vectors that count as zero
  mjtNum height = type == mjWRAP_CYLINDER ? 0 : 1, near[3];
  const mjtNum a[3] = {p[0][0], p[0][1], height * p[0][2]};
  const mjtNum D[3] = {p[1][0] - a[0], p[1][1] - a[1], height * p[1][2] - a[2]};
  mjtNum dd = v3_dot(D, D), square = radius * radius;
  mjtNum more = slack * (v3_dot(a, a) + dd + square) + least;
  v3_scl(near, a, dd);
  v3_addtoscl(near, D, num_clamp(-v3_dot(D, a), 0, dd));
  if (!(dd > least && v3_dot(near, near) > (square + more) * dd * dd)) {
    return 0;
  }
  if (!side) {
    return 1;
  }
  mjtNum far = v3_dot(side, side);
  more += slack * far;
  return far > square + more && v3_dot(side, near) > more * dd;
}

// Tangent points of the string from x0 to x1 and the length of the arc between them, radius * angle
// in the plane.
// Also lane_wrap in lanes/dynamics/wrap.h and about_sphere in derivative/tree/tendon_length.c.
mjtNum wrap_geom(mjtNum point[6], const mjtNum x0[3], const mjtNum x1[3], const mjtNum pos[3],
                 const mjtNum mat[9], mjtNum radius, mjtWrap type, const mjtNum* side,
                 int by_winding) {
  mjtNum p[2][3], s[3], axis[2][3] = {{1, 0, 0}, {0, 1, 0}};
  v3_tolocal(p[0], x0, pos, mat);
  v3_tolocal(p[1], x1, pos, mat);
  if (side) {
    v3_tolocal(s, side, pos, mat);
  }
  if (!(side && by_winding) &&
      passes_clearly((const mjtNum(*)[3])p, radius, type, side ? s : NULL)) {
    return -1;
  }
  if (v3_norm(p[0]) < mjMINVAL || v3_norm(p[1]) < mjMINVAL) {
    return -1;
  }
  if (type == mjWRAP_SPHERE) {
    sphere_plane(axis, (const mjtNum(*)[3])p);
  }

  // in the plane: find the tangent points of the circle
  mjtNum d[2][2], planar[2][2], length;
  for (int i = 0; i < 2; i++) {
    d[i][0] = v3_dot(p[i], axis[0]);
    d[i][1] = v3_dot(p[i], axis[1]);
  }
  const mjtNum(*ends)[2] = (const mjtNum(*)[2])d;
  if (side) {
    const mjtNum flat[2] = {v3_dot(s, axis[0]), v3_dot(s, axis[1])};
    mjtNum by[2];
    v2_unit(by, flat);
    by[0] *= radius;
    by[1] *= radius;
    length = v3_norm(s) < radius ? wrap_inside(planar, ends, radius)
             : by_winding        ? wrap_by_side(planar, ends, radius, by)
                                 : wrap_outside(planar, ends, radius, by);
  } else {
    length = wrap_outside(planar, ends, radius, NULL);
  }
  if (length < 0) {
    return -1;
  }

  // back to space: the tangent points in the frame of the geom, then in the world
  mjtNum local[2][3];
  for (int i = 0; i < 2; i++) {
    v3_scl(local[i], axis[0], planar[i][0]);
    v3_addtoscl(local[i], axis[1], planar[i][1]);
  }
  if (type == mjWRAP_CYLINDER) {
    mjtNum h0 = v2_dist(d[0], planar[0]), h1 = v2_dist(d[1], planar[1]);
    mjtNum rise = (p[1][2] - p[0][2]) / (h0 + length + h1);
    local[0][2] = p[0][2] + rise * h0;
    local[1][2] = p[0][2] + rise * (h0 + length);
    mjtNum height = local[1][2] - local[0][2];
    length = mju_sqrt(length * length + height * height);
  }
  for (int i = 0; i < 2; i++) {
    v3_toworld(point + 3 * i, local[i], pos, mat);
  }
  return length;
}
