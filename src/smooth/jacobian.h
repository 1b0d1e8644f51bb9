// jacobian.h: Jacobians of points and frames of bodies, stored for the few dofs that move them.
//
// Only the ancestors of a body move it, so a Jacobian has a handful of non-zero columns: the body's
// chain. The chain of every dof is a prefix of a row of the model's D pattern, in ascending order,
// so it costs nothing to look up.
//
//   chain of body 4:   a b c | d e            runs:  a b c  moves 4, 7, 8
//   chain of body 7:   a b c |     h i               d e    moves 4
//   chain of body 8:   a b c |     h i j             h i    moves 7, 8      j  moves 8
//
// The dofs that move at least one of several bodies fall into runs. All dofs of a run move the same
// of these bodies: shared ancestors are a prefix of all their chains, and the rest are disjoint
// blocks, because the dofs of a subtree are contiguous. So a Jacobian of several bodies is one sum
// per run, without a membership test for each dof.           theory/smooth/kinematics.md, Jacobians
//
// The caller has run mj_kinematics and mj_comPos.

#pragma once

#include <mujoco/mjdata.h>

// The dofs that move one body, ascending, in the model's own memory; *n is 0 for static bodies.
const int* jac_body_chain(int n[1], const mjModel* m, int body);

// One of several bodies: its place in the caller's list, its chain, and how many dofs the chain
// shares with that of the body before.
typedef struct {
  int place;
  const int* dof;
  int ndof, nshared;
} BodyChain;

// A run: consecutive dofs in the chains of the bodies chain[first..end), which move no other
// bodies.
typedef struct {
  const int* dof;
  int ndof;
  int first, end;
} ChainRun;

// The dofs that move any of nbody bodies (in any order, also repeated), ascending and without
// repetition; returns the number of runs. chain is sorted by body and has room for nbody, run for
// 2 nbody - 1.
int jac_runs(ChainRun* run, BodyChain* chain, const mjModel* m, const int* body, int nbody);

// Merges the columns of a chain of `count` dofs into a packed row of n ascending columns. New
// columns have the value 0. Returns the new number of columns.
int jac_merge_chain(mjtNum* val, int* col, int n, const int* chain, int count);

// Jacobian of the 3D vector (point2 of body2) - (point1 of body1), and of the angular velocity of
// body2 minus that of body1.
//
// jacp and jacr (either may be NULL) are 3 rows each, `stride` numbers apart. Row k is the
// component along row k of frame (3x3, rows are axes in the world; NULL: the world's axes).
// packed != 0: column i belongs to the i-th dof of jac_runs, no other columns are written, the
// number of columns is returned.
// packed == 0: columns are dofs, and the nv columns of all rows are written, zeros
// included; nv is returned.
int jac_difference(mjtNum* jacp, mjtNum* jacr, int stride, int packed, const mjModel* m,
                   const mjData* d, int body1, const mjtNum point1[3], int body2,
                   const mjtNum point2[3], const mjtNum* frame);

// Generalized force of a force and a torque at a point of a body: qfrc += jacp' force + jacr'
// torque.
void jac_add_force(mjtNum* qfrc, const mjModel* m, const mjData* d, const mjtNum force[3],
                   const mjtNum torque[3], const mjtNum point[3], int body);

// Translational velocity of a point of a body, from cvel.
void jac_point_velocity(mjtNum out[3], const mjModel* m, const mjData* d, const mjtNum point[3],
                        int body);

// Acceleration of a point of a body at zero qacc, (d/dt J) qvel; angular, unless NULL, becomes that
// of the body.
void jac_point_acceleration(mjtNum out[3], mjtNum* angular, const mjModel* m, const mjData* d,
                            const mjtNum point[3], int body);
