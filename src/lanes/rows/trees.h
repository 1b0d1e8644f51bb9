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

// Adds how the cost of a row changes.
INLINE void tree_add_change(Work* w, int tree, Change change) {
  w->change[tree] += change.sum;
  w->change_size[tree] += change.size;
}
