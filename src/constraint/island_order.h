// island_order.h: trees, dofs and rows in the order of islands.

#pragma once

#include <mujoco/mjdata.h>
#include <mujoco/mjmodel.h>

// Consecutive trees, dofs or rows that stay together.
typedef struct Run_ {
  int begin, end;
  int tree;    // a tree of them
  int island;  // -1: none
  int place;   // of the first among all that are sorted
  int adr;     // of rows: of the first entry of J there
} Run;

// Makes the arrays of d->nisland islands: maps of trees, dofs and rows, and M, its factor and the
// rows in that order. island_of[tree]: island of each tree, -1 if it has none; run: begin, end and
// tree of the nrun runs of all rows, whose other members are set. Both may be NULL if a single
// island has all trees. Warns if the arena is full.
void islands_sort(const mjModel* m, mjData* d, const int* island_of, Run* run, int nrun);
