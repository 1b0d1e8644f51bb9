// An incremental hull of support points of A - B, four faces per vector. A new vertex w sees the
// faces that it is above:
//
//     n . w > dist
//
// Faces from w to the horizon replace them. The horizon is the edges (p, q) of seen faces for which
// no seen face has the edge (q, p).

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include "collision/convex/hull.h"

#include <mujoco/api/base.h>
#include <stdint.h>

#include "collision/convex/feature.h"
#include "collision/convex/shape/support_points.h"
#include "collision/convex/simplex.h"

enum {
  MOST_VERTS = TOUCH_VERTS,    // one bit each in a set, a byte as a number
  MOST_FANS = 16,              // 64 faces, one bit each in a set of seen ones
  NUMBER = 4 * MOST_FANS - 1,  // bits of a face's number
  SPARE_FANS = 2,              // when fewer are left, removed faces give up their places
  MOST_EDGES = 32,
  MOST_STEPS = 60,
  BYTE = 0xff,
  FULL_SEARCH = 30  // GJK and EPA do searches that are limited to fewer iterations
};

_Static_assert((int)MOST_VERTS <= 32 && (int)TOUCH_FACES <= 4 * MOST_FANS, "sets have room");

static const mjtNum FAR = (mjtNum)1e20;  // distance that stands for "no face"

static const Simd4Mask LANES = {0, 1, 2, 3};

// Up to four faces: outward unit normals and distances of their planes from the origin.
typedef struct Fan {
  Simd4 n[3], dist;
} Fan;

typedef struct Hull {
  Fan fan[MOST_FANS];
  unsigned corner[4 * MOST_FANS];  // three vertices each, a byte for each
  Vertex vert[MOST_VERTS];
  int nvert, nfan, is_grown;
  mjtNum way[3];   // direction of the last support
  mjtNum last[3];  // the last support
  Simd4 least;     // the nearest face of each lane, see keep_nearest
  mjtNum noise;    // rounding of heights, in m
} Hull;

// out = x where the mask is set, else y.
INLINE void choose(Simd4* out, const Simd4Mask* mask, const Simd4* x, const Simd4* y) {
  *out = (Simd4)(((Simd4Mask)*x & *mask) | ((Simd4Mask)*y & ~*mask));
}

// Updates the nearest face of each lane by the faces of a fan. A key is the distance, with its last
// bits replaced by the number of the face.
INLINE void keep_nearest(Simd4* least, const Simd4* dist, int fan) {
  const Simd4Mask number = {NUMBER, NUMBER, NUMBER, NUMBER};
  Simd4 key = (Simd4)(((Simd4Mask)*dist & ~number) | (LANES + 4 * fan));
  Simd4Mask less = key < *least;
  choose(least, &less, &key, least);
}

// The nearest face of all lanes.
INLINE int nearest_face(const Simd4* lanes) {
  Simd4 least = *lanes, other = SIMD4_ORDER(least, 2, 3, 0, 1);
  Simd4Mask less = other < least;
  choose(&least, &less, &other, &least);
  other = SIMD4_ORDER(least, 1, 0, 3, 2);
  less = other < least;
  choose(&least, &less, &other, &least);
  return (int)(((Simd4Mask)least)[0] & NUMBER);
}

// Coordinates of one end of four edges.
INLINE void gather(Simd4 x[3], const Hull* h, const unsigned edge[4], int shift) {
  Simd4 v[4];
  for (int i = 0; i < 4; i++) {
    v[i] = SIMD_READ(Simd4, h->vert[edge[i] >> shift & BYTE].w);
  }
  Simd4 xy0 = SIMD4_ZIP(v[0], v[1], 0, 4, 1, 5), xy2 = SIMD4_ZIP(v[2], v[3], 0, 4, 1, 5);
  Simd4 z0 = SIMD4_ZIP(v[0], v[1], 2, 6, 3, 7), z2 = SIMD4_ZIP(v[2], v[3], 2, 6, 3, 7);
  x[0] = SIMD4_ZIP(xy0, xy2, 0, 1, 4, 5);
  x[1] = SIMD4_ZIP(xy0, xy2, 2, 3, 6, 7);
  x[2] = SIMD4_ZIP(z0, z2, 0, 1, 4, 5);
}

