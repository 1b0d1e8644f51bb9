// pair_cache.h: contacts of pairs of geoms, kept from one collision stage to the next.
//
// Finite differences nudge one position at a time, and most pairs of geoms stand as they stood:
// what a collider found for them is copied. A pair is what two poses make of it, so as long as
// these are the same numbers the contacts are, too, bit for bit.
//
//   if (pair_cache_open(m, d)) {
//     mj_collision(m, d);      the first stage keeps what each pair makes
//   }
//   mj_collision(m, d) ...     at poses of which some differ
//   pair_cache_close(d);
//                                                    theory/derivatives.md, Finite differences

#ifndef CONDYLE_COLLISION_PAIR_CACHE_H_
#define CONDYLE_COLLISION_PAIR_CACHE_H_

#include <mujoco/mjdata.h>

typedef struct PairCache PairCache;

// Makes room on the stack of d, a part of what nothing has used since d was made or reset, for the
// pairs at its poses; to be popped after pair_cache_close. Returns 0 if there is no room, or if a
// collider may answer to more than poses: with plugins, or colliders of the program.
int pair_cache_open(const mjModel* m, mjData* d);
void pair_cache_close(mjData* d);

// At the start of a stage: what is kept for it, NULL if nothing is.
PairCache* pair_cache_start(const mjModel* m, mjData* d);

// Writes the contacts that a pair of geoms had, ipair being its explicit pair or -1; returns how
// many, -1 if a collider must tell. Pairs are asked for in the order in which they were kept.
int pair_cache_read(PairCache* pairs, mjContact* con, int g1, int g2, int ipair);

// Keeps the contacts of a pair while that is what the stage is for.
void pair_cache_write(PairCache* pairs, const mjContact* con, int num, int g1, int g2, int ipair);

#endif  // CONDYLE_COLLISION_PAIR_CACHE_H_
