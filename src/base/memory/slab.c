// slab.c: pieces with a count of their blocks.

#include "base/memory/slab.h"

#include <stdatomic.h>
#include <stdint.h>

#include "base/memory/memory.h"

enum {
  PIECE = 1 << 24,  // bytes
  ALIGN = 64,
};

// The first bytes of a piece.
struct SlabPiece_ {
  atomic_int references;  // of blocks, and one of the pool
  size_t size, used;
};

// The bytes before a block.
typedef struct SlabHead_ {
  _Alignas(ALIGN) SlabPiece* piece;
} SlabHead;

void slab_open(SlabPool* pool) {
  pthread_mutex_init(&pool->lock, NULL);
  pool->piece = NULL;
}

static void drop(SlabPiece* piece) {
  if (piece && atomic_fetch_sub(&piece->references, 1) == 1) {
    heap_free(piece);
  }
}

void slab_close(SlabPool* pool) {
  drop(pool->piece);
  pool->piece = NULL;
  pthread_mutex_destroy(&pool->lock);
}

// A piece with room for `size` bytes.
static SlabPiece* make_piece(size_t size) {
  size_t whole = 2 * ALIGN + (size > PIECE ? size : PIECE);
  Heap* heap = heap_pause();
  SlabPiece* piece = heap_try(NULL, whole);
  heap_resume(heap);
  if (piece) {
    atomic_init(&piece->references, 1);
    piece->size = whole;
    // the first block begins at a multiple of ALIGN behind the piece's own bytes
    piece->used = ALIGN + (ALIGN - (uintptr_t)piece % ALIGN) % ALIGN;
  }
  return piece;
}

void* slab_take(SlabPool* pool, size_t size) {
  SlabHead* head = NULL;
  size_t whole;
  if (!size_add(&whole, size, sizeof(SlabHead)) || !size_align(&whole, whole, ALIGN)) {
    return NULL;
  }
  pthread_mutex_lock(&pool->lock);
  SlabPiece* piece = pool->piece;
  if (!piece || whole > piece->size - piece->used) {
    piece = make_piece(whole);
    if (piece) {
      drop(pool->piece);
      pool->piece = piece;
    }
  }
  if (piece) {
    head = (SlabHead*)(void*)((char*)piece + piece->used);
    piece->used += whole;
    atomic_fetch_add(&piece->references, 1);
    head->piece = piece;
  }
  pthread_mutex_unlock(&pool->lock);
  return head ? head + 1 : NULL;
}

void slab_free(void* block) {
  if (block) {
    drop(((SlabHead*)block - 1)->piece);
  }
}
