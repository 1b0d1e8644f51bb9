// joint.h: a joint is a product of factors.
//
// Some scalars come first, each one coordinate with its dof, and then at most one unit quaternion,
// which has four coordinates and three dofs:
//
//            scalars      quaternion
//   free     3 (x)        1
//   ball                  1
//   slide    1 (length)
//   hinge    1 (angle)
//
// A function of all coordinates or dofs (steps, differences, springs, derivatives) loops over the
// scalars and has one case for the quaternion at their end, whatever the type.

#pragma once

#include <mujoco/mjmodel.h>

static inline int joint_scalars(int type) {
  return type == mjJNT_FREE ? 3 : type == mjJNT_BALL ? 0 : 1;
}

// Free and ball joints have a quaternion. Slides and hinges are scalar joints.
static inline int joint_has_quat(int type) {
  return type == mjJNT_FREE || type == mjJNT_BALL;
}

// coordinates
static inline int joint_nq(int type) {
  return joint_scalars(type) + 4 * joint_has_quat(type);
}

// Number of degrees of freedom.
static inline int joint_nv(int type) {
  return joint_scalars(type) + 3 * joint_has_quat(type);
}

// Does a body move with dofs, its own or those of the body that it is welded to? Neither the
// world's nor mocap bodies do.
static inline int body_moves(const mjModel* m, int body) {
  return m->body_dofnum[m->body_weldid[body]] > 0;
}

// Dofs [first, end) of one factor.
typedef struct {
  int first, end;
} DofStep;

// The factor to which a dof belongs: the dofs that are integrated together.
static inline DofStep dof_step(const mjModel* m, int dof) {
  int joint = m->dof_jntid[dof];
  int quat = m->jnt_dofadr[joint] + joint_scalars(m->jnt_type[joint]);
  return dof < quat ? (DofStep){dof, dof + 1} : (DofStep){quat, quat + 3};
}

// Is the dof one of the three of a quaternion?
static inline int dof_in_quat(const mjModel* m, int dof) {
  DofStep step = dof_step(m, dof);
  return step.end > step.first + 1;
}
