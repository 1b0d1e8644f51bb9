// joint.h: how many numbers a joint has.

#ifndef CONDYLE_BASE_JOINT_H_
#define CONDYLE_BASE_JOINT_H_

#include <mujoco/mjmodel.h>

// coordinates: a position in space, a unit quaternion
static inline int joint_nq(int type) {
  return type == mjJNT_FREE ? 7 : (type == mjJNT_BALL ? 4 : 1);
}

// degrees of freedom
static inline int joint_nv(int type) {
  return type == mjJNT_FREE ? 6 : (type == mjJNT_BALL ? 3 : 1);
}

#endif  // CONDYLE_BASE_JOINT_H_
