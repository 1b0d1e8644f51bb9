// bracket.h: the line search of descents that end before their minimum, whose points are the
// scalar engine's: Newton's steps until the slope changes sign, then inside of a bracket. Each
// island has its own search, in each lane at its own place; lanes that have ended wait.
//                                                    theory/contact/solvers.md, Search by a bracket

#pragma once

#include "lanes/solvers/islands.h"

INLINE BracketPoint point_select(Mask mask, const BracketPoint* yes, const BracketPoint* no) {
  return (BracketPoint){
      real_select(mask, yes->alpha, no->alpha), real_select(mask, yes->cost, no->cost),
      real_select(mask, yes->slope, no->slope), real_select(mask, yes->curvature, no->curvature)};
}

// Cost, slope and curvature at at.alpha of each island, in the lanes `asks`, which it counts. A
// curvature that is not positive, of which the scalar engine warns, leaves a lane to it.
// Also line_evaluate in constraint/solver/line_search.h.
static void bracket_evaluate(Work* w, const Mask* asks) {
  for (int t = 0; t < w->ntree; t++) {
    w->step[t] = w->bracket[t].at.alpha;
  }
  islands_spread(w, w->step);
  rows_move(w, 1);
  rows_line(w);
  islands_sum(w, w->change);
  islands_sum(w, w->slope);
  islands_sum(w, w->curvature);
  for (int t = 0; t < w->ntree; t++) {
    Bracket* b = w->bracket + t;
    const LaneLine* line = w->line + t;
    Real alpha = w->step[t], curvature = w->curvature[t] + line->bend;
    Mask bent = curvature > REAL_ZERO;
    w->failed |= mask_bits(asks[t] & ~bent);
    b->at.alpha = alpha;
    b->at.cost = w->change[t] + line_gauss(line, alpha);
    b->at.slope = w->slope[t] + real_muladd(alpha, line->bend, line->along);
    b->at.curvature = real_select(bent, curvature, lane_real_of((Num)mjMINVAL));
    b->count += real_where(asks[t], lane_real_of(1));
  }
}

INLINE int trees_any(const Work* w, const Mask* mask) {
  Mask any = mask_of(0);
  for (int t = 0; t < w->ntree; t++) {
    any |= mask[t];
  }
  return mask_any(any);
}

INLINE Mask is_flat(const BracketPoint* point, Real enough) {
  return real_abs(point->slope) < enough;
}

// Where a search looks next.
typedef enum BracketPlace {
  PLACE_START,
  PLACE_NEWTON0,  // Newton's steps from x0, x1, x2
  PLACE_NEWTON1,
  PLACE_NEWTON2,
  PLACE_MIDDLE
} BracketPlace;

INLINE Real newton_place(const BracketPoint* from) {
  return from->alpha - from->slope / from->curvature;
}

// Evaluates every island's point at a place, in the lanes `asks`.
static void bracket_ask(Work* w, const Mask* asks, BracketPlace place) {
  for (int t = 0; t < w->ntree; t++) {
    Bracket* b = w->bracket + t;
    Real alpha = place == PLACE_START     ? REAL_ZERO
                 : place == PLACE_NEWTON0 ? newton_place(&b->x0)
                 : place == PLACE_NEWTON1 ? newton_place(&b->x1)
                 : place == PLACE_NEWTON2 ? newton_place(&b->x2)
                                          : (b->x1.alpha + b->x2.alpha) * (Num)0.5;
    b->at.alpha = real_where(asks[t], alpha);
  }
  bracket_evaluate(w, asks);
}

// Ends the search of some lanes.
INLINE void bracket_end(Bracket* b, Mask lanes, const BracketPoint* point) {
  b->result = real_select(lanes, point->alpha, b->result);
  b->open &= ~lanes;
}

// The first Newton point, and on along the descent until the slope changes sign.
static void bracket_begin(Work* w, Real limit) {
  const Real one = lane_real_of(1);
  Mask asks[MOST_TREES];
  int n = w->ntree;
  for (int t = 0; t < n; t++) {
    asks[t] = w->bracket[t].open;
  }
  bracket_ask(w, asks, PLACE_START);
  for (int t = 0; t < n; t++) {
    w->bracket[t].x0 = w->bracket[t].at;
  }
  bracket_ask(w, asks, PLACE_NEWTON0);
  for (int t = 0; t < n; t++) {
    Bracket* b = w->bracket + t;
    b->x1 = b->x2 = point_select(b->x0.cost < b->at.cost, &b->x0, &b->at);
    bracket_end(b, b->open & is_flat(&b->x1, w->line[t].enough), &b->x1);
    b->middle.slope = real_select(b->x1.slope < REAL_ZERO, one, -one);  // the direction
  }
  for (;;) {
    for (int t = 0; t < n; t++) {
      Bracket* b = w->bracket + t;
      asks[t] =
          b->open & (b->middle.slope * b->x1.slope <= -w->line[t].enough) & (b->count < limit);
    }
    if (!trees_any(w, asks)) {
      break;
    }
    bracket_ask(w, asks, PLACE_NEWTON1);
    for (int t = 0; t < n; t++) {
      Bracket* b = w->bracket + t;
      b->x2 = point_select(asks[t], &b->x1, &b->x2);
      b->x1 = point_select(asks[t], &b->at, &b->x1);
      bracket_end(b, asks[t] & is_flat(&b->x1, w->line[t].enough), &b->x1);
    }
  }
  for (int t = 0; t < n; t++) {
    Bracket* b = w->bracket + t;
    bracket_end(b, b->open & (b->count >= limit), &b->x1);
  }
}

