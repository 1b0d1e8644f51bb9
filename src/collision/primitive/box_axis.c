// The overlap of two boxes along an axis n, the sum of their half extents less the distance of the
// centres, for fifteen axes:
//
//    e(n) = sum_k s1_k |n . a_k| + sum_k s2_k |n . b_k| - |n . c21|
//
// Rounding decides the ties of exactly aligned boxes: expressions keep the order in which they
// stand in theory/contact/collision.md, Box axes.

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include "collision/primitive/box_axis.h"

#include <mujoco/api/base.h>

#include "base/algebra/matrix_simd.h"
#include "base/algebra/vec.h"

// Squared sine below which edges count as parallel, well above rounding, and the relative tolerance
// that goes with it.
static const mjtNum OBLIQUE = (mjtNum)1e-6;

// The relative advantage that edges must have over a face.
static const mjtNum TIE = (mjtNum)1e-12;

// e_i x v
static void unit_cross(mjtNum out[3], int i, const mjtNum v[3]) {
  int k = (i + 1) % 3, l = (i + 2) % 3;
  out[i] = 0;
  out[k] = -v[l];
  out[l] = v[k];
}

// Which overlaps along normals n = a_i x b_j of two edges are clearly more than `best`: bit 3i + j
// is set. Both sides are multiplied by |n| and squared, which saves the root and the divisions of
// the exact value; most edges are dropped here, the three of an edge of box 1 side by side. Nearly
// parallel edges (small |n|) and boxes that just touch (small overlap) are left to the exact test,
// because rounding would be too large for them. With (i, k, l) cyclic and W_i the rows of W:
//
//   n_k = -W_l     n_l = W_k     |n|^2 = W_k^2 + W_l^2
static KERNEL int worse_edges(const mjtNum W[9], const mjtNum c21[3], const mjtNum s1[3],
                              const mjtNum s2[3], mjtNum best) {
  const Simd4 next = {s2[1], s2[2], s2[0], 0}, last = {s2[2], s2[0], s2[1], 0};
  Simd4 row[3], size[3];
  int worse = 0;
  for (int i = 0; i < 3; i++) {
    row[i] = (Simd4){W[3 * i], W[3 * i + 1], W[3 * i + 2], 0};
    simd4_abs(size + i, row + i);
  }
  for (int i = 0; i < 3; i++) {
    int k = (i + 1) % 3, l = (i + 2) % 3;
    Simd4 sn2 = row[k] * row[k] + row[l] * row[l], along = c21[l] * row[k] - c21[k] * row[l];
    Simd4 reach = s1[k] * size[l] + s1[l] * size[k] + next * SIMD4_ORDER(size[i], 2, 0, 1, 3) +
                  last * SIMD4_ORDER(size[i], 1, 2, 0, 3);
    simd4_abs(&along, &along);
    Simd4 e = reach - along;
    Simd4Mask more =
        (sn2 > OBLIQUE) & (e > OBLIQUE * reach) & (e * e > best * best * sn2 * (1 + OBLIQUE));
    for (int j = 0; j < 3; j++) {
      worse |= more[j] ? 1 << (3 * i + j) : 0;
    }
  }
  return worse;
}

// Tries the six faces, n = a_i and n = b_i:
//   e = s1_i + sum_k s2_k |a_i . b_k| - |c . a_i|
// Returns 0 if the boxes are further apart than margin along one of them.
static int try_faces(BoxAxis* axis, const mjtNum W[9], const mjtNum c21[3], const mjtNum c12[3],
                     const mjtNum s1[3], const mjtNum s2[3], mjtNum margin) {
  for (int i = 0; i < 3; i++) {
    mjtNum reach1 = 0, reach2 = 0;
    for (int k = 0; k < 3; k++) {
      reach1 += mju_abs(W[3 * k + i]) * s1[k];
      reach2 += mju_abs(W[3 * i + k]) * s2[k];
    }
    mjtNum e1 = -mju_abs(c21[i]) + s1[i] + reach2;
    mjtNum e2 = -mju_abs(c12[i]) + s2[i] + reach1;
    if (e1 < -margin || e2 < -margin) {
      return 0;
    }
    if (e1 < axis->overlap) {
      *axis = (BoxAxis){.overlap = e1, .kind = AXIS_FACE1, .i = i, .neg = c21[i] < 0};
    }
    if (e2 < axis->overlap) {
      *axis = (BoxAxis){.overlap = e2, .kind = AXIS_FACE2, .i = i, .neg = c12[i] < 0};
    }
  }
  return 1;
}

// Tries the edges along axis i of box 1 and axis j of box 2, n = a_i x b_j / |a_i x b_j|. For the
// half extent of box 2, b_k . (a_i x b_j) = +-a_i . b_l with l the third axis. Returns 0 if n
// separates the boxes.
static int try_edges(BoxAxis* axis, int i, int j, const mjtNum W[9], const mjtNum c21[3],
                     const mjtNum s1[3], const mjtNum s2[3], mjtNum margin) {
  mjtNum column[3], n[3];
  m3_column(column, W, j);
  unit_cross(n, i, column);
  mjtNum sn = mju_sqrt(v3_dot(n, n));
  if (sn < mjMINVAL) {
    return 1;
  }
  v3_scl(n, n, 1 / sn);
  mjtNum o = v3_dot(c21, n);
  mjtNum e = 0;
  for (int k = 0; k < 3; k++) {
    e += k == i ? 0 : s1[k] * mju_abs(n[k]);
  }
  for (int k = 0; k < 3; k++) {
    e += k == j ? 0 : s2[k] * mju_abs(W[3 * i + 3 - j - k]) / sn;
  }
  e -= mju_abs(o);
  if (e < -margin) {
    return 0;
  }

  // rounding must not prefer edges to a face
  if (e < axis->overlap * (1 - TIE)) {
    *axis = (BoxAxis){.overlap = e, .kind = AXIS_EDGES, .i = i, .j = j, .neg = o < 0};
    v3_copy(axis->normal, n);
    for (int k = 0; k < 3; k++) {
      axis->h1[k] = k == i ? 0 : (n[k] > 0) ^ axis->neg;
      axis->h2[k] = k == j ? 0 : (W[3 * i + 3 - j - k] > 0) ^ axis->neg ^ ((k - j + 3) % 3 == 1);
    }
  }
  return 1;
}

int box_axis(BoxAxis* axis, const mjtNum W[9], const mjtNum c21[3], const mjtNum c12[3],
             const mjtNum s1[3], const mjtNum s2[3], mjtNum margin) {
  axis->overlap = margin + 3 * (s1[0] + s1[1] + s1[2] + s2[0] + s2[1] + s2[2]);
  axis->kind = AXIS_NONE;
  if (!try_faces(axis, W, c21, c12, s1, s2, margin)) {
    return 0;
  }
  // edges that are worse than a face are worse than any that is better than the face
  int worse = axis->overlap > 0 ? worse_edges(W, c21, s1, s2, axis->overlap) : 0;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      if (!(worse >> (3 * i + j) & 1) && !try_edges(axis, i, j, W, c21, s1, s2, margin)) {
        return 0;
      }
    }
  }
  return axis->kind != AXIS_NONE;
}
