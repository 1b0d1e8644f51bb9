// One warning per pair of types, from whichever thread meets it first.

#include "collision/unsupported.h"

#include <mujoco/api/base.h>
#include <stdatomic.h>

#include "model/data/hold.h"

int collide_unsupported(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                        mjtNum margin) {
  static const char* const name[mjNGEOMTYPES] = {
      "plane", "height field", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "SDF"};
  static atomic_int warned[mjNGEOMTYPES][mjNGEOMTYPES];
  (void)d, (void)con, (void)margin;
  int type1 = m->geom_type[g1], type2 = m->geom_type[g2];
  if (!atomic_load(&warned[type1][type2]) && !warning_is_held() &&
      !atomic_exchange(&warned[type1][type2], 1)) {
    mju_warning("collisions of a %s with a %s are not supported: they pass through each other",
                name[type1], name[type2]);
  }
  return 0;
}
