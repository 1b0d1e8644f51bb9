// path.h: the bodies on the path of a tendon, and the dofs that move bodies.

#pragma once

#include <mujoco/mjmodel.h>

#include "model/tree/trees.h"

// The last dof that moves a body, -1 if none does. The others are its parents (dof_parentid).
static inline int last_dof(const mjModel* m, int body) {
  int weld = m->body_weldid[body];
  return m->body_dofnum[weld] ? m->body_dofadr[weld] + m->body_dofnum[weld] - 1 : -1;
}

// The dofs that move any of n bodies. Writes them to dof in ascending order, if that is not NULL,
// and returns how many there are. at[n] is scratch memory.
int path_dofs(int* dof, const mjModel* m, const int* body, int n, int* at);
