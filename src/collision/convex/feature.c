// Vertex and face, n: unit normal of the face out of its shape, p a corner of it, v the vertex
//
//     depth = n . (p - v),      the deepest points are v and v + depth n
//
// Two edges p + s e and q + t f, n: unit vector along e x f out of A
//
//     depth = n . (p - q),      s = (r x f) . (e x f) / |e x f|^2,   r = q + depth n - p

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: results are a function of the state alone

#include "collision/convex/feature.h"

enum {
  MOST_LEVEL = 128,  // vertices of a face
  ROUNDS = 4         // until the vertices of a face are those along its own normal
};

// Heights within this share of the size count as equal.
static const mjtNum TIE = (mjtNum)1e-13;

// Depths of one face by two triangles differ by less than this share of the size.
static const mjtNum SAME = (mjtNum)1e-9;

// The vertices of a shape that touch, in ascending order.
typedef struct Level {
  const ConvexShape* shape;
  int id[MOST_LEVEL], num;
} Level;

static void add_id(Level* level, int id) {
  int k = level->num;
  for (; k > 0 && level->id[k - 1] >= id; k--) {
    if (level->id[k - 1] == id) {
      return;
    }
  }
  for (int i = level->num; i > k; i--) {
    level->id[i] = level->id[i - 1];
  }
  level->id[k] = id;
  level->num++;
}

// The vertices about as high along u as vertex id.
static int find_level(Level* level, const ConvexShape* shape, const mjtNum u[3], int id,
                      mjtNum tie) {
  level->shape = shape;
  level->num = mesh_level(level->id, MOST_LEVEL, shape, u, id, tie);
  return level->num;
}

// The normal of a face in the frame of its shape, by three corners far from each other: the one
// with the lowest id, the one furthest from it, and the one that makes the area largest. Returns
// whether all vertices are in their plane; -1 if they are in a line.
static int face_normal(mjtNum n[3], int corner[3], const Level* face, mjtNum tie) {
  mjtNum v[MOST_LEVEL][3], arm[3], side[3], m[3], most = -1;
  for (int i = 0; i < face->num; i++) {
    mesh_vertex(v[i], face->shape, face->id[i]);
  }
  int second = 1, third = 0;
  for (int i = 1; i < face->num; i++) {
    v3_sub(arm, v[i], v[0]);
    mjtNum length = v3_dot(arm, arm);
    second = length > most ? i : second;
    most = length > most ? length : most;
  }
  v3_sub(side, v[second], v[0]);
  most = 0;
  for (int i = 1; i < face->num; i++) {
    v3_sub(arm, v[i], v[0]);
    v3_cross(m, side, arm);
    mjtNum area = v3_dot(m, m);
    if (area > most) {
      third = i;
      most = area;
      v3_copy(n, m);
    }
  }
  if (!third) {
    return -1;
  }
  v3_scl(n, n, 1 / mju_sqrt(most));
  int flat = 1;
  for (int i = 1; i < face->num; i++) {
    v3_sub(arm, v[i], v[0]);
    flat = flat && mju_abs(v3_dot(arm, n)) < 2 * tie;
  }
  corner[0] = face->id[0];
  corner[1] = face->id[second];
  corner[2] = face->id[third];
  return flat;
}

static void world_vertex(mjtNum p[3], const ConvexShape* shape, int id) {
  mjtNum v[3];
  mesh_vertex(v, shape, id);
  shape_point(p, shape, v);
}

static void set_vertex(Gjk* g, int k, const ConvexShape* a, const ConvexShape* b, int ia, int ib) {
  Vertex* w = g->vert + k;
  w->ia = ia;
  w->ib = ib;
  world_vertex(w->a, a, ia);
  world_vertex(w->b, b, ib);
  v3_sub(w->w, w->a, w->b);
}

// Turns unit normal n out of A - B, along u.
static void turn_along(mjtNum n[3], const mjtNum u[3]) {
  if (v3_dot(n, u) < 0) {
    v3_scl(n, n, -1);
  }
}

