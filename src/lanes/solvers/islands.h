// islands.h: which trees rows couple, lane by lane. A solver that ends before the minimum treats
// islands, the trees that rows couple, each by itself, as the scalar engine does: each has its own
// steps and its own end.
//
// The island of a tree is a number in a register, that of its smallest tree. Sums over an island
// stand at its smallest tree: sum over t of (island[t] = r ? x_t : 0).
//                                                   theory/contact/islands.md, Graph of trees

#pragma once

#include <mujoco/api/model.h>

#include "lanes/rows/rows.h"

// Whether rows of all trees are solved together.
INLINE int solves_whole(const Work* w) {
  return w->m->opt.disableflags & mjDSBL_ISLAND || w->m->opt.noslip_iterations > 0;
}

// The tree of a dof, of a contact's body that moves, of some dof of a coupled row; 0 if all trees
// count as one.
INLINE int dof_tree(const Work* w, int dof) {
  return w->ntree > 1 ? w->m->dof_treeid[dof] : 0;
}

INLINE int contact_tree(const Work* w, const LaneContact* contact) {
  return w->ntree > 1 ? w->m->body_treeid[contact_mover(contact)] : 0;
}

INLINE int coupled_row_tree(const Work* w, const LaneCoupledRow* row) {
  return dof_tree(w, w->s->coupled[row->dof].dof);
}

// Makes one island of those of two trees, which have rows.
static void islands_join(Work* w, int a, int b, Mask on) {
  w->island_of[a].used |= on;
  w->island_of[b].used |= on;
  Real first = w->island_of[a].root, second = w->island_of[b].root;
  Real low = real_min(first, second);
  Mask joins = on & (first != second);
  for (int t = 0; mask_any(joins) && t < w->ntree; t++) {
    Real* root = &w->island_of[t].root;
    *root = real_select(joins & ((*root == first) | (*root == second)), low, *root);
  }
  w->joined |= mask_any(joins);
}

static void islands_join_contacts(Work* w) {
  for (int n = 0; n < w->nmet; n++) {
    const LaneContact* contact = w->s->contact + w->met[n];
    int tree = contact_tree(w, contact), other = w->m->body_treeid[contact->body[0]];
    islands_join(w, tree, contact->body[1] && other >= 0 ? other : tree,
                 w->contact[w->met[n]].stiffness > REAL_ZERO);
  }
}

// Rows couple the trees of the dofs whose numbers in J are not zero; frames those of their bodies.
static void islands_join_coupled(Work* w) {
  const mjModel* m = w->m;
  for (int k = 0; k < w->s->ncoupled_row; k++) {
    const LaneCoupledRow* row = w->s->coupled_row + k;
    const Real* J = w->coupled_row_J + row->J;
    int by_bodies = row->kind == COUPLED_POINT || row->kind == COUPLED_FRAME || mj_isSparse(m);
    Mask on = w->coupled_row[k].stiffness > REAL_ZERO;
    for (int b = 1; w->coupled_row[k].on && b < row->ndof; b++) {
      for (int a = 0; a < b; a++) {
        Mask both = on;
        if (!by_bodies) {
          both &= (J[a] != REAL_ZERO) & (J[b] != REAL_ZERO);
        }
        const LaneCoupledDof* dof = w->s->coupled + row->dof;
        islands_join(w, m->dof_treeid[dof[a].dof], m->dof_treeid[dof[b].dof], both);
      }
    }
    if (w->coupled_row[k].on) {
      islands_join(w, coupled_row_tree(w, row), coupled_row_tree(w, row), on);
    }
  }
}

// Finds the islands. rows: lanes that have any.
// Also mj_island in constraint/island.c.
static void islands_find(Work* w, Mask rows) {
  int n = w->ntree = solves_whole(w) ? 1 : w->m->ntree;
  w->joined = 0;
  for (int t = 0; t < n; t++) {
    w->island_of[t].root = lane_real_of((Num)t);
    w->island_of[t].used = n > 1 ? mask_of(0) : rows;
  }
  if (n == 1) {
    return;
  }
  for (const DofRowSlot *slot = w->row, *end = slot + w->nrow; slot < end; slot++) {
    w->island_of[w->m->dof_treeid[slot->of->dof]].used |= slot->stiffness > REAL_ZERO;
  }
  islands_join_coupled(w);
  islands_join_contacts(w);
  for (int t = n - 1; w->joined && t > 0; t--) {  // what one tree of an island has, all have
    for (int r = 0; r < t; r++) {
      Mask same = w->island_of[t].root == w->island_of[r].root;
      Mask used = same & (w->island_of[t].used | w->island_of[r].used);
      w->island_of[t].used |= used;
      w->island_of[r].used |= used;
    }
  }
}

// Sums numbers of trees over islands, in place: at the smallest tree of each.
static void islands_sum(const Work* w, Real* x) {
  for (int t = 1; w->joined && t < w->ntree; t++) {
    for (int r = 0; r < t; r++) {
      Mask in = w->island_of[t].root == lane_real_of((Num)r);
      x[r] += real_where(in, x[t]);
    }
  }
}

// Gives trees the numbers of their islands, in place.
static void islands_spread(const Work* w, Real* x) {
  for (int t = w->ntree - 1; w->joined && t > 0; t--) {
    for (int r = 0; r < t; r++) {
      Mask in = w->island_of[t].root == lane_real_of((Num)r);
      x[t] = real_select(in, x[r], x[t]);
    }
  }
}

// out = sum over the dofs of each island of a b
static void islands_dot(const Work* w, Real* out, const Real* a, const Real* b) {
  clear_reals(out, w->ntree);
  for (int i = 0; i < w->m->nv; i++) {
    Real* sum = out + dof_tree(w, i);
    *sum = real_muladd(a[i], b[i], *sum);
  }
  islands_sum(w, out);
}

// Where an island begins: the lanes in which a tree stands for its island.
INLINE Mask islands_root(const Work* w, int tree) {
  return w->island_of[tree].root == lane_real_of((Num)tree);
}
