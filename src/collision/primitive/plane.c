// A plane against each primitive and meshes. The plane bounds a half-space: it has no back side,
// and its drawn size plays no role.

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include <assert.h>
#include <mujoco/api/base.h>
#include <mujoco/mjdata.h>
#include <stddef.h>

#include "base/algebra/simd.h"
#include "collision/broad/geom_box.h"
#include "collision/collide.h"
#include "collision/convex/shape.h"

// d = n.(p2 - p1);   dist = d - r,   pos = p2 - n (r + dist/2)
// Also plane_contact in lanes/rows/contacts.h and put_contact_shape in lanes/setup/constants.c.
int plane_sphere(mjContact* con, const mjtNum p1[3], const mjtNum n[3], const mjtNum p2[3],
                 mjtNum r2, mjtNum margin) {
  mjtNum gap[3], pos[3];
  v3_sub(gap, p2, p1);
  mjtNum height = v3_dot(gap, n);
  if (height > margin + r2) {
    return 0;
  }
  mjtNum dist = height - r2;
  v3_addscl(pos, p2, n, -dist / 2 - r2);
  contact_set(con, dist, pos, n);
  return 1;
}

int collide_plane_sphere(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                         mjtNum margin) {
  Solid plane = solid_of(m, d, g1), sphere = solid_of(m, d, g2);
  mjtNum n[3];
  m3_column(n, plane.mat, 2);
  return plane_sphere(con, plane.pos, n, sphere.pos, sphere.size[0], margin);
}

// Contacts of the two end spheres, upper end first. The axis is the hint for the first tangent, so
// that friction has a direction along it.
int collide_plane_capsule(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                          mjtNum margin) {
  Solid plane = solid_of(m, d, g1), capsule = solid_of(m, d, g2);
  mjtNum n[3], axis[3], half[3], end[3];
  m3_column(n, plane.mat, 2);
  m3_column(axis, capsule.mat, 2);
  v3_scl(half, axis, capsule.size[1]);

  v3_add(end, capsule.pos, half);
  int num = plane_sphere(con, plane.pos, n, end, capsule.size[0], margin);
  v3_sub(end, capsule.pos, half);
  num += plane_sphere(con + num, plane.pos, n, end, capsule.size[0], margin);

  for (int i = 0; i < num; i++) {
    v3_copy(con[i].frame + 3, axis);
  }
  return num;
}

// Makes a contact half-way between a point and the plane, if the point's height is not more than
// the margin. A NaN height makes none.
static int plane_point(mjContact* con, const mjtNum n[3], const mjtNum point[3], mjtNum height,
                       mjtNum margin) {
  if (!(height <= margin)) {
    return 0;
  }
  mjtNum pos[3];
  v3_addscl(pos, point, n, -height / 2);
  contact_set(con, height, pos, n);
  return 1;
}

// Contact of the deepest point, where the outward normal of the ellipsoid is -n:
//
//   x = s^2 l / |s l|,   l = -R2'n
//
// Also plane_ellipsoid in lanes/shapes/plane_shapes.h.
int collide_plane_ellipsoid(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                            mjtNum margin) {
  Solid plane = solid_of(m, d, g1), ellipsoid = solid_of(m, d, g2);
  mjtNum n[3], down[3], local[3], point[3], gap[3];
  m3_column(n, plane.mat, 2);
  v3_scl(down, n, -1);
  m3_tmulv(local, ellipsoid.mat, down);
  for (int i = 0; i < 3; i++) {
    local[i] *= ellipsoid.size[i];
  }
  v3_normalize(local);
  for (int i = 0; i < 3; i++) {
    local[i] *= ellipsoid.size[i];
  }
  m3_mulv(point, ellipsoid.mat, local);
  v3_addto(point, ellipsoid.pos);

  v3_sub(gap, point, plane.pos);
  return plane_point(con, n, point, v3_dot(n, gap), margin);
}

