// arena.c: contacts, rows and temporaries of one mjData.

#include "model/arena.h"

#include <stdalign.h>
#include <stdint.h>

// low side

void* arena_alloc(mjData* d, size_t bytes, size_t align) {
  uintptr_t start = (uintptr_t)d->arena + d->parena;
  size_t padding = (align - start % align) % align;
  size_t room = (size_t)d->narena - d->pstack - d->parena;
  if (padding > room || bytes > room - padding) {
    return NULL;
  }
  d->parena += padding + bytes;
  size_t used = d->pstack + d->parena;
  if (used > d->maxuse_arena) {
    d->maxuse_arena = used;
  }
  return (char*)d->arena + d->parena - bytes;
}

void arena_rewind(mjData* d, size_t parena) {
  d->parena = parena;
}

void arena_clear(mjData* d) {
  d->parena = 0;
  d->ncon = 0;
  d->ne = d->nf = d->nl = d->nefc = 0;
  d->nJ = d->nA = 0;
  d->nisland = d->nidof = 0;
#define CLEAR(type, name, rows, columns, meaning) d->name = NULL;
  CND_DATA_ARENA_ARRAYS(CLEAR, CLEAR)
  CND_DATA_PRIVATE_ARENA_ARRAYS(CLEAR)
#undef CLEAR

  // contacts grow from here
  d->contact = d->arena;
}

// high side: offsets count from the end of the arena

// What mj_markStack leaves on the stack.
typedef struct Frame_ {
  size_t pbase;   // frame below
  size_t pstack;  // top before this frame
} Frame;

static char* from_end(const mjData* d, size_t offset) {
  return (char*)d->arena + d->narena - offset;
}

static size_t room_left(const mjData* d) {
  return (size_t)d->narena - d->pstack - d->parena;
}

void* arena_push(mjData* d, size_t bytes, size_t align) {
  size_t room = room_left(d);
  char* top = from_end(d, d->pstack);
  size_t padding = bytes <= room ? (uintptr_t)(top - bytes) & (align - 1) : 0;
  if (bytes > room || padding > room - bytes) {
    return NULL;
  }
  d->pstack += bytes + padding;
  if (d->pstack > d->maxuse_stack) {
    d->maxuse_stack = d->pstack;
  }
  size_t used = d->pstack + d->parena;
  if (used > d->maxuse_arena) {
    d->maxuse_arena = used;
  }
  return from_end(d, d->pstack);
}

void arena_pop(mjData* d, size_t pstack) {
  d->pstack = pstack;
}

void* mj_stackAllocByte(mjData* d, size_t bytes, size_t alignment) {
  void* place = bytes ? arena_push(d, bytes, alignment) : NULL;
  if (bytes && !place) {
    mju_error(
        "mj_stackAlloc: out of memory, stack overflow: max = %zu, available = %zu, requested = %zu "
        "bytes (nefc = %d, ncon = %d)",
        (size_t)d->narena, room_left(d), bytes, d->nefc, d->ncon);
  }
  return place;
}

mjtNum* mj_stackAllocNum(mjData* d, size_t size) {
  if (size > SIZE_MAX / sizeof(mjtNum)) {
    mju_error("mj_stackAllocNum: %zu numbers are more than memory can hold", size);
    return NULL;
  }
  return mj_stackAllocByte(d, size * sizeof(mjtNum), alignof(mjtNum));
}

int* mj_stackAllocInt(mjData* d, size_t size) {
  if (size > SIZE_MAX / sizeof(int)) {
    mju_error("mj_stackAllocInt: %zu integers are more than memory can hold", size);
    return NULL;
  }
  return mj_stackAllocByte(d, size * sizeof(int), alignof(int));
}

void mj_markStack(mjData* d) {
  size_t top = d->pstack;
  Frame* frame = mj_stackAllocByte(d, sizeof(Frame), alignof(Frame));
  if (!frame) {
    return;
  }
  frame->pbase = d->pbase;
  frame->pstack = top;
  d->pbase = d->pstack;
}

void mj_freeStack(mjData* d) {
  if (!d->pbase) {
    return;
  }
  const Frame* frame = (const Frame*)(const void*)from_end(d, d->pbase);
  d->pstack = frame->pstack;
  d->pbase = frame->pbase;
}
