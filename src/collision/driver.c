// mj_collision: from positions to the list of contacts.
//
//     broad phase (bodies) -> filters -> mid phase (geoms) -> narrow phase (contacts) -> parameters
//
// Contacts are written in place, at the low end of the arena, one pair of geoms after the other.
// Their order is part of the result: pairs of bodies ascend, the geoms of each ascend, and explicit
// pairs are merged in by the signature of their bodies, before the other geoms of these bodies.
//                                                               theory/contact/collision.md, Stages

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include <condyle/profile.h>
#include <limits.h>
#include <mujoco/api/base.h>
#include <mujoco/api/collision.h>
#include <mujoco/api/model.h>

#include "base/algebra/vec.h"
#include "base/memory/check.h"
#include "collision/broad/body_pairs.h"
#include "collision/broad/candidates.h"
#include "collision/broad/few_geoms.h"
#include "collision/broad/geom_pairs.h"
#include "collision/broad/near_geoms.h"
#include "collision/collide.h"
#include "collision/complete.h"
#include "collision/contact_param.h"
#include "collision/convex/support_cache.h"
#include "collision/flex/flex.h"
#include "collision/found.h"
#include "collision/pair_cache.h"
#include "collision/speculative/speculative.h"
#include "collision/wake.h"
#include "model/behaviour.h"
#include "model/checks/pair.h"
#include "model/data/arena.h"
#include "model/data/awake.h"
#include "model/data/share.h"
#include "model/meeting.h"
#include "model/timer.h"

// Globals by which a program changes which geoms collide and how, read once when the stage begins.
typedef struct Hooks {
  mjfCollision (*collider)[mjNGEOMTYPES];
  mjfConFilt filter;     // replaces the bits of geoms; NULL: none
  cndfPair observer;     // gets the time of each pair; NULL: none
  PairCache* cache;      // contacts of pairs that haven't moved; NULL: none
  const Travel* travel;  // what is fast; NULL: nothing
  int cleans_boxes;      // whether contacts of boxes need clean_boxes
  ContactMemo* memo;     // of the contacts that were written last
  FoundPage* page;  // where contacts go that one of several threads finds; NULL: to their place
  FoundList* found;
} Hooks;

// Cleans the contacts that the box-box collider found. If they miss the overlap and the model asks
// for complete boxes, the contacts of the general collider replace them.
static int clean_boxes(const mjModel* m, mjData* d, const Hooks* hooks, mjContact* con, int num,
                       int g1, int g2, mjtNum margin) {
  Solid box1 = solid_of(m, d, g1), box2 = solid_of(m, d, g2);
  num = num ? box_box_clean(con, num, &box1, &box2, margin) : 0;
  if (!boxes_are_complete(m)) {
    return num;
  }
  // a false depth must go: soft contacts would push it out slowly, rigid ones throw the boxes apart
  num = box_box_credible(con, num, &box1, &box2, margin);
  int is_own = hooks->collider[mjGEOM_BOX][mjGEOM_BOX] == (mjfCollision)collide_box_box;
  return is_own && box_box_misses(con, num, &box1, &box2)
             ? collide_convex(m, d, con, g1, g2, margin)
             : num;
}

// Distances, positions and normals of the contacts of two geoms in order of type.
static int find_points(const mjModel* m, mjData* d, const Hooks* hooks, mjContact* con, int g1,
                       int g2, mjtNum margin) {
  int type1 = m->geom_type[g1], type2 = m->geom_type[g2];
  int num = hooks->collider[type1][type2](m, d, con, g1, g2, margin);
  if (num > mjMAXCONPAIR) {
    mju_error("mj_collision: the collider of geoms %d and %d made %d contacts, more than %d", g1,
              g2, num, mjMAXCONPAIR);
  }
  if (hooks->cleans_boxes && type1 == mjGEOM_BOX && type2 == mjGEOM_BOX) {
    num = clean_boxes(m, d, hooks, con, num, g1, g2, margin);
  }
  return num;
}

