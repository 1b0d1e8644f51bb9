// arena.c: contacts, rows and temporaries of one mjData.

#include "model/arena.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <stdalign.h>
#include <stdint.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"

// The stack of a worker.
typedef struct Shard_ {
  size_t pstack, pbase, size;
  size_t peak;  // since arena_peak
  char* end;
} Shard;

// All of them in one block, which their bytes follow.
typedef struct Shards_ {
  int count;
  Shard shard[];
} Shards;

// The stack of this thread, NULL if it is that of d itself.
static Shard* own_shard(const mjData* d) {
  Shards* shards = (Shards*)d->cnd_shard;
  int worker = d->threadpool ? pool_worker((const mjThreadPool*)d->threadpool) : 0;
  return worker && shards && worker <= shards->count ? &shards->shard[worker - 1] : NULL;
}

int arena_shard(mjData* d, int nworker) {
  enum {
    ALIGN = 128
  };
  size_t each =
      (size_t)d->narena / (2 * ((size_t)nworker + 1)) + (size_t)(d->cnd_arena - d->narena);
  size_t header = sizeof(Shards) + (size_t)nworker * sizeof(Shard), bytes;
  each = (each + ALIGN - 1) / ALIGN * ALIGN;
  header = (header + ALIGN - 1) / ALIGN * ALIGN;
  arena_unshard(d);
  if (!size_multiply(&bytes, (size_t)nworker, each) || !size_add(&bytes, bytes, header)) {
    return 0;
  }
  Shards* shards = memory_take(bytes);
  if (!shards) {
    return 0;
  }
  shards->count = nworker;
  for (int i = 0; i < nworker; i++) {
    char* end = (char*)shards + header + (size_t)(i + 1) * each;
    shards->shard[i] = (Shard){.size = each, .end = end};
  }
  d->cnd_shard = (uintptr_t)shards;
  return 1;
}

void arena_unshard(mjData* d) {
  mju_free((void*)d->cnd_shard);
  d->cnd_shard = 0;
}

size_t arena_peak(mjData* d) {
  Shard* shard = own_shard(d);
  size_t peak = shard ? shard->peak : 0;
  if (shard) {
    shard->peak = 0;
  }
  return peak;
}

size_t arena_room(const mjData* d) {
  return (size_t)d->cnd_arena - d->pstack - d->parena;
}

static size_t room_left(const mjData* d) {
  const Shard* shard = own_shard(d);
  return shard ? shard->size - shard->pstack : arena_room(d);
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
// broad phase, which has boxes of geoms too, dofs under the rows of constraints, coordinates of
// flexes in lanes, Runge-Kutta's states and rates beside them. Every array may lose some bytes to
// alignment, and frames take some.
mjtSize arena_reserve(const mjModel* m) {
  mjtSize dofs = 30 * (mjtSize)m->nv, bodies = 36 * (mjtSize)m->nbody;
  mjtSize others = (mjtSize)m->nq + 6 * (mjtSize)m->na + (mjtSize)m->nu + 3 * (mjtSize)m->njnt +
                   (mjtSize)m->ntendon;
  mjtSize flexes = 16 * (mjtSize)m->nflexvert + 3 * (mjtSize)m->nflexedge;
  mjtSize boxes = 6 * (mjtSize)sizeof(float) * (mjtSize)m->ngeom;
  return 4096 + boxes + sizeof(mjtNum) * (dofs + bodies + others + flexes);
}

// low side

void* arena_alloc(mjData* d, size_t bytes, size_t align) {
  uintptr_t start = (uintptr_t)d->arena + d->parena;
  size_t padding = -start & (align - 1);
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
  const Shard* shard = own_shard(d);
  return shard ? shard->end - offset : (char*)d->arena + (size_t)d->cnd_arena - offset;
}

// Where the tops of this thread's stack and of its last frame are kept.
typedef struct Tops_ {
  size_t *pstack, *pbase;
} Tops;

static Tops tops_of(mjData* d) {
  Shard* shard = own_shard(d);
  return shard ? (Tops){&shard->pstack, &shard->pbase} : (Tops){&d->pstack, &d->pbase};
}

static void note_stack(mjData* d, size_t used) {
  int worker = d->threadpool ? pool_worker((const mjThreadPool*)d->threadpool) : 0;
  Shard* shard = own_shard(d);
  if (d->threadpool && used > d->maxuse_threadstack[worker < mjMAXTHREAD ? worker : 0]) {
    d->maxuse_threadstack[worker < mjMAXTHREAD ? worker : 0] = used;
  }
  if (shard) {
    shard->peak = used > shard->peak ? used : shard->peak;
    return;
  }
  if (used > d->maxuse_stack) {
    d->maxuse_stack = used;
  }
  note_use(d);
}

// Takes bytes of so much room; NULL if they don't fit.
static void* take(mjData* d, size_t bytes, size_t align, size_t room) {
  Tops tops = tops_of(d);
  char* top = from_end(d, *tops.pstack);
  size_t padding = bytes <= room ? (uintptr_t)(top - bytes) & (align - 1) : 0;
  if (bytes > room || padding > room - bytes) {
    return NULL;
  }
  *tops.pstack += bytes + padding;
  note_stack(d, *tops.pstack);
  return top - bytes - padding;
}

void* arena_push(mjData* d, size_t bytes, size_t align) {
  return take(d, bytes, align, own_shard(d) ? room_left(d) : room_spare(d));
}

void arena_pop(mjData* d, size_t pstack) {
  *tops_of(d).pstack = pstack;
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

mjtNum* arena_zeros(mjData* d, size_t n) {
  mjtNum* out = mj_stackAllocNum(d, n);
  if (out) {
    memset(out, 0, n * sizeof(mjtNum));
  }
  return out;
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
  Tops tops = tops_of(d);
  size_t top = *tops.pstack;
  Frame* frame = mj_stackAllocByte(d, sizeof(Frame), alignof(Frame));
  if (!frame) {
    return;
  }
  frame->pbase = *tops.pbase;
  frame->pstack = top;
  *tops.pbase = *tops.pstack;
}

void mj_freeStack(mjData* d) {
  check_given(d);
  Tops tops = tops_of(d);
  if (!*tops.pbase) {
    return;
  }
  const Frame* frame = (const Frame*)(const void*)from_end(d, *tops.pbase);
  *tops.pstack = frame->pstack;
  *tops.pbase = frame->pbase;
  // a collision stage that an error has left is over
  if (d->cnd_copies > d->pstack) {
    d->cnd_copies = 0;
  }
}

// attempts

int arena_try(void (*call)(void* argument), void* argument, mjData* d) {
  char message[1024];
  Tops tops = tops_of(d);
  size_t pstack = *tops.pstack, pbase = *tops.pbase;
  overflowed = NULL;
  if (!error_catch(message, sizeof(message), call, argument)) {
    return 1;
  }
  *tops.pstack = pstack;
  *tops.pbase = pbase;
  if (overflowed != d) {
    mju_error("%s", message);
  }
  return 0;
}

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
  return arena_try(run, &attempt, d);
}
