// Contacts of two polytopes with the flag multiccd (collision/convex/manifold.c): points of a face
// or an edge of one shape, clipped by the sides of a face of the other. All of them have the depth
// at which the search has ended, and the normal of a face.
//
// A point is a corner of the clipped feature, a crossing of one of its edges with a side, or a
// point of it over a corner of the clipping face. It is a kink if several points are the deepest.
//                                                  theory/time/constraint-derivatives.md, Manifolds

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "base/algebra/vec.h"
#include "collision/convex/collider.h"
#include "collision/convex/manifold.h"
#include "derivative/geometry/rules.h"

// distance, relative to the size, at which a point counts as on a side
static const mjtNum NEAR = GEOMETRY_TOL;

typedef enum {
  POINT_CORNER,  // a corner: it moves with the clipped shape
  POINT_EDGE,    // on an edge of the clipped shape and on a side of the clipping face
  POINT_FACE     // on the clipped face, over a corner of the clipping face
} PointKind;

typedef struct {
  PointKind kind;
  mjtNum edge[3], side[3];  // directions of the edge, normal of the side
} Origin;

static int is_on_edge(const mjtNum p[3], const mjtNum a[3], const mjtNum edge[3],
                      mjtNum tolerance) {
  mjtNum arm[3], off[3];
  v3_sub(arm, p, a);
  v3_cross(off, arm, edge);
  return v3_norm(off) < tolerance * v3_norm(edge);
}

// Finds which kind of point p is; returns 0 if it is none.
static int find_origin(Origin* out, const ManifoldFeatures* f, const mjtNum p[3], mjtNum size) {
  mjtNum tolerance = NEAR * size;
  int nside = 0;
  for (int i = 0; i < f->ncut; i++) {
    if (v3_dist(p, f->cut[i]) < tolerance) {
      out->kind = POINT_CORNER;
      return 1;
    }
  }
  for (int i = 0; i < f->nclip; i++) {
    mjtNum edge[3], normal[3], arm[3];
    v3_sub(edge, f->clip[(i + 1) % f->nclip], f->clip[i]);
    v3_cross(normal, edge, f->clip_normal);
    v3_sub(arm, p, f->clip[i]);
    if (mju_abs(v3_dot(arm, normal)) < tolerance * v3_norm(normal)) {
      v3_copy(out->side, normal);
      nside++;
    }
  }
  for (int i = 0; i < f->ncut && nside; i++) {
    v3_sub(out->edge, f->cut[(i + 1) % f->ncut], f->cut[i]);
    if (is_on_edge(p, f->cut[i], out->edge, tolerance)) {
      out->kind = POINT_EDGE;
      return mju_abs(v3_dot(out->edge, out->side)) > 0;
    }
  }
  out->kind = POINT_FACE;
  return nside == 2 && f->ncut > 2;
}

// Turns `rate`, the velocity of the material point of the clipped shape, into that of the contact
// point, while the clipping shape is at rest.
static void move_point(mjtNum rate[3], const Origin* at, const ManifoldFeatures* f) {
  if (at->kind == POINT_EDGE) {
    mjtNum slip = -v3_dot(rate, at->side) / v3_dot(at->edge, at->side);
    v3_addtoscl(rate, at->edge, slip);
  } else if (at->kind == POINT_FACE) {
    mjtNum climb = v3_dot(f->owner_normal, rate) / v3_dot(f->owner_normal, f->clip_normal);
    v3_scl(rate, f->clip_normal, climb);
  }
}

// The deepest contacts of a pair: their number, their height over the clipping face and their mean.
typedef struct {
  int num;
  mjtNum lowest, middle[3];
} Deepest;

static int is_same_pair(const mjContact* a, const mjContact* b) {
  return a->geom[0] == b->geom[0] && a->geom[1] == b->geom[1];
}

static mjtNum height_of(mjtNum point[3], const ManifoldFeatures* f, const mjContact* con) {
  mjtNum p1[3], arm[3];
  witness_points(p1, point, con);
  v3_sub(arm, point, f->clip[0]);
  return v3_dot(arm, f->clip_normal);
}

static Deepest find_deepest(const ManifoldFeatures* f, const mjContact* begin, const mjContact* end,
                            mjtNum tolerance) {
  Deepest out = {.lowest = INFINITY};
  mjtNum point[3];
  for (const mjContact* con = begin; con < end; con++) {
    out.lowest = num_min(out.lowest, height_of(point, f, con));
  }
  for (const mjContact* con = begin; con < end; con++) {
    if (height_of(point, f, con) < out.lowest + tolerance) {
      v3_addto(out.middle, point);
      out.num++;
    }
  }
  v3_scl(out.middle, out.middle, 1 / (mjtNum)out.num);
  return out;
}

