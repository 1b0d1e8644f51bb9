// floating_rows.h: Jacobians of contacts of free bodies with each other and with what doesn't move.
//
// The axes of a free joint's translations are those of the world, so these columns are the forces
// of the rows themselves; only the rotations need products. Numbers are those of bodies.h.
//                                                   theory/contact/constraints.md, Body Jacobians

#pragma once

#include <mujoco/mjdata.h>

#include "constraint/rows/sink.h"

enum {
  MOST_FLOATING_COLUMNS = 12  // of two free bodies
};

// The free bodies that two bodies are fixed to.
typedef struct FloatingPair {
  int n;                 // columns: 6 for each free body; 0: rows of such contacts aren't free
  int side[2];           // the sides with the first and the last six columns: 0 has the sign -1
  int dofadr[2];         // of these
  const mjtNum* com[2];  // reference points of their trees
} FloatingPair;

// Whether rows of two bodies are those of free bodies: n is 0 if they aren't.
void floating_pair(FloatingPair* pair, const mjModel* m, const mjData* d, int body1, int body2);

// Writes the compressed rows of n contacts of a pair: J, with the pair's columns.
void floating_rows(mjtNum* J, const mjData* d, const FloatingPair* pair, const mjContact* contact,
                   int n, int type);

// The columns of each row.
void floating_columns(int* column, const FloatingPair* pair);
