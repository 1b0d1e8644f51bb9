// depth.h: how deep two convex geoms overlap, found in long double without any collider.
//
// The overlap of A and B along a unit direction u, by which B must move along u to be free of A, is
//
//     e(u) = h_A(u) + h_B(-u) - u . (c_B - c_A),     h(u) = max over x in the shape of u . (x - c)
//
// and the depth is its minimum over all directions; it is negative for shapes that are apart. It is
// searched from directions spread over the sphere, from the axes of the shapes, from their
// directions across each other and from one the caller believes in, and the best are improved by
// steps that shrink. So what is found is never too small.

#ifndef CONDYLE_TESTS_ACCEPTANCE_DEPTH_H_
#define CONDYLE_TESTS_ACCEPTANCE_DEPTH_H_

#include <math.h>
#include <mujoco/mujoco.h>
#include <string.h>

enum {
  DEPTH_SPREAD = 1500,  // directions of the spiral
  DEPTH_STARTS = 12,    // directions that are improved
};

typedef struct Overlap {
  const mjModel* m;
  const mjData* d;
  int geom[2];
  long double inflate;  // added to the overlap: the margin
} Overlap;

// h of one geom in a direction of the world
static inline long double depth_reach(const Overlap* o, int k, const long double u[3]) {
  int g = o->geom[k];
  const mjtNum *mat = o->d->geom_xmat + 9 * g, *size = o->m->geom_size + 3 * g;
  long double l[3], best = -INFINITY;
  for (int i = 0; i < 3; i++) {
    l[i] = mat[i] * u[0] + mat[3 + i] * u[1] + mat[6 + i] * u[2];
  }
  switch (o->m->geom_type[g]) {
    case mjGEOM_SPHERE:
      return size[0];
    case mjGEOM_CAPSULE:
      return size[0] + size[1] * fabsl(l[2]);
    case mjGEOM_ELLIPSOID:
      return sqrtl(powl(size[0] * l[0], 2) + powl(size[1] * l[1], 2) + powl(size[2] * l[2], 2));
    case mjGEOM_CYLINDER:
      return size[0] * hypotl(l[0], l[1]) + size[1] * fabsl(l[2]);
    case mjGEOM_BOX:
      return size[0] * fabsl(l[0]) + size[1] * fabsl(l[1]) + size[2] * fabsl(l[2]);
    default:
      break;
  }
  int mesh = o->m->geom_dataid[g];
  const float* vert = o->m->mesh_vert + 3 * (size_t)o->m->mesh_vertadr[mesh];
  for (int i = 0; i < o->m->mesh_vertnum[mesh]; i++) {
    best = fmaxl(best, l[0] * vert[3 * i] + l[1] * vert[3 * i + 1] + l[2] * vert[3 * i + 2]);
  }
  return best;
}

static inline long double depth_along(const Overlap* o, const long double u[3]) {
  const mjtNum *a = o->d->geom_xpos + 3 * o->geom[0], *b = o->d->geom_xpos + 3 * o->geom[1];
  long double back[3] = {-u[0], -u[1], -u[2]}, gap = 0;
  for (int i = 0; i < 3; i++) {
    gap += u[i] * ((long double)b[i] - a[i]);
  }
  return depth_reach(o, 0, u) + depth_reach(o, 1, back) - gap + o->inflate;
}

static inline int depth_unit(long double u[3]) {
  long double norm = sqrtl(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  for (int i = 0; i < 3; i++) {
    u[i] /= norm;
  }
  return norm > 1e-12L;
}

// Least overlap near u, which becomes its direction: ever smaller steps to any side.
static inline long double depth_improve(const Overlap* o, long double u[3]) {
  long double best = depth_along(o, u);
  uint64_t seed = 88172645463325252u;
  for (long double step = 0.05L; step > 1e-10L; step *= 0.8L) {
    for (int i = 0; i < 24; i++) {
      long double v[3];
      for (int k = 0; k < 3; k++) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        v[k] = u[k] + step * ((long double)(seed >> 11) / 4503599627370496.0L - 1);
      }
      depth_unit(v);
      long double e = depth_along(o, v);
      if (e < best) {
        best = e;
        memcpy(u, v, 3 * sizeof(long double));
      }
    }
  }
  return best;
}

