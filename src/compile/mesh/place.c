// place.c: transforms a mesh to the mesh frame, whose origin is the center of mass and whose axes
// are the principal axes.                                       theory/model/meshes.md, Mesh volume
//
// A triangle D, E, F with center g, unit normal n and area A forms with a point c a pyramid of
// volume A n.(g - c) / 3 and center 3/4 g + 1/4 c. Sums of pyramids about any c give the volume and
// center of a closed surface. If the surface is not closed or not oriented consistently, absolute
// volumes about the surface's center (LEGACY) still give useful values. A shell has areas in place
// of volumes.
#pragma STDC FP_CONTRACT OFF

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/mjspec.h>
#include <string.h>

#include "base/algebra/pose.h"
#include "base/memory/memory.h"
#include "compile/derive/inertia.h"
#include "compile/mesh/hull.h"
#include "compile/mesh/steps.h"
#include "compile/mesh/triangle.h"

// The surface that gives the mass properties.
typedef struct Surface_ {
  const double* point;
  const int* face;
  int nface;
  mjtMeshInertia mode;
} Surface;

// Center, unit normal (0 if it has no area) and area of four triangles.
typedef struct Shapes_ {
  Four center[3], normal[3], area;
} Shapes;

INLINE void find_shapes(Shapes* s, const Triangles* t) {
  const Four zero = {0}, least = zero + mjMINVAL;
  Four cross[3], length;
  for (int k = 0; k < 3; k++) {
    s->center[k] = (t->corner[0][k] + t->corner[1][k] + t->corner[2][k]) / 3;
  }
  triangles_cross(cross, &length, t);
  FourMask has_area = length >= least;
  Four area = length / 2;
  four_choose(&s->area, &has_area, &area, &zero);
  for (int k = 0; k < 3; k++) {
    Four normal = cross[k] / length;
    four_choose(&s->normal[k], &has_area, &normal, &zero);
  }
}

// Weights of triangles: the volume A n.(g - c)/3 of the pyramid with apex c, or for other modes its
// absolute value or the area.
INLINE void find_weights(Four weight[1], const Shapes* s, const double c[3], mjtMeshInertia mode) {
  if (mode == mjMESH_INERTIA_SHELL) {
    *weight = s->area;
    return;
  }
  Four height = (s->center[0] - c[0]) * s->normal[0] + (s->center[1] - c[1]) * s->normal[1] +
                (s->center[2] - c[2]) * s->normal[2];
  *weight = s->area * height / 3;
  if (mode == mjMESH_INERTIA_LEGACY) {
    *weight = (Four)((FourMask)*weight & INT64_MAX);
  }
}

// Four triangles from index i on. Without an apex the weight is the area.
INLINE void weigh_four(Four weight[1], Triangles* t, Shapes* s, const Surface* surface, int i,
                       const double* apex) {
  TRIANGLES_GATHER(t, surface->point, surface->face, i, surface->nface);
  find_shapes(s, t);
  find_weights(weight, s, apex, apex ? surface->mode : mjMESH_INERTIA_SHELL);
}

// The mean of positions q with weights w: sum w q / sum w. With an apex c, w is the volume of the
// pyramid and q = 3/4 g + 1/4 c; without, w is the area and q = g. Returns the sum of w.
KERNEL static double mean_place(double out[3], const Surface* surface, const double* apex) {
  double total = 0, sum[3] = {0};
  for (int i = 0; i < surface->nface; i += LANES) {
    Triangles t;
    Shapes s;
    Four weight, term[3];
    weigh_four(&weight, &t, &s, surface, i, apex);
    for (int k = 0; k < 3; k++) {
      term[k] = weight * (apex ? s.center[k] * 3 / 4 + apex[k] / 4 : s.center[k]);
    }
    for (int lane = 0; lane < LANES && i + lane < surface->nface; lane++) {
      total += weight[lane];
      for (int k = 0; k < 3; k++) {
        sum[k] += term[k][lane];
      }
    }
  }
  for (int k = 0; k < 3; k++) {
    out[k] = sum[k] / total;
  }
  return total;
}

