// parameter_gradient.h: gradients of a loss by parameters of the model, from the weights of the
// equations of a step.

#pragma once

#include <condyle/derivative.h>

#include "derivative/system.h"

// Weights of the equations in which parameters occur: kappa of the residual r of forward dynamics
// (system.h), beta of d(M z) + h d(Q a) of the integrator (discrete.h), at constant z and a. beta
// NULL: the integrator has no matrix (Runge-Kutta, Euler without damping).
typedef struct {
  const mjtNum *kappa, *beta, *z, *a;
} ParameterWeights;

// Row `row` of arrays with a first dimension in front of those of one gradient.
cndParameterGradient parameters_row(const cndParameterGradient* all, const mjModel* m, size_t row);

// Adds the gradients that out asks for.
void parameters_gradient(cndParameterGradient* out, const System* s, const ParameterWeights* w);

// Ends in mju_error if a gradient that is asked for is not known exactly. dsensor: weights of
// sensors, NULL if there are none.
void parameters_check(const cndParameterGradient* out, const mjModel* m, const mjtNum* dsensor);
