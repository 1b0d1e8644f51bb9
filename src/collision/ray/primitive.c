// Rays against primitive shapes, by quadratic equations in the frame of the shape.
//                                                             theory/contact/rays.md, Ray and shape

#pragma STDC FP_CONTRACT OFF  // rounding decides whether a ray that grazes hits

#include <mujoco/api/base.h>
#include <mujoco/api/collision.h>

#include "base/algebra/vec.h"
#include "base/memory/check.h"
#include "collision/ray/ray.h"

// Solves a x^2 + 2 b x + c = 0. Returns the smallest root that is not negative, -1 if there is
// none. root: both real roots in ascending order, or -1 twice.
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

// The side of a cylinder along z; only the first hit of the infinite cylinder counts.
static mjtNum ray_tube(const mjtNum o[3], const mjtNum v[3], mjtNum r, mjtNum half) {
  mjtNum root[2];
  mjtNum x = solve_quadratic(root, v[0] * v[0] + v[1] * v[1], v[0] * o[0] + v[1] * o[1],
                             o[0] * o[0] + o[1] * o[1] - r * r);
  return x >= 0 && mju_abs(o[2] + x * v[2]) > half ? -1 : x;
}

// primitives, in their own frames

// The front face of a plane in its drawn size; a size of 0 is infinite.
static mjtNum ray_plane(const mjtNum o[3], const mjtNum v[3], const mjtNum size[3]) {
  mjtNum x = v[2] > -mjMINVAL ? -1 : -o[2] / v[2];
  for (int k = 0; k < 2; k++) {
    if (size[k] > 0 && !(mju_abs(o[k] + x * v[k]) <= size[k])) {
      return -1;
    }
  }
  return x >= 0 ? x : -1;
}

// A sphere, with the ray in the world.
static mjtNum ray_sphere(const mjtNum pos[3], const mjtNum pnt[3], const mjtNum vec[3],
                         mjtNum radius) {
  mjtNum root[2], o[3];
  v3_sub(o, pnt, pos);
  return ray_sphere_on_axis(root, o, vec, 0, radius * radius);
}

// A capsule: a tube between its ends, half a sphere at each.
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
        x = ray_nearer(x, root[k]);
      }
    }
  }
  return x;
}

static mjtNum ray_ellipsoid(const mjtNum o[3], const mjtNum v[3], const mjtNum size[3]) {
  mjtNum root[2], a = 0, b = 0, c = 0;
  for (int k = 0; k < 3; k++) {
    mjtNum weight = 1 / (size[k] * size[k]);
    a += weight * v[k] * v[k];
    b += weight * v[k] * o[k];
    c += weight * o[k] * o[k];
  }
  return solve_quadratic(root, a, b, c - 1);
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
      x = ray_nearer(x, cap);
    }
  }
  return x;
}

int ray_boxfaces(mjtNum x[6], const mjtNum o[3], const mjtNum v[3], const mjtNum size[3]) {
  mjtNum root[2];
  int hit = 0;
  for (int i = 0; i < 6; i++) {
    x[i] = -1;
  }
  if (ray_sphere_on_axis(root, o, v, 0, v3_dot(size, size)) < 0) {
    return 0;
  }
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    for (int side = 0; side < 2 && mju_abs(v[k]) > mjMINVAL; side++) {
      mjtNum face = ((side ? size[k] : -size[k]) - o[k]) / v[k];
      if (face >= 0 && mju_abs(o[i] + face * v[i]) <= size[i] &&
          mju_abs(o[j] + face * v[j]) <= size[j]) {
        x[2 * k + side] = face;
        hit = 1;
      }
    }
  }
  return hit;
}

mjtNum ray_box(const mjtNum o[3], const mjtNum v[3], const mjtNum size[3]) {
  mjtNum x[6], nearest = -1;
  if (ray_boxfaces(x, o, v, size)) {
    for (int i = 0; i < 6; i++) {
      nearest = ray_nearer(nearest, x[i]);
    }
  }
  return nearest;
}

// The gradient of the function that is constant on the surface. Of a box and a cylinder the part
// counts to whose surface p is nearest.
void ray_shapenormal(mjtNum n[3], int type, const mjtNum size[3], const mjtNum p[3]) {
  v3_zero(n);
  if (type == mjGEOM_PLANE) {
    n[2] = 1;
  } else if (type == mjGEOM_BOX) {
    int face = 0;
    for (int k = 1; k < 3; k++) {
      face = mju_abs(p[k]) - size[k] > mju_abs(p[face]) - size[face] ? k : face;
    }
    n[face] = p[face] < 0 ? -1 : 1;
  } else if (type == mjGEOM_CYLINDER &&
             mju_abs(p[2]) - size[1] > mju_sqrt(p[0] * p[0] + p[1] * p[1]) - size[0]) {
    n[2] = p[2] < 0 ? -1 : 1;
  } else {
    int tube = type == mjGEOM_CAPSULE || type == mjGEOM_CYLINDER;
    v3_copy(n, p);
    if (type == mjGEOM_ELLIPSOID) {
      v3_set(n, p[0] / (size[0] * size[0]), p[1] / (size[1] * size[1]), p[2] / (size[2] * size[2]));
    } else if (tube) {
      n[2] -= num_min(size[1], num_max(-size[1], p[2]));
    }
    v3_normalize(n);
  }
}

static mjtNum ray_primitive(const char* caller, const mjtNum pos[3], const mjtNum mat[9],
                            const mjtNum size[3], const mjtNum pnt[3], const mjtNum vec[3],
                            int geomtype) {
  mjtNum o[3], v[3];
  if (geomtype == mjGEOM_SPHERE) {
    return ray_sphere(pos, pnt, vec, size[0]);
  }
  ray_tolocal(o, v, pos, mat, pnt, vec);
  switch (geomtype) {
    case mjGEOM_PLANE:
      return ray_plane(o, v, size);
    case mjGEOM_CAPSULE:
      return ray_capsule(o, v, size);
    case mjGEOM_ELLIPSOID:
      return ray_ellipsoid(o, v, size);
    case mjGEOM_CYLINDER:
      return ray_cylinder(o, v, size);
    case mjGEOM_BOX:
      return ray_box(o, v, size);
    default:
      mju_error("%s: unexpected geom type %d", caller, geomtype);
      return -1;
  }
}

mjtNum mju_rayGeom(const mjtNum pos[3], const mjtNum mat[9], const mjtNum size[3],
                   const mjtNum pnt[3], const mjtNum vec[3], int geomtype) {
  return ray_primitive(__func__, pos, mat, size, pnt, vec, geomtype);
}

mjtNum ray_shape(const char* caller, const mjtNum pos[3], const mjtNum mat[9], const mjtNum size[3],
                 const mjtNum pnt[3], const mjtNum vec[3], int geomtype, mjtNum normal[3]) {
  mjtNum o[3], v[3], p[3], n[3] = {0, 0, 0};
  mjtNum x = ray_primitive(caller, pos, mat, size, pnt, vec, geomtype);
  if (normal && x >= 0) {
    ray_tolocal(o, v, pos, mat, pnt, vec);
    v3_addscl(p, o, v, x);
    ray_shapenormal(n, geomtype, size, p);
  }
  return ray_end(normal, x, mat, n);
}

mjtNum cnd_rayGeomNormal(const mjtNum pos[3], const mjtNum mat[9], const mjtNum size[3],
                         const mjtNum pnt[3], const mjtNum vec[3], int geomtype, mjtNum normal[3]) {
  check_given(pos, mat, size, pnt, vec);
  return ray_shape(__func__, pos, mat, size, pnt, vec, geomtype, normal);
}
