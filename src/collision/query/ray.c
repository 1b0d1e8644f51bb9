// Where a ray first meets a surface.                                           theory/rays.md, Rays
//
// A ray is o + x v with x >= 0. Every function gives the smallest such x, or -1; x counts in units
// of v, which need not be unit length.

#pragma STDC FP_CONTRACT OFF  // rounding decides whether a ray that grazes hits

#include <mujoco/api/base.h>
#include <mujoco/api/collision.h>
#include <mujoco/mjvisualize.h>
#include <stdatomic.h>

#include "base/check.h"
#include "base/vec.h"

// Smaller of two results, of which negative ones are none.
static inline mjtNum nearer(mjtNum a, mjtNum b) {
  return a < 0 ? b : b < 0 ? a : num_min(a, b);
}

// a x^2 + 2 b x + c = 0. Returns the smallest root that is not negative, -1 if there is none; both
// roots in order, or -1 twice.
static mjtNum solve_quadratic(mjtNum root[2], mjtNum a, mjtNum b, mjtNum c) {
  mjtNum det = b * b - a * c;
  if (det < mjMINVAL) {
    root[0] = root[1] = -1;
    return -1;
  }
  det = mju_sqrt(det);
  root[0] = (-b - det) / a;
  root[1] = (-b + det) / a;
  return root[0] >= 0 ? root[0] : root[1] >= 0 ? root[1] : -1;
}

// A sphere of squared radius r2 about `centre` on the z-axis.
static mjtNum ray_sphere_on_axis(mjtNum root[2], const mjtNum o[3], const mjtNum v[3],
                                 mjtNum centre, mjtNum r2) {
  mjtNum from[3] = {o[0], o[1], o[2] - centre};
  return solve_quadratic(root, v3_dot(v, v), v3_dot(v, from), v3_dot(from, from) - r2);
}

// The side of a cylinder along z, where the ray first meets the infinite one.
static mjtNum ray_tube(const mjtNum o[3], const mjtNum v[3], mjtNum r, mjtNum half) {
  mjtNum root[2];
  mjtNum x = solve_quadratic(root, v[0] * v[0] + v[1] * v[1], v[0] * o[0] + v[1] * o[1],
                             o[0] * o[0] + o[1] * o[1] - r * r);
  return x >= 0 && mju_abs(o[2] + x * v[2]) > half ? -1 : x;
}

// primitives, in their own frames

// the front face, as large as it is drawn; a size of 0 is infinite
static mjtNum ray_plane(const mjtNum o[3], const mjtNum v[3], const mjtNum size[3]) {
  if (v[2] > -mjMINVAL) {
    return -1;
  }
  mjtNum x = -o[2] / v[2];
  if (x < 0) {
    return -1;
  }
  for (int k = 0; k < 2; k++) {
    if (size[k] > 0 && mju_abs(o[k] + x * v[k]) > size[k]) {
      return -1;
    }
  }
  return x;
}

static mjtNum ray_sphere(const mjtNum o[3], const mjtNum v[3], const mjtNum size[3]) {
  mjtNum root[2];
  return ray_sphere_on_axis(root, o, v, 0, size[0] * size[0]);
}

// tube between the ends, half a sphere at each
static mjtNum ray_capsule(const mjtNum o[3], const mjtNum v[3], const mjtNum size[3]) {
  mjtNum root[2], radius = size[0], half = size[1];
  if (ray_sphere_on_axis(root, o, v, 0, (radius + half) * (radius + half)) < 0) {
    return -1;
  }
  mjtNum x = ray_tube(o, v, radius, half);
  for (mjtNum end = -1; end <= 1; end += 2) {
    ray_sphere_on_axis(root, o, v, end * half, radius * radius);
    for (int k = 0; k < 2; k++) {
      if (root[k] >= 0 && end * (o[2] + root[k] * v[2]) >= half) {
        x = nearer(x, root[k]);
      }
    }
  }
  return x;
}

static mjtNum ray_ellipsoid(const mjtNum o[3], const mjtNum v[3], const mjtNum size[3]) {
  mjtNum root[2], a = 0, b = 0, c = -1;
  for (int k = 0; k < 3; k++) {
    mjtNum weight = 1 / (size[k] * size[k]);
    a += weight * v[k] * v[k];
    b += weight * v[k] * o[k];
    c += weight * o[k] * o[k];
  }
  return solve_quadratic(root, a, b, c);
}

