// row_blocks.h: which constraint rows feel each other's forces.
//
// Two rows have an entry in J M^-1 J' exactly if a kinematic tree moves with both: the rows' dofs
// with all their ancestors include the root of each tree that they touch. So the pattern of that
// matrix follows from the trees of each row, and consecutive rows with the same trees (those of the
// contacts of two boxes, all rows of a robot alone in its world) have one pattern. They make a
// block:
//
//              b0    b1   b2
//         b0 | ####  ##      |     b0: rows of trees 0 and 1    neighbours: b0 b1
//            | ####  ##      |
//         b1 | ####  ## ###  |     b1: rows of tree 1           neighbours: b0 b1 b2
//         b2 |       ## ###  |     b2: rows of trees 1... and so on
//
// All rows of a constraint are in one block, even if some of them have no dof in one of its trees.
//
//                                                        theory/contact/constraints.md, Dual matrix

#pragma once

#include <mujoco/mjdata.h>

typedef struct RowBlock_ {
  int row, n;            // rows row .. row + n - 1
  int ntree;             // 0: a contact of bodies that can't move, with rows of zeros
  const int* tree;       // ascending
  int dof, ndof;         // dofs from the first of these trees to the last; ndof = 0: not known
  int nneighbour;        // blocks with a tree in common, itself included
  const int* neighbour;  // ascending
  int width;             // rows of all neighbours together
} RowBlock;

typedef struct RowBlocks_ {
  int n;
  const RowBlock* block;  // cover all rows, in ascending order
} RowBlocks;

// The blocks of all rows of d, on its stack.
RowBlocks row_blocks(const mjModel* m, mjData* d);
