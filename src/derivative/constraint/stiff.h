// stiff.h: rows that hold hard.
//
// Where bodies have no inverse weight along a row (body_invweight0: a ball in its center, pushed
// towards it) the regularizer is at its floor and D = 1/R = 1e15: H = M + J' D J has no digit left
// of M across the row, and f = -D (J x - aref) none of f. In forward dynamics such a row is a hard
// constraint, to which neither D nor aref matter much, only f, which the balance of forces tells.
// So D is lowered to what makes the row as exact as sixteen digits make the rest, and aref to where
// the row has its force.                                    theory/exact-derivatives.md, Stiff rows

#ifndef CONDYLE_DERIVATIVE_CONSTRAINT_STIFF_H_
#define CONDYLE_DERIVATIVE_CONSTRAINT_STIFF_H_

#include <mujoco/mjdata.h>

#include "derivative/constraint/bordered.h"

// efc_D, efc_R, efc_aref as they were, NULL if no row is too stiff; rows that are stiff even so,
// NULL if there are none.
typedef struct {
  mjtNum* saved;
  BorderedRows* bordered;
} StiffRows;

// Lowers D of such rows of d, whose forward dynamics is done, and moves their aref. On the stack of
// d, which the caller has marked.
StiffRows stiff_soften(const mjModel* m, mjData* d);

// Sets them back.
void stiff_restore(mjData* d, const StiffRows* rows);

#endif  // CONDYLE_DERIVATIVE_CONSTRAINT_STIFF_H_
