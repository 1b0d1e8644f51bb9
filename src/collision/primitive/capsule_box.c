// Capsule against box: the point of the capsule's segment nearest to the box and, where the segment
// runs along a face or an edge, a second point that keeps the capsule from tipping. Each point is
// then a sphere against the box.
//
// All in the frame of the box: segment c + t h, t in [-1,1], box half sizes s. The nearest point is
// of one of three kinds:
//   face     an end of the segment is beyond one face only, or inside the box
//   edge     an inner point of an edge against the segment
//   corner   a corner against the segment

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include <mujoco/api/base.h>
#include <mujoco/mjdata.h>

#include "collision/collide.h"

enum {
  KIND_NONE,
  KIND_FACE,
  KIND_EDGE,
  KIND_CORNER
};

typedef struct Nearest {
  int kind;
  int axis;    // face: the coordinate that leaves the box, -1 if none; else: direction of the edge
  int corner;  // bit k set: the positive side of axis k
  mjtNum t;    // on the segment
  mjtNum w;    // on the edge, in [-1,1]
} Nearest;

// Sign bits of the segment's direction h.
static int direction_bits(const mjtNum h[3]) {
  return (h[0] > 0 ? 1 : 0) + (h[1] > 0 ? 2 : 0) + (h[2] > 0 ? 4 : 0);
}

// Takes the end of the segment at t = end if it is beyond at most one face and nearer than *best.
static void try_end(Nearest* near, mjtNum* best, mjtNum end, const mjtNum c[3], const mjtNum h[3],
                    const mjtNum s[3]) {
  int clamped = 0, axis = -1;
  mjtNum d2 = 0;
  for (int k = 0; k < 3; k++) {
    mjtNum x = c[k] + end * h[k];
    mjtNum over = x < -s[k] ? x + s[k] : (x > s[k] ? x - s[k] : 0);
    if (over != 0) {
      clamped++;
      axis = k;
      d2 += over * over;
    }
  }
  if (clamped <= 1 && d2 < *best) {
    *best = d2;
    *near = (Nearest){.kind = KIND_FACE, .axis = axis, .t = end};
  }
}

// x clamped to [-1,1]. If x was outside, *end becomes its sign.
static mjtNum clamp_edge(mjtNum x, int* end) {
  *end = x > 1 ? 1 : (x < -1 ? -1 : *end);
  return num_clamp(x, -1, 1);
}

// Takes the edge along axis j from corner `corner`, whose bit j is clear, if it is nearer than
// *best. The closest points of edge o + x1 s_j e_j and segment c + x2 h solve
//
//   [ ma mb ] [x1]   [u]        ma = s_j^2, mb = -s_j h_j, mc = |h|^2
//   [ mb mc ] [x2] = [v]        u = -s_j (o - c)_j, v = h . (o - c)
// If x1 is outside of [-1,1], it is clamped to an end of the edge. If then x2 is outside, it is
// clamped to an end of the segment, and x1 is computed again.
static void try_edge(Nearest* near, mjtNum* best, int j, int corner, const mjtNum c[3],
                     const mjtNum h[3], const mjtNum s[3], mjtNum half) {
  mjtNum o[3], diff[3];
  for (int k = 0; k < 3; k++) {
    o[k] = k == j ? 0 : (corner & (1 << k) ? s[k] : -s[k]);
  }
  v3_sub(diff, o, c);
  mjtNum ma = s[j] * s[j], mb = -s[j] * h[j], mc = half * half;
  mjtNum u = -s[j] * diff[j], v = v3_dot(h, diff);
  mjtNum det = ma * mc - mb * mb;
  if (mju_abs(det) < mjMINVAL) {
    return;
  }
  int end = 0;  // -1 or 1: clamped to that end of the edge
  mjtNum x1 = clamp_edge((mc * u - mb * v) / det, &end);
  mjtNum x2 = end == 0 ? (ma * v - mb * u) / det : (end > 0 ? v - mb : v + mb) / mc;
  if (x2 > 1 || x2 < -1) {
    int up = x2 > 1;
    x2 = up ? 1 : -1;
    x1 = clamp_edge((up ? u - mb : u + mb) / ma, &end);
  }
  mjtNum between[3];
  v3_sub(between, o, c);
  between[j] += x1 * s[j];
  v3_addtoscl(between, h, -x2);
  mjtNum d2 = v3_dot(between, between);
  if (d2 < *best - mjMINVAL) {
    *best = d2;
    *near = (Nearest){.kind = end ? KIND_CORNER : KIND_EDGE,
                      .axis = j,
                      .corner = corner + (end > 0 ? 1 << j : 0),
                      .t = x2,
                      .w = x1};
  }
}

// The nearest point among two ends and twelve edges. `best` starts as a length but is compared with
// squared distances, as in the reference. For shapes of everyday size it is larger than any of
// these.
static Nearest nearest_point(const mjtNum c[3], const mjtNum h[3], const mjtNum s[3], mjtNum half,
                             mjtNum best) {
  Nearest near = {.kind = KIND_NONE, .axis = -1};
  try_end(&near, &best, -1, c, h, s);
  try_end(&near, &best, 1, c, h, s);
  for (int j = 0; j < 3; j++) {
    for (int corner = 0; corner < 8; corner++) {
      if (!(corner & (1 << j))) {
        try_edge(&near, &best, j, corner, c, h, s, half);
      }
    }
  }
  return near;
}

