// share.h: loops of a stage that the threads of a pool share.
//
// A pool must not change any bit of a result. So the pieces of a loop write what belongs to them
// alone, sums keep the order that they have without a pool, and what can't be shared (a callback, a
// warning, an arena without room) makes the caller do the work again as it does without a pool.
//
//     share_for(d, n, 64, call, argument)      without a pool: call(argument, 0, n)
//
//     |  0..64  |  64..128  | ... |  ..n  |    with one: each piece on the next free thread
//
// Temporaries of a piece are on the stack of its thread (arena.h). A call that pushes some pops
// them.                                                   theory/data.md, Threads within one step

#pragma once

#include <mujoco/mjdata.h>
#include <stddef.h>

#include "base/parallel.h"

// Works on the indices [begin, end).
typedef void (*SharedCall)(void* argument, int begin, int end);

// How many threads may work on d at once: one without a pool, and if this thread is one of its
// workers.
static inline int share_threads(const mjData* d) {
  return d->threadpool ? pool_threads((const mjThreadPool*)d->threadpool) : 1;
}

// Whether a loop of n indices is shared, if at least `least` of them are worth to wake a thread.
static inline int share_pays(const mjData* d, int n, int least) {
  return d->threadpool && n >= least && share_threads(d) > 1;
}

// Calls call on pieces of `piece` indices each, in any order and on any thread of the pool of d;
// once on all of them if there is no other thread. Calls use no stack and don't warn. Errors end in
// mju_error on this thread when all pieces have ended.
void share_for(mjData* d, int n, int piece, SharedCall call, void* argument);

// Like share_for, for calls that may use the stack and may warn. Returns the most bytes that a
// piece has pushed. SIZE_MAX if one had no room there or warned, of which nobody is told: then the
// caller does the work again on this thread alone, so that warnings are counted and reported as
// ever. So it does if its own stack would have had no room.
size_t share_attempt(mjData* d, int n, int piece, SharedCall call, void* argument);
