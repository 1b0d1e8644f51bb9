// touches.h: what colliders know of meshes that touched each other or boxes, for each world.
//
// Data have places for the surfaces in which the depths of pairs were found (model/data/apart.h).
// Here all worlds of a block share one mjData, and each would find what another has left. So a
// world keeps its own in a row of the batch, for the pairs that have touched last, and while a pair
// of its is asked the data's table leads there. Meshes, boxes and options are the same as long as
// the rows are kept, which makes proofs shorter (collision/convex/hold.h).
//                                                       theory/contact/convex.md, Hulls that touch

#pragma once

#include "lanes/work.h"

// The place of a pair while it is asked.
typedef struct TouchTurn {
  ApartTable* table;  // NULL: the data's own places serve
  ApartTable own;
  LaneTouches* row;
  LaneTouch* place;
  int pair;  // plus 1
} TouchTurn;

INLINE TouchTurn touch_begin(const Work* w, const LanePair* pair, int lane) {
  TouchTurn t = {.row = w->touches[lane], .pair = (int)(pair - w->s->pair) + 1};
  t.table = (ApartTable*)w->d->cnd_apart;
  const int* type = w->m->geom_type;
  if (!t.row || !t.table || !t.table->touch ||
      !pair_keeps_touch(type[pair->geom1], type[pair->geom2])) {
    t.table = NULL;
    return t;
  }
  int k = 0;
  while (k < w->s->ntouch && t.row->pair[k] != t.pair) {
    k = t.row->pair[k] ? k + 1 : w->s->ntouch;
  }
  t.place = k < w->s->ntouch ? t.row->touch + k : w->spare;
  if (t.place == w->spare) {
    t.place->touch.geom[0] = t.place->touch.nface = 0;
    t.place->hold.nnear = -1;
    t.place->hold.misses = t.place->hold.idle = 0;
  }
  t.place->touch.hold = &t.place->hold;
  t.own = *t.table;
  t.table->touch = &t.place->touch;
  t.table->touch_mask = 0;
  return t;
}

// Gives a pair that has begun to touch a place in the row.
INLINE void touch_end(const Work* w, const TouchTurn* t) {
  if (!t->table) {
    return;
  }
  *t->table = t->own;
  if (t->place == w->spare && t->place->touch.geom[0]) {
    int k = t->row->next;
    t->row->next = k + 1 < w->s->ntouch ? k + 1 : 0;
    t->row->pair[k] = t->pair;
    t->row->touch[k] = *t->place;
  }
}
