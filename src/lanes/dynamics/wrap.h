// wrap.h: strings around, or inside, a sphere or a cylinder, in all lanes at once: the plane
// problem of a circle and two points, its answer outside and inside, the way to space and back.
//                                                    theory/smooth/tendons.md, Sphere wrapping
//
// Every lane computes what any of them needs: with two candidates outside, with Newton's method
// inside. A lane whose string is straight has `touches` off, and finite numbers else.
// Also smooth/wrap.c, where the figures are.

#pragma once

#include "lanes/arcs.h"
#include "lanes/work.h"
#include "smooth/wrap.h"

// A point of the plane, relative to the centre of the circle.
typedef struct Real2 {
  Real x, y;
} Real2;

// What the string does: where it touches first and last, and the length between.
typedef struct PlaneString {
  Mask touches;
  Real2 point[2];
  Real arc;
} PlaneString;

static const Num WRAP_LEAST = (Num)mjMINVAL;
#if LANES_SINGLE
static const Num WRAP_SAME_POINT = 1e-6f, WRAP_PARALLEL = 1e-3f;
#else
static const Num WRAP_SAME_POINT = 1e-14, WRAP_PARALLEL = 1e-7;
#endif
static const Num WRAP_CROSSED = -10000;

INLINE Real r2_dot(Real2 a, Real2 b) {
  return real_muladd(a.y, b.y, a.x * b.x);
}

// the height of a x b
INLINE Real r2_cross(Real2 a, Real2 b) {
  return real_mulsub(a.y, b.x, a.x * b.y);
}

INLINE Real2 r2_sub(Real2 a, Real2 b) {
  return (Real2){a.x - b.x, a.y - b.y};
}

INLINE Real2 r2_addscale(Real2 a, Real2 b, Real s) {
  return (Real2){real_muladd(b.x, s, a.x), real_muladd(b.y, s, a.y)};
}

INLINE Real2 r2_scale(Real2 a, Real s) {
  return (Real2){a.x * s, a.y * s};
}

INLINE Real2 r2_select(Mask mask, Real2 yes, Real2 no) {
  return (Real2){real_select(mask, yes.x, no.x), real_select(mask, yes.y, no.y)};
}

INLINE Real r2_norm(Real2 a) {
  return real_sqrt(r2_dot(a, a));
}

// Of unit length; the x axis if it has none.
INLINE Real2 r2_unit(Real2 a) {
  Real norm = r2_norm(a);
  Mask none = norm < WRAP_LEAST;
  Real inverse = 1 / real_select(none, lane_real_of(1), norm);
  return r2_select(none, (Real2){lane_real_of(1), REAL_ZERO}, r2_scale(a, inverse));
}

// x where it is a divisor, else 1
INLINE Real divisor(Mask is, Real x) {
  return real_select(is, x, lane_real_of(1));
}

// Whether the segments p1 p2 and p3 p4 meet. Segments that are parallel up to rounding don't.
// Also segments_meet in smooth/wrap.c.
INLINE Mask lane_segments_meet(Real2 p1, Real2 p2, Real2 p3, Real2 p4) {
  Real2 u = r2_sub(p2, p1), v = r2_sub(p4, p3), gap = r2_sub(p1, p3);
  Real det = r2_cross(u, v);
  Real parallel = r2_dot(u, u) * r2_dot(v, v) * (WRAP_PARALLEL * WRAP_PARALLEL);
  Mask meets = (real_abs(det) >= WRAP_LEAST) & (det * det >= parallel);
  Real inverse = 1 / divisor(meets, det);
  Real a = r2_cross(v, gap) * inverse, b = r2_cross(u, gap) * inverse;
  return meets & (a >= REAL_ZERO) & (a <= 1) & (b >= REAL_ZERO) & (b <= 1);
}

// The angle from a to b, points of the circle, in a candidate's direction of rotation, up to 2 pi.
// Also arc_angle in smooth/wrap.c.
INLINE Real lane_arc_angle(Real2 a, Real2 b, Real square, Mask first) {
  Real inverse = 1 / square, one = lane_real_of(1);
  Real angle = real_acos(real_clamp(r2_dot(a, b) * inverse, -one, one));
  Real turn = r2_cross(b, a) * inverse;
  Mask back = ((turn > WRAP_SAME_POINT) & ~first) | ((turn < -WRAP_SAME_POINT) & first);
  return real_select(back, 2 * HALF_TURN - angle, angle);
}

