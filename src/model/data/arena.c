// arena.c: allocation at both ends of an mjData's arena, and stacks for the workers of its thread
// pool.

#include "model/data/arena.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/memory/check.h"
#include "base/memory/error.h"
#include "base/memory/memory.h"
#include "base/parallel.h"
#include "model/data/hold.h"

// The stack of one worker.
typedef struct Shard_ {
  size_t pstack, pbase, size;
  size_t peak;  // largest pstack since the last arena_peak
  char* end;
} Shard;

// The stacks of all workers in one block; their bytes follow the array.
typedef struct Shards_ {
  int count;
  Shard shard[];
} Shards;

// The stack of this worker, NULL if the thread uses the stack of d.
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
  memory_enlarge_pages(shards, bytes);
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

// Free bytes on the stack of d (shard NULL) or of a worker.
static inline size_t room_left(const mjData* d, const Shard* shard) {
  return shard ? shard->size - shard->pstack : arena_room(d);
}

// Free bytes for optional temporaries, which must not use the reserve.
static size_t room_spare(const mjData* d) {
  size_t used = d->pstack + d->parena;
  return used < d->narena ? (size_t)d->narena - used : 0;
}

// Bytes beyond narena are in the reserve and not counted.
static void note_use(mjData* d) {
  mjtSize used = d->pstack + d->parena;
  if (used > d->maxuse_arena) {
    d->maxuse_arena = used < d->narena ? used : d->narena;
  }
}

// Upper bound of the temporaries of any one stage. The largest are, by the size they grow with:
//
//   bodies   in the derivative of the bias forces and in the broad phase
//   boxes    of geoms, in the broad phase
//   dofs     under the rows of constraints
//   flexes   coordinates in SIMD lanes
//   others   states and rates of Runge-Kutta
//
// The 4096 bytes are for stack frames and alignment.
mjtSize arena_reserve(const mjModel* m) {
  mjtSize dofs = 30 * (mjtSize)m->nv, bodies = 36 * (mjtSize)m->nbody;
  mjtSize others = (mjtSize)m->nq + 6 * (mjtSize)m->na + (mjtSize)m->nu + m->nout +
                   3 * (mjtSize)m->njnt + (mjtSize)m->ntendon;
  mjtSize flexes = 16 * (mjtSize)m->nflexvert + 3 * (mjtSize)m->nflexedge;
  mjtSize boxes = 8 * (mjtSize)sizeof(float) * (mjtSize)m->ngeom;
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
  d->ncon = 0;
  d->ne = d->nf = d->nl = d->nefc = 0;
  d->nJ = d->nA = d->nY = 0;
  d->efm_active = d->nefmK = d->nefmT = d->nefmA = d->nefmdof = d->cnd_nefmL = 0;
  d->nisland = d->nidof = 0;
  if (!d->parena && d->contact == d->arena) {
    return;  // the low side is empty already
  }
  d->parena = 0;
#define CLEAR(type, name, rows, columns, meaning) d->name = NULL;
  CND_DATA_ARENA_ARRAYS(CLEAR, CLEAR)
  CND_DATA_PRIVATE_ARENA_ARRAYS(CLEAR)
#undef CLEAR
#define CLEAR(release, absent, type, name, rows, columns, meaning) d->name = NULL;
  CND_DATA_ARENA_SINCE(CLEAR)
#undef CLEAR

  // contacts grow from here
  d->contact = d->arena;
}

// high side: pstack and pbase are offsets from the end of the arena

// The record that mj_markStack pushes.
typedef struct Frame_ {
  size_t pbase;   // frame below
  size_t pstack;  // top before this frame
} Frame;

// The stack of this thread: pointers to its top and to its last frame, and its end.
typedef struct Stack_ {
  size_t *pstack, *pbase;
  char* end;
  Shard* shard;  // NULL for the stack of d
} Stack;

static inline Stack stack_of_data(mjData* d) {
  return (Stack){&d->pstack, &d->pbase, (char*)d->arena + (size_t)d->cnd_arena, NULL};
}

__attribute__((noinline)) static Stack stack_of_thread(mjData* d) {
  Shard* shard = own_shard(d);
  return shard ? (Stack){&shard->pstack, &shard->pbase, shard->end, shard} : stack_of_data(d);
}

static inline Stack stack_of(mjData* d) {
  return d->threadpool ? stack_of_thread(d) : stack_of_data(d);
}

// Updates the largest use of this thread's stack.
static void note_thread(mjData* d, size_t used) {
  int worker = pool_worker((const mjThreadPool*)d->threadpool);
  mjtSize* most = d->maxuse_threadstack + (worker < mjMAXTHREAD ? worker : 0);
  *most = used > *most ? used : *most;
}

