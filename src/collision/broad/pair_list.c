// The list grows by doubling, on the stack of the arena. Nearly sorted keys are sorted by
// insertion, all others by radix sort.

#include "collision/broad/pair_list.h"

#include <mujoco/api/model.h>
#include <string.h>

#include "model/data/arena.h"

enum {
  FIRST_CAPACITY = 64,
  FEW = 80,  // the number of keys up to which insertion is faster than eight counting passes
};

int pair_list_grow(PairList* list) {
  if (list->full) {
    return 0;
  }
  int64_t capacity = list->capacity ? 2 * list->capacity : FIRST_CAPACITY;
  uint64_t* key = arena_push(list->d, 2 * (size_t)capacity * sizeof(uint64_t), _Alignof(uint64_t));
  if (!key) {
    list->full = 1;
    mj_warning(list->d, mjWARN_CONTACTFULL, list->d->ncon);
    return 0;
  }
  if (list->num) {
    memcpy(key, list->key, (size_t)list->num * sizeof(uint64_t));
  }
  list->key = key;
  list->spare = key + capacity;
  list->capacity = capacity;
  return 1;
}

// Counting sort by each byte, least significant first. Bytes that are the same in all keys are
// skipped, and so are lower halves that ascend already.
static void radix_sort(uint64_t* key, uint64_t* spare, int64_t num) {
  uint64_t *from = key, *to = spare, differ = 0;
  int ascend = 1;
  for (int64_t i = 1; i < num; i++) {
    differ |= key[i] ^ key[0];
    ascend &= (uint32_t)key[i] >= (uint32_t)key[i - 1];
  }
  // an LSD radix sort keeps the order of equal keys, so lower halves that ascend need no pass
  differ = ascend ? differ >> 32 << 32 : differ;
  for (int b = 0; b < 8; b++) {
    if (!(differ >> (8 * b) & 0xFF)) {
      continue;
    }
    int64_t count[256] = {0};
    for (int64_t i = 0; i < num; i++) {
      count[key[i] >> (8 * b) & 0xFF]++;
    }
    int64_t start = 0;
    for (int v = 0; v < 256; v++) {
      int64_t next = start + count[v];
      count[v] = start;
      start = next;
    }
    for (int64_t i = 0; i < num; i++) {
      to[count[from[i] >> (8 * b) & 0xFF]++] = from[i];
    }
    uint64_t* swap = from;
    from = to;
    to = swap;
  }
  if (from != key) {
    memcpy(key, from, (size_t)num * sizeof(uint64_t));
  }
}

void pair_sort(uint64_t* key, uint64_t* spare, int64_t num) {
  // pairs mostly come in order
  int64_t sorted = 1;
  while (sorted < num && key[sorted - 1] <= key[sorted]) {
    sorted++;
  }
  if (num - sorted > FEW) {
    radix_sort(key, spare, num);
    return;
  }
  for (int64_t i = sorted; i < num; i++) {
    uint64_t x = key[i];
    int64_t j = i;
    for (; j > 0 && key[j - 1] > x; j--) {
      key[j] = key[j - 1];
    }
    key[j] = x;
  }
}
