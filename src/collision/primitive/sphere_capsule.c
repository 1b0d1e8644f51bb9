// Spheres, capsules and their closed-form partners. Each pair is reduced to two spheres, at the
// closest points of the cores.

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include <mujoco/api/base.h>
#include <mujoco/mjdata.h>

#include "collision/collide.h"

// Two spheres of radius r1 at p1 and r2 at p2; axis1 and axis2 give the normal (their cross
// product) if the centres coincide.
//
// n = (p2 - p1)/|p2 - p1|;   dist = |p2 - p1| - r1 - r2,   pos = p1 + n (r1 + dist/2)
// Coincident centres: n = axis1 x axis2, or (1,0,0) if these are parallel.
static int sphere_sphere(mjContact* con, const mjtNum p1[3], const mjtNum axis1[3], mjtNum r1,
                         const mjtNum p2[3], const mjtNum axis2[3], mjtNum r2, mjtNum margin) {
  mjtNum n[3], pos[3];
  v3_sub(n, p2, p1);
  mjtNum reach = margin + r1 + r2;
  if (v3_dot(n, n) > reach * reach) {
    return 0;
  }
  mjtNum len = v3_normalize(n);
  if (len < mjMINVAL) {
    v3_cross(n, axis1, axis2);
    v3_normalize(n);
  }
  mjtNum dist = len - r1 - r2;
  v3_addscl(pos, p1, n, r1 + dist / 2);
  contact_set(con, dist, pos, n);
  return 1;
}

int collide_sphere_sphere(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                          mjtNum margin) {
  Solid a = solid_of(m, d, g1), b = solid_of(m, d, g2);
  mjtNum axis1[3], axis2[3];
  m3_column(axis1, a.mat, 2);
  m3_column(axis2, b.mat, 2);
  return sphere_sphere(con, a.pos, axis1, a.size[0], b.pos, axis2, b.size[0], margin);
}

int sphere_capsule(mjContact* con, const Solid* sphere, const Solid* capsule, mjtNum margin) {
  mjtNum axis1[3], axis2[3], gap[3], near[3];
  m3_column(axis1, sphere->mat, 2);
  m3_column(axis2, capsule->mat, 2);
  v3_sub(gap, sphere->pos, capsule->pos);
  mjtNum x = num_clamp(v3_dot(axis2, gap), -capsule->size[1], capsule->size[1]);
  v3_addscl(near, capsule->pos, axis2, x);
  return sphere_sphere(con, sphere->pos, axis1, sphere->size[0], near, axis2, capsule->size[0],
                       margin);
}

int collide_sphere_capsule(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                           mjtNum margin) {
  Solid sphere = solid_of(m, d, g1), capsule = solid_of(m, d, g2);
  return sphere_capsule(con, &sphere, &capsule, margin);
}

// The nearest part of the cylinder is its side (the sphere meets a sphere on the axis), a cap (a
// plane) or the rim (a point). It follows from the position of the sphere's centre:
//
//     cap  : rim           x = distance along the axis, u = radial vector
//    ------.......
//     in   : side
int collide_sphere_cylinder(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                            mjtNum margin) {
  Solid sphere = solid_of(m, d, g1), cylinder = solid_of(m, d, g2);
  mjtNum radius = cylinder.size[0], half = cylinder.size[1];
  mjtNum axis1[3], axis2[3], gap[3], u[3], near[3];
  m3_column(axis1, sphere.mat, 2);
  m3_column(axis2, cylinder.mat, 2);
  v3_sub(gap, sphere.pos, cylinder.pos);
  mjtNum x = v3_dot(axis2, gap);
  v3_addscl(u, gap, axis2, -x);
  mjtNum uu = v3_dot(u, u);

  int side = mju_abs(x) < half;
  int cap = uu < radius * radius;
  if (side && cap) {
    // inside, the nearer one of cap and side is the surface that touches
    if (half - mju_abs(x) < radius - mju_sqrt(uu)) {
      side = 0;
    } else {
      cap = 0;
    }
  }

  if (side) {
    v3_addscl(near, cylinder.pos, axis2, x);
    return sphere_sphere(con, sphere.pos, axis1, sphere.size[0], near, axis2, radius, margin);
  }
  if (cap) {
    mjtNum out[3];
    v3_scl(out, axis2, x > 0 ? 1 : -1);
    v3_addscl(near, cylinder.pos, axis2, x > 0 ? half : -half);
    int num = plane_sphere(con, near, out, sphere.pos, sphere.size[0], margin);
    if (num) {
      v3_scl(con->frame, con->frame, -1);
    }
    return num;
  }
  v3_addscl(near, cylinder.pos, u, radius / mju_sqrt(uu));
  v3_addtoscl(near, axis2, x > 0 ? half : -half);
  return sphere_sphere(con, sphere.pos, axis1, sphere.size[0], near, axis2, 0, margin);
}