// The point that determines the depth of all contacts: where the search has ended. If an edge or a
// face is level, several points are equally deep, and a small motion makes one of the outermost the
// deepest. Returns 1 in this case, a kink.
static int deepest_point(mjtNum out[3], const ManifoldFeatures* f, const mjData* d,
                         const mjContact* con, const Gjk* g, mjtNum size) {
  const mjContact *begin = con, *end = con, *last = d->contact + d->ncon;
  while (begin > d->contact && is_same_pair(begin - 1, con)) {
    begin--;
  }
  while (end < last && is_same_pair(end, con)) {
    end++;
  }
  Deepest deepest = find_deepest(f, begin, end, NEAR * size);
  v3_copy(out, g->x2);
  // a manifold with fewer contacts than points may lack the deepest one
  if (deepest.num < 2 || mju_abs(deepest.lowest + v3_dist(g->x1, g->x2)) > NEAR * size) {
    return 0;
  }
  mjtNum most = -1;
  for (const mjContact* c = begin; c < end; c++) {
    mjtNum point[3];
    int is_deepest = height_of(point, f, c) < deepest.lowest + NEAR * size;
    mjtNum away = v3_dist(point, deepest.middle);
    if (is_deepest && away > most) {
      most = away;
      v3_copy(out, point);
    }
  }
  return 1;
}

static void fill_geometry(ContactGeometry* out, const mjContact* con, const ManifoldFeatures* f,
                          const Origin* at, const mjtNum point[3], const mjtNum deepest[3],
                          const Gjk* g) {
  mjtNum u[3], arm[3], deep[3];
  v3_sub(u, g->x1, g->x2);
  v3_normalize(u);
  v3_sub(arm, point, con->pos);
  v3_sub(deep, deepest, con->pos);
  for (int c = 0; c < 6; c++) {
    mjtNum turn[3] = {0}, shift[3] = {0}, moved[3], rate[3], normal[3] = {0}, t[3];
    v3_copy(c < 3 ? turn : shift, con->frame + 3 * (c % 3));
    v3_crossadd(moved, turn, arm, shift);
    v3_scl(rate, moved, f->clips ? -1 : 1);
    move_point(rate, at, f);
    if (f->clips) {
      v3_addto(rate, moved);
    }
    if (f->owner) {
      v3_cross(normal, turn, con->frame);
    }
    v3_crossadd(t, turn, deep, shift);
    out->dist[c] = v3_dot(u, t);
    v3_addtoscl(rate, normal, -con->dist / 2);
    v3_addtoscl(rate, con->frame, -out->dist[c] / 2);
    for (int i = 0; i < 3; i++) {
      out->pos[i][c] = v3_dot(con->frame + 3 * i, rate);
      if (i) {
        out->normal[i - 1][c] = v3_dot(con->frame + 3 * i, normal);
      }
    }
  }
}

// Whether the pair has further contacts: both shapes have faces, and no margin around them.
static int has_manifold(const ConvexShape* a, const ConvexShape* b, mjtNum margin) {
  return a->kind->facets && b->kind->facets && !(margin > 0);
}

int geometry_manifold(ContactGeometry* out, const mjModel* m, const mjData* d, const mjContact* con,
                      mjtNum margin) {
  ConvexShape a, b;
  if (!convex_shape(&a, m, d, con->geom[0], margin) ||
      !convex_shape(&b, m, d, con->geom[1], margin)) {
    return GEOMETRY_UNKNOWN;
  }
  if (!has_manifold(&a, &b, margin)) {
    int is_first =
        con == d->contact || con[-1].geom[0] != con->geom[0] || con[-1].geom[1] != con->geom[1];
    return is_first ? geometry_convex(out, m, d, con) : GEOMETRY_ROLLED;
  }
  mjData* scratch = (mjData*)d;  // only its stack is written
  int result;
  mj_markStack(scratch);
  Gjk g;
  convex_distance(&g, m, d, &a, &b, NULL, 0);
  const ManifoldFeatures* f = manifold_features(&g, scratch, &a, &b);
  if (!f) {
    result = geometry_convex(out, m, d, con);
  } else {
    mjtNum p1[3], point[3], size = m->geom_rbound[con->geom[0]] + m->geom_rbound[con->geom[1]];
    Origin at = {.kind = POINT_CORNER};
    witness_points(p1, point, con);
    result = find_origin(&at, f, point, size) ? 0 : GEOMETRY_UNKNOWN;
    if (result == 0) {
      mjtNum deepest[3];
      result = deepest_point(deepest, f, d, con, &g, size);
      fill_geometry(out, con, f, &at, point, deepest, &g);
    }
  }
  mj_freeStack(scratch);
  return result;
}
