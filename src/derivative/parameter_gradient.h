// parameter_gradient.h: what a change of parameters does to the forces, along given directions.

#ifndef CONDYLE_DERIVATIVE_PARAMETER_GRADIENT_H_
#define CONDYLE_DERIVATIVE_PARAMETER_GRADIENT_H_

#include <condyle/derivative.h>

#include "derivative/system.h"

// Weights of the three places where parameters enter: kappa . r at the accelerations x, and of
// integrators, with weights beta, d(M z) + h d(Q a). beta NULL: those of Runge-Kutta or Euler
// without damping.
typedef struct {
  const mjtNum *kappa, *beta, *z, *a;
} ParameterWeights;

// Adds the gradients by parameters.
void parameters_gradient(cndParameterGradient* out, const System* s, const ParameterWeights* w);

// Ends in mju_error if a gradient is asked for that would need what is not known. dsensor: NULL, or
// weights of sensors.
void parameters_check(const cndParameterGradient* out, const mjModel* m, const mjtNum* dsensor);

#endif  // CONDYLE_DERIVATIVE_PARAMETER_GRADIENT_H_