// Adds the last `used` faces of the corner array, four at most, of which the array has four. o, p,
// q: their corners. Sets `flat` for lanes whose face is a sliver.
INLINE void add_fan(Simd4Mask* flat, Hull* h, const Simd4 o[3], Simd4 p[3], Simd4 q[3], int used) {
  const mjtNum sliver = (mjtNum)1e-12;  // n.n of edges of unit length
  Simd4 n[3];
  for (int k = 0; k < 3; k++) {
    p[k] -= o[k];
    q[k] -= o[k];
  }
  n[0] = p[1] * q[2] - p[2] * q[1];
  n[1] = p[2] * q[0] - p[0] * q[2];
  n[2] = p[0] * q[1] - p[1] * q[0];
  Simd4 nn = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
  Simd4 pp = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
  Simd4 qq = q[0] * q[0] + q[1] * q[1] + q[2] * q[2];
  *flat |= ~(nn > sliver * (pp * qq));
  mjtNum length[4];
  SIMD_AT(Simd4, length) = nn;
  for (int k = 0; k < 4; k++) {
    length[k] = mju_sqrt(length[k]);
  }
  Simd4 inverse = 1 / SIMD_READ(Simd4, length);
  Fan* f = h->fan + h->nfan;
  for (int k = 0; k < 3; k++) {
    f->n[k] = n[k] * inverse;
  }
  Simd4 dist = f->n[0] * o[0] + f->n[1] * o[1] + f->n[2] * o[2];
  Simd4 none = {FAR, FAR, FAR, FAR};
  Simd4Mask is_used = LANES < used;
  choose(&f->dist, &is_used, &dist, &none);
  keep_nearest(&h->least, &f->dist, h->nfan);
  h->nfan++;
}

INLINE int has_flat(const Simd4Mask* flat) {
  return ((*flat)[0] | (*flat)[1] | (*flat)[2] | (*flat)[3]) != 0;
}

// Adds the faces of vertex w with num edges; the array has room for three more. Returns 0 if a face
// is a sliver or there is no room.
INLINE int add_fans(Hull* h, int w, unsigned* edge, int num) {
  const unsigned at[4] = {(unsigned)w, (unsigned)w, (unsigned)w, (unsigned)w};
  Simd4 o[3];
  gather(o, h, at, 0);
  for (int i = 0; i < 3; i++) {
    edge[num + i] = edge[0];
  }
  Simd4Mask flat = {0};
  for (int i = 0; i < num; i += 4) {
    if (h->nfan == MOST_FANS) {
      return 0;
    }
    Simd4 p[3], q[3];
    gather(p, h, edge + i, 0);
    gather(q, h, edge + i, 8);
    for (int k = 0; k < 4; k++) {
      h->corner[4 * h->nfan + k] = (unsigned)w | edge[i + k] << 8;
    }
    add_fan(&flat, h, o, p, q, num - i);
  }
  return !has_flat(&flat);
}

// The faces of an earlier search, with their vertices where they are now. Returns 0 if a face is a
// sliver, or if there are no such vertices.
INLINE int recall(Hull* h, const Touch* t, const ConvexShape* a, const ConvexShape* b) {
  const int num[2] = {shape_corners(a), shape_corners(b)};
  for (int i = 0; i < t->nvert; i++) {
    Vertex* v = h->vert + i;
    mjtNum x[3];
    v->ia = t->vertex[i][0];
    v->ib = t->vertex[i][1];
    if (v->ia >= num[0] || v->ib >= num[1]) {
      return 0;
    }
    mesh_vertex(x, a, v->ia);
    shape_point(v->a, a, x);
    mesh_vertex(x, b, v->ib);
    shape_point(v->b, b, x);
    v3_sub(v->w, v->a, v->b);
  }
  h->nvert = t->nvert;
  Simd4Mask flat = {0};
  for (int i = 0; i < t->nface; i += 4) {
    unsigned* corner = h->corner + i;
    for (int k = 0; k < 4; k++) {
      corner[k] = t->corner[i + k < t->nface ? i + k : i];
    }
    Simd4 o[3], p[3], q[3];
    gather(o, h, corner, 0);
    gather(p, h, corner, 8);
    gather(q, h, corner, 16);
    add_fan(&flat, h, o, p, q, t->nface - i);
  }
  return !has_flat(&flat);
}

