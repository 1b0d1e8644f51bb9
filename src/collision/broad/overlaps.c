// Sweep and prune: boxes are sorted by their lower bounds along one axis; a box is compared with
// the next ones that begin before it ends, eight at a time.
//                                                          theory/contact/collision.md, Broad phase

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it rounds boxes that just touch differently

#include "collision/broad/overlaps.h"

#include <math.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "model/data/arena.h"

enum {
  WIDE = 8  // boxes that are compared at once
};

typedef float WideFloat __attribute__((vector_size(4 * WIDE), aligned(sizeof(float)), may_alias));
typedef int32_t WideMask __attribute__((vector_size(4 * WIDE)));
typedef int64_t WideBits __attribute__((vector_size(4 * WIDE)));

// The axis along which the centres of the boxes have the largest variance.
static int widest_axis(const GeomBox* box, int num) {
  const BoxCorner origin = *(const BoxCorner*)box->lo + *(const BoxCorner*)box->hi;
  Simd4 sum = {0}, square = {0};
  for (int i = 0; i < num; i++) {
    BoxCorner centre = *(const BoxCorner*)box[i].lo + *(const BoxCorner*)box[i].hi - origin;
    Simd4 x = {centre[0], centre[1], centre[2]};
    sum += x;
    square += x * x;
  }
  int axis = 0;
  mjtNum widest = -1;
  for (int k = 0; k < 3; k++) {
    mjtNum variance = square[k] - sum[k] * sum[k] / (mjtNum)num;
    if (variance > widest) {
      widest = variance;
      axis = k;
    }
  }
  return axis;
}

// Boxes in ascending order of their lower bounds along an axis. key: the bound in the upper half,
// the number of the box in the lower one. Behind the bounds there is room to read a whole vector.
typedef struct SortedBoxes {
  const uint64_t* key;
  float *lo[3], *hi[3];
  int num, axis;
} SortedBoxes;

static SortedBoxes sort_boxes(mjData* d, const GeomBox* box, int num, int axis) {
  uint64_t* key = arena_take(d, 2 * (size_t)num * sizeof(uint64_t), _Alignof(uint64_t));
  for (int i = 0; i < num; i++) {
    key[i] = (uint64_t)ordered_bits(box[i].lo[axis]) << 32 | (uint32_t)i;
  }
  pair_sort(key, key + num, num);
  SortedBoxes sorted = {.key = key, .num = num, .axis = axis};
  size_t stride = (size_t)num + WIDE;
  float* bound = arena_take(d, 6 * stride * sizeof(float), sizeof(WideFloat));
  for (int k = 0; k < 3; k++) {
    sorted.lo[k] = bound + 2 * k * stride;
    sorted.hi[k] = bound + (2 * k + 1) * stride;
    memset(sorted.lo[k] + num, 0, WIDE * sizeof(float));
    memset(sorted.hi[k] + num, 0, WIDE * sizeof(float));
  }
  for (int i = 0; i < num; i++) {
    const GeomBox* from = box + (uint32_t)key[i];
    for (int k = 0; k < 3; k++) {
      sorted.lo[k][i] = from->lo[k];
      sorted.hi[k][i] = from->hi[k];
    }
  }
  return sorted;
}

static int box_number(const SortedBoxes* s, int i) {
  return (int)(uint32_t)s->key[i];
}

// The largest sort key of a box that begins before box i ends.
static uint64_t last_key(const SortedBoxes* s, int i) {
  return (uint64_t)ordered_bits(s->hi[s->axis][i]) << 32 | 0xFFFFFFFFu;
}

// Which of the boxes j.. of `other` box i is not apart from, as box_apart has it: all bits set.
INLINE void overlaps_of(WideMask* meet, const SortedBoxes* one, int i, const SortedBoxes* other,
                        int j) {
  WideMask apart = {0};
  for (int k = 0; k < 3; k++) {
    const WideFloat lo = *(const WideFloat*)(other->lo[k] + j);
    const WideFloat hi = *(const WideFloat*)(other->hi[k] + j);
    apart |= (WideMask)(one->lo[k][i] > hi) | (WideMask)(lo > one->hi[k][i]);
  }
  *meet = ~apart;
}

// Appends the overlaps of box i of the one sequence with the boxes of the other from j on that
// begin before it ends. turned: the other's number comes first.
INLINE void add_overlaps(PairList* out, const SortedBoxes* one, int i, const SortedBoxes* other,
                         int j, int turned) {
  uint64_t end = last_key(one, i);
  for (; j < other->num && other->key[j] <= end; j += WIDE) {
    WideMask meet;
    overlaps_of(&meet, one, i, other, j);
    WideBits any = (WideBits)meet;
    if (!(any[0] | any[1] | any[2] | any[3])) {
      continue;
    }
    for (int l = 0; l < WIDE && j + l < other->num && other->key[j + l] <= end; l++) {
      if (meet[l]) {
        int first = box_number(one, i), second = box_number(other, j + l);
        pair_list_add(out, turned ? second : first, turned ? first : second);
      }
    }
  }
}

KERNEL static void sweep_one(PairList* out, const SortedBoxes* s) {
  for (int i = 0; i < s->num; i++) {
    add_overlaps(out, s, i, s, i + 1, 0);
  }
}

// Appends the pairs whose box of the one sequence begins first. Two boxes that begin together would
// meet twice: only one side (ties) reports the pair.
KERNEL static void sweep_two(PairList* out, const SortedBoxes* one, const SortedBoxes* other,
                             int ties, int turned) {
  for (int i = 0, start = 0; i < one->num; i++) {
    uint64_t begin = one->key[i] >> 32 << 32;
    begin = ties ? begin : begin | 0xFFFFFFFFu;
    while (start < other->num && other->key[start] < begin) {
      start++;
    }
    add_overlaps(out, one, i, other, start, turned);
  }
}

void box_overlaps(PairList* out, mjData* d, const GeomBox* box, int num) {
  if (num <= BOXES_FEW) {
    for (int i = 0; i < num; i++) {
      for (int j = i + 1; j < num; j++) {
        if (!box_apart(box + i, box + j)) {
          pair_list_add(out, i, j);
        }
      }
    }
    return;
  }
  SortedBoxes sorted = sort_boxes(d, box, num, widest_axis(box, num));
  sweep_one(out, &sorted);
}

void boxes_between(PairList* out, mjData* d, const GeomBox* box1, int num1, const GeomBox* box2,
                   int num2) {
  if (num1 <= BOXES_FEW && num2 <= BOXES_FEW) {
    for (int i = 0; i < num1; i++) {
      for (int j = 0; j < num2; j++) {
        if (!box_apart(box1 + i, box2 + j)) {
          pair_list_add(out, i, j);
        }
      }
    }
    return;
  }
  int axis = num1 > num2 ? widest_axis(box1, num1) : widest_axis(box2, num2);
  SortedBoxes one = sort_boxes(d, box1, num1, axis), other = sort_boxes(d, box2, num2, axis);
  sweep_two(out, &one, &other, 1, 0);
  sweep_two(out, &other, &one, 0, 1);
}