// The vector from a disk's centre to its lowest point, for a cylinder with q = axis.n. Disks
// parallel to the plane have no lowest point: the one on the x axis is taken.
static void lowest_radius(mjtNum v[3], const Solid* cylinder, const mjtNum axis[3], mjtNum q,
                          const mjtNum n[3]) {
  mjtNum radius = cylinder->size[0];
  v3_scl(v, axis, q);
  v3_subfrom(v, n);
  mjtNum vv = v3_dot(v, v);
  if (vv >= (mjtNum)(mjMINVAL * mjMINVAL)) {
    v3_scl(v, v, radius / mju_sqrt(vv));
  } else {
    m3_column(v, cylinder->mat, 0);
    v3_scl(v, v, radius);
  }
}

// Up to four points: the deepest one of the lower disk, the one above it on the upper disk, and the
// two that complete an equilateral triangle on the lower disk.
//
//     a   cylinder axis, turned to point down: q = a.n <= 0;   A = h a
//     v   = R (q a - n)/|q a - n|, the radius to the lowest point of a disk;   pv = v.n <= 0
//
// Also plane_cylinder in lanes/shapes/plane_shapes.h.
int collide_plane_cylinder(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                           mjtNum margin) {
  Solid plane = solid_of(m, d, g1), cylinder = solid_of(m, d, g2);
  mjtNum radius = cylinder.size[0], half = cylinder.size[1];
  mjtNum n[3], axis[3], gap[3], v[3];
  m3_column(n, plane.mat, 2);
  m3_column(axis, cylinder.mat, 2);
  mjtNum q = v3_dot(n, axis);
  if (q > 0) {
    v3_scl(axis, axis, -1);
    q = -q;
  }
  v3_sub(gap, cylinder.pos, plane.pos);
  mjtNum height = v3_dot(gap, n);

  lowest_radius(v, &cylinder, axis, q, n);
  mjtNum pv = v3_dot(v, n);
  v3_scl(axis, axis, half);
  mjtNum qa = q * half;

  // there is contact only if the lowest point of all is within the margin
  mjtNum pos[3];
  v3_add(pos, cylinder.pos, v);
  v3_addto(pos, axis);
  if (!plane_point(con, n, pos, height + qa + pv, margin)) {
    return 0;
  }
  v3_add(pos, cylinder.pos, v);
  v3_subfrom(pos, axis);
  int num = 1 + plane_point(con + 1, n, pos, height - qa + pv, margin);

  mjtNum dist = height + qa - pv / 2;
  if (dist <= margin) {
    mjtNum side[3], base[3];
    v3_cross(side, v, axis);
    v3_normalize(side);
    v3_scl(side, side, radius * mju_sqrt((mjtNum)3) / 2);
    v3_add(base, cylinder.pos, axis);
    v3_addtoscl(base, v, (mjtNum)-0.5);
    v3_addtoscl(base, n, -dist / 2);
    v3_add(pos, base, side);
    contact_set(con + num++, dist, pos, n);
    v3_sub(pos, base, side);
    contact_set(con + num++, dist, pos, n);
  }
  return num;
}

// Four corners of a box: where they are from its centre and in the world, and how high that is
// above the centre. half: the columns of the matrix times the half sizes; upper: those with
// positive z, in the order of collide_plane_box.
typedef struct Corners {
  Simd4 at[3], rise;
} Corners;

INLINE void four_corners(Corners* c, mjtNum half[3][3], const mjtNum pos[3], const mjtNum n[3],
                         int upper) {
  for (int k = 0; k < 3; k++) {
    mjtNum x = half[0][k], y = half[1][k], z = upper ? half[2][k] : -half[2][k];
    c->at[k] = (Simd4){-x, x, -x, x} + (Simd4){-y, -y, y, y} + z;
  }
  c->rise = n[0] * c->at[0] + n[1] * c->at[1] + n[2] * c->at[2];
  for (int k = 0; k < 3; k++) {
    c->at[k] += pos[k];
  }
}