// The best directions so far, the best first.
typedef struct DepthStarts {
  long double u[DEPTH_STARTS][3], e[DEPTH_STARTS];
  int num;
} DepthStarts;

static inline void depth_offer(DepthStarts* s, const Overlap* o, const long double from[3]) {
  long double u[3] = {from[0], from[1], from[2]};
  if (!depth_unit(u)) {
    return;
  }
  long double e = depth_along(o, u);
  int at = s->num < DEPTH_STARTS ? s->num : DEPTH_STARTS - 1;
  if (s->num == DEPTH_STARTS && e >= s->e[at]) {
    return;
  }
  for (; at > 0 && s->e[at - 1] > e; at--) {
    s->e[at] = s->e[at - 1];
    memcpy(s->u[at], s->u[at - 1], sizeof u);
  }
  s->e[at] = e;
  memcpy(s->u[at], u, sizeof u);
  s->num += s->num < DEPTH_STARTS;
}

static inline void depth_offer_both(DepthStarts* s, const Overlap* o, const long double u[3]) {
  const long double back[3] = {-u[0], -u[1], -u[2]};
  depth_offer(s, o, u);
  depth_offer(s, o, back);
}

// The depth, and its direction in u if it isn't NULL; `believed` is another direction to start from,
// or NULL.
static inline long double depth_search(long double u[3], const Overlap* o, const mjtNum* believed) {
  DepthStarts s = {.num = 0};
  for (int i = 0; i < DEPTH_SPREAD; i++) {
    long double z = 1 - (2 * i + 1.0L) / DEPTH_SPREAD, r = sqrtl(1 - z * z);
    const long double v[3] = {r * cosl(2.399963229728653L * i), r * sinl(2.399963229728653L * i),
                              z};
    depth_offer(&s, o, v);
  }
  long double axis[6][3];
  for (int i = 0; i < 6; i++) {
    const mjtNum* mat = o->d->geom_xmat + 9 * o->geom[i / 3];
    for (int k = 0; k < 3; k++) {
      axis[i][k] = mat[3 * k + i % 3];
    }
    depth_offer_both(&s, o, axis[i]);
    for (int j = 0; j < i; j++) {
      const long double *a = axis[i], *b = axis[j];
      const long double v[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                                a[0] * b[1] - a[1] * b[0]};
      depth_offer_both(&s, o, v);
    }
  }
  const mjtNum *a = o->d->geom_xpos + 3 * o->geom[0], *b = o->d->geom_xpos + 3 * o->geom[1];
  const long double centres[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  depth_offer_both(&s, o, centres);
  if (believed) {
    const long double v[3] = {believed[0], believed[1], believed[2]};
    depth_offer(&s, o, v);
  }

  long double best = INFINITY;
  for (int i = 0; i < s.num; i++) {
    long double e = depth_improve(o, s.u[i]);
    if (e < best) {
      best = e;
      if (u) {
        memcpy(u, s.u[i], 3 * sizeof(long double));
      }
    }
  }
  return best;
}

// How far a point is outside of a geom, as far as directions tell; negative inside.
static inline long double depth_outside(const Overlap* o, int k, const mjtNum point[3]) {
  const mjtNum* centre = o->d->geom_xpos + 3 * o->geom[k];
  long double worst = -INFINITY;
  for (int i = 0; i < DEPTH_SPREAD; i++) {
    long double z = 1 - (2 * i + 1.0L) / DEPTH_SPREAD, r = sqrtl(1 - z * z);
    const long double v[3] = {r * cosl(2.399963229728653L * i), r * sinl(2.399963229728653L * i),
                              z};
    long double along = 0;
    for (int j = 0; j < 3; j++) {
      along += v[j] * ((long double)point[j] - centre[j]);
    }
    worst = fmaxl(worst, along - depth_reach(o, k, v));
  }
  return worst;
}

#endif  // CONDYLE_TESTS_ACCEPTANCE_DEPTH_H_