// The complete contacts of two geoms in order of type.
static int find_contacts(const mjModel* m, mjData* d, const Hooks* hooks, mjContact* con, int g1,
                         int g2, int ipair, mjtNum margin) {
  int num = find_points(m, d, hooks, con, g1, g2, margin);
  if (num) {
    contact_fill_next(hooks->memo, m, con, num, g1, g2, ipair, margin);
  }
  return num;
}

int collide_two(const mjModel* m, mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  ColliderTable room;
  const Hooks hooks = {.collider = colliders_of(room, m),
                       .cleans_boxes = !behaves(m, cndBEHAVIOUR_boxclip)};
  size_t top = arena_top(d);
  int num = find_points(m, d, &hooks, con, g1, g2, margin);
  arena_pop(d, top);
  return num;
}

// The same as collide_ordered, by one of several threads.
static void find_ordered(const mjModel* m, mjData* d, const Hooks* hooks, int g1, int g2, int ipair,
                         mjtNum margin) {
  mjContact con[mjMAXCONPAIR];
  int num = find_points(m, d, hooks, con, g1, g2, margin);
  if (num && !found_add(hooks->page, hooks->found, con, num, g1, g2, ipair, margin)) {
    mj_warning(d, mjWARN_CONTACTFULL, 0);
  }
}

// Narrow phase of two geoms in order of type that have passed all filters. Room for the largest
// number of contacts is taken from the arena first; what is unused is given back.
static void collide_ordered(const mjModel* m, mjData* d, const Hooks* hooks, int g1, int g2,
                            int ipair, mjtNum margin) {
  if (hooks->page) {
    find_ordered(m, d, hooks, g1, g2, ipair, margin);
    return;
  }
  size_t start = d->parena;
  mjContact* con = arena_alloc(d, mjMAXCONPAIR * sizeof(mjContact), _Alignof(mjContact));
  if (!con) {
    mj_warning(d, mjWARN_CONTACTFULL, d->ncon);
    return;
  }

  mjtNum before = hooks->observer ? timer_start() : 0;
  int num = hooks->cache ? pair_cache_read(hooks->cache, con, g1, g2, ipair) : -1;
  if (num < 0) {
    num = find_contacts(m, d, hooks, con, g1, g2, ipair, margin);
    if (travel_geoms_fast(hooks->travel, g1, g2)) {
      const SpeculativePair pair = {g1, g2, ipair, margin, hooks->filter};
      num = speculative_contacts(con, num, hooks->travel, m, d, &pair);
    }
    if (hooks->cache) {
      pair_cache_write(hooks->cache, con, num, g1, g2, ipair);
    }
  }
  d->ncon += num;
  d->parena = start + (size_t)num * sizeof(mjContact);
  if (hooks->observer) {
    hooks->observer(m, d, g1, g2, num, timer_start() - before);
  }
}

// Whether the program's filter, or without one the bits, keep two geoms in order of type apart.
static int is_filtered(const mjModel* m, mjData* d, const Hooks* hooks, int g1, int g2) {
  if (hooks->filter) {
    return hooks->filter(m, d, g1, g2);
  }
  return !(m->geom_contype[g1] & m->geom_conaffinity[g2]) &&
         !(m->geom_contype[g2] & m->geom_conaffinity[g1]);
}

// Filters of a pair of geoms, then its narrow phase. ipair: its explicit pair, -1 if it has none.
static void collide_geoms(const mjModel* m, mjData* d, const Hooks* hooks, int g1, int g2,
                          int ipair) {
  // other pairs have been left out before
  if (ipair >= 0 && awake_some_sleep(m, d) &&
      !one_is_awake(d, m->geom_bodyid[g1], m->geom_bodyid[g2])) {
    return;
  }
  if (m->geom_type[g1] > m->geom_type[g2]) {
    int swap = g1;
    g1 = g2;
    g2 = swap;
  }
  if (!hooks->collider[m->geom_type[g1]][m->geom_type[g2]] ||
      (ipair < 0 && is_filtered(m, d, hooks, g1, g2))) {
    return;
  }
  mjtNum margin = contact_margin(m, g1, g2, ipair);
  int are_apart = travel_geoms_fast(hooks->travel, g1, g2)
                      ? travel_spheres_apart(hooks->travel, m, d, g1, g2, margin)
                      : bounding_spheres_apart(m, d, g1, g2, margin);
  if (!are_apart) {
    collide_ordered(m, d, hooks, g1, g2, ipair, margin);
  }
}

