// extrapolation.h: where the next sweep should start, from what the last ones did.
//
// Anderson's method: a sweep takes f to g(f), and r = g(f) - f is to vanish. What the last sweeps
// have shown of how r follows g is taken for linear, and the combination of them with the least
// |r| is where the next sweep starts. w goes along, being linear in f. (Walker and Ni 2011.
// Conjugate gradients over sweeps, Silcowitz-Hansen et al. 2010, need nearly twice as many sweeps.)

#pragma once

#include "constraint/hard/problem.h"

enum {
  HISTORY = 8
};

typedef struct {
  mjtNum* f;                                        // before the sweep
  mjtNum *g, *w, *r;                                // after the last one
  mjtNum *dg[HISTORY], *dw[HISTORY], *dr[HISTORY];  // differences from sweep to sweep
  int n, next;                                      // how many there are, which is the oldest
  int known;                                        // g, w, r are
} Iterates;

// Room for sweeps of a problem, on its stack.
Iterates iterates_make(const HardProblem* p);

void iterates_forget(Iterates* h);

// Takes down the sweep that led from h->f to p->f.
void iterates_add(Iterates* h, const HardProblem* p, const int* list, int nlist);

// f -= sum y_k dg_k with the y that minimize |r - sum y_k dr_k|, and w with it.
void iterates_extrapolate(Iterates* h, HardProblem* p, const int* list, int nlist);
