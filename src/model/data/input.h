// input.h: what the control of an actuator stands for.

#pragma once

#include <mujoco/mjmodel.h>

// Values of actuator_ctrlspec in later releases of the interface.
enum {
  INPUT_PLAIN = 0,
  INPUT_POSITION = 1,
  INPUT_VELOCITY = 2,
  INPUT_PRESSURE = 32
};

// The kind of input that follows from the law of an actuator.
int actuator_input(const mjModel* m, int actuator);
