// pair_list.h: a list of candidate pairs that grows on the stack of mjData, and its sort.
//
// How many pairs survive a phase is not known before; a list doubles when it is full and leaves its
// old room behind until mj_freeStack, so it never takes more than twice what it needs. If the stack
// has no room for that, further pairs are left out and contacts count as too many. A pair is one
// integer, first id in the upper half, so that ascending order of the integers is the order in
// which pairs are processed.

#ifndef CONDYLE_COLLISION_BROAD_PAIR_LIST_H_
#define CONDYLE_COLLISION_BROAD_PAIR_LIST_H_

#include <mujoco/mjdata.h>
#include <stdint.h>

typedef struct PairList {
  mjData* d;
  uint64_t *key, *spare;  // the pairs, and as much room for sorting them
  int64_t num, capacity;
  int full;  // something was left out
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

// Doubles the room of a full list; 0, with a warning, if there is none.
int pair_list_grow(PairList* list);

static inline void pair_list_add(PairList* list, int first, int second) {
  if (list->num == list->capacity && !pair_list_grow(list)) {
    return;
  }
  list->key[list->num++] = pair_key(first, second);
}

// Sorts num integers in ascending order, with room for as many more; linear time for many.
void pair_sort(uint64_t* key, uint64_t* spare, int64_t num);

#endif  // CONDYLE_COLLISION_BROAD_PAIR_LIST_H_
