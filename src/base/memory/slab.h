// slab.h: blocks cut from large pieces of memory.
//
// A system gives fresh memory in pages of 4 kB, and a fault for each takes longer than filling it.
// Pieces of some megabytes get large pages: hundreds of blocks that are filled at once cost half. A
// piece is freed with the last of its blocks, so they should live equally long.
//
//   SlabPool -> piece: | block | block | ...        every block knows its piece

#pragma once

#include <pthread.h>
#include <stddef.h>

typedef struct SlabPiece_ SlabPiece;

typedef struct SlabPool_ {
  pthread_mutex_t lock;
  SlabPiece* piece;  // from which blocks are cut; NULL before the first
} SlabPool;

void slab_open(SlabPool* pool);

// No more blocks are taken; those that are there stay.
void slab_close(SlabPool* pool);

// A block, aligned for every type, that belongs to no heap; NULL if memory runs out. Any thread may
// take and free blocks.
void* slab_take(SlabPool* pool, size_t size);
void slab_free(void* block);
