// islands.h: which trees rows couple, lane by lane. Solvers treat islands, the trees that rows
// couple, each by itself, as the scalar engine does: each has its own steps and its own end.
//
// The island of a tree is a number in a register, that of its smallest tree. Sums over an island
// stand at its smallest tree: sum over t of (island[t] = r ? x_t : 0). A tree without rows in some
// lane is no island there, and has `used` and `live` off.
//                                                   theory/contact/islands.md, Graph of trees

#pragma once

#include <mujoco/api/model.h>

#include "lanes/rows/rows.h"

// Whether rows of all trees are solved together.
INLINE int solves_whole(const Work* w) {
  return w->m->opt.disableflags & mjDSBL_ISLAND || w->m->opt.noslip_iterations > 0;
}

// Makes one island of those of two trees, which have rows. Returns whether some lane does.
static int islands_join(Work* w, int a, int b, Mask on) {
  w->island_of[a].used |= on;
  w->island_of[b].used |= on;
  Real first = w->island_of[a].root, second = w->island_of[b].root;
  Real low = real_min(first, second);
  Mask joins = on & (first != second);
  for (int t = 0; mask_any(joins) && t < w->ntree; t++) {
    Real* root = &w->island_of[t].root;
    *root = real_select(joins & ((*root == first) | (*root == second)), low, *root);
  }
  return mask_any(joins);
}

static int islands_join_contacts(Work* w) {
  int joined = 0;
  for (int n = 0; n < w->nmet; n++) {
    const LaneContact* contact = w->s->contact + w->met[n];
    int tree = contact_tree(w, contact), other = w->m->body_treeid[contact->body[0]];
    joined |= islands_join(w, tree, contact->body[1] && other >= 0 ? other : tree,
                           w->contact[w->met[n]].stiffness > REAL_ZERO);
  }
  return joined;
}

// Rows couple the trees of the dofs whose numbers in J are not zero, with that of their first dof,
// whose they are; frames those of their bodies.
static int islands_join_coupled(Work* w) {
  const mjModel* m = w->m;
  int joined = 0;
  for (int k = 0; k < w->s->ncoupled_row; k++) {
    const LaneCoupledRow* row = w->s->coupled_row + k;
    const Real* J = w->coupled_row_J + row->J;
    int by_bodies = row->kind == COUPLED_POINT || row->kind == COUPLED_FRAME || mj_isSparse(m);
    Mask on = w->coupled_row[k].stiffness > REAL_ZERO;
    for (int b = 1; w->coupled_row[k].on && b < row->ndof; b++) {
      for (int a = 0; a < b; a++) {
        Mask both = on;
        if (!by_bodies) {
          both &= J[b] != REAL_ZERO;
          both &= (J[a] != REAL_ZERO) | mask_of(a ? 0 : ~0u);
        }
        const LaneCoupledDof* dof = w->s->coupled + row->dof;
        joined |= islands_join(w, m->dof_treeid[dof[a].dof], m->dof_treeid[dof[b].dof], both);
      }
    }
    if (w->coupled_row[k].on) {
      islands_join(w, coupled_row_tree(w, row), coupled_row_tree(w, row), on);
    }
  }
  return joined;
}

// Lists which trees are in the island of a smaller one, by ascending trees.
static void islands_list(Work* w) {
  for (int t = 1; t < w->ntree; t++) {
    Real root = w->island_of[t].root;
    Mask left = root != lane_real_of((Num)t);
    while (mask_any(left)) {
      int r = (int)root[__builtin_ctz(mask_bits(left))];
      Mask in = root == lane_real_of((Num)r);
      w->join[w->njoin++] = (LaneJoin){t, r, in};
      left &= ~in;
    }
  }
}

// Marks the trees that have rows, and joins those that rows couple.
static void islands_connect(Work* w) {
  for (const DofRowSlot *slot = w->row, *end = slot + w->nrow; slot < end; slot++) {
    w->island_of[w->m->dof_treeid[slot->of->dof]].used |= slot->stiffness > REAL_ZERO;
  }
  int joined = islands_join_coupled(w);
  joined |= islands_join_contacts(w);
  if (joined) {
    islands_list(w);
  }
}

// Finds the islands, all of which go on where they have rows. rows: lanes that have any; whole: all
// trees count as one.
// Also mj_island in constraint/island.c.
static void islands_find(Work* w, Mask rows, int whole) {
  int n = w->ntree = whole ? 1 : w->m->ntree;
  w->njoin = 0;
  for (int t = 0; t < n; t++) {
    w->island_of[t].root = lane_real_of((Num)t);
    w->island_of[t].used = n > 1 ? mask_of(0) : rows;
  }
  if (n > 1) {
    islands_connect(w);
  }
  for (int t = 0; t < n; t++) {
    w->island_of[t].live = w->island_of[t].used;
  }
}

// Sums numbers of trees over islands, in place: at the smallest tree of each.
static void islands_sum(const Work* w, Real* x) {
  for (const LaneJoin *join = w->join, *end = join + w->njoin; join < end; join++) {
    x[join->root] += real_where(join->in, x[join->tree]);
  }
}

// Gives trees the numbers of their islands, in place.
static void islands_spread(const Work* w, Real* x) {
  for (const LaneJoin *join = w->join, *end = join + w->njoin; join < end; join++) {
    x[join->tree] = real_select(join->in, x[join->root], x[join->tree]);
  }
}

// Where an island begins: the lanes in which a tree stands for its island.
INLINE Mask islands_root(const Work* w, int tree) {
  return w->island_of[tree].root == lane_real_of((Num)tree);
}

// Keeps of the live islands those that go on, told at the smallest tree of each.
static void islands_keep(Work* w, int tree, Mask goes) {
  w->island_of[tree].live &= goes | ~islands_root(w, tree);
}

static void islands_kept(Work* w) {
  for (const LaneJoin *join = w->join, *end = join + w->njoin; join < end; join++) {
    w->island_of[join->tree].live &= w->island_of[join->root].live | ~join->in;
  }
}

// How the Gauss term of an island changes by a step along its line.
INLINE Real line_gauss(const LaneLine* line, Real step) {
  return step * real_muladd(step * (Num)0.5, line->bend, line->along);
}

// Lanes in which some island goes on.
INLINE Mask islands_live(const Work* w) {
  Mask any = mask_of(0);
  for (int t = 0; t < w->ntree; t++) {
    any |= w->island_of[t].live;
  }
  return any;
}
