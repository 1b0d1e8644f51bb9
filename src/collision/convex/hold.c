// In the frame of one shape a vertex of A - B moves by no more than
//
//     m = |R' - R| r + |p' - p|        R, p: axes and centre of the other shape, r: its radius
//
// Let S be a closed surface in A - B around the origin, F its nearest face, of distance d, and e
// the distance of the next one. Let each point of S go straight from where it was to where it is. A
// point of another face than F does not pass the origin if m < e. Nor does one of F if F is before
// the origin along some direction v in both poses: along the normal if F is in a face of a shape,
// in whose frame it does not turn. Then S is still around the origin, and each way out of it leads
// through F or through a face further away than d'. If A - B lies below the plane of F, whose
// distance is now d', then d' is the depth.

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: results are a function of the state alone

#include "collision/convex/hold.h"

#include <math.h>
#include <string.h>

#include "base/algebra/simd.h"
#include "collision/convex/feature.h"
#include "collision/convex/support_cache.h"

// Heights, relative to the size of both shapes.
static const mjtNum TIE = (mjtNum)2e-14;    // up to which vertices are in one face
static const mjtNum CLEAR = (mjtNum)1e-10;  // from which on they are not
static const mjtNum LEAST = (mjtNum)1e-9;   // of depths

// After so many proofs in a row that failed, holds are taken only once in a while: the shapes move
// too fast.
enum {
  MISSES = 3,
  IDLE = 15
};

// B in the frame of A.
typedef struct Relative {
  mjtNum mat[9], pos[3];
} Relative;

INLINE void place(Relative* r, const ConvexShape* a, const ConvexShape* b) {
  mjtNum gap[3];
  v3_sub(gap, b->pos, a->pos);
  m3_tmulv(r->pos, a->mat, gap);
  for (int j = 0; j < 3; j++) {
    const mjtNum column[3] = {b->mat[j], b->mat[3 + j], b->mat[6 + j]};
    mjtNum local[3];
    m3_tmulv(local, a->mat, column);
    for (int i = 0; i < 3; i++) {
      r->mat[3 * i + j] = local[i];
    }
  }
}

static mjtNum size_of(const ConvexShape* a, const ConvexShape* b) {
  return v3_norm(a->size) + v3_norm(b->size);
}

// Where the vertices of a shape are: of a mesh those of its table, of a box those of its size.
typedef struct Corners {
  const SupportTable* table;  // NULL for a box
  mjtNum size[3];
  int is_known;
} Corners;

static Corners corners_of(const mjData* d, const ConvexShape* s) {
  Corners c = {.is_known = shape_is_box(s)};
  const SupportPoints* points = c.is_known ? NULL : support_cache_copy(d, s, 0);
  c.table = points ? points->table : NULL;
  c.is_known |= c.table != NULL;
  v3_copy(c.size, s->size);
  return c;
}

INLINE void corner_at(mjtNum v[3], const Corners* c, int id) {
  if (c->table) {
    const float* x = c->table->point + 4 * (size_t)id;
    v3_set(v, x[0], x[1], x[2]);
  } else {
    const mjtNum* s = c->size;
    v3_set(v, id & 1 ? s[0] : -s[0], id & 2 ? s[1] : -s[1], id & 4 ? s[2] : -s[2]);
  }
}

// The vertices that may be the highest along l: all of a box.
typedef struct Candidates {
  const int* id;  // NULL: 0, 1, 2 ...
  int num;
} Candidates;

static Candidates candidates_of(const Corners* c, const mjtNum l[3]) {
  if (!c->table) {
    return (Candidates){NULL, 8};
  }
  const int cell = support_table_cell(c->table, l), first = c->table->first[cell];
  return (Candidates){c->table->vertex + first, c->table->first[cell + 1] - first};
}

INLINE mjtNum height_of(const Corners* c, int id, const mjtNum l[3]) {
  mjtNum v[3];
  corner_at(v, c, id);
  return v3_dot(l, v);
}

