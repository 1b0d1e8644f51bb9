// fixed_tree.c: leaves of a fixed body's tree near another body, and geoms of that near each leaf.

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it rounds boxes that just touch differently

#include "collision/broad/fixed_tree.h"

#include <math.h>
#include <mujoco/api/model.h>

#include "base/algebra/matrix_simd.h"
#include "base/algebra/vec.h"
#include "collision/broad/near_geoms.h"
#include "collision/broad/node.h"
#include "model/data/arena.h"
#include "model/reach.h"

// Sizes from here on are of planes, whose surfaces may be near all the same.
#define ENDLESS (mjMAXVAL / 4)

// A box along the axes of the fixed tree. Its reach along a fourth axis is infinite.
typedef struct NodeBox {
  Simd4 center, reach;
} NodeBox;

typedef struct Search {
  const mjModel* m;
  mjData* d;
  mjfConFilt filter;
  int fixed, other;      // bodies
  int adr[2], *todo[2];  // first nodes of both, and nodes still to be opened
  const GeomBox* box;    // of geoms, of the other body
  NodeBox* near;         // of nodes of the other body
} Search;

static int takes_part(const Search* s, int geom) {
  return s->filter || geom_collides(s->m, geom);
}

// The frame of the tree: a position and the rows of R.
typedef struct Frame {
  Simd4 pos, row[3];
} Frame;

INLINE Frame frame_of(const mjtNum pos[3], const mjtNum mat[9]) {
  Frame f = {{pos[0], pos[1], pos[2], 0}, {{0}}};
  for (int j = 0; j < 3; j++) {
    f.row[j] = (Simd4){mat[3 * j], mat[3 * j + 1], mat[3 * j + 2], 0};
  }
  return f;
}

// A box of the world in the frame (p, R) of the tree: R'(c - p), |R'| h + more. Without bounds it
// is apart from nothing, without any geom in it from everything.
INLINE void turn_box(NodeBox* out, const GeomBox* box, const Frame* f, mjtNum more) {
  if (!(box->hi[0] - box->lo[0] < INFINITY) || box->hi[0] < box->lo[0]) {
    mjtNum reach = box->hi[0] < box->lo[0] ? -INFINITY : INFINITY;
    *out = (NodeBox){{0, 0, 0, 0}, {reach, reach, reach, INFINITY}};
    return;
  }
  Simd4 lo = __builtin_convertvector(*(const BoxCorner*)box->lo, Simd4);
  Simd4 hi = __builtin_convertvector(*(const BoxCorner*)box->hi, Simd4);
  Simd4 h = (hi - lo) / 2, c = (hi + lo) / 2 - f->pos, axis, size;
  Simd4 reach = {more, more, more, INFINITY};
  out->center = f->row[0] * c[0] + f->row[1] * c[1] + f->row[2] * c[2];
  simd4_abs(&size, &out->center);
  for (int j = 0; j < 3; j++) {
    simd4_abs(&axis, f->row + j);
    reach += axis * h[j];
  }
  out->reach = reach + SURFACE_SLACK * size;
}

