// memory.c: heap memory through the program's hooks or the C library.

#define _GNU_SOURCE  // _SC_PHYS_PAGES

#include "base/memory.h"

#include <condyle/condyle.h>
#include <mujoco/mujoco.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static _Atomic size_t limit;  // of one block, 0: none

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

  // aligned_alloc wants whole units; at least one, so that NULL always means failure
  size_t padded;
  if (!size_align(&padded, size ? size : 1, MEMORY_ALIGN)) {
    return NULL;
  }
  return aligned_alloc(MEMORY_ALIGN, padded);
}

// Is that a quarter of the machine's memory, or more?
static int fills_machine(size_t size) {
  enum {
    ALWAYS_FINE = 1 << 26
  };
  if (size <= ALWAYS_FINE) {
    return 0;
  }
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 && size / (size_t)page >= (size_t)pages / 4;
}

void* memory_take_zero(size_t size) {
  if (toolarge(size) || fills_machine(size)) {
    return NULL;
  }
  if (!mju_user_malloc) {
    return calloc(size ? size : 1, 1);
  }
  void* block = mju_user_malloc(size);
  if (block) {
    memset(block, 0, size);
  }
  return block;
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
    free(ptr);
  }
}
