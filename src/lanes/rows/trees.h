// trees.h: whose a row is. Solvers treat trees that no rows couple each by itself, so steps along a
// line, slopes, curvatures and costs are numbers of trees: a row takes the step of its tree, and
// adds to the sums of its tree. Which trees are one island is added up later: solvers/islands.h.

#pragma once

#include "lanes/laws/law.h"
#include "lanes/work.h"

// The tree of a dof; 0 if all trees count as one.
INLINE int dof_tree(const Work* w, int dof) {
  return w->ntree > 1 ? w->m->dof_treeid[dof] : 0;
}

// Of some dof of a coupled row.
INLINE int coupled_row_tree(const Work* w, const LaneCoupledRow* row) {
  return dof_tree(w, w->s->coupled[row->dof].dof);
}

// The second body, but the first if that is fixed.
INLINE int contact_mover(const LaneContact* contact) {
  return contact->body[1] ? contact->body[1] : contact->body[0];
}

// Of a body of a contact that moves.
INLINE int contact_tree(const Work* w, const LaneContact* contact) {
  return w->ntree > 1 ? w->m->body_treeid[contact_mover(contact)] : 0;
}

// Two sums of the tree at hand, in registers until rows of another tree come.
typedef struct TreeSums {
  int tree;
  Real first, second;
} TreeSums;

// Goes on with the sums of a tree in two arrays of Work; with those of none, -1, at the end.
INLINE void tree_turn(TreeSums* sums, Real* first, Real* second, int tree) {
  if (sums->tree == tree) {
    return;
  }
  if (sums->tree >= 0) {
    first[sums->tree] = sums->first;
    second[sums->tree] = sums->second;
  }
  sums->tree = tree;
  if (tree >= 0) {
    sums->first = first[tree];
    sums->second = second[tree];
  }
}

INLINE void tree_turn_change(TreeSums* sums, Work* w, int tree) {
  tree_turn(sums, w->change, w->change_size, tree);
}

INLINE void tree_turn_line(TreeSums* sums, Work* w, int tree) {
  tree_turn(sums, w->slope, w->curvature, tree);
}

// Adds how the cost of a row changes.
INLINE void tree_add_change(TreeSums* sums, Change change) {
  sums->first += change.sum;
  sums->second += change.size;
}
