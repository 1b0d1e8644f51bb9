// Broad phase: filters by bit masks and welds, then sweep and prune over boxes, whole trees first.
// The world and bodies with fixed planes have no boxes; they are paired with every moving body.
// Other fixed bodies are swept against moving ones, never against each other.

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it rounds boxes that just touch differently

#include "collision/broad/body_pairs.h"

#include <math.h>
#include <mujoco/api/model.h>

#include "base/algebra/vec.h"
#include "base/joint.h"
#include "collision/broad/candidates.h"
#include "collision/broad/overlaps.h"
#include "model/data/arena.h"
#include "model/data/awake.h"
#include "model/data/share.h"
#include "model/reach.h"

// Bodies of one tree: entries [begin, end) of the body list.
typedef struct Group {
  int begin, end;
} Group;

typedef struct Bodies {
  int num;
  int* id;
  GeomBox* box;
} Bodies;

static int body_collides(const mjModel* m, int body) {
  return m->body_geomnum[body] && (m->body_contype[body] || m->body_conaffinity[body]);
}

// Whether a body is paired with everything: it moves, or, while some sleep, is awake.
static int is_active(const mjModel* m, const mjData* d, int body) {
  return awake_some_sleep(m, d) ? d->body_awake[body] == mjS_AWAKE : body_moves(m, body);
}

// Whether the contype and conaffinity of two bodies match. A program's filter replaces the bit test
// of single geoms, so if there is one, the bits of all present geoms count here too.
static int bits_match(const mjModel* m, int b1, int b2, mjfConFilt filter) {
  if (!(m->body_contype[b1] & m->body_conaffinity[b2]) &&
      !(m->body_contype[b2] & m->body_conaffinity[b1])) {
    return 0;
  }
  if (!filter) {
    return 1;
  }
  int type[2] = {0, 0}, affinity[2] = {0, 0}, body[2] = {b1, b2};
  for (int i = 0; i < 2; i++) {
    int begin = m->body_geomadr[body[i]], end = begin + m->body_geomnum[body[i]];
    for (int g = begin; g < end; g++) {
      type[i] |= m->geom_contype[g];
      affinity[i] |= m->geom_conaffinity[g];
    }
  }
  return (type[0] & affinity[1]) || (type[1] & affinity[0]);
}

// Whether two bodies are welded together, can both not move, or are parent and child. The last rule
// excludes the world and can be switched off.
static int welded_or_parent(const mjModel* m, int b1, int b2) {
  int w1 = m->body_weldid[b1], w2 = m->body_weldid[b2];
  if (w1 == w2 || !(m->body_dofnum[w1] || m->body_dofnum[w2])) {
    return 1;
  }
  if ((m->opt.disableflags & mjDSBL_FILTERPARENT) || w1 == 0 || w2 == 0) {
    return 0;
  }
  return w1 == m->body_weldid[m->body_parentid[w2]] || w2 == m->body_weldid[m->body_parentid[w1]];
}

static void add_unbounded(PairList* out, const mjModel* m, const int* body, int num, int fixed,
                          mjfConFilt filter) {
  int asleep = awake_some_sleep(m, out->d);
  for (int i = 0; i < num; i++) {
    int b = body[i];
    if (body_moves(m, b) && body_collides(m, b) && bits_match(m, fixed, b, filter) &&
        !(asleep && !one_is_awake(out->d, fixed, b))) {
      pair_list_add(out, fixed < b ? fixed : b, fixed < b ? b : fixed);
    }
  }
}

// Whether a box, with its margins, is above a plane.
static int is_above(const mjModel* m, const mjData* d, int plane, const GeomBox* box) {
  const mjtNum *origin = d->geom_xpos + 3 * plane, *mat = d->geom_xmat + 9 * plane;
  mjtNum margin = geom_reach(m, plane);
  mjtNum lowest = 0;
  for (int k = 0; k < 3; k++) {
    mjtNum n = mat[3 * k + 2];
    lowest += n * ((mjtNum)(n > 0 ? box->lo[k] : box->hi[k]) - origin[k]);
  }
  return lowest > margin;
}

// Whether a geom of an unbounded body may touch a body in a box. A large body's tree of boxes is
// not searched here: the mid phase descends it together with the tree of the other body.
static int is_reached(const mjModel* m, const mjData* d, int body, const GeomBox* geom,
                      const GeomBox* box, mjfConFilt filter) {
  if (body_has_tree(m, body)) {
    return 1;
  }
  int begin = m->body_geomadr[body], end = begin + m->body_geomnum[body];
  for (int g = begin; g < end; g++) {
    if (!filter && !m->geom_contype[g] && !m->geom_conaffinity[g]) {
      continue;
    }
    if (m->geom_type[g] == mjGEOM_PLANE ? !is_above(m, d, g, box) : !box_apart(geom + g, box)) {
      return 1;
    }
  }
  return 0;
}

