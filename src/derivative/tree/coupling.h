// coupling.h: how the wrenches of constraints change as bodies move, summed over the tree.
//
// A constraint between bodies 1 and 2 makes a wrench w_a on each side a. A small motion of the dofs
// moves the sides by the twists E_b, and what the rows measure changes by that and by the twists'
// own change:
//
//   D w_a = sum_b  move_ab E_b - stiff_ab (S'_b at x) - damp_ab (S'_b at v),      S'_j = W_<j x S_j
//
// move, stiff and damp are 6 x 6. So a constraint costs what its few matrices cost, however many
// dofs are above it: blocks of one body are summed up the tree like inertias, and dofs are asked
// once.
//
//   F_q[k j] = S_k . sum over constraints below both of D_j w  +  (D_j S_k) . w
//
// All spatial quantities are about the point of the body's tree.
//                                                     theory/constraint-derivatives.md, Constraints

#ifndef CONDYLE_DERIVATIVE_TREE_COUPLING_H_
#define CONDYLE_DERIVATIVE_TREE_COUPLING_H_

#include <mujoco/mjdata.h>

#include "derivative/tree/kinematics.h"

// The wrench on one body as another, or itself, moves: (torque, force) by (turn, shift) about one
// point of the world. Row-major.
typedef struct {
  mjtNum move[36], stiff[36], damp[36];
} CouplingBlock;

// Blocks [a][b]: wrench on side a, motion of side b.
typedef struct {
  int body[2];
  CouplingBlock block[2][2];
  mjtNum wrench[2][6];
} Coupling;

// Rows of the total wrench of couplings on some bodies, about the point of the tree of the first of
// them, that change with each dof: by positions, velocities and accelerations, 6 x nv each.
typedef struct {
  const char* inside;  // nbody, which bodies
  mjtNum *q, *v, *x;
} WrenchRows;

// What couplings add up to: see above.
typedef struct {
  const mjModel* m;
  mjData* d;
  int nv;
  mjtNum *F_q, *F_v, *H;  // outputs, nv x nv each, added to; F_q NULL: H alone

  const mjtNum *x, *v;      // accelerations and velocities
  Twists X, V;              // of both
  mjtNum *rate_x, *rate_v;  // S'_j = W_<j x S_j of both, 6 x nv
  struct BodyBlock* body;   // sums, one per body
  WrenchRows* wrench;       // NULL, or what is wanted beside them
} Couplings;

// All zero, on the stack of d, which the caller has marked; x: accelerations.
Couplings couplings_make(const mjModel* m, mjData* d, const mjtNum* x, mjtNum* F_q, mjtNum* F_v,
                         mjtNum* H);

// Adds a coupling whose blocks are about `point`; they are changed.
void couplings_add(Couplings* of, Coupling* coupling, const mjtNum point[3]);

// The same of a constraint of any number of bodies, piece by piece: how the wrench on one of them
// answers to another or itself, and the wrenches, once for each (unless F_q is NULL).
void couplings_add_block(Couplings* of, int on, int by, CouplingBlock* block,
                         const mjtNum point[3]);
void couplings_add_wrench(Couplings* of, int body, const mjtNum wrench[6], const mjtNum point[3]);

// Writes the sums to the outputs, once, at the end.
void couplings_finish(Couplings* of);

// out = the twist W of a body, moved to `point`.
void twist_at(mjtNum out[6], const mjModel* m, const mjData* d, int body, const mjtNum W[6],
              const mjtNum point[3]);

#endif  // CONDYLE_DERIVATIVE_TREE_COUPLING_H_
