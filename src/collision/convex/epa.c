// EPA on a polytope of triangles (van den Bergen, 2001). Corners are in outward order; edge i goes
// from vert[i] to vert[i+1]. Faces that may hold the nearest point are candidates. The order of
// their list breaks ties: removal moves the last candidate into the gap. Faces that a new vertex
// sees are deleted, and each edge of their outline (the horizon) is joined to the vertex:
//
//        w
//       /|\         new face (w, q, p) on the horizon edge (p, q) of the face below;
//      / | \        its neighbours are that face and the new faces before and after it
//     q--p--...
//
// Deleting n connected faces opens at most n + 2 edges, so each vertex adds at most two faces to
// the six of the start. New faces reuse the places of deleted ones, so the array needs no more
// room.

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include "collision/convex/epa.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "collision/convex/simplex.h"
#include "model/data/arena.h"

enum {
  MAX_FACES = 6 * EPA_ITERATIONS,  // made in one search, deleted ones included
  START_VERTS = 5,
  START_FACES = 6,
  NO_CANDIDATE = -1,
  DELETED = -2,
};

static const mjtNum FAR2 = (mjtNum)1e20;  // squared distance that stands for "no face"

// A face and one of its edges, as one number.
#define SIDE(face, edge) (4 * (face) + (edge))

typedef struct Face {
  int vert[3];
  int next[3];     // SIDE of each edge in the neighbour across it
  int candidate;   // place in the list, NO_CANDIDATE or DELETED
  mjtNum near[3];  // outward normal, as long as the plane is from the origin
  mjtNum offset;   // near . x of the plane's points, < 0 if the origin is outside
} Face;

// An edge of the horizon: its SIDE in the remaining face, and the place of the new face across it.
typedef struct Edge {
  int side, across;
} Edge;

typedef struct Polytope {
  Vertex* vert;
  Face* face;
  int *candidate, *unused;  // unused: places of deleted faces below nface
  mjtNum* dist2;            // of the candidates
  Edge* horizon;
  int* todo;         // sides still to visit
  mjtNum seen;       // a vertex w sees a face if near.w - offset is more than this, in m^2
  mjtNum centre[3];  // of the start, inside
  int nvert, nface, ncandidate, nunused, nhorizon;
} Polytope;

// Room for the start polytope and one vertex per iteration; 0 if the stack of d has none.
static int make_room(Polytope* p, mjData* d, int iterations) {
  size_t nvert = START_VERTS + iterations, nface = START_FACES + 2 * iterations;
  size_t of_face = sizeof(Face) + sizeof(mjtNum) + sizeof(Edge) + 3 * sizeof(int);
  p->vert = arena_push(d, nvert * sizeof(Vertex) + (nface + 2) * of_face, _Alignof(Vertex));
  if (!p->vert) {
    return 0;
  }
  // arrays in descending order of alignment
  p->face = (Face*)(p->vert + nvert);
  p->dist2 = (mjtNum*)(p->face + nface);
  p->horizon = (Edge*)(p->dist2 + nface);
  p->todo = (int*)(p->horizon + nface + 2);
  p->candidate = p->todo + nface + 2;
  p->unused = p->candidate + nface;
  return 1;
}

// Makes a face without neighbours at a place of the array; returns its squared distance, 0 if it is
// degenerate. The origin, which should be inside, tells which way is out. By the later rule the
// centre of the start does, so a face on the wrong side of the origin keeps its direction.
INLINE mjtNum add_face(Polytope* p, int place, int v1, int v2, int v3, const int later) {
  Face* f = p->face + place;
  f->vert[0] = v1;
  f->vert[1] = v2;
  f->vert[2] = v3;
  f->candidate = NO_CANDIDATE;
  f->offset = 0;
  if (!plane_nearest(f->near, p->vert[v1].w, p->vert[v2].w, p->vert[v3].w)) {
    return 0;
  }
  const mjtNum dist2 = v3_dot(f->near, f->near);
  f->offset = dist2;
  if (later) {
    mjtNum arm[3];
    v3_sub(arm, p->vert[v1].w, p->centre);
    if (v3_dot(f->near, arm) < 0) {
      v3_scl(f->near, f->near, -1);
      f->offset = -dist2;
    }
  }
  return dist2;
}

