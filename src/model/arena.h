// arena.h: the working memory of one mjData, from which contacts, constraint rows and temporaries
// come.
//
//   d->arena                                                        d->arena + d->narena
//   | contacts | rows | islands ... parena -->        <-- pstack ... temporaries |
//
// Two stacks grow towards each other in one block made with the mjData, so nothing on the way of
// mj_step touches the heap. The low side holds results that live until the next position stage; the
// high side holds temporaries between mj_markStack and mj_freeStack. The low side may run full in
// normal use (too many contacts): it answers NULL and the caller warns and does with less. A full
// high side is a wrong size of the arena and ends in mju_error.                spec 07, section 2.4

#ifndef CONDYLE_MODEL_ARENA_H_
#define CONDYLE_MODEL_ARENA_H_

#include <mujoco/mujoco.h>
#include <stddef.h>

// Takes bytes from the low side, aligned to align (a power of two); NULL if they don't fit.
// Contents are undefined.
void* arena_alloc(mjData* d, size_t bytes, size_t align);

// Gives back everything on the low side from `parena` (an earlier value of d->parena) on.
void arena_rewind(mjData* d, size_t parena);

// Takes bytes from the high side, aligned to align (a power of two); NULL if they don't fit.
// Contents are undefined.
void* arena_push(mjData* d, size_t bytes, size_t align);

// Gives back what was pushed since d->pstack was `pstack`.
void arena_pop(mjData* d, size_t pstack);

// Empties the low side: no contacts, no rows, no islands.
void arena_clear(mjData* d);

#endif  // CONDYLE_MODEL_ARENA_H_
