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

// Both triangles of a cell.      3--2
//                                | /|  corners, counted from the lower column and row
//                                0--1
static mjtNum ray_cell(const HfieldGrid* g, int column, int row, const mjtNum o[3],
                       const mjtNum v[3], const mjtNum view[2][3]) {
  static const int corner[2][3] = {{0, 2, 3}, {0, 2, 1}};
  mjtNum p[4][3], x = -1;
  for (int i = 0; i < 4; i++) {
    hfield_sample(p[i], g, column + (i == 1 || i == 2), row + (i >= 2));
  }
  for (int t = 0; t < 2; t++) {
    mjtNum triangle[3][3];
    for (int i = 0; i < 3; i++) {
      v3_copy(triangle[i], p[corner[t][i]]);
    }
    x = ray_nearer(x, ray_triangle(o, v, view, triangle));
  }
  return x;
}

// The first hit of the surface between x = in and x = out. The ray is cut into strips of cells
// along the axis on which it passes more of them. In each strip the cells under the ray are tried,
// and those near it, because rounding decides which cell a border belongs to.
static mjtNum ray_surface(const HfieldGrid* g, const mjtNum o[3], const mjtNum v[3], mjtNum in,
                          mjtNum out) {
  const mjtNum near = (mjtNum)1e-3;
  mjtNum view[2][3], start[2], slope[2], nearest = -1;
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
    if (nearest >= 0 && nearest < begin) {
      break;
    }
    mjtNum a = start[across] + begin * slope[across], b = start[across] + end * slope[across];
    int to = hfield_cell(g, across, num_max(a, b) + near);
    for (int i = hfield_cell(g, across, num_min(a, b) - near); i <= to; i++) {
      mjtNum x = ray_cell(g, along ? i : strip, along ? strip : i, o, v, view);
      nearest = ray_nearer(nearest, x);
    }
  }
  return nearest;
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

mjtNum mj_rayHfield(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3],
                    const mjtNum vec[3]) {
  check_pair(m, d);
  check_given(pnt, vec);
  check_index(__func__, "geom", geomid, m->ngeom);
  if (m->geom_type[geomid] != mjGEOM_HFIELD) {
    mju_error("mj_rayHfield: geom %d is not a height field", geomid);
    return -1;
  }
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
  x = ray_nearer(x, ray_surface(&g, o, v, inside ? 0 : in, out));
  for (int i = 0; i < 4; i++) {
    if (face[i] >= 0 && (x < 0 || face[i] < x) && below_profile(&g, i, o, v, face[i])) {
      x = face[i];
    }
  }
  return x;
}
