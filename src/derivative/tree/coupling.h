// coupling.h: derivatives of the wrenches of constraints, summed over the tree.
//
// A constraint between bodies 1 and 2 makes a wrench w_a on each side a. Small motions of the dofs
// move the sides by twists E_b. The rows of the constraint measure velocities and accelerations,
// whose twists change too, so
//
//   D w_a = sum_b  move_ab E_b - stiff_ab (S'_b at x) - damp_ab (S'_b at v),      S'_j = W_<j x S_j
//
// with 6 x 6 matrices move, stiff and damp, stiff_ab = stiff_ba'. The cost of a constraint is that
// of its few matrices, however many dofs are above it: blocks of a body with itself are summed up
// the tree like inertias, and each dof is multiplied with the sum once.
//
//   F_q[k j] = S_k . sum over constraints below both of D_j w  +  (D_j S_k) . w
//
// All spatial quantities are about the point of the body's tree.
// Symbols: kinematics.h (D, S, W); x, v: accelerations and velocities of dofs.
//                                                theory/time/constraint-derivatives.md, Constraints

#pragma once

#include <mujoco/mjdata.h>

#include "derivative/tree/kinematics.h"

// Derivative of the wrench (torque, force) on one body by the motion (turn, shift) of another body
// or the same one, both about one point, in axes of the world. Row-major.
typedef struct {
  mjtNum move[36], stiff[36], damp[36];
} CouplingBlock;

// One constraint of two bodies; block [a][b]: wrench on side a by the motion of side b.
typedef struct {
  int body[2];
  CouplingBlock block[2][2];
  mjtNum wrench[2][6];
} Coupling;

// Derivative of the total wrench of couplings on a set of bodies, each about the point of its tree:
// by positions, velocities and accelerations, 6 x nv each.
typedef struct {
  const char* inside;  // nbody flags: the bodies of the set
  mjtNum *q, *v, *x;
} WrenchRows;

// Sums of all couplings.
typedef struct {
  const mjModel* m;
  mjData* d;
  int nv;
  mjtNum *F_q, *F_v, *H;  // outputs, nv x nv each, added to; F_q NULL: H only

  const mjtNum *x, *v;      // accelerations and velocities
  Twists X, V;              // twists of bodies for x and v
  mjtNum *rate_x, *rate_v;  // S'_j for x and for v, 6 x nv
  struct BodyBlock* body;   // sums, one per body
  WrenchRows* wrench;       // derivative of a watched wrench; NULL: not asked for
} Couplings;

// Sums that are zero, on the stack of d, which the caller has marked. x: accelerations.
Couplings couplings_make(const mjModel* m, mjData* d, const mjtNum* x, mjtNum* F_q, mjtNum* F_v,
                         mjtNum* H);

// Adds a coupling whose blocks are about `point`. The blocks are overwritten.
void couplings_add(Couplings* of, Coupling* coupling, const mjtNum point[3]);

// Adds one block, or one wrench, of a constraint between any number of bodies: the block gives the
// wrench on body `on` by the motion of body `by`. Wrenches are added once for each body, unless F_q
// is NULL.
void couplings_add_block(Couplings* of, int on, int by, CouplingBlock* block,
                         const mjtNum point[3]);
void couplings_add_wrench(Couplings* of, int body, const mjtNum wrench[6], const mjtNum point[3]);

// Writes the sums to the outputs, once, at the end.
void couplings_finish(Couplings* of);

// out = the twist W of a body, moved to `point`.
void twist_at(mjtNum out[6], const mjModel* m, const mjData* d, int body, const mjtNum W[6],
              const mjtNum point[3]);
