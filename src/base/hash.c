#include "base/hash.h"

#include <string.h>

#include "base/memory.h"

// h <- (h xor word) c, upper half folded into the lower one, word by word; the number of bytes comes
// first, for what is left of the last word is filled up with zeros. Texts of 8 bytes never collide.
uint64_t hash_bytes(const void* bytes, size_t count) {
  uint64_t hash = count;
  for (const unsigned char* p = bytes; count;) {
    uint64_t word = 0;
    size_t step = count < sizeof(word) ? count : sizeof(word);
    memcpy(&word, p, step);
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
    p += step;
    count -= step;
  }
  return hash;
}

uint64_t hash_text(const char* text) {
  return hash_bytes(text, strlen(text));
}

// Number of the slot after i.
static size_t after(const Hash* table, size_t i) {
  return (i + 1) & (table->capacity - 1);
}

// How far slot i is behind another one, or behind the home of a hash.
static size_t distance(const Hash* table, size_t i, uint64_t from) {
  return (i - (size_t)from) & (table->capacity - 1);
}

static void place(Hash* table, HashSlot entry) {
  size_t i = (size_t)entry.hash & (table->capacity - 1);
  while (table->slot[i].item) {
    i = after(table, i);
  }
  table->slot[i] = entry;
  table->count++;
}

static int grow(Hash* table) {
  Hash larger = {NULL, table->capacity ? 2 * table->capacity : 16, 0};
  larger.slot = heap_zero(larger.capacity, sizeof(HashSlot));
  if (!larger.slot) {
    return 0;
  }

  // runs from their beginnings, also the one around the end: that keeps the order of equal hashes
  size_t start = 0;
  while (table->count && table->slot[start].item) {
    start++;
  }
  for (size_t n = 0; n < table->capacity; n++) {
    HashSlot entry = table->slot[(start + n) & (table->capacity - 1)];
    if (entry.item) {
      place(&larger, entry);
    }
  }
  heap_free(table->slot);
  *table = larger;
  return 1;
}

int hash_add(Hash* table, uint64_t hash, void* item) {
  if (2 * (table->count + 1) > table->capacity && !grow(table)) {
    return 0;
  }
  place(table, (HashSlot){item, hash});
  return 1;
}

// The first slot with this hash from i on to the end of the run.
static HashSlot* search(const Hash* table, uint64_t hash, size_t i) {
  while (table->slot[i].item && table->slot[i].hash != hash) {
    i = after(table, i);
  }
  return table->slot[i].item ? table->slot + i : NULL;
}

HashSlot* hash_find(const Hash* table, uint64_t hash) {
  return table->count ? search(table, hash, (size_t)hash & (table->capacity - 1)) : NULL;
}

HashSlot* hash_next(const Hash* table, const HashSlot* slot) {
  return search(table, slot->hash, after(table, (size_t)(slot - table->slot)));
}

// Each later entry of the run moves back into the gap, unless that would put it before its home.
void hash_remove(Hash* table, HashSlot* slot) {
  size_t gap = (size_t)(slot - table->slot);
  for (size_t i = after(table, gap); table->slot[i].item; i = after(table, i)) {
    if (distance(table, i, table->slot[i].hash) >= distance(table, i, gap)) {
      table->slot[gap] = table->slot[i];
      gap = i;
    }
  }
  table->slot[gap].item = NULL;
  table->count--;
}

void hash_clear(Hash* table) {
  heap_free(table->slot);
  *table = (Hash){NULL, 0, 0};
}
