// Shapes of surfaces, one function for each type of geom. Whether a point is on a face, an edge or
// a corner follows from its place, within a small tolerance relative to the size.

#include <mujoco/api/base.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "collision/convex/shape.h"
#include "collision/hfield/prism.h"
#include "derivative/geometry/contact_geometry.h"
#include "derivative/geometry/support_set.h"

// distance, relative to the size, at which a point counts as on an edge; the tolerance of searches
// is added
static const mjtNum NEAR = sizeof(mjtNum) == sizeof(double) ? (mjtNum)1e-6 : (mjtNum)1e-4;

mjtNum geometry_position_tol(const mjModel* m, mjtNum size) {
  return NEAR * size + 10 * m->opt.ccd_tolerance;
}

// A search whose distance is short of the right one by e ends up to sqrt(2 e r) away from the
// closest points of a surface of radius r.
mjtNum geometry_angle_tol(const mjModel* m, mjtNum size) {
  return (mjtNum)1e-3 + 5 * mju_sqrt(m->opt.ccd_tolerance / num_max(size, mjMINVAL));
}

// A point on the surface of a geom, in the world and in the frame of the geom.
typedef struct {
  const mjModel* m;
  const mjData* d;
  int geom;
  const mjtNum *size, *mat, *frame;
  mjtNum x[3], n[3], normal[3];  // place and normal in the frame of the geom, normal in the world
} Spot;

static Spot spot_at(const mjModel* m, const mjData* d, int geom, const mjtNum point[3],
                    const mjtNum n[3], const mjtNum frame[9]) {
  Spot at = {.m = m,
             .d = d,
             .geom = geom,
             .size = m->geom_size + 3 * geom,
             .mat = d->geom_xmat + 9 * geom,
             .frame = frame};
  v3_tolocal(at.x, point, d->geom_xpos + 3 * geom, at.mat);
  m3_tmulv(at.n, at.mat, n);
  v3_copy(at.normal, n);
  return at;
}

static void isotropic(SurfaceShape* s, mjtNum c, mjtNum sn) {
  *s = (SurfaceShape){.C = {c, 0, 0, c}, .S = {sn, 0, 0, sn}};
}

// Sets a surface with a principal direction along an axis of the frame of the geom.
static void along_local(SurfaceShape* s, const Spot* at, const mjtNum axis[3], mjtNum c0, mjtNum s0,
                        mjtNum c1, mjtNum s1) {
  mjtNum world[3];
  m3_mulv(world, at->mat, axis);
  surface_set(s, at->frame, world, c0, s0, c1, s1);
}

static int plane_surface(SurfaceShape* s, const Spot* at) {
  (void)at;
  isotropic(s, 1, 0);
  return 1;
}

static int sphere_surface(SurfaceShape* s, const Spot* at) {
  isotropic(s, at->size[0], 1);
  return 1;
}

// Whether a point is at an end of a surface that reaches from -size to size along an axis; x and n
// are the components of the point and of its normal along that axis.
static int is_at_end(const Spot* at, mjtNum x, mjtNum n, mjtNum size, mjtNum scale) {
  return mju_abs(x) > size - geometry_position_tol(at->m, scale) ||
         mju_abs(n) > geometry_angle_tol(at->m, scale);
}

// End of the capsule that the point is on: +1 or -1 for a cap, 0 for the side.
static int capsule_end(const Spot* at) {
  mjtNum z = at->x[2] - at->size[0] * at->n[2];
  if (!is_at_end(at, z, at->n[2], at->size[1], at->size[0] + at->size[1])) {
    return 0;
  }
  return z > 0 ? 1 : -1;
}

// A cap is a sphere around an end of the axis; the side is straight along the axis.
static int capsule_surface(SurfaceShape* s, const Spot* at) {
  static const mjtNum axis[3] = {0, 0, 1};
  mjtNum radius = at->size[0];
  if (!capsule_end(at)) {
    along_local(s, at, axis, 1, 0, radius, 1);
  } else {
    isotropic(s, radius, 1);
  }
  return 1;
}

// Distance of a point from the axis of a cylinder, and whether it is on the side, on a cap, or on
// both: the rim.
static mjtNum cylinder_parts(int* is_side, int* is_cap, const Spot* at) {
  mjtNum across = mju_sqrt(num_square(at->x[0]) + num_square(at->x[1]));
  mjtNum radial = mju_sqrt(num_square(at->n[0]) + num_square(at->n[1]));
  mjtNum scale = at->size[0] + at->size[1];
  *is_side = is_at_end(at, across, radial, at->size[0], scale);
  *is_cap = is_at_end(at, at->x[2], at->n[2], at->size[1], scale);
  return across;
}