// The explicit pairs [begin, end) of a pair of bodies; their geoms have been collided already.
typedef struct Range {
  int begin, end;
} Range;

static int is_explicit(const mjModel* m, const Range* pairs, int g1, int g2) {
  for (int i = pairs->begin; i < pairs->end; i++) {
    if ((m->pair_geom1[i] == g1 && m->pair_geom2[i] == g2) ||
        (m->pair_geom1[i] == g2 && m->pair_geom2[i] == g1)) {
      return 1;
    }
  }
  return 0;
}

// Collides the geoms of two bodies. If both have a BVH and not just one geom each, the mid phase
// finds the pairs, in order of geom ids by type. Otherwise all geoms are paired, those of the first
// body in the outer loop; also if one is fast, because BVHs don't hold what it sweeps.
static void collide_bodies(const mjModel* m, mjData* d, const Hooks* hooks, const GeomBox* box,
                           int b1, int b2, const Range* done) {
  int adr1 = m->body_geomadr[b1], num1 = m->body_geomnum[b1];
  int adr2 = m->body_geomadr[b2], num2 = m->body_geomnum[b2];
  int single = num1 == 1 && num2 == 1;  // neither has a tree of its own
  int tree = !single && m->body_bvhadr[b1] >= 0 && m->body_bvhadr[b2] >= 0 &&
             !(m->opt.disableflags & mjDSBL_MIDPHASE) && !travel_bodies_fast(hooks->travel, b1, b2);
  if (!tree) {
    box = !single && (body_has_tree(m, b1) || body_has_tree(m, b2)) ? NULL : box;
    for (int g1 = adr1; g1 < adr1 + num1; g1++) {
      for (int g2 = adr2; g2 < adr2 + num2; g2++) {
        if (!is_explicit(m, done, g1, g2) && !(box && box_apart(box + g1, box + g2))) {
          collide_geoms(m, d, hooks, g1, g2, -1);
        }
      }
    }
    return;
  }

  uint64_t few[2 * MID_FEW];
  size_t top = arena_top(d);
  PairList near = {.d = d, .key = few, .spare = few + MID_FEW, .capacity = MID_FEW};
  mid_phase(&near, m, d, box, b1, b2, hooks->filter);
  for (int64_t i = 0; i < near.num; i++) {
    int g1 = pair_first(near.key[i]), g2 = pair_second(near.key[i]);
    // bits and bounds are tested already
    if (hooks->collider[m->geom_type[g1]][m->geom_type[g2]] && !is_explicit(m, done, g1, g2) &&
        !(hooks->filter && hooks->filter(m, d, g1, g2))) {
      collide_ordered(m, d, hooks, g1, g2, -1, contact_margin(m, g1, g2, -1));
    }
  }
  arena_pop(d, top);
}

// A merge of three lists sorted by signature: pairs of bodies, and the explicit pairs and excludes
// that the model's compiler has sorted. The struct holds the positions in the latter two.
typedef struct Merge {
  int ipair, iexclude;
  unsigned signature;  // of the present pair of bodies
  Range done;          // its explicit pairs
  int excluded;
} Merge;

static unsigned signature_of(int b1, int b2) {
  return ((unsigned)b1 << 16) + (unsigned)b2;
}

// Advances to a pair of bodies, after colliding the explicit pairs with smaller or equal
// signatures.
static void merge_to(Merge* merge, const mjModel* m, mjData* d, const Hooks* hooks, int b1,
                     int b2) {
  unsigned signature = signature_of(b1, b2);
  int begin = merge->ipair;
  while (merge->ipair < m->npair && (unsigned)m->pair_signature[merge->ipair] <= signature) {
    int i = merge->ipair++;
    collide_geoms(m, d, hooks, m->pair_geom1[i], m->pair_geom2[i], i);
  }
  int last = merge->ipair - 1;
  int some = last >= begin && (unsigned)m->pair_signature[last] == signature;
  merge->done = (Range){begin, some ? merge->ipair : begin};

  while (merge->iexclude < m->nexclude &&
         (unsigned)m->exclude_signature[merge->iexclude] < signature) {
    merge->iexclude++;
  }
  merge->excluded =
      merge->iexclude < m->nexclude && (unsigned)m->exclude_signature[merge->iexclude] == signature;
  merge->signature = signature;
}

