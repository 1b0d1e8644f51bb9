// A height field against a convex geom, in the frame of the field.
//
// The cells under the geom are visited row by row, each row as a strip of triangles. Every triangle
// with the column below it is a prism, with which the general collider finds at most one contact.
//                                                        theory/contact/collision.md, Height fields

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include <mujoco/api/base.h>

#include "collision/broad/geom_box.h"
#include "collision/collide.h"
#include "collision/complete.h"
#include "collision/convex/collider.h"
#include "collision/convex/normal.h"
#include "collision/convex/support_cache.h"
#include "collision/hfield/hfield.h"
#include "collision/hfield/prism.h"
#include "collision/unsupported.h"
#include "model/behaviour.h"

typedef struct Terrain Terrain;

// The contact of a prism and a shape. Returns whether there is one.
typedef int PrismContact(mjContact* con, const mjModel* m, const mjData* d, const Terrain* t,
                         ConvexShape* prism, ConvexShape* s);

// The samples of a height field, and the range of samples and of heights that a geom can touch.
struct Terrain {
  HfieldGrid grid;
  int row[2], col[2];  // first and last sample under the geom
  PrismContact* contact;
  mjtNum margin;    // for contact_of_surfaces
  mjtNum raise;     // of tops, for contact_of_raised
  mjtNum lowest;    // lowest point of the geom, less the margin of true surfaces
  mjtNum clear;     // distance within which a search may still find a contact, by rounding too
  int corrects;     // whether normals are corrected to those of the shape's surface
  int is_complete;  // whether normals of sides and of edges between cells are left out
  int skips;        // whether searches of prisms below a mesh are skipped, too
  int vertex;       // of a mesh: the vertex where the next bound starts
  mjtNum reach;     // radius of a mesh around its centre
};

// Cosine above which a contact normal is that of the prism's top, and the slope along the normal
// above which a neighbour's surface rises into it.
static const mjtNum ALONG_TOP = (mjtNum)0.9999, LEAST_RISE = (mjtNum)0.01;

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

// The range of samples of an axis that encloses [lo, hi]. Infinities and NaN become the ends of the
// axis.
static void find_range(int range[2], const HfieldGrid* g, int axis, mjtNum lo, mjtNum hi) {
  mjtNum end = (mjtNum)(g->num[axis] - 1);
  mjtNum first = mju_floor(hfield_coordinate(g, axis, lo));
  mjtNum last = mju_ceil(hfield_coordinate(g, axis, hi));
  range[0] = first > 0 ? (int)num_min(first, end) : 0;
  range[1] = last < end ? (last > 0 ? (int)last : 0) : g->num[axis] - 1;
}