// The candidate of least cost among those that are flat enough ends the search.
// Also find_flat in constraint/solver/line_bracket.c.
static void bracket_flat(Bracket* b, Mask lanes, Real enough) {
  const BracketPoint* candidate[3] = {&b->y1, &b->y2, &b->middle};
  BracketPoint best = {.cost = lane_real_of((Num)INFINITY)};
  Mask found = mask_of(0);
  for (int i = 0; i < 3; i++) {
    Mask better =
        lanes & is_flat(candidate[i], enough) & (~found | (candidate[i]->cost < best.cost));
    best = point_select(better, candidate[i], &best);
    found |= better;
  }
  bracket_end(b, found, &best);
}

// Moves one end of a bracket to the candidate nearest to the root on its side. Returns where it
// has moved.
// Also tighten in constraint/solver/line_bracket.c.
static Mask bracket_tighten(BracketPoint* end, const BracketPoint candidate[3], Mask lanes) {
  Mask moved = mask_of(0);
  for (int i = 0; i < 3; i++) {
    Real slope = candidate[i].slope, at = end->slope;
    Mask left = (at < REAL_ZERO) & (slope < REAL_ZERO) & (slope > at);
    Mask right = (at > REAL_ZERO) & (slope > REAL_ZERO) & (slope < at);
    Mask nearer = lanes & (left | right);
    *end = point_select(nearer, candidate + i, end);
    moved |= nearer;
  }
  return moved;
}

INLINE Mask point_is_better(const BracketPoint* a, const BracketPoint* b) {
  return (a->cost < b->cost) | ((a->cost == b->cost) & (real_abs(a->slope) < real_abs(b->slope)));
}

// One turn between x1 and x2, of the lanes `go`.
static void bracket_halve(Work* w, const Mask* go) {
  Mask moved[2][MOST_TREES];
  int n = w->ntree;
  bracket_ask(w, go, PLACE_MIDDLE);
  for (int t = 0; t < n; t++) {
    Bracket* b = w->bracket + t;
    b->middle = point_select(go[t], &b->at, &b->middle);
    bracket_flat(b, go[t], w->line[t].enough);
    Mask on = go[t] & b->open;
    const BracketPoint candidate[3] = {b->y1, b->y2, b->middle};
    moved[0][t] = bracket_tighten(&b->x1, candidate, on);
    moved[1][t] = bracket_tighten(&b->x2, candidate, on);
    bracket_end(b, on & ~moved[0][t] & ~moved[1][t], &b->middle);
  }
  if (trees_any(w, moved[0])) {
    bracket_ask(w, moved[0], PLACE_NEWTON1);
    for (int t = 0; t < n; t++) {
      w->bracket[t].y1 = point_select(moved[0][t], &w->bracket[t].at, &w->bracket[t].y1);
    }
  }
  if (trees_any(w, moved[1])) {
    bracket_ask(w, moved[1], PLACE_NEWTON2);
    for (int t = 0; t < n; t++) {
      w->bracket[t].y2 = point_select(moved[1][t], &w->bracket[t].at, &w->bracket[t].y2);
    }
  }
}

// The search between x1 and x2, whose slopes have opposite signs.
static void bracket_search(Work* w, Real limit) {
  Mask go[MOST_TREES];
  int n = w->ntree;
  for (int t = 0; t < n; t++) {
    go[t] = w->bracket[t].open;
  }
  if (!trees_any(w, go)) {
    return;
  }
  bracket_ask(w, go, PLACE_NEWTON1);
  for (int t = 0; t < n; t++) {
    w->bracket[t].y1 = w->bracket[t].at;
    w->bracket[t].y2 = w->bracket[t].x1;
  }
  for (;;) {
    for (int t = 0; t < n; t++) {
      go[t] = w->bracket[t].open & (w->bracket[t].count < limit);
    }
    if (!trees_any(w, go)) {
      break;
    }
    bracket_halve(w, go);
  }
  for (int t = 0; t < n; t++) {
    Bracket* b = w->bracket + t;
    BracketPoint end = point_select(point_is_better(&b->x2, &b->x1), &b->x2, &b->x1);
    bracket_end(b, b->open & point_is_better(&end, &b->x0), &end);
  }
}

// The steps of all islands along w->search, of which the lines are prepared. Steps of 0 make no
// progress.
// Also line_bracket in constraint/solver/line_bracket.c.
static void bracket_steps(Work* w) {
  Real limit = lane_real_of((Num)w->m->opt.ls_iterations);
  for (int t = 0; t < w->ntree; t++) {
    Bracket* b = w->bracket + t;
    b->open = w->line[t].open & ~(w->line[t].length < lane_real_of((Num)mjMINVAL));
    b->result = b->count = REAL_ZERO;
  }
  bracket_begin(w, limit);
  bracket_search(w, limit);
  for (int t = 0; t < w->ntree; t++) {
    w->step[t] = w->bracket[t].result;
  }
  islands_spread(w, w->step);
}
