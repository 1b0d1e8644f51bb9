// Rays against height fields: the base as a box, the cells under the ray, the sides up to the
// samples.                                             theory/contact/rays.md, Ray and height field

#pragma STDC FP_CONTRACT OFF  // rounding decides whether a ray through an edge hits

#include <mujoco/api/base.h>
#include <mujoco/api/collision.h>

#include "base/algebra/vec.h"
#include "base/memory/check.h"
#include "collision/hfield/grid.h"
#include "collision/ray/ray.h"
#include "model/checks/pair.h"

// The nearest hit of the surface so far: x is -1 if there is none. The triangle is one of the two
// of a cell.
typedef struct SurfaceHit_ {
  mjtNum x;
  int column, row, triangle;
} SurfaceHit;

// The corners of a triangle of a cell.      3--2
//                                           |0/|  numbered from the lower column and row
//                                           |/1|
//                                           0--1
static void cell_triangle(mjtNum corner[3][3], const HfieldGrid* g, int column, int row,
                          int triangle) {
  int last = triangle ? 1 : 3;
  hfield_sample(corner[0], g, column, row);
  hfield_sample(corner[1], g, column + 1, row + 1);
  hfield_sample(corner[2], g, column + (last == 1), row + (last == 3));
}

// Both triangles of a cell.
static void ray_cell(SurfaceHit* hit, const HfieldGrid* g, int column, int row, const mjtNum o[3],
                     const mjtNum v[3], const mjtNum view[2][3]) {
  for (int t = 0; t < 2; t++) {
    mjtNum corner[3][3];
    cell_triangle(corner, g, column, row, t);
    mjtNum x = ray_triangle(o, v, view, corner);
    if (x >= 0 && (hit->x < 0 || x < hit->x)) {
      *hit = (SurfaceHit){x, column, row, t};
    }
  }
}

// The first hit of the surface between x = in and x = out. The ray is cut into strips of cells
// along the axis on which it passes more of them. In each strip the cells under the ray are tried,
// and those near it, because rounding decides which cell a border belongs to.
static SurfaceHit ray_surface(const HfieldGrid* g, const mjtNum o[3], const mjtNum v[3], mjtNum in,
                              mjtNum out) {
  const mjtNum near = (mjtNum)1e-3;
  mjtNum view[2][3], start[2], slope[2];
  SurfaceHit hit = {-1, 0, 0, 0};
  ray_view(view, v);
  for (int k = 0; k < 2; k++) {
    start[k] = hfield_coordinate(g, k, o[k]);
    slope[k] = v[k] / (2 * g->size[k]) * (mjtNum)(g->num[k] - 1);
  }
  int along = mju_abs(slope[1]) > mju_abs(slope[0]), across = !along;
  int step = slope[along] < 0 ? -1 : 1;
  int strip = hfield_cell(g, along, start[along] + in * slope[along] - (mjtNum)step * near);
  int last = hfield_cell(g, along, start[along] + out * slope[along] + (mjtNum)step * near);
  for (; (last - strip) * step >= 0; strip += step) {
    // the part of the ray over the strip; all of it if the ray is vertical
    mjtNum begin = ((mjtNum)(strip + (step < 0)) - start[along]) / slope[along];
    mjtNum end = ((mjtNum)(strip + (step > 0)) - start[along]) / slope[along];
    begin = begin > in ? num_min(begin, out) : in;
    end = end < out ? num_max(end, in) : out;
    if (hit.x >= 0 && hit.x < begin) {
      break;
    }
    mjtNum a = start[across] + begin * slope[across], b = start[across] + end * slope[across];
    int to = hfield_cell(g, across, num_max(a, b) + near);
    for (int i = hfield_cell(g, across, num_min(a, b) - near); i <= to; i++) {
      ray_cell(&hit, g, along ? i : strip, along ? strip : i, o, v, view);
    }
  }
  return hit;
}