// Collides the explicit pairs that come after the last pair of bodies.
static void merge_rest(Merge* merge, const mjModel* m, mjData* d, const Hooks* hooks) {
  for (int i = merge->ipair; i < m->npair; i++) {
    collide_geoms(m, d, hooks, m->pair_geom1[i], m->pair_geom2[i], i);
  }
}

// Pairs of bodies in ascending signature.
static void narrow_phase(const mjModel* m, mjData* d, const Hooks* hooks, const PairList* bodies,
                         const GeomBox* box) {
  Merge merge = {0};
  for (int64_t i = 0; i < bodies->num; i++) {
    int b1 = pair_first(bodies->key[i]), b2 = pair_second(bodies->key[i]);
    merge_to(&merge, m, d, hooks, b1, b2);
    if (merge.excluded) {
      continue;
    }
    if (b2 >= m->nbody) {
      flex_collide(m, d, b1, b2);
    } else {
      collide_bodies(m, d, hooks, box, b1, b2, &merge.done);
    }
  }
  merge_rest(&merge, m, d, hooks);
  for (int f = 0; f < m->nflex; f++) {
    if (!flex_sleeps(m, d, f)) {
      flex_collide_self(m, d, f);
    }
  }
}

// The narrow phase on several threads. They find the contacts of pairs of bodies in any order, and
// write them where they come in the order of pairs.

// A pair of bodies, or an explicit pair of geoms.
typedef struct SharedPair {
  int body[2];  // the first is -1 for an explicit pair, the second then its number
  Range done;   // of explicit pairs of these bodies
  FoundList found;
} SharedPair;

typedef struct SharedPairs {
  const mjModel* m;
  mjData* d;
  const Hooks* hooks;
  const GeomBox* box;
  FoundRoom room;
  SharedPair* pair;
  int n;
} SharedPairs;

enum {
  LEAST_SHARED = 128,  // pairs of bodies that are worth waking other threads
  PAIRS_AT_ONCE = 32,
};

// The pairs in their order, as narrow_phase meets them.
static void list_pairs(SharedPairs* s, const PairList* bodies) {
  const mjModel* m = s->m;
  int ipair = 0, iexclude = 0, n = 0;
  for (int64_t i = 0; i < bodies->num; i++) {
    int b1 = pair_first(bodies->key[i]), b2 = pair_second(bodies->key[i]), begin = ipair;
    unsigned signature = signature_of(b1, b2);
    while (ipair < m->npair && (unsigned)m->pair_signature[ipair] <= signature) {
      begin = (unsigned)m->pair_signature[ipair] < signature ? ipair + 1 : begin;
      s->pair[n++] = (SharedPair){.body = {-1, ipair++}};
    }
    while (iexclude < m->nexclude && (unsigned)m->exclude_signature[iexclude] < signature) {
      iexclude++;
    }
    if (iexclude == m->nexclude || (unsigned)m->exclude_signature[iexclude] != signature) {
      s->pair[n++] = (SharedPair){.body = {b1, b2}, .done = {begin, ipair}};
    }
  }
  while (ipair < m->npair) {
    s->pair[n++] = (SharedPair){.body = {-1, ipair++}};
  }
  s->n = n;
}

static void find_shared(void* argument, int begin, int end) {
  SharedPairs* s = argument;
  FoundPage page = {.room = &s->room};
  Hooks hooks = *s->hooks;
  hooks.page = &page;
  for (int i = begin; i < end; i++) {
    SharedPair* pair = s->pair + i;
    int b1 = pair->body[0], b2 = pair->body[1];
    hooks.found = &pair->found;
    if (b1 < 0) {
      collide_geoms(s->m, s->d, &hooks, s->m->pair_geom1[b2], s->m->pair_geom2[b2], b2);
    } else {
      collide_bodies(s->m, s->d, &hooks, s->box, b1, b2, &pair->done);
    }
  }
}

