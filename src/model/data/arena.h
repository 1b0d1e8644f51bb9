// arena.h: the working memory of one mjData, for contacts, constraint rows and temporaries.
//
//   d->arena                                                  d->arena + d->narena
//   | contacts | rows | islands ... parena -->                          |  reserve |
//                                                    <-- pstack ... temporaries    |
//
// Two stacks grow towards each other in one block made with the mjData, so mj_step never touches
// the heap. The low side holds results that live until the next position stage; the high side holds
// temporaries between mj_markStack and mj_freeStack. The low side may run full in normal use (too
// many contacts): it returns NULL, and the caller warns and goes on with fewer contacts. A full
// high side ends in mju_error.                                   theory/data.md, Memory of the data
//
// mj_step must not end in mju_error however small the arena is. So the block has a reserve beyond
// the model's narena bytes, for the temporaries that stages need even without rows. The low side
// and arena_push leave the reserve alone. Temporaries that grow with contacts and rows come from
// arena_push. Solvers, which take many such temporaries, run under arena_attempt.

#pragma once

#include <mujoco/mjdata.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>

// Bytes of temporaries that any single stage of m needs at most, without rows.
mjtSize arena_reserve(const mjModel* m);

// Takes bytes from the low side, aligned to align (a power of two), with undefined contents. NULL
// if they don't fit.
void* arena_alloc(mjData* d, size_t bytes, size_t align);

// Frees everything on the low side from `parena` (an earlier value of d->parena) on.
void arena_rewind(mjData* d, size_t parena);

// Like arena_alloc, from the high side, for optional temporaries.
void* arena_push(mjData* d, size_t bytes, size_t align);

// Like mj_stackAllocNum, with n zeros.
mjtNum* arena_zeros(mjData* d, size_t n);

// The block at the top of the stack when d->pstack was `place`. NULL if place is 0 or the block has
// been popped. A stage can so find a block again by a number stored in d.
static inline void* arena_at(const mjData* d, mjtSize place) {
  return place && place <= d->pstack ? (char*)d->arena + (size_t)(d->cnd_arena - place) : NULL;
}

// Temporaries of the stages of a step. They are inline and need no frame, because a step of a small
// model has little else to do.
//
//   size_t top = arena_top(d);
//   mjtNum* x = arena_num(d, n);      // never NULL: ends in mju_error if they don't fit
//   arena_pop(d, top);
//
// The largest use is noted when a frame is popped, by when it has grown to its full size. Under a
// thread pool only its first worker may read the top in d, which it moves while others work.

size_t arena_thread_top(const mjData* d);
void* arena_thread_take(mjData* d, size_t bytes, size_t align);
void arena_thread_pop(mjData* d, size_t top);

// The top of this thread's stack.
static inline size_t arena_top(const mjData* d) {
  return d->threadpool ? arena_thread_top(d) : d->pstack;
}

// Pushes bytes, aligned to align (a power of two), with undefined contents.
static inline void* arena_take(mjData* d, size_t bytes, size_t align) {
  if (d->threadpool || bytes + align > (size_t)d->cnd_arena - d->pstack - d->parena) {
    return arena_thread_take(d, bytes, align);
  }
  char* end = (char*)d->arena + (size_t)d->cnd_arena;
  char* place = (char*)((uintptr_t)(end - d->pstack - bytes) & -(uintptr_t)align);
  d->pstack = (size_t)(end - place);
  return place;
}

static inline mjtNum* arena_num(mjData* d, size_t n) {
  return (mjtNum*)arena_take(d, n * sizeof(mjtNum), alignof(mjtNum));
}

static inline int* arena_int(mjData* d, size_t n) {
  return (int*)arena_take(d, n * sizeof(int), alignof(int));
}

// Frees what was pushed since arena_top(d) was `top`.
static inline void arena_pop(mjData* d, size_t top) {
  if (d->threadpool || d->pstack > d->maxuse_stack || d->pstack + d->parena > d->maxuse_arena) {
    arena_thread_pop(d, top);
    return;
  }
  d->pstack = top;
}

// Runs a stage and returns 1. If the stack of d has no room for a temporary of the stage, aborts
// the stage, frees its temporaries and returns 0. The stage must not call callbacks.
int arena_attempt(void (*stage)(const mjModel*, mjData*), const mjModel* m, mjData* d);

// Like arena_attempt, for any function that uses the stack of d, on any thread.
int arena_try(void (*call)(void* argument), void* argument, mjData* d);

// Makes one stack per worker of a pool, so that workers can run stages of one mjData. What a worker
// pushes is on its own stack. Frees the stacks of an earlier call. Returns 0 if out of memory.
int arena_shard(mjData* d, int nworker);
void arena_unshard(mjData* d);

// Largest use in bytes of this worker's stack since the last call; 0 if the thread is no worker.
size_t arena_peak(mjData* d);

// Free bytes between the two sides of d's own arena.
size_t arena_room(const mjData* d);

// Empties the low side: no contacts, no rows, no islands.
void arena_clear(mjData* d);
