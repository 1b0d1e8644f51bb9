// regularizer.h: derivatives of forces by what rows weigh in the metric of a discrete step.
//
// There R has a factor that moves with the state and the controls:
//
//   rho_i = (sum_j J_ij^2 / Mhat_jj) / (sum_j J_ij^2 / M_jj)        M_jj, Mhat_jj = M_jj + S_jj
//
// Forces are inverse to R, so each constraint adds - (J' f) d(log rho).
//                                              theory/time/constraint-derivatives.md, Discrete rows

#pragma once

#include "derivative/smooth/forces.h"

// d(log rho) of all rows of d whose force depends on it. index: of each row, -1: none (NULL: none
// at all); change: columns by positions, velocities, activations, controls.
typedef struct {
  int* index;
  mjtNum* change;
} Regularizers;

// On the stack of d, which the caller has marked. x: accelerations; W: twists of the bodies at the
// velocities of d.
Regularizers regularizers_make(const mjModel* m, mjData* d, const Twists* W, const mjtNum* x);

// Rows += scale d(log rho) of a row of d.
void regularizers_add(ForceTerms* rows, const Regularizers* all, const mjModel* m, int row,
                      mjtNum scale);

// F += derivative of J' f by d(log rho) alone, at accelerations x.
void regularizers_derivative(ForceJacobian* F, const Regularizers* all, const mjModel* m, mjData* d,
                             const mjtNum* x);
