// aba.h: the articulated-body algorithm: M^-1 in time linear in the number of dofs.
//
// For a chain of n dofs the sparse factor of M costs n^2 numbers and n^3 operations. Instead, all
// parts that move with a dof can be treated as one "articulated" body, whose force and acceleration
// are related by f = IA a + pA. The 6x6 matrices IA are found from the leaves to the root. All
// quantities of a tree refer to one point, its com, so none is transformed from frame to frame.
//
//   tip o--o--o--o root        inwards: IA and pA        outwards: accelerations
//
// Joints with several dofs, and bodies with several joints, are eliminated dof by dof, the last one
// first, as if massless links were between them; this is the L'DL of their block. The factor is
// stored for the columns of J M^-1 J'. Each column takes one sweep inwards from the rows' bodies
// and one outwards to the bodies that have rows.
//                                                                 theory/smooth/articulated-body.md

#pragma once

#include <mujoco/mjdata.h>

// The factor of M + h diag(damping), with s = cdof of a dof:
//
//   U = IA s        D = s'U + armature + h damping
//
// It lies on the stack of its mjData. Dofs of single symmetric bodies (dof_simplenum) have no
// coupling: U = 0, and D is their entry of M.
typedef struct {
  mjtNum* U;     // 6 numbers for each dof
  mjtNum* Dinv;  // 1 / D
} AbaFactor;

// Whether M follows from bodies and joints alone. Tendon inertia breaks this: it couples dofs
// across the tree, and the pattern of M holds only a part of that coupling.
int aba_applies(const mjModel* m);

// The factor of M + h diag(dof_damping); h = 0 for M. Reads cinert and cdof.
AbaFactor aba_factor(const mjModel* m, mjData* d, mjtNum h);

// The response of a tree to forces on some bodies and dofs, for columns of M^-1 J'. Pushes add up
// until aba_response_solve is called.
typedef struct {
  const mjModel* m;
  const mjData* d;
  const AbaFactor* factor;
  mjtNum* impulse;  // u / D of the dof, from the pushes on it and beyond; zero without any  (nv)
  mjtNum* rate;     // response: qacc of the dof                                             (nv)
  mjtNum* acc;      // response: acceleration of the parts that the dof carries          (nv x 6)
} AbaResponse;

// A response to no forces, on the stack of d.
AbaResponse aba_response_make(const mjModel* m, mjData* d, const AbaFactor* factor);

// The last dof that moves a body, whose acceleration is the body's; -1 if it is static.
int aba_tip(const mjModel* m, int body);

// Adds scale times a wrench (torque, force) on a body, in world axes, about the com of its tree.
void aba_push(AbaResponse* response, int body, const mjtNum wrench[6], mjtNum scale);

// Adds forces tau (nv) on the n dofs of a list, which is ascending and holds the ancestors of each.
void aba_push_dofs(AbaResponse* response, const mjtNum* tau, const int* list, int n);

// Finds rate and acc of n dofs. The list is ascending and holds the ancestors of each dof and all
// pushed dofs. Afterwards the pushes are cleared.
void aba_response_solve(AbaResponse* response, const int* list, int n);
