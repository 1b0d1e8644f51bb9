// dual_sweep.h: sweeps of Gauss-Seidel over the dual problem, with a residual that is kept.
//
//   minimise over admissible f:   1/2 f' A f + f' b        res = b + A f
//
// When a force changes, its column of A times the change is added to the residual. These are
// additions of long vectors, which don't wait for each other, and a force that stays costs none. A
// dot product for each row would instead read as much of A whether the force changes or not, and
// would end in a sum over lanes for which all else waits. A step takes up to six rows, so that the
// residual is read and written once for all their columns. Inside of a step each row updates the
// rows after it at once, so the forces are those of a sweep row by row.
//
//   row of AR      . . . own . . . . . .        columns where the residual is kept, as runs
//   residual     . [ run ] . . [  run  ]        (all rows that share a tree: row_blocks.h)
//
//                                                                    theory/contact/solvers.md, PGS

#pragma once

#include <mujoco/mjdata.h>
#include <stddef.h>

#include "constraint/solver/qcqp.h"

// What is done with the forces of a few consecutive rows.
typedef enum DualKind_ {
  DUAL_KEEP,     // nothing
  DUAL_SCALARS,  // each its own minimum, within its bounds
  DUAL_CONE,     // an elliptic contact: a scaling of its force, then friction at that normal force
  DUAL_SLIDE,    // the friction of an elliptic contact, whose normal force is in the row before
  DUAL_EDGES,    // pairs of opposite edges of a pyramid, keeping their sums
} DualKind;

// A step that raises the cost by more is undone.
#define DUAL_MAXINCREASE ((mjtNum)1e-10)

enum {
  DUAL_SCALAR_MOST = 4,  // rows of a step, if they are not a contact's
  DUAL_MOST = 6
};

// The residual at rows first .. first + n - 1, and where their columns begin in a row of AR.
typedef struct DualRun_ {
  int first, n, column;
} DualRun;

typedef struct DualStep_ {
  DualKind kind;
  int row, n;
  int nrun;
  const DualRun* run;
  ptrdiff_t ld;       // from a row of AR to the next
  const mjtNum* AR;   // first column of the first row of the step
  const mjtNum* own;  // the diagonal element of that row
  const mjContact* contact;
  QcqpAxes* axes;  // of a contact with QCQP_MOST friction directions; else NULL
} DualStep;

// A row on its own: half of the diagonal of A, its inverse, bounds of the force.
typedef struct DualRow_ {
  mjtNum half, inverse, low, high;
} DualRow;

typedef struct DualProblem_ {
  int nstep;
  const DualStep* step;
  const int* order;  // of the nstep steps that are taken, indices into step; NULL: as they are
  mjtNum increase;   // most increase of the cost by a row of a scalar step
  const mjtNum* R;   // A = AR - diag(R); NULL: A = AR
  const DualRow* row;
  mjtNum* f;
  mjtNum* res;
} DualProblem;

// res += A f
void dual_add_forces(const DualProblem* p);

// One sweep over all steps; returns the change of the cost.
mjtNum dual_sweep(const DualProblem* p);
