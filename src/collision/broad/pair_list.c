#include "collision/broad/pair_list.h"

#include <string.h>

enum {
  FIRST_CAPACITY = 64,
  FEW = 48,  // up to here insertion is faster than eight counting passes
};

void pair_list_grow(PairList* list) {
  int64_t capacity = list->capacity ? 2 * list->capacity : FIRST_CAPACITY;
  uint64_t* key =
      mj_stackAllocByte(list->d, (size_t)capacity * sizeof(uint64_t), _Alignof(uint64_t));
  if (list->num) {
    memcpy(key, list->key, (size_t)list->num * sizeof(uint64_t));
  }
  list->key = key;
  list->capacity = capacity;
}

// Counting sort by each byte, least significant first; bytes that are the same in all keys are
// passed over.
static void radix_sort(mjData* d, uint64_t* key, int64_t num) {
  mj_markStack(d);
  int64_t(*count)[256] = mj_stackAllocByte(d, 8 * sizeof(*count), _Alignof(int64_t));
  memset(count, 0, 8 * sizeof(*count));
  for (int64_t i = 0; i < num; i++) {
    for (int b = 0; b < 8; b++) {
      count[b][key[i] >> (8 * b) & 0xFF]++;
    }
  }

  uint64_t *from = key,
           *to = mj_stackAllocByte(d, (size_t)num * sizeof(uint64_t), _Alignof(uint64_t));
  for (int b = 0; b < 8; b++) {
    if (count[b][key[0] >> (8 * b) & 0xFF] == num) {
      continue;
    }
    int64_t start = 0;
    for (int v = 0; v < 256; v++) {
      int64_t next = start + count[b][v];
      count[b][v] = start;
      start = next;
    }
    for (int64_t i = 0; i < num; i++) {
      to[count[b][from[i] >> (8 * b) & 0xFF]++] = from[i];
    }
    uint64_t* swap = from;
    from = to;
    to = swap;
  }
  if (from != key) {
    memcpy(key, from, (size_t)num * sizeof(uint64_t));
  }
  mj_freeStack(d);
}

void pair_sort(mjData* d, uint64_t* key, int64_t num) {
  // pairs mostly come in order
  int64_t sorted = 1;
  while (sorted < num && key[sorted - 1] <= key[sorted]) {
    sorted++;
  }
  if (num - sorted > FEW) {
    radix_sort(d, key, num);
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