static inline void note_stack(mjData* d, Shard* shard, size_t used) {
  if (d->threadpool) {
    note_thread(d, used);
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

// Pushes bytes if they fit into `room`, else returns NULL.
static inline void* take(mjData* d, const Stack* stack, size_t bytes, size_t align, size_t room) {
  char* top = stack->end - *stack->pstack;
  size_t padding = bytes <= room ? (uintptr_t)(top - bytes) & (align - 1) : 0;
  if (bytes > room || padding > room - bytes) {
    return NULL;
  }
  *stack->pstack += bytes + padding;
  note_stack(d, stack->shard, *stack->pstack);
  return top - bytes - padding;
}

void* arena_push(mjData* d, size_t bytes, size_t align) {
  Stack stack = stack_of(d);
  size_t room = stack.shard ? room_left(d, stack.shard) : room_spare(d);
  void* place = take(d, &stack, bytes, align, room);
  if (!place && d->threadpool) {
    warning_is_held();  // what is left out for want of room on a shared stage counts as a warning
  }
  return place;
}

size_t arena_thread_top(const mjData* d) {
  const Shard* shard = own_shard(d);
  return shard ? shard->pstack : d->pstack;
}

void arena_thread_pop(mjData* d, size_t top) {
  Stack stack = stack_of(d);
  note_stack(d, stack.shard, *stack.pstack);
  *stack.pstack = top;
}

static _Thread_local const mjData* overflowed;  // the data whose stack overflowed last

__attribute__((cold)) static void overflow(mjData* d, size_t room, size_t bytes) {
  overflowed = d;
  mju_error(
      "mj_stackAlloc: out of memory, stack overflow: max = %zu, available = %zu, requested = %zu "
      "bytes (nefc = %d, ncon = %d)",
      (size_t)d->cnd_arena, room, bytes, d->nefc, d->ncon);
}

// Pushes bytes on the stack of any thread; ends in mju_error if they don't fit.
__attribute__((noinline)) static void* need_anywhere(mjData* d, size_t bytes, size_t align) {
  Stack stack = stack_of(d);
  size_t room = room_left(d, stack.shard);
  void* place = bytes ? take(d, &stack, bytes, align, room) : NULL;
  if (bytes && !place) {
    overflow(d, room, bytes);
  }
  return place;
}

// Without bytes there is nothing that could not fit.
void* arena_thread_take(mjData* d, size_t bytes, size_t align) {
  return bytes ? need_anywhere(d, bytes, align) : (char*)d->arena + (size_t)d->cnd_arena;
}

// Like need_anywhere. A step has dozens of these pushes, so without a pool the common case is
// inline.
static inline void* need(mjData* d, size_t bytes, size_t align) {
  if (d->threadpool || !bytes) {
    return need_anywhere(d, bytes, align);
  }
  Stack stack = stack_of_data(d);
  void* place = take(d, &stack, bytes, align, arena_room(d));
  return place ? place : need_anywhere(d, bytes, align);
}

void* mj_stackAllocByte(mjData* d, size_t bytes, size_t alignment) {
  check_given(d);
  if (!alignment || (alignment & (alignment - 1))) {
    mju_error("mj_stackAllocByte: alignment is %zu, must be a power of two", alignment);
    return NULL;
  }
  return need(d, bytes, alignment);
}

mjtNum* mj_stackAllocNum(mjData* d, size_t size) {
  check_given(d);
  if (size > SIZE_MAX / sizeof(mjtNum)) {
    mju_error("mj_stackAllocNum: %zu numbers are more than memory can hold", size);
    return NULL;
  }
  return need(d, size * sizeof(mjtNum), alignof(mjtNum));
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
  return need(d, size * sizeof(int), alignof(int));
}

void mj_markStack(mjData* d) {
  check_given(d);
  Stack stack = stack_of(d);
  size_t top = *stack.pstack;
  Frame* frame = need(d, sizeof(Frame), alignof(Frame));
  if (!frame) {
    return;
  }
  frame->pbase = *stack.pbase;
  frame->pstack = top;
  *stack.pbase = *stack.pstack;
}

void mj_freeStack(mjData* d) {
  check_given(d);
  Stack stack = stack_of(d);
  if (!*stack.pbase) {
    return;
  }
  const Frame* frame = (const Frame*)(const void*)(stack.end - *stack.pbase);
  *stack.pstack = frame->pstack;
  *stack.pbase = frame->pbase;
  if (stack.shard) {
    return;
  }
  // Forget the caches of a collision stage or of finite differences that an error has left early.
  if (d->cnd_copies > d->pstack) {
    d->cnd_copies = 0;
  }
  if (d->cnd_pairs > d->pstack) {
    d->cnd_pairs = 0;
  }
  if (d->cnd_solverCache > d->pstack) {
    d->cnd_solverCache = 0;
  }
}

// attempts

int arena_try(void (*call)(void* argument), void* argument, mjData* d) {
  char message[1024];
  Stack stack = stack_of(d);
  size_t pstack = *stack.pstack, pbase = *stack.pbase;
  overflowed = NULL;
  if (!error_catch(message, sizeof(message), call, argument)) {
    return 1;
  }
  note_stack(d, stack.shard, *stack.pstack);
  *stack.pstack = pstack;
  *stack.pbase = pbase;
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