static void add_candidate(Polytope* p, int face) {
  p->face[face].candidate = p->ncandidate;
  p->dist2[p->ncandidate] = mju_abs(p->face[face].offset);
  p->candidate[p->ncandidate++] = face;
}

static void delete_face(Polytope* p, int face) {
  int place = p->face[face].candidate;
  if (place >= 0) {
    int last = p->candidate[--p->ncandidate];
    p->candidate[place] = last;
    p->dist2[place] = p->dist2[p->ncandidate];
    p->face[last].candidate = place;
  }
  p->face[face].candidate = DELETED;
  p->unused[p->nunused++] = face;
}

static mjtNum furthest_square(const Polytope* p) {
  mjtNum size2 = 0;
  for (int i = 0; i < p->nvert; i++) {
    size2 = num_max(size2, v3_dot(p->vert[i].w, p->vert[i].w));
  }
  return size2;
}

// Squared distance below which a face touches the origin. It grows with shapes larger than a metre,
// as their rounding does.
static mjtNum touching(const Polytope* p) {
  return (mjtNum)(mjMINVAL * mjMINVAL) * num_max(1, furthest_square(p));
}

// Adds the faces of the start polytope. Stops and returns 0 at the first face that is degenerate or
// touches the origin; that face is then the last of the array.
INLINE int add_faces(Polytope* p, const int face[][3], int num, int later) {
  const mjtNum least = touching(p);
  v3_zero(p->centre);
  for (int i = 0; i < p->nvert && later; i++) {
    v3_addtoscl(p->centre, p->vert[i].w, (mjtNum)1 / (mjtNum)p->nvert);
  }
  for (int i = 0; i < num; i++) {
    if (add_face(p, p->nface++, face[i][0], face[i][1], face[i][2], later) < least) {
      return 0;
    }
  }
  return 1;
}

// Sets the neighbours of the faces of a start polytope and makes all of them candidates.
INLINE void close_polytope(Polytope* p, const int next[][3]) {
  for (int f = 0; f < p->nface; f++) {
    memcpy(p->face[f].next, next[f], sizeof(p->face[f].next));
    add_candidate(p, f);
  }
}

// Neighbours of the faces of two pyramids back to back: faces 0 to 2 meet at the one apex, 3 to 5
// at the other.
static const int pyramids[6][3] = {
    {SIDE(1, 2), SIDE(3, 1), SIDE(2, 0)}, {SIDE(2, 2), SIDE(4, 1), SIDE(0, 0)},
    {SIDE(0, 2), SIDE(5, 1), SIDE(1, 0)}, {SIDE(5, 2), SIDE(0, 1), SIDE(4, 0)},
    {SIDE(3, 2), SIDE(1, 1), SIDE(5, 0)}, {SIDE(4, 2), SIDE(2, 1), SIDE(3, 0)}};

// Adds the support point in a direction of known length; returns its number.
INLINE int support_along(Polytope* p, ConvexShape* a, ConvexShape* b, const mjtNum dir[3],
                         mjtNum norm) {
  mjtNum u[3] = {1, 0, 0};
  if (norm > mjMINVAL) {
    v3_set(u, dir[0] / norm, dir[1] / norm, dir[2] / norm);
  }
  difference_support(p->vert + p->nvert, a, b, u);
  return p->nvert++;
}

static int support_towards(Polytope* p, ConvexShape* a, ConvexShape* b, const mjtNum dir[3]) {
  return support_along(p, a, b, dir, v3_norm(dir));
}

// Whether point q lies in the triangle (a, b, c).
static int in_triangle(const mjtNum a[3], const mjtNum b[3], const mjtNum c[3], const mjtNum q[3]) {
  double weight[3], area = triangle_weights(weight, a, b, c, q);
  mjtNum x[3] = {0, 0, 0};
  const mjtNum* corner[3] = {a, b, c};
  for (int i = 0; i < 3; i++) {
    weight[i] /= area;
    if (weight[i] < 0) {
      return 0;
    }
    v3_addtoscl(x, corner[i], (mjtNum)weight[i]);
  }
  return v3_dist(x, q) < mjMINVAL;
}

