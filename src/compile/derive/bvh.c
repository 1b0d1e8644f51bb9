// bvh.c: builds bounding volume hierarchies (BVHs, trees of boxes) by splitting leaves at the
// median along the longest side.

#include "compile/derive/bvh.h"

#include <mujoco/api/base.h>

#include "base/algebra/vec.h"
#include "base/memory/memory.h"
#include "compile/derive/derive.h"

// A box thinner than this is padded by this on both sides. A side counts as longer only if it is
// longer by this much. Positions closer than this count as equal. It is about fifty roundings of a
// number near 1, so that symmetric shapes are split alike whatever the rounding of their numbers.
static const mjtNum bvh_eps = sizeof(mjtNum) == sizeof(double) ? (mjtNum)1e-14 : (mjtNum)5e-6;

// A leaf with its coordinate along the axis of a split.
typedef struct Key_ {
  mjtNum place;
  const BvhLeaf* leaf;
} Key;

typedef struct Builder_ {
  BvhNodes out;
  int nnode;
} Builder;

static int before(const Key* a, const Key* b) {
  mjtNum difference = a->place - b->place;
  return difference < -bvh_eps || (!(difference > bvh_eps) && a->leaf < b->leaf);
}

static void swap(Key* a, Key* b) {
  Key t = *a;
  *a = *b;
  *b = t;
}

// Reorders key[n] so that the `half` lowest come first, by quickselect with the median of first,
// middle and last as pivot.
static void select_half(Key* key, int n, int half) {
  int lo = 0, hi = n - 1;
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (before(key + mid, key + lo)) {
      swap(key + mid, key + lo);
    }
    if (before(key + hi, key + lo)) {
      swap(key + hi, key + lo);
    }
    if (before(key + hi, key + mid)) {
      swap(key + hi, key + mid);
    }
    Key pivot = key[mid];
    int i = lo, j = hi;
    while (i <= j) {
      while (before(key + i, &pivot)) {
        i++;
      }
      while (before(&pivot, key + j)) {
        j--;
      }
      if (i <= j) {
        swap(key + i++, key + j--);
      }
    }
    // the lower part is lo..j, the upper i..hi; keys between them equal the pivot
    if (half - 1 <= j) {
      hi = j;
    } else if (half - 1 >= i) {
      lo = i;
    } else {
      return;
    }
  }
}

static void thicken(mjtNum lower[3], mjtNum upper[3]) {
  for (int k = 0; k < 3; k++) {
    if (upper[k] - lower[k] < bvh_eps) {
      lower[k] -= bvh_eps;
      upper[k] += bvh_eps;
    }
  }
}

static void to_center(mjtNum aabb[6], const mjtNum lower[3], const mjtNum upper[3]) {
  mjtNum sum[3], side[3];
  v3_add(sum, lower, upper);
  v3_sub(side, upper, lower);
  v3_scl(aabb, sum, (mjtNum)0.5);
  v3_scl(aabb + 3, side, (mjtNum)0.5);
}

static void hull(mjtNum lower[3], mjtNum upper[3], const Key* key, int n) {
  mjtNum low[3], high[3];
  v3_copy(low, key[0].leaf->lower);
  v3_copy(high, key[0].leaf->upper);
  for (int i = 1; i < n; i++) {
    const BvhLeaf* l = key[i].leaf;
    for (int k = 0; k < 3; k++) {
      low[k] = num_min(low[k], l->lower[k]);
      high[k] = num_max(high[k], l->upper[k]);
    }
  }
  thicken(low, high);
  v3_copy(lower, low);
  v3_copy(upper, high);
}

static int longest_axis(const mjtNum lower[3], const mjtNum upper[3]) {
  int axis = 0;
  for (int k = 1; k < 3; k++) {
    if (upper[k] - lower[k] >= upper[axis] - lower[axis] + bvh_eps) {
      axis = k;
    }
  }
  return axis;
}

// Writes the subtree over key[n] and returns its root's index.
static int build(Builder* w, Key* key, int n, int depth) {
  int node = w->nnode++;
  mjtNum lower[3], upper[3];
  hull(lower, upper, key, n);

  w->out.depth[node] = depth;
  if (w->out.aabb) {
    to_center(w->out.aabb + 6 * node, lower, upper);
  }
  if (n == 1) {
    w->out.nodeid[node] = key->leaf->id;
    w->out.child[2 * node] = w->out.child[2 * node + 1] = -1;
    return node;
  }

  int axis = longest_axis(lower, upper);
  for (int i = 0; i < n; i++) {
    key[i].place = key[i].leaf->pos[axis];
  }
  int half = n / 2;
  if (n > 2) {
    select_half(key, n, half);
  } else if (before(key + 1, key)) {
    swap(key, key + 1);
  }
  w->out.nodeid[node] = -1;
  w->out.child[2 * node] = build(w, key, half, depth + 1);
  w->out.child[2 * node + 1] = build(w, key + half, n - half, depth + 1);
  return node;
}