// String outside of the circle, from d[0] to d[1]. side: a point of the circle to pass by, or NULL.
//
//   tangents from d: (r^2 d +- r sqrt(d^2 - r^2) (dy, -dx)) / d^2
// Also wrap_outside in smooth/wrap.c.
static PlaneString lane_wrap_outside(const Real2 d[2], Real r, const Real2* side) {
  PlaneString out = {.touches = mask_of(0)};
  Real rr = r * r, l0 = r2_dot(d[0], d[0]), l1 = r2_dot(d[1], d[1]);
  Real2 D = r2_sub(d[1], d[0]);
  Real dd = r2_dot(D, D);
  Mask apart = (l0 >= rr) & (l1 >= rr) & (r >= WRAP_LEAST) & (dd >= WRAP_LEAST);

  // the string is straight if the segment passes the circle on the requested side
  Real along = real_clamp(-r2_dot(D, d[0]) / divisor(apart, dd), REAL_ZERO, lane_real_of(1));
  Real2 near = r2_addscale(d[0], D, along);
  Mask passes = r2_dot(near, near) > rr;
  if (side) {
    passes &= r2_dot(*side, near) >= REAL_ZERO;
  }
  Mask wanted = apart & ~passes;
  if (!mask_any(wanted)) {
    return out;
  }

  // two candidates, clockwise and counter-clockwise: the one nearer to `side` wins, or the shorter
  // one without it; a candidate whose pieces cross wins only if both cross
  Real inverse0 = 1 / divisor(apart, l0), inverse1 = 1 / divisor(apart, l1);
  Real s0 = r * real_sqrt(real_max(l0 - rr, REAL_ZERO)) * inverse0;
  Real s1 = r * real_sqrt(real_max(l1 - rr, REAL_ZERO)) * inverse1;
  Real2 foot0 = r2_scale(d[0], rr * inverse0), foot1 = r2_scale(d[1], rr * inverse1);
  Real2 across0 = {d[0].y * s0, -(d[0].x * s0)}, across1 = {d[1].y * s1, -(d[1].x * s1)};
  Real2 tangent[2][2];
  Real score[2];
  Mask crossed[2];
  for (int i = 0; i < 2; i++) {
    Real turn = lane_real_of(i ? -1 : 1);
    Real2 t0 = r2_addscale(foot0, across0, turn), t1 = r2_addscale(foot1, across1, -turn);
    if (side) {
      score[i] = r2_dot(r2_unit((Real2){t0.x + t1.x, t0.y + t1.y}), *side);
    } else {
      Real2 gap = r2_sub(t0, t1);
      score[i] = -r2_dot(gap, gap);
    }
    crossed[i] = lane_segments_meet(d[0], t0, d[1], t1);
    score[i] = real_select(crossed[i], lane_real_of(WRAP_CROSSED), score[i]);
    tangent[i][0] = t0;
    tangent[i][1] = t1;
  }
  Mask first = score[0] > score[1];
  out.touches = wanted & ~((first & crossed[0]) | (~first & crossed[1]));
  out.point[0] = r2_select(first, tangent[0][0], tangent[1][0]);
  out.point[1] = r2_select(first, tangent[0][1], tangent[1][1]);
  out.arc = r * lane_arc_angle(out.point[0], out.point[1], divisor(apart, rr), first);
  return out;
}

// a turned by an angle and scaled to a length.
// Also v2_turn in smooth/wrap.c.
INLINE Real2 r2_turn(Real2 a, Real angle, Real length) {
  Real s, c;
  real_sincos(&s, &c, angle);
  Real2 unit = r2_unit(a);
  return (Real2){length * real_mulsub(s, unit.y, c * unit.x),
                 length * real_muladd(s, unit.x, c * unit.y)};
}

// The angle from a to b, -pi to pi.
INLINE Real r2_angle(Real2 a, Real2 b) {
  return real_atan2(r2_cross(a, b), r2_dot(a, b));
}

// String outside of the circle, pulled tight from one that goes from d[0] by the point `side` to
// d[1]: it winds by the angle W about the center, and lies on the circle between its tangents,
//
//   W = angle(d0, side) + angle(side, d1)       arc = r (|W| - acos(r/|d0|) - acos(r/|d1|))
// Also wrap_by_side in smooth/wrap.c.
static PlaneString lane_wrap_by_side(const Real2 d[2], Real r, Real2 side) {
  const Real one = lane_real_of(1);
  PlaneString out = {.touches = mask_of(0)};
  Real L0 = r2_norm(d[0]), L1 = r2_norm(d[1]);
  Mask apart = (L0 >= r) & (L1 >= r) & (r >= WRAP_LEAST);
  Real winding = r2_angle(d[0], side) + r2_angle(side, d[1]);
  Real sense = real_select(winding < REAL_ZERO, -one, one);
  Real free0 = real_acos(real_min(r / divisor(apart, L0), one));
  Real free1 = real_acos(real_min(r / divisor(apart, L1), one));
  Real arc = sense * winding - free0 - free1;
  out.touches = apart & (arc >= REAL_ZERO);
  if (mask_any(out.touches)) {
    out.point[0] = r2_turn(d[0], sense * free0, r);
    out.point[1] = r2_turn(d[1], -(sense * free1), r);
    out.arc = r * arc;
  }
  return out;
}

