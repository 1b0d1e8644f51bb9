// paths.c: which paths lanes can follow: sites, pulleys between them, geoms each between two sites.

#include "lanes/setup/paths.h"

#include <mujoco/api/base.h>

int path_side(const mjModel* m, int wrap) {
  return path_is_geom(m->wrap_type[wrap]) ? (int)mju_round(m->wrap_prm[wrap]) : -1;
}

// A path is sites, with pulleys between them and with geoms each between two of them.
const char* path_why(const mjModel* m, int tendon) {
  int first = m->tendon_adr[tendon], end = first + m->tendon_num[tendon];
  for (int w = first; w < end; w++) {
    int type = m->wrap_type[w];
    if (type != mjWRAP_SITE && type != mjWRAP_PULLEY && !path_is_geom(type)) {
      return "has a path of a kind that lanes don't have";
    }
    if (path_is_geom(type)) {
      int side = path_side(m, w);
      if (w == first || w + 1 == end || m->wrap_type[w - 1] != mjWRAP_SITE ||
          m->wrap_type[w + 1] != mjWRAP_SITE || side < -1 || side >= m->nsite) {
        return "has a geom that is not between sites";
      }
      if (m->tendon_armature[tendon] != 0) {
        return "has armature and wraps a geom";
      }
    }
  }
  return NULL;
}
