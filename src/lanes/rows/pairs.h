// pairs.h: contacts of geoms that both may move, or that lanes have no formula for: who is near is
// asked in all lanes at once. Spheres and capsules meet in all lanes. For others the scalar
// collider finds the contacts of those few that are near, world by world, and they are scattered
// into the slots of their pair.
//                                                             theory/time/lanes.md, Gather, scatter

#pragma once

#include "collision/collide.h"
#include "collision/convex/support_cache.h"
#include "lanes/rows/near.h"
#include "lanes/rows/touches.h"
#include "lanes/shapes/apart.h"
#include "lanes/shapes/gaps.h"
#include "lanes/shapes/plane_shapes.h"
#include "lanes/shapes/round.h"
#include "model/data/arena.h"

// Places geoms; those that never move once for the worlds of a block.
static void place_geoms(Work* w) {
  const mjModel* m = w->m;
  Real turn = REAL_ZERO;
  int turned = -1;
  for (int g = 0; g < m->ngeom; g++) {
    if (w->is_placed && !w->s->moves[g]) {
      continue;
    }
    w->has_axes[g] = 0;
    const Real3 was = w->centre[g];
    const GeomConstants* c = w->constants.geom + g;
    int body = m->geom_bodyid[g];
    w->centre[g] = r33_muladd(w->xmat + body, r3_of(c->centre), w->xpos[body]);
    w->arm[g] = r33_mul(w->xmat + body, r3_of(c->arm));
    turn = body == turned ? turn : path_turn(w, body);
    turned = body;
    path_add(w, g, was, turn);
  }
  w->is_placed = 1;
  paths_next(w);
}

static void lane3(mjtNum out[3], const Real3* v, int lane) {
  v3_set(out, (mjtNum)v->x[lane], (mjtNum)v->y[lane], (mjtNum)v->z[lane]);
}

// Writes the pose of a geom in one lane to where colliders look for it, unless it is there.
static void give_pose(Work* w, int geom, int lane) {
  if (w->given[geom] == lane) {
    return;
  }
  const Real33* axes = geom_axes(w, geom);
  w->given[geom] = lane;
  mjtNum* mat = w->d->geom_xmat + 9 * geom;
  lane3(mat, &axes->x, lane);
  lane3(mat + 3, &axes->y, lane);
  lane3(mat + 6, &axes->z, lane);
  lane3(w->d->geom_xpos + 3 * geom, w->centre + geom, lane);
}

INLINE void put_real3(Real3* to, int lane, const mjtNum v[3]) {
  to->x[lane] = (Num)v[0];
  to->y[lane] = (Num)v[1];
  to->z[lane] = (Num)v[2];
}

// Forgets the warnings of colliders. Returns whether there were any.
static int take_warnings(mjData* d) {
  int number = 0;
  for (int i = 0; i < mjNWARNING; i++) {
    number |= d->warning[i].number;
  }
  for (size_t i = 0; i < sizeof(d->cnd_warning) / sizeof(d->cnd_warning[0]); i++) {
    number |= d->cnd_warning[i].number;
  }
  if (number) {
    memset(d->warning, 0, sizeof(d->warning));
    memset(d->cnd_warning, 0, sizeof(d->cnd_warning));
  }
  return number != 0;
}

// The contacts of a pair in one lane, where lanes before have used so many slots. Too many for its
// slots, or a warning, leave the world to the scalar engine. Returns how many are used now.
static int find_in_lane(Work* w, const LanePair* pair, int lane, int used) {
  mjContact* found = w->found;
  Real margin = real_constant(w->constants.margin[pair - w->s->pair]);
  give_pose(w, pair->geom1, lane);
  give_pose(w, pair->geom2, lane);
  forget_apart(w, pair);
  TouchTurn turn = touch_begin(w, pair, lane);
  int n = collide_two(w->m, w->d, found, pair->geom1, pair->geom2, (mjtNum)margin[lane]);
  touch_end(w, &turn);
  w->count.asked++;
  w->count.touched += n > 0;
  if (pair->kind == PAIR_BOUNDED) {
    take_apart(w, pair, lane, n > 0);
  }
  if (n > pair->ncontact || take_warnings(w->d)) {
    w->failed |= 1u << lane;
    n = int_min(n, pair->ncontact);
  }
  for (int i = 0; i < n; i++) {
    ContactSlot* slot = w->contact + pair->contact + i;
    if (i >= used) {
      clear_slot(w, pair, pair->contact + i);
    }
    put_real3(&slot->n, lane, found[i].frame);
    put_real3(&slot->t, lane, found[i].frame + 3);
    put_real3(&slot->point, lane, found[i].pos);
    slot->dist[lane] = (Num)found[i].dist;
  }
  return int_max(n, used);
}

