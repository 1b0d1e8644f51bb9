// Boxes of geoms: bounds along the world's axes for the sweep, and separating axes of oriented
// boxes (Gottschalk et al., 1996) and of a box and a plane.

#include "collision/broad/geom_box.h"

#include <math.h>

#include "base/algebra/matrix_simd.h"
#include "base/algebra/vec.h"
#include "base/joint.h"
#include "model/reach.h"

// A bound of a geom in its frame: a box, inflated by the radius `round`.
typedef struct LocalBox {
  mjtNum center[3], half[3], round;
} LocalBox;

// An upper bound on the distance of the box's points from its centre.
static mjtNum reach_of(const LocalBox* box) {
  return box->half[0] + box->half[1] + box->half[2] + box->round;
}

// The bound of a geom from its sizes; 0 if it has none.
// Also put_geom_box in lanes/setup/constants.c.
INLINE int local_box(LocalBox* out, const mjModel* m, int geom) {
  const mjtNum* size = m->geom_size + 3 * geom;
  v3_zero(out->center);
  v3_zero(out->half);
  out->round = 0;
  switch (m->geom_type[geom]) {
    case mjGEOM_SPHERE:
      out->round = size[0];
      return 1;
    case mjGEOM_CAPSULE:
      out->half[2] = size[1];
      out->round = size[0];
      return 1;
    case mjGEOM_ELLIPSOID:
    case mjGEOM_BOX:
      v3_copy(out->half, size);
      return 1;
    case mjGEOM_CYLINDER:
      v3_set(out->half, size[0], size[0], size[1]);
      return 1;
    case mjGEOM_MESH:
      v3_copy(out->center, m->geom_aabb + 6 * geom);
      v3_copy(out->half, m->geom_aabb + 6 * geom + 3);
      return 1;
    default:
      out->round = m->geom_rbound[geom];
      return out->round > 0;
  }
}

