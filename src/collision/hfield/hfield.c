// A height field against a convex geom, in the frame of the field.
//
// The cells under the geom are visited row by row, each row as a strip of triangles. Every triangle
// with the column below it is a prism, with which the general collider finds at most one contact:
//
//   r+1  0---2---4---6        vertices in the order of the strip: from the third on each one
//        |  /|  /|  /|        closes a triangle with the two before it
//        | / | / | / |
//   r    1---3---5---7
//        cmin      cmax                                          theory/collision.md, Height fields

#pragma STDC FP_CONTRACT OFF  // rounding decides which features tie

#include <mujoco/api/base.h>

#include "collision/collide.h"
#include "collision/convex/collider.h"
#include "collision/convex/normal.h"
#include "collision/hfield/hfield.h"
#include "collision/hfield/prism.h"
#include "collision/unsupported.h"

// The samples of a height field, and the range and height of them that a geom needs.
typedef struct Grid {
  const mjtNum* size;  // half x, half y, top, bottom
  const float* data;
  int nrow, ncol;
  int row[2], col[2];  // first and last one under the geom
  mjtNum margin;       // tops are raised by this
  mjtNum lowest;       // lowest point of the geom
  mjtNum clear;        // distance that a search, with its rounding, may take for overlap
  int corrects;        // whether normals are corrected to those of the shape's surface
} Grid;

// Whether the sphere around a geom at pos is out of reach.
static int is_away(const mjtNum pos[3], mjtNum reach, const mjtNum size[4]) {
  return !(mju_abs(pos[0]) - reach <= size[0] && mju_abs(pos[1]) - reach <= size[1] &&
           pos[2] - reach <= size[2] && pos[2] + reach >= -size[3]);
}

// Whether a field is within reach of a box.
static int is_under(const mjtNum lo[3], const mjtNum hi[3], const mjtNum size[4], mjtNum margin) {
  return lo[0] - margin <= size[0] && hi[0] + margin >= -size[0] && lo[1] - margin <= size[1] &&
         hi[1] + margin >= -size[1] && lo[2] - margin <= size[2] && hi[2] + margin >= -size[3];
}

// Axis-aligned box of a shape without its margin.
static void find_box(mjtNum lo[3], mjtNum hi[3], ConvexShape* s) {
  mjtNum margin = s->margin;
  s->margin = 0;
  for (int k = 0; k < 3; k++) {
    mjtNum u[3] = {0, 0, 0}, point[3];
    u[k] = 1;
    legacy_support(point, s, u);
    hi[k] = point[k];
    u[k] = -1;
    legacy_support(point, s, u);
    lo[k] = point[k];
  }
  s->margin = margin;
}

// The range of num samples along [-half, half] that encloses [lo, hi]. Numbers too large for an
// int, and NaN, become an end.
static void find_range(int range[2], mjtNum lo, mjtNum hi, mjtNum half, int num) {
  mjtNum end = (mjtNum)(num - 1);
  mjtNum first = mju_floor((lo + half) / (2 * half) * end);
  mjtNum last = mju_ceil((hi + half) / (2 * half) * end);
  range[0] = first > 0 ? (first < end ? (int)first : num - 1) : 0;
  range[1] = last < end ? (last > 0 ? (int)last : 0) : num - 1;
}

// Whether a shape is clearly above a prism, so that a search would find nothing: it is above all
// corners of the top, or above the top's plane, under which the whole prism lies.
static int is_above(const ConvexShape* s, const Prism* p, const Grid* g) {
  const mjtNum(*top)[3] = p->vertex + 3;
  if (top[0][2] < g->lowest && top[1][2] < g->lowest && top[2][2] < g->lowest) {
    return 1;
  }
  if (s->kind->has_memory || s->margin < 0 ||
      num_min(top[0][2], num_min(top[1][2], top[2][2])) < -g->size[3]) {
    return 0;
  }
  mjtNum e1[3], e2[3], down[3], point[3];
  v3_sub(e1, top[1], top[0]);
  v3_sub(e2, top[2], top[0]);
  v3_cross(down, e1, e2);
  v3_scl(down, down, (down[2] > 0 ? -1 : 1) / v3_norm(down));
  s->kind->legacy(point, s, down);
  v3_subfrom(point, top[0]);
  return v3_dot(point, down) < -g->clear;
}

