// GJK with the signed-volumes sub-algorithm (Montanari et al., 2017) for the point of a simplex
// nearest to the origin. The barycentric weight of a vertex is a ratio of volumes (areas, lengths):
// of the simplex with that vertex replaced by the projected origin, and of the whole simplex. If
// all weights are positive the origin projects into the simplex. Otherwise the nearest point is on
// one of the faces opposite to vertices whose weights are not.

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include "collision/convex/gjk.h"

#include <mujoco/api/base.h>

#include "collision/convex/simplex.h"

INLINE int same_sign(double a, double b) {
  return (a > 0 && b > 0) || (a < 0 && b < 0);
}

INLINE void combine(mjtNum out[3], const mjtNum* weight, const mjtNum* const* s, int num) {
  v3_scl(out, s[0], weight[0]);
  for (int i = 1; i < num; i++) {
    v3_addtoscl(out, s[i], weight[i]);
  }
}

// p = s2 - (s2.d / d.d) d with d = s2 - s1 is the origin projected to the line. The weights come
// from the coordinate in which the segment is longest: lambda1 = (p - s2) / (s1 - s2),
// lambda2 = (s1 - p) / (s1 - s2). If p is beyond either end, the newer vertex s2 has weight 1.
//
// near: p, or s2.
INLINE void nearest_on_segment(mjtNum weight[2], mjtNum near[3], const mjtNum s1[3],
                               const mjtNum s2[3]) {
  mjtNum dir[3], p[3];
  v3_sub(dir, s2, s1);
  v3_addscl(p, s2, dir, -(v3_dot(s2, dir) / v3_dot(dir, dir)));
  int axis = 0;
  mjtNum length = s1[0] - s2[0];
  for (int k = 1; k < 3; k++) {
    if (mju_abs(s1[k] - s2[k]) >= mju_abs(length)) {
      length = s1[k] - s2[k];
      axis = k;
    }
  }
  mjtNum c1 = p[axis] - s2[axis], c2 = s1[axis] - p[axis];
  int inside = same_sign(length, c1) && same_sign(length, c2);
  weight[0] = inside ? c1 / length : 0;
  weight[1] = inside ? c2 / length : 1;
  v3_copy(near, inside ? p : s2);
}

// The weights of the projected origin if all are positive, else of the nearest point of the edges
// opposite to the vertices whose weights are not. later: near is the projection itself, and weights
// are those of triangle_shares; else near is the sum of the vertices by their weights.
INLINE void nearest_on_triangle(mjtNum weight[3], mjtNum near[3], const mjtNum s1[3],
                                const mjtNum s2[3], const mjtNum s3[3], const int later) {
  mjtNum p[3];
  v3_zero(near);
  v3_zero(weight);
  if (!plane_nearest(p, s1, s2, s3)) {
    nearest_on_segment(weight, near, s1, s2);
    return;
  }
  double part[3],
      area = later ? triangle_shares(part, s1, s2, s3, p) : triangle_weights(part, s1, s2, s3, p);
  int in[3], all = 1;
  for (int i = 0; i < 3; i++) {
    in[i] = same_sign(area, part[i]);
    all &= in[i];
  }
  if (all) {
    for (int i = 0; i < 3; i++) {
      weight[i] = (mjtNum)(part[i] / area);
    }
    v3_copy(near, p);
    return;
  }

  const mjtNum* s[3] = {s1, s2, s3};
  mjtNum best = 0;
  int found = 0;
  for (int i = 0; i < 3; i++) {
    if (in[i]) {
      continue;
    }
    int j = i == 0 ? 1 : 0, k = i == 2 ? 1 : 2;
    const mjtNum* edge[2] = {s[j], s[k]};
    mjtNum w[2], x[3];
    nearest_on_segment(w, x, s[j], s[k]);
    if (!later) {
      combine(x, w, edge, 2);
    }
    mjtNum d2 = v3_dot(x, x);
    if (!found || d2 < best) {
      found = 1;
      best = d2;
      v3_copy(near, x);
      weight[i] = 0;
      weight[j] = w[0];
      weight[k] = w[1];
    }
  }
}

static mjtNum triple(const mjtNum a[3], const mjtNum b[3], const mjtNum c[3]) {
  mjtNum bc[3];
  v3_cross(bc, b, c);
  return v3_dot(a, bc);
}

