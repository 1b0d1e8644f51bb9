// Mid phase. Each two geoms are tested by bit masks, world boxes, bounding spheres and oriented
// boxes; for bodies with many geoms both BVHs are descended together instead, or the BVH of a large
// fixed body is asked for what is near the other.

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it rounds boxes that just touch differently

#include "collision/broad/geom_pairs.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "collision/broad/fixed_tree.h"
#include "collision/broad/near_geoms.h"
#include "collision/broad/node.h"
#include "model/data/arena.h"
#include "model/reach.h"

// The box of a geom: from the broad phase if it made one (boxes), else computed into `room`.
static const GeomBox* box_of(GeomBox* room, const mjModel* m, const mjData* d, const GeomBox* boxes,
                             int geom) {
  if (boxes) {
    return boxes + geom;
  }
  geom_box(room, m, d, geom);
  return room;
}

// Descends both bodies' trees together and adds the pairs of geoms whose boxes overlap.
static void descend(PairList* out, const mjModel* m, mjData* d, const GeomBox* box, int b1, int b2,
                    mjfConFilt filter) {
  int root1 = m->body_bvhadr[b1], root2 = m->body_bvhadr[b2];
  mjtNum margin = reaches_together(m, body_reach(m, b1), body_reach(m, b2));

  // one step down in either tree replaces a pair by two, so the depths bound the stack
  int room = m->body_bvhnum[b1] + m->body_bvhnum[b2] + 2;
  uint64_t* todo = arena_push(d, (size_t)room * sizeof(uint64_t), _Alignof(uint64_t));
  if (!todo) {
    mj_warning(d, mjWARN_CONTACTFULL, d->ncon);
    return;
  }
  BoxFrames frames;
  make_frames(&frames, d->xipos + 3 * b1, d->ximat + 9 * b1, d->xipos + 3 * b2, d->ximat + 9 * b2);
  const GeomBox* made1 = body_has_tree(m, b1) ? NULL : box;
  const GeomBox* made2 = body_has_tree(m, b2) ? NULL : box;
  int num = 0;
  todo[num++] = pair_key(root1, root2);
  while (num) {
    uint64_t key = todo[--num];
    int n1 = pair_first(key), n2 = pair_second(key);
    int geom1 = m->bvh_nodeid[n1], geom2 = m->bvh_nodeid[n2];
    const mjtNum *aabb1 = m->bvh_aabb + 6 * n1, *aabb2 = m->bvh_aabb + 6 * n2;
    if (geom1 >= 0 && geom2 >= 0) {
      GeomBox room1, room2;
      if (bits_meet(m, geom1, geom2, filter) &&
          !(box &&
            box_apart(box_of(&room1, m, d, made1, geom1), box_of(&room2, m, d, made2, geom2)))) {
        pair_add_near(out, m, d, geom1, geom2);
      }
      continue;
    }
    if (nodes_apart(&frames, aabb1, aabb2, margin)) {
      continue;
    }
    int open1 = opens_first(aabb1, geom1, aabb2, geom2);
    for (int i = 0; i < 2; i++) {
      if (open1) {
        todo[num++] = pair_key(root1 + m->bvh_child[2 * n1 + i], n2);
      } else {
        todo[num++] = pair_key(n1, root2 + m->bvh_child[2 * n2 + i]);
      }
    }
  }
}

void mid_phase(PairList* out, const mjModel* m, mjData* d, const GeomBox* box, int b1, int b2,
               mjfConFilt filter) {
  int begin1 = m->body_geomadr[b1], end1 = begin1 + m->body_geomnum[b1];
  int begin2 = m->body_geomadr[b2], end2 = begin2 + m->body_geomnum[b2];
  int64_t first = out->num, all = (int64_t)(end1 - begin1) * (end2 - begin2);
  if (all > MID_FEW && box && body_has_tree(m, b1) != body_has_tree(m, b2)) {
    fixed_tree_pairs(out, m, d, box, b1, b2, filter);
  } else if (all > MID_FEW) {
    descend(out, m, d, box, b1, b2, filter);
  } else {
    for (int g1 = begin1; g1 < end1; g1++) {
      for (int g2 = begin2; g2 < end2 && geom_collides(m, g1); g2++) {
        if (geom_collides(m, g2) && bits_meet(m, g1, g2, filter) &&
            !(box && box_apart(box + g1, box + g2))) {
          pair_add_near(out, m, d, g1, g2);
        }
      }
    }
  }
  pair_sort(out->key + first, out->spare + first, out->num - first);
}
