// parameter.h: derivatives of one number by parameters of the model that only constraints know.
//                                                      theory/constraint-derivatives.md, Parameters

#ifndef CONDYLE_DERIVATIVE_PARAMETER_H_
#define CONDYLE_DERIVATIVE_PARAMETER_H_

#include "derivative/dual.h"

// Adds what the places, turns and sizes of both geoms do to a contact: motion is what multiplies
// their own motions about it, in the world.
void gradient_motion(const Duals* of, const mjContact* contact, mjtNum motion[2][6],
                     int is_witness);

// Adds what its frictions do: along = J lambda and measured = J (x + b v), by directions.
void gradient_friction(const Duals* of, const mjContact* contact, const mjtNum along[6],
                       const mjtNum measured[6]);

// Adds what the bounds of dry friction do, of all rows.
void gradient_frictionloss(const Duals* of);

#endif  // CONDYLE_DERIVATIVE_PARAMETER_H_