// Outside, the normal points towards the nearest point k of the box. Inside or on the surface, it
// leads out through the nearest face.
int sphere_box(mjContact* con, const mjtNum p1[3], mjtNum r1, const Solid* box, mjtNum margin) {
  const mjtNum* size = box->size;
  mjtNum gap[3], c[3], n[3], pos[3];
  v3_sub(gap, p1, box->pos);
  m3_tmulv(c, box->mat, gap);

  mjtNum k[3];
  for (int i = 0; i < 3; i++) {
    k[i] = c[i];
    if (size[i] > 0) {
      k[i] = num_clamp(c[i], -size[i], size[i]);
    }
  }
  v3_sub(n, k, c);
  mjtNum len = v3_normalize(n);
  if (len - r1 > margin) {
    return 0;
  }

  mjtNum dist;
  if (len > mjMINVAL) {
    dist = len - r1;
    v3_add(pos, k, c);
    v3_addtoscl(pos, n, r1);
    v3_scl(pos, pos, (mjtNum)0.5);
  } else {
    mjtNum best = 2 * (size[0] + size[1] + size[2]);
    int face = 0;
    for (int i = 0; i < 6; i++) {
      mjtNum depth = mju_abs((i % 2 ? size[i / 2] : -size[i / 2]) - c[i / 2]);
      if (depth < best) {
        best = depth;
        face = i;
      }
    }
    v3_zero(n);
    n[face / 2] = face % 2 ? -1 : 1;
    dist = -best - r1;
    v3_addscl(pos, c, n, (r1 - best) / 2);
  }

  mjtNum wn[3], wpos[3];
  m3_mulv(wn, box->mat, n);
  m3_mulv(wpos, box->mat, pos);
  v3_addto(wpos, box->pos);
  contact_set(con, dist, wpos, wn);
  return 1;
}

int collide_sphere_box(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                       mjtNum margin) {
  Solid sphere = solid_of(m, d, g1), box = solid_of(m, d, g2);
  return sphere_box(con, sphere.pos, sphere.size[0], &box, margin);
}

// The closest points x1, x2 in [-1,1] of the segments p1 + x1 A1 and p2 + x2 A2 minimise |w + x1 A1
// - x2 A2|^2, w = p1 - p2:
//
//     | ma mb | |x1|   |u|        ma = A1.A1, mb = -A1.A2, mc = A2.A2
//     | mb mc | |x2| = |v|         u = -A1.w,  v = A2.w
//
// Parallel segments (singular matrix) touch along a line: two contacts, from the ends of either
// one.
typedef struct Segments {
  mjtNum ma, mb, mc, u, v;
} Segments;

// Relative rounding error of a sum of products: below it the determinant counts as 0 (parallel
// segments), and distances count as equal.
static const mjtNum ROUNDING = sizeof(mjtNum) == sizeof(double) ? (mjtNum)1e-12 : (mjtNum)1e-5;

// An end of the first segment (i < 2) or the second, and the closest point of the other one.
static void end_of(mjtNum x[2], const Segments* s, int i) {
  mjtNum end = i % 2 ? -1 : 1;
  x[0] = i < 2 ? end : num_clamp((s->u - end * s->mb) / s->ma, -1, 1);
  x[1] = i < 2 ? num_clamp((s->v - end * s->mb) / s->mc, -1, 1) : end;
}

// Half of the squared distance of two points, less half of that of the centres.
static mjtNum beyond_centres(const Segments* s, const mjtNum x[2]) {
  return x[0] * (s->ma * x[0] / 2 + s->mb * x[1] - s->u) + x[1] * (s->mc * x[1] / 2 - s->v);
}

// Moves the closest points of two lines to those of the segments.
static void move_inside(mjtNum x[2], const Segments* s) {
  if (x[0] > 1) {
    x[0] = 1;
    x[1] = (s->v - s->mb) / s->mc;
  } else if (x[0] < -1) {
    x[0] = -1;
    x[1] = (s->v + s->mb) / s->mc;
  }
  if (x[1] > 1) {
    x[1] = 1;
    x[0] = num_clamp((s->u - s->mb) / s->ma, -1, 1);
  } else if (x[1] < -1) {
    x[1] = -1;
    x[0] = num_clamp((s->u + s->mb) / s->ma, -1, 1);
  }
}

// Also lane_closest_points in lanes/shapes/round.h.
static void closest_points(mjtNum x[2], const Segments* s, mjtNum det) {
  x[0] = (s->mc * s->u - s->mb * s->v) / det;
  x[1] = (s->ma * s->v - s->mb * s->u) / det;
  move_inside(x, s);

  // the determinant of long parallel segments is all rounding, and its solution may be the wrong
  // ends
  if (mju_abs(det) < ROUNDING * s->ma * s->mc) {
    mjtNum clearly = ROUNDING * (s->ma + s->mc + mju_abs(s->u) + mju_abs(s->v));
    for (int i = 0; i < 4; i++) {
      mjtNum end[2];
      end_of(end, s, i);
      if (beyond_centres(s, end) < beyond_centres(s, x) - clearly) {
        x[0] = end[0];
        x[1] = end[1];
      }
    }
  }
}