// Makes contacts of those of four corners that are in the lower half of the box and near the plane,
// `most` at most, as plane_point does.
INLINE int corner_contacts(mjContact* con, int most, const Corners* c, const mjtNum n[3],
                           mjtNum height, mjtNum margin) {
  Simd4 dist = height + c->rise, half = -dist / 2, normal = {n[0], n[1], n[2], 0};
  Simd4Mask near = (c->rise <= 0) & (dist <= margin);
  if (!(near[0] | near[1] | near[2] | near[3])) {
    return 0;
  }
  Simd4 place[4] = {dist};
  for (int k = 0; k < 3; k++) {
    place[1 + k] = c->at[k] + half * n[k];
  }
  simd4_transpose(place);
  int num = 0;
  for (int i = 0; i < 4 && num < most; i++) {
    if (near[i]) {
      SIMD_AT(Simd4, &con[num].dist) = place[i];  // and pos
      SIMD_AT(Simd4, con[num].frame) = normal;
      SIMD_AT(Simd2, con[num++].frame + 4) = (Simd2){0};
    }
  }
  return num;
}
static_assert(offsetof(mjContact, pos) == offsetof(mjContact, dist) + sizeof(mjtNum), "one vector");

// Contacts of the first four corners, counted in binary (bit 0 is x), that are in the lower half of
// the box and near the plane. Four corners at a time, with the bits of m3_mulv and plane_point.
// Also plane_box in lanes/shapes/plane_shapes.h.
static KERNEL int box_on_plane(mjContact* con, const Solid* plane, const Solid* box,
                               mjtNum margin) {
  mjtNum n[3], gap[3], half[3][3];
  m3_column(n, plane->mat, 2);
  v3_sub(gap, box->pos, plane->pos);
  mjtNum height = v3_dot(gap, n);
  for (int i = 0; i < 3; i++) {
    m3_column(half[i], box->mat, i);
    v3_scl(half[i], half[i], box->size[i]);
  }
  Corners corners;
  four_corners(&corners, half, box->pos, n, 0);
  int num = corner_contacts(con, 4, &corners, n, height, margin);
  if (num < 4) {
    four_corners(&corners, half, box->pos, n, 1);
    num += corner_contacts(con + num, 4 - num, &corners, n, height, margin);
  }
  return num;
}

int collide_plane_box(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                      mjtNum margin) {
  Solid plane = solid_of(m, d, g1), box = solid_of(m, d, g2);
  return box_on_plane(con, &plane, &box, margin);
}

// Up to two more contacts of a mesh near the plane. Candidates are the neighbours of its deepest
// vertex on the hull, or all vertices if it has no hull; they must be away from the first contact.
static int plane_neighbours(mjContact* con, const ConvexShape* mesh, int deepest,
                            const mjtNum p1[3], const mjtNum n[3], mjtNum margin, mjtNum apart) {
  mjtNum gap[3], down[3], local[3];
  v3_sub(gap, mesh->pos, p1);
  mjtNum height = v3_dot(gap, n) - margin;
  v3_scl(down, n, -1);
  shape_direction(local, mesh, down);

  const int* near = mesh->graph ? hull_neighbours(mesh, deepest) : NULL;
  int num = 1;
  for (int i = 0; num < 3 && (near ? near[i] >= 0 : i < mesh->nvert); i++) {
    mjtNum point[3];
    mesh_point(point, mesh, near ? hull_vertex(mesh, near[i]) : i);
    if ((!near && i == deepest) || !(v3_dot(local, point) > height)) {
      continue;
    }
    shape_point(point, mesh, point);
    if (v3_dist(point, con->pos) >= apart) {
      v3_sub(gap, point, p1);
      num += plane_point(con + num, n, point, v3_dot(gap, n), INFINITY);
    }
  }
  return num;
}

// Contacts of the deepest vertex and of up to two others.
int collide_plane_mesh(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                       mjtNum margin) {
  if (geom_box_above(m, d, g1, g2, margin)) {
    return 0;
  }
  const mjtNum* p1 = d->geom_xpos + 3 * g1;
  mjtNum n[3], down[3], point[3], gap[3];
  ConvexShape mesh;
  convex_shape(&mesh, m, d, g2, 0);
  m3_column(n, d->geom_xmat + 9 * g1, 2);
  v3_scl(down, n, -1);
  int deepest = mesh_support_plain(point, &mesh, down, 0);
  v3_sub(gap, point, p1);
  if (!plane_point(con, n, point, v3_dot(gap, n), margin)) {
    return 0;
  }
  return plane_neighbours(con, &mesh, deepest, p1, n, margin, (mjtNum)0.3 * m->geom_rbound[g2]);
}
