// pair_list.h: a list of candidate pairs that grows on the stack of mjData, and its sort.
//
// The number of pairs isn't known beforehand. A full list moves to twice the room and leaves the
// old room behind until mj_freeStack. Without room on the stack further pairs are left out, with
// the warning for a full contact buffer. A pair is one integer with the first id in the upper half:
// ascending integers are the order in which pairs are processed.

#pragma once

#include <mujoco/mjdata.h>
#include <stdint.h>
#include <string.h>

typedef struct PairList {
  mjData* d;
  uint64_t *key, *spare;  // the pairs, and as much scratch for sorting them
  int64_t num, capacity;
  int full;  // pairs were left out
} PairList;

static inline uint64_t pair_key(int first, int second) {
  return (uint64_t)(uint32_t)first << 32 | (uint32_t)second;
}

static inline int pair_first(uint64_t key) {
  return (int)(key >> 32);
}

static inline int pair_second(uint64_t key) {
  return (int)(key & 0xFFFFFFFF);
}

// Doubles the room of a full list; returns 0, with a warning, if the stack has none.
int pair_list_grow(PairList* list);

static inline void pair_list_put(PairList* list, uint64_t key) {
  if (list->num == list->capacity && !pair_list_grow(list)) {
    return;
  }
  list->key[list->num++] = key;
}

static inline void pair_list_add(PairList* list, int first, int second) {
  pair_list_put(list, pair_key(first, second));
}

// An integer that sorts as x does.
static inline uint32_t ordered_bits(float x) {
  uint32_t u;
  memcpy(&u, &x, sizeof(u));
  return u & 0x80000000u ? ~u : u | 0x80000000u;
}

// Sorts num integers in ascending order; spare has room for num more. Linear time if num is large.
void pair_sort(uint64_t* key, uint64_t* spare, int64_t num);
