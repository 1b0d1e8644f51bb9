// A copy of B that is turned and moved by next to nothing has the same depth as B, but no
// degenerate start. What is found there is improved in place, as EPA needs many faces where a
// surface is round all about the deepest point.

#pragma STDC FP_CONTRACT OFF  // rounding decides which features tie

#include "collision/convex/displaced.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "collision/contact_param.h"
#include "collision/convex/epa.h"

enum {
  COPIES = 3,     // that are searched before shapes count as touching
  DESCENT = 500,  // steps down from the best direction
  HALVINGS = 40,
  AROUND = 8,
  MOST_FACES = 500  // of a polytope that are all tried
};

// n.n of faces that has room for shapes of mjMAXVAL.
static const mjtNum WIDE_NORMAL = (mjtNum)(sizeof(mjtNum) == sizeof(double) ? 1e45 : 1e20);

// Depth of shapes that overlap; 0 if they don't, or if there is no simplex or polytope to start
// from.
static mjtNum try_depth(Gjk* g, mjData* d, ConvexShape* a, ConvexShape* b) {
  int overlap = gjk_distance(g, a, b) <= g->tolerance && g->num > 1;
  return overlap ? epa_depth(g, d, a, b) : 0;
}

// Whether A and B overlap by more than a length: then copies of B that are moved towards the
// corners of a tetrahedron, one of which is by that length or more along the way out, still do.
// Shapes that just touch don't, though a search that starts there may come out at another face, far
// away.
static int is_deep(const Gjk* g, ConvexShape* a, const ConvexShape* b, mjtNum length) {
  static const mjtNum corner[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  for (int i = 0; i < 4; i++) {
    ConvexShape moved = *b;
    Gjk other = *g;
    v3_addtoscl(moved.pos, corner[i], length);
    if (gjk_distance(&other, a, &moved) > g->tolerance) {
      return 0;
    }
  }
  return 1;
}

// A direction u, the vertex of A - B furthest along it, and how far that is:
//
//     e(u) = max over w in A - B of u.w >= depth                               the overlap along u
typedef struct Way {
  mjtNum u[3], e;
  Vertex w;
} Way;

// Goes another way if that is shorter; returns whether it is.
static int try_way(Way* best, ConvexShape* a, ConvexShape* b, const mjtNum direction[3]) {
  Way way;
  v3_copy(way.u, direction);
  if (!(v3_normalize(way.u) > mjMINVAL)) {
    return 0;
  }
  difference_support(&way.w, a, b, way.u);
  way.e = v3_dot(way.u, way.w.w);
  if (!(way.e < best->e)) {
    return 0;
  }
  *best = way;
  return 1;
}

// The axes of the shapes and what is across two of them: where aligned surfaces have creases.
static void try_axes(Way* best, ConvexShape* a, ConvexShape* b) {
  mjtNum axis[6][3], way[3];
  for (int i = 0; i < 6; i++) {
    const mjtNum* mat = i < 3 ? a->mat : b->mat;
    v3_set(axis[i], mat[i % 3], mat[3 + i % 3], mat[6 + i % 3]);
  }
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j <= i; j++) {
      v3_cross(way, axis[i], axis[j]);
      v3_copy(way, i == j ? axis[i] : way);
      try_way(best, a, b, way);
      v3_scl(way, way, -1);
      try_way(best, a, b, way);
    }
  }
}

// Steepest descent: the gradient of e on the sphere is t = w - (u.w) u; across an axis, if one is
// given, where round surfaces have creases. Returns whether it ends where t is as good as zero, not
// in a crease.
static int descend(Way* best, ConvexShape* a, ConvexShape* b, mjtNum size, const mjtNum* axis) {
  mjtNum t[3], to[3], step = 1 / size;
  for (int i = 0; i < DESCENT; i++) {
    v3_addscl(t, best->w.w, best->u, -best->e);
    if (axis) {
      v3_addtoscl(t, axis, -v3_dot(t, axis));
    }
    if (v3_norm(t) < (mjtNum)1e-6 * size) {
      return 1;
    }
    int down = 0;
    for (int k = 0; k < HALVINGS && !down; k++, step /= 2) {
      v3_addscl(to, best->u, t, -step);
      down = try_way(best, a, b, to);
    }
    if (!down) {
      return 0;
    }
    step *= 4;
  }
  return 0;
}

