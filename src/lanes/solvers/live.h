// live.h: which trees have rows. A solver looks at these alone: at their minimum the others have
// the acceleration a0, and where bodies lie about most have no rows for most of the time.
//
// A tree is live if some lane of the block has rows in it. In a lane that has none its numbers are
// exact zeros, so what is live changes no bit. The same holds for contacts that only lanes have
// which have ended: they are left out of further iterations.

#pragma once

#include "lanes/rows/rows.h"

// Takes all trees for live, with rows in all lanes.
static void live_all(Work* w) {
  w->own = &w->s->M;
  w->nlive = 1;
  w->live[0] = (LaneRange){0, w->m->nv};
  for (int t = 0; t < w->m->ntree; t++) {
    w->used[t] = mask_of(~0u);
  }
}

static void live_use(Work* w, int tree, Mask on) {
  if (tree >= 0) {
    w->used[tree] |= on;
    w->is_live[tree] = 1;
  }
}

static void live_rows(Work* w) {
  const mjModel* m = w->m;
  for (const DofRowSlot *slot = w->row, *end = slot + w->nrow; slot < end; slot++) {
    live_use(w, m->dof_treeid[slot->of->dof], slot->stiffness > REAL_ZERO);
  }
  for (int k = 0; k < w->s->ncoupled_row; k++) {
    const LaneCoupledRow* row = w->s->coupled_row + k;
    Mask on = w->coupled_row[k].stiffness > REAL_ZERO;
    for (int a = 0; w->coupled_row[k].on && a < row->ndof; a++) {
      live_use(w, m->dof_treeid[w->s->coupled[row->dof + a].dof], on);
    }
  }
  for (int n = 0; n < w->nmet; n++) {
    const LaneContact* contact = w->s->contact + w->met[n];
    Mask on = w->contact[w->met[n]].stiffness > REAL_ZERO;
    for (int i = 0; i < 2; i++) {
      live_use(w, contact->body[i] ? m->body_treeid[contact->body[i]] : -1, on);
    }
  }
}

// Finds the live trees, their dofs, and of M's panels theirs.
static void live_find(Work* w) {
  const mjModel* m = w->m;
  const LanePattern* all = &w->s->M;
  live_all(w);
  if (m->ntree == 1) {
    return;
  }
  for (int t = 0; t < m->ntree; t++) {
    w->used[t] = mask_of(0);
    w->is_live[t] = 0;
  }
  live_rows(w);
  w->live_own = (LanePattern){.n = all->n, .panel = w->live_panel, .column = all->column};
  w->own = &w->live_own;
  w->nlive = 0;
  for (int k = 0; k < all->npanel; k++) {
    const LanePanel* panel = all->panel + k;
    if (!w->is_live[m->dof_treeid[panel->first]]) {
      continue;
    }
    w->live_panel[w->live_own.npanel++] = *panel;
    if (w->nlive && w->live[w->nlive - 1].end == panel->first) {
      w->live[w->nlive - 1].end += panel->count;
    } else {
      w->live[w->nlive++] = (LaneRange){panel->first, panel->first + panel->count};
    }
  }
}

// The sum of products over live dofs, which even and odd ones have apart.
static Real live_dot(const Work* w, const Real* a, const Real* b) {
  Real even = REAL_ZERO, odd = REAL_ZERO;
  for (const LaneRange *r = w->live, *end = r + w->nlive; r < end; r++) {
    int i = r->first;
    if (i % 2) {
      odd = real_muladd(a[i], b[i], odd);
      i++;
    }
    for (; i + 2 <= r->end; i += 2) {
      even = real_muladd(a[i], b[i], even);
      odd = real_muladd(a[i + 1], b[i + 1], odd);
    }
    if (i < r->end) {
      even = real_muladd(a[i], b[i], even);
    }
  }
  return even + odd;
}

// for (each i of the live dofs)
#define LIVE_DOFS(w, i)                                                           \
  for (const LaneRange *r_ = (w)->live, *end_ = r_ + (w)->nlive; r_ < end_; r_++) \
    for (int i = r_->first; i < r_->end; i++)

// Keeps to the contacts of the lanes that go on, and to the pattern of M if these couple nothing.
// Lanes that have ended must not take their forces from the rows any more.
static const LanePattern* live_narrow(Work* w, Mask live, const LanePattern* p) {
  int n = 0, couples = 0;
  for (int i = 0; i < w->nmet; i++) {
    int k = w->met[i];
    if (mask_any(live & (w->contact[k].stiffness > REAL_ZERO))) {
      int coupling = w->s->contact[k].coupling;
      couples |= coupling >= 0 && !w->s->coupling[coupling].inner;
      w->met[n++] = k;
    }
  }
  if (n == w->nmet) {
    return p;
  }
  w->nmet = n;
  contacts_ground(w);
  for (int k = 0; k < w->s->ncoupled_row; k++) {
    couples |= w->coupled_row[k].on;
  }
  w->coupled &= couples;
  return w->coupled ? p : w->own;
}
