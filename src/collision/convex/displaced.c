// Depth by displacement: a copy of B that is turned and moved by very little has nearly the same
// depth as B, but EPA has no degenerate start there. Descents over directions then reduce that
// depth to the least overlap of the true pose, because EPA would need too many faces where a
// surface is round about its deepest point.
//
// What each search contributes: if it is left out, how many depths are wrong by more than 1e-4 of
// the smaller shape's radius, and the largest error. Of 21,622 random pairs with coinciding
// centres:
//
//   improve  774  8e-1   try_axes        595  4e-1   descend_everywhere  7  1e-2
//                        try_near_faces    4  2e-3   follow_edges        3  2e-3
//                        descend_across    1  1e-4   the spiral          2  2e-3
//
// Of 3,459 pairs with very thin shapes or with centres on a grid: descend_across 10, 3e-1;
// follow_edges 7, 2e-3; try_all_faces 3, 2e-3.

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include "collision/convex/displaced.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "base/algebra/elementary.h"
#include "collision/convex/epa.h"

enum {
  COPIES = 3,       // displaced copies to search before giving up with a warning
  DESCENT = 500,    // steps of one descent before it ends unconverged
  HALVINGS = 40,    // how often one step may be halved until the overlap falls
  SPREAD = 200,     // directions all round the sphere
  STARTS = 16,      // descents start from this many of them, those of least overlap
  EDGES = 4,        // edges of a polytope that are followed one after the other
  MOST_FACES = 500  // a polytope with more faces is not tried face by face
};

// The limit on n.n of faces (m^4). In double precision it leaves room for shapes of size mjMAXVAL.
static const mjtNum WIDE_NORMAL = (mjtNum)(sizeof(mjtNum) == sizeof(double) ? 1e45 : 1e20);

// Depth by GJK and EPA; 0 if the shapes don't overlap, or if the searches have no simplex or
// polytope to start from.
static mjtNum try_depth(Gjk* g, mjData* d, ConvexShape* a, ConvexShape* b) {
  int overlap = gjk_distance(g, a, b) <= g->tolerance && g->num > 1;
  return overlap ? epa_depth(g, d, a, b) : 0;
}

// Whether A and B overlap by more than a length. Four copies of B are moved towards the corners of
// a tetrahedron; whatever the shortest way out, one copy moves along it by more than half of the
// length and comes apart if the shapes just touch. EPA must not see such shapes: it may report the
// depth of a face far away. No search is needed where a direction is known in which the shapes
// overlap by less: one of the corners is within 55 degrees of it.
static int is_deep(const Gjk* g, ConvexShape* a, const ConvexShape* b, mjtNum length) {
  if (g->overlap < length / 2 - g->tolerance) {
    return 0;
  }
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

// A unit direction u, the vertex w of A - B furthest along it, and the overlap along u:
//
//     e(u) = max over w in A - B of u.w >= depth
typedef struct Direction {
  mjtNum u[3], e;
  Vertex w;
} Direction;

// Takes the direction as the best one if its overlap is less; returns whether it is.
static int try_direction(Direction* best, ConvexShape* a, ConvexShape* b,
                         const mjtNum direction[3]) {
  Direction way;
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

// Tries the axes of both shapes and the cross products of each two of them: aligned surfaces have
// creases of e(u) there, where a descent would stop.
static void try_axes(Direction* best, ConvexShape* a, ConvexShape* b) {
  mjtNum axis[6][3], way[3];
  for (int i = 0; i < 6; i++) {
    const mjtNum* mat = i < 3 ? a->mat : b->mat;
    v3_set(axis[i], mat[i % 3], mat[3 + i % 3], mat[6 + i % 3]);
  }
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j <= i; j++) {
      v3_cross(way, axis[i], axis[j]);
      v3_copy(way, i == j ? axis[i] : way);
      try_direction(best, a, b, way);
      v3_scl(way, way, -1);
      try_direction(best, a, b, way);
    }
  }
}

// The gradient of e(u) on the unit sphere, t = w - (u.w) u; if an axis is given, only the part
// normal to it.
static void gradient(mjtNum t[3], const Direction* way, const mjtNum* axis) {
  v3_addscl(t, way->w.w, way->u, -way->e);
  if (axis) {
    v3_addtoscl(t, axis, -v3_dot(t, axis));
  }
}

