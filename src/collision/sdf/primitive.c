// Fields of primitive shapes, in closed form.                     theory/contact/sdf.md, Primitives

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it ends the descent elsewhere

#include "collision/sdf/field.h"

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"

// plane: f = z

INLINE mjtNum plane_distance(const Field* field, const mjtNum x[3]) {
  (void)field;
  return x[2];
}

static void plane_gradient(mjtNum gradient[3], const Field* field, const mjtNum x[3]) {
  (void)field, (void)x;
  v3_set(gradient, 0, 0, 1);
}

// sphere: f = |x| - r, grad f = x / |x|, NaN at the centre

INLINE mjtNum sphere_distance(const Field* field, const mjtNum x[3]) {
  return v3_norm(x) - field->size[0];
}

static void sphere_gradient(mjtNum gradient[3], const Field* field, const mjtNum x[3]) {
  (void)field;
  v3_scl(gradient, x, 1 / v3_norm(x));
}

// capsule: f = |a| - r, a from the nearest point of the segment

INLINE void from_segment(mjtNum a[3], mjtNum half, const mjtNum x[3]) {
  v3_set(a, x[0], x[1], x[2] - num_clamp(x[2], -half, half));
}

INLINE mjtNum capsule_distance(const Field* field, const mjtNum x[3]) {
  mjtNum a[3];
  from_segment(a, field->size[1], x);
  return v3_norm(a) - field->size[0];
}

static void capsule_gradient(mjtNum gradient[3], const Field* field, const mjtNum x[3]) {
  mjtNum a[3];
  from_segment(a, field->size[1], x);
  mjtNum norm = v3_norm(a);
  v3_set(gradient, a[0] / norm, a[1] / norm, a[2] / norm);
}

// ellipsoid: f = k0 (k0 - 1) / k1, k0 = |x / s|, k1 = |x / s^2|. On the surface f is zero and its
// gradient has unit length. f is NaN at the centre.

INLINE mjtNum ellipsoid_distance(const Field* field, const mjtNum x[3]) {
  const mjtNum* s = field->size;
  mjtNum u[3] = {x[0] / s[0], x[1] / s[1], x[2] / s[2]};
  mjtNum w[3] = {u[0] / s[0], u[1] / s[1], u[2] / s[2]};
  mjtNum k0 = v3_norm(u), k1 = v3_norm(w);
  return k0 * (k0 - 1) / k1;
}

// grad k0 = (x / s^2) / k0, grad k1 = (x / s^4) / k1
// grad f = grad k0 (2 k0 - 1) / k1 - grad k1 k0 (k0 - 1) / k1^2, made a unit vector
static void ellipsoid_gradient(mjtNum gradient[3], const Field* field, const mjtNum x[3]) {
  const mjtNum* s = field->size;
  mjtNum u[3] = {x[0] / s[0], x[1] / s[1], x[2] / s[2]};
  mjtNum w[3] = {u[0] / s[0], u[1] / s[1], u[2] / s[2]};
  mjtNum k0 = v3_norm(u), k1 = v3_norm(w), inv0 = 1 / k0, inv1 = 1 / k1;
  mjtNum slope0 = (2 * k0 - 1) * inv1, slope1 = k0 * (k0 - 1) * inv1 * inv1;
  for (int i = 0; i < 3; i++) {
    gradient[i] = w[i] * inv0 * slope0 - w[i] * inv1 / (s[i] * s[i]) * slope1;
  }
  v3_normalize(gradient);
}

// cylinder: f = min(max(a0, a1), 0) + |max(a, 0)|, a = (rho - r, |z| - h): distances from the side
// and the ends

INLINE mjtNum cylinder_distance(const Field* field, const mjtNum x[3]) {
  mjtNum a0 = mju_sqrt(x[0] * x[0] + x[1] * x[1]) - field->size[0];
  mjtNum a1 = mju_abs(x[2]) - field->size[1];
  mjtNum b0 = num_max(a0, 0), b1 = num_max(a1, 0);
  return num_min(num_max(a0, a1), 0) + mju_sqrt(b0 * b0 + b1 * b1);
}

