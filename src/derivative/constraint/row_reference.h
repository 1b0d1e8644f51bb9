// row_reference.h: how the reference and the regularizer of a row change with its residual r and
// velocity w.
//
//   aref = -(B w + K I (r + h w)) / s      R = R0 / s      s = 1 + h B + h^2 K I
//
// in discrete steps; h = 0 and s = 1 in all others.
//                                              theory/time/constraint-derivatives.md, Discrete rows
// Symbols: K, B, I: efc_KBIP; row_law.h (damping b, spring, sigma).

#pragma once

#include <mujoco/mjdata.h>

// Damping b = - d aref / d w of a row.
mjtNum reference_damping_of(const mjModel* m, const mjData* d, int row);

// Derivative of -aref by the residual r: K (I + r I') where h = 0.
mjtNum reference_spring_of(const mjModel* m, const mjData* d, int row);

// sigma = - d log R / dr of a row, whose R is not at its floor.
mjtNum reference_sigma_of(const mjModel* m, const mjData* d, int row);

// Derivatives of -aref of the rows of a contact by its distance, along (n, t1, t2, rotations about
// them). Rows along tangents have some where a discrete step resolves the damping.
void reference_springs(mjtNum spring[6], const mjModel* m, const mjData* d,
                       const mjContact* contact);

// The six rows of a connect or weld have one impedance, by the length |r| of their residual:
//
//   d(-aref_i) = stiffness (I dr_i + moved_i I' d|r|)
typedef struct {
  mjtNum stiffness, moved[6];
} TieReference;

TieReference tie_reference(const mjModel* m, const mjData* d, int row, int nrow);