#if !LANES_SINGLE
// f(z) = asin(A z) + asin(B z) - 2 asin(z) + G
INLINE Real inside_residual(Real A, Real B, Real G, Real z) {
  return real_asin(A * z) + real_asin(B * z) - real_asin(z) * 2 + G;
}

// The slope of asin: 1 / sqrt(1 - x^2)
INLINE Real arc_sine_slope(Real x) {
  Real root = real_sqrt(real_max(1 - x * x, REAL_ZERO));
  return 1 / real_max(root, lane_real_of(WRAP_LEAST));
}
#endif

// Newton's method for f(z) = 0 from grazing incidence, with the start and the tolerance of the
// scalar engine, on which the result depends. -1 in lanes in which a step goes elsewhere.
// Also wrap_inside_root in smooth/wrap.c.
static Real lane_inside_root(Real A, Real B, Real G, Mask wanted) {
#if LANES_SINGLE
  // near the start a float has no significant digits left
  Real out = lane_real_of(-1);
  for (unsigned bits = mask_bits(wanted); bits; bits &= bits - 1) {
    int l = __builtin_ctz(bits);
    out[l] = (Num)wrap_inside_root((double)A[l], (double)B[l], (double)G[l]);
  }
  return out;
#else
  Real z = lane_real_of(WRAP_INSIDE_START), f = inside_residual(A, B, G, z);
  Mask good = wanted & ~(f > REAL_ZERO), live = good & (real_abs(f) > WRAP_INSIDE_TOLERANCE);
  for (int i = 0; i + 1 < WRAP_INSIDE_ITERATIONS && mask_any(live); i++) {
    Real slope = A * arc_sine_slope(A * z) + B * arc_sine_slope(B * z) - arc_sine_slope(z) * 2;
    Mask falls = slope <= -WRAP_LEAST;
    Real next = z - f / divisor(falls, slope);
    falls &= next <= z;
    next = real_select(live & falls, next, z);
    f = inside_residual(A, B, G, next);
    falls &= f <= WRAP_INSIDE_TOLERANCE;
    good &= ~(live & ~falls);
    z = next;
    live &= falls & (real_abs(f) > WRAP_INSIDE_TOLERANCE);
  }
  return real_select(good & ~live, z, lane_real_of(-1));
#endif
}

// String inside of the circle: it touches at one point, and no length of it lies on the surface.
// Also wrap_inside in smooth/wrap.c.
static PlaneString lane_wrap_inside(const Real2 d[2], Real r, Mask wanted) {
  const Real least = lane_real_of(WRAP_LEAST);
  PlaneString out = {.touches = mask_of(0)};
  Real2 D = r2_sub(d[1], d[0]);
  Real L0 = r2_norm(d[0]), L1 = r2_norm(d[1]), dd = r2_dot(D, D);
  wanted &= (L0 > r) & (L1 > r) & (r >= least);

  // the straight segment goes through the circle
  Mask far = dd > least;
  Real along = -r2_dot(D, d[0]) / divisor(far, dd);
  wanted &=
      ~(far & (along > REAL_ZERO) & (along < 1) & (r2_norm(r2_addscale(d[0], D, along)) <= r));
  Real cosine = (L0 * L0 + L1 * L1 - dd) / divisor(wanted, L0 * L1 * 2);
  wanted &= cosine >= -1 + least;
  if (!mask_any(wanted)) {
    return out;
  }

  // without a root the string touches in the direction of the midpoint of both ends
  const Real one = lane_real_of(1);
  Real2 unit = r2_unit((Real2){(d[0].x + d[1].x) * (Num)0.5, (d[0].y + d[1].y) * (Num)0.5});
  Real A = r / divisor(wanted, L0), B = r / divisor(wanted, L1);
  Real G = real_acos(real_clamp(cosine, -one, one));
  Real z = lane_inside_root(A, B, G, wanted & ~(cosine > 1 - least));
  Mask found = z >= REAL_ZERO, first = r2_cross(d[0], d[1]) > REAL_ZERO;
  Real angle =
      real_asin(real_where(found, z)) - real_asin(real_where(found, z * real_select(first, A, B)));
  Real sine, cos;
  real_sincos(&sine, &cos, angle);
  Real2 start = r2_unit(r2_select(first, d[0], d[1]));
  Real2 turned = {real_mulsub(sine, start.y, cos * start.x),
                  real_muladd(sine, start.x, cos * start.y)};
  unit = r2_select(found, turned, unit);
  out.touches = wanted;
  out.point[0] = out.point[1] = r2_scale(unit, r);
  out.arc = REAL_ZERO;
  return out;
}