// Makes room: removed faces and vertices without a face give up their places.
static void pack(Hull* h) {
  unsigned used = 0;
  int number[MOST_VERTS], nvert = 0, nface = 0;
  for (int f = 0; f < 4 * h->nfan; f++) {
    if (h->fan[f / 4].dist[f % 4] < FAR) {
      for (int k = 0; k < 3; k++) {
        used |= 1U << (h->corner[f] >> 8 * k & BYTE);
      }
    }
  }
  for (int i = 0; i < h->nvert; i++) {
    number[i] = nvert;
    if (used >> i & 1) {
      h->vert[nvert++] = h->vert[i];
    }
  }
  for (int f = 0; f < 4 * h->nfan; f++) {
    if (h->fan[f / 4].dist[f % 4] < FAR) {
      const unsigned c = h->corner[f];
      const Fan* from = h->fan + f / 4;
      Fan* to = h->fan + nface / 4;
      for (int k = 0; k < 3; k++) {
        to->n[k][nface % 4] = from->n[k][f % 4];
      }
      to->dist[nface % 4] = from->dist[f % 4];
      h->corner[nface++] = (unsigned)number[c & BYTE] | (unsigned)number[c >> 8 & BYTE] << 8 |
                           (unsigned)number[c >> 16] << 16;
    }
  }
  h->nvert = nvert;
  h->nfan = (nface + 3) / 4;
  for (int f = nface; f < 4 * h->nfan; f++) {
    h->fan[f / 4].dist[f % 4] = FAR;
  }
  h->least = (Simd4){FAR, FAR, FAR, FAR};
  for (int i = 0; i < h->nfan; i++) {
    keep_nearest(&h->least, &h->fan[i].dist, i);
  }
}

// Keeps the faces and the vertices that they have.
static void keep(const Gjk* g, Hull* h) {
  Touch* t = g->touch;
  pack(h);
  int nface = 4 * h->nfan;
  while (nface > 0 && !(h->fan[(nface - 1) / 4].dist[(nface - 1) % 4] < FAR)) {
    nface--;
  }
  t->nface = 0;
  if (nface > TOUCH_FACES) {
    return;
  }
  t->geom[0] = g->geom[0] + 1;
  t->geom[1] = g->geom[1] + 1;
  t->is_tied = t->is_level = 0;
  t->nvert = (uint8_t)h->nvert;
  t->nface = (uint8_t)nface;
  for (int i = 0; i < h->nvert; i++) {
    t->vertex[i][0] = (uint16_t)h->vert[i].ia;
    t->vertex[i][1] = (uint16_t)h->vert[i].ib;
  }
  for (int f = 0; f < nface; f++) {
    t->corner[f] = h->corner[f];
  }
}

// Removes the faces that w sees, and finds the nearest of the remaining ones. Returns the removed
// faces as bits.
INLINE unsigned long long seen_faces(Hull* h, const mjtNum w[3]) {
  const Simd4 none = {FAR, FAR, FAR, FAR};
  Simd4 least = none;
  Simd4Mask all = {0}, bit = {1, 2, 4, 8};
  for (int i = 0; i < h->nfan; i++) {
    Fan* f = h->fan + i;
    Simd4 above = f->n[0] * w[0] + f->n[1] * w[1] + f->n[2] * w[2] - f->dist;
    Simd4Mask seen = above > h->noise;
    all |= seen & bit;
    bit <<= 4;
    choose(&f->dist, &seen, &none, &f->dist);
    keep_nearest(&least, &f->dist, i);
  }
  h->least = least;
  all |= SIMD4_ORDER(all, 2, 3, 0, 1);
  return (unsigned long long)(all[0] | all[1]);
}

// Edge k of a face.
INLINE unsigned edge_of(unsigned corner, int k) {
  return k < 2 ? corner >> 8 * k & 0xffff : corner >> 16 | (corner & BYTE) << 8;
}

// Lists the edges between seen faces and others (the horizon). Returns their number, 0 if there are
// too many.
INLINE int find_horizon(unsigned* edge, const Hull* h, unsigned long long seen) {
  if (!(seen & (seen - 1))) {
    for (int k = 0; k < 3; k++) {
      edge[k] = edge_of(h->corner[__builtin_ctzll(seen)], k);
    }
    return 3;
  }
  unsigned leads[MOST_VERTS] = {0};  // bits of the vertices to which seen faces have edges
  for (unsigned long long rest = seen; rest; rest &= rest - 1) {
    for (int k = 0; k < 3; k++) {
      unsigned e = edge_of(h->corner[__builtin_ctzll(rest)], k);
      leads[e & BYTE] |= 1U << (e >> 8);
    }
  }
  int num = 0;
  for (unsigned long long rest = seen; rest; rest &= rest - 1) {
    if (num > MOST_EDGES - 6) {
      return 0;
    }
    for (int k = 0; k < 3; k++) {
      unsigned e = edge_of(h->corner[__builtin_ctzll(rest)], k);
      edge[num] = e;
      num += !(leads[e >> 8] >> (e & BYTE) & 1);
    }
  }
  return num;
}