// The shortest way across the axis of a shape near another one, where the end of a segment or
// cylinder that is furthest along the way changes.
static void descend_across(Way* best, int* ends, ConvexShape* a, ConvexShape* b, mjtNum size,
                           const ConvexShape* of) {
  const mjtNum axis[3] = {of->mat[2], of->mat[5], of->mat[8]};
  Way way = {.e = mjMAXVAL};
  mjtNum u[3];
  v3_addscl(u, best->u, axis, -v3_dot(best->u, axis));
  if (try_way(&way, a, b, u)) {
    int ended = descend(&way, a, b, size, axis);
    if (way.e < best->e) {
      *best = way;
      *ends = ended;
    }
  }
}

// The same from directions around: facets have minima of their own.
static void descend_around(Way* best, int* ends, ConvexShape* a, ConvexShape* b, mjtNum size) {
  static const mjtNum aside = (mjtNum)0.1;
  mjtNum frame[9] = {best->u[0], best->u[1], best->u[2]};
  contact_frame(frame);
  for (int i = 0; i < AROUND; i++) {
    mjtNum angle = 2 * (mjtNum)mjPI * (mjtNum)i / AROUND, u[3];
    v3_addscl(u, frame, frame + 3, aside * mju_cos(angle));
    v3_addtoscl(u, frame + 6, aside * mju_sin(angle));
    Way way = {.e = mjMAXVAL};
    int ended = try_way(&way, a, b, u) && descend(&way, a, b, size, NULL);
    if (way.e < best->e) {
      *best = way;
      *ends = ended;
    }
  }
}

// Outwards from A along a normal of a face of shape s.
static void try_face(Way* best, ConvexShape* a, ConvexShape* b, const ConvexShape* s, int face) {
  mjtNum n[3];
  s->kind->facets->normal(n, s, face);
  m3_mulv(n, s->mat, n);
  v3_scl(n, n, s == a ? 1 : -1);
  try_way(best, a, b, n);
}

// The faces of a polytope near the deepest point.
static void try_near_faces(Way* best, const Gjk* g, ConvexShape* a, ConvexShape* b,
                           const ConvexShape* s) {
  int face[MAX_FACETS];
  for (int i = 0; s->kind->facets && i < g->num; i++) {
    int id = s == a ? g->vert[i].ia : g->vert[i].ib;
    mjtNum u[3];
    v3_scl(u, best->u, s == a ? 1 : -1);
    int num = s->kind->facets->faces(face, s, &id, 1, u);
    for (int k = 0; k < num; k++) {
      try_face(best, a, b, s, face[k]);
    }
  }
}

// Across the edges of a face and an axis, along which the other shape may be straight.
static void try_edges(Way* best, ConvexShape* a, ConvexShape* b, const ConvexShape* s, int face,
                      const mjtNum axis[3]) {
  mjtNum corner[MAX_FACETS][3], edge[3], way[3];
  int num = s->kind->facets->polygon(corner, s, face);
  for (int i = 0; i < num; i++) {
    v3_sub(edge, corner[i], corner[i ? i - 1 : num - 1]);
    m3_mulv(edge, s->mat, edge);
    v3_cross(way, edge, axis);
    try_way(best, a, b, way);
    v3_scl(way, way, -1);
    try_way(best, a, b, way);
  }
}

// All faces and edges of a polytope of not too many: where centres coincide and axes are parallel,
// each of them may be that of the depth, unless the other shape is round all over. Returns whether
// there is no other place for it.
static int try_all_faces(Way* best, ConvexShape* a, ConvexShape* b, const ConvexShape* s) {
  const ConvexShape* other = s == a ? b : a;
  const mjtNum axis[3] = {other->mat[2], other->mat[5], other->mat[8]};
  const Facets* facets = s->kind->facets;
  if (facets && other->kind->is_strict) {
    return 0;
  }
  int num = facets ? facets->number(s) : 0;
  for (int face = 0; num <= MOST_FACES && face < num; face++) {
    try_face(best, a, b, s, face);
    if (!other->kind->facets) {
      try_edges(best, a, b, s, face, axis);
    }
  }
  return num <= MOST_FACES;
}

