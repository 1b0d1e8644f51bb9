// forces.h: derivatives of the smooth generalized forces by the state and the controls.

#pragma once

#include <mujoco/mjdata.h>

#include "derivative/smooth/drive.h"
#include "derivative/tree/dynamics.h"
#include "derivative/tree/kinematics.h"

// Derivative of a generalized force; rows are dofs.
typedef struct {
  mjtNum *q, *v;       // nv x nv
  mjtNum *act, *ctrl;  // nv x na, nv x nu
  int kinks;           // number of kinks
} ForceJacobian;

// A zero Jacobian, on the stack of d.
ForceJacobian force_jacobian(const mjModel* m, mjData* d);

// The force of an actuator before clamps, and its derivatives: by nact activations from `act` on,
// and by nctrl controls from `ctrl` on.
typedef struct {
  mjtNum force, by_length, by_velocity;
  int act, nact, ctrl, nctrl;
  mjtNum by_act[DRIVE_ACTIVATIONS], by_ctrl[DRIVE_CONTROLS];
  mjtNum
      input;  // what the gain multiplies, with its derivatives by the last activation and control
  mjtNum input_by_act, input_by_ctrl;
} ActuatorDerivative;

ActuatorDerivative actuator_derivative(const mjModel* m, const mjData* d, int actuator);

// The same of what no range clamps: cogging and friction of motors; zero for others.
ActuatorDerivative actuator_friction(const mjModel* m, const mjData* d, int actuator);

// Time h in act + h act_dot of activation j: the timestep, or less where it is integrated exactly.
mjtNum activation_time(const mjModel* m, int actuator, int j);

// Whether the next value `act` of activation j is out of its range.
int activation_is_clamped(const mjModel* m, int actuator, int j, mjtNum act);

// out += scale times the derivative, by positions, of the length of an actuator, and of its
// velocity at fixed joint velocities; nv numbers. W: twists of the bodies.
void transmission_length_derivative(mjtNum* out, const mjModel* m, mjData* d, int actuator,
                                    mjtNum scale);
void transmission_rate_derivative(mjtNum* out, const mjModel* m, mjData* d, int actuator,
                                  const Twists* W, mjtNum scale);

// G += D (moment' force). Parts due to forces that are constant in the world go into loads, parts
// due to wrenches that turn with the body into follower (6 x nbody). Returns the number of kinks.
int transmission_derivative(mjtNum* G, Load* loads, mjtNum* follower, const mjModel* m, mjData* d,
                            int actuator, mjtNum force);

// F += derivative of the force of one actuator, after all its clamps but that of its joint: rows of
// nv, nv, na and nu numbers.
typedef struct {
  mjtNum *q, *v, *act, *ctrl;
} ForceTerms;

// row += scale times the derivative of act_dot, or of the next value, of activation j of an
// actuator. W: twists of the bodies.
void activation_rate_row(ForceTerms* row, const mjModel* m, mjData* d, int actuator, int j,
                         const Twists* W, mjtNum scale);
void activation_next_row(ForceTerms* row, const mjModel* m, mjData* d, int actuator, int j,
                         const Twists* W, mjtNum scale);

void actuator_force_derivative(ForceTerms* F, const mjModel* m, mjData* d, int actuator,
                               const Twists* W);

// F += derivative of qfrc_actuator. W: twists of the bodies. It must be the first to add to F: it
// zeroes the rows of dofs whose total actuator force is clamped.
void actuators_derivative(ForceJacobian* F, const mjModel* m, mjData* d, const Twists* W);

// F += derivative of xfrc_applied.
void applied_derivative(ForceJacobian* F, const mjModel* m, mjData* d);

// F += derivative of qfrc_passive, less that of the force for tendon armature. motion, W: of the
// bodies, at joint accelerations x.
void passive_derivative(ForceJacobian* F, const mjModel* m, mjData* d, const BodyMotion* motion,
                        const Twists* W, const mjtNum* x);

// F += weight times the derivative of the force for tendon armature: its part of M x, on the
// entries that M has, and its bias at velocities v (NULL: at rest).
int tendon_any_inertia(const mjModel* m);
void tendon_inertia_derivative(ForceJacobian* F, const mjModel* m, mjData* d, const mjtNum* v,
                               const mjtNum* x, mjtNum weight);

// G += D (J' w) for wrenches w that turn with their bodies (torque and force about the point of the
// tree, 6 x nbody). They are overwritten by their sums over subtrees.
void followers_derivative(mjtNum* G, const mjModel* m, mjData* d, mjtNum* follower);

// Adds the derivative of qfrc_gravcomp. actuated: of the dofs whose actuators compensate gravity,
// else of all others.
void gravcomp_add(ForceJacobian* F, const mjModel* m, mjData* d, int actuated);

// Whether the total actuator force of a dof is beyond its range. Its row is then zero.
int dof_is_clamped(const mjModel* m, const mjData* d, int dof);