// Of the lanes in which two geoms are near those in which neither their boxes nor a direction that
// is quickly found shows that they are apart.
static Mask bounds_near(Work* w, const LanePair* pair, Mask near) {
  near &= ~gap_lasts(w, pair, near);
  if (!mask_any(near)) {
    return near;
  }
  Real need = bound_need(w, pair), gap = lane_boxes_gap(w, pair, need);
  Mask left = near & ~(gap > REAL_ZERO);
  if (mask_any(left)) {
    gap = real_max(gap, search_gap(w, pair, left, need));
  }
  gap_keep(w, pair, gap);
  return near & ~(gap > REAL_ZERO);
}

// Finds contacts of a pair in all lanes, if there is a way; used: how many of its slots have some.
// Returns lanes that are left to the collider.
static Mask find_in_lanes(int* used, Work* w, const LanePair* pair, Mask near) {
  switch (pair->kind) {
    case PAIR_ROUND:
      return round_contact(used, w, pair, near);
    case PAIR_PLANE:
      return plane_shape_contacts(used, w, pair, near);
    case PAIR_BOUNDED:  // the legacy search finds contacts of geoms that are apart
      return lane_is_on(w, mjDSBL_NATIVECCD) ? bounds_near(w, pair, near) : near;
    case PAIR_OTHER:
      break;
  }
  return near;
}

// Finishes the frames of contacts that colliders have found in some lanes: their normals may have
// another length, their tangents are hints or zero.
// Also contact_frame in collision/contact_param.c.
INLINE void found_frame(ContactSlot* slot, Mask lanes) {
  Real3 hint = slot->t, n = r3_normalize(slot->n);
  Mask given = lanes & ~(r3_dot(hint, hint) < lane_real_of((Num)0.25));
  Real3 t = tangent_along(r3_select(given, hint, tangent_default(n)), n);
  slot->n = r3_select(lanes, n, slot->n);
  slot->t = r3_select(lanes, t, slot->t);
  slot->b = r3_select(lanes, r3_cross(n, t), slot->b);
}

// Finds the contacts of all pairs: frames, points and distances. World by world, so that a pose is
// given once, and colliders find in their caches what is of this world.
static void pairs_find(Work* w) {
  if (!w->s->npair) {
    return;
  }
  place_geoms(w);
  near_list(w);
  const Mask alive = ~mask_of(w->failed);
  unsigned some = 0;
  int nnear = 0;
  for (int i = 0; i < w->nlisted; i++) {
    int k = w->listed[i];
    const LanePair* pair = w->s->pair + k;
    Mask near = alive & geoms_near(w, pair, real_constant(w->constants.margin[k]));
    w->count.near += __builtin_popcount(mask_bits(near));
    int used = 0;
    if (mask_any(near)) {
      near = find_in_lanes(&used, w, pair, near);
    }
    unsigned lanes = mask_bits(near);
    if (lanes || used) {
      w->near[nnear++] = (NearPair){.pair = k, .used = used, .lanes = lanes};
      some |= lanes;
    }
  }
  for (int g = 0; some && g < w->m->ngeom; g++) {
    w->given[g] = -1;
  }
  size_t top = arena_top(w->d);
  if (some && !w->s->hulls) {
    support_cache_open(w->m, w->d);
  } else if (some) {
    support_cache_lend(w->m, w->d, w->s->hulls);
  }
  for (; some; some &= some - 1) {
    int lane = __builtin_ctz(some);
    for (int n = 0; n < nnear; n++) {
      NearPair* near = w->near + n;
      if (near->lanes >> lane & 1) {
        near->used = find_in_lane(w, w->s->pair + near->pair, lane, near->used);
      }
    }
  }
  support_cache_close(w->d);
  arena_pop(w->d, top);
  for (int n = 0; n < nnear; n++) {
    const NearPair* near = w->near + n;
    for (int i = 0; i < near->used; i++) {
      int k = w->s->pair[near->pair].contact + i;
      if (near->lanes) {
        found_frame(w->contact + k, mask_of(near->lanes));
      }
      w->met[w->nmet++] = k;
    }
  }
}
