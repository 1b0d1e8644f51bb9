// Flexes against bodies and against each other: which elements meet which geoms and elements.
//                                                  theory/smooth/deformables.md, Contacts of flexes

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it rounds boxes that just touch differently

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "base/algebra/vec.h"
#include "base/joint.h"
#include "collision/flex/flex.h"
#include "model/data/arena.h"
#include "model/data/awake.h"
#include "model/reach.h"

static int geom_meets(const mjModel* m, int geom, int flex) {
  return flex_bits(m->geom_contype[geom], m->geom_conaffinity[geom], m->flex_contype[flex],
                   m->flex_conaffinity[flex]);
}

// broad phase

// Box (center, half sizes) around all vertices, with radius and margin.
static void vertex_box(mjtNum box[6], const mjModel* m, const mjData* d, int flex) {
  mjtNum lo[3] = {mjMAXVAL, mjMAXVAL, mjMAXVAL}, hi[3] = {-mjMAXVAL, -mjMAXVAL, -mjMAXVAL};
  const mjtNum* x = d->flexvert_xpos + 3 * m->flex_vertadr[flex];
  for (int i = 0; i < m->flex_vertnum[flex]; i++, x += 3) {
    for (int k = 0; k < 3; k++) {
      lo[k] = num_min(lo[k], x[k]);
      hi[k] = num_max(hi[k], x[k]);
    }
  }
  mjtNum around =
      flex_girth(m, flex) + num_max(0, reach_given(m, m->flex_margin[flex], m->flex_gap[flex]));
  for (int k = 0; k < 3; k++) {
    box[k] = (lo[k] + hi[k]) / 2;
    box[3 + k] = (hi[k] - lo[k]) / 2 + around;
  }
}

// Whether some geom of the body is within reach of a box; a geom without bounds always is.
static int body_near(const mjModel* m, const mjData* d, int body, const mjtNum box[6]) {
  int begin = m->body_geomadr[body], end = begin + m->body_geomnum[body];
  for (int g = begin; g < end; g++) {
    mjtNum r = m->geom_rbound[g];
    if (!(r > 0)) {
      return 1;
    }
    mjtNum margin = geom_reach(m, g);
    const mjtNum* x = d->geom_xpos + 3 * g;
    mjtNum around[6] = {x[0], x[1], x[2], r, r, r};
    if (!flex_boxes_apart(around, box, num_max(0, margin))) {
      return 1;
    }
  }
  return 0;
}

void flex_broad(PairList* out, const mjModel* m, mjData* d) {
  mjtNum* box = mj_stackAllocNum(d, 6 * (size_t)m->nflex);
  for (int f = 0; f < m->nflex; f++) {
    int type = m->flex_contype[f], affinity = m->flex_conaffinity[f];
    if (!type && !affinity) {
      continue;
    }
    int sleeps = flex_sleeps(m, d, f);
    vertex_box(box + 6 * f, m, d, f);
    for (int b = 0; b < m->nbody; b++) {
      if (m->body_geomnum[b] && !(sleeps && d->body_awake[b] != mjS_AWAKE) &&
          flex_bits(m->body_contype[b], m->body_conaffinity[b], type, affinity) &&
          body_near(m, d, b, box + 6 * f)) {
        pair_list_add(out, b, m->nbody + f);
      }
    }
    for (int k = 0; k < f; k++) {
      if (flex_bits(m->flex_contype[k], m->flex_conaffinity[k], type, affinity) &&
          !(sleeps && flex_sleeps(m, d, k)) && !flex_boxes_apart(box + 6 * k, box + 6 * f, 0)) {
        pair_list_add(out, m->nbody + k, m->nbody + f);
      }
    }
  }
}

// geoms

// The axis-aligned box, in the world, of a box in a frame. Infinite half sizes stay infinite.
static void world_box(mjtNum out[6], const mjtNum aabb[6], const mjtNum pos[3],
                      const mjtNum mat[9]) {
  v3_toworld(out, aabb, pos, mat);
  for (int k = 0; k < 3; k++) {
    const mjtNum* row = mat + 3 * k;
    out[3 + k] = mju_abs(row[0]) * aabb[3] + mju_abs(row[1]) * aabb[4] + mju_abs(row[2]) * aabb[5];
  }
}

