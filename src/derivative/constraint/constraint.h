// constraint.h: partial derivatives of the generalized forces of constraints.
//
//   F(q, v, x) = J' f,    f the forces of the rows at accelerations x
//
// The list of rows is that of d: rows that appear or disappear as q moves are not considered. A row
// at a kink of its law or geometry has the derivative of the smooth piece on which it is.
// Symbols: row_law.h.
//                                                      theory/time/constraint-derivatives.md, Kinks

#pragma once

#include <mujoco/mjdata.h>

#include "derivative/constraint/bordered.h"
#include "derivative/constraint/constraint_gradient.h"

// In all functions, bordered: rows whose Hs is left out (NULL: none).

// Adds dF/dq (at constant v and x, q along the axes of dofs), dF/dv = -J' Hs diag(b) J and H_c = J'
// Hs J = -dF/dx, each nv x nv, row-major. x: accelerations, such as d->qacc. The positions,
// velocities and rows of d are those of mj_forward. Returns the number of rows at a kink; ends in
// mju_error if a contact has no derivative that is known exactly.
int constraint_partials(const mjModel* m, mjData* d, const mjtNum* x, const BorderedRows* bordered,
                        mjtNum* F_q, mjtNum* F_v, mjtNum* H_c);

// Adds H_c alone, for systems with a single right-hand side: see constraint_vjp.
void constraint_stiffness(const mjModel* m, mjData* d, const mjtNum* x,
                          const BorderedRows* bordered, mjtNum* H_c);

// Adds the gradient of the scalar lambda . F: F_q' lambda, F_v' lambda and F_x' lambda = -H_c
// lambda, nv each, and those by parameters in gradient (NULL: none), in the time of a few passes
// over the tree. If two geoms of equal friction touch, each gets half of the derivative by the
// larger friction. Ends in mju_error if geom_size is asked for and a contact is not of closest
// points (boxes, faces). Returns the number of kinks of rows and contacts; errors as above.
int constraint_vjp(const mjModel* m, mjData* d, const mjtNum* x, const BorderedRows* bordered,
                   const mjtNum* lambda, mjtNum* rate_q, mjtNum* rate_v, mjtNum* rate_x,
                   const ConstraintGradient* gradient);

// rate += D (J_i z) of one row i with constant joint velocities z, nv numbers. The geometry is that
// of the law's data.
void constraint_row_derivative(mjtNum* rate, const struct RowLaw_* law, mjData* d, int row,
                               const mjtNum* z);

// Adds D (sum of J_n' force) to G, nv x nv: one constant force for each contact of d, which pushes
// the bodies apart along the normal. Returns the number of kinks; errors as above.
int normal_forces_derivative(mjtNum* G, const mjModel* m, mjData* d, const mjtNum* force);

// Adds D (sum of J_n' f) of the passive contacts of flexes, which are springs f = -k dist, to G.
// Returns the number of kinks; errors as above.
int flex_pushes_derivative(mjtNum* G, const mjModel* m, mjData* d);

// Adds the derivative of the total wrench (torque about the point of their tree, force) that
// contacts, connects and welds exert on a set of bodies (inside: nbody flags), as sensors read it
// (cfrc_ext): rows of 6 x nv, by positions, velocities and accelerations.
void constraint_wrench_partials(const mjModel* m, mjData* d, const mjtNum* x, const char* inside,
                                mjtNum* by_q, mjtNum* by_v, mjtNum* by_x);

// Adds to wrench what the constraint of one row exerts on these bodies: a contact as a whole, at
// its first row, a row of a connect or weld alone.
void constraint_add_wrench(mjtNum wrench[6], const struct RowLaw_* law, mjData* d, int row,
                           const char* inside);

// Adds the derivative of the sum of the normal forces of the chosen contacts (one flag for each of
// d): rows of nv, by positions, velocities and accelerations. Returns the number of kinks; errors
// as above.
int constraint_normal_partials(const mjModel* m, mjData* d, const mjtNum* x, const char* chosen,
                               mjtNum* by_q, mjtNum* by_v, mjtNum* by_x);
