// mpr.c: general convex pairs with the flag nativeccd disabled end in an error, as that method is
// libccd's.

#include "collision/convex/mpr.h"

#include <mujoco/api/base.h>

mjtNum mpr_depth(mjtNum normal[3], mjtNum pos[3], const mjModel* m, ConvexShape* a,
                 ConvexShape* b) {
  (void)normal, (void)pos, (void)m, (void)a, (void)b;
  mju_error(
      "libcondyle_core has no libccd, which convex contacts need where the flag nativeccd is "
      "disabled: enable it");
  return 0;
}