// The side of a cylinder is straight along the axis, a cap is flat. The rim is a corner in the
// plane through the axis; along the rim, as the normal turns by |n_r| times an angle, n_r its part
// across the axis, the point moves by R times that angle.
static int cylinder_surface(SurfaceShape* s, const Spot* at) {
  static const mjtNum axis[3] = {0, 0, 1};
  mjtNum radius = at->size[0];
  mjtNum radial = mju_sqrt(num_square(at->n[0]) + num_square(at->n[1]));
  int is_side, is_cap;
  cylinder_parts(&is_side, &is_cap, at);
  if (is_side && is_cap) {
    along_local(s, at, axis, 0, 1, radius, radial);
  } else if (is_cap) {
    isotropic(s, 1, 0);
  } else {
    along_local(s, at, axis, 1, 0, radius, 1);
  }
  return 1;
}

// g(x) = sum (x_i / s_i)^2 = 1:  curvature P (hess g) P / |grad g| with P across the normal
static int ellipsoid_surface(SurfaceShape* s, const Spot* at) {
  mjtNum grad[3], hess[3], t[2][3];
  for (int i = 0; i < 3; i++) {
    hess[i] = 1 / num_square(at->size[i]);
    grad[i] = hess[i] * at->x[i];
  }
  mjtNum norm = v3_norm(grad);
  if (norm < mjMINVAL) {
    return 0;
  }
  m3_tmulv(t[0], at->mat, at->frame + 3);
  m3_tmulv(t[1], at->mat, at->frame + 6);
  isotropic(s, 1, 0);
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 2; j++) {
      s->S[2 * i + j] = (t[i][0] * hess[0] * t[j][0] + t[i][1] * hess[1] * t[j][1] +
                         t[i][2] * hess[2] * t[j][2]) /
                        norm;
    }
  }
  return 1;
}

static int is_on_side(const Spot* at, int k) {
  mjtNum scale = at->size[0] + at->size[1] + at->size[2];
  return is_at_end(at, at->x[k], at->n[k], at->size[k], scale);
}

// A point on one side of a box is on a face, on two sides on an edge, on three at a corner.
static int box_surface(SurfaceShape* s, const Spot* at) {
  int num = 0, along = 0;
  for (int k = 0; k < 3; k++) {
    if (is_on_side(at, k)) {
      num++;
    } else {
      along = k;
    }
  }
  if (num == 2) {
    mjtNum axis[3] = {0, 0, 0};
    axis[along] = 1;
    along_local(s, at, axis, 1, 0, 0, 1);
  } else {
    isotropic(s, num == 1, num == 3);
  }
  return 1;
}

static int support_set_surface(SurfaceShape* s, const Spot* at, const SupportSet* ties) {
  mjtNum axis[3];
  FeatureKind kind = support_set_feature(axis, ties);
  if (kind == FEATURE_EDGE) {
    along_local(s, at, axis, 1, 0, 0, 1);
  } else {
    isotropic(s, kind == FEATURE_FACE, kind == FEATURE_CORNER);
  }
  return kind != FEATURE_NONE;
}

static SupportSet support_set_at(const Spot* at, const mjtNum top[3], mjtNum size, mjtNum slack) {
  SupportSet ties;
  mjtNum near = geometry_position_tol(at->m, size), along = geometry_angle_tol(at->m, size);
  support_set_begin(&ties, at->x, at->n, top, near + slack * along, along);
  return ties;
}

static int mesh_surface(SurfaceShape* s, const Spot* at) {
  ConvexShape shape;
  mjtNum point[3];
  if (at->m->geom_dataid[at->geom] < 0 || !convex_shape(&shape, at->m, at->d, at->geom, 0)) {
    return 0;
  }
  int top = mesh_support_plain(point, &shape, at->normal, 0);
  mesh_point(point, &shape, shape.graph ? hull_vertex(&shape, top) : top);
  SupportSet ties = support_set_at(at, point, at->m->geom_rbound[at->geom], 0);
  if (shape.graph) {
    for (const int* near = hull_neighbours(&shape, top); *near >= 0; near++) {
      mesh_point(point, &shape, hull_vertex(&shape, *near));
      support_set_add(&ties, point);
    }
  } else {
    for (int i = 0; i < shape.nvert; i++) {
      mesh_point(point, &shape, i);
      support_set_add(&ties, point);
    }
  }
  return support_set_surface(s, at, &ties);
}

// Search for the shape of the surface of a height field at a point, among the prisms near it.
typedef struct {
  SurfaceShape* out;
  const Spot* at;
  mjtNum size, slack;
} FieldSpot;