static void write_shared(void* argument, int begin, int end) {
  const SharedPairs* s = argument;
  ContactMemo memo = {0};
  for (int i = begin; i < end; i++) {
    found_write(&s->pair[i].found, &memo, s->m, s->d->contact);
  }
}

// Whether threads may collide pairs: what a program has set is called on its own thread only.
static int may_share(const mjModel* m, const mjData* d, const Hooks* hooks, int64_t pairs) {
  if (pairs < LEAST_SHARED || pairs > INT_MAX / 2 || share_threads(d) == 1 || m->nflex ||
      m->nplugin || hooks->filter || hooks->observer || hooks->cache || hooks->travel ||
      !collide_is_standard()) {
    return 0;
  }
  for (int i = 0; i < m->ngeom; i++) {
    if (m->geom_type[i] == mjGEOM_SDF) {
      return 0;
    }
  }
  return 1;
}

// Takes the room for pairs and what they find: at most a quarter of what is left.
static int take_shared(SharedPairs* s, int64_t pairs) {
  size_t bytes = ((size_t)pairs + (size_t)s->m->npair) * sizeof(SharedPair);
  size_t left = arena_room(s->d) / 4;
  s->pair = bytes < left ? arena_push(s->d, bytes, _Alignof(SharedPair)) : NULL;
  s->room.bytes = bytes < left ? left - bytes : 0;
  s->room.block = s->pair ? arena_push(s->d, s->room.bytes, _Alignof(FoundPair)) : NULL;
  return s->room.block != NULL;
}

// Returns 0, without contacts, if one thread has to do it: for the same contacts where the arena is
// nearly full, and for warnings.
static int narrow_shared(const mjModel* m, mjData* d, const Hooks* hooks, const PairList* bodies,
                         const GeomBox* box) {
  if (!d->threadpool || !may_share(m, d, hooks, bodies->num)) {
    return 0;
  }
  const size_t slack = 4096;  // alignment
  size_t top = arena_top(d), place = 0, left = arena_room(d) - (size_t)(d->cnd_arena - d->narena);
  SharedPairs s = {.m = m, .d = d, .hooks = hooks, .box = box};
  int done = 0;
  if (arena_room(d) > (size_t)(d->cnd_arena - d->narena) && take_shared(&s, bodies->num)) {
    list_pairs(&s, bodies);
    size_t peak = share_attempt(d, s.n, PAIRS_AT_ONCE, find_shared, &s);
    for (int i = 0; peak < left && i < s.n; i++) {
      place = (size_t)found_place(&s.pair[i].found, (int)place);
    }
    // what one thread would need: each pair takes room for the most contacts
    size_t need = peak < left ? peak + slack + (place + mjMAXCONPAIR) * sizeof(mjContact) : left;
    if (need < left && arena_alloc(d, place * sizeof(mjContact), _Alignof(mjContact))) {
      share_for(d, s.n, 4 * PAIRS_AT_ONCE, write_shared, &s);
      d->ncon = (int)place;
      done = 1;
    }
  }
  arena_pop(d, top);
  return done;
}

// Pairs of geoms in the order of few_geoms_near.
static void narrow_few(const mjModel* m, mjData* d, const Hooks* hooks, const PairList* near) {
  Merge merge = {0};
  for (int64_t i = 0; i < near->num; i++) {
    uint64_t key = near->key[i];
    int b1 = few_body(key, 0), b2 = few_body(key, 1), g1 = few_geom(key, 0), g2 = few_geom(key, 1);
    if (!i || merge.signature != signature_of(b1, b2)) {
      merge_to(&merge, m, d, hooks, b1, b2);
    }
    if (!merge.excluded && !is_explicit(m, &merge.done, g1, g2)) {
      collide_geoms(m, d, hooks, g1, g2, -1);
    }
  }
  merge_rest(&merge, m, d, hooks);
}

