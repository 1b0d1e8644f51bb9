// Directions are improved by trying a ring of others around them. The overlap is the largest u.w of
// all points w of A - B; where its pieces meet in creases and corners a ring is blind. But each
// direction of the ring tells a w, and of the planes u.w three have a corner; on the crease of two,
// or on one, the overlap of shapes that are apart is least towards the origin:
//
//     (u + x p + y q) . w_i = e  for three i, p and q across u;      -w_i;
//     -(w_i + t (w_j - w_i)) with t such that it is across w_j - w_i
//
// So, where a ring finds nothing lower, these are tried, and then a smaller ring. Shapes that are
// apart have one minimum only, and a search of its own that cannot miss it.

#include "support/depth.h"

#include <math.h>
#include <string.h>

enum {
  SPREAD = 1500,  // directions of the spiral
  STARTS = 12,    // directions that are improved a little
  FINISHED = 4,   // the best of these, to the end
  RING = 8,
  MOST_RINGS = 150,  // where rounding alone still leads down
  MOST_NEARER = 200  // steps towards the nearest point
};

static const long double GOLDEN_ANGLE = 2.399963229728653L, SQRT_HALF = 0.70710678118654752440L;

Overlap overlap_of_geoms(const mjModel* m, const mjData* d, int g1, int g2, mjtNum margin) {
  Overlap o = {.margin = margin};
  for (int k = 0; k < 2; k++) {
    int g = k ? g2 : g1, mesh = m->geom_dataid[g];
    o.shape[k] = (DepthShape){.type = m->geom_type[g],
                              .size = m->geom_size + 3 * g,
                              .pos = d->geom_xpos + 3 * g,
                              .mat = d->geom_xmat + 9 * g};
    if (o.shape[k].type == mjGEOM_MESH) {
      o.shape[k].vert = m->mesh_vert + 3 * (size_t)m->mesh_vertadr[mesh];
      o.shape[k].nvert = m->mesh_vertnum[mesh];
    }
  }
  return o;
}

