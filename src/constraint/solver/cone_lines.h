// cone_lines.h: costs of elliptic cones along a line, in vector lanes.
//
// With x = x_0 + alpha v, the law of a cone (law.h) is one of numbers that are linear or quadratic
// in alpha, so it takes one pass over the rows per line and a few operations per evaluation:
//
//   N = N_0 + alpha N'     T^2 = T_c^2 + (alpha - c)^2 |V|^2
// With U_j = phi_j x_j and V_j = phi_j v_j over j > 0, T is least at c = -U.V / |V|^2, where it is
// T_c = |U + c V|. A polynomial about alpha = 0 would lose T where a slide ends, because there T^2
// is far below |U|^2. Contacts are read once per solve: each is several cache lines.

#pragma once

#include <mujoco/api/base.h>
#include <mujoco/mjdata.h>

#include "base/algebra/simd.h"
#include "constraint/law/law.h"

enum {
  LEAST_CONE_ROWS = 2  // of an elliptic contact
};

// What a cone has of its contact: dim rows from `row` on, sigma = (mu, phi_1, phi_2, ...).
typedef struct {
  int row, dim;
  mjtNum sigma[6];
} ConeRows;

// SIMD_N cones along a line. Lanes without a cone are zero.
typedef struct {
  SimdN mu, Dm, N0, N1, center, least, VV, q0, q1, q2;  // c, T_c^2
} ConeLines;

// Vectors for n cones.
INLINE int cone_lines_count(int n) {
  return (n + SIMD_N - 1) / SIMD_N;
}

// Prepares the part that all lines share.
INLINE void cone_lines_make(ConeLines* lines, ConeRows* cone, int n, const mjtNum* D) {
  for (int i = 0; i < cone_lines_count(n); i++) {
    lines[i] = (ConeLines){0};
  }
  for (int i = 0; i < n; i++) {
    mjtNum mu = cone[i].sigma[0];
    lines[i / SIMD_N].mu[i % SIMD_N] = mu;
    lines[i / SIMD_N].Dm[i % SIMD_N] = cone_stiffness(D[cone[i].row], mu);
  }
}

// Turns to the line x + alpha v. Also lanes_cone_turn in constraint/solver/lane_law.h.
INLINE void cone_lines_turn(ConeLines* lines, const ConeRows* cone, int n, const mjtNum* D,
                            const mjtNum* x, const mjtNum* v) {
  for (int i = 0; i < n; i++) {
    ConeLines* line = lines + i / SIMD_N;
    int k = i % SIMD_N, row = cone[i].row;
    mjtNum UV = 0, VV = 0, least = 0;
    mjtNum q0 = D[row] * x[row] * x[row], q1 = D[row] * x[row] * v[row];
    mjtNum q2 = D[row] * v[row] * v[row];
    for (int j = 1; j < cone[i].dim; j++) {
      int r = row + j;
      mjtNum U = cone[i].sigma[j] * x[r], V = cone[i].sigma[j] * v[r];
      UV += U * V;
      VV += V * V;
      q0 += D[r] * x[r] * x[r];
      q1 += D[r] * x[r] * v[r];
      q2 += D[r] * v[r] * v[r];
    }
    mjtNum center = VV > 0 ? -UV / VV : 0;
    for (int j = 1; j < cone[i].dim; j++) {
      least += num_square(cone[i].sigma[j] * (x[row + j] + center * v[row + j]));
    }
    line->N0[k] = cone[i].sigma[0] * x[row];
    line->N1[k] = cone[i].sigma[0] * v[row];
    line->center[k] = center;
    line->least[k] = least;
    line->VV[k] = VV;
    line->q0[k] = q0 / 2;
    line->q1[k] = q1;
    line->q2[k] = q2 / 2;
  }
}

// x where the mask is set, else 0.
INLINE void cone_keep(SimdN* x, const MaskN* mask) {
  *x = (SimdN)(*mask & (MaskN)*x);
}

INLINE void cone_root(SimdN* x) {
  mjtNum root[SIMD_N];
  SIMD_AT(SimdN, root) = *x;
  for (int k = 0; k < SIMD_N; k++) {
    root[k] = mju_sqrt(root[k]);
  }
  *x = SIMD_READ(SimdN, root);
}

// Adds the costs of n cones, their slopes and curvatures at alpha. Middle zone, with the law's Dm:
//
//   T' = (alpha - c) |V|^2 / T,  T'' = |V|^2 T_c^2 / T^3,  slope Dm (N - mu T) (N' - mu T'),
//   curvature Dm ((N' - mu T')^2 - mu (N - mu T) T'')
INLINE void cone_lines_add(LawPoint* sum, const ConeLines* lines, int n, mjtNum alpha) {
  SimdN cost = {0}, slope = {0}, curvature = {0};
  const SimdN zero = {0};
  for (int i = 0; i < cone_lines_count(n); i++) {
    const ConeLines* c = lines + i;
    SimdN N = c->N0 + alpha * c->N1, past = alpha - c->center;
    SimdN square = c->least + past * past * c->VV, T = square;
    cone_root(&T);
    MaskN top = N >= c->mu * T, bottom = ~top & ((c->mu * N + T <= zero) | (T <= zero));
    MaskN middle = ~(top | bottom);

    SimdN bend = c->VV / T, T1 = past * bend, T2 = bend * (c->least / square);
    SimdN gap = N - c->mu * T, gap1 = c->N1 - c->mu * T1, pull = c->Dm * gap;
    SimdN cost_middle = pull * gap / 2, slope_middle = pull * gap1;
    SimdN curvature_middle = c->Dm * gap1 * gap1 - c->mu * pull * T2;
    cone_keep(&cost_middle, &middle);
    cone_keep(&slope_middle, &middle);
    cone_keep(&curvature_middle, &middle);

    SimdN cost_bottom = c->q0 + alpha * (c->q1 + alpha * c->q2);
    SimdN slope_bottom = c->q1 + 2 * alpha * c->q2, curvature_bottom = 2 * c->q2;
    cone_keep(&cost_bottom, &bottom);
    cone_keep(&slope_bottom, &bottom);
    cone_keep(&curvature_bottom, &bottom);
    cost += cost_middle + cost_bottom;
    slope += slope_middle + slope_bottom;
    curvature += curvature_middle + curvature_bottom;
  }
  sum->cost += simdn_sum(&cost);
  sum->slope += simdn_sum(&slope);
  sum->curvature += simdn_sum(&curvature);
}