// Both phases.
static void collide_all(const mjModel* m, mjData* d, const Hooks* hooks, mjtNum start) {
  size_t top = d->pstack;
  PairList pairs = {.d = d};
  const GeomBox* box = NULL;
  int few = !hooks->filter && !m->nflex && !hooks->travel && meeting_holds(m);
  if (few) {
    few_geoms_near(&pairs, m, d);
  } else {
    box = broad_phase(&pairs, m, d, hooks->filter, hooks->travel);
    if (m->nflex) {
      flex_broad(&pairs, m, d);
    }
    pair_sort(pairs.key, pairs.spare, pairs.num);
  }
  timer_stop(d, mjTIMER_COL_BROAD, start);

  mjtNum middle = timer_start();
  support_cache_open(m, d);
  if (few) {
    narrow_few(m, d, hooks, &pairs);
  } else if (!narrow_shared(m, d, hooks, &pairs, box)) {
    narrow_phase(m, d, hooks, &pairs, box);
  }
  support_cache_close(d);
  arena_pop(d, top);
  timer_stop(d, mjTIMER_COL_NARROW, middle);
}

// Contacts with what sleeps wake it; then its other contacts have to be found, too.
void mj_collision(const mjModel* m, mjData* d) {
  check_pair(m, d);
  mjtNum start = timer_start();
  arena_clear(d);
  if ((m->opt.disableflags & (mjDSBL_CONSTRAINT | mjDSBL_CONTACT)) || m->nbody + m->nflex < 2) {
    return;
  }
  if (m->nbody + m->nflex > 65535) {
    mju_error("mj_collision: %d bodies and flexes, more than 65535", (int)(m->nbody + m->nflex));
  }
  collide_take_changes();
  ColliderTable room;
  ContactMemo memo = {0};
  Hooks hooks = {.collider = colliders_of(room, m),
                 .memo = &memo,
                 .filter = mjcb_contactfilter,
                 .observer = cnd_observePair,
                 .cleans_boxes = !behaves(m, cndBEHAVIOUR_boxclip)};
  Travel travel;
  size_t top = arena_top(d);
  if (travel_open(&travel, m, d)) {
    hooks.travel = &travel;
  } else {
    hooks.cache = pair_cache_start(m, d);
  }
  collide_all(m, d, &hooks, start);
  while (awake_some_sleep(m, d) && collision_wake(m, d)) {
    arena_clear(d);
    collide_all(m, d, &hooks, timer_start());
  }
  arena_pop(d, top);
  mjtNum middle = timer_start();
  if (m->flg_surfacevel) {
    contact_surfaces(m, d);
  }
  timer_add(d, mjTIMER_COL_NARROW, middle);
  timer_stop(d, mjTIMER_POS_COLLISION, start);
}

// A side is a geom, or an element or a vertex of a flex.
static void check_side(const mjModel* m, const mjContact* con, int side) {
  int flex = con->flex[side];
  if (con->geom[side] >= 0 || flex < 0 || flex >= m->nflex) {
    check_index("mj_addContact", "geom", con->geom[side], m->ngeom);
  } else if (con->vert[side] >= 0) {
    check_index("mj_addContact", "vertex", con->vert[side], m->flex_vertnum[flex]);
  } else {
    check_index("mj_addContact", "element", con->elem[side], m->flex_elemnum[flex]);
  }
}

int mj_addContact(const mjModel* m, mjData* d, const mjContact* con) {
  check_pair(m, d);
  check_given(con);
  check_side(m, con, 0);
  check_side(m, con, 1);
  if (con->dim != 1 && con->dim != 3 && con->dim != 4 && con->dim != 6) {
    mju_error("mj_addContact: dim is %d, must be 1, 3, 4 or 6", con->dim);
  }
  // constraint rows stand behind the contacts in the arena: a new contact overwrites them
  int ncon = d->ncon;
  mjContact copy = *con;
  arena_clear(d);
  d->ncon = ncon;
  d->parena = (size_t)ncon * sizeof(mjContact);
  for (int i = 0; i < ncon; i++) {
    d->contact[i].efc_address = -1;
  }
  mjContact* place = arena_alloc(d, sizeof(mjContact), _Alignof(mjContact));
  if (!place) {
    mj_warning(d, mjWARN_CONTACTFULL, ncon);
    return 1;
  }
  *place = copy;
  d->ncon = ncon + 1;
  return 0;
}
