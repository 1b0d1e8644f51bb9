// Names and places in a URDF file.

#include "mjcf/urdf/save/link.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <stdio.h>

#include "base/algebra/pose.h"

const char* urdf_name_of(char text[LINK_NAME_BYTES], const mjModel* m, int type, int id) {
  const char* name = mj_id2name(m, type, id);
  if (name && *name) {
    snprintf(text, LINK_NAME_BYTES, "%s", name);
  } else {
    snprintf(text, LINK_NAME_BYTES, "%s_%d", mju_type2Str(type), id);
  }
  return text;
}

void urdf_origin(Writer* w, const mjtNum pos[3], const mjtNum quat[4]) {
  const double q[4] = {(double)quat[0], (double)quat[1], (double)quat[2], (double)quat[3]};
  double rpy[3];
  pose_to_rpy(rpy, q);
  write_begin(w, "origin");
  write_numbers(w, "xyz", pos, 3);
  write_reals(w, "rpy", rpy, 3);
  write_end(w);
}
