#pragma STDC FP_CONTRACT OFF  // rounding decides whether what touches is a pair

#include "collision/broad/body_pairs.h"

#include <mujoco/api/model.h>

#include "base/vec.h"

enum {
  FEW = 24
};  // up to here comparing all pairs is faster than sorting

typedef struct Box {
  mjtNum lo[3], hi[3];
} Box;

// A run of bodies of the same tree: entries [begin, end) of the body list.
typedef struct Group {
  int begin, end;
} Group;

typedef struct Bodies {
  int num;
  int* id;
  Box* box;
} Bodies;

// Most boxes that get here are apart on an axis that can't be foretold: six comparisons cost less
// than a wrong guess.
static inline int box_overlap(const Box* a, const Box* b) {
  return (a->lo[0] <= b->hi[0]) & (b->lo[0] <= a->hi[0]) & (a->lo[1] <= b->hi[1]) &
         (b->lo[1] <= a->hi[1]) & (a->lo[2] <= b->hi[2]) & (b->lo[2] <= a->hi[2]);
}

static inline void box_include(Box* box, const Box* other) {
  for (int k = 0; k < 3; k++) {
    box->lo[k] = num_min(box->lo[k], other->lo[k]);
    box->hi[k] = num_max(box->hi[k], other->hi[k]);
  }
}

// The margin of each body widens its own box, so boxes overlap whenever the distance is at most the
// larger margin. The factor covers the rounding of touching bodies.
static Box body_box(const mjModel* m, const mjData* d, int body) {
  const mjtNum slack = 1 + (mjtNum)1e-6;
  int override = m->opt.enableflags & mjENBL_OVERRIDE;
  int begin = m->body_geomadr[body], end = begin + m->body_geomnum[body];
  Box box = {{mjMAXVAL, mjMAXVAL, mjMAXVAL}, {-mjMAXVAL, -mjMAXVAL, -mjMAXVAL}};
  for (int g = begin; g < end; g++) {
    const mjtNum* pos = d->geom_xpos + 3 * g;
    mjtNum margin = override ? m->opt.o_margin / 2 : m->geom_margin[g];
    mjtNum reach = (m->geom_rbound[g] + margin) * slack;
    for (int k = 0; k < 3; k++) {
      box.lo[k] = num_min(box.lo[k], pos[k] - reach);
      box.hi[k] = num_max(box.hi[k], pos[k] + reach);
    }
  }
  return box;
}

static int body_collides(const mjModel* m, int body) {
  return m->body_geomnum[body] && (m->body_contype[body] || m->body_conaffinity[body]);
}

// Compatibility by the bits in the model's bodies and, where a user's filter replaces the test of
// single geoms, by the bits that their geoms have now.
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

// Bodies that can't move against each other, and, unless that is switched off, a body and its
// parent (never the world).
static int welded_or_parent(const mjModel* m, int b1, int b2) {
  int w1 = m->body_weldid[b1], w2 = m->body_weldid[b2];
  if (w1 == w2) {
    return 1;
  }
  if ((m->opt.disableflags & mjDSBL_FILTERPARENT) || w1 == 0 || w2 == 0) {
    return 0;
  }
  return w1 == m->body_weldid[m->body_parentid[w2]] || w2 == m->body_weldid[m->body_parentid[w1]];
}

static int has_plane(const mjModel* m, int body) {
  int begin = m->body_geomadr[body], end = begin + m->body_geomnum[body];
  for (int g = begin; g < end; g++) {
    if (m->geom_type[g] == mjGEOM_PLANE) {
      return 1;
    }
  }
  return 0;
}

// The world and what has a plane and is fixed to the world have no bounds: they meet every moving
// body.
static int is_unbounded(const mjModel* m, int body) {
  return body == 0 || (m->body_weldid[body] == 0 && has_plane(m, body));
}

static void add_unbounded(PairList* out, const mjModel* m, int fixed, mjfConFilt filter) {
  for (int b = 1; b < m->nbody; b++) {
    if (m->body_weldid[b] && body_collides(m, b) && bits_match(m, fixed, b, filter)) {
      pair_list_add(out, fixed < b ? fixed : b, fixed < b ? b : fixed);
    }
  }
}

static void add_pair(PairList* out, const mjModel* m, int b1, int b2, mjfConFilt filter) {
  if (bits_match(m, b1, b2, filter) && !welded_or_parent(m, b1, b2)) {
    pair_list_add(out, b1 < b2 ? b1 : b2, b1 < b2 ? b2 : b1);
  }
}

// The axis along which the centres of the boxes vary most.
static int widest_axis(const Box* box, int num) {
  int axis = 0;
  mjtNum widest = -1;
  for (int k = 0; k < 3; k++) {
    mjtNum sum = 0, square = 0;
    for (int i = 0; i < num; i++) {
      mjtNum x = box[i].lo[k] + box[i].hi[k] - (box[0].lo[k] + box[0].hi[k]);
      sum += x;
      square += x * x;
    }
    mjtNum variance = square - sum * sum / (mjtNum)num;
    if (variance > widest) {
      widest = variance;
      axis = k;
    }
  }
  return axis;
}

