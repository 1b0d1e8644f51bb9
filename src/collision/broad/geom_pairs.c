// Mid phase. Each two geoms are tested by bit masks, world boxes, bounding spheres and oriented
// boxes; for bodies with many geoms both BVHs are descended together instead.

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it rounds boxes that just touch differently

#include "collision/broad/geom_pairs.h"

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "base/algebra/matrix_simd.h"
#include "base/algebra/vec.h"
#include "collision/broad/node.h"
#include "collision/contact_param.h"
#include "model/data/arena.h"
#include "model/reach.h"

int bounding_spheres_apart(const mjModel* m, const mjData* d, int g1, int g2, mjtNum margin) {
  const mjtNum *p1 = d->geom_xpos + 3 * g1, *p2 = d->geom_xpos + 3 * g2;
  mjtNum r1 = m->geom_rbound[g1], r2 = m->geom_rbound[g2];
  mjtNum gap[3];
  v3_sub(gap, p2, p1);
  if (r1 > 0 && r2 > 0) {
    mjtNum reach = r1 + r2 + margin;
    return v3_dot(gap, gap) > reach * reach;
  }

  // the height above the plane decides: a geom below the plane is never apart
  mjtNum n[3];
  if (m->geom_type[g1] == mjGEOM_PLANE && r2 > 0) {
    m3_column(n, d->geom_xmat + 9 * g1, 2);
    return v3_dot(gap, n) > margin + r2;
  }
  if (m->geom_type[g2] == mjGEOM_PLANE && r1 > 0) {
    m3_column(n, d->geom_xmat + 9 * g2, 2);
    return -v3_dot(gap, n) > margin + r1;
  }
  return 0;
}

// Elements 1, 2 and 3 of a vector, followed by an undefined one.
INLINE void shift(Simd4* out, const Simd4* v) {
  *out = SIMD4_ORDER(*v, 1, 2, 3, 3);
}

// The rows and the columns of a 3 x 3 matrix as vectors; their fourth number is undefined.
INLINE void rows_and_columns(Simd4 row[3], Simd4 column[3], const mjtNum mat[9]) {
  row[0] = SIMD_READ(Simd4, mat);
  row[1] = SIMD_READ(Simd4, mat + 3);
  row[2] = SIMD_READ(Simd4, mat + 5);
  shift(row + 2, row + 2);
  simd4_columns(column, mat);
}

// v_0 x_0 + v_1 x_1 + v_2 x_2
INLINE void combine(Simd4* out, const Simd4 v[3], const mjtNum* x, int step) {
  *out = v[0] * x[0] + v[1] * x[step] + v[2] * x[2 * step];
}

// The frames of two boxes. relative[0]: columns of |R1' R2|, relative[1]: columns of |R2' R1|.
typedef struct {
  const mjtNum *pos1, *pos2;
  Simd4 row1[3], row2[3], column1[3], column2[3], relative[2][3];
} BoxFrames;

INLINE void box_frames(BoxFrames* f, const mjtNum* pos1, const mjtNum* mat1, const mjtNum* pos2,
                       const mjtNum* mat2) {
  f->pos1 = pos1;
  f->pos2 = pos2;
  rows_and_columns(f->row1, f->column1, mat1);
  rows_and_columns(f->row2, f->column2, mat2);
  for (int j = 0; j < 3; j++) {
    combine(f->relative[0] + j, f->row1, mat2 + j, 3);
    simd4_abs(f->relative[0] + j, f->relative[0] + j);
    combine(f->relative[1] + j, f->row2, mat1 + j, 3);
    simd4_abs(f->relative[1] + j, f->relative[1] + j);
  }
}

// Whether |t|_k > s_k + reach_k + margin for some k, reach = sum_j s'_j |W_j|.
INLINE int are_apart(Simd4* t, const mjtNum* aabb, const mjtNum* other, const Simd4 W[3],
                     mjtNum margin) {
  const Simd4 none = {INFINITY, INFINITY, INFINITY, INFINITY};
  Simd4 reach, half = SIMD_READ(Simd4, aabb + 2);
  half = SIMD4_ZIP(half, none, 1, 2, 3, 4);
  simd4_abs(t, t);
  combine(&reach, W, other + 3, 1);
  Simd4Mask apart = *t > half + reach + margin;
  apart |= SIMD4_ORDER(apart, 2, 3, 0, 1);
  return (apart[0] | apart[1]) != 0;
}

