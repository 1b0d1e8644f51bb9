// orientation.c: quaternions from axis and angle, from axes and from Euler angles.
//                                                               theory/model/model.md, Orientations

#include <mujoco/api/spec.h>
#include <string.h>

#include "base/algebra/pose.h"
#include "base/memory/check.h"
#include "spec/spec.h"

static double radians(double angle, mjtByte degree) {
  return degree ? angle / 180 * mjPI : angle;
}

static const char* from_euler(double quat[4], const double euler[3], mjtByte degree,
                              const char* sequence) {
  double total[4] = {1, 0, 0, 0};
  for (int i = 0; i < 3; i++) {
    static const char letters[] = "xyzXYZ";
    const char* letter = sequence[i] ? strchr(letters, sequence[i]) : NULL;
    if (!letter) {
      return "euler sequence can only contain x, y, z, X, Y, Z";
    }
    int index = (int)(letter - letters);
    double axis[3] = {0, 0, 0}, turn[4];
    axis[index % 3] = 1;
    pose_axisangle(turn, axis, radians(euler[i], degree));

    // lower-case letters turn about the axes turned so far, upper-case ones about the fixed axes
    if (index < 3) {
      pose_product(total, total, turn);
    } else {
      pose_product(total, turn, total);
    }
  }
  pose_normalize(total, 4);
  memcpy(quat, total, sizeof(total));
  return NULL;
}

static const char* from_xyaxes(double quat[4], const double xyaxes[6]) {
  double x[3], y[3], z[3];
  memcpy(x, xyaxes, sizeof(x));
  memcpy(y, xyaxes + 3, sizeof(y));
  if (pose_normalize(x, 3) == 0) {
    return "xaxis too small";
  }
  double dot = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
  for (int i = 0; i < 3; i++) {
    y[i] -= x[i] * dot;
  }
  if (pose_normalize(y, 3) == 0) {
    return "yaxis too small";
  }
  pose_cross(z, x, y);
  if (pose_normalize(z, 3) == 0) {
    return "cross(xaxis, yaxis) too small";
  }
  pose_from_axes(quat, x, y, z);
  return NULL;
}

const char* mjs_resolveOrientation(double quat[4], mjtByte degree, const char* sequence,
                                   const mjsOrientation* orientation) {
  check_given(orientation);
  double axis[3];
  switch (orientation->type) {
    case mjORIENTATION_QUAT:
      return NULL;

    case mjORIENTATION_AXISANGLE:
      memcpy(axis, orientation->axisangle, sizeof(axis));
      if (pose_normalize(axis, 3) == 0) {
        return "axisangle too small";
      }
      pose_axisangle(quat, axis, radians(orientation->axisangle[3], degree));
      return NULL;

    case mjORIENTATION_XYAXES:
      return from_xyaxes(quat, orientation->xyaxes);

    case mjORIENTATION_ZAXIS:
      memcpy(axis, orientation->zaxis, sizeof(axis));
      if (pose_normalize(axis, 3) == 0) {
        return "zaxis too small";
      }
      pose_from_z(quat, axis);
      return NULL;

    case mjORIENTATION_EULER:
      return from_euler(quat, orientation->euler, degree, sequence);
  }
  return "unknown kind of orientation";
}

void spec_pose(Pose* out, const SpecObject* object, const double pos[3], const double quat[4],
               const mjsOrientation* alt) {
  const SpecTree* tree = object->origin ? object->origin : object->tree;
  const mjsCompiler* compiler = &tree->spec.compiler;
  memcpy(out->pos, pos, sizeof(out->pos));
  memcpy(out->quat, quat, sizeof(out->quat));
  pose_normalize(out->quat, 4);
  if (alt->type != mjORIENTATION_QUAT) {
    mjs_resolveOrientation(out->quat, compiler->degree, compiler->eulerseq, alt);
  }
  if (object->frame) {
    Pose outer;
    spec_framepose(&outer, object->frame);
    pose_compose(out, &outer, out);
  }
}

void spec_framepose(Pose* out, const SpecObject* frame) {
  const mjsFrame* spec = &frame->as.frame;
  spec_pose(out, frame, spec->pos, spec->quat, &spec->alt);
}