// The weights of the origin if all are positive, else of the nearest point of the faces opposite to
// the vertices whose weights are not. lambda_i = C_i / sum C; C_i: six times the signed volume with
// the origin in place of vertex i.
INLINE void nearest_on_tetrahedron(mjtNum weight[4], mjtNum near[3], const mjtNum* const s[4],
                                   const int later) {
  mjtNum c[4] = {-triple(s[1], s[2], s[3]), triple(s[0], s[2], s[3]), -triple(s[0], s[1], s[3]),
                 triple(s[0], s[1], s[2])};
  mjtNum volume = c[0] + c[1] + c[2] + c[3];
  int in[4], all = 1;
  for (int i = 0; i < 4; i++) {
    in[i] = same_sign(volume, c[i]);
    all &= in[i];
  }
  if (all) {
    for (int i = 0; i < 4; i++) {
      weight[i] = c[i] / volume;
    }
    v3_zero(near);
    return;
  }
  mjtNum best = 0;
  int found = 0;
  v3_zero(near);
  for (int i = 0; i < 4; i++) {
    if (in[i]) {
      continue;
    }
    int id[3] = {i == 0 ? 1 : 0, i <= 1 ? 2 : 1, i == 3 ? 2 : 3};
    const mjtNum* face[3] = {s[id[0]], s[id[1]], s[id[2]]};
    mjtNum w[3], x[3];
    nearest_on_triangle(w, x, face[0], face[1], face[2], later);
    if (!later) {
      combine(x, w, face, 3);
    }
    mjtNum d2 = v3_dot(x, x);
    if (!found || d2 < best) {
      found = 1;
      best = d2;
      v3_copy(near, x);
      weight[i] = 0;
      for (int k = 0; k < 3; k++) {
        weight[id[k]] = w[k];
      }
    }
  }
}

// The vertices in use: their places in the pool (oldest first), and their barycentric weights for
// the point nearest to the origin. Places from num on are free.
typedef struct Carrier {
  int place[4];
  int num;
  mjtNum weight[4];
} Carrier;

// A simplex of vertices of A - B, and spare places for the next ones.
typedef struct Simplex {
  Vertex pool[8];
  Carrier in_use;
} Simplex;

// Finds the point x of the simplex nearest to the origin, and drops the vertices of weight 0.
// later: x is the projection of the origin, else the sum of the vertices by their weights.
INLINE void reduce(mjtNum x[3], Simplex* s, const int later) {
  Carrier* c = &s->in_use;
  const mjtNum* w[4];
  for (int i = 0; i < 4; i++) {
    w[i] = s->pool[c->place[i]].w;
  }
  mjtNum all[4] = {1, 0, 0, 0}, near[3];
  v3_copy(near, w[0]);
  if (c->num == 2) {
    nearest_on_segment(all, near, w[0], w[1]);
  } else if (c->num == 3) {
    nearest_on_triangle(all, near, w[0], w[1], w[2], later);
  } else if (c->num == 4) {
    nearest_on_tetrahedron(all, near, w, later);
  }
  int keep = 0, drop = 0, kept[5], dropped[5];
  v3_zero(x);
  for (int i = 0; i < c->num; i++) {
    int place = c->place[i];
    if (all[i] != 0) {
      v3_addtoscl(x, w[i], all[i]);
    }
    // no branch: it would be mispredicted
    c->weight[keep] = all[i];
    kept[keep] = dropped[drop] = place;
    keep += all[i] != 0;
    drop += all[i] == 0;
  }
  if (later) {
    v3_copy(x, near);
  }
  for (int i = 0; i < c->num; i++) {
    c->place[i] = i < keep ? kept[i] : dropped[i - keep];
  }
  c->num = keep;
}

// Copies the simplex to g and, with weights, the nearest points of A and B.
static void take_result(Gjk* g, const Simplex* s, const int place[4], int num,
                        const mjtNum* weight) {
  g->num = num;
  for (int i = 0; i < num; i++) {
    g->vert[i] = s->pool[place[i]];
  }
  if (!weight || !num) {
    return;
  }
  v3_zero(g->x1);
  v3_zero(g->x2);
  for (int i = 0; i < num; i++) {
    v3_addtoscl(g->x1, g->vert[i].a, weight[i]);
    v3_addtoscl(g->x2, g->vert[i].b, weight[i]);
  }
}