// space

// The string around it: where it touches first and last, and its length between.
typedef struct WrapString {
  Mask touches;
  Real3 point[2];
  Real arc;
} WrapString;

// Axes of the plane through the centre of a sphere and both points. If these are on a line the
// normal is the cross product of the line and a diagonal to which it is less parallel.
// Also sphere_plane in smooth/wrap.c.
INLINE void lane_sphere_plane(Real3 axis[2], Real3 p0, Real3 p1) {
  axis[0] = r3_normalize(p0);
  Real3 normal = r3_cross(p0, p1);
  Mask line = real_sqrt(r3_dot(normal, normal)) < WRAP_LEAST;
  if (mask_any(line)) {
    const Real one = lane_real_of(1);
    Real x = real_abs(axis[0].x), y = real_abs(axis[0].y), z = real_abs(axis[0].z);
    Mask is_y = (y > x) & (y > z), is_z = ~is_y & (z > x) & (z > y);
    Real3 diagonal = {real_where(is_y | is_z, one), real_where(~is_y, one), real_where(~is_z, one)};
    normal = r3_select(line, r3_cross(axis[0], diagonal), normal);
  }
  normal = r3_normalize(normal);
  axis[1] = r3_normalize(r3_cross(normal, axis[0]));
}

INLINE Real2 in_plane(const Real3 axis[2], Real3 p) {
  return (Real2){r3_dot(p, axis[0]), r3_dot(p, axis[1])};
}

// Tangent points of the string from a to b and the length of the arc between them. side: NULL, or
// the point to pass by: inside, where it lies within the radius. by_winding: outside, the string
// stays on its side of the centre however far it winds (the behaviour `sidesite`).
// Also wrap_geom in smooth/wrap.c.
static WrapString lane_wrap(const WrapPose* pose, Real radius, int is_sphere, Real3 a, Real3 b,
                            const Real3* side, int by_winding) {
  const Real one = lane_real_of(1), zero = REAL_ZERO;
  Real3 p0 = r33_tmul(&pose->axes, r3_sub(a, pose->centre));
  Real3 p1 = r33_tmul(&pose->axes, r3_sub(b, pose->centre));
  Real3 axis[2] = {{one, zero, zero}, {zero, one, zero}};
  Mask apart =
      (real_sqrt(r3_dot(p0, p0)) >= WRAP_LEAST) & (real_sqrt(r3_dot(p1, p1)) >= WRAP_LEAST);
  if (is_sphere) {
    lane_sphere_plane(axis, p0, p1);
  }
  const Real2 d[2] = {in_plane(axis, p0), in_plane(axis, p1)};
  PlaneString plane;
  if (side) {
    Real3 s = r33_tmul(&pose->axes, r3_sub(*side, pose->centre));
    Mask inside = real_sqrt(r3_dot(s, s)) < radius;
    Real2 by = r2_scale(r2_unit(in_plane(axis, s)), radius);
    plane = (PlaneString){.touches = inside};
    if (mask_any(~inside)) {
      plane = by_winding ? lane_wrap_by_side(d, radius, by) : lane_wrap_outside(d, radius, &by);
      plane.touches &= ~inside;
    }
    if (mask_any(inside)) {
      PlaneString within = lane_wrap_inside(d, radius, inside);
      plane.touches = (inside & within.touches) | (~inside & plane.touches);
      plane.arc = real_select(inside, within.arc, plane.arc);
      plane.point[0] = r2_select(inside, within.point[0], plane.point[0]);
      plane.point[1] = r2_select(inside, within.point[1], plane.point[1]);
    }
  } else {
    plane = lane_wrap_outside(d, radius, NULL);
  }
  WrapString out = {.touches = plane.touches & apart, .arc = plane.arc};
  if (!mask_any(out.touches)) {
    return out;
  }

  Real3 local[2];
  for (int i = 0; i < 2; i++) {
    local[i] = r3_addscale(r3_scale(axis[0], plane.point[i].x), axis[1], plane.point[i].y);
  }
  if (!is_sphere) {
    Real h0 = r2_norm(r2_sub(d[0], plane.point[0])), h1 = r2_norm(r2_sub(d[1], plane.point[1]));
    Real rise = (p1.z - p0.z) / divisor(out.touches, h0 + plane.arc + h1);
    local[0].z = real_muladd(rise, h0, p0.z);
    local[1].z = real_muladd(rise, h0 + plane.arc, p0.z);
    Real height = local[1].z - local[0].z;
    out.arc = real_sqrt(real_muladd(height, height, plane.arc * plane.arc));
  }
  for (int i = 0; i < 2; i++) {
    out.point[i] = r33_muladd(&pose->axes, local[i], pose->centre);
  }
  return out;
}
