// arena.c: contacts, rows and temporaries of one mjData.

#include "model/arena.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <stdalign.h>
#include <stdint.h>

#include "base/check.h"
#include "base/error.h"

static size_t room_left(const mjData* d) {
  return (size_t)d->cnd_arena - d->pstack - d->parena;
}

// room for what can be done without
static size_t room_spare(const mjData* d) {
  size_t used = d->pstack + d->parena;
  return used < d->narena ? (size_t)d->narena - used : 0;
}

// what goes beyond the arena is the reserve's
static void note_use(mjData* d) {
  mjtSize used = d->pstack + d->parena;
  if (used > d->maxuse_arena) {
    d->maxuse_arena = used < d->narena ? used : d->narena;
  }
}

// The most that one stage holds, in numbers: bodies in the derivative of the bias forces and in the
// broad phase, which has boxes of geoms too, dofs under the rows of constraints, Runge-Kutta's states and rates beside them. Every
// array may lose some bytes to alignment, and frames take some.
mjtSize arena_reserve(const mjModel* m) {
  mjtSize dofs = 30 * (mjtSize)m->nv, bodies = 36 * (mjtSize)m->nbody;
  mjtSize others = (mjtSize)m->nq + 6 * (mjtSize)m->na + (mjtSize)m->nu + 3 * (mjtSize)m->njnt +
                   (mjtSize)m->ntendon;
  mjtSize boxes = 6 * (mjtSize)sizeof(float) * (mjtSize)m->ngeom;
  return 4096 + boxes + sizeof(mjtNum) * (dofs + bodies + others);
}

// low side

void* arena_alloc(mjData* d, size_t bytes, size_t align) {
  uintptr_t start = (uintptr_t)d->arena + d->parena;
  size_t padding = (align - start % align) % align;
  size_t room = room_spare(d);
  if (padding > room || bytes > room - padding) {
    return NULL;
  }
  d->parena += padding + bytes;
  note_use(d);
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
  return (char*)d->arena + (size_t)d->cnd_arena - offset;
}

// Takes bytes of so much room; NULL if they don't fit.
static void* take(mjData* d, size_t bytes, size_t align, size_t room) {
  char* top = from_end(d, d->pstack);
  size_t padding = bytes <= room ? (uintptr_t)(top - bytes) & (align - 1) : 0;
  if (bytes > room || padding > room - bytes) {
    return NULL;
  }
  d->pstack += bytes + padding;
  if (d->pstack > d->maxuse_stack) {
    d->maxuse_stack = d->pstack;
  }
  note_use(d);
  return from_end(d, d->pstack);
}

void* arena_push(mjData* d, size_t bytes, size_t align) {
  return take(d, bytes, align, room_spare(d));
}

void arena_pop(mjData* d, size_t pstack) {
  d->pstack = pstack;
}

static _Thread_local const mjData* overflowed;  // whose stack ran full last

void* mj_stackAllocByte(mjData* d, size_t bytes, size_t alignment) {
  check_given(d);
  if (!alignment || (alignment & (alignment - 1))) {
    mju_error("mj_stackAllocByte: alignment is %zu, must be a power of two", alignment);
    return NULL;
  }
  void* place = bytes ? take(d, bytes, alignment, room_left(d)) : NULL;
  if (bytes && !place) {
    overflowed = d;
    mju_error(
        "mj_stackAlloc: out of memory, stack overflow: max = %zu, available = %zu, requested = %zu "
        "bytes (nefc = %d, ncon = %d)",
        (size_t)d->cnd_arena, room_left(d), bytes, d->nefc, d->ncon);
  }
  return place;
}

mjtNum* mj_stackAllocNum(mjData* d, size_t size) {
  check_given(d);
  if (size > SIZE_MAX / sizeof(mjtNum)) {
    mju_error("mj_stackAllocNum: %zu numbers are more than memory can hold", size);
    return NULL;
  }
  return mj_stackAllocByte(d, size * sizeof(mjtNum), alignof(mjtNum));
}

int* mj_stackAllocInt(mjData* d, size_t size) {
  check_given(d);
  if (size > SIZE_MAX / sizeof(int)) {
    mju_error("mj_stackAllocInt: %zu integers are more than memory can hold", size);
    return NULL;
  }
  return mj_stackAllocByte(d, size * sizeof(int), alignof(int));
}

void mj_markStack(mjData* d) {
  check_given(d);
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
  check_given(d);
  if (!d->pbase) {
    return;
  }
  const Frame* frame = (const Frame*)(const void*)from_end(d, d->pbase);
  d->pstack = frame->pstack;
  d->pbase = frame->pbase;
  // a collision stage that an error has left is over
  if (d->cnd_copies > d->pstack) {
    d->cnd_copies = 0;
  }
}

// attempts

typedef struct Attempt_ {
  void (*stage)(const mjModel*, mjData*);
  const mjModel* m;
  mjData* d;
} Attempt;

static void run(void* argument) {
  Attempt* attempt = argument;
  attempt->stage(attempt->m, attempt->d);
}

int arena_attempt(void (*stage)(const mjModel*, mjData*), const mjModel* m, mjData* d) {
  Attempt attempt = {stage, m, d};
  char message[1024];
  size_t pstack = d->pstack, pbase = d->pbase;
  overflowed = NULL;
  if (!error_catch(message, sizeof(message), run, &attempt)) {
    return 1;
  }
  d->pstack = pstack;
  d->pbase = pbase;
  if (overflowed != d) {
    mju_error("%s", message);
  }
  return 0;
}