// |x - (p + R c)|_k <= sum_j |R_kj| half_j + round, for the three axes at once
//
// Each geom adds twice its own margin: the box-box collider finds contacts of corners at up to
// sqrt(3) times the margin of the pair, which is the larger of the two margins or their sum. A
// negative margin takes nothing off: the other geom's may be larger.
INLINE void bound(GeomBox* out, const mjModel* m, const mjData* d, int geom) {
  const BoxBits three = {-1, UINT32_MAX};  // the fourth is 0
  const mjtNum* pos = d->geom_xpos + 3 * geom;
  LocalBox box;
  if (!local_box(&box, m, geom)) {
    *out = (GeomBox){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    return;
  }
  mjtNum around = box.round + 2 * num_max(0, geom_reach(m, geom)) + m->opt.ccd_tolerance +
                  SURFACE_SLACK * reach_of(&box);
  Simd4 c = {pos[0], pos[1], pos[2], pos[2]}, column[3], size;
  simd4_columns(column, d->geom_xmat + 9 * geom);
  if (m->geom_type[geom] == mjGEOM_MESH) {
    c += column[0] * box.center[0] + column[1] * box.center[1] + column[2] * box.center[2];
  }
  simd4_abs(&size, &c);
  Simd4 reach = around + SURFACE_SLACK * size;
  for (int j = 0; j < 3; j++) {
    simd4_abs(&size, column + j);
    reach += box.half[j] * size;
  }
  Simd4 lo = c - reach, hi = c + reach;
  *(BoxCorner*)out->lo = (BoxCorner)((BoxBits) __builtin_convertvector(lo, BoxCorner) & three);
  *(BoxCorner*)out->hi = (BoxCorner)((BoxBits) __builtin_convertvector(hi, BoxCorner) & three);
}

KERNEL void geom_box(GeomBox* out, const mjModel* m, const mjData* d, int geom) {
  bound(out, m, d, geom);
}

KERNEL void geom_boxes(GeomBox* around, GeomBox* geom, const mjModel* m, const mjData* d, int begin,
                       int end, int all) {
  GeomBox box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (int g = begin; g < end; g++) {
    if (all || m->geom_contype[g] || m->geom_conaffinity[g]) {
      bound(geom + g, m, d, g);
      box_include(&box, geom + g);
    }
  }
  *around = box;
}

int body_has_tree(const mjModel* m, int body) {
  return !body_moves(m, body) && m->body_geomnum[body] > MID_FEW && m->body_bvhadr[body] >= 0 &&
         !(m->opt.disableflags & mjDSBL_MIDPHASE);
}

void tree_box(GeomBox* out, const mjModel* m, const mjData* d, int body) {
  const mjtNum *root = m->bvh_aabb + 6 * m->body_bvhadr[body], *mat = d->ximat + 9 * body;
  mjtNum margin = body_reach(m, body);
  mjtNum center[3], size = root[3] + root[4] + root[5];
  m3_mulv(center, mat, root);
  v3_addto(center, d->xipos + 3 * body);
  for (int k = 0; k < 3; k++) {
    mjtNum reach =
        2 * num_max(0, margin) + m->opt.ccd_tolerance + SURFACE_SLACK * (size + mju_abs(center[k]));
    for (int j = 0; j < 3; j++) {
      reach += mju_abs(mat[3 * k + j]) * root[3 + j];
    }
    out->lo[k] = (float)(center[k] - reach);
    out->hi[k] = (float)(center[k] + reach);
  }
  out->lo[3] = out->hi[3] = 0;
}

// Half extent of a box, without `round`, along a direction (x, y, z) in its frame.
static mjtNum extent_along(const LocalBox* box, mjtNum x, mjtNum y, mjtNum z) {
  return box->half[0] * mju_abs(x) + box->half[1] * mju_abs(y) + box->half[2] * mju_abs(z);
}

// n . (p + R c - o) > sum_j |n . r_j| half_j + round + margin, for a plane through o with normal n
// Also plane_near in lanes/shapes/plane_shapes.h.
int geom_box_above(const mjModel* m, const mjData* d, int plane, int geom, mjtNum margin) {
  LocalBox box;
  if (!local_box(&box, m, geom)) {
    return 0;
  }
  const mjtNum *mat = d->geom_xmat + 9 * geom, *origin = d->geom_xpos + 3 * plane;
  mjtNum n[3], local[3], center[3], gap[3], scale = reach_of(&box);
  m3_column(n, d->geom_xmat + 9 * plane, 2);
  m3_tmulv(local, mat, n);
  m3_mulv(center, mat, box.center);
  v3_addto(center, d->geom_xpos + 3 * geom);
  v3_sub(gap, center, origin);
  for (int k = 0; k < 3; k++) {
    scale += mju_abs(center[k]) + mju_abs(origin[k]);
  }
  return v3_dot(gap, n) > extent_along(&box, local[0], local[1], local[2]) + box.round + margin +
                              SURFACE_SLACK * scale;
}

// The face normal of box A (face 0 to 2) or B (3 to 5) along which the boxes overlap least, the gap
// there (negative: overlap), and the distance of centres along it.
typedef struct FaceAxis {
  int face;
  mjtNum apart, along;
} FaceAxis;

// c: from the centre of A to that of B, in the frame of A; W_ij = a_i . b_j.
INLINE FaceAxis face_axis(const LocalBox* a, const LocalBox* b, const mjtNum c[3],
                          const mjtNum W[9]) {
  FaceAxis least = {0, -INFINITY, 0};
  for (int i = 0; i < 6; i++) {
    int k = i % 3;
    mjtNum along = i < 3 ? c[k] : c[0] * W[k] + c[1] * W[3 + k] + c[2] * W[6 + k];
    mjtNum reach = i < 3 ? a->half[k] + extent_along(b, W[3 * k], W[3 * k + 1], W[3 * k + 2])
                         : b->half[k] + extent_along(a, W[k], W[3 + k], W[6 + k]);
    mjtNum apart = mju_abs(along) - reach;
    if (apart > least.apart) {
      least = (FaceAxis){i, apart, along};
    }
  }
  return least;
}

// Separating axes of boxes A and B with axes a_i, b_j, half sizes s, t, centre distance c and
// W_ij = a_i . b_j. They are apart along n if |n . c| > sum_i s_i |n . a_i| + sum_j t_j |n . b_j|.
// Boxes that are apart are so along a face normal or the cross product of two edges:
//
//     n = a_i:         |c . a_i| > s_i + sum_j t_j |W_ij|
//     n = b_j:         |c . b_j| > t_j + sum_i s_i |W_ij|
//     n = a_i x b_j:   |a_i x c . b_j| > s_k |W_lj| + s_l |W_kj| + t_m |W_in| + t_n |W_im|
//
// with (i, k, l), (j, m, n) cyclic. The cross products have length sqrt(1 - W_ij^2) <= 1. Margins
// and rounding are added to the right sides unscaled, which keeps too many pairs, never too few.
// Also lane_boxes_gap in lanes/shapes/boxes.h.
KERNEL int geom_boxes_apart(mjtNum axis[3], const mjModel* m, const mjData* d, int g1, int g2,
                            mjtNum margin) {
  LocalBox a, b;
  v3_zero(axis);
  if (!local_box(&a, m, g1) || !local_box(&b, m, g2)) {
    return 0;
  }
  const mjtNum *mat1 = d->geom_xmat + 9 * g1, *mat2 = d->geom_xmat + 9 * g2;
  mjtNum center1[3], center2[3], gap[3], c[3], W[9];
  m3_mulv(center1, mat1, a.center);
  v3_addto(center1, d->geom_xpos + 3 * g1);
  m3_mulv(center2, mat2, b.center);
  v3_addto(center2, d->geom_xpos + 3 * g2);
  v3_sub(gap, center2, center1);
  m3_tmulv(c, mat1, gap);
  mjtNum scale = reach_of(&a) + reach_of(&b);
  for (int k = 0; k < 3; k++) {
    scale += mju_abs(center1[k]) + mju_abs(center2[k]);
  }
  mjtNum add = a.round + b.round + margin + m->opt.ccd_tolerance + SURFACE_SLACK * scale;

  m3_tmul(W, mat1, mat2);
  FaceAxis least = face_axis(&a, &b, c, W);
  if (least.apart > add) {
    return 1;
  }
  m3_column(axis, least.face < 3 ? mat1 : mat2, least.face % 3);
  v3_scl(axis, axis, least.along < 0 ? -1 : 1);
  for (int i = 0; i < 3; i++) {
    int k = (i + 1) % 3, l = (i + 2) % 3;
    for (int j = 0; j < 3; j++) {
      int p = (j + 1) % 3, q = (j + 2) % 3;
      mjtNum along = c[l] * W[3 * k + j] - c[k] * W[3 * l + j];
      mjtNum reach = a.half[k] * mju_abs(W[3 * l + j]) + a.half[l] * mju_abs(W[3 * k + j]) +
                     b.half[p] * mju_abs(W[3 * i + q]) + b.half[q] * mju_abs(W[3 * i + p]);
      if (mju_abs(along) > reach + add) {
        return 1;
      }
    }
  }
  return 0;
}