static int is_known(const Hull* h, const Vertex* w) {
  for (int i = 0; i < h->nvert; i++) {
    if (h->vert[i].ia == w->ia && h->vert[i].ib == w->ib) {
      return 1;
    }
  }
  return 0;
}

// Adds the support point in a direction unless it is a vertex already. Returns 0 if its plane
// separates the shapes.
INLINE int add_support(Hull* h, ConvexShape* a, ConvexShape* b, const mjtNum way[3]) {
  v3_copy(h->way, way);
  Vertex* w = h->vert + h->nvert;
  difference_support_anew(w, a, b, way);
  v3_copy(h->last, w->w);
  h->nvert += !is_known(h, w);
  return !(v3_dot(way, w->w) < 0);  // NaN separates nothing
}

// Direction for the next support: from the one vertex, the line of two or the plane of three
// towards the origin. Returns 0 if the vertices don't span a line or plane.
INLINE int way_across(mjtNum way[3], const Hull* h) {
  const mjtNum* o = h->vert[0].w;
  mjtNum e[3], f[3];
  if (h->nvert == 1) {
    v3_scl(way, o, -1);
    return v3_normalize(way) > mjMINVAL;
  }
  v3_sub(e, h->vert[1].w, o);
  if (h->nvert == 3) {
    v3_sub(f, h->vert[2].w, o);
    v3_cross(way, e, f);
    v3_scl(way, way, v3_dot(way, o) > 0 ? -1 : 1);
  } else {
    v3_scl(way, e, v3_dot(e, o) / v3_dot(e, e));
    v3_subfrom(way, o);
    if (!(v3_norm(way) > (mjtNum)1e-6 * v3_norm(e))) {  // origin on the line: any normal of it
      v3_zero(f);
      f[mju_abs(e[0]) > mju_abs(e[1])] = 1;
      v3_cross(way, e, f);
    }
  }
  mjtNum length = v3_norm(way);
  v3_scl(way, way, 1 / length);
  return length > mjMINVAL;
}

// Direction for the next support after one or two vertices, chosen so that the origin comes to lie
// below the triangle, which is roughly normal to n. n: unit vector along which the shapes overlap
// least.
//
//     0.8 n + 0.6 t,  t: unit, normal to n, from the vertices towards the origin;
//                     with one vertex turned by 60 degrees about n
INLINE void way_beside(mjtNum way[3], const Hull* h, const mjtNum n[3]) {
  const mjtNum* v = h->vert[0].w;
  mjtNum e[3] = {0, 0, 0}, t[3], aside[3];
  v3_addscl(t, v, n, -v3_dot(n, v));
  if (h->nvert == 2) {
    v3_sub(e, h->vert[1].w, v);
    v3_addtoscl(e, n, -v3_dot(n, e));
    v3_addtoscl(t, e, -v3_dot(e, t) / num_max(v3_dot(e, e), mjMINVAL * mjMINVAL));
  } else {
    e[mju_abs(n[0]) > (mjtNum)0.5] = 1;
  }
  if (!(v3_norm(t) > (mjtNum)1e-6 * v3_norm(v))) {
    v3_cross(t, n, e);
  }
  v3_normalize(t);
  v3_scl(t, t, -1);
  if (h->nvert == 1) {
    v3_cross(aside, n, t);
    v3_scl(t, t, (mjtNum)0.5);
    v3_addtoscl(t, aside, (mjtNum)0.866);
  }
  v3_scl(way, n, (mjtNum)0.8);
  v3_addtoscl(way, t, (mjtNum)0.6);
}