// a - b of two vertices.
INLINE void difference(mjtNum w[3], const Corners corners[2], const Relative* r,
                       const uint16_t vertex[2]) {
  mjtNum a[3], b[3];
  corner_at(a, corners, vertex[0]);
  corner_at(b, corners + 1, vertex[1]);
  for (int i = 0; i < 3; i++) {
    const mjtNum* row = r->mat + 3 * i;
    w[i] = a[i] - (row[0] * b[0] + row[1] * b[1] + row[2] * b[2] + r->pos[i]);
  }
}

// The distance of a face's plane from the origin, negative if that is outside.
INLINE mjtNum face_distance(const mjtNum o[3], const mjtNum p[3], const mjtNum q[3]) {
  mjtNum e[3], f[3], n[3];
  v3_sub(e, p, o);
  v3_sub(f, q, o);
  v3_cross(n, e, f);
  return v3_dot(n, o) / mju_sqrt(v3_dot(n, n));
}

// Whether all vertices but those with these ids, which are as high, are clearly lower along l.
static int are_highest(const Corners* t, const mjtNum l[3], const int id[2], mjtNum size) {
  const mjtNum top = height_of(t, id[0], l);
  const Candidates all = candidates_of(t, l);
  for (int i = 0; i < all.num; i++) {
    const int k = all.id ? all.id[i] : i;
    if (k != id[0] && k != id[1] && !(height_of(t, k, l) < top - CLEAR * size)) {
      return 0;
    }
  }
  return mju_abs(height_of(t, id[1], l) - top) <= TIE * size;
}

// Whether each vertex is in the face of a corner, whose normal is l, or clearly below.
static int is_definite(const Corners* t, const mjtNum l[3], int corner, mjtNum size) {
  const mjtNum top = height_of(t, corner, l);
  const Candidates all = candidates_of(t, l);
  for (int i = 0; i < all.num; i++) {
    const mjtNum below = top - height_of(t, all.id ? all.id[i] : i, l);
    if (!(below > CLEAR * size) && !(mju_abs(below) <= TIE * size)) {
      return 0;
    }
  }
  return 1;
}

// Directions along which A and B touch, in their frames: n, -R' n.
typedef struct Along {
  mjtNum l[2][3];
} Along;

static Along along(const mjtNum n[3], const Relative* r) {
  Along out;
  v3_copy(out.l[0], n);
  m3_tmulv(out.l[1], r->mat, n);
  v3_scl(out.l[1], out.l[1], -1);
  return out;
}

// Whether the shapes touch in the corners of a feature alone. The face of one is the same in all
// poses and was looked at when it was taken.
static int touch_there(const Corners corners[2], const Along* n, const uint16_t corner[3][2],
                       mjtNum size) {
  const TouchKind kind = touch_kind(corner);
  for (int of = 0; of < 2; of++) {
    if (kind == (of ? TOUCH_FACE_OF_B : TOUCH_FACE_OF_A)) {
      continue;
    }
    const int id[2] = {corner[0][of], corner[kind == TOUCH_EDGES ? 1 + of : 0][of]};
    if (!are_highest(corners + of, n->l[of], id, size)) {
      return 0;
    }
  }
  return 1;
}

// Whether a vertex of A - B is in the plane of the feature however the shapes move.
static int is_of_feature(const Corners corners[2], const Along* n, const uint16_t corner[3][2],
                         const uint16_t vertex[2], mjtNum size) {
  const TouchKind kind = touch_kind(corner);
  if (kind == TOUCH_EDGES) {
    return (vertex[0] == corner[0][0] || vertex[0] == corner[1][0]) &&
           (vertex[1] == corner[0][1] || vertex[1] == corner[2][1]);
  }
  const int of = kind == TOUCH_FACE_OF_B;
  const mjtNum* l = n->l[of];
  return vertex[!of] == corner[0][!of] &&
         mju_abs(height_of(corners + of, vertex[of], l) -
                 height_of(corners + of, corner[0][of], l)) <= TIE * size;
}

