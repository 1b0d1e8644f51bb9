// flex_points.h: derivatives of forces between few points of bodies, such as those of an edge or an
// element of a flex.
//
//   f_a = f_a(x, v)
//
//   D_j (J' f) = sum_a D_j J_a' f_a + sum_ab J_a' (df_a/dx_b u_bj + df_a/dv_b D_j v_b)
//                  u_bj = S_j at x_b
// Symbols: tree/kinematics.h (D_j, S_j).
//                                                     theory/time/exact-derivatives.md, Deformables

#pragma once

#include "derivative/smooth/forces.h"
#include "smooth/flex/flex.h"

// Points x, velocities v and forces, and 3 x 3 blocks [a][b] of the derivatives of the forces.
typedef struct {
  int n, body[FLEX_NODES];
  mjtNum x[FLEX_NODES][3], v[FLEX_NODES][3], force[FLEX_NODES][3];
  mjtNum by_x[FLEX_NODES][FLEX_NODES][9], by_v[FLEX_NODES][FLEX_NODES][9];
} FlexPoints;

// Adds sum_ab J_a' (...) above to F. The forces f_a are added to loads, whose derivative gives the
// other term (D_j J_a)' f_a. W: twists of the bodies.
void flex_points_add(ForceJacobian* F, Load* loads, const mjModel* m, mjData* d,
                     const FlexPoints* points, const Twists* W);
