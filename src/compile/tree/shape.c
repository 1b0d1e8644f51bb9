// shape.c: resolves and checks the sizes and poses of primitive shapes.

#include "compile/tree/shape.h"

#include <math.h>
#include <string.h>

#include "compile/derive/inertia.h"
#include "compile/derive/primitive.h"
#include "compile/tree/frame.h"

// Places a shape by `fromto`, the points A and B: its center is midway, its z axis points from B to
// A. The last size is half the distance: the half length of a capsule or cylinder, the third half
// size of a box or ellipsoid, whose second half size becomes equal to the first.
static int span(Compile* c, const SpecObject* object, mjtGeom type, const double pos[3],
                const double fromto[6], Pose* pose, double size[3]) {
  int nsize = primitive(type)->nsize;
  if (nsize < 2) {
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
    return compile_error(c, object,
                         "fromto points too close in geom: they are %g apart, less than %g",
                         2 * half, 2 * COMPILE_EPS);
  }
  pose_from_z(pose->quat, axis);
  if (nsize == 3) {
    size[1] = size[0];
  }
  size[nsize - 1] = half;
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
    return compile_error(c, object, "plane size(3) must be positive: it is %g", size[2]);
  }
  for (int i = 0; i < primitive(type)->nsize; i++) {
    if (size[i] <= 0) {
      return compile_error(c, object, "size %d must be positive in geom: it is %g", i, size[i]);
    }
  }
  return 1;
}
