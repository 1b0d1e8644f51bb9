// forces.h: how the smooth generalized forces change with the state and the controls.

#ifndef CONDYLE_DERIVATIVE_SMOOTH_FORCES_H_
#define CONDYLE_DERIVATIVE_SMOOTH_FORCES_H_

#include <mujoco/mjdata.h>

#include "derivative/tree/dynamics.h"
#include "derivative/tree/kinematics.h"

// Derivative of a generalized force; rows are dofs.
typedef struct {
  mjtNum *q, *v;       // nv x nv
  mjtNum *act, *ctrl;  // nv x na, nv x nu
  int kinks;           // terms that have no derivative here
} ForceJacobian;

// All zero, on the stack of d.
ForceJacobian force_jacobian(const mjModel* m, mjData* d);

// How the force of an actuator, before clamps, depends on what it is made of, and what it is.
typedef struct {
  mjtNum force, by_length, by_velocity, by_act, by_ctrl;
  mjtNum input;  // what the gain multiplies
} ActuatorDerivative;

// The activation that enters is act[actuator_actadr + actuator_actnum - 1].
ActuatorDerivative actuator_derivative(const mjModel* m, const mjData* d, int actuator);

// d(act_dot) / d(act, ctrl) of the last activation of an actuator.
void activation_derivative(mjtNum out[2], const mjModel* m, const mjData* d, int actuator);

// For how long an activation is moved at its rate in a step: the timestep, or what comes to it of
// an exact filter.
mjtNum activation_time(const mjModel* m, int actuator);

// Is a next activation out of its range?
int activation_is_clamped(const mjModel* m, int actuator, mjtNum act);

// d(next activation) / d(act, ctrl), for the activation j of an actuator.
void activation_next_derivative(mjtNum out[2], const mjModel* m, const mjData* d, int actuator,
                                int j);

// Length of an actuator as positions change, and its velocity at fixed joint velocities: out +=
// scale of each, nv numbers; W are the velocities of the bodies.
void transmission_length_derivative(mjtNum* out, const mjModel* m, mjData* d, int actuator,
                                    mjtNum scale);
void transmission_rate_derivative(mjtNum* out, const mjModel* m, mjData* d, int actuator,
                                  const Twists* W, mjtNum scale);

// G += D (moment' force) for positions, without what is due to forces that are fixed in the world
// (which go into loads) or in the body (into follower, 6 x nbody). Returns the number of kinks.
int transmission_derivative(mjtNum* G, Load* loads, mjtNum* follower, const mjModel* m, mjData* d,
                            int actuator, mjtNum force);

// F += derivative of the force of one actuator after its clamps but that of its joint: rows of nv,
// nv, na and nu numbers.
typedef struct {
  mjtNum *q, *v, *act, *ctrl;
} ForceTerms;

void actuator_force_derivative(ForceTerms* F, const mjModel* m, mjData* d, int actuator,
                               const Twists* W);

// F += derivative of qfrc_actuator. W: velocities of bodies. Comes first: rows of dofs whose total
// force is clamped are made zero.
void actuators_derivative(ForceJacobian* F, const mjModel* m, mjData* d, const Twists* W);

// F += derivative of the forces that are applied at bodies.
void applied_derivative(ForceJacobian* F, const mjModel* m, mjData* d);

// F += derivative of qfrc_passive less what the inertia of tendons needs.
// motion and W: that of the bodies, with the joint accelerations x.
void passive_derivative(ForceJacobian* F, const mjModel* m, mjData* d, const BodyMotion* motion,
                        const Twists* W, const mjtNum* x);

// F += weight times the derivative of the force that the inertia of tendons needs: their part of M,
// which has the entries of M alone, times x, and their bias at velocities v (NULL: at rest).
int tendon_any_inertia(const mjModel* m);
void tendon_inertia_derivative(ForceJacobian* F, const mjModel* m, mjData* d, const mjtNum* v,
                               const mjtNum* x, mjtNum weight);

// G += D (J' w) for wrenches w that turn with their bodies (torque and force about the tree's
// point, 6 x nbody), which are summed over subtrees in place.
void followers_derivative(mjtNum* G, const mjModel* m, mjData* d, mjtNum* follower);

// Adds the derivative of qfrc_gravcomp, of the dofs whose joints' actuators compensate gravity, or
// of the others.
void gravcomp_add(ForceJacobian* F, const mjModel* m, mjData* d, int actuated);

// Is a dof's total of actuator forces at an end of its range? Its row is then zero.
int dof_is_clamped(const mjModel* m, const mjData* d, int dof);

#endif  // CONDYLE_DERIVATIVE_SMOOTH_FORCES_H_