// Shape of the surface of a prism at the point; returns 0 if the point is not on the prism or the
// normal leads into it.
static int prism_surface(void* context, Prism* prism) {
  const FieldSpot* f = context;
  const Spot* at = f->at;
  const mjtNum(*v)[3] = prism->vertex;
  int top = 0;
  for (int i = 1; i < 6; i++) {
    top = v3_dot(v[i], at->n) > v3_dot(v[top], at->n) ? i : top;
  }
  SupportSet ties = support_set_at(at, v[top], f->size, f->slack);
  mjtNum off = f->slack > 0 ? ties.along * v3_dist(v[top], at->x) : 0;
  if (mju_abs(v3_dot(v[top], at->n) - v3_dot(at->x, at->n)) > ties.near + off) {
    return 0;
  }
  mjtNum box[2][2] = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
  for (int i = 0; i < 6; i++) {
    support_set_add(&ties, v[i]);
    for (int k = 0; k < 2; k++) {
      box[0][k] = num_min(box[0][k], v[i][k] - ties.near);
      box[1][k] = num_max(box[1][k], v[i][k] + ties.near);
    }
  }
  for (int k = 0; k < 2; k++) {
    if (at->x[k] < box[0][k] || at->x[k] > box[1][k]) {
      return 0;
    }
  }
  return support_set_surface(f->out, at, &ties);
}

int hfield_surface(SurfaceShape* s, const mjModel* m, const mjData* d, int geom,
                   const mjtNum point[3], const mjtNum n[3], const mjtNum frame[9], mjtNum margin,
                   mjtNum slack) {
  HfieldGrid grid = hfield_grid(m, geom);
  Spot at = spot_at(m, d, geom, point, n, frame);
  FieldSpot spot = {s, &at, grid.size[0] + grid.size[1], slack};
  return prism_find(&grid, at.x, margin, prism_surface, &spot);
}

typedef int SurfaceOf(SurfaceShape* s, const Spot* at);

int surface_of(SurfaceShape* s, const mjModel* m, const mjData* d, int geom, const mjtNum point[3],
               const mjtNum n[3], const mjtNum frame[9]) {
  static SurfaceOf* const of[mjNGEOMTYPES] = {
      [mjGEOM_PLANE] = plane_surface,         [mjGEOM_SPHERE] = sphere_surface,
      [mjGEOM_CAPSULE] = capsule_surface,     [mjGEOM_CYLINDER] = cylinder_surface,
      [mjGEOM_ELLIPSOID] = ellipsoid_surface, [mjGEOM_BOX] = box_surface,
      [mjGEOM_MESH] = mesh_surface,
  };
  int type = m->geom_type[geom];
  if (!of[type]) {
    return 0;
  }
  Spot at = spot_at(m, d, geom, point, n, frame);
  return of[type](s, &at);
}

// growth

// S_i = s_i^2 n_i / h with h = |s n|:  dS_i/ds_k = 2 s_k n_k [i = k] / h - s_i^2 n_i s_k
// n_k^2 / h^3
static void ellipsoid_growth(mjtNum out[3][3], const Spot* at) {
  const mjtNum *s = at->size, *n = at->n;
  mjtNum h = 0;
  for (int i = 0; i < 3; i++) {
    h += num_square(s[i] * n[i]);
  }
  h = mju_sqrt(h);
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 3; i++) {
      out[k][i] = -s[i] * s[i] * n[i] * s[k] * n[k] * n[k] / (h * h * h);
    }
    out[k][k] += 2 * s[k] * n[k] / h;
  }
}

static void box_growth(mjtNum out[3][3], const Spot* at) {
  for (int k = 0; k < 3; k++) {
    if (is_on_side(at, k)) {
      out[k][k] = at->x[k] > 0 ? 1 : -1;
    }
  }
}

static void cylinder_growth(mjtNum out[3][3], const Spot* at) {
  int is_side, is_cap;
  mjtNum across = cylinder_parts(&is_side, &is_cap, at);
  if (is_side) {
    v3_set(out[0], at->x[0] / across, at->x[1] / across, 0);
  }
  if (is_cap) {
    out[1][2] = at->x[2] > 0 ? 1 : -1;
  }
}

static void capsule_growth(mjtNum out[3][3], const Spot* at) {
  v3_copy(out[0], at->n);
  out[1][2] = (mjtNum)capsule_end(at);
}

static void sphere_growth(mjtNum out[3][3], const Spot* at) {
  v3_copy(out[0], at->n);
}

void surface_growth(mjtNum out[3][3], const mjModel* m, const mjData* d, int geom,
                    const mjtNum point[3], const mjtNum n[3]) {
  static void (*const of[mjNGEOMTYPES])(mjtNum out[3][3], const Spot* at) = {
      [mjGEOM_SPHERE] = sphere_growth,     [mjGEOM_CAPSULE] = capsule_growth,
      [mjGEOM_CYLINDER] = cylinder_growth, [mjGEOM_ELLIPSOID] = ellipsoid_growth,
      [mjGEOM_BOX] = box_growth,
  };
  memset(out, 0, 9 * sizeof(mjtNum));
  int type = m->geom_type[geom];
  if (of[type]) {
    Spot at = spot_at(m, d, geom, point, n, NULL);
    of[type](out, &at);
    for (int k = 0; k < 3; k++) {
      m3_mulv(out[k], at.mat, out[k]);
    }
  }
}