// (b - a) x (c - a) . (q - a): the sign tells on which side of the triangle q is.
static mjtNum side(const mjtNum a[3], const mjtNum b[3], const mjtNum c[3], const mjtNum q[3]) {
  mjtNum ab[3], ac[3], aq[3], n[3];
  v3_sub(ab, b, a);
  v3_sub(ac, c, a);
  v3_sub(aq, q, a);
  v3_cross(n, ab, ac);
  return v3_dot(n, aq);
}

// The order of five vertices in which two pyramids on the first three, with the others as apexes,
// are convex. Of five points in convex position either the segment from 3 to 4 meets the triangle
// (0, 1, 2), or an edge (q, r) of it meets the triangle of the three others.
static void order_pyramids(int order[5], const Vertex* v) {
  for (int i = 0; i < 5; i++) {
    order[i] = i;
  }
  for (int i = 0; i < 3; i++) {
    const int q = i, r = (i + 1) % 3, other = (i + 2) % 3;
    if (side(v[3].w, v[q].w, v[r].w, v[4].w) * side(v[3].w, v[q].w, v[r].w, v[other].w) < 0) {
      const int turned[5] = {3, other, 4, q, r};
      memcpy(order, turned, sizeof(turned));
    }
  }
}

// Two pyramids back to back on the triangle of the first three vertices, with apexes S(n) and
// S(-n), n its normal. By the later rule they are on another triangle of the five vertices where
// these would not be convex.
static int start_triangle(Polytope* p, ConvexShape* a, ConvexShape* b, int later) {
  static const int face[6][3] = {{3, 0, 1}, {3, 2, 0}, {3, 1, 2}, {4, 1, 0}, {4, 0, 2}, {4, 2, 1}};
  const mjtNum *v1 = p->vert[0].w, *v2 = p->vert[1].w, *v3 = p->vert[2].w;
  mjtNum e1[3], e2[3], up[3], down[3];
  v3_sub(e1, v2, v1);
  v3_sub(e2, v3, v1);
  v3_cross(up, e1, e2);
  if (v3_norm(up) < mjMINVAL) {
    return 0;
  }
  v3_scl(down, up, -1);
  p->nvert = 4;
  support_towards(p, a, b, down);
  p->nvert = 3;
  support_towards(p, a, b, up);
  p->nvert = 5;
  if (in_triangle(v1, v2, v3, p->vert[3].w) || in_triangle(v1, v2, v3, p->vert[4].w)) {
    return 0;
  }
  int order[5] = {0, 1, 2, 3, 4}, ordered[6][3];
  if (later) {
    order_pyramids(order, p->vert);
  }
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k < 3; k++) {
      ordered[i][k] = order[face[i][k]];
    }
  }
  p->nface = 0;
  if (!add_faces(p, (const int(*)[3])ordered, 6, later)) {
    return 0;
  }
  close_polytope(p, pyramids);
  return 1;
}

// Starts again from the triangle of the last face, which touches the origin or is degenerate.
static int restart(Polytope* p, ConvexShape* a, ConvexShape* b, int later) {
  const Face* f = p->face + p->nface - 1;
  Vertex v[3] = {p->vert[f->vert[0]], p->vert[f->vert[1]], p->vert[f->vert[2]]};
  memcpy(p->vert, v, sizeof(v));
  return start_triangle(p, a, b, later);
}

