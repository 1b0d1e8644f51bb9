// carry.h: a simulation that goes on in another model.

#pragma once

#include "viewer.h"

// Copies what has the same name in both models: positions and velocities of joints of the same
// type, activations and controls of actuators, poses of mocap bodies; and the time. Joints and
// actuators without a name count within their body, or the model. What is new keeps its first
// state.
void carry_state(World* to, const World* from);

// Copies the state of a world of the same model: everything but what solvers start from, which
// belongs to the law of contacts.
void copy_state(World* to, const World* from);
