// nut.c: mujoco.sdf.nut, a hexagonal head with a chamfered threaded hole.
//                                                                 theory/plugins/plugins.md, Shapes
//
//   hole = min(max(thread, -(cone + s/2)), -cone - s/20),  d = max(head, -hole)
//
// (the last term shifts the cone by 0.05 s)

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it rounds distances differently

#include "base/algebra/vec.h"
#include "plugin/list.h"
#include "plugin/shape.h"
#include "plugin/thread.h"

static const char* const names[] = {"radius"};

static mjtNum distance(const mjtNum p[3], const mjtNum* param) {
  Screw screw = screw_distances(p, param[0]);
  mjtNum hole = num_max(screw.thread, -(screw.cone + (mjtNum)0.5 * SCREW_SLANT));
  hole = num_min(hole, -screw.cone - (mjtNum)0.05 * SCREW_SLANT);
  return num_max(screw.head, -hole);
}

static const Shape shape = {names, 1, {(mjtNum)0.26}, screw_check, distance, NULL, NULL};

SHAPE_HOOKS(plugin_nut, "mujoco.sdf.nut", shape, names, screw_box, NULL);
