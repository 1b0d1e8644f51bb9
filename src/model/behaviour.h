// behaviour.h: which of the rules that later releases changed a model follows.

#pragma once

#include <condyle/behaviour.h>
#include <mujoco/mjmodel.h>

// Does the model follow the later rule (cndBehaviour)?
static inline int behaves(const mjModel* m, int behaviour) {
  return m->opt.behaviour >> behaviour & 1;
}

// The dialect of a model that names none: what this call was asked for, or else the default.
int dialect_default(void);

// Asks for a dialect on behalf of the calls that this thread makes until the next dialect_ask; 0:
// the default. Returns what was asked for before.
int dialect_ask(int dialect);

// The name of the first behaviour of m that is not in the set `known` and can change a result; NULL
// if there is none.
const char* behaviour_unknown(const mjModel* m, int known);
