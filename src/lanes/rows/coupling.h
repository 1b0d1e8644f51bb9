// coupling.h: the pattern of H where rows couple dofs of different branches. It is that of M until
// a block has such rows; then those of the block are added and what elimination fills in, row by
// row
// as sets of dofs.                                            theory/smooth/inertia.md, Sparse L'DL
//
// Which couplings a block has depends on all its lanes. In a lane without one its entries of H are
// exact zeros, and so the factor's numbers are the same as on the pattern of M.

#pragma once

#include "lanes/work.h"

// Adds the dofs of a coupling that some lane has, each tied to all before it.
static void coupling_use(Work* w, const LaneCoupling* coupling) {
  if (coupling->inner) {
    return;
  }
  if (!w->coupled) {
    w->coupled = 1;
    memcpy(w->reach, w->s->ancestors, (size_t)w->m->nv * sizeof(LaneSet));
  }
  int words = set_words(w->m->nv);
  LaneSet before = {{0}};
  for (int a = coupling->dof; a < coupling->dof + coupling->ndof; a++) {
    int dof = w->s->coupled[a].dof;
    for (int k = 0; k < words; k++) {
      w->reach[dof].bits[k] |= before.bits[k];
    }
    set_add(&before, dof);
  }
}

// The columns of a panel: those of any of its rows.
static void wide_columns(Work* w, LanePanel* panel) {
  int words = set_words(w->m->nv);
  LaneSet all = {{0}};
  for (int i = panel->first; i < panel->first + panel->count; i++) {
    for (int k = 0; k < words; k++) {
      all.bits[k] |= w->reach[i].bits[k];
    }
  }
  panel->n = 0;
  int* column = w->wide.column + panel->column;
  for (int k = 0; k <= panel->first / 64; k++) {
    for (uint64_t bits = all.bits[k]; bits; bits &= bits - 1) {
      int j = 64 * k + __builtin_ctzll(bits);
      column[panel->n] = j;
      panel->n += j < panel->first;
    }
  }
  // eliminating the panel couples all of them
  LaneSet before = {{0}};
  for (int a = 0; a < panel->n; a++) {
    for (int k = 0; k < words; k++) {
      w->reach[column[a]].bits[k] |= before.bits[k];
    }
    set_add(&before, column[a]);
  }
}

// The pattern of H where a solver looks at it, when all couplings are known.
static const LanePattern* coupling_pattern(Work* w) {
  const LanePattern* p = w->own;
  if (!w->coupled) {
    return p;
  }
  w->wide.n = p->n;
  w->wide.npanel = p->npanel;
  for (int k = p->npanel - 1; k >= 0; k--) {
    w->wide.panel[k] = p->panel[k];
    w->wide.panel[k].column = k * p->n;
    wide_columns(w, w->wide.panel + k);
  }
  return &w->wide;
}

// Zeros where H has room that M has not. The rows of a panel have the same columns left of it.
static void coupling_clear(Work* w, const LanePattern* p) {
  for (int k = 0; w->coupled && k < p->npanel; k++) {
    const LanePanel *panel = p->panel + k, *own = w->own->panel + k;
    const int *column = p->column + panel->column, *known = w->own->column + own->column;
    for (int a = 0, b = 0; a < panel->n; a++) {
      if (b < own->n && known[b] == column[a]) {
        b++;
        continue;
      }
      for (int i = panel->first; i < panel->first + panel->count; i++) {
        w->H[lane_row_at(i) + column[a]] = REAL_ZERO;
      }
    }
  }
}
