// Clipping of touching features (Sutherland and Hodgman, 1974). Two faces match if their normals
// are opposite, a face and an edge if the edge is normal to the face's normal. The face of one
// shape clips the matching face or edge of the other.

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include "collision/convex/manifold.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "collision/convex/clip.h"
#include "collision/convex/quad.h"
#include "model/data/arena.h"

// sin(0.0016), while PARALLEL is cos(0.0016), the reference's tolerance for matching features
static const mjtNum ACROSS = (mjtNum)0.00159999931;

enum {
  MAX_POLYGON = 2 * MAX_FACETS  // every edge that clips adds one vertex at most
};

// The touching features of one shape, in the world.
typedef struct Side {
  const ConvexShape* shape;
  int id[3], num;        // 1 to 3 different vertices that touch
  mjtNum first[3];       // position of the first
  int face[MAX_FACETS];  // faces that hold all of them
  mjtNum normal[MAX_FACETS][3];
  int nface;
  mjtNum end[MAX_FACETS][3];  // far ends of edges from the first vertex that may touch
  int nend;
} Side;

typedef struct Work {
  Side side[2];
  ManifoldFeatures touching;
  mjtNum polygon[2][MAX_POLYGON][3];
} Work;

// The vertices of side `which` (0: A, 1: B) that touch, and the faces around them. u: direction in
// which Facets::faces looks if no face is common to them.
static void find_side(Side* s, const Gjk* g, int which, const ConvexShape* shape,
                      const mjtNum u[3]) {
  const Vertex* v = g->vert;
  s->shape = shape;
  s->num = s->nend = 0;
  v3_copy(s->first, which ? v[0].b : v[0].a);
  for (int i = 0; i < 3; i++) {
    int id = which ? v[i].ib : v[i].ia;
    if (s->num && (id == s->id[0] || id == s->id[s->num - 1])) {
      continue;
    }
    if (s->num == 1) {
      v3_copy(s->end[0], which ? v[i].b : v[i].a);
      s->nend = 1;
    }
    s->id[s->num++] = id;
  }
  s->nface = shape->kind->facets->faces(s->face, shape, s->id, s->num, u);
  for (int i = 0; i < s->nface; i++) {
    shape->kind->facets->normal(s->normal[i], shape, s->face[i]);
    m3_mulv(s->normal[i], shape->mat, s->normal[i]);
  }
}

static int world_polygon(mjtNum vertex[MAX_FACETS][3], const ConvexShape* shape, int face) {
  int num = shape->kind->facets->polygon(vertex, shape, face);
  for (int i = 0; i < num; i++) {
    shape_point(vertex[i], shape, vertex[i]);
  }
  return num;
}

// The first two faces with opposite normals: their places in both lists.
static int match_faces(int found[2], const Side* a, const Side* b) {
  for (int i = 0; i < a->nface; i++) {
    for (int j = 0; j < b->nface; j++) {
      if (v3_dot(a->normal[i], b->normal[j]) < -PARALLEL) {
        found[0] = i;
        found[1] = j;
        return 1;
      }
    }
  }
  return 0;
}

// A face and an edge normal to the face's normal. All edges at a single vertex may match.
static int match_edge(int found[2], const Side* face, Side* edge) {
  if (edge->num == 1) {
    const ConvexShape* shape = edge->shape;
    edge->nend = shape->kind->facets->ends(edge->end, shape, edge->id[0]);
    for (int i = 0; i < edge->nend; i++) {
      shape_point(edge->end[i], shape, edge->end[i]);
    }
  }
  for (int i = 0; i < face->nface; i++) {
    for (int j = 0; j < edge->nend; j++) {
      mjtNum way[3];
      v3_sub(way, edge->end[j], edge->first);
      v3_normalize(way);
      if (mju_abs(v3_dot(way, face->normal[i])) < ACROSS) {
        found[0] = i;
        found[1] = j;
        return 1;
      }
    }
  }
  return 0;
}

// Clips polygon[0] of num vertices by the clipping face's edges; the result is in *result. The
// plane of an edge (a, b) goes through a, b and a + n with the face's normal n. It is computed from
// these three points, because rounding decides which corners of symmetric polygons span the largest
// area.
static int clip(mjtNum (**result)[3], Work* w, int num) {
  const ManifoldFeatures* f = &w->touching;
  const mjtNum* n = f->clip_normal;
  int from = 0, nclip = f->nclip;
  for (int i = 0; i < nclip && num; i++) {
    const mjtNum *a = f->clip[i], *b = f->clip[(i + 1) % nclip];
    mjtNum edge[3], up[3], m[3];
    v3_sub(edge, b, a);
    v3_add(up, a, n);
    v3_subfrom(up, a);
    v3_cross(m, edge, up);
    num = clip_polygon(w->polygon[1 - from], MAX_POLYGON, w->polygon[from], num, a, m);
    from = 1 - from;
  }
  *result = w->polygon[from];
  return nclip < 3 ? 0 : num;
}

