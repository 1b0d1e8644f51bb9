#include "compile/tree/shape.h"

#include <math.h>
#include <mujoco/mjspec.h>
#include <string.h>

// how many sizes a type uses; a plane's three are checked apart
static const int used_sizes[mjNGEOMTYPES] = {
    [mjGEOM_SPHERE] = 1,   [mjGEOM_CAPSULE] = 2, [mjGEOM_ELLIPSOID] = 3,
    [mjGEOM_CYLINDER] = 2, [mjGEOM_BOX] = 3,
};

// The shape stretches from A to B, its z axis points from B to A. Half the distance is the
// half-length of capsules and cylinders; of boxes and ellipsoids it is the third half size, and the
// second equals the first.
static int span(Compile* c, const SpecObject* object, mjtGeom type, const double pos[3],
                const double fromto[6], Pose* pose, double size[3]) {
  if (type != mjGEOM_CAPSULE && type != mjGEOM_CYLINDER && type != mjGEOM_ELLIPSOID &&
      type != mjGEOM_BOX) {
    compile_error(c, object, "fromto requires capsule, cylinder, box or ellipsoid in geom");
    return 0;
  }
  if (pos[0] != 0 || pos[1] != 0 || pos[2] != 0) {
    compile_error(c, object, "both pos and fromto defined in geom");
    return 0;
  }
  double axis[3];
  for (int i = 0; i < 3; i++) {
    axis[i] = fromto[i] - fromto[3 + i];
    pose->pos[i] = (fromto[i] + fromto[3 + i]) / 2;
  }
  double half = pose_normalize(axis, 3) / 2;
  if (half < COMPILE_EPS) {
    compile_error(c, object, "fromto points too close in geom");
    return 0;
  }
  pose_from_z(pose->quat, axis);
  if (type == mjGEOM_CAPSULE || type == mjGEOM_CYLINDER) {
    size[1] = half;
  } else {
    size[1] = size[0];
    size[2] = half;
  }
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
      compile_error(c, object, "nan size in geom");
      return 0;
    }
  }
  if (type == mjGEOM_PLANE && size[2] <= 0) {
    compile_error(c, object, "plane size(3) must be positive");
    return 0;
  }
  for (int i = 0; i < used_sizes[type]; i++) {
    if (size[i] <= 0) {
      compile_error(c, object, "size %d must be positive in geom", i);
      return 0;
    }
  }
  return 1;
}

void shape_aabb(double aabb[6], mjtGeom type, const double size[3]) {
  const double infinite = 1e10;
  double half[3] = {size[0], size[1], size[2]};
  memset(aabb, 0, 6 * sizeof(double));
  switch (type) {
    case mjGEOM_PLANE:
      half[0] = half[1] = infinite;
      half[2] = infinite / 2;
      aabb[2] = -infinite / 2;
      break;
    case mjGEOM_SPHERE:
      half[1] = half[2] = size[0];
      break;
    case mjGEOM_CAPSULE:
      half[1] = size[0];
      half[2] = size[0] + size[1];
      break;
    case mjGEOM_CYLINDER:
      half[1] = size[0];
      half[2] = size[1];
      break;
    default:
      break;
  }
  memcpy(aabb + 3, half, sizeof(half));
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
