// lane_problems.h: small problems side by side, one in each lane of vectors.
//
// Rows of the same place share a vector. Scalar rows come first, then those of cones, the contacts
// of most rows first, so that places of a kind meet; what one lane lacks has no stiffness there.
//
//            lane 0       lane 1               lane 0 has a limit, contacts of 4 and of 3 rows
//   row 0    limit        -                    lane 1 has two contacts of 3 rows
//   1 to 4   cone of 4    cone of 3, zero
//   5 to 7   cone of 3    cone of 3
//
// J is stored by panels, rows that have the same columns in all lanes together: in a stack, a row
// moves two bodies of many.

#pragma once

#include <mujoco/mjdata.h>

#include "base/algebra/lane_vectors.h"
#include "constraint/law/law.h"
#include "constraint/law/problem.h"
#include "constraint/solver/cone_lines.h"

// The largest problems that share vectors.
enum {
  LANE_DOFS = 24,
  LANE_ROWS = 64,
  LANE_CONES = LANE_ROWS / LEAST_CONE_ROWS
};

// How many rows of each kind a problem has: count[0] scalar ones, and count[k] cones of k or more
// rows. Their sum is the number of rows.
typedef struct {
  int count[7];
} RowShape;

// Rows from `row` on that have numbers in ncol columns.
typedef struct {
  int row, nrow, ncol;
  uint8_t column[LANE_DOFS];
  SimdN* J;  // nrow x ncol
} RowPanel;

// A cone, with N, U, T and Dm of cone_cost. Lanes without it have zeros.
typedef struct {
  int row, dim;
  SimdN sigma[6], Dm;  // mu, phi_1, phi_2, ...

  // the curvature at jar in the lanes where that is in the middle zone (law: lanes_law)
  MaskN middle;
  int has_middle;  // whether there are any; if not, these are not set:
  SimdN pull, slide[6], tilt;

  // along the line, as in ConeLines
  SimdN N0, N1, center, least, VV, q1, q2;
} LaneCone;

// The problems, with vectors of n and nefc numbers.
typedef struct {
  int n, nefc, count;     // count: lanes in use
  int nbounded, nscalar;  // equalities and friction loss are before nbounded, cones from nscalar on
  int ncone, npanel;
  Problem* p[SIMD_N];
  SimdN acc[LANE_DOFS], acc_smooth[LANE_DOFS], frc_smooth[LANE_DOFS], Ma[LANE_DOFS];
  SimdN frc_constraint[LANE_DOFS], residual[LANE_DOFS], grad[LANE_DOFS], search[LANE_DOFS];
  SimdN Mv[LANE_DOFS], inverse[LANE_DOFS];  // inverse: of the pivots of H
  SimdN D[LANE_ROWS], R[LANE_ROWS], low[LANE_ROWS], high[LANE_ROWS], jar[LANE_ROWS];
  SimdN b[LANE_ROWS];                            // J acc_smooth - aref, before the start -aref
  SimdN cold[LANE_ROWS];                         // zones there
  SimdN Jv[LANE_ROWS], bend[LANE_ROWS];          // bend: D (J v)^2
  SimdN force[LANE_ROWS], stiffness[LANE_ROWS];  // at jar
  SimdN *M, *H;                                  // lower triangles of n x n
  SimdN *J, *WJ;                                 // room of all panels, and of one
  LaneCone* cone;
  RowPanel panel[LANE_ROWS];
  SimdN scale, cost;
  MaskN live, failed;                   // problems that go on, and those that can't
  MaskN niter, neval;                   // of each problem
  int recorded;                         // whether statistics of some problem are kept
  SimdN before[LANE_ROWS];              // zones before the last step, of those
  int source[LANE_ROWS][SIMD_N];        // the problem's row in each lane; -1: it lacks this one
  int aligned;                          // rows before this one are the problem's in all lanes
  int first[LANE_DOFS];                 // of the columns of each row of M that are not zero
  int is_full;                          // whether H has no zeros; else the columns that have none,
  uint8_t below[LANE_DOFS][LANE_DOFS];  //   below the diagonal, nbelow of each row
  int nbelow[LANE_DOFS];
} Lanes;