static long double dot(const long double a[3], const long double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(long double out[3], const long double a[3], const long double b[3]) {
  for (int i = 0; i < 3; i++) {
    out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
  }
}

// 0 if there is no direction
static int normalize(long double u[3]) {
  long double norm = sqrtl(dot(u, u));
  for (int i = 0; i < 3; i++) {
    u[i] /= norm;
  }
  return norm > 1e-12L;
}

// Column i of the orientation of shape k.
static void axis_of(long double axis[3], const Overlap* o, int k, int i) {
  for (int j = 0; j < 3; j++) {
    axis[j] = o->shape[k].mat[3 * j + i];
  }
}

// from the centre of shape 0 to that of shape 1
static void gap_of(long double gap[3], const Overlap* o) {
  for (int i = 0; i < 3; i++) {
    gap[i] = (long double)o->shape[1].pos[i] - o->shape[0].pos[i];
  }
}

// The vertex of a mesh furthest along l.
static void mesh_point(long double x[3], const DepthShape* s, const long double l[3]) {
  long double best = -INFINITY;
  for (int i = 0; i < s->nvert; i++) {
    const float* v = s->vert + 3 * (size_t)i;
    long double e = l[0] * v[0] + l[1] * v[1] + l[2] * v[2];
    if (e > best) {
      best = e;
      x[0] = v[0], x[1] = v[1], x[2] = v[2];
    }
  }
}

// The point x of a shape furthest along l, both in its frame: h is l.x.
static void point_of(long double x[3], const DepthShape* s, const long double l[3]) {
  const mjtNum* size = s->size;
  long double length = 0;
  for (int i = 0; i < 3; i++) {
    x[i] = 0;
  }
  switch (s->type) {
    case mjGEOM_PLANE:
      return;  // it is only asked along its normal
    case mjGEOM_SPHERE:
    case mjGEOM_CAPSULE:
      for (int i = 0; i < 3; i++) {
        x[i] = size[0] * l[i];
      }
      x[2] += s->type == mjGEOM_CAPSULE ? copysignl(size[1], l[2]) : 0;
      return;
    case mjGEOM_ELLIPSOID:
      for (int i = 0; i < 3; i++) {
        length += size[i] * l[i] * (size[i] * l[i]);
      }
      length = sqrtl(length);
      for (int i = 0; i < 3 && length > 0; i++) {
        x[i] = size[i] * (size[i] * l[i] / length);
      }
      return;
    case mjGEOM_CYLINDER:
      length = sqrtl(l[0] * l[0] + l[1] * l[1]);
      x[0] = length > 0 ? size[0] * (l[0] / length) : 0;
      x[1] = length > 0 ? size[0] * (l[1] / length) : 0;
      x[2] = copysignl(size[1], l[2]);
      return;
    case mjGEOM_BOX:
      for (int i = 0; i < 3; i++) {
        x[i] = copysignl(size[i], l[i]);
      }
      return;
    default:
      mesh_point(x, s, l);
  }
}

// The same in the directions of the world, from the centre of the shape.
static void reach_point(long double x[3], const DepthShape* s, const long double u[3]) {
  long double l[3], y[3];
  for (int i = 0; i < 3; i++) {
    l[i] = s->mat[i] * u[0] + s->mat[3 + i] * u[1] + s->mat[6 + i] * u[2];
  }
  point_of(y, s, l);
  for (int i = 0; i < 3; i++) {
    x[i] = s->mat[3 * i] * y[0] + s->mat[3 * i + 1] * y[1] + s->mat[3 * i + 2] * y[2];
  }
}

long double overlap_reach(const Overlap* o, int k, const long double u[3]) {
  long double x[3];
  reach_point(x, o->shape + k, u);
  return dot(u, x);
}

// e of a unit direction, and its w: e = u.w + margin.
static long double overlap_point(long double w[3], const Overlap* o, const long double u[3]) {
  const long double back[3] = {-u[0], -u[1], -u[2]};
  long double b[3], gap[3];
  reach_point(w, o->shape, u);
  reach_point(b, o->shape + 1, back);
  gap_of(gap, o);
  for (int i = 0; i < 3; i++) {
    w[i] -= b[i] + gap[i];
  }
  return dot(u, w) + o->margin;
}

long double overlap_along(const Overlap* o, const long double u[3]) {
  long double unit[3] = {u[0], u[1], u[2]}, w[3];
  normalize(unit);
  return overlap_point(w, o, unit);
}

double overlap_along_normal(const Overlap* o, const mjtNum n[3]) {
  return (double)overlap_along(o, (const long double[3]){n[0], n[1], n[2]});
}

// Direction i of a spiral of golden angles, which covers the sphere evenly.
static void spread_direction(long double u[3], int i) {
  long double z = 1 - (2 * i + 1.0L) / SPREAD, r = sqrtl(1 - z * z);
  u[0] = r * cosl(GOLDEN_ANGLE * i);
  u[1] = r * sinl(GOLDEN_ANGLE * i);
  u[2] = z;
}

// A direction and the directions around it, each with its point w; the ring stands across axis[0],
// axis[1].
typedef struct Ring {
  long double radius, axis[2][3];
  long double u[3], e;         // the centre and its overlap
  long double w[1 + RING][3];  // those that differ; the first is of the centre
  int num;
} Ring;

static void ring_set(Ring* r, const Overlap* o, const long double u[3]) {
  long double aside[3] = {0, 0, 0};
  memcpy(r->u, u, sizeof r->u);
  normalize(r->u);
  r->e = overlap_point(r->w[0], o, r->u);
  r->num = 1;
  aside[fabsl(u[0]) < 0.7L ? 0 : 1] = 1;
  cross(r->axis[0], r->u, aside);
  normalize(r->axis[0]);
  cross(r->axis[1], r->u, r->axis[0]);
}

// u + x p + y q
static void ring_direction(long double v[3], const Ring* r, long double x, long double y) {
  for (int k = 0; k < 3; k++) {
    v[k] = r->u[k] + x * r->axis[0][k] + y * r->axis[1][k];
  }
  normalize(v);
}

static void ring_note(Ring* r, const long double w[3]) {
  for (int i = 0; i < r->num; i++) {
    if (!memcmp(r->w[i], w, sizeof r->w[i])) {
      return;
    }
  }
  memcpy(r->w[r->num++], w, sizeof r->w[0]);
}

// The lowest direction of the ring; 0 if none is lower than the centre.
static int ring_lower(long double lower[3], Ring* r, const Overlap* o, long double turn) {
  long double best = r->e, xy[2] = {r->radius * cosl(turn), r->radius * sinl(turn)};
  for (int i = 0; i < RING; i++) {
    // an eighth of a turn further
    long double v[3], w[3] = {0}, x = SQRT_HALF * (xy[0] - xy[1]);
    xy[1] = SQRT_HALF * (xy[0] + xy[1]);
    xy[0] = x;
    ring_direction(v, r, xy[0], xy[1]);
    long double e = overlap_point(w, o, v);
    ring_note(r, w);
    if (e < best) {
      best = e;
      memcpy(lower, v, sizeof v);
    }
  }
  return best < r->e;
}

// Where the planes of three points meet, as a direction; 0 if that isn't within the ring.
static int corner_of_three(long double v[3], const Ring* r, int i, int j, int k) {
  long double c[2][3];
  for (int n = 0; n < 2; n++) {
    long double d[3];
    for (int l = 0; l < 3; l++) {
      d[l] = r->w[n ? k : j][l] - r->w[i][l];
    }
    c[n][0] = dot(d, r->axis[0]);
    c[n][1] = dot(d, r->axis[1]);
    c[n][2] = -dot(d, r->u);
  }
  long double det = c[0][0] * c[1][1] - c[0][1] * c[1][0];
  long double x = (c[0][2] * c[1][1] - c[0][1] * c[1][2]) / det;
  long double y = (c[0][0] * c[1][2] - c[0][2] * c[1][0]) / det;
  ring_direction(v, r, x, y);
  return x * x + y * y <= r->radius * r->radius;
}

// The direction that a segment between two points, or a point (j = i), is furthest from the origin
// in.
static int away_from_segment(long double v[3], const Ring* r, int i, int j) {
  long double d[3], along = 0;
  for (int l = 0; l < 3; l++) {
    d[l] = r->w[j][l] - r->w[i][l];
  }
  along = j == i ? 0 : dot(r->w[i], d) / dot(d, d);
  for (int l = 0; l < 3; l++) {
    v[l] = along * d[l] - r->w[i][l];
  }
  return normalize(v);
}

// What the planes that the ring knows promise of a direction.
static long double ring_promise(const Ring* r, const long double v[3]) {
  long double most = -INFINITY;
  for (int i = 0; i < r->num; i++) {
    most = fmaxl(most, dot(v, r->w[i]));
  }
  return most;
}

// Keeps the lower promise of two directions.
static void keep_lower(long double kept[3], long double* best, const Ring* r,
                       const long double v[3]) {
  long double promise = ring_promise(r, v);
  if (promise < *best) {
    *best = promise;
    memcpy(kept, v, 3 * sizeof(long double));
  }
}

// The lowest directions that the planes of the ring promise, one by corners and one by segments, as
// these may lie where the planes aren't those of the shapes; 0 if neither is lower than the centre.
static int ring_crease(long double lower[3], const Ring* r, const Overlap* o) {
  long double corner = INFINITY, segment = INFINITY, v[3], kept[2][3];
  for (int i = 0; i < r->num; i++) {
    for (int j = 0; j <= i; j++) {
      if (away_from_segment(v, r, i, j)) {
        keep_lower(kept[0], &segment, r, v);
      }
      for (int k = 0; k < j && j < i; k++) {
        if (corner_of_three(v, r, i, j, k)) {
          keep_lower(kept[1], &corner, r, v);
        }
      }
    }
  }
  for (int i = 0; i < 2; i++) {
    if ((i ? corner : segment) < INFINITY && overlap_along(o, kept[i]) < r->e) {
      memcpy(lower, kept[i], sizeof kept[i]);
      return 1;
    }
  }
  return 0;
}

// Least overlap near u, which becomes its direction, by rings that shrink from one radius to
// another; creases are looked for in the end only.
static long double improve(const Overlap* o, long double u[3], long double radius, long double last,
                           int crease) {
  Ring r = {.radius = radius};
  long double turn = 0;
  ring_set(&r, o, u);
  for (int i = 0; i < MOST_RINGS && r.radius > last; i++, turn += GOLDEN_ANGLE) {
    long double lower[3];
    if (ring_lower(lower, &r, o, turn) || (crease && ring_crease(lower, &r, o))) {
      ring_set(&r, o, lower);
      r.radius = fminl(2 * r.radius, radius);
    } else {
      r.radius *= crease ? 0.25L : 0.5L;
      r.num = 1;
    }
  }
  memcpy(u, r.u, sizeof r.u);
  return r.e;
}

// Shapes that are apart are furthest apart towards the point v of A - B that is nearest to the
// origin: of all points of A - B, v is nearest if v.w >= v.v for the w lowest along v (Gilbert,
// Johnson and Keerthi 1988).

// The point of the affine hull of num points nearest to the origin: v = sum c_i w_i with v across
// all w_i - w_0. 0 if some c_i isn't positive, so that a smaller hull has a nearer point.
static int nearest_of_plane(long double v[3], const long double w[4][3], const int* index,
                            int num) {
  long double A[3][4], c[3] = {0, 0, 0};
  int n = num - 1;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= n; j++) {
      A[i][j] = 0;
      for (int k = 0; k < 3; k++) {
        const long double* first = w[index[0]];
        long double to = j < n ? w[index[j + 1]][k] - first[k] : -first[k];
        A[i][j] += (w[index[i + 1]][k] - first[k]) * to;
      }
    }
  }
  for (int i = 0; i < n; i++) {
    for (int r = 0; r < n; r++) {
      long double factor = r == i ? 0 : A[r][i] / A[i][i];
      for (int j = i; j <= n && r != i; j++) {
        A[r][j] -= factor * A[i][j];
      }
    }
  }
  long double rest = 1;
  for (int i = 0; i < n; i++) {
    c[i] = A[i][n] / A[i][i];
    rest -= c[i];
    if (!(c[i] > 0)) {
      return 0;
    }
  }
  for (int k = 0; k < 3; k++) {
    v[k] = rest * w[index[0]][k];
    for (int i = 0; i < n; i++) {
      v[k] += c[i] * w[index[i + 1]][k];
    }
  }
  return rest > 0;
}

