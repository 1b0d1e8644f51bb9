// jacobian.h: how points and frames of bodies move with the dofs, on the few dofs that move them.
//
// Only the ancestors of a body move it, so a Jacobian has a handful of non-zero columns: the body's
// chain. The chain of every dof is a prefix of a row of the model's D pattern, in ascending order,
// so it costs nothing to look up.
//
//   chain of body 1:   a b c | d e
//   chain of body 2:   a b c | h i j
//   both:              a b c | d e h i j
//
// The shared ancestors a b c come first, a prefix of both; the rest are disjoint blocks, because
// the dofs of a subtree are contiguous.
//
// A relative Jacobian (point of body 2 minus point of body 1) is therefore three runs
// without a membership test: the difference on the prefix, minus on body 1's own part,
// plus on body 2's own part.                                                     spec 04, section 4
//
// The caller has run mj_kinematics and mj_comPos.

#ifndef CONDYLE_SMOOTH_JACOBIAN_H_
#define CONDYLE_SMOOTH_JACOBIAN_H_

#include <mujoco/mujoco.h>

// The dofs that move one body, ascending, in the model's own memory; *n is 0 for static bodies.
const int* jac_bodyChain(int n[1], const mjModel* m, int body);

// The dofs that move one body or the other, ascending and without repetition; returns how
// many. chain has room for nv.
int jac_chain(int* chain, const mjModel* m, int body1, int body2);

// Jacobian of the 3D vector (point2 of body2) - (point1 of body1), and of the angular velocity of
// body2 minus that of body1.
//
// jacp and jacr (either may be NULL) are 3 rows each, `stride` numbers apart. Row k is the
// component along row k of frame (3x3, rows are axes in the world; NULL: the world's axes).
// packed != 0: column i belongs to the i-th dof of jac_chain, no other columns are written, the
// number of columns is returned.
// packed == 0: columns are dofs, and the nv columns of all rows are written, zeros
// included; nv is returned.
int jac_difference(mjtNum* jacp, mjtNum* jacr, int stride, int packed, const mjModel* m,
                   const mjData* d, int body1, const mjtNum point1[3], int body2,
                   const mjtNum point2[3], const mjtNum* frame);

// Generalized force of a force and a torque at a point of a body: qfrc +=
// jacp' force + jacr' torque.
void jac_addForce(mjtNum* qfrc, const mjModel* m, const mjData* d, const mjtNum force[3],
                  const mjtNum torque[3], const mjtNum point[3], int body);

// Translational velocity of a point of a body, from cvel.
void jac_pointVelocity(mjtNum out[3], const mjModel* m, const mjData* d, const mjtNum point[3],
                       int body);

#endif  // CONDYLE_SMOOTH_JACOBIAN_H_
