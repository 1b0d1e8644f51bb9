// kinematics.h: derivatives of joint axes, twists and forces at points by the position of one dof.
//
// Spatial quantities are those of the engine (cdof, cvel, cinert): about the com of each tree. D_j
// is the derivative by the position of dof j, S_j its axis (cdof), z are joint velocities, W_b is
// the twist of body b, and x between twists is the spatial cross product. The reference point is
// held fixed in space while dof j moves, so j turns and shifts everything after it like a rigid
// body:
//                                                            theory/time/exact-derivatives.md, Axes
//
//   D_j S_k = S_j x S_k    if j is before k on a chain, or both belong to one quaternion; else 0
//   D_j W_b = S_j x (W_b - W_<j)  W_b = sum of S_k z_k over the chain of b, j on that chain; else 0
//
// W_<j is the sum over the joints before the joint of j. A ball joint is one step of three dofs; a
// free joint is three translations and then a ball. Rows of matrices are forces, columns are the
// dofs that move:
//
//   G[k nv + j] = D_j (force of dof k)
//
// The caller has run mj_kinematics and mj_comPos.

#pragma once

#include <mujoco/mjdata.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "base/joint.h"

// Whether dof j turns the axis of dof k, for two dofs of one chain: the rule of D_j S_k.
static inline int dof_turns(const mjModel* m, int j, int k) {
  return j < k || j < dof_step(m, k).end;
}

// velocities

// The point that spatial quantities of a tree are about.
INLINE const mjtNum* tree_point(const mjModel* m, const mjData* d, int body) {
  return d->subtree_com + 3 * m->body_rootid[body];
}

// Velocity of the point p of a body with the twist W.
INLINE void velocity_at(mjtNum out[3], const mjModel* m, const mjData* d, int body,
                        const mjtNum W[6], const mjtNum p[3]) {
  mjtNum r[3];
  v3_sub(r, p, tree_point(m, d, body));
  v3_crossadd(out, W, r, W + 3);
}

// Twists of all bodies at joint velocities z.
typedef struct {
  const mjtNum* z;
  mjtNum* body;    // W_b, 6 x nbody
  mjtNum* before;  // W_<j, 6 x nv
} Twists;

// On the stack of d, which the caller has marked.
Twists twists_make(const mjModel* m, mjData* d, const mjtNum* z);

// D_j W_b for a dof j on the chain of b.
INLINE void twists_derivative(mjtNum out[6], const Twists* W, const mjData* d, int b, int j) {
  mjtNum since[6];
  for (int i = 0; i < 6; i++) {
    since[i] = W->body[6 * b + i] - W->before[6 * j + i];
  }
  sp_crossmotion(out, d->cdof + 6 * j, since);
}

// D_j of the velocity v_b(p) of a point p that is fixed to body b, for a dof j on the chain of b.
void twists_point_derivative(mjtNum out[3], const mjModel* m, const mjData* d, const Twists* W,
                             int b, const mjtNum p[3], int j);

// forces

// Sums of forces F at points p of a body and of torques T on it. p is relative to the point of the
// tree. The points move with the body; forces and torques are constant in the world.
//
//   force = sum F      turn = sum p F' - F.p E, row-major      torque = sum T
typedef struct {
  mjtNum force[3], turn[9], torque[3];
} Load;

// Loads of all bodies, zero, on the stack of d.
Load* loads_make(const mjModel* m, mjData* d);

void load_add_force(Load* loads, const mjModel* m, const mjData* d, int body, const mjtNum p[3],
                    const mjtNum F[3]);

// Adds the load of s_k . (a x g): a constant force g along a direction a that turns with the body.
void load_add_direction(Load* loads, int body, const mjtNum a[3], const mjtNum g[3]);

void load_add_torque(Load* loads, int body, const mjtNum T[3]);

// G += scale D (J' loads), nv x nv. The loads are overwritten by their sums over subtrees.
void loads_derivative(mjtNum* G, const mjModel* m, mjData* d, Load* loads, mjtNum scale);

// matrices

// G[row[a] nv + col[b]] += scale u_a v_b. row or col NULL: all dofs in order.
void add_product(mjtNum* G, int nv, const mjtNum* u, const int* row, int nu, const mjtNum* v,
                 const int* col, int nvec, mjtNum scale);
