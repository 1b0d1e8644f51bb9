// kept_pairs.h: contacts of pairs of geoms, kept from one collision stage to the next.
//
// Finite differences nudge one position at a time, and most pairs of geoms stand as they stood:
// what a collider found for them is copied. A pair is what two poses make of it, so as long as
// these are the same numbers the contacts are, too, bit for bit.
//
//   kept_pairs_open(m, d);     collides at the poses in d, and keeps what each pair makes
//   mj_collision(m, d) ...     at poses of which some differ
//   kept_pairs_close(d);
//                                                    theory/derivatives.md, Finite differences

#ifndef CONDYLE_COLLISION_KEPT_PAIRS_H_
#define CONDYLE_COLLISION_KEPT_PAIRS_H_

#include <mujoco/mjdata.h>

typedef struct KeptPairs KeptPairs;

// Makes room on the stack of d, a part of what nothing has used since d was made or reset, and
// fills it; to be popped after kept_pairs_close. Contacts of d are those of its poses then, without
// rows. Nothing is kept where a collider may answer to more than poses: with plugins, or colliders
// of the program.
void kept_pairs_open(const mjModel* m, mjData* d);
void kept_pairs_close(mjData* d);

// At the start of a stage: what is kept for it, NULL if nothing is.
KeptPairs* kept_pairs_start(const mjModel* m, mjData* d);

// Writes the contacts that a pair of geoms had, ipair being its explicit pair or -1; returns how
// many, -1 if a collider must tell. Pairs are asked for in the order in which they were kept.
int kept_pairs_read(KeptPairs* pairs, mjContact* con, int g1, int g2, int ipair);

// Keeps the contacts of a pair while that is what the stage is for.
void kept_pairs_write(KeptPairs* pairs, const mjContact* con, int num, int g1, int g2, int ipair);

#endif  // CONDYLE_COLLISION_KEPT_PAIRS_H_