// Takes the depth along n if it is about the one known.
static int take_depth(mjtNum* depth, const mjtNum n[3], const mjtNum w[3], mjtNum size) {
  mjtNum exact = v3_dot(n, w);
  int same = mju_abs(exact - *depth) < SAME * size;
  *depth = same ? exact : *depth;
  return same;
}

// The face of a shape to which three vertices belong: all its vertices, the corners that define it
// and its normal in the world, out of A - B. side: 1 for A, -1 for B.
static int find_face(mjtNum n[3], int corner[3], Level* face, const mjtNum u[3], mjtNum side,
                     mjtNum tie) {
  const ConvexShape* shape = face->shape;
  for (int i = 0; i < ROUNDS; i++) {
    int flat = face_normal(n, corner, face, tie);
    if (flat < 0) {
      return 0;
    }
    m3_mulv(n, shape->mat, n);
    turn_along(n, u);
    mjtNum out[3];
    v3_scl(out, n, side);
    Level next;
    if (!find_level(&next, shape, out, face->id[0], tie)) {
      return 0;
    }
    if (flat && next.num == face->num &&
        !memcmp(next.id, face->id, (size_t)next.num * sizeof(next.id[0]))) {
      return 1;
    }
    *face = next;
  }
  return 0;
}

// The deepest points of a face of shape `of` (0: A, 1: B) and a vertex of the other one.
static void put_on_face(Gjk* g, int of, const mjtNum n[3], mjtNum depth) {
  if (of) {
    v3_copy(g->x1, g->vert[0].a);
    v3_addscl(g->x2, g->x1, n, -depth);
  } else {
    v3_copy(g->x2, g->vert[0].b);
    v3_addscl(g->x1, g->x2, n, depth);
  }
}

// Shape `of` has the face.
static int touch_face(mjtNum* depth, Gjk* g, Level level[2], int of, const mjtNum u[3],
                      mjtNum size) {
  mjtNum n[3], back[3];
  int corner[3], vertex = level[!of].id[0];
  if (!find_face(n, corner, level + of, u, of ? -1 : 1, TIE * size)) {
    return 0;
  }
  v3_scl(back, n, of ? 1 : -1);
  if (find_level(level + !of, level[!of].shape, back, vertex, TIE * size) != 1) {
    return 0;
  }
  Gjk other = *g;
  for (int k = 0; k < 3; k++) {
    set_vertex(&other, k, level[0].shape, level[1].shape, of ? vertex : corner[k],
               of ? corner[k] : vertex);
  }
  if (!take_depth(depth, n, other.vert[0].w, size)) {
    return 0;
  }
  *g = other;
  put_on_face(g, of, n, *depth);
  return 1;
}

// Two edges p + s e and q + t f, of which the first three vertices of a search are corners.
typedef struct Crossing {
  mjtNum e[3], f[3], across[3], square;
} Crossing;

// The unit normal of both edges along u. Returns 0 if they are about parallel.
static int cross_edges(mjtNum n[3], Crossing* c, const Gjk* g, const mjtNum u[3]) {
  const mjtNum parallel = (mjtNum)1e-6;  // sine of the angle
  v3_sub(c->e, g->vert[1].a, g->vert[0].a);
  v3_sub(c->f, g->vert[2].b, g->vert[0].b);
  v3_cross(c->across, c->e, c->f);
  c->square = v3_dot(c->across, c->across);
  if (!(c->square > parallel * parallel * v3_dot(c->e, c->e) * v3_dot(c->f, c->f))) {
    return 0;
  }
  v3_scl(n, c->across, 1 / mju_sqrt(c->square));
  turn_along(n, u);
  return 1;
}

