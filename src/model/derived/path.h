// path.h: the bodies on the path of a tendon, and the dofs that move bodies.

#pragma once

#include <mujoco/mjmodel.h>

// The body of item w of a path; 0, the world, for a pulley.
static inline int path_body(const mjModel* m, int w) {
  int id = m->wrap_objid[w];
  switch (m->wrap_type[w]) {
    case mjWRAP_JOINT:
      return m->jnt_bodyid[id];
    case mjWRAP_SITE:
      return m->site_bodyid[id];
    case mjWRAP_SPHERE:
    case mjWRAP_CYLINDER:
      return m->geom_bodyid[id];
    default:
      return 0;
  }
}

// The last dof that moves a body, -1 if none does. The others are its parents (dof_parentid).
static inline int last_dof(const mjModel* m, int body) {
  int weld = m->body_weldid[body];
  return m->body_dofnum[weld] ? m->body_dofadr[weld] + m->body_dofnum[weld] - 1 : -1;
}

// The dofs that move any of n bodies. Writes them to dof in ascending order, if that is not NULL,
// and returns how many there are. at[n] is scratch memory.
int path_dofs(int* dof, const mjModel* m, const int* body, int n, int* at);