// Adds supports up to four vertices. Each is tried beside the first one or two vertices, then
// towards the origin, then the opposite way.
INLINE int complete(Hull* h, const mjtNum n[3], ConvexShape* a, ConvexShape* b) {
  while (h->nvert < 4) {
    mjtNum way[3];
    int num = h->nvert;
    for (int attempt = num < 3 ? 0 : 1; attempt < 3 && h->nvert == num; attempt++) {
      if (attempt == 0) {
        way_beside(way, h, n);
      } else if (attempt == 2) {
        v3_scl(way, way, -1);
      } else if (!way_across(way, h)) {
        return HULL_UNCLEAR;
      }
      if (!add_support(h, a, b, way)) {
        return HULL_APART;
      }
    }
    if (h->nvert == num) {
      return HULL_UNCLEAR;
    }
  }
  return HULL_DEEP;
}

// Whether the last support is not above the origin by more than rounding: the depth is none, or is
// decided by rounding.
INLINE int is_level(const Hull* h, const ConvexShape* a, const ConvexShape* b) {
  mjtNum size = v3_norm(a->size) + v3_norm(b->size);
  for (int k = 0; k < 3; k++) {
    size += mju_abs(a->pos[k]) + mju_abs(b->pos[k]);
  }
  return v3_dot(h->way, h->last) < (mjtNum)1e-15 * size;
}

// The first tetrahedron: a support along the line of centres, a second along the axis of least
// overlap unless both directions are about the same, then supports around these.
INLINE int start(Hull* h, const mjtNum* axis, ConvexShape* a, ConvexShape* b) {
  const mjtNum same = (mjtNum)0.98;
  mjtNum n[3];
  v3_sub(n, b->pos, a->pos);
  mjtNum length = v3_norm(n);
  int has_line = length > mjMINVAL;
  v3_scl(n, n, has_line ? 1 / length : 0);
  if (!has_line && !axis) {
    return HULL_UNCLEAR;
  }
  if (has_line && !add_support(h, a, b, n)) {
    return HULL_APART;
  }
  if (has_line && is_level(h, a, b)) {
    return HULL_UNCLEAR;
  }
  if (axis) {
    int is_new = v3_dot(axis, n) < same;
    v3_copy(n, axis);
    if (is_new && !add_support(h, a, b, n)) {
      return HULL_APART;
    }
    if (is_new && is_level(h, a, b)) {
      return HULL_UNCLEAR;
    }
  }
  int state = complete(h, n, a, b);
  if (state != HULL_DEEP) {
    return state;
  }
  mjtNum e[3][3];
  for (int i = 0; i < 3; i++) {
    v3_sub(e[i], h->vert[i].w, h->vert[3].w);
  }
  v3_cross(n, e[0], e[1]);
  // edges in outward order
  static const unsigned way_round[2][2][6] = {{{0x100, 0x201, 0x002}, {0x001}},
                                              {{0x001, 0x102, 0x200}, {0x100}}};
  unsigned edge[2][6];
  memcpy(edge, way_round[v3_dot(n, e[2]) > 0], sizeof(edge));
  return add_fans(h, 3, edge[0], 3) && add_fans(h, 2, edge[1], 1) ? HULL_DEEP : HULL_UNCLEAR;
}

// Whether a face with another normal is as near to the origin, up to a slack. square: the least
// square of the difference of normals that counts.
INLINE int has_rival(const Hull* h, const mjtNum u[3], mjtNum dist, mjtNum slack, mjtNum square) {
  Simd4Mask rival = {0};
  for (int i = 0; i < h->nfan; i++) {
    const Fan* f = h->fan + i;
    const Simd4 x = f->n[0] - u[0], y = f->n[1] - u[1], z = f->n[2] - u[2];
    rival |= (f->dist <= dist + slack) & (x * x + y * y + z * z > square);
  }
  rival |= SIMD4_ORDER(rival, 2, 3, 0, 1);
  return (rival[0] | rival[1]) != 0;
}

// Rounding of heights of A - B.
static void find_noise(Hull* h) {
  mjtNum size = 0;
  for (int k = 0; k < 3; k++) {
    size += mju_abs(h->vert[0].a[k]) + mju_abs(h->vert[0].b[k]) + mju_abs(h->vert[1].w[k]);
  }
  h->noise = (mjtNum)1e-15 * size;
}

// Whether the edges are one loop, or several without a common vertex: each begins at another one.
INLINE int is_simple(const unsigned* edge, int num) {
  unsigned from = 0;
  for (int i = 0; i < num; i++) {
    unsigned bit = 1U << (edge[i] & BYTE);
    if (from & bit) {
      return 0;
    }
    from |= bit;
  }
  return 1;
}