// Replaces a depth that EPA has found, a bound from below, by the overlap along a direction, where
// that is certainly the least.
static mjtNum improve(Gjk* g, ConvexShape* a, ConvexShape* b, mjtNum depth) {
  mjtNum size = v3_norm(a->size) + v3_norm(b->size), u[3];
  Way best = {.e = mjMAXVAL};
  v3_sub(u, g->x1, g->x2);
  if (!try_way(&best, a, b, u)) {
    return depth;
  }
  int ends = descend(&best, a, b, size, NULL);
  int has_facets = a->kind->facets || b->kind->facets;
  if (has_facets) {
    descend_around(&best, &ends, a, b, size);
  }
  descend_across(&best, &ends, a, b, size, a);
  descend_across(&best, &ends, a, b, size, b);
  Way axis = {.e = mjMAXVAL};
  try_axes(&axis, a, b);
  try_near_faces(&axis, g, a, b, a);
  try_near_faces(&axis, g, a, b, b);
  int all_of_a = try_all_faces(&axis, a, b, a), all_of_b = try_all_faces(&axis, a, b, b);
  if (axis.e <= best.e + (mjtNum)1e-9 * size) {
    // descent that ends in a crease far above may miss other creases, too
    if (has_facets && !(all_of_a && all_of_b) && axis.e < best.e - (mjtNum)1e-6 * size) {
      return depth;
    }
    best = axis;
    descend(&best, a, b, size, NULL);
  } else if (!ends) {
    return depth;
  }
  g->vert[0] = best.w;
  g->num = 1;
  v3_copy(g->x1, best.w.a);
  v3_addscl(g->x2, g->x1, best.u, -best.e);
  return best.e;
}

// The depth of cores is that of the shapes less what was taken away.
static mjtNum copy_depth(Gjk* g, mjData* d, ConvexShape* a, ConvexShape* b, ConvexShape* moved) {
  ConvexShape core[3];
  mjtNum lost[2], n[3];
  ConvexShape *core1 = shape_core(lost, core, a), *core2 = shape_core(lost + 1, core + 1, moved);
  if (core1 != a || core2 != moved) {
    Gjk inner = *g;
    mjtNum depth = try_depth(&inner, d, core1, core2);
    if (depth > 0) {
      *g = inner;
      core2 = shape_core(lost + 1, core + 2, b);
      depth = improve(g, core1, core2, depth);
      v3_sub(n, g->x1, g->x2);
      v3_normalize(n);
      v3_addtoscl(g->x1, n, lost[0]);
      v3_addtoscl(g->x2, n, -lost[1]);
      return depth + lost[0] + lost[1];
    }
  }
  mjtNum depth = try_depth(g, d, a, moved);
  return depth > 0 ? improve(g, a, b, depth) : 0;
}

mjtNum displaced_depth(Gjk* g, mjData* d, ConvexShape* a, ConvexShape* b) {
  static const mjtNum askew[3] = {(mjtNum)0.36, (mjtNum)0.48, (mjtNum)0.8};
  const mjtNum tiny = sizeof(mjtNum) == sizeof(double) ? (mjtNum)1e-7 : (mjtNum)1e-4;
  mjtNum size = v3_norm(a->size) + v3_norm(b->size), axis[3];
  mjtNum touch = 10 * num_max(g->tolerance, tiny * size);
  g->most_normal = WIDE_NORMAL;
  if (!is_deep(g, a, b, touch)) {
    return 0;
  }
  m3_mulv(axis, a->mat, askew);
  for (int i = 1; i <= COPIES; i++) {
    ConvexShape moved = *b;
    Gjk other = *g;
    other.iterations = EPA_ITERATIONS;  // the reference has no answer to be equal to
    shape_turn(&moved, b->pos, axis, (mjtNum)i * tiny);
    v3_addtoscl(moved.pos, axis, (mjtNum)i * tiny * size);
    mjtNum depth = copy_depth(&other, d, a, b, &moved);
    if (depth > touch) {
      *g = other;
      return depth;
    }
  }
  mj_warning(d, cndWARN_DEPTH, d->ncon);
  return 0;
}
