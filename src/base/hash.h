// hash.h: the hash table of everything that is looked up by name, place or content.
//
// A slot holds what was added and the 64 bits of its hash; what makes two items equal only their
// owner knows, who walks through the few candidates:
//
//   for (HashSlot* at = hash_find(&table, h); at; at = hash_next(at)) {
//     if (equal(at->item, wanted)) ...
//   }
//
// Slots are filled one after the other and linked into as many lists, by the lowest bits of the
// hash. Items of the same hash come in the order in which they were added, always, and adding one
// takes no longer the more there are: broken files repeat themselves. A table of zeros is empty and
// holds no memory. Names of compiled models have a table of another layout, which is part of
// mjModel (model/names.h).

#ifndef CONDYLE_BASE_HASH_H_
#define CONDYLE_BASE_HASH_H_

#include <stddef.h>
#include <stdint.h>

typedef struct HashSlot_ {
  void* item;  // NULL: free, or removed
  uint64_t hash;
  struct HashSlot_* next;          // in its list
  struct HashSlot_ *first, *last;  // of the list with this number, whatever the slot holds
} HashSlot;

typedef struct Hash_ {
  HashSlot* slot;
  size_t capacity;  // power of two, 0 before first use
  size_t used;      // slots that were filled since the table grew
  size_t count;     // items
} Hash;

// Hash of bytes, and of a text without its end. The same on machines of the same byte order.
uint64_t hash_bytes(const void* bytes, size_t count);
uint64_t hash_text(const char* text);

// Adds an item (not NULL), whether or not it is in the table; 0 if memory is out (see heap_take).
int hash_add(Hash* table, uint64_t hash, void* item);

// First slot with this hash, NULL if there is none; the one after a slot with the same hash. Good
// until the next item is added or removed.
HashSlot* hash_find(const Hash* table, uint64_t hash);
HashSlot* hash_next(const HashSlot* slot);

// Takes the item of a slot out.
void hash_remove(Hash* table, HashSlot* slot);

// Gives the memory back; the table is empty and usable.
void hash_clear(Hash* table);

#endif  // CONDYLE_BASE_HASH_H_