// Contacts, at most `room`, of a shape with the prisms between row r and the next one.
static int collide_strip(mjContact* con, int room, const mjModel* m, const mjData* d, const Grid* g,
                         ConvexShape* s, int r) {
  mjtNum dx = 2 * g->size[0] / (mjtNum)(g->ncol - 1), dy = 2 * g->size[1] / (mjtNum)(g->nrow - 1);
  int first = 2 * g->col[0], last = 2 * g->col[1] + 1, num = 0;
  Prism prism;
  prism_init(&prism, -g->size[3]);
  for (int k = first; k <= last && num < room; k++) {
    int column = k / 2, row = k % 2 ? r : r + 1;
    mjtNum height = (mjtNum)g->data[(size_t)row * (size_t)g->ncol + (size_t)column] * g->size[2];
    prism_add(&prism, dx * (mjtNum)column - g->size[0], dy * (mjtNum)row - g->size[1],
              height + g->margin);
    if (k < first + 2 || is_above(s, &prism, g)) {
      continue;
    }
    prism_center(&prism);
    if (collide_shapes(con + num, m, d, &prism.shape, s, NULL, 0, 1)) {
      if (g->corrects) {
        correct_normal(con + num, &prism.shape, s);
      }
      num++;
    }
  }
  return num;
}

int hfield_shape(mjContact* con, const mjModel* m, const mjData* d, int geom, ConvexShape* shape,
                 mjtNum lo[3], mjtNum hi[3], mjtNum margin, int corrects) {
  int id = m->geom_dataid[geom];
  const mjtNum *pos = d->geom_xpos + 3 * geom, *mat = d->geom_xmat + 9 * geom;
  Grid g = {.size = m->hfield_size + 4 * id,
            .data = m->hfield_data + m->hfield_adr[id],
            .nrow = m->hfield_nrow[id],
            .ncol = m->hfield_ncol[id],
            .margin = margin,
            .corrects = corrects};
  if (!is_under(lo, hi, g.size, margin)) {
    return 0;
  }
  find_range(g.col, lo[0], hi[0], g.size[0], g.ncol);
  find_range(g.row, lo[1], hi[1], g.size[1], g.nrow);
  g.lowest = lo[2];
  const mjtNum rounding = sizeof(mjtNum) == sizeof(double) ? (mjtNum)1e-12 : (mjtNum)1e-5;
  g.clear = m->opt.ccd_tolerance + rounding * (g.size[0] + g.size[1] + g.size[2]);

  int num = 0;
  for (int r = g.row[0]; r < g.row[1] && num < mjMAXCONPAIR; r++) {
    num += collide_strip(con + num, mjMAXCONPAIR - num, m, d, &g, shape, r);
  }
  for (int i = 0; i < num; i++) {
    m3_mulv(con[i].pos, mat, con[i].pos);
    v3_addto(con[i].pos, pos);
    m3_mulv(con[i].frame, mat, con[i].frame);
  }
  return num;
}

int collide_hfield(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                   mjtNum margin) {
  ConvexShape b;
  int id = m->geom_dataid[g1];
  if (!convex_shape(&b, m, d, g2, margin)) {
    return collide_unsupported(m, d, con, g1, g2, margin);
  }
  if (id < 0) {
    return 0;
  }

  // into the frame of the field
  const mjtNum *pos = d->geom_xpos + 3 * g1, *mat = d->geom_xmat + 9 * g1;
  v3_sub(b.pos, b.pos, pos);
  m3_tmulv(b.pos, mat, b.pos);
  mjtNum relative[9];
  m3_tmul(relative, mat, b.mat);
  m3_copy(b.mat, relative);

  mjtNum lo[3], hi[3];
  if (is_away(b.pos, m->geom_rbound[g2] + margin, m->hfield_size + 4 * id)) {
    return 0;
  }
  find_box(lo, hi, &b);
  return hfield_shape(con, m, d, g1, &b, lo, hi, margin, 1);
}