// Gradient descent of e(u) on the unit sphere. If an axis is given, u stays normal to it: round
// surfaces have creases of e(u) there. The length of a step is s.s / s.dt from the last step s = du
// and the change dt of the gradient (Barzilai and Borwein, 1988), halved until e falls. Returns
// whether the descent ends where the gradient is zero to rounding, not in a crease.
static int descend(Direction* best, ConvexShape* a, ConvexShape* b, mjtNum size,
                   const mjtNum* axis) {
  mjtNum t[3], step = 1 / size;
  gradient(t, best, axis);
  for (int i = 0; i < DESCENT; i++) {
    if (v3_norm(t) < (mjtNum)1e-6 * size) {
      return 1;
    }
    Direction last = *best;
    mjtNum to[3], before[3], s[3], change[3];
    int down = 0;
    for (int k = 0; k < HALVINGS && !down; k++, step /= 2) {
      v3_addscl(to, last.u, t, -step);
      down = try_direction(best, a, b, to);
    }
    if (!down) {
      return 0;
    }
    v3_copy(before, t);
    gradient(t, best, axis);
    v3_sub(s, best->u, last.u);
    v3_sub(change, t, before);
    mjtNum ss = v3_dot(s, s), curved = v3_dot(s, change);
    step = curved > 0 ? num_min(ss / curved, 8 * step) : 4 * step;
  }
  return 0;
}

// Descends among directions normal to the axis of a shape, from the projection of the best one. The
// furthest end of a capsule or cylinder changes there, so e(u) has a crease. *ends: whether the
// best direction has a zero gradient.
static void descend_across(Direction* best, int* ends, ConvexShape* a, ConvexShape* b, mjtNum size,
                           const ConvexShape* of) {
  const mjtNum axis[3] = {of->mat[2], of->mat[5], of->mat[8]};
  Direction way = {.e = mjMAXVAL};
  mjtNum u[3];
  v3_addscl(u, best->u, axis, -v3_dot(best->u, axis));
  if (try_direction(&way, a, b, u)) {
    int ended = descend(&way, a, b, size, axis);
    if (way.e < best->e) {
      *best = way;
      *ends = ended;
    }
  }
}

// Tries the normal of a face of shape s as a direction out of A: normals of B are negated.
static void try_face(Direction* best, ConvexShape* a, ConvexShape* b, const ConvexShape* s,
                     int face) {
  mjtNum n[3];
  s->kind->facets->normal(n, s, face);
  m3_mulv(n, s->mat, n);
  v3_scl(n, n, s == a ? 1 : -1);
  try_direction(best, a, b, n);
}

