// rod.h: bending and torsion of flexes of dim 1, and how a contact turns their edges.
//                                                        theory/smooth/deformables.md, Rods

#pragma once

#include <mujoco/mjdata.h>

#include "model/flex/rod.h"

// Adds the forces of a rod to d->qfrc_spring and d->qfrc_damper; spring and damper say whether each
// is enabled.                                                                              rod.c
void rod_forces(const mjModel* m, mjData* d, const Rod* rod, int flex, int spring, int damper);

// The frames and reference twists of a rod as they are now, as in mjData.plastic; x: its vertices.
void rod_state_now(mjtNum* state, const mjModel* m, mjData* d, int flex, const mjtNum* x);

// A contact on an edge of a rod that twists: it holds a point at `arm` from the axis, in the middle
// between the surfaces or, of a vertex, on its own surface. A force f and a torque on it turn the
// edge with s = arm x f + torque:
//
//   on vertex i   weight_i f + (+-1) (s x t - (s . t) lag) / length      on the hinge   s . t
//
// lag = t0 x t / (1 + t0 . t): the frame, which came from the tangent t0, spins as the edge moves
// on.
typedef struct RodGrip_ {
  int body[3];  // of both vertices, and of the hinge
  mjtNum weight[2], x[2][3], t[3], arm[3], lag[3], length, axis[3];
} RodGrip;

// Writes t0 x t / (1 + t0 . t), of the tangent t0 in mjData.plastic; 0 after a reset.     rod.c
void rod_lag(mjtNum out[3], const mjModel* m, const mjData* d, int flex, int edge,
             const mjtNum t[3]);

// Returns 0 if a side of a contact is not such an edge, or a body holds it.         rod_contact.c
int rod_grip(RodGrip* grip, const mjModel* m, const mjData* d, const mjContact* con, int side);

// Forces on both vertices, and torque on the hinge, of a force and torque at the contact.
void rod_grip_forces(mjtNum vertex[2][3], mjtNum torque[3], const RodGrip* grip, const mjtNum f[3],
                     const mjtNum s[3]);

// Velocity of the point that the contact holds, and angular velocity of the edge.
void rod_grip_velocity(mjtNum linear[3], mjtNum angular[3], const mjModel* m, const mjData* d,
                       const RodGrip* grip);
