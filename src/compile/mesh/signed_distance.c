// signed_distance.c: the signed distance to a mesh by a search in the BVH of its faces.

#include "compile/mesh/signed_distance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/algebra/elementary.h"
#include "base/algebra/pose.h"
#include "base/memory/memory.h"
#include "compile/mesh/context.h"

struct SignedDistance_ {
  const double* point;
  const int* face;
  BvhNodes tree;
  double (*facenormal)[3];    // unit normals, 0 for faces without area
  double (*edgenormal)[3];    // 3 per face; edge i goes from vertex i to i+1
  double (*cornernormal)[3];  // 3 per face, for its vertices
};

static void sub(double out[3], const double a[3], const double b[3]) {
  for (int k = 0; k < 3; k++) {
    out[k] = a[k] - b[k];
  }
}

static void add_scaled(double out[3], const double a[3], double s) {
  for (int k = 0; k < 3; k++) {
    out[k] += s * a[k];
  }
}

// normals

typedef struct Edge_ {
  int a, b;  // vertices, the lower first
  int slot;  // 3*face + index in the face
} Edge;

static int compare_edges(const void* x, const void* y) {
  const Edge *a = x, *b = y;
  int first = (a->a > b->a) - (a->a < b->a), second = (a->b > b->b) - (a->b < b->b);
  return first ? first : second ? second : (a->slot > b->slot) - (a->slot < b->slot);
}

static void get_triangle(const double* v[3], const SignedDistance* s, int i) {
  for (int k = 0; k < 3; k++) {
    v[k] = s->point + 3 * (size_t)s->face[3 * (size_t)i + (size_t)k];
  }
}

// Computes normals of faces, and their sums at vertices, weighted by angle. number[i] is the merged
// vertex.
static void sum_atvertices(SignedDistance* s, double (*sum)[3], const int* number, int nface) {
  for (int i = 0; i < nface; i++) {
    const double* v[3];
    double e[3][3], *n = s->facenormal[i];
    get_triangle(v, s, i);
    for (int k = 0; k < 3; k++) {
      sub(e[k], v[(k + 1) % 3], v[k]);
    }
    pose_cross(n, e[0], e[1]);
    double area = sqrt(pose_dot(n, n));
    for (int k = 0; k < 3; k++) {
      n[k] = area > mjMINVAL ? n[k] / area : 0;
    }
    for (int k = 0; k < 3; k++) {
      double angle = portable_atan2(area, -pose_dot(e[k], e[(k + 2) % 3]));
      add_scaled(sum[number[s->face[3 * (size_t)i + (size_t)k]]], n, angle);
    }
  }
}

static void sum_atedges(SignedDistance* s, Edge* edge, const int* number, int nface) {
  size_t n = 3 * (size_t)nface;
  for (size_t i = 0; i < n; i++) {
    int a = number[s->face[i]], b = number[s->face[i % 3 == 2 ? i - 2 : i + 1]];
    edge[i] = (Edge){a < b ? a : b, a < b ? b : a, (int)i};
  }
  qsort(edge, n, sizeof(Edge), compare_edges);
  for (size_t i = 0, end; i < n; i = end) {
    double sum[3] = {0, 0, 0};
    for (end = i; end < n && edge[end].a == edge[i].a && edge[end].b == edge[i].b; end++) {
      add_scaled(sum, s->facenormal[edge[end].slot / 3], 1);
    }
    for (size_t k = i; k < end; k++) {
      memcpy(s->edgenormal[edge[k].slot], sum, sizeof(sum));
    }
  }
}

SignedDistance* distance_make(const double* point, int nvert, const int* face, int nface,
                              BvhNodes tree) {
  size_t nv = (size_t)nvert, nf = (size_t)nface;
  SignedDistance* s = heap_zero(1, sizeof(SignedDistance));
  Edge* edge = heap_take((3 * nf + 1) * sizeof(Edge));
  int* number = heap_take((nv + 1) * sizeof(int));
  double(*sum)[3] = heap_zero(nv + 1, sizeof(*sum));
  *s = (SignedDistance){point, face, tree, NULL, NULL, NULL};
  s->facenormal = heap_take((nf + 1) * sizeof(*s->facenormal));
  s->edgenormal = heap_take((3 * nf + 1) * sizeof(*s->edgenormal));
  s->cornernormal = heap_take((3 * nf + 1) * sizeof(*s->cornernormal));
  mesh_weld(number, point, nvert);
  sum_atvertices(s, sum, number, nface);
  sum_atedges(s, edge, number, nface);
  for (size_t i = 0; i < 3 * nf; i++) {
    memcpy(s->cornernormal[i], sum[number[face[i]]], sizeof(*sum));
  }
  heap_free(edge);
  heap_free(number);
  heap_free(sum);
  return s;
}