// The tetrahedron of GJK, if the origin is inside: n . (0 - v) and n . (v_4 - v) have one sign at
// every face.
INLINE int start_tetrahedron(Polytope* p, ConvexShape* a, ConvexShape* b, int later) {
  static const int face[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {3, 2, 1}};
  static const int next[4][3] = {{SIDE(1, 2), SIDE(3, 1), SIDE(2, 0)},
                                 {SIDE(2, 2), SIDE(3, 2), SIDE(0, 0)},
                                 {SIDE(0, 2), SIDE(3, 0), SIDE(1, 0)},
                                 {SIDE(2, 1), SIDE(0, 1), SIDE(1, 1)}};
  static const int opposite[4] = {3, 2, 1, 0};
  const mjtNum origin[3] = {0, 0, 0};
  if (!add_faces(p, face, 4, later)) {
    return restart(p, a, b, later);
  }
  for (int i = 0; i < 4; i++) {
    const mjtNum *v1 = p->vert[face[i][0]].w, *v2 = p->vert[face[i][1]].w,
                 *v3 = p->vert[face[i][2]].w;
    if (!(side(v1, v2, v3, origin) * side(v1, v2, v3, p->vert[opposite[i]].w) > 0)) {
      return 0;
    }
  }
  close_polytope(p, next);
  return 1;
}

// Rotation about an axis of any length, by rows:
//
//     R = c 1 + s [u]x + (1 - c) u u'     u the unit axis
static void rotation_about(mjtNum mat[9], const mjtNum axis[3], mjtNum cosine, mjtNum sine) {
  const mjtNum norm = v3_norm(axis), rest = 1 - cosine;
  const mjtNum x = axis[0] / norm, y = axis[1] / norm, z = axis[2] / norm;
  const mjtNum row[9] = {cosine + x * x * rest,   x * y * rest - z * sine, x * z * rest + y * sine,
                         y * x * rest + z * sine, cosine + y * y * rest,   y * z * rest - x * sine,
                         z * x * rest - y * sine, z * y * rest + x * sine, cosine + z * z * rest};
  m3_copy(mat, row);
}

// Two pyramids back to back, whose apexes are the ends of the segment. The common triangle has the
// supports S(u) as corners, in directions u at 0, 120 and 240 degrees around the segment.
static int start_segment(Polytope* p, ConvexShape* a, ConvexShape* b, int later) {
  static const int face[6][3] = {{0, 2, 3}, {0, 4, 2}, {0, 3, 4}, {1, 3, 2}, {1, 2, 4}, {1, 4, 3}};
  mjtNum dir[3], axis[3] = {0, 0, 0}, around[3][3];
  v3_sub(dir, p->vert[1].w, p->vert[0].w);
  int k = 0;
  for (int i = 1; i < 3; i++) {
    k = mju_abs(dir[i]) < mju_abs(dir[k]) ? i : k;
  }
  axis[k] = 1;
  v3_cross(around[0], axis, dir);

  mjtNum turn[9];
  rotation_about(turn, dir, (mjtNum)-0.5, (mjtNum)0.86602540378);  // 120 degrees, truncated
  m3_mulv(around[1], turn, around[0]);
  m3_mulv(around[2], turn, around[1]);
  for (int i = 0; i < 3; i++) {
    support_towards(p, a, b, around[i]);
  }

  if (!add_faces(p, face, 6, later)) {
    return restart(p, a, b, later);
  }
  const mjtNum *v1 = p->vert[0].w, *v2 = p->vert[1].w;
  mjtNum s[3];
  for (int i = 0; i < 3; i++) {
    s[i] = side(v1, v2, p->vert[2 + i].w, p->vert[2 + (i + 1) % 3].w);
  }
  if (!((s[0] >= 0 && s[1] >= 0 && s[2] >= 0) || (s[0] <= 0 && s[1] <= 0 && s[2] <= 0))) {
    return 0;
  }
  close_polytope(p, pyramids);
  return 1;
}

// The height from which on a vertex sees a face: mjMINVAL, scaled down for shapes below a
// millimetre, whose vertices would otherwise see no face.
static mjtNum least_seen(const Polytope* p) {
  const mjtNum small = (mjtNum)1e-3;
  return (mjtNum)mjMINVAL * num_min(1, furthest_square(p) / (small * small));
}