// Whether a geom's box and an element's are more than margin apart along an axis of either box.
static int boxes_apart(const mjModel* m, const mjData* d, int geom, const mjtNum elem[6],
                       mjtNum margin) {
  const mjtNum *aabb = m->geom_aabb + 6 * geom, *mat = d->geom_xmat + 9 * geom;
  mjtNum world[6], gap[3], local[3];
  world_box(world, aabb, d->geom_xpos + 3 * geom, mat);
  if (flex_boxes_apart(world, elem, margin)) {
    return 1;
  }
  v3_sub(gap, elem, world);
  m3_tmulv(local, mat, gap);
  for (int k = 0; k < 3; k++) {
    mjtNum reach =
        mju_abs(mat[k]) * elem[3] + mju_abs(mat[3 + k]) * elem[4] + mju_abs(mat[6 + k]) * elem[5];
    if (mju_abs(local[k]) > aabb[3 + k] + reach + margin) {
      return 1;
    }
  }
  return 0;
}

// Whether the cube around a geom's bounding sphere is apart from an element's box. A geom without
// bounds is apart from nothing.
static int sphere_apart(const mjModel* m, const mjData* d, int geom, const mjtNum elem[6],
                        mjtNum margin) {
  const mjtNum* x = d->geom_xpos + 3 * geom;
  mjtNum r = m->geom_rbound[geom];
  mjtNum around[6] = {x[0], x[1], x[2], r, r, r};
  return r > 0 && flex_boxes_apart(around, elem, margin);
}

// Adds the elements whose boxes overlap a geom's box, by descending the flex's BVH.
static void descend_geom(PairList* out, const mjModel* m, mjData* d, int geom, int flex,
                         mjtNum margin) {
  int adr = m->flex_bvhadr[flex], num = 0;
  const mjtNum* box = d->bvh_aabb_dyn + 6 * (size_t)(adr - m->nbvhstatic);
  const mjtNum* elem = d->flexelem_aabb + 6 * (size_t)m->flex_elemadr[flex];
  int* todo = arena_push(d, ((size_t)m->flex_bvhnum[flex] + 1) * sizeof(int), _Alignof(int));
  if (!todo) {
    mj_warning(d, mjWARN_CONTACTFULL, d->ncon);
    return;
  }
  todo[num++] = 0;
  while (num) {
    int node = todo[--num], leaf = m->bvh_nodeid[adr + node];
    if (boxes_apart(m, d, geom, box + 6 * node, margin)) {
      continue;
    }
    if (leaf < 0) {
      todo[num++] = m->bvh_child[2 * (adr + node)];
      todo[num++] = m->bvh_child[2 * (adr + node) + 1];
    } else if (!sphere_apart(m, d, geom, elem + 6 * leaf, margin)) {
      pair_list_add(out, geom, leaf);
    }
  }
}

// Contacts of a body with a flex, by the flex's BVH. Planes on static bodies collide with vertices,
// other geoms with elements in the order of ids.
static void collide_trees(const mjModel* m, mjData* d, int body, int flex) {
  int begin = m->body_geomadr[body], end = begin + m->body_geomnum[body];
  for (int g = begin; g < end; g++) {
    int first = d->ncon;
    if (m->geom_type[g] == mjGEOM_PLANE) {
      if (!body_moves(m, body)) {
        flex_plane(m, d, g, flex);
        flex_reduce(m, d, flex, first);
      }
      continue;
    }
    if (!geom_meets(m, g, flex)) {
      continue;
    }
    mj_markStack(d);
    PairList near = {.d = d};
    descend_geom(&near, m, d, g, flex, flex_geom_margin(m, flex, g));
    pair_sort(near.key, near.spare, near.num);
    for (int64_t i = 0; i < near.num; i++) {
      flex_geom_element(m, d, g, flex, pair_second(near.key[i]));
    }
    mj_freeStack(d);
    flex_reduce(m, d, flex, first);
  }
}