// Puts a face into the list of the nearest, the last of which goes out of it into the room.
static void add_near(Hold* h, mjtNum x, const Touch* t, uint32_t corner) {
  mjtNum* dist = h->dist;
  int k = h->nnear;
  if (k == HOLD_NEAR) {
    if (!(x < dist[k - 1])) {
      h->room = x < h->room ? x : h->room;
      return;
    }
    h->room = dist[--k];
  } else {
    h->nnear++;
  }
  for (; k > 0 && dist[k - 1] > x; k--) {
    dist[k] = dist[k - 1];
    memcpy(h->near[k], h->near[k - 1], sizeof(h->near[k]));
  }
  dist[k] = x;
  for (int i = 0; i < 3; i++) {
    memcpy(h->near[k][i], t->vertex[corner >> 8 * i & 0xff], sizeof(h->near[k][i]));
  }
}

void hold_take(const Gjk* g, const mjData* d, const ConvexShape* a, const ConvexShape* b,
               mjtNum depth) {
  const Touch* t = g->touch;
  Hold* h = t ? t->hold : NULL;
  if (!h) {
    return;
  }
  const Corners corners[2] = {corners_of(d, a), corners_of(d, b)};
  h->nnear = -1;
  if (h->idle) {
    h->idle--;
    return;
  }
  if (!t->nface || g->num != 3 || !corners[0].is_known || !corners[1].is_known) {
    return;
  }
  Relative r;
  place(&r, a, b);
  const mjtNum size = size_of(a, b);
  for (int k = 0; k < 3; k++) {
    h->vertex[k][0] = (uint16_t)g->vert[k].ia;
    h->vertex[k][1] = (uint16_t)g->vert[k].ib;
  }
  mjtNum out[3], n[3], same;
  Gjk again = *g;
  v3_sub(out, g->x1, g->x2);
  if (!feature_again(&same, n, &again, a, b, (const uint16_t(*)[2])h->vertex, out)) {
    return;
  }
  m3_tmulv(h->n, a->mat, n);
  const Along n_of = along(h->n, &r);
  const TouchKind kind = touch_kind((const uint16_t(*)[2])h->vertex);
  const int of = kind == TOUCH_FACE_OF_B;
  if (!(depth > LEAST * size) ||
      (kind != TOUCH_EDGES && !is_definite(corners + of, n_of.l[of], h->vertex[0][of], size))) {
    return;
  }
  mjtNum w[TOUCH_VERTS][3];
  unsigned flush = 0;
  for (int i = 0; i < t->nvert; i++) {
    difference(w[i], corners, &r, t->vertex[i]);
    flush |=
        (unsigned)is_of_feature(corners, &n_of, (const uint16_t(*)[2])h->vertex, t->vertex[i], size)
        << i;
  }
  h->nnear = 0;
  h->room = INFINITY;
  for (int f = 0; f < t->nface; f++) {
    const uint32_t c = t->corner[f];
    const int i = c & 0xff, j = c >> 8 & 0xff, k = c >> 16 & 0xff;
    if (flush >> i & flush >> j & flush >> k & 1) {
      continue;
    }
    const mjtNum x = face_distance(w[i], w[j], w[k]);
    if (!(x > depth)) {
      h->nnear = -1;
      return;
    }
    add_near(h, x, t, c);
  }
  h->next = h->nnear ? h->dist[0] : h->room;
  memcpy(h->pose, &r, sizeof(r));
}

// The radius about its centre in which a mesh lies.
static mjtNum radius_of(const ConvexShape* s, int geom) {
  const mjtNum* box = s->model->geom_aabb + 6 * (size_t)geom;
  mjtNum sum = 0;
  for (int i = 0; i < 3; i++) {
    const mjtNum x = mju_abs(box[i]) + box[3 + i];
    sum += x * x;
  }
  return mju_sqrt(sum);
}