// Whether two boxes, each (centre, half sizes) in one of the frames, are more than margin apart
// along one of their six face normals n:
//
//     |n . c21| > sum_k s1_k |n . a_k| + sum_k s2_k |n . b_k| + margin
//
// A half size of mjMAXVAL is infinite. The normals of the other box are not tested against an
// infinite one; a box that is infinite along all axes is apart from nothing.
INLINE int boxes_apart(const BoxFrames* f, const mjtNum* a, const mjtNum* b, mjtNum margin) {
  const mjtNum *s1 = a + 3, *s2 = b + 3;
  int inf1 = (s1[0] >= mjMAXVAL) + (s1[1] >= mjMAXVAL) + (s1[2] >= mjMAXVAL);
  int inf2 = (s2[0] >= mjMAXVAL) + (s2[1] >= mjMAXVAL) + (s2[2] >= mjMAXVAL);
  if (inf1 == 3 || inf2 == 3) {
    return 0;
  }
  Simd4 center1, center2, t;
  mjtNum gap[3];
  combine(&center1, f->column1, a, 1);
  combine(&center2, f->column2, b, 1);
  for (int k = 0; k < 3; k++) {
    gap[k] = (center2[k] + f->pos2[k]) - (center1[k] + f->pos1[k]);
  }
  if (!inf2) {
    combine(&t, f->row1, gap, 1);
    if (are_apart(&t, a, b, f->relative[0], margin)) {
      return 1;
    }
  }
  if (!inf1) {
    combine(&t, f->row2, gap, 1);
    return are_apart(&t, b, a, f->relative[1], margin);
  }
  return 0;
}

// Frames for the boxes of two bodies' BVH nodes, computed once per descent.
static KERNEL void make_frames(BoxFrames* f, const mjtNum* pos1, const mjtNum* mat1,
                               const mjtNum* pos2, const mjtNum* mat2) {
  box_frames(f, pos1, mat1, pos2, mat2);
}

static KERNEL int nodes_apart(const BoxFrames* f, const mjtNum* a, const mjtNum* b, mjtNum margin) {
  return boxes_apart(f, a, b, margin);
}

KERNEL int oriented_boxes_apart(const OrientedBox* a, const OrientedBox* b, mjtNum margin) {
  BoxFrames f;
  box_frames(&f, a->pos, a->mat, b->pos, b->mat);
  return boxes_apart(&f, a->box, b->box, margin);
}

int oriented_geoms_apart(const mjModel* m, const mjData* d, int g1, int g2, mjtNum margin) {
  OrientedBox a = oriented_geom(m, d, g1), b = oriented_geom(m, d, g2);
  return oriented_boxes_apart(&a, &b, margin);
}

static int geom_collides(const mjModel* m, int g) {
  return m->geom_contype[g] || m->geom_conaffinity[g];
}

// Adds the pair if its bounding spheres and oriented boxes meet. Oriented boxes are not tested
// where the collider costs no more than that test.
static void add_near(PairList* out, const mjModel* m, const mjData* d, int g1, int g2) {
  mjtNum margin = contact_margin(m, g1, g2, -1);
  if (bounding_spheres_apart(m, d, g1, g2, margin)) {
    return;
  }
  int type1 = m->geom_type[g1], type2 = m->geom_type[g2];
  int cheap = (type1 <= mjGEOM_CAPSULE && type2 <= mjGEOM_CAPSULE) || type1 == mjGEOM_PLANE ||
              type2 == mjGEOM_PLANE;
  if (!cheap && oriented_geoms_apart(m, d, g1, g2, margin)) {
    return;
  }
  pair_list_add(out, type1 > type2 ? g2 : g1, type1 > type2 ? g1 : g2);
}

// Whether the bit masks let two geoms collide. If the program has a filter, it is asked later and
// replaces this test.
static inline int bits_meet(const mjModel* m, int g1, int g2, mjfConFilt filter) {
  return filter || (m->geom_contype[g1] & m->geom_conaffinity[g2]) ||
         (m->geom_contype[g2] & m->geom_conaffinity[g1]);
}

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
        add_near(out, m, d, geom1, geom2);
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
  if (all > MID_FEW) {
    descend(out, m, d, box, b1, b2, filter);
  } else {
    for (int g1 = begin1; g1 < end1; g1++) {
      for (int g2 = begin2; g2 < end2 && geom_collides(m, g1); g2++) {
        if (geom_collides(m, g2) && bits_meet(m, g1, g2, filter) &&
            !(box && box_apart(box + g1, box + g2))) {
          add_near(out, m, d, g1, g2);
        }
      }
    }
  }
  pair_sort(out->key + first, out->spare + first, out->num - first);
}
