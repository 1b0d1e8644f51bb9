// bolt.c: mujoco.sdf.bolt, a threaded rod from z = -1 to 0, pointed below, with a hexagonal head.
//                                                                 theory/plugins/plugins.md, Shapes
//
// With the signed distances of thread.h to the infinite thread, the cone and the head,
// and s = SCREW_SLANT:
//
//   rod = max(thread, |z + 1/2| - 1/2, -(cone + s))        distance = min(rod, head)

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it rounds distances differently

#include <mujoco/api/base.h>

#include "base/algebra/vec.h"
#include "plugin/list.h"
#include "plugin/shape.h"
#include "plugin/thread.h"

static const char* const names[] = {"radius"};

static mjtNum distance(const mjtNum p[3], const mjtNum* param) {
  Screw screw = screw_distances(p, param[0]);
  mjtNum body = num_max(screw.thread, -((mjtNum)0.5 - mju_abs(p[2] + (mjtNum)0.5)));
  body = num_max(body, -(screw.cone + SCREW_SLANT));
  return num_min(body, screw.head);
}

static const Shape shape = {names, 1, {(mjtNum)0.26}, screw_check, distance, NULL, NULL};

SHAPE_HOOKS(plugin_bolt, "mujoco.sdf.bolt", shape, names, screw_box, NULL);
