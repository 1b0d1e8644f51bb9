// Names and places in a URDF file.

#include "mjcf/urdf/save/link.h"

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <stdio.h>

const char* urdf_name_of(char text[LINK_NAME_BYTES], const mjModel* m, int type, int id) {
  const char* name = mj_id2name(m, type, id);
  if (name && *name) {
    snprintf(text, LINK_NAME_BYTES, "%s", name);
  } else {
    snprintf(text, LINK_NAME_BYTES, "%s_%d", mju_type2Str(type), id);
  }
  return text;
}

// The angles of a rotation. Each is taken from numbers of size 1 after the ones before it are
// undone, so that their product has all digits where pitch is a right angle, too.
//
//   yaw = atan2(R10, R00),  S = Rz(-yaw) R = Ry(pitch) Rx(roll)
//   pitch = atan2(-S20, S00),  roll = atan2(-S12, S11)
static void angles_of(double rpy[3], const mjtNum quat[4]) {
  mjtNum R[9];
  mju_quat2Mat(R, quat);
  double yaw = atan2((double)R[3], (double)R[0]), c = cos(yaw), s = sin(yaw);
  double S00 = c * (double)R[0] + s * (double)R[3];
  double S11 = -s * (double)R[1] + c * (double)R[4], S12 = -s * (double)R[2] + c * (double)R[5];
  rpy[0] = atan2(-S12, S11);
  rpy[1] = atan2(-(double)R[6], S00);
  rpy[2] = yaw;
}

void urdf_origin(Writer* w, const mjtNum pos[3], const mjtNum quat[4]) {
  double rpy[3];
  angles_of(rpy, quat);
  write_begin(w, "origin");
  write_numbers(w, "xyz", pos, 3);
  write_reals(w, "rpy", rpy, 3);
  write_end(w);
}