// Drops the pairs of unbounded bodies, which come first, with bodies that are out of their reach.
static void drop_unreached(PairList* out, const mjModel* m, mjData* d, const Bodies* bodies,
                           const GeomBox* geom, mjfConFilt filter) {
  int* place = mj_stackAllocInt(d, m->nbody);
  memset(place, -1, (size_t)m->nbody * sizeof(int));
  for (int i = 0; i < bodies->num; i++) {
    place[bodies->id[i]] = i;
  }
  int64_t kept = 0;
  for (int64_t k = 0; k < out->num; k++) {
    int b1 = pair_first(out->key[k]), b2 = pair_second(out->key[k]);
    int bounded = place[b1] >= 0 ? b1 : b2, other = b1 + b2 - bounded;
    if (is_reached(m, d, other, geom, bodies->box + place[bounded], filter)) {
      out->key[kept++] = out->key[k];
    }
  }
  out->num = kept;
}

int bodies_may_meet(const mjModel* m, int b1, int b2, mjfConFilt filter) {
  return bits_match(m, b1, b2, filter) && !welded_or_parent(m, b1, b2);
}

static void add_pair(PairList* out, const mjModel* m, int b1, int b2, mjfConFilt filter) {
  if (bodies_may_meet(m, b1, b2, filter) &&
      !(awake_some_sleep(m, out->d) && !one_is_awake(out->d, b1, b2))) {
    pair_list_add(out, b1 < b2 ? b1 : b2, b1 < b2 ? b2 : b1);
  }
}

static void add_within(PairList* out, const mjModel* m, mjData* d, const Bodies* bodies, Group g,
                       mjfConFilt filter) {
  const GeomBox* box = bodies->box + g.begin;
  const int* id = bodies->id + g.begin;
  PairList near = {.d = d};
  box_overlaps(&near, d, box, g.end - g.begin);
  for (int64_t k = 0; k < near.num; k++) {
    add_pair(out, m, id[pair_first(near.key[k])], id[pair_second(near.key[k])], filter);
  }
}

static void add_between(PairList* out, const mjModel* m, const Bodies* bodies, const GeomBox* box2,
                        Group g1, Group g2, mjfConFilt filter) {
  for (int i = g1.begin; i < g1.end; i++) {
    if (box_apart(bodies->box + i, box2)) {
      continue;
    }
    for (int j = g2.begin; j < g2.end; j++) {
      if (!box_apart(bodies->box + i, bodies->box + j)) {
        add_pair(out, m, bodies->id[i], bodies->id[j], filter);
      }
    }
  }
}

// Whether any two of the bodies pass the filters. For many bodies this is assumed, not tested.
static int some_meet(const mjModel* m, const Bodies* bodies, mjfConFilt filter) {
  for (int i = 0; i < bodies->num && bodies->num <= BOXES_FEW; i++) {
    for (int j = i + 1; j < bodies->num; j++) {
      if (bodies_may_meet(m, bodies->id[i], bodies->id[j], filter)) {
        return 1;
      }
    }
  }
  return bodies->num > BOXES_FEW;
}

// Groups of bodies, and the boxes around them.
typedef struct Groups {
  Group* group;
  GeomBox* bound;
  int num;
} Groups;

static Groups make_groups(mjData* d, int most) {
  return (Groups){arena_take(d, (size_t)most * sizeof(Group), _Alignof(Group)),
                  arena_take(d, (size_t)most * sizeof(GeomBox), _Alignof(GeomBox)), 0};
}

// The entries from begin on that belong to one tree; fixed: whether none of them moves.
static Group tree_group(GeomBox* bound, int* fixed, const mjModel* m, const mjData* d,
                        const Bodies* bodies, int begin) {
  Group g = {begin, begin};
  int root = m->body_rootid[bodies->id[begin]];
  *bound = bodies->box[begin];
  *fixed = 1;
  while (g.end < bodies->num && m->body_rootid[bodies->id[g.end]] == root) {
    *fixed &= !is_active(m, d, bodies->id[g.end]);
    box_include(bound, bodies->box + g.end);
    g.end++;
  }
  return g;
}

// Splits the trees into moving ones and fixed ones; fixed trees outside of the box around all
// moving ones are dropped.
static void split_trees(Groups* moving, Groups* fixed, const mjModel* m, const mjData* d,
                        const Bodies* bodies) {
  for (int i = 0; i < bodies->num;) {
    GeomBox bound;
    int rests;
    Group g = tree_group(&bound, &rests, m, d, bodies, i);
    Groups* list = rests ? fixed : moving;
    list->group[list->num] = g;
    list->bound[list->num++] = bound;
    i = g.end;
  }
  GeomBox around = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (int g = 0; g < moving->num; g++) {
    box_include(&around, moving->bound + g);
  }
  int kept = 0;
  for (int g = 0; g < fixed->num; g++) {
    if (!box_apart(fixed->bound + g, &around)) {
      fixed->group[kept] = fixed->group[g];
      fixed->bound[kept++] = fixed->bound[g];
    }
  }
  fixed->num = kept;
}

