// store.h: what took long to make, kept on disk for later processes of the same user.
//
// An entry is a file in a folder of this user alone, named by the digest of everything it was made
// from:
//
//   +---------------------------+-------------------------------------------------------+
//   | content, a multiple of 16 | mark, byte order, digest in its name, size, checksum  |
//   +---------------------------+-------------------------------------------------------+
//
// What can go wrong ends in "no such entry", never in a wrong one. The digest begins with the
// version of the layout and the build of the engine, so another engine has other entries. Digest
// and checksum are seeded with 16 random bytes that the folder holds: a file that does not come
// from this folder fits no checksum. Still nobody may rely on an entry's content without checks of
// its own: indices in it are as hostile as those of any file.
//
// Entries are written beside and renamed, so processes may read and write at the same time. Over a
// limit the entries not used for longest are deleted. A folder that belongs to somebody else or
// that others may write to, a full disk, a read-only home: then there is no store, or nothing
// happens.                                              theory/model/model.md, Store of made meshes

#pragma once

#include <stddef.h>

#include "base/digest.h"

typedef struct Store_ Store;

// Opens the store of this user: the folder $CONDYLE_CACHE, else condyle in $XDG_CACHE_HOME, else
// ~/.cache/condyle. NULL if CONDYLE_CACHE is "off" or there can be none.
Store* store_open(void);

// Closes the store. If something was written, it is cut back to its limit. store may be NULL.
void store_close(Store* store);

// Starts the digest of an entry of a kind.
Digest store_key(const Store* store, const char* kind);

// The content of an entry, NULL if there is none. The caller frees it with heap_free; what
// store_readlarge gives belongs to no heap and is freed with slab_free (base/memory/slab.h), which
// is faster where there are many large ones.
void* store_read(Store* store, size_t* size, const Digest* key);
void* store_readlarge(Store* store, size_t* size, const Digest* key);

// Writes an entry; several threads may. store_pack makes room for its content, a block whose size
// is `size` or more, zeros behind; NULL if memory runs out or an entry can't be so large.
void* store_pack(size_t size);
void store_write(Store* store, const Digest* key, void* packed, size_t size);

// Where the next part of an entry begins, `size` bytes after `at`. Parts are aligned to 16 bytes.
static inline size_t store_step(size_t at, size_t size) {
  return at + (size + 15) / 16 * 16;
}

// Cuts a store to this many bytes, the usual limit if 0; for tests.
void store_limit(Store* store, size_t bytes);
