// interior_step.h: Newton's steps for all blocks of an interior point: forces, velocities and
// multipliers, and the equations of a step.
//
// A step that brings all products to tau is affine in tau, so it is solved for once:
//
//   df = rest + tau raise
//
// Along the solutions for all tau (the central path) forces change by tau raise with log tau.
//                                                theory/contact/hard-contacts.md, Interior points

#pragma once

#include "constraint/hard/interior_law.h"

// A point, or a change of one.
typedef struct InteriorPoint_ {
  mjtNum *f, *w;       // (nrow)
  InteriorDual* dual;  // (nlist)
  mjtNum log_tau;      // on the path
} InteriorPoint;

typedef struct Interior_ {
  HardDofs* e;
  HardProblem* p;
  InteriorPoint at;     // f and w are those of the problem
  mjtNum *f[2], *w[2];  // rest and raise (nrow)
  // the laws are those for w + proximal weight^2 (f - centre) instead of w; NULL: for w
  const mjtNum* centre;  // (nrow)
  mjtNum proximal;
  // equations by rows of the blocks, solved instead of those of dofs: K, A + K and both right-hand
  // sides, each row and column by its weight; NULL: those of dofs
  int n;
  mjtNum *K, *A, *X;
} Interior;

// Whether the blocks of the equations have few rows, so that steps are solved for by rows.
int interior_rows_are_few(const HardDofs* e);

// A point with room for the rows and blocks of the equations, on the stack.
InteriorPoint interior_point(const HardDofs* e);

// An interior point of the equations, on the stack; its forces are those of the problem.
void interior_make(Interior* s, HardDofs* e);

// Normal forces of equal weight, `force`, and no others.
void interior_begin(Interior* s, mjtNum force);

// The mean of all products: what tau is at present; 0 if there are none. count: their number.
mjtNum interior_mean(const Interior* s, int* count);

// Solves for rest and raise. Returns 0 if the equations have no solution.
int interior_solve_step(Interior* s);

// step = rest + tau raise, and the same of multipliers.
void interior_step_to(InteriorPoint* step, const Interior* s, mjtNum tau);

// step = how the solution changes with log tau.
void interior_step_along(InteriorPoint* step, const Interior* s, mjtNum tau);

// to = from + part * along, of the rows of the blocks, multipliers and log tau.
void interior_add(InteriorPoint* to, const Interior* s, const InteriorPoint* from,
                  const InteriorPoint* along, mjtNum part);

// The part of a step at which the first force, multiplier or gap becomes zero.
mjtNum interior_step_room(const Interior* s, const InteriorPoint* step);

// The sum of products of two changes, each by its value at the present point, without log tau.
mjtNum interior_dot(const Interior* s, const InteriorPoint* a, const InteriorPoint* b);
