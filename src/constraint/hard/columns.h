// columns.h: who fills K, the sparse factor of M or articulated bodies.
//
// Half solves by the factor (matrix.h) cost the square of a tree's depth a row, then a product as
// long as the tree for each entry of K. Articulated bodies (smooth/aba.h) cost some fifty products
// per dof of a path a row, then six or twelve products for an entry of two contacts, however large
// the tree is. So the factor is for trees of some dozen dofs, articulated bodies for longer ones.
//                                                           theory/contact/hard-contacts.md, Matrix

#pragma once

#include "constraint/hard/matrix.h"

// Fills K by whichever is expected to be faster.
void columns_fill(HardMatrix* K, const HardSystem* s);

// Can articulated bodies do it? Not if tendons have inertia, nor with the matrix of an implicit
// integrator.
int columns_aba_applies(const HardSystem* s);

// What both ways are expected to take, in nanoseconds on the machine on which the rule was
// measured.
typedef struct {
  double factor, aba;
} ColumnsCost;

ColumnsCost columns_cost(const HardMatrix* K, const HardSystem* s);

// The values of K by articulated bodies.
void columns_aba(HardMatrix* K, const HardSystem* s);