int bvh_build(const BvhNodes* out, const BvhLeaf* leaf, int n) {
  if (n <= 0) {
    return 0;
  }
  Builder w = {*out, 0};
  Key* key = heap_take((size_t)n * sizeof(Key));
  for (int i = 0; i < n; i++) {
    key[i].leaf = leaf + i;
  }
  build(&w, key, n, 0);
  heap_free(key);
  return w.nnode;
}

// The box in the target frame around a box (center, half sizes) with pose (pos, quat).
//
// A rotated box has half sizes |R| h.
static void place_box(mjtNum lower[3], mjtNum upper[3], const mjtNum aabb[6], const mjtNum pos[3],
                      const mjtNum quat[4]) {
  mjtNum center[3], mat[9];
  q_rotate(center, aabb, quat);
  v3_addto(center, pos);
  q_tomat(mat, quat);
  for (int k = 0; k < 3; k++) {
    mjtNum reach = mju_abs(mat[3 * k]) * aabb[3] + mju_abs(mat[3 * k + 1]) * aabb[4] +
                   mju_abs(mat[3 * k + 2]) * aabb[5];
    lower[k] = center[k] - reach;
    upper[k] = center[k] + reach;
  }
}

// The leaf of a geom. Boxes of a body are in its inertial frame.
static void geom_leaf(BvhLeaf* out, const mjModel* m, int geom, int body) {
  mjtNum toinertia[4], quat[4];
  q_conj(toinertia, m->body_iquat + 4 * body);
  q_mul(quat, toinertia, m->geom_quat + 4 * geom);
  v3_sub(out->pos, m->geom_pos + 3 * geom, m->body_ipos + 3 * body);
  q_rotate(out->pos, out->pos, toinertia);
  place_box(out->lower, out->upper, m->geom_aabb + 6 * geom, out->pos, quat);
  out->id = geom;
}

int derive_bvh(mjModel* m) {
  BvhLeaf* leaf = heap_take((size_t)(m->ngeom ? m->ngeom : 1) * sizeof(BvhLeaf));
  int adr = 0;
  for (int b = 0; b < m->nbody; b++) {
    int n = 0;
    int first = m->body_geomadr[b];
    for (int g = first; g < first + m->body_geomnum[b]; g++) {
      if (m->geom_contype[g] || m->geom_conaffinity[g]) {
        geom_leaf(leaf + n++, m, g, b);
      }
    }
    BvhNodes out = {m->bvh_depth + adr, m->bvh_child + 2 * adr, m->bvh_nodeid + adr,
                    m->bvh_aabb + 6 * adr};
    m->body_bvhadr[b] = n ? adr : -1;
    m->body_bvhnum[b] = bvh_build(&out, leaf, n);
    adr += m->body_bvhnum[b];
  }
  heap_free(leaf);
  return adr;
}

// Children come after their parent. Boxes stand as (lower, upper) until all of a tree are known.
void derive_refit(mjModel* m) {
  for (int b = 0; b < m->nbody; b++) {
    int adr = m->body_bvhadr[b], num = m->body_bvhnum[b];
    for (int node = adr + num - 1; num && node >= adr; node--) {
      mjtNum* box = m->bvh_aabb + 6 * node;
      BvhLeaf leaf;
      if (m->bvh_nodeid[node] >= 0) {
        geom_leaf(&leaf, m, m->bvh_nodeid[node], b);
        v3_copy(box, leaf.lower);
        v3_copy(box + 3, leaf.upper);
        continue;
      }
      const mjtNum* one = m->bvh_aabb + 6 * (adr + m->bvh_child[2 * node]);
      const mjtNum* other = m->bvh_aabb + 6 * (adr + m->bvh_child[2 * node + 1]);
      for (int k = 0; k < 3; k++) {
        box[k] = num_min(one[k], other[k]);
        box[3 + k] = num_max(one[3 + k], other[3 + k]);
      }
    }
    for (int node = adr; num && node < adr + num; node++) {
      mjtNum lower[3], upper[3], *box = m->bvh_aabb + 6 * node;
      v3_copy(lower, box);
      v3_copy(upper, box + 3);
      thicken(lower, upper);
      to_center(box, lower, upper);
    }
  }
}
