// Normals of the surfaces that rays hit, in the frame of the shape: gradients of smooth shapes,
// axes of flat faces, normals of triangles by the order of their corners.
//                                                                   theory/contact/rays.md, Normals

#include <condyle/ray.h>
#include <mujoco/api/base.h>
#include <mujoco/api/collision.h>

#include "base/algebra/vec.h"
#include "base/memory/check.h"
#include "collision/hfield/grid.h"
#include "collision/ray/ray.h"
#include "collision/sdf/field.h"
#include "model/checks/pair.h"

static void capsule_normal(mjtNum n[3], const mjtNum p[3], const mjtNum size[3]) {
  v3_set(n, p[0], p[1], p[2] - num_clamp(p[2], -size[1], size[1]));
}

// The gradient of sum (p_k / size_k)^2.
static void ellipsoid_normal(mjtNum n[3], const mjtNum p[3], const mjtNum size[3]) {
  for (int k = 0; k < 3; k++) {
    n[k] = p[k] / (size[k] * size[k]);
  }
}

// A point of the surface is on a cap or on the side, whichever is nearer.
static void cylinder_normal(mjtNum n[3], const mjtNum p[3], const mjtNum size[3]) {
  mjtNum side = mju_abs(mju_sqrt(p[0] * p[0] + p[1] * p[1]) - size[0]);
  mjtNum cap = mju_abs(mju_abs(p[2]) - size[1]);
  if (cap < side) {
    v3_set(n, 0, 0, p[2] < 0 ? -1 : 1);
  } else {
    v3_set(n, p[0], p[1], 0);
  }
}

// The axis of the face of a box that is nearest to a point; its distance.
static mjtNum box_normal(mjtNum n[3], const mjtNum p[3], const mjtNum size[3]) {
  int axis = 0;
  for (int k = 1; k < 3; k++) {
    if (mju_abs(mju_abs(p[k]) - size[k]) < mju_abs(mju_abs(p[axis]) - size[axis])) {
      axis = k;
    }
  }
  v3_set(n, 0, 0, 0);
  n[axis] = p[axis] < 0 ? -1 : 1;
  return mju_abs(mju_abs(p[axis]) - size[axis]);
}

static void mesh_normal(mjtNum n[3], const mjModel* m, int mesh, int face) {
  const float* vert = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
  const int* corner = m->mesh_face + 3 * (m->mesh_faceadr[mesh] + face);
  mjtNum edge[2][3];
  for (int e = 0; e < 2; e++) {
    for (int k = 0; k < 3; k++) {
      edge[e][k] = (mjtNum)vert[3 * corner[e + 1] + k] - (mjtNum)vert[3 * corner[0] + k];
    }
  }
  v3_cross(n, edge[0], edge[1]);
}

// The triangle under a point: its normal, upwards, and how far the point is above it.
static mjtNum top_normal(mjtNum n[3], const HfieldGrid* g, const mjtNum p[3]) {
  mjtNum at[2];
  int cell[2];
  for (int k = 0; k < 2; k++) {
    at[k] = hfield_coordinate(g, k, p[k]);
    cell[k] = hfield_cell(g, k, at[k]);
    at[k] -= (mjtNum)cell[k];
  }
  // cells are cut from the lower left to the upper right: above or below that diagonal
  int above = at[1] > at[0];
  mjtNum a[3], b[3], c[3], right[3], up[3];
  hfield_sample(a, g, cell[0], cell[1]);
  hfield_sample(b, g, cell[0] + !above, cell[1] + above);
  hfield_sample(c, g, cell[0] + 1, cell[1] + 1);
  v3_sub(right, above ? c : b, a);
  v3_sub(up, above ? b : c, a);
  v3_cross(n, right, up);
  v3_normalize(n);
  mjtNum from[3];
  v3_sub(from, p, a);
  return mju_abs(v3_dot(n, from));
}

// The base is a box below the samples. Above it there are the triangles and four sides; a point of
// the surface is on the nearest of them.
static void hfield_normal(mjtNum n[3], const mjModel* m, int geom, const mjtNum p[3]) {
  HfieldGrid g = hfield_grid(m, geom);
  mjtNum depth = g.size[3] / 2;
  mjtNum half[3] = {g.size[0], g.size[1], depth}, from[3] = {p[0], p[1], p[2] + depth};
  if (p[2] < 0 || g.num[0] < 2 || g.num[1] < 2) {
    box_normal(n, from, half);
    return;
  }
  mjtNum side[3];
  half[2] = (mjtNum)mjMAXVAL;
  mjtNum gap = box_normal(side, p, half);
  if (top_normal(n, &g, p) > gap) {
    v3_copy(n, side);
  }
}

static void sdf_normal(mjtNum n[3], const mjModel* m, const mjData* d, int geom,
                       const mjtNum p[3]) {
  Field field;
  v3_set(n, 0, 0, 0);
  if (field_of(&field, m, d, geom)) {
    field_begin(&field);
    field.kind->gradient(n, &field, p);
  }
}

// The normal in the frame of the geom, of any length, at the point p of its surface.
static void local_normal(mjtNum n[3], const mjModel* m, const mjData* d, int geom,
                         const mjtNum p[3], const mjtNum pnt[3], const mjtNum vec[3]) {
  const mjtNum* size = m->geom_size + 3 * geom;
  int face;
  switch (m->geom_type[geom]) {
    case mjGEOM_PLANE:
      v3_set(n, 0, 0, 1);
      break;
    case mjGEOM_SPHERE:
      v3_copy(n, p);
      break;
    case mjGEOM_CAPSULE:
      capsule_normal(n, p, size);
      break;
    case mjGEOM_ELLIPSOID:
      ellipsoid_normal(n, p, size);
      break;
    case mjGEOM_CYLINDER:
      cylinder_normal(n, p, size);
      break;
    case mjGEOM_BOX:
      box_normal(n, p, size);
      break;
    case mjGEOM_HFIELD:
      hfield_normal(n, m, geom, p);
      break;
    case mjGEOM_SDF:
      sdf_normal(n, m, d, geom, p);
      break;
    default:
      v3_set(n, 0, 0, 0);
      if (ray_mesh(&face, m, d, geom, pnt, vec) >= 0) {
        mesh_normal(n, m, m->geom_dataid[geom], face);
      }
  }
}

void cnd_rayNormal(mjtNum normal[3], const mjModel* m, const mjData* d, int geomid,
                   const mjtNum pnt[3], const mjtNum vec[3], mjtNum dist) {
  check_pair(m, d);
  check_given(normal, pnt, vec);
  v3_set(normal, 0, 0, 0);
  if (geomid < 0 || !(dist >= 0)) {
    return;
  }
  check_index(__func__, "geom", geomid, m->ngeom);
  const mjtNum *pos = d->geom_xpos + 3 * geomid, *mat = d->geom_xmat + 9 * geomid;
  mjtNum o[3], v[3], p[3], n[3];
  ray_tolocal(o, v, pos, mat, pnt, vec);
  // along a ray to a distance field, dist is a length
  mjtNum length = m->geom_type[geomid] == mjGEOM_SDF ? v3_norm(v) : 1;
  v3_addscl(p, o, v, dist / num_max(length, mjMINVAL));
  local_normal(n, m, d, geomid, p, pnt, vec);
  if (v3_norm(n) > 0) {
    v3_normalize(n);
    m3_mulv(normal, mat, n);
  }
}