static void collide_body(const mjModel* m, mjData* d, int body, int flex) {
  int midphase = !(m->opt.disableflags & mjDSBL_MIDPHASE);
  if (midphase && m->body_bvhadr[body] >= 0 && m->flex_bvhadr[flex] >= 0) {
    collide_trees(m, d, body, flex);
    return;
  }
  int begin = m->body_geomadr[body], end = begin + m->body_geomnum[body];
  const mjtNum* elem = d->flexelem_aabb + 6 * (size_t)m->flex_elemadr[flex];
  for (int g = begin; g < end; g++) {
    int first = d->ncon;
    if (!geom_meets(m, g, flex)) {
      continue;
    }
    if (m->geom_type[g] == mjGEOM_PLANE) {
      flex_plane(m, d, g, flex);
      flex_reduce(m, d, flex, first);
      continue;
    }
    mjtNum margin = flex_geom_margin(m, flex, g);
    for (int e = 0; e < m->flex_elemnum[flex]; e++) {
      if (midphase || !sphere_apart(m, d, g, elem + 6 * (size_t)e, margin)) {
        flex_geom_element(m, d, g, flex, e);
      }
    }
    flex_reduce(m, d, flex, first);
  }
}

// two flexes

// Adds the pairs of elements whose boxes overlap, by descending both BVHs.
static void descend_both(PairList* out, const mjModel* m, mjData* d, int f1, int f2) {
  int adr1 = m->flex_bvhadr[f1], adr2 = m->flex_bvhadr[f2], num = 0;
  const mjtNum* box1 = d->bvh_aabb_dyn + 6 * (size_t)(adr1 - m->nbvhstatic);
  const mjtNum* box2 = d->bvh_aabb_dyn + 6 * (size_t)(adr2 - m->nbvhstatic);
  mjtNum margin = flex_margin(m, f1, f2);

  // opening a node replaces one pair on the stack by two, so it grows by one per level; the depths
  // of both trees together are less than their numbers of nodes
  size_t room = (size_t)m->flex_bvhnum[f1] + (size_t)m->flex_bvhnum[f2] + 2;
  uint64_t* todo = arena_push(d, room * sizeof(uint64_t), _Alignof(uint64_t));
  if (!todo) {
    mj_warning(d, mjWARN_CONTACTFULL, d->ncon);
    return;
  }
  todo[num++] = pair_key(0, 0);
  while (num) {
    uint64_t key = todo[--num];
    int n1 = pair_first(key), n2 = pair_second(key);
    int leaf1 = m->bvh_nodeid[adr1 + n1], leaf2 = m->bvh_nodeid[adr2 + n2];
    const mjtNum *a = box1 + 6 * n1, *b = box2 + 6 * n2;
    if (flex_boxes_apart(a, b, margin)) {
      continue;
    }
    if (leaf1 >= 0 && leaf2 >= 0) {
      pair_list_add(out, leaf1, leaf2);
      continue;
    }
    int open1 = leaf2 >= 0 || (leaf1 < 0 && a[3] + a[4] + a[5] > b[3] + b[4] + b[5]);
    for (int i = 0; i < 2; i++) {
      todo[num++] = open1 ? pair_key(m->bvh_child[2 * (adr1 + n1) + i], n2)
                          : pair_key(n1, m->bvh_child[2 * (adr2 + n2) + i]);
    }
  }
}

static void collide_flexes(const mjModel* m, mjData* d, int f1, int f2) {
  if (m->opt.disableflags & mjDSBL_MIDPHASE || m->flex_bvhadr[f1] < 0 || m->flex_bvhadr[f2] < 0) {
    for (int e1 = 0; e1 < m->flex_elemnum[f1]; e1++) {
      for (int e2 = 0; e2 < m->flex_elemnum[f2]; e2++) {
        flex_elements(m, d, f1, e1, f2, e2);
      }
    }
    return;
  }
  mj_markStack(d);
  PairList near = {.d = d};
  descend_both(&near, m, d, f1, f2);
  pair_sort(near.key, near.spare, near.num);
  for (int64_t i = 0; i < near.num; i++) {
    flex_elements(m, d, f1, pair_first(near.key[i]), f2, pair_second(near.key[i]));
  }
  mj_freeStack(d);
}

void flex_collide(const mjModel* m, mjData* d, int first, int second) {
  if (first < m->nbody) {
    collide_body(m, d, first, second - m->nbody);
  } else {
    collide_flexes(m, d, first - m->nbody, second - m->nbody);
  }
}