// Pairs of bounded bodies: those within each tree, those of two trees that move and those of one
// that moves and a fixed one, if their boxes overlap.
static void sweep(PairList* out, const mjModel* m, mjData* d, const Bodies* bodies,
                  mjfConFilt filter) {
  Groups moving = make_groups(d, bodies->num), fixed = make_groups(d, bodies->num);
  split_trees(&moving, &fixed, m, d, bodies);
  for (int g = 0; g < moving.num; g++) {
    if (moving.group[g].end - moving.group[g].begin > 1) {
      add_within(out, m, d, bodies, moving.group[g], filter);
    }
  }
  PairList near = {.d = d};
  box_overlaps(&near, d, moving.bound, moving.num);
  for (int64_t k = 0; k < near.num; k++) {
    int g1 = pair_first(near.key[k]), g2 = pair_second(near.key[k]);
    add_between(out, m, bodies, moving.bound + g2, moving.group[g1], moving.group[g2], filter);
  }
  if (!moving.num || !fixed.num) {
    return;
  }
  near.num = 0;
  boxes_between(&near, d, moving.bound, moving.num, fixed.bound, fixed.num);
  for (int64_t k = 0; k < near.num; k++) {
    int g1 = pair_first(near.key[k]), g2 = pair_second(near.key[k]);
    add_between(out, m, bodies, fixed.bound + g2, moving.group[g1], fixed.group[g2], filter);
  }
}

// The boxes of a body's geoms, and the box around them. A fixed body with a tree of boxes is
// bounded by the root of that tree, and its geoms get no boxes.
static void bound_body(GeomBox* around, GeomBox* geom, const mjModel* m, const mjData* d, int body,
                       int all) {
  if (body_has_tree(m, body)) {
    tree_box(around, m, d, body);
    return;
  }
  int first = m->body_geomadr[body];
  geom_boxes(around, geom, m, d, first, first + m->body_geomnum[body], all);
}

// Extends the boxes of bodies and of their geoms by what these sweep.
static void extend_bodies(const Bodies* bodies, GeomBox* geom, const Travel* travel,
                          const mjModel* m, int all) {
  for (int i = 0; i < bodies->num; i++) {
    int body = bodies->id[i], first = m->body_geomadr[body];
    for (int g = first; g < first + m->body_geomnum[body] && !body_has_tree(m, body); g++) {
      if (all || m->geom_contype[g] || m->geom_conaffinity[g]) {
        travel_extend(geom + g, travel, m, g);
        box_include(bodies->box + i, geom + g);
      }
    }
  }
}

typedef struct Bounding_ {
  const mjModel* m;
  const mjData* d;
  const Bodies* bodies;
  GeomBox* geom;
  int all;
} Bounding;

static void bound_some(void* argument, int begin, int end) {
  const Bounding* s = argument;
  for (int i = begin; i < end; i++) {
    bound_body(s->bodies->box + i, s->geom, s->m, s->d, s->bodies->id[i], s->all);
  }
}

// The boxes of the first n bodies of a list, by the threads of a pool where it pays.
static void bound_bodies(Bounding* s, mjData* d, int n) {
  const int least = 512, piece = 64;
  if (share_pays(d, n, least)) {
    share_for(d, n, piece, bound_some, s);
  } else {
    bound_some(s, 0, n);
  }
}

const GeomBox* broad_phase(PairList* out, const mjModel* m, mjData* d, mjfConFilt filter,
                           const Travel* travel) {
  // bounded bodies from the front of the list, the others from its end
  Bodies bodies = {.id = arena_int(d, m->nbody)};
  int* body = arena_int(d, m->nbody);
  int begin = m->nbody, several = 0, num = candidate_bodies(body, m, d, 0, travel);
  for (int i = 0; i < num; i++) {
    int b = body[i];
    if (body_is_unbounded(m, b)) {
      add_unbounded(out, m, body, num, b, filter);
      bodies.id[--begin] = b;
      several |= m->body_geomnum[b] > 1 || begin + 1 < m->nbody;
    } else {
      bodies.id[bodies.num++] = b;
    }
  }

  GeomBox* box = NULL;
  int meet = some_meet(m, &bodies, filter);
  if (meet || (out->num && several)) {
    box = arena_take(d, (size_t)m->ngeom * sizeof(GeomBox), _Alignof(GeomBox));
    bodies.box = arena_take(d, (size_t)m->nbody * sizeof(GeomBox), _Alignof(GeomBox));
    Bounding bounding = {m, d, &bodies, box, filter != NULL};
    bound_bodies(&bounding, d, bodies.num);
    bound_some(&bounding, begin, m->nbody);
    if (travel) {
      extend_bodies(&bodies, box, travel, m, filter != NULL);
    }
  }
  if (box && out->num) {
    drop_unreached(out, m, d, &bodies, box, filter);
  }
  if (meet) {
    sweep(out, m, d, &bodies, filter);
  }
  return box;
}
