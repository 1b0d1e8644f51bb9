// pose.h: positions and orientations in double precision, for making and editing models.
//
// A model is compiled once, so its frames are composed in double even where mjtNum is float. Two
// guards differ from the engine's (vec.h): a vector shorter than 1e-7 counts as zero and stays as
// it is, and the quaternion product of two frames is normalised. Both affect the last digits of
// body and geom frames, so they are part of the format.                theory/model/model.md, Poses

#pragma once

#include <mujoco/mjtnum.h>

// defines pose_cross, pose_product, pose_rotate, pose_matrix
#define NUMBER double
#define CROSS pose_cross
#define PRODUCT pose_product
#define TURN pose_rotate
#define MATRIX pose_matrix
#include "base/algebra/rotation_formulas.h"

// a vector whose squared length is below this has no direction
#define POSE_EPS 1e-14

// A length this close to 1 is left as it is, so that a unit vector of a saved model keeps its
// digits.
#define POSE_UNIT_EPS (sizeof(mjtNum) == sizeof(double) ? 1e-14 : 2e-7)

// A frame in its parent: x_parent = pos + R(quat) x.
typedef struct Pose_ {
  double pos[3];
  double quat[4];
} Pose;

static const Pose POSE_IDENTITY = {{0, 0, 0}, {1, 0, 0, 0}};

static inline double pose_dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Makes v a unit vector and returns its length; 0, and v unchanged, if its squared length is below
// POSE_EPS.
double pose_normalize(double* v, int n);

// quaternion of a turn by angle (radians) about a unit axis
void pose_axisangle(double quat[4], const double axis[3], double angle);

// q = Rz(yaw) Ry(pitch) Rx(roll), and the angles of a rotation. Each angle is taken from numbers of
// size 1 after the ones before it are undone, so that their product has all digits where pitch is a
// right angle, too.
//
//   yaw = atan2(R10, R00),  S = Rz(-yaw) R = Ry(pitch) Rx(roll)
//   pitch = atan2(-S20, S00),  roll = atan2(-S12, S11)
void pose_from_rpy(double quat[4], const double rpy[3]);
void pose_to_rpy(double rpy[3], const double quat[4]);

// out = a * b, normalised; may alias
void pose_mulquat(double out[4], const double a[4], const double b[4]);

// quaternion of the frame with the given unit axes
void pose_from_axes(double quat[4], const double x[3], const double y[3], const double z[3]);

// the smallest rotation that takes z to the unit vector v; a half turn about x if v = -z
void pose_from_z(double quat[4], const double v[3]);

// out = outer o inner, where inner is given in the frame outer. out may alias either.
void pose_compose(Pose* out, const Pose* outer, const Pose* inner);

void pose_inverse(Pose* out, const Pose* pose);

// Solves outer o inner = whole for outer. inner->quat need not be a unit quaternion exactly. May
// alias.
void pose_outer(Pose* outer, const Pose* whole, const Pose* inner);

// Rounds numbers to mjtNum, the precision that a model stores.
void pose_round(double* v, int n);