void distance_free(SignedDistance* s) {
  if (s) {
    heap_free(s->facenormal);
    heap_free(s->edgenormal);
    heap_free(s->cornernormal);
    heap_free(s);
  }
}

// queries

typedef struct Nearest_ {
  double squared;        // distance
  double away[3];        // p - nearest point
  const double* normal;  // normal of the surface there
} Nearest;

// Updates the nearest point with a triangle: q = a + v (b - a) + w (c - a) in the region (vertex,
// edge or face) to which p projects. Ericson, "Real-Time Collision Detection", 2005, section 5.1.5.
static void see_triangle(Nearest* best, const SignedDistance* s, int i, const double p[3]) {
  const double* t[3];
  double ab[3], ac[3], ap[3], bp[3], cp[3];
  get_triangle(t, s, i);
  sub(ab, t[1], t[0]);
  sub(ac, t[2], t[0]);
  sub(ap, p, t[0]);
  sub(bp, p, t[1]);
  sub(cp, p, t[2]);
  double d1 = pose_dot(ab, ap), d2 = pose_dot(ac, ap), d3 = pose_dot(ab, bp), d4 = pose_dot(ac, bp),
         d5 = pose_dot(ab, cp), d6 = pose_dot(ac, cp);
  double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
  double v = 0, w = 0;
  const double(*corner)[3] = (const double(*)[3])s->cornernormal + 3 * (size_t)i;
  const double(*edge)[3] = (const double(*)[3])s->edgenormal + 3 * (size_t)i;
  const double* normal;
  if (d1 <= 0 && d2 <= 0) {
    normal = corner[0];
  } else if (d3 >= 0 && d4 <= d3) {
    v = 1;
    normal = corner[1];
  } else if (d6 >= 0 && d5 <= d6) {
    w = 1;
    normal = corner[2];
  } else if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    v = d1 / (d1 - d3);
    normal = edge[0];
  } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    w = d2 / (d2 - d6);
    normal = edge[2];
  } else if (va <= 0 && d4 >= d3 && d5 >= d6) {
    w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    v = 1 - w;
    normal = edge[1];
  } else {
    v = vb / (va + vb + vc);
    w = vc / (va + vb + vc);
    normal = s->facenormal[i];
  }
  double away[3];
  for (int k = 0; k < 3; k++) {
    away[k] = ap[k] - v * ab[k] - w * ac[k];
  }
  double squared = pose_dot(away, away);
  if (squared < best->squared) {
    best->squared = squared;
    best->normal = normal;
    memcpy(best->away, away, sizeof(away));
  }
}

static double box_squared(const mjtNum aabb[6], const double p[3]) {
  double squared = 0;
  for (int k = 0; k < 3; k++) {
    double outside = fmax(0, fabs(p[k] - (double)aabb[k]) - (double)aabb[3 + k]);
    squared += outside * outside;
  }
  return squared;
}

// Searches a subtree, the nearer child first, so that most of the other one can be skipped.
static void see(Nearest* best, const SignedDistance* s, int node, const double p[3]) {
  const int* child = s->tree.child + 2 * (size_t)node;
  if (child[0] < 0) {
    int face = s->tree.nodeid[node];
    const double* n = s->facenormal[face];
    if (n[0] != 0 || n[1] != 0 || n[2] != 0) {
      see_triangle(best, s, face, p);
    }
    return;
  }
  double squared[2];
  for (int i = 0; i < 2; i++) {
    squared[i] = box_squared(s->tree.aabb + 6 * (size_t)child[i], p);
  }
  int nearer = squared[1] < squared[0];
  for (int i = 0; i < 2; i++) {
    int side = i ^ nearer;
    if (squared[side] < best->squared) {
      see(best, s, child[side], p);
    }
  }
}

double distance_at(const SignedDistance* s, const double p[3]) {
  Nearest best = {.squared = INFINITY};
  see(&best, s, 0, p);
  double distance = sqrt(best.squared);
  return best.normal && pose_dot(best.away, best.normal) < 0 ? -distance : distance;
}
