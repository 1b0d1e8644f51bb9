#include "compile/tree/shape.h"

#include <math.h>
#include <mujoco/mjspec.h>
#include <string.h>

#include "compile/tree/frame.h"
#include "compile/tree/inertia.h"

// a plane's three are checked apart
int shape_sizes(mjtGeom type) {
  static const int used[mjNGEOMTYPES] = {
      [mjGEOM_SPHERE] = 1,   [mjGEOM_CAPSULE] = 2, [mjGEOM_ELLIPSOID] = 3,
      [mjGEOM_CYLINDER] = 2, [mjGEOM_BOX] = 3,
  };
  return used[type];
}

// The shape stretches from A to B, its z axis points from B to A. Half the distance is the
// half-length of capsules and cylinders; of boxes and ellipsoids it is the third half size, and the
// second equals the first.
static int span(Compile* c, const SpecObject* object, mjtGeom type, const double pos[3],
                const double fromto[6], Pose* pose, double size[3]) {
  if (shape_sizes(type) < 2) {
    return compile_error(c, object, "fromto requires capsule, cylinder, box or ellipsoid in geom");
  }
  if (pos[0] != 0 || pos[1] != 0 || pos[2] != 0) {
    return compile_error(c, object, "both pos and fromto defined in geom");
  }
  double axis[3];
  for (int i = 0; i < 3; i++) {
    axis[i] = fromto[i] - fromto[3 + i];
    pose->pos[i] = (fromto[i] + fromto[3 + i]) / 2;
  }
  double half = pose_normalize(axis, 3) / 2;
  if (half < COMPILE_EPS) {
    return compile_error(c, object, "fromto points too close in geom");
  }
  pose_from_z(pose->quat, axis);
  if (shape_sizes(type) == 3) {
    size[1] = size[0];
  }
  size[shape_sizes(type) - 1] = half;
  return 1;
}

int shape_resolve(Compile* c, const SpecObject* object, mjtGeom type, const double pos[3],
                  const double quat[4], const mjsOrientation* alt, const double fromto[6],
                  Pose* out_pose, double out_size[3]) {
  if (!isnan(fromto[0])) {
    return span(c, object, type, pos, fromto, out_pose, out_size);
  }
  memcpy(out_pose->pos, pos, sizeof(out_pose->pos));
  memcpy(out_pose->quat, quat, sizeof(out_pose->quat));
  pose_normalize(out_pose->quat, 4);
  const char* format = object->element.elemtype == mjOBJ_SITE
                           ? "orientation specification error '%s' in site %d"
                           : "orientation specification error '%s' in geom %d";
  return frame_orientation(c, object, out_pose->quat, alt, format);
}

int shape_check(Compile* c, const SpecObject* object, mjtGeom type, const double size[3]) {
  for (int i = 0; i < 3; i++) {
    if (isnan(size[i]) && object->element.elemtype == mjOBJ_GEOM) {
      return compile_error(c, object, "nan size in geom");
    }
  }
  if (type == mjGEOM_PLANE && size[2] <= 0) {
    return compile_error(c, object, "plane size(3) must be positive");
  }
  for (int i = 0; i < shape_sizes(type); i++) {
    if (size[i] <= 0) {
      return compile_error(c, object, "size %d must be positive in geom", i);
    }
  }
  return 1;
}

void shape_half(double half[3], mjtGeom type, const double size[3]) {
  memcpy(half, size, 3 * sizeof(double));
  if (type == mjGEOM_SPHERE || type == mjGEOM_CAPSULE || type == mjGEOM_CYLINDER) {
    half[1] = size[0];
    half[2] = type == mjGEOM_SPHERE    ? size[0]
              : type == mjGEOM_CAPSULE ? size[1] + size[0]
                                       : size[1];
  }
}

void shape_aabb(double aabb[6], mjtGeom type, const double size[3]) {
  const double infinite = 1e10;
  memset(aabb, 0, 3 * sizeof(double));
  shape_half(aabb + 3, type, size);
  if (type == mjGEOM_PLANE) {
    aabb[3] = aabb[4] = infinite;
    aabb[5] = infinite / 2;
    aabb[2] = -infinite / 2;
  }
}

double shape_radius(mjtGeom type, const double size[3]) {
  switch (type) {
    case mjGEOM_SPHERE:
      return size[0];
    case mjGEOM_CAPSULE:
      return size[0] + size[1];
    case mjGEOM_CYLINDER:
      return sqrt(size[0] * size[0] + size[1] * size[1]);
    case mjGEOM_ELLIPSOID:
      return fmax(fmax(size[0], size[1]), size[2]);
    case mjGEOM_BOX:
      return sqrt(size[0] * size[0] + size[1] * size[1] + size[2] * size[2]);
    default:
      return 0;
  }
}
