// pattern.h: where the Newton matrix and its factor are nonzero.
//
// H = M + J'WJ has an entry (i, j) if M has it or a row of J touches both dofs. Elimination goes
// from the last dof to the first and adds the columns of each row to its parent, the largest of
// them. For a tree of bodies this is the parent in the tree, no column is new, and the factor has
// H's pattern.
//                                            Davis, Direct Methods for Sparse Linear Systems, ch. 4

#pragma once

#include <mujoco/mjdata.h>
#include <stdint.h>

#include "constraint/law/problem.h"

typedef struct Pattern {
  size_t width;  // words in a row
  unsigned long*
      row;       // columns of each row of the factor, one bit each; beyond the diagonal: undefined
  int* parent;   // largest column below the diagonal; -1: none
  int* nnz;      // number of columns below the diagonal
  int64_t nnzL;  // entries of the factor, with the diagonal
  int64_t nnzJ;  // entries of the lower triangle of J'J
} Pattern;

// Pattern of a problem whose J is in compressed rows; on the stack of d.
Pattern pattern_make(mjData* d, const Problem* p);

// The largest problem whose rows are sets in one word.
enum {
  COUNT_UP_TO = 64
};

// nnzL and nnzJ of such a problem, without its pattern.
void pattern_count(int64_t nnzL[1], int64_t nnzJ[1], const Problem* p);

// Columns of row i below the diagonal, ascending.
void pattern_list(int* list, const Pattern* pattern, int i);
