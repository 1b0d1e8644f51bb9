// bodies.h: Jacobians of rows that act on several bodies.
//
// A unit force on such a row is a wrench w_b (torque, force) on each of its bodies, times the
// body's weight. The row's entry at a dof is the power of the wrenches along the dof's axis, a
// product of six numbers, whatever the row means:
//
//   J_j = cdof_j . (sum of weight_b w_b over the bodies b that dof j moves)
//
// Two bodies have the weights 1 and -1. A point inside of a deformable's element moves with all
// bodies that carry its vertices, weighted by its barycentric coordinates. The sum is the same for
// a whole run of dofs (smooth/jacobian.h). Up to ten rows on the same bodies are computed together,
// in vector lanes. The runs are cached until other bodies are selected, because contacts of the
// same two bodies are consecutive.

#pragma once

#include <mujoco/mjdata.h>

#include "constraint/rows/sink.h"
#include "smooth/jacobian.h"

// Room for MAXROW rows in whole vectors of four.
#define MAXLANE 12

// The most bodies of one row: two elements of deformables whose corners are inside four cells of
// 27 nodes.
#define MAXBODY 216

// The same if no cage has more than one cell of eight nodes.
#define BOXBODY 16

typedef struct {
  int n;
  int body[MAXBODY];
  mjtNum weight[MAXBODY];
} RowBodies;

// Wrenches of up to MAXROW rows on one body: [component][row], world axes, about the com of the
// body's tree.
typedef mjtNum BodyWrench[6][MAXLANE];

// Wrenches and Jacobian of the rows on some bodies, at most as many as it was made for.
typedef struct {
  RowBodies of;        // the selected bodies; of.n = 0 at first
  BodyWrench* wrench;  // in the order of `of`; not read where no dof moves the body  (maxbody)
  BodyChain* chain;    // result of jac_runs                                          (maxbody)
  ChainRun* run;       //                                                           (2 maxbody)
  int nrun;
  int n;          // columns
  int* dof;       // n ascending dofs                                            (nv)
  mjtNum* value;  // n columns of `lanes` rows                                   (nv x MAXLANE)

  // where wrench, chain and run are unless there may be more bodies
  BodyWrench box_wrench[BOXBODY];
  BodyChain box_chain[BOXBODY];
  ChainRun box_run[2 * BOXBODY];
} BodyJacobian;

// Makes room for the dofs and values, and for more than BOXBODY bodies, on the stack of d.
void bodies_make(BodyJacobian* jacobian, const mjModel* m, mjData* d, int maxbody);

// Number of columns of rows on these bodies, as sink_wants needs it. Also selects the bodies,
// unless only the count is needed (dense J, first walk).
int bodies_select(BodyJacobian* jacobian, const RowSink* sink, const RowBodies* of);

// Vector from the reference point of wrenches on the selected body i to a point; false if no dof
// moves the body.
int bodies_arm(mjtNum arm[3], const BodyJacobian* jacobian, const RowSink* sink, int i,
               const mjtNum point[3]);

// Jacobian of nrow rows from the wrenches on the selected bodies. Valid until the next call.
RowJacobian bodies_jacobian(BodyJacobian* jacobian, const mjData* d, int nrow);

// The same as nrow compressed rows, one after the other, with the columns of the selected dofs.
void bodies_rows(mjtNum* J, const BodyJacobian* jacobian, const mjData* d, int nrow);
