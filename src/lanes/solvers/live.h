// live.h: which trees a solver looks at. Where bodies lie about most have no rows for most of the
// time, and the acceleration a0; others are at their minimum before the rest of their world is.
//
// A tree is live if its island goes on in some lane of the block. In a lane in which it doesn't its
// steps are exact zeros, so what is live changes no bit. The same holds for contacts that only
// islands have which have ended: they are left out of further iterations.

#pragma once

#include "lanes/solvers/islands.h"

// Takes all trees for live, with rows in all lanes.
static void live_all(Work* w) {
  w->own = &w->s->M;
  w->nlive = 1;
  w->live[0] = (LaneRange){0, w->m->nv, 0};
}

// Finds the live trees, their dofs, and of M's panels theirs.
static void live_find(Work* w) {
  const mjModel* m = w->m;
  const LanePattern* all = &w->s->M;
  live_all(w);
  if (w->ntree == 1) {
    return;
  }
  for (int t = 0; t < w->ntree; t++) {
    w->is_live[t] = mask_any(w->island_of[t].live) != 0;
  }
  w->live_own = (LanePattern){.n = all->n, .panel = w->live_panel, .column = all->column};
  w->own = &w->live_own;
  w->nlive = 0;
  for (int k = 0; k < all->npanel; k++) {
    const LanePanel* panel = all->panel + k;
    int tree = m->dof_treeid[panel->first], end = panel->first + panel->count;
    if (!w->is_live[tree]) {
      clear_reals(w->search + panel->first, panel->count);
      continue;
    }
    w->live_panel[w->live_own.npanel++] = *panel;
    if (w->nlive && w->live[w->nlive - 1].tree == tree) {
      w->live[w->nlive - 1].end = end;
    } else {
      w->live[w->nlive++] = (LaneRange){panel->first, end, tree};
    }
  }
}

// for (each range of the live dofs, those of a tree)
#define LIVE_RANGES(w, r) \
  for (const LaneRange *r = (w)->live, *end_ = r + (w)->nlive; r < end_; r++)

// The sum of products over a range, which even and odd dofs have apart.
INLINE Real range_dot(const LaneRange* r, const Real* a, const Real* b) {
  Real even = REAL_ZERO, odd = REAL_ZERO;
  int i = r->first;
  for (; i + 2 <= r->end; i += 2) {
    even = real_muladd(a[i], b[i], even);
    odd = real_muladd(a[i + 1], b[i + 1], odd);
  }
  if (i < r->end) {
    even = real_muladd(a[i], b[i], even);
  }
  return even + odd;
}

// out = sum over the dofs of each live island of a b
static void live_dot(const Work* w, Real* out, const Real* a, const Real* b) {
  clear_reals(out, w->ntree);
  LIVE_RANGES(w, r) {
    out[r->tree] = range_dot(r, a, b);
  }
  islands_sum(w, out);
}

// Whether rows couple branches, of those that are left.
static int live_couples(const Work* w) {
  for (int i = 0; i < w->nmet; i++) {
    int coupling = w->s->contact[w->met[i]].coupling;
    if (coupling >= 0 && !w->s->coupling[coupling].inner) {
      return 1;
    }
  }
  for (int k = 0; k < w->s->ncoupled_row; k++) {
    if (w->coupled_row[k].on) {
      return 1;
    }
  }
  return 0;
}

// Keeps to the contacts of islands that go on. Returns whether any is left out.
static int live_narrow_contacts(Work* w) {
  int n = 0, nmet = w->nmet;
  for (int i = 0; i < nmet; i++) {
    int k = w->met[i], tree = contact_tree(w, w->s->contact + k);
    if (mask_any(w->island_of[tree].live & (w->contact[k].stiffness > REAL_ZERO))) {
      w->met[n++] = k;
    }
  }
  w->nmet = n;
  if (n < nmet) {
    contacts_ground(w);
  }
  return n < nmet;
}

// Keeps to the contacts of islands that go on and, if these couple nothing, to the trees of those
// and to the pattern of M. Islands that have ended must not take forces from the rows any more.
static const LanePattern* live_narrow(Work* w, const LanePattern* p) {
  int fewer = live_narrow_contacts(w), coupled = w->coupled;
  if (fewer) {
    w->coupled &= live_couples(w);
  }
  if (w->coupled) {
    return p;
  }
  int ended = coupled;
  for (int t = 0; t < w->ntree && w->ntree > 1; t++) {
    ended |= w->is_live[t] && !mask_any(w->island_of[t].live);
  }
  if (ended) {
    live_find(w);
  }
  return w->own;
}
