// sink.h: the collector of constraint rows, one constraint at a time.
//
// Rows live in the arena in arrays of known length, so the same code walks the constraints twice:
// the first walk measures, the second writes. A maker announces the number of rows of a constraint
// and the dofs that they touch (measuring stops here), then passes the numbers:
//
//   for each constraint:
//     if (!sink_wants(sink, nrow, ncolumn)) continue;   <- measuring, or nothing to constrain
//     compute the Jacobian, residual, margin
//     sink_put(sink, ...)
//
// Only this file knows whether efc_J is dense or sparse, and the rule which constraints are
// dropped.
//                                                               theory/contact/constraints.md, Rows

#pragma once

#include <mujoco/mjdata.h>
#include <stdint.h>

#include "base/algebra/sparse_row.h"

// The most rows one constraint has: a pyramid of 2 * 5 edges.
#define MAXROW 10

typedef struct {
  const mjModel* m;
  mjData* d;
  int measuring;  // first walk
  int sparse;     // layout of efc_J
  int64_t nrow,
      nJ;     // rows and Jacobian entries counted by the first walk, maybe more than an int holds
  int noted;  // tendons with active constraints, noted even if they have no rows
  int row,
      adr;  // where the second walk is: its next row, and the first entry of that if J is sparse
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

// What the rows of a contact are. pos and margin are those of the first npos rows, 0 in the others.
typedef struct {
  int type, id;
  int npos;
  mjtNum pos, margin;
} RowKind;

// What the rows of a contact are. Friction dimensions of an elliptic cone have no position.
static inline RowKind row_kind_of(int type, int nrow, const mjContact* contact, int id) {
  int npos = type == mjCNSTR_CONTACT_ELLIPTIC ? 1 : nrow;
  return (RowKind){type, id, npos, contact->dist, contact->includemargin};
}

// Appends nrow rows of zeros of one contact to dense efc_J, which the maker then fills, and returns
// them.
mjtNum* sink_rows(RowSink* sink, const RowKind* kind, int nrow);

// The same for sparse efc_J: n entries a row, of these ascending dofs, and the maker writes all.
mjtNum* sink_sparse_rows(RowSink* sink, const RowKind* kind, int nrow, const int* dof, int n);

// The same for contacts [begin, end), which have rows of the same columns, with the addresses of
// their rows.
mjtNum* sink_same_contacts(RowSink* sink, int type, int nrow, int begin, int end, const int* dof,
                           int n);

// Appends many rows of one constraint, which may have different columns, with a margin of 0; sparse
// efc_J only. Row r has num[r] > 0 elements from adr[r] on, right behind those of the row before.
void sink_put_rows(RowSink* sink, int type, int id, const SparseRows* rows, const mjtNum* pos);
