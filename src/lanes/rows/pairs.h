// pairs.h: contacts of geoms that both may move, or that lanes have no formula for: who is near is
// asked in all lanes at once. Spheres and capsules meet in all lanes. For others the scalar
// collider finds the contacts of those few that are near, world by world, and they are scattered
// into the slots of their pair.
//                                                             theory/time/lanes.md, Gather, scatter

#pragma once

#include "collision/collide.h"
#include "collision/convex/support_cache.h"
#include "lanes/rows/round.h"
#include "model/data/arena.h"

static void place_geoms(Work* w) {
  const mjModel* m = w->m;
  for (int g = 0; g < m->ngeom; g++) {
    const GeomConstants* c = w->constants.geom + g;
    int body = m->geom_bodyid[g];
    w->centre[g] = r33_muladd(w->xmat + body, r3_of(c->centre), w->xpos[body]);
    w->arm[g] = r33_mul(w->xmat + body, r3_of(c->arm));
  }
}

// Lanes in which two geoms are not apart along the line g of their centres:
//
//   g.g - |arm1 . g| - |arm2 . g| > (margin + radius1 + radius2) |g|
//
// nor is the second above the first, a plane with the normal n:
//
//   n.g - |arm2 . n| > margin + radius2
//
//                                                           theory/contact/collision.md, Mid phase
// Also near_geoms in collision/broad/few_geoms.c.
INLINE Mask geoms_near(const Work* w, const LanePair* pair, Real margin) {
  const Real slack = lane_real_of((Num)1e-6);
  int i = pair->geom1, j = pair->geom2;
  Real3 g = r3_sub(w->centre[j], w->centre[i]);
  Real square = r3_dot(g, g);
  Real reach = margin + w->constants.geom[j].radius;
  if (w->m->geom_type[i] == mjGEOM_PLANE) {
    Real height = r3_dot(w->arm[i], g) - real_abs(r3_dot(w->arm[i], w->arm[j]));
    return ~(height - reach > slack * (square + 2));
  }
  Real arms = real_abs(r3_dot(w->arm[i], g)) + real_abs(r3_dot(w->arm[j], g));
  Real gap = square - arms - slack * (square + 2);
  reach += w->constants.geom[i].radius;
  return ~((gap > REAL_ZERO) & (gap * gap > reach * reach * square));
}

static void lane3(mjtNum out[3], const Real3* v, int lane) {
  v3_set(out, (mjtNum)v->x[lane], (mjtNum)v->y[lane], (mjtNum)v->z[lane]);
}

// Writes the pose of a geom in one lane to where colliders look for it, unless it is there. Its
// axes are found in all lanes when the first one asks.
static void give_pose(Work* w, int geom, int lane) {
  if (w->given[geom] == lane) {
    return;
  }
  Real33* axes = w->axes + geom;
  if (w->given[geom] < 0) {
    const Real33 own = r33_of(w->constants.geom[geom].mat);
    const Real33* R = w->xmat + w->m->geom_bodyid[geom];
    *axes = (Real33){r33_tmul(&own, R->x), r33_tmul(&own, R->y), r33_tmul(&own, R->z)};
  }
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

// Makes a slot ready: no contact anywhere, and finite numbers.
static void clear_slot(Work* w, const LanePair* pair, int k) {
  const Real one = lane_real_of(1), zero = REAL_ZERO;
  ContactSlot* slot = w->contact + k;
  slot->n = (Real3){one, zero, zero};
  slot->t = (Real3){zero, one, zero};
  slot->b = (Real3){zero, zero, one};
  slot->point = w->xpos[w->m->geom_bodyid[pair->geom2]];
  slot->dist = real_constant(w->constants.contact[k].reach) + one;
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
  int n = collide_two(w->m, w->d, found, pair->geom1, pair->geom2, pair->explicit_pair,
                      (mjtNum)margin[lane]);
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
    put_real3(&slot->b, lane, found[i].frame + 6);
    put_real3(&slot->point, lane, found[i].pos);
    slot->dist[lane] = (Num)found[i].dist;
  }
  return int_max(n, used);
}

// Finds the contacts of all pairs: frames, points and distances. World by world, so that a pose is
// given once, and colliders find in their caches what is of this world.
static void pairs_find(Work* w) {
  if (!w->s->npair) {
    return;
  }
  place_geoms(w);
  unsigned some = 0;
  int nnear = 0;
  for (int k = 0; k < w->s->npair; k++) {
    const LanePair* pair = w->s->pair + k;
    Mask near = geoms_near(w, pair, real_constant(w->constants.margin[k]));
    int used = 0;
    if (pair->is_round && mask_any(near)) {
      near = round_contact(&used, w, pair, near);
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
  if (some) {
    support_cache_open(w->m, w->d);
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
    for (int i = 0; i < w->near[n].used; i++) {
      w->met[w->nmet++] = w->s->pair[w->near[n].pair].contact + i;
    }
  }
}