// Tries the faces of a polytope around the vertices where the penetration search ended.
static void try_near_faces(Direction* best, const Gjk* g, ConvexShape* a, ConvexShape* b,
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

// Tries all faces of polytope s: where centres coincide and axes are parallel, each of them may
// give the depth. Returns 0 if they can't be tried, or are too many.
static int try_all_faces(Direction* best, ConvexShape* a, ConvexShape* b, const ConvexShape* s) {
  int num = s->kind->facets ? s->kind->facets->number(s) : 0, trials = num <= MOST_FACES ? num : 0;
  for (int face = 0; face < trials; face++) {
    try_face(best, a, b, s, face);
  }
  return !s->kind->facets || trials > 0;
}

// Goes on where a descent has ended in the crease between two vertices of polytope s: descends
// among directions normal to each edge at the vertex, as long as e falls.
static void follow_edges(Direction* best, ConvexShape* a, ConvexShape* b, mjtNum size,
                         const ConvexShape* s) {
  mjtNum end[MAX_FACETS][3], vertex[3], axis[3], u[3];
  for (int i = 0; s->kind->facets && i < EDGES; i++) {
    Direction way = {.e = mjMAXVAL};
    int id = s == a ? best->w.ia : best->w.ib, num = s->kind->facets->ends(end, s, id);
    // the vertex without its half of the margin
    v3_addscl(vertex, s == a ? best->w.a : best->w.b, best->u,
              (s == a ? (mjtNum)-0.5 : (mjtNum)0.5) * s->margin);
    for (int k = 0; k < num; k++) {
      shape_point(axis, s, end[k]);
      v3_subfrom(axis, vertex);
      v3_normalize(axis);
      v3_addscl(u, best->u, axis, -v3_dot(best->u, axis));
      Direction along = {.e = mjMAXVAL};
      if (try_direction(&along, a, b, u)) {
        descend(&along, a, b, size, axis);
        way = along.e < way.e ? along : way;
      }
    }
    if (!(way.e < best->e)) {
      return;
    }
    *best = way;
  }
}

// Directions where descents start, in ascending order of overlap.
typedef struct Starts {
  Direction way[STARTS];
  int num;
} Starts;

// Inserts a direction. Of directions within 14 degrees (cosine 0.97) only the one of least overlap
// stays.
static void add_start(Starts* starts, ConvexShape* a, ConvexShape* b, const mjtNum u[3]) {
  const mjtNum near = (mjtNum)0.97;
  Direction way = {.e = mjMAXVAL}, *all = starts->way;
  if (!try_direction(&way, a, b, u)) {
    return;
  }
  int place = 0;
  while (place < starts->num && !(v3_dot(all[place].u, way.u) > near)) {
    place++;
  }
  if (place == starts->num && place < STARTS) {
    starts->num++;
  } else {
    place = int_min(place, STARTS - 1);
    if (!(way.e < all[place].e)) {
      return;
    }
  }
  for (; place > 0 && way.e < all[place - 1].e; place--) {
    all[place] = all[place - 1];
  }
  all[place] = way;
}

// Descends from the STARTS directions of least overlap among SPREAD ones on a spiral round the
// sphere.
static void descend_everywhere(Direction* best, ConvexShape* a, ConvexShape* b, mjtNum size) {
  const mjtNum golden = (mjtNum)2.39996322972865332;  // the golden angle, pi (3 - sqrt 5)
  Starts starts = {.num = 0};
  mjtNum u[3];
  for (int i = 0; i < SPREAD; i++) {
    mjtNum z = 1 - (mjtNum)(2 * i + 1) / SPREAD, r = mju_sqrt(1 - z * z);
    v3_set(u, r * num_cos(golden * (mjtNum)i), r * num_sin(golden * (mjtNum)i), z);
    add_start(&starts, a, b, u);
  }
  for (int i = 0; i < starts.num; i++) {
    Direction* way = starts.way + i;
    descend(way, a, b, size, NULL);
    follow_edges(way, a, b, size, a);
    follow_edges(way, a, b, size, b);
    *best = way->e < best->e ? *way : *best;
  }
}

// Replaces EPA's depth, which is a lower bound, by the least overlap e(u) that descents and trials
// find. EPA's depth stays where descents end in a crease, unless a trial explains the crease or the
// only polytope has no face left to try.
static mjtNum improve(Gjk* g, ConvexShape* a, ConvexShape* b, mjtNum depth) {
  mjtNum size = v3_norm(a->size) + v3_norm(b->size), u[3];
  Direction best = {.e = mjMAXVAL};
  v3_sub(u, g->x1, g->x2);
  if (!try_direction(&best, a, b, u)) {
    return depth;
  }
  int ends = descend(&best, a, b, size, NULL);
  int polytopes = !!a->kind->facets + !!b->kind->facets;
  descend_across(&best, &ends, a, b, size, a);
  descend_across(&best, &ends, a, b, size, b);
  // EPA finds the face itself if both shapes are polytopes
  if (polytopes < 2) {
    descend_everywhere(&best, a, b, size);
  }
  Direction axis = {.e = mjMAXVAL};
  try_axes(&axis, a, b);
  try_near_faces(&axis, g, a, b, a);
  try_near_faces(&axis, g, a, b, b);
  int all_of_a = try_all_faces(&axis, a, b, a), all_of_b = try_all_faces(&axis, a, b, b);
  if (axis.e <= best.e + (mjtNum)1e-9 * size) {
    // a descent that ended in a crease far above this one may have missed further creases
    if (polytopes && !(all_of_a && all_of_b) && axis.e < best.e - (mjtNum)1e-6 * size) {
      return depth;
    }
    best = axis;
    descend(&best, a, b, size, NULL);
  } else if (!ends && !(polytopes == 1 && all_of_a && all_of_b)) {
    return depth;
  }
  g->vert[0] = best.w;
  g->num = 1;
  v3_copy(g->x1, best.w.a);
  v3_addscl(g->x2, g->x1, best.u, -best.e);
  return best.e;
}

// Depth of A and B, from a search that starts at a displaced copy of B. The cores are searched
// first, and their depth plus both radii is the result; the whole shapes are searched if the cores
// don't overlap.
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
  g->is_deep = is_deep(g, a, b, touch);
  if (!g->is_deep) {
    return 0;
  }
  m3_mulv(axis, a->mat, askew);
  for (int i = 1; i <= COPIES; i++) {
    ConvexShape moved = *b;
    Gjk other = *g;
    other.iterations = EPA_ITERATIONS;  // MuJoCo finds no depth here that we would have to match
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