// Whether the point where the ray meets side i (-x, +x, -y, +y) of the box of samples is below the
// samples' profile on that side.
static int below_profile(const HfieldGrid* g, int i, const mjtNum o[3], const mjtNum v[3],
                         mjtNum x) {
  int axis = i < 2, edge = i % 2 ? g->num[!axis] - 1 : 0;
  mjtNum at = hfield_coordinate(g, axis, o[axis] + x * v[axis]);
  int cell = hfield_cell(g, axis, at);
  mjtNum a = axis ? hfield_height(g, edge, cell) : hfield_height(g, cell, edge);
  mjtNum b = axis ? hfield_height(g, edge, cell + 1) : hfield_height(g, cell + 1, edge);
  mjtNum t = at - (mjtNum)cell;
  return o[2] + x * v[2] < (1 - t) * a + t * b;
}

// The normal of the triangle that is hit, upwards.
static void surface_normal(mjtNum n[3], const HfieldGrid* g, const SurfaceHit* hit) {
  mjtNum corner[3][3], side[2][3];
  cell_triangle(corner, g, hit->column, hit->row, hit->triangle);
  v3_sub(side[0], corner[1], corner[0]);
  v3_sub(side[1], corner[2], corner[0]);
  v3_cross(n, side[hit->triangle], side[!hit->triangle]);
}

// The nearest hit of a height field; n, which may be NULL, becomes its normal in the frame of the
// geom.
static mjtNum ray_field(mjtNum* n, const mjModel* m, const mjData* d, int geomid,
                        const mjtNum pnt[3], const mjtNum vec[3]) {
  HfieldGrid g = hfield_grid(m, geomid);
  const mjtNum *pos = d->geom_xpos + 3 * geomid, *mat = d->geom_xmat + 9 * geomid;
  mjtNum o[3], v[3], centre[3], up[3], from[3], face[6];
  ray_tolocal(o, v, pos, mat, pnt, vec);
  m3_column(up, mat, 2);

  // the base, a solid box below the samples
  mjtNum half[3] = {g.size[0], g.size[1], g.size[3] / 2};
  v3_addscl(centre, pos, up, -half[2]);
  ray_tolocal(from, v, centre, mat, pnt, vec);
  mjtNum x = ray_box(from, v, half);
  if (n && x >= 0) {
    mjtNum p[3];
    v3_addscl(p, from, v, x);
    ray_shapenormal(n, mjGEOM_BOX, half, p);
  }

  // the box of the samples, above the base
  half[2] = g.size[2] / 2;
  v3_addscl(centre, pos, up, half[2]);
  ray_tolocal(from, v, centre, mat, pnt, vec);
  if (g.num[0] < 2 || g.num[1] < 2 || !ray_boxfaces(face, from, v, half)) {
    return x;
  }
  mjtNum in = -1, out = 0;
  for (int i = 0; i < 6; i++) {
    in = ray_nearer(in, face[i]);
    out = num_max(face[i], out);
  }
  int inside =
      mju_abs(from[0]) <= half[0] && mju_abs(from[1]) <= half[1] && mju_abs(from[2]) <= half[2];
  SurfaceHit hit = ray_surface(&g, o, v, inside ? 0 : in, out);
  if (hit.x >= 0 && (x < 0 || hit.x < x)) {
    x = hit.x;
    if (n) {
      surface_normal(n, &g, &hit);
    }
  }
  for (int i = 0; i < 4; i++) {
    if (face[i] >= 0 && (x < 0 || face[i] < x) && below_profile(&g, i, o, v, face[i])) {
      x = face[i];
      if (n) {
        v3_zero(n);
        n[i / 2] = i % 2 ? 1 : -1;
      }
    }
  }
  return x;
}

static void check_field(const char* caller, const mjModel* m, int geomid) {
  check_index(caller, "geom", geomid, m->ngeom);
  if (m->geom_type[geomid] != mjGEOM_HFIELD) {
    mju_error("%s: geom %d is not a height field", caller, geomid);
  }
}

mjtNum mj_rayHfield(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3],
                    const mjtNum vec[3]) {
  check_pair(m, d);
  check_given(pnt, vec);
  check_field(__func__, m, geomid);
  return ray_field(NULL, m, d, geomid, pnt, vec);
}

mjtNum cnd_rayHfieldNormal(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3],
                           const mjtNum vec[3], mjtNum normal[3]) {
  check_pair(m, d);
  check_given(pnt, vec);
  check_field(__func__, m, geomid);
  mjtNum n[3] = {0, 0, 0}, x = ray_field(normal ? n : NULL, m, d, geomid, pnt, vec);
  return ray_end(normal, x, d->geom_xmat + 9 * geomid, n);
}
