// body_rows.h: Jacobians of rows that act between two bodies.
//
// A unit force on such a row is a wrench (torque, force) on body 2 and another on body 1, so the
// row's entry at a dof is the power of the wrenches along the dof's axis: one product of six
// numbers, whatever the row means.
//
//   J_j = cdof_j . w2  (dof moves body 2)  -  cdof_j . w1  (dof moves body 1)
//
// Several rows between the same bodies (a contact has up to ten) are computed together, side by
// side in vector lanes. The chain of a body pair is kept until another pair comes: contacts of a
// pair follow each other.

#ifndef CONDYLE_CONSTRAINT_ROWS_BODY_ROWS_H_
#define CONDYLE_CONSTRAINT_ROWS_BODY_ROWS_H_

#include <mujoco/mujoco.h>

#include "constraint/rows/sink.h"

// Room for MAXROW rows in whole vectors of four.
#define MAXLANE 12

typedef struct {
  int body[2];  // the pair the chain belongs to; -1 at first
  int n, shared,
      own;        // columns: dofs of both, then `own` of the side that comes first, then the rest
  int first;      // side (0, 1) whose own dofs come first
  int moves[2];   // dofs of each side
  int* dof;       // n ascending dofs                                            (nv)
  mjtNum* value;  // n columns of `lanes` rows                                   (nv x MAXLANE)
} BodyPair;

// Wrenches of up to MAXROW rows on both bodies: w[side][component][row], world axes, about the com
// of the body's tree. Those of a side that no dof moves are not looked at.
typedef struct {
  int nrow;
  mjtNum w[2][6][MAXLANE];
} BodyWrench;

// An empty pair; its memory is on the stack of d.
BodyPair pair_make(const mjModel* m, mjData* d);

// Columns a pair of bodies will have, for sink_wants: selects the pair, unless that isn't needed to
// measure.
int pair_columns(BodyPair* pair, const RowSink* sink, int body1, int body2);

// True if some dof moves the body of a side (0, 1) of the selected pair.
int pair_moves(const BodyPair* pair, int side);

// From the reference point of wrenches on a side to a point.
void pair_arm(mjtNum arm[3], const BodyPair* pair, const mjModel* m, const mjData* d, int side,
              const mjtNum point[3]);

// Jacobian of the rows on the selected pair. Valid until the next call.
RowJacobian pair_jacobian(BodyPair* pair, const mjData* d, const BodyWrench* wrench);

#endif  // CONDYLE_CONSTRAINT_ROWS_BODY_ROWS_H_
