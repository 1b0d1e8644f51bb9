// carry.h: continues a simulation in another model.

#pragma once

#include "viewer.h"

// Copies the state of elements that have the same name in both models: positions and velocities of
// joints of the same type, activations and controls of actuators, poses of mocap bodies; and the
// time. Joints and actuators without a name are matched by their number within the body or model.
// New elements keep their initial state.
void carry_state(World* to, const World* from);

// Copies the whole state of a world of the same model, except for the solver's starting point,
// which depends on the law of contacts.
void copy_state(World* to, const World* from);
