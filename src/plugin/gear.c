// gear.c: mujoco.sdf.gear, an involute gear about z with a hole.  theory/plugins/plugins.md, Shapes
//
//   diameter D of the pitch circle, N teeth, pitch N/D, outer radius Ro, tooth height h
//   base radius Rb = D cos(psi) / 2: a flank is the involute of the base circle,
//   rho^2 = Rb^2 + t^2 at the polar angle tan(a) - a, cos(a) = Rb / rho
//
//   flat value: flanks of the two sides, joined to teeth, rounded at their tips and feet, less the
//   hole; the solid is the intersection of the flat value and |z| - thickness/2

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it rounds distances differently

#include <math.h>
#include <mujoco/api/base.h>

#include "base/algebra/elementary.h"
#include "base/algebra/vec.h"
#include "plugin/list.h"
#include "plugin/shape.h"

static const char* const names[] = {"alpha", "diameter", "teeth", "thickness", "innerdiameter"};
enum {
  ALPHA,
  DIAMETER,
  TEETH,
  THICKNESS,
  INNER,
  // derived numbers
  OUTER,   // radius
  HOLE,    // radius
  ROOT,    // radius at the feet of the teeth
  BASE,    // Rb
  STRIDE,  // angle from tooth to tooth
  SHIFT,   // angle of a gap
  JOIN,    // rounding radius of the feet
};

static mjtNum smooth_union(mjtNum a, mjtNum b, mjtNum k) {
  mjtNum q = num_clamp((mjtNum)0.5 + (mjtNum)0.5 * (b - a) / k, 0, 1);
  return b * (1 - q) + a * q - k * q * (1 - q);
}

static mjtNum subtract(mjtNum a, mjtNum b) {
  return num_max(a, -b);
}

static mjtNum smooth_intersection(mjtNum a, mjtNum b, mjtNum k) {
  return subtract(num_max(a, b), smooth_union(subtract(a, b), subtract(b, a), k));
}

static mjtNum modulo(mjtNum a, mjtNum b) {
  return a - b * mju_floor(a / b);
}

// Polar angles from the middle of a gap to the flanks on both sides, repeated with every tooth.
static void flank_angles(mjtNum out[2], mjtNum angle, mjtNum shift, mjtNum stride) {
  out[0] = modulo(angle + shift / 2, stride) - shift / 2;
  out[1] = modulo(-angle - shift + shift / 2, stride) - shift / 2;
}

// Distance to the involute flank at an angle; -1e6 inside the base circle, where the flank does not
// exist.
static mjtNum flank(mjtNum angle, mjtNum rho, mjtNum base) {
  if (!(base < rho)) {
    return (mjtNum)-1e6;
  }
  return mju_sqrt(rho * rho - base * base) - base * (angle + num_acos(base / rho));
}

static void derive(mjtNum* param) {
  mjtNum D = param[DIAMETER], N = param[TEETH];
  mjtNum psi = (mjtNum)3.096e-5 * N * N - (mjtNum)6.557e-3 * N + (mjtNum)0.551;
  mjtNum R = D / 2, Pd = N / D, P = (mjtNum)mjPI / Pd, Ro = (D + 2 / Pd) / 2, h = (mjtNum)2.2 / Pd;
  mjtNum Rb = D * num_cos(psi) / 2, a = num_acos(Rb / R), involute = num_tan(a) - a;
  param[OUTER] = Ro;
  param[HOLE] = param[INNER] >= 0 ? param[INNER] / 2 : Ro - h - (mjtNum)0.14 * D;
  param[ROOT] = Ro - h;
  param[BASE] = Rb;
  param[STRIDE] = P / R;
  param[SHIFT] = param[STRIDE] / 2 - 2 * involute;
  param[JOIN] = Rb - Ro + h;
}

// The flat value, that is, the distance in the plane of the gear.
static mjtNum distance_flat(const mjtNum p[3], const mjtNum* param) {
  mjtNum D = param[DIAMETER], Ro = param[OUTER], inner = param[HOLE], Rb = param[BASE];
  mjtNum stride = param[STRIDE], shift = param[SHIFT], side[2];
  mjtNum rho = mju_sqrt(p[0] * p[0] + p[1] * p[1]);
  if (inner - rho > 0) {
    return inner - rho;
  }
  if (Ro - rho < (mjtNum)-0.2) {
    return rho - Ro;
  }
  flank_angles(side, num_atan2(p[1], p[0]) + param[ALPHA], shift, stride);
  mjtNum cogs = num_max(flank(side[0], rho, Rb), flank(side[1], rho, Rb));
  mjtNum walls = num_max(side[0] - (stride - shift), side[1] - (stride - shift));
  cogs = num_max(walls, cogs);
  cogs = smooth_intersection(rho - Ro, cogs, (mjtNum)0.0035 * D);
  cogs = smooth_union(rho - param[ROOT], cogs, param[JOIN]);
  return subtract(cogs, rho - inner);
}

// Distance to the solid at height z, from its flat value.
static mjtNum extrude(mjtNum flat, mjtNum z, const mjtNum* param) {
  mjtNum w[2] = {flat, mju_abs(z) - param[THICKNESS] / 2};
  mjtNum out[2] = {num_max(w[0], 0), num_max(w[1], 0)};
  return num_min(num_max(w[0], w[1]), 0) + mju_sqrt(out[0] * out[0] + out[1] * out[1]);
}

static mjtNum distance(const mjtNum p[3], const mjtNum* param) {
  return extrude(distance_flat(p, param), p[2], param);
}

// Gradient by forward differences. The flat value doesn't depend on z.
static void gradient(mjtNum out[3], const mjtNum p[3], const mjtNum* param) {
  mjtNum flat = distance_flat(p, param), here = extrude(flat, p[2], param);
  const mjtNum right[3] = {p[0] + SHAPE_STEP, p[1], p[2]};
  const mjtNum left[3] = {p[0], p[1] + SHAPE_STEP, p[2]};
  out[0] = (distance(right, param) - here) / SHAPE_STEP;
  out[1] = (distance(left, param) - here) / SHAPE_STEP;
  out[2] = (extrude(flat, p[2] + SHAPE_STEP, param) - here) / SHAPE_STEP;
}

static void box(mjtNum aabb[6], const mjtNum* param) {
  aabb[0] = aabb[1] = aabb[2] = 0;
  aabb[3] = aabb[4] = (mjtNum)1.25 * param[DIAMETER] / 2;
  aabb[5] = (mjtNum)1.1 * param[THICKNESS] / 2;
}

static const char* check(const mjtNum* param) {
  return param[DIAMETER] > 0 && param[TEETH] > 0 && param[THICKNESS] > 0
             ? NULL
             : "diameter, teeth and thickness must be positive";
}

static const Shape shape = {names,    5,     {0, (mjtNum)2.8, 25, (mjtNum)0.2, -1}, check, distance,
                            gradient, derive};

SHAPE_HOOKS(plugin_gear, "mujoco.sdf.gear", shape, names, box, NULL);
