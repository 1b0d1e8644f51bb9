// weld.c: a hash table of places with linear probing that is at most half full.

#include "meshfile/weld.h"

#include <stdint.h>
#include <string.h>

#include "base/memory/memory.h"

// Hash of a position. The factors spread neighbouring values: 2^64 / golden ratio, and a prime of
// xxHash.
static uint64_t hash_place(const float place[3]) {
  uint32_t bits[3];
  memcpy(bits, place, sizeof(bits));
  uint64_t hash = ((uint64_t)bits[0] << 32 | bits[1]) * 0x9E3779B97F4A7C15u;
  hash = (hash ^ hash >> 32 ^ bits[2]) * 0xC2B2AE3D27D4EB4Fu;
  return hash ^ hash >> 29;
}

int weld_points(int* vertex, float* point, size_t npoint) {
  size_t capacity = 16;
  while (capacity < 2 * npoint) {
    capacity *= 2;
  }
  int *table = heap_take(capacity * sizeof(int)), n = 0;
  if (!table) {
    return -1;
  }
  memset(table, -1, capacity * sizeof(int));
  for (size_t i = 0; i < npoint; i++) {
    const float* v = point + 3 * i;
    const float place[3] = {v[0] + 0.0f, v[1] + 0.0f, v[2] + 0.0f};  // -0 becomes 0
    size_t at = (size_t)hash_place(place) & (capacity - 1);
    for (; table[at] >= 0; at = (at + 1) & (capacity - 1)) {
      const float* other = point + 3 * (size_t)table[at];
      if (other[0] == v[0] && other[1] == v[1] && other[2] == v[2]) {
        break;
      }
    }
    if (table[at] < 0) {
      memmove(point + 3 * (size_t)n, v, 3 * sizeof(float));
      table[at] = n++;
    }
    vertex[i] = table[at];
  }
  heap_free(table);
  return n;
}