// Inside, the gradient points away from the nearer of side and ends (ends at ties); outside, it is
// weighted by both distances.
static void cylinder_gradient(mjtNum gradient[3], const Field* field, const mjtNum x[3]) {
  const mjtNum least = (mjtNum)(1 / mjMAXVAL);
  mjtNum rho = mju_sqrt(x[0] * x[0] + x[1] * x[1]), height = mju_abs(x[2]);
  mjtNum a0 = rho - field->size[0], a1 = height - field->size[1];
  mjtNum c = num_max(rho, least), e = num_max(height, least);
  mjtNum side = a0 > a1 ? 1 : 0, end = 1 - side, norm = 1;
  if (num_max(a0, a1) >= 0) {
    side = num_max(a0, 0);
    end = num_max(a1, 0);
    norm = num_max(mju_sqrt(side * side + end * end), least);
  }
  v3_set(gradient, x[0] / c * side / norm, x[1] / c * side / norm, x[2] / e * end / norm);
}

// box: a = |x| - s; outside f = |max(a, 0)| + min(max a, 0). Inside, with the unit vector u along
// s / |a|: f = -min |a_i / u_i|, smooth but for the centre planes; the gradient is u with the signs
// of x.

INLINE void from_faces(mjtNum a[3], const mjtNum s[3], const mjtNum x[3]) {
  v3_set(a, mju_abs(x[0]) - s[0], mju_abs(x[1]) - s[1], mju_abs(x[2]) - s[2]);
}

INLINE void box_outward(mjtNum u[3], const mjtNum a[3], const mjtNum s[3]) {
  v3_set(u, -s[0] / a[0], -s[1] / a[1], -s[2] / a[2]);
  v3_normalize(u);
}

INLINE mjtNum box_distance(const Field* field, const mjtNum x[3]) {
  mjtNum a[3], u[3];
  from_faces(a, field->size, x);
  if (a[0] >= 0 || a[1] >= 0 || a[2] >= 0) {
    mjtNum b[3] = {num_max(a[0], 0), num_max(a[1], 0), num_max(a[2], 0)};
    return v3_norm(b) + num_min(num_max(a[0], num_max(a[1], a[2])), 0);
  }
  box_outward(u, a, field->size);
  mjtNum t = num_min(-a[0] / u[0], num_min(-a[1] / u[1], -a[2] / u[2]));
  return -t * v3_norm(u);
}

static void box_gradient(mjtNum gradient[3], const Field* field, const mjtNum x[3]) {
  mjtNum a[3];
  from_faces(a, field->size, x);
  if (num_max(a[0], num_max(a[1], a[2])) < 0) {
    box_outward(gradient, a, field->size);
    for (int i = 0; i < 3; i++) {
      gradient[i] = x[i] < 0 ? -gradient[i] : gradient[i];
    }
    return;
  }
  mjtNum b[3] = {num_max(a[0], 0), num_max(a[1], 0), num_max(a[2], 0)};
  mjtNum norm = v3_norm(b);
  for (int i = 0; i < 3; i++) {
    gradient[i] = a[i] > 0 ? b[i] / norm * x[i] / mju_abs(x[i]) : 0;
  }
}

// in lanes: the same formulas, several points per instruction

INLINE void in_lanes(mjtNum* restrict out, const Field* field,
                     const mjtNum x[restrict 3][FIELD_LANES],
                     mjtNum (*distance)(const Field* field, const mjtNum x[3])) {
  for (int k = 0; k < FIELD_LANES; k++) {
    const mjtNum p[3] = {x[0][k], x[1][k], x[2][k]};
    out[k] = distance(field, p);
  }
}

KERNEL static void distances(mjtNum dist[FIELD_LANES], const Field* field,
                             const mjtNum x[3][FIELD_LANES]) {
  switch (field->kind - field_primitive) {
    case mjGEOM_PLANE:
      in_lanes(dist, field, x, plane_distance);
      break;
    case mjGEOM_SPHERE:
      in_lanes(dist, field, x, sphere_distance);
      break;
    case mjGEOM_CAPSULE:
      in_lanes(dist, field, x, capsule_distance);
      break;
    case mjGEOM_ELLIPSOID:
      in_lanes(dist, field, x, ellipsoid_distance);
      break;
    case mjGEOM_CYLINDER:
      in_lanes(dist, field, x, cylinder_distance);
      break;
    default:
      in_lanes(dist, field, x, box_distance);
      break;
  }
}

const FieldKind field_primitive[mjNGEOMTYPES] = {
    [mjGEOM_PLANE] = {plane_distance, plane_gradient, distances},
    [mjGEOM_SPHERE] = {sphere_distance, sphere_gradient, distances},
    [mjGEOM_CAPSULE] = {capsule_distance, capsule_gradient, distances},
    [mjGEOM_ELLIPSOID] = {ellipsoid_distance, ellipsoid_gradient, distances},
    [mjGEOM_CYLINDER] = {cylinder_distance, cylinder_gradient, distances},
    [mjGEOM_BOX] = {box_distance, box_gradient, distances},
};