// Grows the hull until its nearest face lies on the boundary of A - B. That face is then the
// nearest of A - B if the hull is a closed surface about the origin, whether convex or not: each
// way out of A - B leads through a face, and none of them is nearer. strictly: the answer must be
// clearer than those of a search from afresh, which might otherwise come to another one.
INLINE int grow(mjtNum* depth, Gjk* g, Hull* h, ConvexShape* a, ConvexShape* b,
                const int strictly) {
  const mjtNum least = strictly ? 1000 * h->noise : h->noise;
  const mjtNum slack = strictly ? 16 * h->noise : h->noise;
  const mjtNum square = strictly ? (mjtNum)1e-18 : (mjtNum)2e-6;
  for (int step = 0; step < MOST_STEPS && h->nvert < MOST_VERTS; step++) {
    int f = nearest_face(&h->least);
    if (f >= 4 * h->nfan || !(h->fan[f / 4].dist[f % 4] < FAR)) {
      return HULL_UNCLEAR;
    }
    const Fan* fan = h->fan + f / 4;
    const mjtNum u[3] = {fan->n[0][f % 4], fan->n[1][f % 4], fan->n[2][f % 4]};
    mjtNum dist = fan->dist[f % 4];
    Vertex* w = h->vert + h->nvert;
    const Vertex* corner = h->vert + (h->corner[f] & BYTE);
    difference_support_near(w, a, b, u, corner->ia, corner->ib);
    mjtNum height = v3_dot(u, w->w);
    if (height < (strictly ? -10 * g->tolerance : 0)) {
      v3_copy(g->apart, u);
      return HULL_APART;
    }
    mjtNum gap = height - dist;
    if (gap <= h->noise || (!strictly && gap <= (mjtNum)1e-10 * dist && is_known(h, w))) {
      if (!(dist > least) || has_rival(h, u, dist, slack, square)) {
        return HULL_UNCLEAR;
      }
      *depth = dist;
      for (int k = 0; k < 3; k++) {
        g->vert[k] = h->vert[h->corner[f] >> 8 * k & BYTE];
      }
      return feature_touch(depth, g, a, b, u) ? HULL_DEEP : HULL_UNCLEAR;
    }
    unsigned edge[MOST_EDGES];
    unsigned long long seen = seen_faces(h, w->w);
    int num = seen ? find_horizon(edge, h, seen) : 0;
    if (num < 3 || (strictly && !is_simple(edge, num)) || !add_fans(h, h->nvert, edge, num)) {
      return HULL_UNCLEAR;
    }
    h->nvert++;
    h->is_grown = 1;
    if (h->nvert == MOST_VERTS || h->nfan > MOST_FANS - SPARE_FANS) {
      pack(h);
    }
  }
  return HULL_UNCLEAR;
}

INLINE void clear(Hull* h) {
  h->nvert = h->nfan = h->is_grown = 0;
  v3_zero(h->way);
  v3_zero(h->last);
  h->least = (Simd4){FAR, FAR, FAR, FAR};
}

int hull_may_search(const Gjk* g) {
  return sizeof(mjtNum) == sizeof(double) && g->iterations >= FULL_SEARCH;
}

KERNEL int hull_again(mjtNum* depth, Gjk* g, ConvexShape* a, ConvexShape* b) {
  Touch* t = g->touch;
  if (!hull_may_search(g) || !t->nface) {
    return HULL_UNCLEAR;
  }
  Hull h;
  clear(&h);
  int state = HULL_UNCLEAR;
  if (recall(&h, t, a, b)) {
    find_noise(&h);
    state = grow(depth, g, &h, a, b, 1);
  }
  if (state != HULL_DEEP) {
    t->nface = 0;
  } else if (h.is_grown) {
    keep(g, &h);
  }
  return state;
}

KERNEL int hull_depth(mjtNum* depth, Gjk* g, ConvexShape* a, ConvexShape* b) {
  if (!hull_may_search(g)) {
    return HULL_UNCLEAR;
  }
  Hull h;
  clear(&h);
  int state = start(&h, g->axis, a, b);
  if (state != HULL_DEEP) {
    v3_copy(g->apart, h.way);
    return state;
  }
  find_noise(&h);
  state = grow(depth, g, &h, a, b, 0);
  if (g->touch && state == HULL_DEEP) {
    keep(g, &h);
  }
  return state;
}