// What the reference makes large in place of the area of (a, b, c, d):
// |(d - a) x (b - d) + (c - b) x (a - c)| / 2
static mjtNum crossed_area(mjtNum (*v)[3], const int quad[FEW]) {
  const mjtNum *a = v[quad[0]], *b = v[quad[1]], *c = v[quad[2]], *d = v[quad[3]];
  mjtNum ad[3], db[3], bc[3], ca[3], x[3], y[3];
  v3_sub(ad, d, a);
  v3_sub(db, b, d);
  v3_sub(bc, c, b);
  v3_sub(ca, a, c);
  v3_cross(x, ad, db);
  v3_cross(y, bc, ca);
  v3_addto(x, y);
  return (mjtNum)0.5 * v3_norm(x);
}

// Selects at most max vertices: the FEW that span a large area if max asks for that, else all
// different ones.
static int select_points(mjtNum point[mjMAXCONPAIR][3], mjtNum (*v)[3], int num, int max) {
  if (max <= FEW && num > FEW) {
    int quad[FEW];
    largest_quad(quad, v, num, num, crossed_area);
    for (int i = 0; i < FEW; i++) {
      v3_copy(point[i], v[quad[i]]);
    }
    return FEW;
  }
  int count = 0, most = int_min(num, mjMAXCONPAIR);
  for (int i = 0; i < most; i++) {
    int is_new = 1;
    for (int k = 0; k < count && num <= mjMAXCONPAIR; k++) {
      is_new = is_new && !is_same(v[i], point[k]);
    }
    if (is_new) {
      v3_copy(point[count++], v[i]);
    }
  }
  return count;
}

static int find_features(ManifoldFeatures* f, Side side[2], const Gjk* g, const ConvexShape* a,
                         const ConvexShape* b) {
  mjtNum dir[3], back[3];
  v3_sub(dir, g->x2, g->x1);
  v3_normalize(dir);
  v3_scl(back, dir, -1);
  find_side(side, g, 0, a, back);
  find_side(side + 1, g, 1, b, dir);

  // places of the matching features: found[0] of the side that clips, found[1] of the other
  int found[2];
  if (match_faces(found, side, side + 1)) {
    f->clips = 0;
    f->owner = 1;
    v3_copy(f->owner_normal, side[1].normal[found[1]]);
    f->ncut = world_polygon(f->cut, b, side[1].face[found[1]]);
  } else {
    f->clips = side[0].num < 3 && side[0].num <= side[1].num;
    f->owner = f->clips;
    Side* edge = side + !f->clips;
    if (edge->num == 3 || !match_edge(found, side + f->clips, edge)) {
      return 0;
    }
    v3_copy(f->owner_normal, side[f->clips].normal[found[0]]);
    v3_copy(f->cut[0], edge->first);
    v3_copy(f->cut[1], edge->end[found[1]]);
    f->ncut = 2;
  }
  // a single vertex (of displaced_depth) has faces in all directions: the one found must face dir
  if (g->num == 1 && mju_abs(v3_dot(f->owner_normal, dir)) < PARALLEL) {
    return 0;
  }
  v3_copy(f->clip_normal, side[f->clips].normal[found[0]]);
  f->nclip = world_polygon(f->clip, side[f->clips].shape, side[f->clips].face[found[0]]);
  return 1;
}

static int touch(mjtNum point[mjMAXCONPAIR][3], mjtNum offset[3], Work* w, const Gjk* g,
                 const ConvexShape* a, const ConvexShape* b, int max) {
  ManifoldFeatures* f = &w->touching;
  if (!find_features(f, w->side, g, a, b)) {
    return 0;
  }
  mjtNum(*result)[3], length = v3_dist(g->x2, g->x1);
  v3_scl(offset, f->owner_normal, f->owner ? length : -length);
  memcpy(w->polygon[0], f->cut, (size_t)f->ncut * sizeof(f->cut[0]));
  int num = clip(&result, w, f->ncut);
  return select_points(point, result, num, max);
}

ManifoldFeatures* manifold_features(const Gjk* g, mjData* d, const ConvexShape* a,
                                    const ConvexShape* b) {
  Work* w = mj_stackAllocByte(d, sizeof(Work), _Alignof(Work));
  return find_features(&w->touching, w->side, g, a, b) ? &w->touching : NULL;
}

int convex_manifold(mjtNum point[mjMAXCONPAIR][3], mjtNum offset[3], const Gjk* g, mjData* d,
                    const ConvexShape* a, const ConvexShape* b, int max) {
  size_t top = arena_top(d);
  Work* w = arena_push(d, sizeof(Work), _Alignof(Work));
  int num = 0;
  if (w) {
    num = touch(point, offset, w, g, a, b, max);
  } else {
    mj_warning(d, mjWARN_CONTACTFULL, d->ncon);
  }
  arena_pop(d, top);
  return num;
}
