// springs.h: derivatives of the springs and dampers of joints and tendons, which may be polynomials
// (model/terms.h).
//
//   spring  - k(r) x      r = |x| where there are several displacements x, else x itself
//   damper  - b(|v|) v    integrators have its slope in their matrices, and that changes with v
//                                               theory/time/exact-derivatives.md, Passive forces

#pragma once

#include "derivative/smooth/forces.h"
#include "derivative/tree/kinematics.h"
#include "model/terms.h"

// What acts, or zeros if the flag of springs or dampers is disabled.
Terms spring_of_joint(const mjModel* m, int joint);
Terms spring_of_tendon(const mjModel* m, int tendon);
Terms damper_of_dof(const mjModel* m, int dof);
Terms damper_of_tendon(const mjModel* m, int tendon);

// Force of the spring of a tendon, and of its damper.
mjtNum spring_tendon_pull(const mjModel* m, const mjData* d, int tendon);
mjtNum damper_tendon_drag(const mjModel* m, const mjData* d, int tendon);

// F += derivative of the forces of all springs and dampers. W: twists of the bodies.
void springs_derivative(ForceJacobian* F, const mjModel* m, mjData* d, const Twists* W);

// Derivatives of the stiffness and damping of a tendon in the metric of discrete steps, by its
// length and velocity; zero where they are not positive.
typedef struct TendonSlopes_ {
  mjtNum stiffness_by_length, damping_by_velocity;
} TendonSlopes;

TendonSlopes spring_tendon_slopes(const mjModel* m, const mjData* d, int tendon);

// Calls `add` for each spring of joints whose stiffness in that metric changes: for n dofs from
// `dof` on, with the derivative of their stiffness by these n positions.
typedef void AddRigidity(void* to, int dof, int n, const mjtNum slope[3]);
void spring_each_rigidity(AddRigidity* add, void* to, const mjModel* m, const mjData* d);

// Derivative of the slope of a dof's damper by its velocity; `positive`: where that slope is not
// positive, zero.
mjtNum damper_dof_bend(const mjModel* m, const mjData* d, int dof, int positive);

// Number of springs and dampers at a kink: at an end of a slack range, or where the slope of a
// damper, if the integrator has it in its matrix, bends at rest.
int springs_kinks(const mjModel* m, const mjData* d);
