// constraint_gradient.h: gradient of a scalar with respect to parameters that only constraints
// depend on.                                      theory/time/constraint-derivatives.md, Parameters

#pragma once

#include "derivative/constraint/row_law.h"
#include "derivative/tree/vjp.h"

// Outputs, which are added to; NULL: not asked for.
typedef struct ConstraintGradient_ {
  mjtNum* geom_friction;        // ngeom x 3
  mjtNum* pair_friction;        // npair x 5
  mjtNum* geom_pos;             // ngeom x 3, in the frame of the body
  mjtNum* geom_turn;            // ngeom x 3: small turns of geom_quat about the axes of the geom
  mjtNum* geom_size;            // ngeom x 3; boxes, capsules, cylinders, ellipsoids, spheres
  mjtNum* dof_frictionloss;     // nv
  mjtNum* tendon_frictionloss;  // ntendon
} ConstraintGradient;

// Adds the derivatives by places, turns and sizes of both geoms of a contact. motion: derivatives
// of the scalar by the motion of each geom about the contact, in the world.
void constraint_gradient_motion(const ConstraintVjp* of, const mjContact* contact,
                                mjtNum motion[2][6], int is_witness);

// Adds the derivatives by the friction of a contact: along = J lambda and measured = J (x + b v),
// along the directions of the contact.
void constraint_gradient_friction(const ConstraintVjp* of, const mjContact* contact,
                                  const mjtNum along[6], const mjtNum measured[6]);

// Adds the derivatives by the bounds of all dry friction rows.
void constraint_gradient_frictionloss(const ConstraintVjp* of);