enum {
  INSIDE,
  APART,
  UNDECIDED
};

// Coordinate k of four vertices.
INLINE void coordinates(Simd4* x, const Simplex* s, const int place[4], int k) {
  const Vertex* v = s->pool;
  *x = (Simd4){v[place[0]].w[k], v[place[1]].w[k], v[place[2]].w[k], v[place[3]].w[k]};
}

// Outward unit normals n of the four faces of a tetrahedron, by component, and the distances of
// their planes from the origin. The distance is GJK_FAR if a face is degenerate or its n.n is more
// than `most`. Face i is opposite to vertex i: (2,1,3), (0,2,3), (1,0,3), (0,1,2).
INLINE void face_planes(Simd4 n[3], Simd4* dist, const Simplex* s, const int place[4],
                        mjtNum most) {
  Simd4 v1[3], e1[3], e2[3];
  for (int k = 0; k < 3; k++) {
    Simd4 x;
    coordinates(&x, s, place, k);
    v1[k] = SIMD4_ORDER(x, 2, 0, 1, 0);
    e1[k] = SIMD4_ORDER(x, 3, 3, 3, 2) - v1[k];
    e2[k] = SIMD4_ORDER(x, 1, 2, 0, 1) - v1[k];
  }
  n[0] = e1[1] * e2[2] - e1[2] * e2[1];
  n[1] = e1[2] * e2[0] - e1[0] * e2[2];
  n[2] = e1[0] * e2[1] - e1[1] * e2[0];
  Simd4 nn = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
  mjtNum length[4];
  SIMD_AT(Simd4, length) = nn;
  for (int i = 0; i < 4; i++) {
    length[i] = mju_sqrt(length[i]);
  }
  Simd4 inverse = 1 / SIMD_READ(Simd4, length);
  for (int k = 0; k < 3; k++) {
    n[k] *= inverse;
  }
  *dist = n[0] * v1[0] + n[1] * v1[1] + n[2] * v1[2];
  for (int i = 0; i < 4; i++) {
    if (!(nn[i] > (mjtNum)(mjMINVAL * mjMINVAL) && nn[i] < most)) {
      (*dist)[i] = GJK_FAR;
    }
  }
}

// Whether the origin is in A - B. Of the faces of a tetrahedron, the one that has the origin
// furthest on its outer side decides: the vertex opposite to it is replaced by the support point
// along its normal. This ends when the tetrahedron encloses the origin or a support plane separates
// the shapes. The first four places of the pool stay as they are. *k: iterations so far. way: the
// direction along which the shapes are apart.
INLINE int enclose(mjtNum way[3], Simplex* s, int place[4], int* k, mjtNum most, int iterations,
                   ConvexShape* a, ConvexShape* b) {
  int fresh = 4;
  for (; *k < iterations; (*k)++) {
    Simd4 n[3], dist;
    face_planes(n, &dist, s, place, most);
    if (dist[0] == 0 || dist[1] == 0 || dist[2] == 0 || dist[3] == 0) {
      return UNDECIDED;
    }
    int f = dist[0] < dist[1] ? 0 : 1, f2 = dist[2] < dist[3] ? 2 : 3;
    f = dist[f] < dist[f2] ? f : f2;
    if (dist[f] > 0) {
      return INSIDE;
    }
    if (place[f] < 4) {
      place[f] = fresh++;
    }
    const mjtNum u[3] = {n[0][f], n[1][f], n[2][f]};
    Vertex* w = s->pool + place[f];
    difference_support(w, a, b, u);
    if (v3_dot(u, w->w) < 0) {
      v3_copy(way, u);
      return APART;
    }
    int i = (f + 1) % 4, j = (f + 2) % 4, swap = place[i];
    place[i] = place[j];
    place[j] = swap;
  }
  return UNDECIDED;
}

// Whether the plane through w normal to x separates the shapes by at least the cutoff (xx = x.x,
// xw = x.w). If so the distance itself isn't needed.
static int is_beyond(const Gjk* g, mjtNum xw, mjtNum xx) {
  if (g->cutoff >= GJK_FAR || !(xw > 0)) {
    return 0;
  }
  return g->cutoff == 0 || xw * xw / xx >= g->cutoff * g->cutoff;
}

