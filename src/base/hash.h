// hash.h: the hash table of things looked up by name, place or content.
//
// A slot holds an item and the 64 bits of its hash. Only the owner knows when two items are equal,
// so it walks through the few candidates:
//
//   for (HashSlot* at = hash_find(&table, h); at; at = hash_next(at)) {
//     if (equal(at->item, wanted)) ...
//   }
//
// Slots are filled one after the other. They are linked into lists by the lowest bits of the hash;
// there are as many lists as slots. Items of the same hash always come in the order of their
// addition. Adding an item takes constant time even if many items have the same hash, as in broken
// files. A table of zeros is empty and holds no memory. Names of compiled models have a table of
// another layout, which is part of mjModel (model/names.h).

#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct HashSlot_ {
  void* item;  // NULL if free or removed
  uint64_t hash;
  struct HashSlot_* next;          // next slot of the same list
  struct HashSlot_ *first, *last;  // ends of list i, where i is the index of this slot
} HashSlot;

typedef struct Hash_ {
  HashSlot* slot;
  size_t capacity;  // power of two, 0 before first use
  size_t used;      // slots filled since the table last grew
  size_t count;     // items
} Hash;

// Hash of bytes, and of a text without its terminator. Equal on machines of the same byte order.
uint64_t hash_bytes(const void* bytes, size_t count);
uint64_t hash_text(const char* text);

// Adds an item (not NULL), even if it is in the table already. Returns 0 if memory runs out
// (heap_take).
int hash_add(Hash* table, uint64_t hash, void* item);

// First slot with this hash, and the next one after a slot with the same hash; NULL if there is
// none. A slot is valid until the next item is added or removed.
HashSlot* hash_find(const Hash* table, uint64_t hash);
HashSlot* hash_next(const HashSlot* slot);

// Removes the item of a slot.
void hash_remove(Hash* table, HashSlot* slot);

// Frees the memory. The table is then empty and usable.
void hash_clear(Hash* table);
