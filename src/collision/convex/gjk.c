// The point of a simplex nearest to the origin comes from signed volumes: each barycentric weight
// is the ratio of the volume (area, length) of the simplex with that vertex replaced by the
// projected origin to its own; if all have its sign the origin projects into the simplex, otherwise
// one of the faces opposite to a failing vertex holds the nearest point. (Montanari et al., 2017)

#pragma STDC FP_CONTRACT OFF  // rounding decides which features tie

#include "collision/convex/gjk.h"

#include <math.h>
#include <mujoco/api/base.h>

static int same_sign(double a, double b) {
  return (a > 0 && b > 0) || (a < 0 && b < 0);
}

static void combine(mjtNum out[3], const mjtNum* weight, const mjtNum* const* s, int num) {
  v3_scl(out, s[0], weight[0]);
  for (int i = 1; i < num; i++) {
    v3_addtoscl(out, s[i], weight[i]);
  }
}

// p = s2 - (s2.d / d.d) d with d = s2 - s1 is the origin on the line; along the coordinate in which
// the segment is longest, lambda1 = (p - s2) / (s1 - s2), lambda2 = (s1 - p) / (s1 - s2). The newer
// vertex alone if p is beyond either end.
static void nearest_on_segment(mjtNum weight[2], const mjtNum s1[3], const mjtNum s2[3]) {
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
}

// x = n (n.a) / (n.n), n the product of two edges
int plane_nearest(mjtNum out[3], const mjtNum a[3], const mjtNum b[3], const mjtNum c[3]) {
  const mjtNum* corner[3] = {b, a, c};
  mjtNum ba[3], cb[3], ac[3], n[3];
  v3_sub(ba, b, a);
  v3_sub(cb, c, b);
  v3_sub(ac, a, c);
  for (int i = 0; i < 3; i++) {
    v3_cross(n, i == 0 ? cb : (i == 1 ? ba : ac), i == 0 ? ba : (i == 1 ? ac : cb));
    mjtNum nn = v3_dot(n, n), nv = v3_dot(n, corner[i]);
    if (nn == 0) {
      return 0;
    }
    if (i == 2 || (nv != 0 && nn > mjMINVAL)) {
      v3_scl(out, n, nv / nn);
      break;
    }
  }
  return 1;
}

// lambda_a = area(p, b, c) / area(a, b, c) and so on, areas of the shadow on a coordinate plane; in
// double precision: for a small triangle the products cancel to the last digits of a single
double triangle_weights(double weight[3], const mjtNum pa[3], const mjtNum pb[3],
                        const mjtNum pc[3], const mjtNum pp[3]) {
  const double a[3] = {pa[0], pa[1], pa[2]}, b[3] = {pb[0], pb[1], pb[2]};
  const double c[3] = {pc[0], pc[1], pc[2]}, p[3] = {pp[0], pp[1], pp[2]};
  double area[3];
  for (int k = 0; k < 3; k++) {
    int x = k == 0, y = k == 2 ? 1 : 2;
    area[k] = b[x] * c[y] - b[y] * c[x] - a[x] * c[y] + a[y] * c[x] + a[x] * b[y] - a[y] * b[x];
  }
  double ax = fabs(area[0]), ay = fabs(area[1]), az = fabs(area[2]);
  int k = ax >= ay && ax >= az ? 0 : (ay >= az ? 1 : 2);
  int x = k == 0, y = k == 2 ? 1 : 2;
  const double* q[3] = {a, b, c};
  for (int i = 0; i < 3; i++) {
    const double *s = q[(i + 1) % 3], *t = q[(i + 2) % 3];
    weight[i] = p[x] * s[y] + p[y] * t[x] + s[x] * t[y] - p[x] * t[y] - p[y] * s[x] - t[x] * s[y];
  }
  return area[k];
}