static mjtNum ray_cylinder(const mjtNum o[3], const mjtNum v[3], const mjtNum size[3]) {
  mjtNum root[2], radius = size[0], half = size[1];
  if (ray_sphere_on_axis(root, o, v, 0, radius * radius + half * half) < 0) {
    return -1;
  }
  mjtNum x = ray_tube(o, v, radius, half);
  for (mjtNum end = -1; end <= 1 && mju_abs(v[2]) > mjMINVAL; end += 2) {
    mjtNum cap = (end * half - o[2]) / v[2];
    mjtNum p[2] = {o[0] + cap * v[0], o[1] + cap * v[1]};
    if (cap >= 0 && p[0] * p[0] + p[1] * p[1] <= radius * radius) {
      x = nearer(x, cap);
    }
  }
  return x;
}

static mjtNum ray_box(const mjtNum o[3], const mjtNum v[3], const mjtNum size[3]) {
  mjtNum root[2], x = -1;
  if (ray_sphere_on_axis(root, o, v, 0, v3_dot(size, size)) < 0) {
    return -1;
  }
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    for (mjtNum side = -1; side <= 1 && mju_abs(v[k]) > mjMINVAL; side += 2) {
      mjtNum face = (side * size[k] - o[k]) / v[k];
      if (face >= 0 && mju_abs(o[i] + face * v[i]) <= size[i] &&
          mju_abs(o[j] + face * v[j]) <= size[j]) {
        x = nearer(x, face);
      }
    }
  }
  return x;
}

mjtNum mju_rayGeom(const mjtNum pos[3], const mjtNum mat[9], const mjtNum size[3],
                   const mjtNum pnt[3], const mjtNum vec[3], int geomtype) {
  mjtNum o[3], v[3];
  v3_sub(o, pnt, pos);
  m3_tmulv(o, mat, o);
  m3_tmulv(v, mat, vec);
  switch (geomtype) {
    case mjGEOM_PLANE:
      return ray_plane(o, v, size);
    case mjGEOM_SPHERE:
      return ray_sphere(o, v, size);
    case mjGEOM_CAPSULE:
      return ray_capsule(o, v, size);
    case mjGEOM_ELLIPSOID:
      return ray_ellipsoid(o, v, size);
    case mjGEOM_CYLINDER:
      return ray_cylinder(o, v, size);
    case mjGEOM_BOX:
      return ray_box(o, v, size);
    default:
      mju_error("mju_rayGeom: shape %d is not a primitive", geomtype);
      return -1;
  }
}

// the whole scene

// Height fields, meshes and SDFs. Says so once.
static int is_unsupported(int type) {
  static atomic_flag warned;  // zero is the clear state
  if (type == mjGEOM_PLANE || (type >= mjGEOM_SPHERE && type <= mjGEOM_BOX)) {
    return 0;
  }
  if (!atomic_flag_test_and_set(&warned)) {
    mju_warning("rays do not meet height fields, meshes and SDFs yet: they pass through");
  }
  return 1;
}

// What a ray doesn't see: the excluded body, what is drawn fully transparent, and by the caller's
// choice what can't move and groups of geoms.
static int is_invisible(const mjModel* m, int geom, const mjtByte* geomgroup, int flg_static,
                        int bodyexclude) {
  int body = m->geom_bodyid[geom], material = m->geom_matid[geom];
  const float* rgba = material < 0 ? m->geom_rgba + 4 * geom : m->mat_rgba + 4 * material;
  if (body == bodyexclude || rgba[3] == 0 || (!flg_static && m->body_weldid[body] == 0)) {
    return 1;
  }
  int group = int_max(0, int_min(mjNGROUP - 1, m->geom_group[geom]));
  return geomgroup && !geomgroup[group];
}

mjtNum mj_ray(const mjModel* m, const mjData* d, const mjtNum pnt[3], const mjtNum vec[3],
              const mjtByte* geomgroup, mjtByte flg_static, int bodyexclude, int geomid[1]) {
  check_given(m, d, pnt, vec);
  if (v3_norm(vec) < mjMINVAL) {
    mju_error("mj_ray: vector length is too small");
  }
  mjtNum nearest = -1;
  int hit = -1;
  for (int i = 0; i < m->ngeom; i++) {
    if (is_invisible(m, i, geomgroup, flg_static, bodyexclude) || is_unsupported(m->geom_type[i])) {
      continue;
    }
    mjtNum x = mju_rayGeom(d->geom_xpos + 3 * i, d->geom_xmat + 9 * i, m->geom_size + 3 * i, pnt,
                           vec, m->geom_type[i]);
    if (x >= 0 && (hit < 0 || x < nearest)) {
      nearest = x;
      hit = i;
    }
  }
  if (geomid) {
    *geomid = hit;
  }
  return nearest;
}
