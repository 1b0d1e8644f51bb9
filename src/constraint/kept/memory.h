// memory.h: numbers that a constraint keeps from one step to the next.
//
// A solver of hard contacts starts from the last step's forces; contacts that stick keep their
// deformation. Rows come and go, so numbers are found by their constraint: an equality, a limit or
// a dof by its id, a contact by its pair of geoms and its point on the first of them. The memory is
// part of the state (mjSTATE_WARMSTART), so that a step remains a function of the state.
//
//   d->cnd_memory   | kind id id | place x y z | value x6 |   one row per constraint, in order;
//                   | kind id id | place x y z | value x6 |   kind 0 ends the list
//
// There is room for cnd_nmemory constraints; more are dropped. A soft model has no room.
//                                                           theory/contact/hard-contacts.md, Memory

#pragma once

#include <mujoco/mjdata.h>

// Stores numbers of the present constraints and drops all others. value (nefc): up to six numbers
// at the first rows of each constraint; those of a contact are dim components in its frame.
void memory_store(const mjModel* m, mjData* d, const mjtNum* value);

// Finds the numbers of the present constraints, zero where none are stored. value (nefc): as above.
// The vectors of a contact have stayed constant in the world and are returned in its present frame.
void memory_recall(mjtNum* value, const mjModel* m, mjData* d);