// Volume (or area) and inertia at unit density about the origin, to which the center of mass was
// moved. The product of inertia of a pyramid with apex 0 is
//   P_ab = w/20 (2 (Da Db + Ea Eb + Fa Fb) + Da Eb + Db Ea + Da Fb + Db Fa + Ea Fb + Eb Fa),
// with 12 in place of 20 for a triangle.
KERNEL static double full_inertia(double full[6], const Surface* surface) {
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  static const double zero[3] = {0, 0, 0};
  double product[6] = {0}, total = 0;
  double divisor = surface->mode == mjMESH_INERTIA_SHELL ? 12 : 20;
  for (int i = 0; i < surface->nface; i += LANES) {
    Triangles t;
    Shapes s;
    Four weight, term[6];
    weigh_four(&weight, &t, &s, surface, i, zero);
    const Four *d = t.corner[0], *e = t.corner[1], *f = t.corner[2];
    for (int k = 0; k < 6; k++) {
      int a = row[k], b = column[k];
      term[k] = weight / divisor *
                (2 * (d[a] * d[b] + e[a] * e[b] + f[a] * f[b]) + d[a] * e[b] + d[b] * e[a] +
                 d[a] * f[b] + d[b] * f[a] + e[a] * f[b] + e[b] * f[a]);
    }
    for (int lane = 0; lane < LANES && i + lane < surface->nface; lane++) {
      total += weight[lane];
      for (int k = 0; k < 6; k++) {
        product[k] += term[k][lane];
      }
    }
  }
  full[0] = product[1] + product[2];
  full[1] = product[0] + product[2];
  full[2] = product[0] + product[1];
  for (int k = 3; k < 6; k++) {
    full[k] = -product[k];
  }
  return total;
}

// Rotates normals. They must be rounded to single precision after each step, so each step is a
// separate pass: in one loop GCC 12 passes unrounded values to the next step.
static void turn_normals(Mesh* mesh, const double r[9]) {
  for (size_t i = 0; i < (size_t)mesh->nnormal; i++) {
    float* n = mesh->normal + 3 * i;
    double v[3] = {n[0], n[1], n[2]};
    for (int k = 0; k < 3; k++) {
      n[k] = (float)(r[3 * k] * v[0] + r[3 * k + 1] * v[1] + r[3 * k + 2] * v[2]);
    }
  }
}

static void scale_normals(Mesh* mesh, const double scale[3]) {
  for (size_t i = 0; i < (size_t)mesh->nnormal; i++) {
    for (size_t k = 0; k < 3; k++) {
      mesh->normal[3 * i + k] = (float)(mesh->normal[3 * i + k] * scale[k]);
    }
  }
}

// Normals stretch by the inverse.
static void unscale_normals(Mesh* mesh, const double scale[3]) {
  const double inverse[3] = {1 / scale[0], 1 / scale[1], 1 / scale[2]};
  scale_normals(mesh, inverse);
}

// Normalizes by multiplying with the inverse length, not by dividing, to get the reference's bits.
static void normalize_normals(Mesh* mesh) {
  for (size_t i = 0; i < (size_t)mesh->nnormal; i++) {
    float* n = mesh->normal + 3 * i;
    float squared = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    if ((double)squared > mjMINVAL) {
      float inverse = 1 / sqrtf(squared);
      for (int k = 0; k < 3; k++) {
        n[k] *= inverse;
      }
    } else {
      n[0] = n[1] = 0;
      n[2] = 1;
    }
  }
}

// Stretches places by a map A, and normals by its cofactors, which keep them normal.
static void apply_stretch(Mesh* mesh, const double map[9], double* point) {
  double cofactor[9];
  for (int i = 0; i < 9; i++) {
    int r = (i / 3 + 1) % 3, t = (i / 3 + 2) % 3, k = (i % 3 + 1) % 3, l = (i % 3 + 2) % 3;
    cofactor[i] = map[3 * r + k] * map[3 * t + l] - map[3 * r + l] * map[3 * t + k];
  }
  for (size_t i = 0; i < (size_t)mesh->nvert; i++) {
    double* p = point + 3 * i;
    double v[3] = {p[0], p[1], p[2]};
    for (int k = 0; k < 3; k++) {
      p[k] = map[3 * k] * v[0] + map[3 * k + 1] * v[1] + map[3 * k + 2] * v[2];
    }
  }
  turn_normals(mesh, cofactor);
}

// Applies refpos, refquat and scale.
static void apply_reference(Mesh* mesh, const MeshRequest* request, double* point) {
  const mjsMesh* spec = request->spec;
  double quat[4], back[4], r[9];
  memcpy(quat, spec->refquat, sizeof(quat));
  pose_normalize(quat, 4);
  int turned = quat[0] != 1 || quat[1] != 0 || quat[2] != 0 || quat[3] != 0;
  for (int k = 0; k < 4; k++) {
    back[k] = k ? -quat[k] : quat[k];
  }
  pose_matrix(r, back);
  for (size_t i = 0; i < (size_t)mesh->nvert; i++) {
    double* p = point + 3 * i;
    for (int k = 0; k < 3; k++) {
      p[k] = mesh->vert[3 * i + (size_t)k] - spec->refpos[k];
    }
    if (turned) {
      pose_rotate(p, p, back);
    }
    for (int k = 0; k < 3; k++) {
      p[k] *= spec->scale[k];
    }
  }
  if (turned) {
    turn_normals(mesh, r);
  }
  if (spec->scale[0] != 1 || spec->scale[1] != 1 || spec->scale[2] != 1) {
    (request->later ? unscale_normals : scale_normals)(mesh, spec->scale);
  }
  if (request->stretch) {
    apply_stretch(mesh, request->stretch, point);
  }
  normalize_normals(mesh);
}