// Deletes the face `seen` and, depth first, all connected faces that w sees. The edges between
// deleted and remaining faces are the horizon.
INLINE void find_horizon(Polytope* p, const mjtNum w[3], int seen) {
  static const int following[4] = {1, 2, 0, 0};
  int num = 0;
  p->nhorizon = 0;
  delete_face(p, seen);
  for (int i = 2; i >= 0; i--) {
    p->todo[num++] = p->face[seen].next[i];
  }
  while (num) {
    int side = p->todo[--num], f = side / 4, second = following[side % 4];
    Face* face = p->face + f;
    if (face->candidate == DELETED) {
      continue;
    }
    if (v3_dot(face->near, w) - face->offset > p->seen) {
      delete_face(p, f);
      p->todo[num++] = face->next[following[second]];
      p->todo[num++] = face->next[second];
    } else {
      p->horizon[p->nhorizon++].side = side;
    }
  }
}

// Joins vertex w to the horizon. Faces nearer than lower2 or further than upper2 don't become
// candidates. Returns 0 if a face is degenerate.
INLINE int join_horizon(Polytope* p, int w, mjtNum lower2, mjtNum upper2, const int later) {
  int num = p->nhorizon;
  for (int i = 0; i < num; i++) {
    p->horizon[i].across = p->nunused ? p->unused[--p->nunused] : p->nface++;
  }
  int before = p->horizon[num - 1].across;
  int last = p->face[p->horizon[num - 1].side / 4].vert[(p->horizon[num - 1].side % 4 + 1) % 3];
  for (int i = 0; i < num; i++) {
    int below = p->horizon[i].side / 4, edge = p->horizon[i].side % 4, place = p->horizon[i].across;
    int from = p->face[below].vert[edge], to = p->face[below].vert[(edge + 1) % 3];
    mjtNum dist2 = add_face(p, place, w, to, from, later);
    if (dist2 == 0) {
      return 0;
    }
    Face* f = p->face + place;
    // in a horizon that crosses itself two successive edges may end at the same vertex
    f->next[0] = SIDE(before, to == last ? 1 : 2);
    f->next[1] = p->horizon[i].side;
    f->next[2] = SIDE(p->horizon[i + 1 < num ? i + 1 : 0].across, 0);
    p->face[below].next[edge] = SIDE(place, 1);
    before = place;
    last = to;
    // no branch: it would be mispredicted
    int within = (dist2 >= lower2) & (dist2 <= upper2);
    p->candidate[p->ncandidate] = place;
    p->dist2[p->ncandidate] = dist2;
    f->candidate = within ? p->ncandidate : NO_CANDIDATE;
    p->ncandidate += within;
  }
  return 1;
}

static int is_known(const Polytope* p, const Vertex* w) {
  for (int i = 0; i < p->nvert; i++) {
    if (p->vert[i].ia == w->ia && p->vert[i].ib == w->ib) {
      return 1;
    }
  }
  return 0;
}

// The candidate nearest to the origin, and its squared distance; -1 and FAR2 if there is none.
INLINE int nearest_candidate(mjtNum* dist2, const Polytope* p) {
  int best = -1;
  mjtNum least = FAR2;
  for (int i = 0; i < p->ncandidate; i++) {
    best = p->dist2[i] < least ? i : best;
    least = p->dist2[i] < least ? p->dist2[i] : least;
  }
  *dist2 = least;
  return best < 0 ? -1 : p->candidate[best];
}