// Shortens len to a limit. The limit is NaN (0/0) for a segment parallel to the face and then has
// no effect.
static mjtNum shorten(mjtNum len, mjtNum limit) {
  return limit < len ? limit : len;
}

// The three functions below find how far, in t, the second contact is from the first; they return 0
// if there is no second one.

// From a corner the segment goes along the face to which it is most parallel, forwards or
// backwards, until it leaves the box.
static int offset_corner(mjtNum* delta, const Nearest* near, const mjtNum a[3], const mjtNum h[3],
                         const mjtNum s[3]) {
  int b = direction_bits(h) ^ near->corner;
  if (b == 0 || b == 7) {
    return 0;
  }
  mjtNum mul = 1, de = 1 - near->t, dp = 1 + near->t;
  if (b == 3 || b == 5 || b == 6) {
    mul = -1;
    b = 7 - b;
    dp = 1 - near->t;
    de = 1 + near->t;
  }
  int ax = b == 1 ? 0 : (b == 2 ? 1 : 2);
  int ax1 = (ax + 1) % 3, ax2 = (ax + 2) % 3;
  if (a[ax] * a[ax] > (mjtNum)0.5) {
    *delta = mul * shorten(de, 2 * s[ax] / mju_abs(h[ax]));
  } else {
    mjtNum len = shorten(dp, 2 * s[ax1] / mju_abs(h[ax1]));
    *delta = -mul * shorten(len, 2 * s[ax2] / mju_abs(h[ax2]));
  }
  return 1;
}

// From a point of an edge the segment goes over one of the two faces that share it, until it leaves
// the box.
static int offset_edge(mjtNum* delta, const Nearest* near, const mjtNum a[3], const mjtNum h[3],
                       const mjtNum s[3]) {
  int j = near->axis, bits = direction_bits(h);
  int b = (bits ^ near->corner) & ~(1 << j);
  if (b != 1 && b != 2 && b != 4) {
    return 0;
  }
  int ax1 = (j + 1) % 3, ax2 = (j + 2) % 3;
  int go = mju_abs(a[ax1]) > mju_abs(a[ax2]) ? ax1 : ax2;
  int on = (b >> go) & 1;
  mjtNum len = on ? 1 - near->t : 1 + near->t;
  len = shorten(len, 2 * s[go] / mju_abs(h[go]));
  mjtNum e = ((bits >> j) & 1) == on ? 1 - near->w : 1 + near->w;
  len = shorten(len, s[j] * e / mju_abs(h[j]));
  *delta = on ? len : -len;
  return 1;
}

// From an end above a face the segment goes back over that face, until it passes one of its sides.
static int offset_face(mjtNum* delta, const Nearest* near, const mjtNum c[3], const mjtNum h[3],
                       const mjtNum s[3]) {
  if (near->axis < 0) {
    return 0;
  }
  mjtNum mul = -near->t, len = 2;
  for (int i = 0; i < 3; i++) {
    if (i == near->axis) {
      continue;
    }
    mjtNum end = c[i] + near->t * h[i];
    for (mjtNum side = 1; side >= -1; side -= 2) {
      mjtNum x = (side * s[i] - end) / h[i] * mul;
      if (x > 0 && x < len) {
        len = x;
      }
    }
  }
  *delta = len * mul;
  return 1;
}

int capsule_box(mjContact* con, const Solid* capsule, const Solid* box, mjtNum margin) {
  const mjtNum* s = box->size;
  mjtNum radius = capsule->size[0], half = capsule->size[1];
  mjtNum axis[3], c[3], a[3], h[3];
  v3_tolocal(c, capsule->pos, box->pos, box->mat);
  m3_column(axis, capsule->mat, 2);
  m3_tmulv(a, box->mat, axis);
  v3_scl(h, a, half);

  Nearest near = nearest_point(c, h, s, half, margin + 2 * (radius + half + s[0] + s[1] + s[2]));
  mjtNum delta = 0;
  if (near.kind == KIND_NONE) {
    return 0;
  }
  int second = near.kind == KIND_CORNER ? offset_corner(&delta, &near, a, h, s)
               : near.kind == KIND_EDGE ? offset_edge(&delta, &near, a, h, s)
                                        : offset_face(&delta, &near, c, h, s);

  int num = 0;
  for (int i = 0; i < 1 + second; i++) {
    mjtNum local[3], sphere[3];
    v3_addscl(local, c, h, i ? near.t + delta : near.t);
    v3_toworld(sphere, local, box->pos, box->mat);
    num += sphere_box(con + num, sphere, radius, box, margin);
  }
  return num;
}

int collide_capsule_box(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                        mjtNum margin) {
  Solid capsule = solid_of(m, d, g1), box = solid_of(m, d, g2);
  int num = capsule_box(con, &capsule, &box, margin);
  // a segment that sticks out on both sides has ends nearer than any edge and, as in MuJoCo, no
  // contact; only concentric shapes are left to the general collider
  int is_concentric =
      v3_dist(capsule.pos, box.pos) <= (mjtNum)1e-7 * (capsule.size[1] + v3_norm(box.size));
  return num || !is_concentric ? num : collide_convex(m, d, con, g1, g2, margin);
}