// How far vertices of A - B have moved at most: in the frame of A, or of B.
static mjtNum motion_since(const Hold* h, const Relative* r, int in_b, mjtNum radius) {
  const Relative* old = (const Relative*)(const void*)h->pose;
  mjtNum turn = 0, from[3], to[3];
  for (int i = 0; i < 9; i++) {
    turn += (r->mat[i] - old->mat[i]) * (r->mat[i] - old->mat[i]);
  }
  v3_copy(from, old->pos);
  v3_copy(to, r->pos);
  if (in_b) {
    m3_tmulv(from, old->mat, old->pos);
    m3_tmulv(to, r->mat, r->pos);
  }
  return mju_sqrt(turn) * radius + v3_dist(from, to);
}

// Whether the four corners of two edges were before the origin along a direction along which they
// are. n: their normal, in the frame of A.
static int stays_before(const Hold* h, const Corners corners[2], const Relative* r,
                        const mjtNum n[3]) {
  const Relative* old = (const Relative*)(const void*)h->pose;
  mjtNum v[3], w[3];
  v3_add(v, n, h->n);
  for (int i = 0; i < 4; i++) {
    const uint16_t corner[2] = {h->vertex[i & 1][0], h->vertex[i & 2][1]};
    difference(w, corners, old, corner);
    if (!(v3_dot(v, w) > 0)) {
      return 0;
    }
    difference(w, corners, r, corner);
    if (!(v3_dot(v, w) > 0)) {
      return 0;
    }
  }
  return 1;
}

static int tells(mjtNum* depth, Gjk* g, const mjData* d, const ConvexShape* a,
                 const ConvexShape* b) {
  const Hold* h = g->touch->hold;
  const Corners corners[2] = {corners_of(d, a), corners_of(d, b)};
  const mjtNum size = size_of(a, b);
  const TouchKind kind = touch_kind((const uint16_t(*)[2])h->vertex);
  const int in_b = kind == TOUCH_FACE_OF_B;
  Relative r;
  place(&r, a, b);
  const mjtNum slack = CLEAR * size, radius = radius_of(in_b ? a : b, g->geom[!in_b]);
  const mjtNum motion = motion_since(h, &r, in_b, radius) + slack;
  mjtNum before[3], n[3], l[3];
  m3_mulv(before, a->mat, h->n);
  if (!corners[0].is_known || !corners[1].is_known || !(motion < h->next) ||
      !feature_again(depth, n, g, a, b, (const uint16_t(*)[2])h->vertex, before)) {
    return 0;
  }
  m3_tmulv(l, a->mat, n);
  if (!(v3_dot(l, h->n) > (mjtNum)0.5) || !(*depth > LEAST * size) ||
      !(*depth < h->room - motion) || (kind == TOUCH_EDGES && !stays_before(h, corners, &r, l))) {
    return 0;
  }
  // what was further away than the shapes have moved is not looked at
  for (int k = 0; k < h->nnear && !(*depth < h->dist[k] - motion); k++) {
    mjtNum w[3][3];
    for (int i = 0; i < 3; i++) {
      difference(w[i], corners, &r, h->near[k][i]);
    }
    if (!(face_distance(w[0], w[1], w[2]) > *depth + slack)) {
      return 0;
    }
  }
  const Along n_of = along(l, &r);
  return touch_there(corners, &n_of, (const uint16_t(*)[2])h->vertex, size);
}

int hold_tells(mjtNum* depth, Gjk* g, const mjData* d, const ConvexShape* a, const ConvexShape* b) {
  Hold* h = g->touch->hold;
  if (!h || h->nnear < 0) {
    return 0;
  }
  if (tells(depth, g, d, a, b)) {
    h->misses = 0;
    return 1;
  }
  h->misses++;
  h->idle = h->misses < MISSES ? 0 : IDLE;
  h->misses = h->misses < MISSES ? h->misses : MISSES - 1;
  return 0;
}
