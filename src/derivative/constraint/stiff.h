// stiff.h: rows that are hard constraints up to rounding.
//
// A body may have no inverse weight along a row (body_invweight0; a ball in its center, pushed
// towards it). The regularizer is then at its floor, D = 1/R = 1e15. H = M + J' D J keeps no digit
// of M along such a row, and f = -D (J x - aref) no digit of f. Forward dynamics determines f by
// the balance of forces, almost independently of D and aref. So D is lowered to a value at which
// the row is as exact as rounding leaves the rest, and aref is moved so that the row keeps its
// force.                                               theory/time/exact-derivatives.md, Stiff rows

#pragma once

#include <mujoco/mjdata.h>

#include "derivative/constraint/bordered.h"

// saved: efc_D, efc_R and efc_aref before the change, NULL if no row is too stiff. bordered: rows
// that are still stiff after it, NULL if there are none.
typedef struct {
  mjtNum* saved;
  BorderedRows* bordered;
} StiffRows;

// Lowers D of such rows of d, whose forward dynamics is done, and moves their aref. On the stack of
// d, which the caller has marked.
StiffRows stiff_soften(const mjModel* m, mjData* d);

// Restores the saved D, R and aref of d.
void stiff_restore(mjData* d, const StiffRows* rows);
