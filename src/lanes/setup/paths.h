// paths.h: the elements of the paths of tendons in space.

#pragma once

#include <mujoco/mjmodel.h>

// Whether an element is a geom that the path may wrap.
static inline int path_is_geom(int type) {
  return type == mjWRAP_SPHERE || type == mjWRAP_CYLINDER;
}

// The site that a path passes by at a geom, -1 if there is none or the element is none.
int path_side(const mjModel* m, int wrap);

// Why the path of a tendon in space can't be followed in lanes; NULL if it can.
const char* path_why(const mjModel* m, int tendon);
