// memory.h: numbers that a constraint keeps from one step to the next.
//
// A solver of hard contacts starts from the last step's forces; contacts that stick keep how far
// they are bent. Rows come and go, so the numbers are kept by what they belong to: an equality, a
// limit, a dof by its id; a contact by its pair of geoms and by where on the first of them it is.
// What is kept is part of the state (mjSTATE_WARMSTART), so that a step remains a function of the
// state.
//
//   d->cnd_memory   | kind id id | place x y z | value x6 |   one row per constraint, in order;
//                   | kind id id | place x y z | value x6 |   kind 0 ends the list
//
// There is room for cnd_nmemory of them; what comes beyond is forgotten. A soft model has no room.
//                                                          theory/hard-contacts.md, Memory

#ifndef CONDYLE_CONSTRAINT_MEMORY_H_
#define CONDYLE_CONSTRAINT_MEMORY_H_

#include <mujoco/mjdata.h>

// Keeps numbers of the present constraints and forgets all others. value (nefc): up to six numbers
// at the first rows of each constraint; those of a contact are dim components in its frame.
void memory_store(const mjModel* m, mjData* d, const mjtNum* value);

// value (nefc): the numbers kept for the present constraints, zero where none are; those of a
// contact are vectors that stayed where they were in the world, seen in its present frame.
void memory_recall(mjtNum* value, const mjModel* m, mjData* d);

#endif  // CONDYLE_CONSTRAINT_MEMORY_H_