// The projection of the origin, if all its weights are positive, else the nearest point of the edges
// opposite to the vertices whose weights are not.
static void nearest_on_triangle(mjtNum weight[3], const mjtNum s1[3], const mjtNum s2[3],
                                const mjtNum s3[3]) {
  mjtNum p[3];
  weight[2] = 0;
  if (!plane_nearest(p, s1, s2, s3)) {
    nearest_on_segment(weight, s1, s2);
    return;
  }
  double part[3], area = triangle_weights(part, s1, s2, s3, p);
  int in[3], all = 1;
  for (int i = 0; i < 3; i++) {
    in[i] = same_sign(area, part[i]);
    all &= in[i];
  }
  if (all) {
    for (int i = 0; i < 3; i++) {
      weight[i] = (mjtNum)(part[i] / area);
    }
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
    nearest_on_segment(w, s[j], s[k]);
    combine(x, w, edge, 2);
    mjtNum d2 = v3_dot(x, x);
    if (!found || d2 < best) {
      found = 1;
      best = d2;
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

// The origin itself, lambda_i = C_i / sum C with C_i the signed volume with the origin for vertex i, if
// all weights are positive, else the nearest point of the faces opposite to the other vertices.
static void nearest_on_tetrahedron(mjtNum weight[4], const mjtNum* const s[4]) {
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
    return;
  }
  mjtNum best = 0;
  int found = 0;
  for (int i = 0; i < 4; i++) {
    if (in[i]) {
      continue;
    }
    int id[3] = {i == 0 ? 1 : 0, i <= 1 ? 2 : 1, i == 3 ? 2 : 3};
    const mjtNum* face[3] = {s[id[0]], s[id[1]], s[id[2]]};
    mjtNum w[3], x[3];
    nearest_on_triangle(w, face[0], face[1], face[2]);
    combine(x, w, face, 3);
    mjtNum d2 = v3_dot(x, x);
    if (!found || d2 < best) {
      found = 1;
      best = d2;
      weight[i] = 0;
      for (int k = 0; k < 3; k++) {
        weight[id[k]] = w[k];
      }
    }
  }
}

// Keeps the vertices that carry the point nearest to the origin, and their weights.
static void reduce(Gjk* g, mjtNum weight[4]) {
  const mjtNum* s[4] = {g->vert[0].w, g->vert[1].w, g->vert[2].w, g->vert[3].w};
  weight[0] = 1;
  if (g->num == 2) {
    nearest_on_segment(weight, s[0], s[1]);
  } else if (g->num == 3) {
    nearest_on_triangle(weight, s[0], s[1], s[2]);
  } else if (g->num == 4) {
    nearest_on_tetrahedron(weight, s);
  }
  int keep = 0;
  for (int i = 0; i < g->num; i++) {
    if (weight[i] != 0) {
      weight[keep] = weight[i];
      g->vert[keep++] = g->vert[i];
    }
  }
  g->num = keep;
}

// The point of the simplex nearest to the origin, with the weights of the vertices that carry it.
static void nearest_point(mjtNum x[3], mjtNum weight[4], Gjk* g) {
  reduce(g, weight);
  v3_zero(x);
  for (int i = 0; i < g->num; i++) {
    v3_addtoscl(x, g->vert[i].w, weight[i]);
  }
}

static void weighted_points(Gjk* g, const mjtNum weight[4]) {
  v3_zero(g->x1);
  v3_zero(g->x2);
  for (int i = 0; i < g->num; i++) {
    v3_addtoscl(g->x1, g->vert[i].a, weight[i]);
    v3_addtoscl(g->x2, g->vert[i].b, weight[i]);
  }
}

enum {
  INSIDE,
  APART,
  UNDECIDED
};

// Whether the origin is in A - B: a tetrahedron whose vertex opposite to the worst face is replaced
// by the one furthest beyond that face, until it encloses the origin or can't.
static int enclose(Vertex t[4], int* k, int iterations, ConvexShape* a, ConvexShape* b) {
  static const int face[4][3] = {{2, 1, 3}, {0, 2, 3}, {1, 0, 3}, {0, 1, 2}};
  for (; *k < iterations; (*k)++) {
    mjtNum n[4][3], dist[4];
    for (int i = 0; i < 4; i++) {
      const mjtNum *v1 = t[face[i][0]].w, *v2 = t[face[i][1]].w, *v3 = t[face[i][2]].w;
      mjtNum e1[3], e2[3];
      v3_sub(e1, v3, v1);
      v3_sub(e2, v2, v1);
      v3_cross(n[i], e1, e2);
      mjtNum nn = v3_dot(n[i], n[i]);
      dist[i] = GJK_FAR;
      if (nn > (mjtNum)(mjMINVAL * mjMINVAL) && nn < (mjtNum)1e20) {
        v3_scl(n[i], n[i], 1 / mju_sqrt(nn));
        dist[i] = v3_dot(n[i], v1);
      }
      if (dist[i] == 0) {
        return UNDECIDED;
      }
    }
    int f = dist[0] < dist[1] ? 0 : 1, f2 = dist[2] < dist[3] ? 2 : 3;
    f = dist[f] < dist[f2] ? f : f2;
    if (dist[f] > 0) {
      return INSIDE;
    }
    difference_support(t + f, a, b, n[f]);
    if (v3_dot(n[f], t[f].w) < 0) {
      return APART;
    }
    int i = (f + 1) % 4, j = (f + 2) % 4;
    Vertex swap = t[i];
    t[i] = t[j];
    t[j] = swap;
  }
  return UNDECIDED;
}

// The same from the simplex of g, a triangle and one more vertex, which stays as it is unless it is
// found to enclose the origin.
static int try_enclose(Gjk* g, int* k, ConvexShape* a, ConvexShape* b) {
  Vertex t[4];
  memcpy(t, g->vert, sizeof(t));
  int result = enclose(t, k, g->iterations, a, b);
  if (result == INSIDE) {
    memcpy(g->vert, t, sizeof(t));
    g->num = 4;
  }
  return result;
}

// Whether the plane through w across x keeps the shapes apart, by at least the cutoff (xx = x.x,
// xw = x.w): then the distance itself isn't needed.
static int is_beyond(const Gjk* g, mjtNum xw, mjtNum xx) {
  if (g->cutoff >= GJK_FAR || !(xw > 0)) {
    return 0;
  }
  return g->cutoff == 0 || xw * xw / xx >= g->cutoff * g->cutoff;
}

// share of x'x below which a way down is rounding; in double precision that is left to the tolerance
#define ROUNDING (sizeof(mjtNum) == sizeof(double) ? 0 : (mjtNum)1e-6)

// x: nearest point of the simplex so far;  u = -x / |x|;  w = S_A(u) - S_B(-u)
//
//     x.x - x.w >= |x| (|x| - distance) >= 0:  no further down if x.(x - w) < eps
//     x.w > 0:  the plane through w across x separates the shapes by x.w / |x|
mjtNum gjk_distance(Gjk* g, ConvexShape* a, ConvexShape* b) {
  mjtNum eps = g->discrete ? 0 : (mjtNum)0.5 * g->tolerance * g->tolerance;
  mjtNum x[3], weight[4] = {1, 0, 0, 0}, r = 0;
  int tested = 0;
  v3_sub(x, a->pos, b->pos);
  v3_copy(g->x1, a->pos);
  v3_copy(g->x2, b->pos);
  g->num = 0;

  for (int k = 0; k < g->iterations; k++) {
    mjtNum xx = v3_dot(x, x);
    if (xx < (mjtNum)(mjMINVAL * mjMINVAL)) {
      r = xx;
      break;
    }
    r = mju_sqrt(xx);
    mjtNum u[3], toward[3];
    v3_scl(u, x, -(1 / r));
    Vertex* w = g->vert + g->num;
    difference_support(w, a, b, u);

    // no further down than this
    v3_sub(toward, x, w->w);
    if (v3_dot(x, toward) < eps + ROUNDING * xx) {
      g->num = k == 0 ? 1 : g->num;
      break;
    }

    if (is_beyond(g, v3_dot(x, w->w), xx)) {
      g->num = 0;
      return GJK_FAR;
    }

    if (g->cutoff == 0 && g->num == 3 && !tested) {
      tested = 1;
      int result = try_enclose(g, &k, a, b);
      if (result == APART) {
        g->num = 0;
        return GJK_FAR;
      }
      if (result == INSIDE) {
        return 0;
      }
    }

    g->num++;
    mjtNum next[3];
    nearest_point(next, weight, g);
    if (is_same(next, x)) {
      break;
    }
    v3_copy(x, next);
    if (g->num == 4) {
      r = 0;
      break;
    }
  }
  if (g->num) {
    weighted_points(g, weight);
  }
  return r;
}
