// arena.h: the working memory of one mjData, from which contacts, constraint rows and temporaries
// come.
//
//   d->arena                                                  d->arena + d->narena
//   | contacts | rows | islands ... parena -->                          |  reserve |
//                                                    <-- pstack ... temporaries    |
//
// Two stacks grow towards each other in one block made with the mjData, so nothing on the way of
// mj_step touches the heap. The low side holds results that live until the next position stage; the
// high side holds temporaries between mj_markStack and mj_freeStack. The low side may run full in
// normal use (too many contacts): it answers NULL and the caller warns and does with less. A full
// high side ends in mju_error.                                   theory/data.md, Memory of the data
//
// Nothing under mj_step may end there, however small the arena is. What the stages need even
// without rows is added to the narena bytes that the model asks for, as a reserve that neither the
// low side nor what is pushed takes of. What grows with contacts and rows is pushed; the solvers,
// which take too much piece by piece, run as attempts.

#ifndef CONDYLE_MODEL_ARENA_H_
#define CONDYLE_MODEL_ARENA_H_

#include <mujoco/mjdata.h>
#include <stddef.h>

// Bytes of temporaries that the stages of m need at most, one at a time, without any row.
mjtSize arena_reserve(const mjModel* m);

// Takes bytes from the low side, aligned to align (a power of two); NULL if they don't fit.
// Contents are undefined.
void* arena_alloc(mjData* d, size_t bytes, size_t align);

// Gives back everything on the low side from `parena` (an earlier value of d->parena) on.
void arena_rewind(mjData* d, size_t parena);

// The same from the high side, for what a stage can do without.
void* arena_push(mjData* d, size_t bytes, size_t align);

// n zeros on the stack, as mj_stackAllocNum gives numbers.
mjtNum* arena_zeros(mjData* d, size_t n);

// What was pushed when d->pstack became `place`, which stages note in d; NULL if they noted 0 or it
// has been popped.
static inline void* arena_at(const mjData* d, mjtSize place) {
  return place && place <= d->pstack ? (char*)d->arena + (size_t)(d->cnd_arena - place) : NULL;
}

// Gives back what was pushed since d->pstack was `pstack`.
void arena_pop(mjData* d, size_t pstack);

// Runs a stage. If the stack of d has no room for a temporary of it, the stage is left at once,
// what it has on the stack is given back and the answer is 0. No callback may be under it.
int arena_attempt(void (*stage)(const mjModel*, mjData*), const mjModel* m, mjData* d);

// The same for any call that uses the stack of d, on any thread.
int arena_try(void (*call)(void* argument), void* argument, mjData* d);

// Stacks for the workers of a pool, so that the stages of one mjData may run on them: on a worker,
// everything that is pushed comes from its own. 0 if memory is out. Those of before are freed.
int arena_shard(mjData* d, int nworker);
void arena_unshard(mjData* d);

// The most bytes that this thread's stack has held since the last call; 0 if the thread is no
// worker.
size_t arena_peak(mjData* d);

// Bytes that the stack of the other threads has left.
size_t arena_room(const mjData* d);

// Empties the low side: no contacts, no rows, no islands.
void arena_clear(mjData* d);

#endif  // CONDYLE_MODEL_ARENA_H_
