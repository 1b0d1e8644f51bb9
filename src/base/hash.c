// hash.c: a hash table with chained slots. The slots lie in one array in the order of their
// addition; slot i also holds the head of list i.

#include "base/hash.h"

#include <string.h>

#include "base/memory/memory.h"

// h <- (h xor word) c, then the upper half is folded into the lower one, for each word of 8 bytes.
// h starts from the number of bytes, because the last word is padded with zeros. Two texts of 8
// bytes never have the same hash.
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

static HashSlot* list_of(const Hash* table, uint64_t hash) {
  return table->slot + ((size_t)hash & (table->capacity - 1));
}

static void append(Hash* table, void* item, uint64_t hash) {
  HashSlot *slot = table->slot + table->used++, *list = list_of(table, hash);
  slot->item = item;
  slot->hash = hash;
  *(list->first ? &list->last->next : &list->first) = slot;
  list->last = slot;
  table->count++;
}

// Moves the items to a new table that is at most half full. Slots of removed items are left out.
static int grow(Hash* table) {
  Hash larger = {.capacity = table->capacity ? table->capacity : 16};
  while (larger.capacity < 2 * table->count) {
    larger.capacity *= 2;
  }
  larger.slot = heap_zero(larger.capacity, sizeof(HashSlot));
  if (!larger.slot) {
    return 0;
  }
  for (size_t i = 0; i < table->used; i++) {
    if (table->slot[i].item) {
      append(&larger, table->slot[i].item, table->slot[i].hash);
    }
  }
  heap_free(table->slot);
  *table = larger;
  return 1;
}

int hash_add(Hash* table, uint64_t hash, void* item) {
  if (table->used == table->capacity && !grow(table)) {
    return 0;
  }
  append(table, item, hash);
  return 1;
}

// First slot with this hash, from `slot` to the end of its list; NULL if there is none.
static HashSlot* search(HashSlot* slot, uint64_t hash) {
  while (slot && slot->hash != hash) {
    slot = slot->next;
  }
  return slot;
}

HashSlot* hash_find(const Hash* table, uint64_t hash) {
  return table->count ? search(list_of(table, hash)->first, hash) : NULL;
}

HashSlot* hash_next(const HashSlot* slot) {
  return search(slot->next, slot->hash);
}

void hash_remove(Hash* table, HashSlot* slot) {
  HashSlot *list = list_of(table, slot->hash), *before = NULL;
  for (HashSlot* it = list->first; it != slot; it = it->next) {
    before = it;
  }
  *(before ? &before->next : &list->first) = slot->next;
  list->last = slot->next ? list->last : before;
  slot->item = slot->next = NULL;
  table->count--;
}

void hash_clear(Hash* table) {
  heap_free(table->slot);
  *table = (Hash){0};
}
