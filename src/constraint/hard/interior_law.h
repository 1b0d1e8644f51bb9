// interior_law.h: the laws of contact, limits and friction inside of their bounds, with multipliers
// of their own (a primal-dual interior point method), linearized.
//
// Besides the forces f each block has a slack s for w_n and a multiplier m for friction. The bound
// R of friction is the normal force f_n, or the bound of a friction loss:
//
//   normal, limit    f_n s = tau,   w_n = s
//   friction         m G = tau,     w_t = -m f_t,   G = (R^2 - |f_t|^2) / 2
//   equality         w = 0
//
// For tau = 0 these are the laws of problem.h. Unlike fixed points f = P(f - w / k) they need no
// scale k in common of the rows of friction: torsion, whose coefficient is 10^-5 of that of
// sliding, counts as much.
//                                                theory/contact/hard-contacts.md, Interior points

#pragma once

#include "constraint/hard/dofs.h"

// What a block has besides its forces and velocities.
typedef struct InteriorDual_ {
  mjtNum slack, pull;  // s, m
} InteriorDual;

// A df + dw = rest[0] + tau rest[1] of a block, entry (i, j) of A at A[i * dim + j], and B = A^-1.
// Rows that their forces don't move have zeros in B and df = 0.
typedef struct InteriorLaw_ {
  mjtNum A[TANGENT_DIM * TANGENT_DIM], B[TANGENT_DIM * TANGENT_DIM];
  mjtNum rest[2][TANGENT_DIM];
} InteriorLaw;

// A block at its forces f and velocities w; weight: 0 for rows that can't be moved. With a centre c
// its laws are those for w + proximal weight^2 (f - c).
typedef struct InteriorBlock_ {
  const HardBlock* block;
  const mjtNum *weight, *f, *w;
  const mjtNum* centre;  // NULL: none
  mjtNum proximal;
} InteriorBlock;

// The forces (dim) and multipliers from which to start: normal forces are `force`, by weight, all
// others 0, and all products have the same tau = force^2.
void interior_start(mjtNum* f, InteriorDual* dual, const HardBlock* block, const mjtNum* weight,
                    mjtNum force);

// The products f_n s and m G, which are to become tau; returns how many there are, at most 2.
int interior_products(mjtNum product[2], const InteriorBlock* at, const InteriorDual* dual);

void interior_law(InteriorLaw* law, const InteriorBlock* at, const InteriorDual* dual);

// The change of the multipliers that goes with that of forces, df.
InteriorDual interior_change(const InteriorBlock* at, const InteriorDual* dual, const mjtNum* df,
                             mjtNum tau);

// The largest part of a step at which a force, a multiplier or a gap becomes zero; INFINITY if none
// does.
mjtNum interior_room(const InteriorBlock* at, const InteriorDual* dual, const mjtNum* df,
                     InteriorDual change);

// The sum of products of two changes, each by the value that changes.
mjtNum interior_block_dot(const InteriorBlock* at, const InteriorDual* dual, const mjtNum* f,
                          const InteriorDual* change, const mjtNum* other_f,
                          const InteriorDual* other);