// Whether the box of a mesh, turned with it, is above all samples that are under it.
static int is_high(const mjModel* m, int geom, const ConvexShape* s, const HfieldGrid* g,
                   mjtNum margin) {
  const mjtNum *center = m->geom_aabb + 6 * geom, *half = center + 3;
  mjtNum lo[3], hi[3];
  for (int k = 0; k < 3; k++) {
    const mjtNum* row = s->mat + 3 * k;
    mjtNum c = s->pos[k] + v3_dot(row, center);
    mjtNum reach =
        half[0] * mju_abs(row[0]) + half[1] * mju_abs(row[1]) + half[2] * mju_abs(row[2]);
    reach += SURFACE_SLACK * (half[0] + half[1] + half[2] + mju_abs(c));
    lo[k] = c - reach;
    hi[k] = c + reach;
  }
  int row[2], col[2];
  find_range(col, g, 0, lo[0], hi[0]);
  find_range(row, g, 1, lo[1], hi[1]);
  mjtNum most = lo[2] - margin;
  for (int r = row[0]; r <= row[1]; r++) {
    for (int c = col[0]; c <= col[1]; c++) {
      if (!(hfield_height(g, c, r) < most)) {
        return 0;
      }
    }
  }
  return 1;
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

// Whether all corners of a prism's top are below a shape.
static int is_below(const Prism* p, const Terrain* t) {
  const mjtNum(*top)[3] = p->vertex + 3;
  return top[0][2] < t->lowest && top[1][2] < t->lowest && top[2][2] < t->lowest;
}

// Whether a shape is clearly above the plane of a prism's top, under which the whole prism lies, so
// that a search would find nothing.
static int is_above(const ConvexShape* s, const Prism* p, Terrain* t) {
  const mjtNum(*top)[3] = p->vertex + 3;
  int is_mesh = s->kind->has_memory;
  if ((is_mesh && !t->skips) || s->margin < 0 ||
      num_min(top[0][2], num_min(top[1][2], top[2][2])) < -t->grid.size[3]) {
    return 0;
  }
  mjtNum e1[3], e2[3], down[3], point[3];
  v3_sub(e1, top[1], top[0]);
  v3_sub(e2, top[2], top[0]);
  v3_cross(down, e1, e2);
  v3_scl(down, down, (down[2] > 0 ? -1 : 1) / v3_norm(down));
  if (is_mesh) {
    mjtNum l[3], height;
    shape_direction(l, s, down);
    t->vertex = mesh_bound(&height, s, l, t->vertex, BOUND_ROUNDING * t->reach);
    v3_sub(point, s->pos, top[0]);
    height += v3_dot(point, down) + (mjtNum)0.5 * s->margin;
    return t->vertex >= 0 && height < -t->clear - SURFACE_SLACK * t->reach;
  }
  s->kind->legacy(point, s, down);
  v3_subfrom(point, top[0]);
  return v3_dot(point, down) < -t->clear;
}

// The upward normal of a prism's top.
static void top_normal(mjtNum n[3], const Prism* p) {
  const mjtNum(*top)[3] = p->vertex + 3;
  mjtNum e1[3], e2[3];
  v3_sub(e1, top[1], top[0]);
  v3_sub(e2, top[2], top[0]);
  v3_cross(n, e1, e2);
  v3_scl(n, n, (n[2] > 0 ? 1 : -1) / v3_norm(n));
}

// Whether a point is below the top of a prism, and inside of its three sides seen from above.
static int is_sunk_in(const Prism* p, const mjtNum x[3]) {
  const mjtNum(*top)[3] = p->vertex + 3;
  mjtNum n[3], arm[3];
  int left = 0, right = 0;
  for (int i = 0; i < 3; i++) {
    const mjtNum *a = top[i], *b = top[(i + 1) % 3];
    mjtNum side = (b[0] - a[0]) * (x[1] - a[1]) - (b[1] - a[1]) * (x[0] - a[0]);
    left |= side > 0;
    right |= side < 0;
  }
  top_normal(n, p);
  v3_sub(arm, x, top[0]);
  return !(left && right) && v3_dot(arm, n) < 0;
}

// Height of the surface above or below a point; cells are cut from (r, c) to (r+1, c+1).
static mjtNum surface_height(const HfieldGrid* g, const mjtNum x[3]) {
  mjtNum u = hfield_coordinate(g, 0, x[0]), v = hfield_coordinate(g, 1, x[1]);
  int c = hfield_cell(g, 0, u), r = hfield_cell(g, 1, v);
  mjtNum corner = hfield_height(g, c, r), far = hfield_height(g, c + 1, r + 1);
  mjtNum other = v - r > u - c ? hfield_height(g, c, r + 1) : hfield_height(g, c + 1, r);
  return v - r > u - c ? corner + (other - corner) * (v - r) + (far - other) * (u - c)
                       : corner + (other - corner) * (u - c) + (far - other) * (v - r);
}

// Whether the normal of a contact belongs to the surface: the normal of the prism's top, or one at
// an edge from which the surface falls away. Other normals, of sides and of edges to a neighbour
// that is no lower, point into the neighbouring prism.
static int is_of_surface(const mjContact* con, const Prism* p, const Terrain* t) {
  const mjtNum* n = con->frame;
  mjtNum top[3], from[3], to[3], way[3];
  top_normal(top, p);
  if (v3_dot(top, n) > ALONG_TOP) {
    return 1;
  }
  mjtNum across = mju_sqrt(n[0] * n[0] + n[1] * n[1]);
  mjtNum step = (mjtNum)1e-3 * num_min(t->grid.step[0], t->grid.step[1]);
  v3_addscl(from, con->pos, n, -con->dist / 2);
  v3_addscl(to, from, n, step / num_max(across, mjMINVAL));
  for (int k = 0; k < 2; k++) {
    if (!(mju_abs(to[k]) < t->grid.size[k])) {
      return 1;
    }
  }
  v3_sub(way, to, from);
  way[2] = surface_height(&t->grid, to) - surface_height(&t->grid, from);
  return n[2] > 0 && v3_dot(way, n) < LEAST_RISE * v3_norm(way);
}

// Replaces the contact of a shape whose centre is below the surface. Its shortest way out of a
// prism may lead through a side, into the next prism, or through the base. Instead, the prism that
// holds the centre gets the contact of its top's plane with the shape's lowest point. Returns 0 for
// all other prisms, which get none.
static int surface_again(mjContact* con, const Prism* p, const ConvexShape* s) {
  if (!is_sunk_in(p, s->pos)) {
    return 0;
  }
  mjtNum n[3], down[3], point[3], arm[3];
  top_normal(n, p);
  v3_scl(down, n, -1);
  s->kind->legacy(point, s, down);
  v3_sub(arm, point, p->vertex[3]);
  mjtNum dist = v3_dot(arm, n);
  v3_addtoscl(point, n, -dist / 2);
  contact_set(con, dist, point, n);
  return dist < 0;
}

// Tops are raised by the margin, the shape is inflated by half of it, and the distance is that of
// both.
static int contact_of_raised(mjContact* con, const mjModel* m, const mjData* d, const Terrain* t,
                             ConvexShape* prism, ConvexShape* s) {
  (void)t;
  return collide_shapes(con, m, d, prism, s, NULL, 0, 1, NULL);
}

// By the behaviour fieldmargin the distance is that of the true surfaces.
static int contact_of_surfaces(mjContact* con, const mjModel* m, const mjData* d, const Terrain* t,
                               ConvexShape* prism, ConvexShape* s) {
  return collide_bare(con, m, d, prism, s, t->margin);
}

// The legacy search inflates both by half the margin, which it subtracts.
static int contact_of_inflated(mjContact* con, const mjModel* m, const mjData* d, const Terrain* t,
                               ConvexShape* prism, ConvexShape* s) {
  prism->margin = s->margin;
  return collide_shapes(con, m, d, prism, s, NULL, t->margin, 1, NULL);
}

// The contacts, at most room, of a shape with the prisms between row r and the next one.
static int collide_strip(mjContact* con, int room, const mjModel* m, const mjData* d, Terrain* t,
                         ConvexShape* s, int r) {
  int first = 2 * t->col[0], last = 2 * t->col[1] + 1, num = 0;
  Prism prism;
  prism_init(&prism, &t->grid);
  for (int k = first; k <= last && num < room; k++) {
    prism_add(&prism, &t->grid, r, k, t->raise);
    if (k < first + 2 || is_below(&prism, t)) {
      continue;
    }
    if (is_above(s, &prism, t)) {
      s->last = s->kind->has_memory ? LAST_SKIPPED : s->last;
      continue;
    }
    prism_center(&prism);
    if (t->contact(con + num, m, d, t, &prism.shape, s)) {
      if (t->corrects) {
        correct_normal(con + num, &prism.shape, s);
      }
      num += !t->is_complete || is_of_surface(con + num, &prism, t) ||
             surface_again(con + num, &prism, s);
    }
  }
  return num;
}

static int collide_strips(mjContact* con, const mjModel* m, const mjData* d, Terrain* t,
                          ConvexShape* s) {
  int num = 0;
  for (int r = t->row[0]; r < t->row[1] && num < mjMAXCONPAIR; r++) {
    num += collide_strip(con + num, mjMAXCONPAIR - num, m, d, t, s, r);
  }
  return num;
}

// Collides a mesh. The vertex where a search ended may decide ties of the next search. So if a
// search meets such a tie after others were skipped, all are repeated without skipping.
static int collide_mesh(mjContact* con, const mjModel* m, const mjData* d, Terrain* t,
                        ConvexShape* s) {
  const int last = s->last;
  // without a copy of the vertices every support point counts as a tie, so nothing is skipped
  t->skips = !(m->opt.disableflags & mjDSBL_NATIVECCD) && support_cache_copy(d, s, MOST_POINTS);
  s->is_missed = 0;
  int num = collide_strips(con, m, d, t, s);
  if (s->is_missed) {
    s->last = last;
    t->skips = 0;
    num = collide_strips(con, m, d, t, s);
  }
  return num;
}

// An upper bound on the distance of a shape's points from its centre, from its box.
static mjtNum mesh_reach(const mjtNum lo[3], const mjtNum hi[3], const ConvexShape* s) {
  mjtNum reach = 0;
  for (int k = 0; k < 3; k++) {
    reach += num_max(mju_abs(lo[k] - s->pos[k]), mju_abs(hi[k] - s->pos[k]));
  }
  return reach;
}

int hfield_shape(mjContact* con, const mjModel* m, const mjData* d, int geom, ConvexShape* shape,
                 mjtNum lo[3], mjtNum hi[3], mjtNum margin, int corrects) {
  const mjtNum *pos = d->geom_xpos + 3 * geom, *mat = d->geom_xmat + 9 * geom;
  Terrain t = {
      .grid = hfield_grid(m, geom), .raise = margin, .lowest = lo[2], .corrects = corrects};
  const mjtNum* size = t.grid.size;
  if (!is_under(lo, hi, size, margin)) {
    return 0;
  }
  const mjtNum rounding = sizeof(mjtNum) == sizeof(double) ? (mjtNum)1e-12 : (mjtNum)1e-5;
  t.clear = m->opt.ccd_tolerance + rounding * (size[0] + size[1] + size[2]);
  t.contact = contact_of_raised;
  const int is_native = !(m->opt.disableflags & mjDSBL_NATIVECCD);
  t.corrects &= !(is_native && behaves(m, cndBEHAVIOUR_gjkepa));
  if (behaves(m, cndBEHAVIOUR_fieldmargin)) {
    t.contact = is_native ? contact_of_surfaces : contact_of_inflated;
    t.raise = 0;
    shape->margin = is_native ? 0 : shape->margin;
    t.margin = margin;
    t.lowest -= margin;
    t.clear += margin;
  }
  find_range(t.col, &t.grid, 0, lo[0] - t.margin, hi[0] + t.margin);
  find_range(t.row, &t.grid, 1, lo[1] - t.margin, hi[1] + t.margin);

  t.is_complete = corrects && surfaces_are_complete(m);
  int is_mesh = shape->kind->has_memory;
  t.reach = is_mesh ? mesh_reach(lo, hi, shape) : 0;
  int num = is_mesh ? collide_mesh(con, m, d, &t, shape) : collide_strips(con, m, d, &t, shape);
  for (int i = 0; i < num; i++) {
    m3_mulv(con[i].pos, mat, con[i].pos);
    v3_addto(con[i].pos, pos);
    m3_mulv(con[i].frame, mat, con[i].frame);
  }
  return num;
}

int collide_hfield(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                   mjtNum margin) {
  int id = m->geom_dataid[g1];
  if (!convex_kind(m->geom_type[g2])) {
    return collide_unsupported(m, d, con, g1, g2, margin);
  }

  // first test: the centre in the frame of the field, because most geoms are far from it
  const mjtNum *pos = d->geom_xpos + 3 * g1, *mat = d->geom_xmat + 9 * g1;
  mjtNum center[3];
  v3_sub(center, d->geom_xpos + 3 * g2, pos);
  m3_tmulv(center, mat, center);
  if (id < 0 || is_away(center, m->geom_rbound[g2] + margin, m->hfield_size + 4 * id)) {
    return 0;
  }
  ConvexShape b;
  mjtNum relative[9], lo[3], hi[3];
  convex_shape(&b, m, d, g2, margin);
  v3_copy(b.pos, center);
  m3_tmul(relative, mat, b.mat);
  m3_copy(b.mat, relative);
  if (b.kind->has_memory) {
    HfieldGrid grid = hfield_grid(m, g1);
    if (is_high(m, g2, &b, &grid, margin)) {
      return 0;
    }
    b.points = support_cache_copy(d, &b, MOST_POINTS);
  }
  find_box(lo, hi, &b);
  return hfield_shape(con, m, d, g1, &b, lo, hi, margin, 1);
}