// The vector from the centre to the upper end.
static void half_segment(mjtNum half[3], const Solid* capsule) {
  m3_column(half, capsule->mat, 2);
  v3_scl(half, half, capsule->size[1]);
}

static Segments segments_of(const Solid* a, const Solid* b) {
  mjtNum half1[3], half2[3], w[3];
  half_segment(half1, a);
  half_segment(half2, b);
  v3_sub(w, a->pos, b->pos);
  return (Segments){v3_dot(half1, half1), -v3_dot(half1, half2), v3_dot(half2, half2),
                    -v3_dot(half1, w), v3_dot(half2, w)};
}

// The contact of two spheres at the points x[0], x[1] of two capsules' segments.
static int touch_at(mjContact* con, const Solid* a, const Solid* b, const mjtNum x[2],
                    mjtNum margin) {
  mjtNum axis1[3], axis2[3], half1[3], half2[3], q1[3], q2[3];
  m3_column(axis1, a->mat, 2);
  m3_column(axis2, b->mat, 2);
  half_segment(half1, a);
  half_segment(half2, b);
  v3_addscl(q1, a->pos, half1, x[0]);
  v3_addscl(q2, b->pos, half2, x[1]);
  return sphere_sphere(con, q1, axis1, a->size[0], q2, axis2, b->size[0], margin);
}

int capsule_capsule(mjContact* con, const Solid* a, const Solid* b, mjtNum margin) {
  mjtNum x[2];
  const Segments s = segments_of(a, b);
  mjtNum det = s.ma * s.mc - s.mb * s.mb;
  const int is_parallel = !(mju_abs(det) >= mjMINVAL);
  int num = 0;
  for (int i = 0; is_parallel && i < 4 && !(i >= 2 && num >= 2); i++) {
    end_of(x, &s, i);
    num += touch_at(con + num, a, b, x, margin);
  }
  // short segments look parallel though they may cross between their ends: both are tried
  if (!is_parallel || (!num && mju_abs(det) > ROUNDING * s.ma * s.mc)) {
    closest_points(x, &s, det);
    num = touch_at(con, a, b, x, margin);
  }
  return num;
}

// One end of the overlap of two capsules along the first one's axis: the lower one (way -1) or the
// upper one. Where one of the segments ends first, and the nearest point of the other:
//
//     segment 1  |----------------|          along  x1: -1 ... 1
//     segment 2         |----------------|   middle +- reach in the same units
static void overlap_end(mjtNum x[2], const Segments* s, int way) {
  mjtNum middle = s->u / s->ma, turned = s->mb > 0 ? -1 : 1, reach = mju_abs(s->mb) / s->ma;
  mjtNum end = middle + way * reach;
  if (way * end < 1) {
    x[1] = way * turned;
    x[0] = num_clamp((s->u - x[1] * s->mb) / s->ma, -1, 1);
  } else {
    x[0] = way;
    x[1] = num_clamp((s->v - x[0] * s->mb) / s->mc, -1, 1);
  }
}

// The closest points of two lines that cross, without a determinant that cancels: with N = A1 x A2,
//
//     x1 = -(w x A2) . N / N.N,   x2 = -(w x A1) . N / N.N
static void cross_at(mjtNum x[2], const Solid* a, const Solid* b) {
  mjtNum half1[3], half2[3], w[3], N[3], side[3];
  half_segment(half1, a);
  half_segment(half2, b);
  v3_sub(w, a->pos, b->pos);
  v3_cross(N, half1, half2);
  mjtNum square = v3_dot(N, N);
  v3_cross(side, w, half2);
  x[0] = -v3_dot(side, N) / square;
  v3_cross(side, w, half1);
  x[1] = -v3_dot(side, N) / square;
}

// By the rule of later releases (behaviour capsules): whether segments are parallel doesn't depend
// on how long they are, and if so both ends of their overlap touch. Segments without overlap have
// one place twice.
int collide_capsules_beside(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                            mjtNum margin) {
  const mjtNum parallel = (mjtNum)1e-4;
  Solid a = solid_of(m, d, g1), b = solid_of(m, d, g2);
  mjtNum axis1[3], axis2[3], sine[3], x[2];
  m3_column(axis1, a.mat, 2);
  m3_column(axis2, b.mat, 2);
  v3_cross(sine, axis1, axis2);
  const Segments s = segments_of(&a, &b);
  if (v3_dot(sine, sine) < parallel * parallel) {
    int num = 0;
    for (int way = -1; way <= 1; way += 2) {
      overlap_end(x, &s, way);
      num += touch_at(con + num, &a, &b, x, margin);
    }
    return num;
  }
  cross_at(x, &a, &b);
  move_inside(x, &s);
  return touch_at(con, &a, &b, x, margin);
}

int collide_capsule_capsule(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                            mjtNum margin) {
  Solid a = solid_of(m, d, g1), b = solid_of(m, d, g2);
  return capsule_capsule(con, &a, &b, margin);
}
