// pair_cache.h: contacts of pairs of geoms, cached from one collision stage to the next.
//
// Finite differences nudge one position at a time, and most pairs of geoms don't move: their
// contacts are copied. A collider depends on two poses only, so equal poses give equal contacts,
// bit for bit.
//
// Without it mjd_inverseFD takes 1.43 times as long on hand, 1.11 on humanoid_mesh,
// mjd_transitionFD 1.27 and 1.06; minima of alternating runs. Where nothing stands still (mug) or
// collisions are cheap (ant, humanoid) it costs 1% at most.
//
//   pair_cache_open(m, d);     at the pose around which the next evaluations vary
//   mj_collision(m, d) ...     the first call at that pose caches contacts, others read them
//   pair_cache_close(d);
//                                                    theory/time/derivatives.md, Finite differences

#pragma once

#include <mujoco/mjdata.h>

typedef struct PairCache PairCache;

// Opens an empty cache for the present poses, in a part of the arena that nothing has used since d
// was made or reset. There is no cache without room, nor if a collider may depend on more than
// poses (plugins, colliders of the program). The caller pops the stack after pair_cache_close.
void pair_cache_open(const mjModel* m, mjData* d);
void pair_cache_close(mjData* d);

// Begins a stage; returns its cache, NULL if none is open.
PairCache* pair_cache_start(const mjModel* m, mjData* d);

// Copies the cached contacts of a pair of geoms; ipair is its explicit pair or -1. Returns how
// many, -1 if they aren't cached.
int pair_cache_read(const PairCache* pairs, mjContact* con, int g1, int g2, int ipair);

// Caches the contacts of a pair, if it stands still and there is room.
void pair_cache_write(PairCache* pairs, const mjContact* con, int num, int g1, int g2, int ipair);