// Progress below this share of x.x is rounding. In double precision the tolerance alone decides.
#define ROUNDING (sizeof(mjtNum) == sizeof(double) ? 0 : (mjtNum)1e-6)

// Whether rounding has spoiled the nearest point `next`, as in a flat simplex: |x| never grows in
// exact arithmetic. r is |x| so far. An error within the tolerance vanishes in the next iterations.
static int is_lost(const Gjk* g, const mjtNum next[3], mjtNum r) {
  mjtNum slack = g->tolerance + (sizeof(mjtNum) == sizeof(double) ? 0 : (mjtNum)1e-4 * r);
  return r > g->tolerance && v3_dot(next, next) > r * (r + 2 * slack);
}

// x: nearest point of the simplex so far;  u = -x / |x|;  w = S_A(u) - S_B(-u)
//
//     x.x - x.w >= |x| (|x| - distance) >= 0:  converged if x.(x - w) < eps
//     x.w > 0:  the plane through w normal to x separates the shapes by x.w / |x|
//
// The later rules leave the search by tetrahedra out, end it where |x| is below the tolerance, and
// return |x| of the last simplex, which the others do not measure once no iteration is left.
INLINE mjtNum search(Gjk* g, ConvexShape* a, ConvexShape* b, const int later) {
  mjtNum eps = g->discrete ? 0 : (mjtNum)0.5 * g->tolerance * g->tolerance;
  mjtNum x[3], r = 0;
  int tested = 0;
  Simplex s;
  s.in_use = (Carrier){.place = {0, 1, 2, 3}, .weight = {1}};
  v3_sub(x, a->pos, b->pos);
  v3_copy(g->x1, a->pos);
  v3_copy(g->x2, b->pos);
  g->num = 0;
  g->overlap = GJK_FAR;

  for (int k = 0; k < g->iterations; k++) {
    mjtNum xx = v3_dot(x, x);
    if (xx < (mjtNum)(mjMINVAL * mjMINVAL)) {
      r = xx;
      break;
    }
    r = mju_sqrt(xx);
    if (later && k > 0 && r < g->tolerance) {
      break;
    }
    mjtNum u[3], toward[3];
    v3_scl(u, x, -(1 / r));
    Vertex* w = s.pool + s.in_use.place[s.in_use.num];
    difference_support(w, a, b, u);
    mjtNum overlap = v3_dot(u, w->w);
    if (overlap < 0) {
      v3_copy(g->apart, u);
    }
    g->overlap = num_min(g->overlap, overlap);

    // converged: no point of A - B is clearly nearer to the origin than x
    v3_sub(toward, x, w->w);
    if (v3_dot(x, toward) < eps + ROUNDING * xx) {
      s.in_use.num = k == 0 ? 1 : s.in_use.num;
      break;
    }

    // otherwise the plane through w may separate the shapes by more than the caller asks for
    if (is_beyond(g, v3_dot(x, w->w), xx)) {
      return GJK_FAR;
    }

    // if only overlap matters, `enclose` decides from a triangle on, in fewer iterations
    if (!later && g->cutoff == 0 && s.in_use.num == 3 && !tested) {
      tested = 1;
      int place[4] = {s.in_use.place[0], s.in_use.place[1], s.in_use.place[2], s.in_use.place[3]};
      int result = enclose(g->apart, &s, place, &k, g->most_normal, g->iterations, a, b);
      if (result == APART) {
        return GJK_FAR;
      }
      if (result == INSIDE) {
        take_result(g, &s, place, 4, NULL);
        return 0;
      }
    }

    // w joins the simplex; vertices that the new nearest point doesn't need leave it
    const Carrier last = s.in_use;
    mjtNum next[3];
    s.in_use.num++;
    reduce(next, &s, later);
    if (last.num && is_lost(g, next, r)) {
      s.in_use = last;
      break;
    }
    if (is_same(next, x)) {
      break;
    }
    v3_copy(x, next);
    if (s.in_use.num == 4) {
      r = 0;
      break;
    }
  }
  take_result(g, &s, s.in_use.place, s.in_use.num, s.in_use.weight);
  return later && r > 0 ? v3_norm(x) : r;
}

KERNEL mjtNum gjk_distance(Gjk* g, ConvexShape* a, ConvexShape* b) {
  return g->later ? search(g, a, b, 1) : search(g, a, b, 0);
}
