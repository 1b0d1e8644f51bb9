// memory.c: heap memory from the program's hooks or the C library, and the rings of blocks that a
// caught call owns.

#define _GNU_SOURCE  // madvise

#include "base/memory/memory.h"

#include <condyle/condyle.h>
#include <mujoco/api/base.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#include "base/system/machine.h"

void* (*mju_user_malloc)(size_t) = NULL;
void (*mju_user_free)(void*) = NULL;

int size_multiply(size_t* out, size_t a, size_t b) {
  if (b && a > SIZE_MAX / b) {
    return 0;
  }
  *out = a * b;
  return 1;
}

int size_add(size_t* out, size_t a, size_t b) {
  if (a > SIZE_MAX - b) {
    return 0;
  }
  *out = a + b;
  return 1;
}

int size_align(size_t* out, size_t size, size_t align) {
  if (!size_add(&size, size, align - 1)) {
    return 0;
  }
  *out = size & ~(align - 1);
  return 1;
}

static _Atomic size_t limit;  // bytes of one block, 0 for no limit

size_t cnd_limitMemory(size_t bytes) {
  return atomic_exchange(&limit, bytes);
}

static int toolarge(size_t size) {
  size_t most = atomic_load_explicit(&limit, memory_order_relaxed);
  return most && size > most;
}

void* memory_take(size_t size) {
  if (toolarge(size)) {
    return NULL;
  }
  if (mju_user_malloc) {
    return mju_user_malloc(size);
  }

  // The size is a multiple of the alignment. At least one unit, so that NULL always means failure.
  size_t padded;
  if (!size_align(&padded, size ? size : 1, MEMORY_ALIGN)) {
    return NULL;
  }
  return system_takealigned(MEMORY_ALIGN, padded);
}

// Is size at least a quarter of the machine's memory?
static int fills_machine(size_t size) {
  enum {
    ALWAYS_FINE = 1 << 26
  };
  if (size <= ALWAYS_FINE) {
    return 0;
  }
  uint64_t memory = system_memory();
  return memory > 0 && size >= memory / 4;
}

// Asks for large pages: a page fault for every 4 kB of a texture takes as long as drawing it.
static void use_large_pages(void* block, size_t size) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  enum {
    PAGE = 1 << 12,
    LEAST = 1 << 22,
  };
  uintptr_t start = ((uintptr_t)block + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
  if (block && size >= LEAST) {
    madvise((void*)start, (uintptr_t)block + size - start, MADV_HUGEPAGE);
  }
#else
  (void)block;
  (void)size;
#endif
}

void memory_enlarge_pages(void* block, size_t size) {
  if (!mju_user_malloc) {
    use_large_pages(block, size);
  }
}

void* memory_take_zero(size_t size) {
  void* block = memory_take_sparse(size, size);
  memory_enlarge_pages(block, size);
  return block;
}

void* memory_take_sparse(size_t size, size_t used) {
  if (toolarge(size) || fills_machine(mju_user_malloc ? size : used)) {
    return NULL;
  }
#ifndef _WIN32  // where all blocks are aligned ones
  if (!mju_user_malloc) {
    return calloc(size ? size : 1, 1);
  }
#endif
  void* block = memory_take(size);
  if (block) {
    memset(block, 0, size);
  }
  return block;
}

// blocks owned by a call

static _Thread_local Heap* current = NULL;

void heap_enter(Heap* heap) {
  heap->ring.prev = heap->ring.next = &heap->ring;
  heap->outer = current;
  current = heap;
}

static void unlink_block(HeapBlock* block) {
  block->prev->next = block->next;
  block->next->prev = block->prev;
  block->prev = block->next = block;
}

static void link_block(HeapBlock* block, HeapBlock* ring) {
  block->prev = ring;
  block->next = ring->next;
  block->next->prev = block;
  ring->next = block;
}

void heap_leave(Heap* heap) {
  while (heap->ring.next != &heap->ring) {
    HeapBlock* block = heap->ring.next;
    unlink_block(block);
    if (heap->outer) {
      link_block(block, &heap->outer->ring);
    }
  }
  current = heap->outer;
}

void heap_drop(Heap* heap) {
  while (heap->ring.next != &heap->ring) {
    heap_free(heap->ring.next + 1);
  }
}

Heap* heap_pause(void) {
  Heap* heap = current;
  current = NULL;
  return heap;
}

void heap_resume(Heap* heap) {
  current = heap;
}

// Adds a new block to the ring of blocks that error_catch frees if the running call fails (if one
// is running), and returns the memory behind its header.
static void* begin(HeapBlock* block) {
  block->prev = block->next = block;
  if (current) {
    link_block(block, &current->ring);
  }
  return block + 1;
}

static void* refuse(void) {
  if (current) {
    mju_error(MEMORY_OUT);
  }
  return NULL;
}

void* heap_zero(size_t count, size_t size) {
  size_t bytes = 0;
  int fits = size_multiply(&bytes, count, size) && size_add(&bytes, bytes, sizeof(HeapBlock));
  HeapBlock* block = fits && !toolarge(bytes) ? calloc(bytes, 1) : NULL;
  use_large_pages(block, bytes);
  return block ? begin(block) : refuse();
}

// A block that realloc moves is linked again at its place in its ring. What is empty has a byte, so
// that its address is inside of the block, where leak checkers look for it.
void* heap_try(void* item, size_t bytes) {
  HeapBlock* block = item ? (HeapBlock*)item - 1 : NULL;
  int alone = block && block->next == block;
  bytes += !bytes;
  int fits = size_add(&bytes, bytes, sizeof(HeapBlock)) && !toolarge(bytes);
  block = fits ? realloc(block, bytes) : NULL;
  if (!block) {
    return NULL;
  }
  if (!item) {
    use_large_pages(block, bytes);
    return begin(block);
  }
  if (alone) {
    block->prev = block->next = block;
  } else {
    block->prev->next = block->next->prev = block;
  }
  return block + 1;
}

void* heap_resize(void* item, size_t bytes) {
  void* moved = heap_try(item, bytes);
  return moved ? moved : refuse();
}

void* heap_take(size_t bytes) {
  return heap_resize(NULL, bytes);
}

void heap_free(void* item) {
  if (item) {
    unlink_block((HeapBlock*)item - 1);
    free((HeapBlock*)item - 1);
  }
}

void heap_follow(void* item, void* owner) {
  HeapBlock *block = (HeapBlock*)item - 1, *of = (HeapBlock*)owner - 1;
  unlink_block(block);
  if (of->next != of) {
    link_block(block, of);
  }
}

void memory_copy(void* to, const void* from, size_t size) {
  static const char zeros[4096];
  for (size_t at = 0; at < size; at += sizeof(zeros)) {
    size_t bytes = size - at < sizeof(zeros) ? size - at : sizeof(zeros);
    if (memcmp((const char*)from + at, zeros, bytes) != 0) {
      memcpy((char*)to + at, (const char*)from + at, bytes);
    }
  }
}

void* mju_malloc(size_t size) {
  void* block = memory_take(size);
  if (!block) {
    mju_error("mju_malloc: Could not allocate memory (%zu bytes)", size);
  }
  return block;
}

void mju_free(void* ptr) {
  if (!ptr) {
    return;
  }
  if (mju_user_free) {
    mju_user_free(ptr);
  } else {
    system_freealigned(ptr);
  }
}
