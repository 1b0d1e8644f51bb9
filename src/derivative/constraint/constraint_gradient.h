// constraint_gradient.h: derivatives of one number by parameters of the model that only constraints know.
//                                                      theory/constraint-derivatives.md, Parameters

#ifndef CONDYLE_DERIVATIVE_CONSTRAINT_CONSTRAINT_GRADIENT_H_
#define CONDYLE_DERIVATIVE_CONSTRAINT_CONSTRAINT_GRADIENT_H_

#include "derivative/constraint/row_law.h"
#include "derivative/tree/vjp.h"

// Derivatives of one number by parameters of the model, added to what is not NULL.
typedef struct ConstraintGradient_ {
  mjtNum* geom_friction;        // ngeom x 3
  mjtNum* pair_friction;        // npair x 5
  mjtNum* geom_pos;             // ngeom x 3, in the frame of the body
  mjtNum* geom_turn;            // ngeom x 3: small turns of geom_quat about the axes of the geom
  mjtNum* geom_size;            // ngeom x 3; of boxes, capsules, cylinders, ellipsoids and spheres
  mjtNum* dof_frictionloss;     // nv
  mjtNum* tendon_frictionloss;  // ntendon
} ConstraintGradient;

// Adds what the places, turns and sizes of both geoms do to a contact: motion is what multiplies
// their own motions about it, in the world.
void constraint_gradient_motion(const ConstraintVjp* of, const mjContact* contact,
                                mjtNum motion[2][6], int is_witness);

// Adds what its frictions do: along = J lambda and measured = J (x + b v), by directions.
void constraint_gradient_friction(const ConstraintVjp* of, const mjContact* contact,
                                  const mjtNum along[6], const mjtNum measured[6]);

// Adds what the bounds of dry friction do, of all rows.
void constraint_gradient_frictionloss(const ConstraintVjp* of);

#endif  // CONDYLE_DERIVATIVE_CONSTRAINT_CONSTRAINT_GRADIENT_H_
