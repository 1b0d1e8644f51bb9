// sink.h: where constraint rows are collected, one conceptual constraint at a time.
//
// The rows live in the arena in arrays of known length, so the constraints are walked twice by the
// same code: the first walk measures, the second writes. A maker says how many rows its constraint
// has and which dofs they touch (measuring stops here), then hands over the numbers:
//
//   for each constraint:
//     if (!sink_wants(sink, nrow, ncolumn)) continue;   <- measuring, or nothing to constrain
//     compute the Jacobian, residual, margin
//     sink_put(sink, ...)
//
// Only this file knows whether efc_J is dense or sparse, and the rule which constraints are
// dropped.
//                                                                       theory/constraints.md, Rows

#ifndef CONDYLE_CONSTRAINT_ROWS_SINK_H_
#define CONDYLE_CONSTRAINT_ROWS_SINK_H_

#include <mujoco/mjdata.h>
#include <stdint.h>

#include "base/sparse_row.h"

// The most rows one constraint has: a pyramid of 2 * 5 edges.
#define MAXROW 10

typedef struct {
  const mjModel* m;
  mjData* d;
  int measuring;  // first walk
  int sparse;     // layout of efc_J
  int64_t nrow,
      nJ;  // rows and Jacobian entries foreseen (first walk): maybe more than an int counts
} RowSink;

// The Jacobian of one constraint: entry (row r, column k) is value[r * row_step + k * column_step]
// and belongs to dof[k], in ascending order; dof NULL means that column k is dof k.
typedef struct {
  int ncolumn;
  const int* dof;
  const mjtNum* value;
  int row_step, column_step;
} RowJacobian;

// Announces a constraint. True if it has to be computed and put.
int sink_wants(RowSink* sink, int nrow, int ncolumn);

// Appends nrow rows of one constraint. pos and margin have nrow numbers, margin NULL is zero.
// Returns the number of rows written: 0 if the constraint touches no dof.
int sink_put(RowSink* sink, int type, int id, int nrow, const RowJacobian* jacobian,
             const mjtNum* pos, const mjtNum* margin, mjtNum frictionloss);

// The same for many rows of one constraint that need not have the same columns and have a margin of
// 0, sparse efc_J only:
// row r has num[r] > 0 elements from adr[r] on, right after those of the row before.
void sink_put_rows(RowSink* sink, int type, int id, const SparseRows* rows, const mjtNum* pos);

#endif  // CONDYLE_CONSTRAINT_ROWS_SINK_H_
