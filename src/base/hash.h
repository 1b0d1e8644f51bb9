// hash.h: the hash table of everything that is looked up by name, place or content.
//
// Open addressing with linear probing, at most half full. A slot holds what was added and the 64
// bits of its hash; what makes two items equal only their owner knows, who walks through the few
// candidates:
//
//   for (HashSlot* at = hash_find(&table, h); at; at = hash_next(&table, at)) {
//     if (equal(at->item, wanted)) ...
//   }
//
// A removal moves later entries of the run back, so there are no tombstones, and items of the same
// hash come in the order in which they were added, always. A table of zeros is empty and holds no
// memory. Names of compiled models have a table of another layout, which is part of mjModel
// (model/names.h).

#ifndef CONDYLE_BASE_HASH_H_
#define CONDYLE_BASE_HASH_H_

#include <stddef.h>
#include <stdint.h>

typedef struct HashSlot_ {
  void* item;  // NULL: free
  uint64_t hash;
} HashSlot;

typedef struct Hash_ {
  HashSlot* slot;
  size_t capacity;  // power of two, 0 before first use
  size_t count;
} Hash;

// Hash of bytes, and of a text without its end. The same on machines of the same byte order.
uint64_t hash_bytes(const void* bytes, size_t count);
uint64_t hash_text(const char* text);

// Adds an item (not NULL), whether or not it is in the table; 0 if memory is out (see heap_take).
int hash_add(Hash* table, uint64_t hash, void* item);

// First slot with this hash, NULL if there is none; the one after a slot with the same hash. Good
// until the next item is added or removed.
HashSlot* hash_find(const Hash* table, uint64_t hash);
HashSlot* hash_next(const Hash* table, const HashSlot* slot);

// Takes the item of a slot out.
void hash_remove(Hash* table, HashSlot* slot);

// Gives the memory back; the table is empty and usable.
void hash_clear(Hash* table);

#endif  // CONDYLE_BASE_HASH_H_