// Integer in the same order as x.
static uint32_t ordered_bits(float x) {
  uint32_t u;
  memcpy(&u, &x, sizeof(u));
  return u & 0x80000000u ? ~u : u | 0x80000000u;
}

// All pairs (i, j) of overlapping boxes. Few: each with each. Many: sweep and prune, in the order
// of lower bounds along one axis; a box can only meet those that begin before it ends. Rounding the
// bounds to float keeps their order.
static void overlaps(PairList* out, mjData* d, const Box* box, int num) {
  if (num <= FEW) {
    for (int i = 0; i < num; i++) {
      for (int j = i + 1; j < num; j++) {
        if (box_overlap(box + i, box + j)) {
          pair_list_add(out, i, j);
        }
      }
    }
    return;
  }

  int axis = widest_axis(box, num);
  uint64_t* order = mj_stackAllocByte(d, 2 * (size_t)num * sizeof(uint64_t), _Alignof(uint64_t));
  for (int i = 0; i < num; i++) {
    order[i] = (uint64_t)ordered_bits((float)box[i].lo[axis]) << 32 | (uint32_t)i;
  }
  pair_sort(order, order + num, num);
  Box* sorted = mj_stackAllocByte(d, (size_t)num * sizeof(Box), _Alignof(Box));
  for (int i = 0; i < num; i++) {
    sorted[i] = box[(uint32_t)order[i]];
  }
  for (int i = 0; i < num; i++) {
    uint64_t end = (uint64_t)ordered_bits((float)sorted[i].hi[axis]) << 32 | 0xFFFFFFFFu;
    for (int j = i + 1; j < num && order[j] <= end; j++) {
      if (box_overlap(sorted + i, sorted + j)) {
        pair_list_add(out, (int)(uint32_t)order[i], (int)(uint32_t)order[j]);
      }
    }
  }
}

static void add_within(PairList* out, const mjModel* m, mjData* d, const Bodies* bodies, Group g,
                       mjfConFilt filter) {
  const Box* box = bodies->box + g.begin;
  const int* id = bodies->id + g.begin;
  PairList near = {.d = d};
  overlaps(&near, d, box, g.end - g.begin);
  for (int64_t k = 0; k < near.num; k++) {
    add_pair(out, m, id[pair_first(near.key[k])], id[pair_second(near.key[k])], filter);
  }
}

static void add_between(PairList* out, const mjModel* m, const Bodies* bodies, const Box* box2,
                        Group g1, Group g2, mjfConFilt filter) {
  for (int i = g1.begin; i < g1.end; i++) {
    if (!box_overlap(bodies->box + i, box2)) {
      continue;
    }
    for (int j = g2.begin; j < g2.end; j++) {
      if (box_overlap(bodies->box + i, bodies->box + j)) {
        add_pair(out, m, bodies->id[i], bodies->id[j], filter);
      }
    }
  }
}

void broad_phase(PairList* out, const mjModel* m, mjData* d, mjfConFilt filter) {
  Bodies bodies = {.id = mj_stackAllocInt(d, m->nbody)};
  bodies.box = mj_stackAllocByte(d, (size_t)m->nbody * sizeof(Box), _Alignof(Box));
  Group* group = mj_stackAllocByte(d, (size_t)m->nbody * sizeof(Group), _Alignof(Group));
  Box* bound = mj_stackAllocByte(d, (size_t)m->nbody * sizeof(Box), _Alignof(Box));

  int ngroup = 0, root = -1;
  for (int b = 0; b < m->nbody; b++) {
    if (!body_collides(m, b)) {
      continue;
    }
    if (is_unbounded(m, b)) {
      add_unbounded(out, m, b, filter);
      continue;
    }
    int i = bodies.num++;
    bodies.id[i] = b;
    bodies.box[i] = body_box(m, d, b);
    if (m->body_rootid[b] != root) {
      root = m->body_rootid[b];
      group[ngroup].begin = i;
      bound[ngroup] = bodies.box[i];
      ngroup++;
    }
    group[ngroup - 1].end = i + 1;
    box_include(bound + ngroup - 1, bodies.box + i);
  }

  for (int g = 0; g < ngroup; g++) {
    if (group[g].end - group[g].begin > 1) {
      add_within(out, m, d, &bodies, group[g], filter);
    }
  }
  PairList near = {.d = d};
  overlaps(&near, d, bound, ngroup);
  for (int64_t k = 0; k < near.num; k++) {
    int g1 = pair_first(near.key[k]), g2 = pair_second(near.key[k]);
    add_between(out, m, &bodies, bound + g2, group[g1], group[g2], filter);
  }
  pair_sort(out->key, out->spare, out->num);
}