// The point of the hull of num points nearest to the origin; keeps the points that it is between,
// and returns how many.
static int nearest_of_hull(long double v[3], long double w[4][3], int num) {
  long double least = INFINITY, x[3], kept[4][3] = {{0}};
  int best[4] = {0}, nbest = 0;
  for (int set = 1; set < 1 << num; set++) {
    int index[4], n = 0;
    for (int i = 0; i < num; i++) {
      if (set >> i & 1) {
        index[n++] = i;
      }
    }
    if (nearest_of_plane(x, (const long double(*)[3])w, index, n) && dot(x, x) < least) {
      least = dot(x, x);
      nbest = n;
      memcpy(v, x, sizeof x);
      memcpy(best, index, sizeof index);
    }
  }
  for (int i = 0; i < nbest; i++) {
    memcpy(kept[i], w[best[i]], sizeof kept[i]);
  }
  memcpy(w, kept, sizeof kept);
  return nbest;
}

// The direction along which shapes are furthest apart; 0 if they aren't apart.
static int apart_direction(long double u[3], const Overlap* o) {
  long double w[4][3], v[3] = {0, 0, 0}, last = INFINITY;
  int num = 1;
  gap_of(u, o);
  if (!normalize(u)) {
    return 0;
  }
  overlap_point(w[0], o, u);
  for (int i = 0; i < MOST_NEARER; i++) {
    num = nearest_of_hull(v, w, num);
    long double square = num < 4 ? dot(v, v) : 0;
    if (!(square > 0 && square < last)) {
      break;
    }
    last = square;
    for (int k = 0; k < 3; k++) {
      u[k] = -v[k] / sqrtl(square);
    }
    overlap_point(w[num++], o, u);
  }
  return last < INFINITY && overlap_along(o, u) < o->margin;
}