// The deepest points of two edges.
static void put_on_edges(Gjk* g, const Crossing* c, const mjtNum n[3], mjtNum depth) {
  const mjtNum *p = g->vert[0].a, *q = g->vert[0].b;
  mjtNum r[3], x[3];
  v3_addscl(r, q, n, depth);
  v3_subfrom(r, p);
  v3_cross(x, r, c->f);
  v3_addscl(g->x1, p, c->e, v3_dot(x, c->across) / c->square);
  v3_addscl(g->x2, g->x1, n, -depth);
}

static int touch_edges(mjtNum* depth, Gjk* g, Level level[2], const mjtNum u[3], mjtNum size) {
  const ConvexShape *a = level[0].shape, *b = level[1].shape;
  Gjk other = *g;
  set_vertex(&other, 0, a, b, level[0].id[0], level[1].id[0]);
  set_vertex(&other, 1, a, b, level[0].id[1], level[1].id[0]);
  set_vertex(&other, 2, a, b, level[0].id[0], level[1].id[1]);
  Crossing crossing;
  mjtNum n[3], back[3];
  if (!cross_edges(n, &crossing, &other, u)) {
    return 0;
  }
  v3_scl(back, n, -1);
  if (find_level(level, a, n, level[0].id[0], TIE * size) != 2 ||
      find_level(level + 1, b, back, level[1].id[0], TIE * size) != 2 ||
      !take_depth(depth, n, other.vert[0].w, size)) {
    return 0;
  }
  *g = other;
  put_on_edges(g, &crossing, n, *depth);
  return 1;
}

// Whether mesh_level can tell.
static int has_levels(const ConvexShape* s) {
  return s->points || mesh_is_walked(s) || shape_is_box(s);
}

int feature_touch(mjtNum* depth, Gjk* g, const ConvexShape* a, const ConvexShape* b,
                  const mjtNum u[3]) {
  const mjtNum size = v3_norm(a->size) + v3_norm(b->size);
  Level level[2];
  level[0].shape = a;
  level[1].shape = b;
  level[0].num = level[1].num = 0;
  for (int k = 0; k < 3; k++) {
    add_id(level, g->vert[k].ia);
    add_id(level + 1, g->vert[k].ib);
  }
  const int na = level[0].num, nb = level[1].num;
  int found = 0;
  if (!has_levels(a) || !has_levels(b)) {
    return 0;
  }
  if (na == 2 && nb == 2) {
    found = touch_edges(depth, g, level, u, size);
  } else if (na + nb == 4) {
    found = touch_face(depth, g, level, na == 1, u, size);
  }
  g->num = found ? 3 : g->num;
  return found;
}

int feature_again(mjtNum* depth, mjtNum n[3], Gjk* g, const ConvexShape* a, const ConvexShape* b,
                  const uint16_t corner[3][2], const mjtNum along[3]) {
  const TouchKind kind = touch_kind(corner);
  const int of = kind == TOUCH_FACE_OF_B;
  Crossing crossing;
  g->num = 3;
  for (int k = 0; k < 3; k++) {
    set_vertex(g, k, a, b, corner[k][0], corner[k][1]);
  }
  if (kind == TOUCH_EDGES) {
    if (!cross_edges(n, &crossing, g, along)) {
      return 0;
    }
  } else {
    const ConvexShape* shape = of ? b : a;
    mjtNum v[3][3], side[3], arm[3];
    for (int k = 0; k < 3; k++) {
      mesh_vertex(v[k], shape, corner[k][of]);
    }
    v3_sub(side, v[1], v[0]);
    v3_sub(arm, v[2], v[0]);
    v3_cross(n, side, arm);
    v3_scl(n, n, 1 / mju_sqrt(v3_dot(n, n)));
    m3_mulv(n, shape->mat, n);
    turn_along(n, along);
  }
  *depth = v3_dot(n, g->vert[0].w);
  if (kind == TOUCH_EDGES) {
    put_on_edges(g, &crossing, n, *depth);
  } else {
    put_on_face(g, of, n, *depth);
  }
  return 1;
}