// Grows the polytope until the bounds of the depth are equal to the tolerance. The point g of a
// face's plane nearest to the origin and the support point w in that direction give
//
//     min over faces |g|  <=  depth  <=  min over steps g.w / |g|
//
// The later rule ends only at a step whose own g.w / |g| is that near to |g|. nearest: the face
// nearest to the origin. Returns 0 on failure.
INLINE int grow(Face* nearest, Polytope* p, const Gjk* g, ConvexShape* a, ConvexShape* b,
                int iterations, const int later) {
  mjtNum tolerance = g->discrete ? mjMINVAL : g->tolerance;
  mjtNum upper = mjMAXVAL, upper2 = FAR2;
  int made = p->nface;
  p->seen = least_seen(p);

  for (int k = 0; k < iterations; k++) {
    mjtNum lower2;
    int best = nearest_candidate(&lower2, p);
    if (best < 0 || lower2 > upper2) {
      return k > 0;
    }
    v3_copy(nearest->near, p->face[best].near);
    memcpy(nearest->vert, p->face[best].vert, sizeof(nearest->vert));
    nearest->offset = p->face[best].offset;
    if (lower2 <= 0) {
      return 1;
    }

    // the boundary of A - B lies between this face and the parallel plane through the support w
    mjtNum lower = mju_sqrt(lower2);
    int w = support_along(p, a, b, nearest->near, lower);
    mjtNum reach = v3_dot(nearest->near, p->vert[w].w) / lower;
    if (reach < upper) {
      upper = reach;
      upper2 = upper * upper;
    }
    if ((later ? reach : upper) - lower < tolerance) {
      return 1;
    }
    if (g->discrete) {
      p->nvert--;
      int known = is_known(p, p->vert + w);
      p->nvert++;
      if (known) {
        return 1;
      }
    }

    // w is a new vertex of the boundary: faces from it to the horizon replace those that it sees
    find_horizon(p, p->vert[w].w, best);
    if (p->nhorizon < 3) {
      return 0;
    }
    made += p->nhorizon;
    if (made > MAX_FACES) {
      return 1;
    }
    if (!join_horizon(p, w, lower2, upper2, later)) {
      return 0;
    }
    if (!p->ncandidate) {
      return 1;
    }
  }
  return iterations > 0;
}

mjtNum epa_points(Gjk* g, const mjtNum near[3]) {
  const Vertex* v = g->vert;
  g->num = 3;
  double weight[3], area = g->later ? triangle_shares(weight, v[0].w, v[1].w, v[2].w, near)
                                    : triangle_weights(weight, v[0].w, v[1].w, v[2].w, near);
  mjtNum least = 1;
  v3_zero(g->x1);
  v3_zero(g->x2);
  for (int i = 0; i < 3; i++) {
    mjtNum part = (mjtNum)(weight[i] / area);
    v3_addtoscl(g->x1, v[i].a, part);
    v3_addtoscl(g->x2, v[i].b, part);
    least = num_min(least, part);
  }
  return least;
}

INLINE mjtNum search(Gjk* g, Polytope* p, ConvexShape* a, ConvexShape* b, int iterations,
                     const int later) {
  p->nvert = g->num;
  memcpy(p->vert, g->vert, (size_t)g->num * sizeof(Vertex));
  int ok = g->num == 2   ? start_segment(p, a, b, later)
           : g->num == 3 ? start_triangle(p, a, b, later)
                         : start_tetrahedron(p, a, b, later);
  Face f;
  if (!ok || !grow(&f, p, g, a, b, iterations, later)) {
    return 0;
  }

  for (int i = 0; i < 3; i++) {
    g->vert[i] = p->vert[f.vert[i]];
  }
  if (f.offset < 0) {
    v3_scl(f.near, f.near, -1);
  }
  epa_points(g, f.near);
  return mju_sqrt(mju_abs(f.offset));
}

KERNEL static mjtNum search_depth(Gjk* g, Polytope* p, ConvexShape* a, ConvexShape* b,
                                  int iterations) {
  return g->later ? search(g, p, a, b, iterations, 1) : search(g, p, a, b, iterations, 0);
}

// min |g| over faces <= depth <= min g . w / |g|, g the nearest point of a face, w = S(g)
mjtNum epa_depth(Gjk* g, mjData* d, ConvexShape* a, ConvexShape* b) {
  int iterations = int_max(0, int_min(g->iterations, EPA_ITERATIONS));
  size_t top = arena_top(d);
  Polytope p = {0};
  mjtNum depth = 0;
  if (make_room(&p, d, iterations)) {
    depth = search_depth(g, &p, a, b, iterations);
  } else {
    mj_warning(d, mjWARN_CONTACTFULL, d->ncon);
  }
  arena_pop(d, top);
  // rounding may leave the origin outside of the start polytope if the shapes hardly touch; the
  // search then ends at an arbitrary face. So a depth clearly above GJK's upper bound is dropped
  const mjtNum clearly = (1 + (mjtNum)1e-6) * g->overlap + 1000 * g->tolerance;
  return depth > clearly ? 0 : depth;
}