// The best directions so far, the best first.
typedef struct Starts {
  long double u[STARTS][3], e[STARTS];
  int num;
} Starts;

static void offer(Starts* s, const Overlap* o, const long double from[3]) {
  long double u[3] = {from[0], from[1], from[2]};
  if (!normalize(u)) {
    return;
  }
  long double e = overlap_along(o, u);
  int at = s->num < STARTS ? s->num : STARTS - 1;
  if (s->num == STARTS && e >= s->e[at]) {
    return;
  }
  for (; at > 0 && s->e[at - 1] > e; at--) {
    s->e[at] = s->e[at - 1];
    memcpy(s->u[at], s->u[at - 1], sizeof u);
  }
  s->e[at] = e;
  memcpy(s->u[at], u, sizeof u);
  s->num += s->num < STARTS;
}

static void offer_both(Starts* s, const Overlap* o, const long double u[3]) {
  const long double back[3] = {-u[0], -u[1], -u[2]};
  offer(s, o, u);
  offer(s, o, back);
}

static void offer_all(Starts* s, const Overlap* o, const mjtNum* believed) {
  long double v[3], axis[6][3];
  for (int i = 0; i < SPREAD; i++) {
    spread_direction(v, i);
    offer(s, o, v);
  }
  for (int i = 0; i < 6; i++) {
    axis_of(axis[i], o, i / 3, i % 3);
    offer_both(s, o, axis[i]);
    for (int j = 0; j < i; j++) {
      cross(v, axis[i], axis[j]);
      offer_both(s, o, v);
    }
  }
  gap_of(v, o);
  offer_both(s, o, v);
  if (apart_direction(v, o)) {
    offer(s, o, v);
  }
  if (believed) {
    offer(s, o, (const long double[3]){believed[0], believed[1], believed[2]});
  }
}

