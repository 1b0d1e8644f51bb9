// input.h: what the control of an actuator stands for.

#pragma once

#include <mujoco/mjmodel.h>

// The actuator_ctrlspec that follows from the law of an actuator: 0 is a plain command.
int input_of_law(const mjModel* m, int actuator);

// Writes the actuator_ctrlspec of all actuators, by their laws.
void inputs_infer(mjModel* m);

// Writes the addresses of controls and forces, by their numbers.
void inputs_place(mjModel* m);

// Do the numbers of controls, forces and activations fit the kinds of all actuators, and add up to
// the sizes of the model? Returns the first that doesn't, -1 if all do, nactuator if sums differ.
int inputs_invalid(const mjModel* m);

// Writes the neutral controls of an actuator.
void input_neutral(mjtNum* ctrl, const mjModel* m, int actuator);

// Sets all controls to neutral values: 0, and the quaternion that turns nothing.
void inputs_reset(const mjModel* m, mjData* d);
