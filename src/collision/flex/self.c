// Contacts of a flex with itself: first between neighbours, then by one of three searches (all
// pairs, BVH, or a sweep through bands). The search determines the order of contacts, which is part
// of the result.
//                                                  theory/smooth/deformables.md, Contacts of flexes

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it rounds boxes that just touch differently

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "collision/broad/node.h"
#include "collision/flex/flex.h"
#include "model/data/arena.h"

enum {
  MOST_SWEPT = 65535,    // elements; a flex with more isn't swept
  MOST_PAIRS = 1000000,  // pairs of the sweep; more are left out
  SWEEP_BYTES = 384,     // temporaries per element, pairs not included
};

// neighbours

// Contacts inside a nearly flat tetrahedron: each corner must stay two radii from the opposite
// face.
static int squeeze(const mjModel* m, mjData* d, int flex, int elem) {
  static const int face[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
  const int* v = m->flex_elem + m->flex_elemdataadr[flex] + 4 * elem;
  const mjtNum* x = d->flexvert_xpos + 3 * m->flex_vertadr[flex];
  mjtNum radius = m->flex_radius[flex];
  for (int i = 0; i < 4; i++) {
    const mjtNum *t0 = x + 3 * v[face[i][0]], *corner = x + 3 * v[face[i][3]];
    mjtNum e1[3], e2[3], n[3], away[3], pos[3];
    v3_sub(e1, x + 3 * v[face[i][1]], t0);
    v3_sub(e2, x + 3 * v[face[i][2]], t0);
    v3_cross(n, e1, e2);
    v3_normalize(n);
    v3_sub(away, corner, t0);
    mjtNum height = v3_dot(n, away);
    if (height <= -2 * radius) {
      continue;
    }
    const ContactSide side[2] = {{-1, flex, elem, -1}, {-1, flex, -1, v[face[i][3]]}};
    v3_addscl(pos, corner, n, (mjtNum)-0.5 * height);
    v3_scl(n, n, -1);
    if (!flex_add_contact(m, d, side, -height - 2 * radius, pos, n, 0, 1)) {
      return 0;
    }
  }
  return 1;
}

static void collide_neighbours(const mjModel* m, mjData* d, int flex) {
  for (int i = 0; i < m->flex_evpairnum[flex]; i++) {
    const int* pair = m->flex_evpair + 2 * (size_t)(m->flex_evpairadr[flex] + i);
    flex_vertex_element(m, d, flex, pair[1], pair[0]);
  }
  for (int e = 0; m->flex_dim[flex] == 3 && e < m->flex_elemnum[flex]; e++) {
    if (!squeeze(m, d, flex, e)) {
      return;
    }
  }
}

// all pairs

static int is_active(const mjModel* m, int flex, int elem) {
  return m->flex_dim[flex] < 3 ||
         m->flex_elemlayer[m->flex_elemadr[flex] + elem] < m->flex_activelayers[flex];
}

static void collide_all(const mjModel* m, mjData* d, int flex) {
  for (int e1 = 0; e1 < m->flex_elemnum[flex]; e1++) {
    for (int e2 = e1 + 1; e2 < m->flex_elemnum[flex] && is_active(m, flex, e1); e2++) {
      if (is_active(m, flex, e2)) {
        flex_elements(m, d, flex, e1, flex, e2);
      }
    }
  }
}

// tree

// Descends the tree against itself, last pair first. Of (a, b) and (b, a) only one is kept.
static void collide_tree(const mjModel* m, mjData* d, int flex) {
  int adr = m->flex_bvhadr[flex], num = 0;
  const mjtNum* box = d->bvh_aabb_dyn + 6 * (size_t)(adr - m->nbvhstatic);
  mjtNum margin = flex_margin(m, flex, flex);
  size_t room = 4 * (size_t)m->flex_bvhnum[flex] + 4;
  mj_markStack(d);
  uint64_t* todo = arena_push(d, room * sizeof(uint64_t), _Alignof(uint64_t));
  if (!todo) {
    mj_warning(d, mjWARN_CONTACTFULL, d->ncon);
    mj_freeStack(d);
    return;
  }
  todo[num++] = pair_key(0, 0);
  while (num) {
    uint64_t key = todo[--num];
    int n1 = pair_first(key), n2 = pair_second(key);
    int leaf1 = m->bvh_nodeid[adr + n1], leaf2 = m->bvh_nodeid[adr + n2];
    if (n1 > n2) {
      continue;
    }
    if (leaf1 >= 0 && leaf2 >= 0) {
      flex_elements(m, d, flex, leaf1, flex, leaf2);
      continue;
    }
    const mjtNum *a = box + 6 * n1, *b = box + 6 * n2;
    if (flex_boxes_apart(a, b, margin)) {
      continue;
    }
    int open1 = opens_first(a, leaf1, b, leaf2);
    for (int i = 0; i < 2; i++) {
      todo[num++] = open1 ? pair_key(m->bvh_child[2 * (adr + n1) + i], n2)
                          : pair_key(n1, m->bvh_child[2 * (adr + n2) + i]);
    }
  }
  mj_freeStack(d);
}

// sweep and prune

// Axes in descending order of the flex's box: the sweep goes along the longest, bands lie along the
// second.
static void sweep_axes(int axis[3], const mjModel* m, const mjData* d, int flex) {
  const mjtNum* half = d->bvh_aabb_dyn + 6 * (size_t)(m->flex_bvhadr[flex] - m->nbvhstatic) + 3;
  axis[0] = half[1] > half[2] ? 1 : 2;
  if (half[0] > half[1] && half[0] > half[2]) {
    axis[0] = 0;
  }
  axis[1] = (axis[0] + 1) % 3;
  axis[2] = (axis[0] + 2) % 3;
  if (half[axis[2]] > half[axis[1]]) {
    int swap = axis[1];
    axis[1] = axis[2];
    axis[2] = swap;
  }
}

// Bands of equal width along the second axis. A new box is compared only with the open boxes of its
// bands, which are about sqrt(n) for a cloth of n boxes.
//
//   band(x) = (x - start) scale, cut to 0 .. num - 1
//
// If a bound is not finite there is only one band.
typedef struct Bands_ {
  mjtNum start, scale;
  int num;
} Bands;

static int band_of(const Bands* bands, mjtNum x) {
  mjtNum place = (x - bands->start) * bands->scale;
  return !(place > 0) ? 0 : place < bands->num ? (int)place : bands->num - 1;
}

// Makes bands twice as wide as an average box, so that n boxes have at most 2.5 n entries in bands.
static Bands make_bands(const mjtNum* box, const int* elem, int n, int axis) {
  mjtNum low = mjMAXVAL, high = -mjMAXVAL, width = 0;
  for (int i = 0; i < n; i++) {
    const mjtNum* b = box + 6 * (size_t)elem[i];
    low = num_min(low, b[axis] - b[3 + axis]);
    high = num_max(high, b[axis] + b[3 + axis]);
    width += 2 * b[3 + axis];
  }
  mjtNum num = (high - low) / (2 * width / (mjtNum)n);
  if (!(num > 1 && num < mjMAXVAL)) {
    return (Bands){.num = 1};
  }
  int count = num < n ? (int)num : n;
  return (Bands){.start = low, .scale = (mjtNum)count / (high - low), .num = count};
}

// The open boxes, which have begun and not ended along the sweep, by bands and in the order in
// which they were opened. Ended boxes stay in a band until they are half of it.
typedef struct OpenBand_ {
  int first, num;  // its places in the arrays of OpenBoxes
} OpenBand;

typedef struct OpenBoxes_ {
  OpenBand* band;
  mjtNum* low[4];            // bounds across the axis: lower ones, and upper ones negated
  mjtNum* gap;               // scratch
  int64_t* last;             // where the box ends
  int* number;               // number of the box
  int *begin, *end, *order;  // by box: its bands, and when it was opened
} OpenBoxes;

static void put_box(const OpenBoxes* open, OpenBand* band, int i, const mjtNum low[4],
                    int64_t last) {
  int place = band->first + band->num++;
  for (int c = 0; c < 4; c++) {
    open->low[c][place] = low[c];
  }
  open->last[place] = last;
  open->number[place] = i;
}

static void drop_left(const OpenBoxes* open, OpenBand* band, int64_t now) {
  int num = band->num;
  band->num = 0;
  for (int place = band->first; place < band->first + num; place++) {
    if (open->last[place] > now) {
      const mjtNum low[4] = {open->low[0][place], open->low[1][place], open->low[2][place],
                             open->low[3][place]};
      put_box(open, band, open->number[place], low, open->last[place]);
    }
  }
}

// Lists in out the open boxes of a band that overlap a new box (low <= high in all four bounds).
// Returns their number. num_open: the number of boxes still open. out has room for one more.
KERNEL static int meet_open(int* out, int num_open[1], const OpenBoxes* open, const OpenBand* band,
                            const mjtNum high[4], int64_t now) {
  const mjtNum *a = open->low[0] + band->first, *b = open->low[1] + band->first;
  const mjtNum *c = open->low[2] + band->first, *e = open->low[3] + band->first;
  const int* number = open->number + band->first;
  const int64_t* last = open->last + band->first;
  mjtNum* restrict gap = open->gap;
  int n = 0, lasting = 0;
  for (int k = 0; k < band->num; k++) {
    gap[k] =
        num_max(num_max(a[k] - high[0], b[k] - high[1]), num_max(c[k] - high[2], e[k] - high[3]));
  }
  for (int k = 0; k < band->num; k++) {
    int lasts = last[k] > now;
    out[n] = number[k];
    n += gap[k] > 0 ? 0 : lasts;
    lasting += lasts;
  }
  *num_open = lasting;
  return n;
}

static int meet_band(int* out, const OpenBoxes* open, OpenBand* band, const mjtNum high[4],
                     int64_t now) {
  int num_open, n = meet_open(out, &num_open, open, band, high, now);
  if (2 * num_open < band->num) {
    drop_left(open, band, now);
  }
  return n;
}

// Lists the open boxes of bands first..last that overlap a new box, in the order in which they were
// opened. A pair that shares several bands counts only in the first one.
static int meet_bands(int* out, uint64_t* key, const OpenBoxes* open, int first, int last,
                      const mjtNum high[4], int64_t now) {
  int n = meet_band(out, open, open->band + first, high, now);
  for (int c = first + 1; c <= last; c++) {
    int end = n + meet_band(out + n, open, open->band + c, high, now);
    for (int k = n; k < end; k++) {
      out[n] = out[k];
      n += open->begin[out[k]] == c;
    }
  }
  if (first == last) {
    return n;
  }
  for (int k = 0; k < n; k++) {
    key[k] = pair_key(open->order[out[k]], out[k]);
  }
  pair_sort(key, key + n, n);
  for (int k = 0; k < n; k++) {
    out[k] = pair_second(key[k]);
  }
  return n;
}

// Room for n boxes, none open.
static OpenBoxes make_open(const Bands* bands, const mjtNum* box, const int* elem, int n, int axis,
                           mjData* d) {
  OpenBoxes open = {
      .band = mj_stackAllocByte(d, (size_t)bands->num * sizeof(OpenBand), _Alignof(OpenBand)),
      .begin = mj_stackAllocInt(d, (size_t)n),
      .end = mj_stackAllocInt(d, (size_t)n),
      .order = mj_stackAllocInt(d, (size_t)n)};
  memset(open.band, 0, (size_t)bands->num * sizeof(OpenBand));
  for (int i = 0; i < n; i++) {
    const mjtNum* b = box + 6 * (size_t)elem[i];
    open.begin[i] = band_of(bands, b[axis] - b[3 + axis]);
    open.end[i] = band_of(bands, b[axis] + b[3 + axis]);
    for (int c = open.begin[i]; c <= open.end[i]; c++) {
      open.band[c].num++;
    }
  }
  int total = 0;
  for (int c = 0; c < bands->num; c++) {
    open.band[c].first = total;
    total += open.band[c].num;
    open.band[c].num = 0;
  }
  for (int c = 0; c < 4; c++) {
    open.low[c] = mj_stackAllocNum(d, (size_t)total);
  }
  open.gap = mj_stackAllocNum(d, (size_t)n);
  open.last = mj_stackAllocByte(d, (size_t)total * sizeof(int64_t), _Alignof(int64_t));
  open.number = mj_stackAllocInt(d, (size_t)total);
  return open;
}

// Both ends of a box along the axis, as keys that sort in the order of the sweep. The lower end
// comes first if both are equal or if the box has overflowed.
static void box_ends(uint64_t out[2], const mjtNum* box, int i, int axis) {
  uint32_t low = ordered_bits((float)(box[axis] - box[3 + axis]));
  uint32_t high = ordered_bits((float)(box[axis] + box[3 + axis]));
  out[0] = (uint64_t)low << 32 | (uint32_t)(2 * i);
  out[1] = (uint64_t)(high > low ? high : low) << 32 | (uint32_t)(2 * i + 1);
}

// The key of an end as a signed number with the same order, because vectors compare signed numbers.
static int64_t signed_place(uint64_t end) {
  return (int64_t)(end ^ (uint64_t)1 << 63);
}

// The sweep: a box that begins meets the open boxes, in the order in which these were opened.
static void sweep(PairList* out, const mjModel* m, mjData* d, int flex, const int* elem, int n) {
  const mjtNum* box = d->flexelem_aabb + 6 * (size_t)m->flex_elemadr[flex];
  int axis[3], *met = mj_stackAllocInt(d, 2 * (size_t)n + 1);  // with those met twice
  uint64_t* key = mj_stackAllocByte(d, 2 * (size_t)n * sizeof(uint64_t), _Alignof(uint64_t));
  uint64_t* first = mj_stackAllocByte(d, (size_t)n * sizeof(uint64_t), _Alignof(uint64_t));
  uint64_t* last = mj_stackAllocByte(d, (size_t)n * sizeof(uint64_t), _Alignof(uint64_t));
  sweep_axes(axis, m, d, flex);
  for (int i = 0; i < n; i++) {
    uint64_t end[2];
    box_ends(end, box + 6 * (size_t)elem[i], i, axis[0]);
    first[i] = end[0];
    last[i] = end[1];
  }
  pair_sort(first, key, n);
  int p = axis[1], q = axis[2];
  Bands bands = make_bands(box, elem, n, p);
  OpenBoxes open = make_open(&bands, box, elem, n, p, d);
  for (int k = 0; k < n; k++) {
    int i = (int)((uint32_t)first[k] >> 1);
    const mjtNum* b = box + 6 * (size_t)elem[i];
    const mjtNum low[4] = {b[p] - b[3 + p], b[q] - b[3 + q], -(b[p] + b[3 + p]),
                           -(b[q] + b[3 + q])};
    const mjtNum high[4] = {-low[2], -low[3], -low[0], -low[1]};
    int nmet =
        meet_bands(met, key, &open, open.begin[i], open.end[i], high, signed_place(first[k]));
    for (int j = 0; j < nmet; j++) {
      if (out->num == MOST_PAIRS) {
        return;
      }
      pair_list_add(out, elem[met[j]], elem[i]);
    }
    open.order[i] = k;
    for (int c = open.begin[i]; c <= open.end[i]; c++) {
      put_box(&open, open.band + c, i, low, signed_place(last[i]));
    }
  }
}

// The bodies of an element's four vertices; elements with fewer repeat a vertex. A vertex that is
// fixed to no body gets a number that no body has.
typedef int Bodies __attribute__((vector_size(4 * sizeof(int)), aligned(sizeof(int))));

typedef int64_t Halves __attribute__((vector_size(4 * sizeof(int)), may_alias));

// An element with its vertices by coordinates, relative to the center of its box. Elements with
// fewer than four repeat a vertex.
typedef struct Packed_ {
  Simd4 x[3];
  mjtNum center[3];
  Bodies body;
} Packed;

static void pack_elements(Packed* out, const mjModel* m, const mjData* d, int flex) {
  int n = m->flex_dim[flex] + 1;
  const int* vertex = m->flex_elem + m->flex_elemdataadr[flex];
  const int* body = m->flex_vertbodyid + m->flex_vertadr[flex];
  const mjtNum* x = d->flexvert_xpos + 3 * (size_t)m->flex_vertadr[flex];
  const mjtNum* box = d->flexelem_aabb + 6 * (size_t)m->flex_elemadr[flex];
  for (int e = 0; e < m->flex_elemnum[flex]; e++, vertex += n, box += 6, out++) {
    v3_copy(out->center, box);
    for (int k = 0; k < 4; k++) {
      int v = vertex[k < n ? k : 0];
      out->body[k] = body[v] >= 0 ? body[v] : -1 - (4 * e + k);
      for (int c = 0; c < 3; c++) {
        out->x[c][k] = x[3 * v + c] - box[c];
      }
    }
  }
}

INLINE int have_common(const Packed* e1, const Packed* e2) {
  Bodies a = e1->body, b = e2->body;
  Bodies b1 = {b[1], b[2], b[3], b[0]}, b2 = {b[2], b[3], b[0], b[1]};
  Bodies b3 = {b[3], b[0], b[1], b[2]};
  Bodies same = (a == b) | (a == b1) | (a == b2) | (a == b3);
  Halves half = (Halves)same;
  return (half[0] | half[1]) != 0;
}

// The greatest sign * u.x over the vertices; returns the first vertex that has it.
INLINE int furthest(mjtNum most[1], const Packed* e, const mjtNum u[3], mjtNum sign) {
  Simd4 along = sign * (u[0] * e->x[0] + u[1] * e->x[1] + u[2] * e->x[2]);
  int best = 0;
  *most = along[0];
  for (int k = 1; k < 4; k++) {
    best = along[k] > *most ? k : best;
    *most = num_max(along[k], *most);
  }
  return best;
}

// The search of are_apart (element.c), with vertices by coordinates.
INLINE int are_apart(const Packed* e1, const Packed* e2, mjtNum reach) {
  mjtNum u[3], off[3];
  v3_sub(off, e2->center, e1->center);
  v3_copy(u, off);
  for (int i = 0; i < FLEX_APART_TRIES; i++) {
    mjtNum most1, most2, between[3], turn[3];
    int i1 = furthest(&most1, e1, u, 1), i2 = furthest(&most2, e2, u, -1);
    mjtNum gap = v3_dot(u, off) - most1 - most2;
    if (gap > 0 && gap * gap > reach * reach * v3_dot(u, u)) {
      return 1;
    }
    for (int c = 0; c < 3; c++) {
      between[c] = off[c] + e2->x[c][i2] - e1->x[c][i1];
    }
    v3_sub(turn, between, u);
    mjtNum share = -v3_dot(u, turn) / num_max(v3_dot(turn, turn), mjMINVAL);
    v3_addtoscl(u, turn, num_clamp(share, 0, 1));
  }
  return 0;
}

// The first step of are_apart, which needs no vertex.
INLINE int start_apart(const Packed* e1, const Packed* e2, mjtNum reach) {
  mjtNum u[3], most1, most2;
  v3_sub(u, e2->center, e1->center);
  furthest(&most1, e1, u, 1);
  furthest(&most2, e2, u, -1);
  mjtNum square = v3_dot(u, u), gap = square - most1 - most2;
  return (gap > 0) & (gap * gap > reach * reach * square);
}

// Drops the pairs for which flex_elements would find no contact: most share a body, and most of the
// others are apart. With a negative reach the second test is left out. The first two of three
// passes are free of branches and drop nearly all pairs.
KERNEL static int64_t keep_near(uint64_t* key, int64_t n, const Packed* e, mjtNum reach) {
  int64_t strangers = 0, near = 0, kept = 0;
  for (int64_t i = 0; i < n; i++) {
    uint64_t pair = key[i];
    key[strangers] = pair;
    strangers += !have_common(e + pair_first(pair), e + pair_second(pair));
  }
  if (reach < 0) {
    return strangers;
  }
  for (int64_t i = 0; i < strangers; i++) {
    uint64_t pair = key[i];
    key[near] = pair;
    near += !start_apart(e + pair_first(pair), e + pair_second(pair), reach);
  }
  for (int64_t i = 0; i < near; i++) {
    if (!are_apart(e + pair_first(key[i]), e + pair_second(key[i]), reach)) {
      key[kept++] = key[i];
    }
  }
  return kept;
}

static void collide_swept(const mjModel* m, mjData* d, int flex) {
  int n = 0;
  if (arena_room(d) < ((size_t)m->flex_elemnum[flex] + 16) * SWEEP_BYTES) {
    mj_warning(d, mjWARN_CONTACTFULL, d->ncon);
    return;
  }
  mj_markStack(d);
  int* elem = mj_stackAllocInt(d, (size_t)m->flex_elemnum[flex]);
  for (int e = 0; e < m->flex_elemnum[flex]; e++) {
    if (is_active(m, flex, e)) {
      elem[n++] = e;
    }
  }
  if (n > MOST_SWEPT) {
    mju_error("mj_collision: flex %d has %d elements, more than %d: it needs selfcollide=\"bvh\"",
              flex, n, MOST_SWEPT);
  }
  Packed* packed = mj_stackAllocByte(d, (size_t)m->flex_elemnum[flex] * sizeof(Packed), 64);
  pack_elements(packed, m, d, flex);
  PairList near = {.d = d};
  if (n > 1) {
    sweep(&near, m, d, flex, elem, n);
  }
  near.num = keep_near(near.key, near.num, packed, flex_reach(m, flex, flex, 0));
  for (int64_t i = 0; i < near.num; i++) {
    flex_elements(m, d, flex, pair_first(near.key[i]), flex, pair_second(near.key[i]));
  }
  mj_freeStack(d);
}

// Whether a flex collides with itself at all.
static int meets_itself(const mjModel* m, int flex) {
  return !m->flex_rigid[flex] && (m->flex_contype[flex] & m->flex_conaffinity[flex]);
}

static int has_tree(const mjModel* m, int flex) {
  return !(m->opt.disableflags & mjDSBL_MIDPHASE) && m->flex_bvhadr[flex] >= 0;
}

int flex_descends_itself(const mjModel* m, int flex) {
  int mode = m->flex_selfcollide[flex];
  return meets_itself(m, flex) && has_tree(m, flex) &&
         (mode == mjFLEXSELF_BVH || (mode == mjFLEXSELF_AUTO && m->flex_dim[flex] == 3));
}

void flex_collide_self(const mjModel* m, mjData* d, int flex) {
  if (!meets_itself(m, flex)) {
    return;
  }
  if (m->flex_internal[flex]) {
    collide_neighbours(m, d, flex);
  }
  if (m->flex_selfcollide[flex] == mjFLEXSELF_NONE) {
    return;
  }
  if (!has_tree(m, flex) || m->flex_selfcollide[flex] == mjFLEXSELF_NARROW) {
    collide_all(m, d, flex);
  } else if (flex_descends_itself(m, flex)) {
    collide_tree(m, d, flex);
  } else {
    collide_swept(m, d, flex);
  }
}