static void move_points(double* point, int n, const double away[3]) {
  for (size_t i = 0; i < (size_t)n; i++) {
    for (size_t k = 0; k < 3; k++) {
      point[3 * i + k] -= away[k];
    }
  }
}

// Principal axes from the inertia, and the box with the same inertia: I_0 = V (b_1^2 + b_2^2)/3
// gives b_0 = sqrt(6 (I_1 + I_2 - I_0)/V)/2. A sum of absolute volumes may violate the triangle
// inequality of real inertias.
static void principal_axes(Mesh* mesh, double full[6], InertiaAxes axes) {
  double l[3];
  inertia_eigen3(l, mesh->quat, full, axes);
  pose_round(mesh->quat, 4);
  if (!(l[2] > 0)) {
    mju_error("eigenvalue of mesh inertia must be positive: the smallest is %g", l[2]);
  }
  const double slack = 1 + 1e-6, margin = 1e-9;
  for (int k = 0; k < 3; k++) {
    double others = l[(k + 1) % 3] + l[(k + 2) % 3];
    if (!(others * slack + margin >= l[k])) {
      mju_error("eigenvalues of mesh inertia violate A + B >= C: they are %g %g %g", l[0], l[1],
                l[2]);
    }
    mesh->boxsize[k] = sqrt(6 * (others - l[k]) / mesh->volume) / 2;
  }
}

// Rotates everything into the mesh frame and computes its bounding box.
static void turn_points(Mesh* mesh, double* point) {
  double back[4] = {mesh->quat[0], -mesh->quat[1], -mesh->quat[2], -mesh->quat[3]};
  double r[9], lower[3], upper[3];
  pose_matrix(r, back);
  for (size_t i = 0; i < (size_t)mesh->nvert; i++) {
    double* p = point + 3 * i;
    double v[3] = {p[0], p[1], p[2]};
    for (size_t k = 0; k < 3; k++) {
      p[k] = r[3 * k] * v[0] + r[3 * k + 1] * v[1] + r[3 * k + 2] * v[2];
      lower[k] = i == 0 || p[k] < lower[k] ? p[k] : lower[k];
      upper[k] = i == 0 || p[k] > upper[k] ? p[k] : upper[k];
      mesh->vert[3 * i + k] = (float)p[k];
    }
  }
  memcpy(mesh->lower, lower, sizeof(lower));
  memcpy(mesh->upper, upper, sizeof(upper));
  turn_normals(mesh, r);
}

void mesh_place(Mesh* mesh, const MeshRequest* request, double* point) {
  double center[3];
  const double* q = request->spec->refquat;
  if (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0) {
    mju_error("mesh surface area is too small: %s (its refquat is zero)", request->name);
  }
  apply_reference(mesh, request, point);

  // the center of the surface comes from the faces, even if the volume comes from the hull
  // the faces of a flat mesh enclose nothing, but its hull does
  mjtMeshInertia mode = mesh->thickness > 0 ? mjMESH_INERTIA_CONVEX : request->spec->inertia;
  Surface s = {point, mesh->face, mesh->nface, mode};
  if (!(mean_place(center, &s, NULL) >= mjMINVAL)) {
    mju_error("mesh surface area is too small: %s", request->name);
  }
  // Mass comes from pyramids with the apex in the center, over the faces or those of the hull. A
  // shell has the mass of its area.
  if (s.mode == mjMESH_INERTIA_CONVEX && mesh->graph) {
    s.nface = mesh->graph[1];
    s.face = mesh->graph + HULL_FACE(mesh->graph[0], mesh->graph[1]);
  }
  double total = mean_place(mesh->pos, &s, center);
  if (!(total >= mjMINVAL)) {
    mju_error(total < 0 ? "mesh volume is negative (misoriented triangles): %s"
                        : "mesh volume is too small: %s . Try setting inertia to shell",
              request->name);
  }
  // pos is the center of mass. Move it to the origin, about which the inertia is computed.
  pose_round(mesh->pos, 3);
  int fixed = request->format == MESH_SHAPE;
  size_t bytes = 3 * (size_t)mesh->nvert * sizeof(double);
  double* unmoved = fixed ? memcpy(heap_take(bytes), point, bytes) : NULL;
  move_points(point, mesh->nvert, mesh->pos);

  double full[6];
  mesh->volume = full_inertia(full, &s);
  principal_axes(mesh, full, request->later ? INERTIA_MESH : INERTIA_EARLY);
  // the surface of a shape stays in the frame of its distance function
  if (fixed) {
    memcpy(point, unmoved, bytes);
    heap_free(unmoved);
    for (int k = 0; k < 4; k++) {
      mesh->quat[k] = k == 0;
      mesh->pos[k % 3] = 0;
    }
  }
  turn_points(mesh, point);
}