long double overlap_least(long double u[3], const Overlap* o, const mjtNum* believed) {
  Starts s = {.num = 0}, better = {.num = 0};
  long double best = INFINITY;
  if (o->shape[0].type == mjGEOM_PLANE) {
    axis_of(s.u[0], o, 0, 2);
    best = overlap_along(o, s.u[0]);
    if (u) {
      memcpy(u, s.u[0], sizeof s.u[0]);
    }
    return best;
  }
  offer_all(&s, o, believed);
  for (int i = 0; i < s.num; i++) {
    improve(o, s.u[i], 0.05L, 1e-3L, 0);
    offer(&better, o, s.u[i]);
  }
  for (int i = 0; i < better.num && i < FINISHED; i++) {
    long double e = improve(o, better.u[i], 1e-2L, 1e-11L, 1);
    if (e < best) {
      best = e;
      if (u) {
        memcpy(u, better.u[i], sizeof better.u[i]);
      }
    }
  }
  return best;
}

long double overlap_outside(const Overlap* o, int k, const mjtNum point[3]) {
  long double worst = -INFINITY, arm[3], u[3];
  for (int j = 0; j < 3; j++) {
    arm[j] = (long double)point[j] - o->shape[k].pos[j];
  }
  if (o->shape[k].type == mjGEOM_PLANE) {
    axis_of(u, o, k, 2);
    return dot(u, arm);
  }
  for (int i = 0; i < SPREAD; i++) {
    spread_direction(u, i);
    worst = fmaxl(worst, dot(u, arm) - overlap_reach(o, k, u));
  }
  return worst;
}
