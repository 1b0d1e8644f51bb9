// ray.h: where a ray first meets a surface.
//
// A ray is o + x v with x >= 0. Every function returns the smallest such x, in units of v, or -1. v
// need not have unit length. Thresholds are absolute, as in the reference: a v shorter than about
// 1e-7 meets little.                                                   theory/contact/rays.md, Rays

#pragma once

#include <mujoco/mjdata.h>

#include "base/algebra/vec.h"

// The smaller of two results; negative ones are misses.
static inline mjtNum ray_nearer(mjtNum a, mjtNum b) {
  return a < 0 ? b : b < 0 ? a : num_min(a, b);
}

// The ray (pnt, vec) as seen from a frame at pos with axes mat.
static inline void ray_tolocal(mjtNum o[3], mjtNum v[3], const mjtNum pos[3], const mjtNum mat[9],
                               const mjtNum pnt[3], const mjtNum vec[3]) {
  mjtNum from[3];
  v3_sub(from, pnt, pos);
  m3_tmulv(o, mat, from);
  m3_tmulv(v, mat, vec);
}

// Ray against a box of half sizes `size` about the origin. x: the result for each face (-x, +x, -y,
// +y, -z, +z). ray_boxfaces returns whether a face is hit.
int ray_boxfaces(mjtNum x[6], const mjtNum o[3], const mjtNum v[3], const mjtNum size[3]);
mjtNum ray_box(const mjtNum o[3], const mjtNum v[3], const mjtNum size[3]);

// Two unit vectors normal to v and to each other: they span the plane to which triangles are
// projected.
void ray_view(mjtNum view[2][3], const mjtNum v[3]);

// Ray against a triangle, from both sides, edges included.
mjtNum ray_triangle(const mjtNum o[3], const mjtNum v[3], const mjtNum view[2][3],
                    const mjtNum corner[3][3]);

// Outward unit normal of a primitive shape (mjtGeom) at a point p of its surface, in its own frame.
void ray_shapenormal(mjtNum n[3], int type, const mjtNum size[3], const mjtNum p[3]);

// Normal of a face of a mesh by the order of its corners, in the frame of the mesh; not normalized.
void ray_facenormal(mjtNum n[3], const mjModel* m, int mesh, int face);

// Ends a ray that came to x: the normal n turned by mat to a unit vector of the world, zeros if the
// ray misses. normal may be NULL.
static inline mjtNum ray_end(mjtNum* normal, mjtNum x, const mjtNum mat[9], const mjtNum n[3]) {
  if (normal && x < 0) {
    v3_zero(normal);
  } else if (normal) {
    m3_mulv(normal, mat, n);
    v3_normalize(normal);
  }
  return x;
}

// Ray against a mesh geom. face: the face that is hit, numbered within the mesh, or -1.
mjtNum ray_mesh(int* face, const mjModel* m, const mjData* d, int geom, const mjtNum pnt[3],
                const mjtNum vec[3]);

// Ray against a mesh with a pose; face: as for ray_mesh.
mjtNum ray_meshat(int* face, const mjModel* m, int mesh, const mjtNum pos[3], const mjtNum mat[9],
                  const mjtNum pnt[3], const mjtNum vec[3]);

// Ray against a primitive shape with a pose; normal may be NULL. caller is named in errors.
mjtNum ray_shape(const char* caller, const mjtNum pos[3], const mjtNum mat[9], const mjtNum size[3],
                 const mjtNum pnt[3], const mjtNum vec[3], int geomtype, mjtNum normal[3]);

// Ray against any geom. normal: that of the surface where it is met, zeros on a miss; may be NULL.
mjtNum ray_geom(const mjModel* m, const mjData* d, int geom, const mjtNum pnt[3],
                const mjtNum vec[3], mjtNum normal[3]);