// The boxes around the geoms below each node of the other body, widened by what the tree's nodes
// lack: twice its margin, and the tolerance of the general collider. Children come after their
// parent.
KERNEL static void make_node_boxes(Search* s, GeomBox* world) {
  const mjModel* m = s->m;
  Frame frame = frame_of(s->d->xipos + 3 * s->fixed, s->d->ximat + 9 * s->fixed);
  mjtNum more = 2 * num_max(0, body_reach(m, s->fixed)) + m->opt.ccd_tolerance;
  for (int n = m->body_bvhnum[s->other] - 1; n >= 0; n--) {
    int g = m->bvh_nodeid[s->adr[1] + n];
    const int* child = m->bvh_child + 2 * (s->adr[1] + n);
    world[n] = (GeomBox){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    if (g < 0) {
      box_include(world + n, world + child[0]);
      box_include(world + n, world + child[1]);
    } else if (takes_part(s, g)) {
      world[n] = s->box[g];
    }
    turn_box(s->near + n, world + n, &frame, more);
  }
}

// Whether a box misses a node of the tree: |c - c'| > h + h' along some axis.
INLINE int is_outside(const NodeBox* a, const mjtNum node[6]) {
  Simd4 center = SIMD_READ(Simd4, node), half = SIMD_READ(Simd4, node + 2), gap, size;
  half = SIMD4_ORDER(half, 1, 2, 3, 3);
  gap = center - a->center;
  simd4_abs(&gap, &gap);
  simd4_abs(&size, &center);
  size += half;
  const Simd4 one = {1, 1, 1, 1};
  Simd4Mask ends = size < ENDLESS;
  Simd4 bounded = (Simd4)(((Simd4Mask)size & ends) | ((Simd4Mask)one & ~ends));
  Simd4Mask apart = gap > half + SURFACE_SLACK * bounded + a->reach;
  apart |= SIMD4_ORDER(apart, 2, 3, 0, 1);
  return (apart[0] | apart[1]) != 0;
}

// Whether the joint descent of two trees would come to this pair of leaves. Nodes around two boxes
// that overlap clearly do so as well. Of others all nodes above are looked at; they are numbered in
// the order of a search from the root, first children first.
static int descent_reaches(const mjModel* m, const BoxFrames* frames, const int root[2],
                           const int leaf[2], mjtNum margin) {
  const mjtNum *box1 = m->bvh_aabb + 6 * leaf[0], *box2 = m->bvh_aabb + 6 * leaf[1];
  mjtNum size = 0;
  for (int k = 0; k < 6; k++) {
    size += mju_abs(box1[k]) + mju_abs(box2[k]);
  }
  if (!nodes_apart(frames, box1, box2, margin - SURFACE_SLACK * size)) {
    return 1;
  }
  int node[2] = {root[0], root[1]};
  while (node[0] != leaf[0] || node[1] != leaf[1]) {
    const mjtNum *node1 = m->bvh_aabb + 6 * node[0], *node2 = m->bvh_aabb + 6 * node[1];
    if (nodes_apart(frames, node1, node2, margin)) {
      return 0;
    }
    int i = !opens_first(node1, m->bvh_nodeid[node[0]], node2, m->bvh_nodeid[node[1]]);
    if (m->bvh_nodeid[node[i]] >= 0) {
      return 1;  // numbered in an order that no compiler makes
    }
    const int* child = m->bvh_child + 2 * node[i];
    node[i] = root[i] + child[leaf[i] - root[i] >= child[1]];
  }
  return 1;
}

// Adds the pair of two leaves, a node of the tree and one of the other body, if it may touch.
static void add_leaves(PairList* out, const Search* s, const BoxFrames* frames, int node, int other,
                       mjtNum margin) {
  int g = s->m->bvh_nodeid[node], g2 = s->m->bvh_nodeid[other], swaps = s->fixed > s->other;
  const int leaf[2] = {swaps ? other : node, swaps ? node : other};
  const int root[2] = {s->adr[swaps], s->adr[!swaps]};
  int64_t before = out->num;
  pair_add_near(out, s->m, s->d, swaps ? g2 : g, swaps ? g : g2);
  if (out->num > before && !descent_reaches(s->m, frames, root, leaf, margin)) {
    out->num = before;
  }
}

// Adds the pairs of a leaf of the tree.
INLINE void search_other(PairList* out, const Search* s, const BoxFrames* frames, int node,
                         mjtNum margin) {
  const mjModel* m = s->m;
  const mjtNum* aabb = m->bvh_aabb + 6 * node;
  GeomBox box;
  int *todo = s->todo[1], num = 0, g = m->bvh_nodeid[node], made = 0;
  todo[num++] = 0;
  while (num) {
    int n = todo[--num], g2 = m->bvh_nodeid[s->adr[1] + n];
    if (is_outside(s->near + n, aabb)) {
      continue;
    }
    if (g2 < 0) {
      todo[num++] = m->bvh_child[2 * (s->adr[1] + n)];
      todo[num++] = m->bvh_child[2 * (s->adr[1] + n) + 1];
      continue;
    }
    if (!made) {
      geom_box(&box, m, s->d, g);
      made = 1;
    }
    if (bits_meet(m, g, g2, s->filter) && !box_apart(&box, s->box + g2)) {
      add_leaves(out, s, frames, node, s->adr[1] + n, margin);
    }
  }
}

KERNEL static void search_fixed(PairList* out, const Search* s, const BoxFrames* frames,
                                mjtNum margin) {
  const mjModel* m = s->m;
  int *todo = s->todo[0], num = 0;
  todo[num++] = s->adr[0];
  while (num) {
    int n = todo[--num], g = m->bvh_nodeid[n];
    if (is_outside(s->near, m->bvh_aabb + 6 * n)) {
      continue;
    }
    if (g < 0) {
      todo[num++] = s->adr[0] + m->bvh_child[2 * n];
      todo[num++] = s->adr[0] + m->bvh_child[2 * n + 1];
    } else if (takes_part(s, g)) {
      search_other(out, s, frames, n, margin);
    }
  }
}

void fixed_tree_pairs(PairList* out, const mjModel* m, mjData* d, const GeomBox* box, int b1,
                      int b2, mjfConFilt filter) {
  int fixed = body_has_tree(m, b1) ? b1 : b2, other = b1 + b2 - fixed;
  size_t num = (size_t)m->body_bvhnum[other], all = (size_t)m->body_bvhnum[fixed];
  Search s = {m,   d,   filter, fixed, other, {m->body_bvhadr[fixed], m->body_bvhadr[other]},
              {0}, box, 0};
  // each node opened leaves one more to be opened than before
  s.todo[0] = arena_push(d, (all + 1) * sizeof(int), _Alignof(int));
  s.todo[1] = arena_push(d, (num + 1) * sizeof(int), _Alignof(int));
  s.near = arena_push(d, num * sizeof(NodeBox), _Alignof(NodeBox));
  GeomBox* world = arena_push(d, num * sizeof(GeomBox), _Alignof(GeomBox));
  if (!s.todo[0] || !s.todo[1] || !s.near || !world) {
    mj_warning(d, mjWARN_CONTACTFULL, d->ncon);
    return;
  }
  make_node_boxes(&s, world);
  BoxFrames frames;
  make_frames(&frames, d->xipos + 3 * b1, d->ximat + 9 * b1, d->xipos + 3 * b2, d->ximat + 9 * b2);
  search_fixed(out, &s, &frames, reaches_together(m, body_reach(m, b1), body_reach(m, b2)));
}
