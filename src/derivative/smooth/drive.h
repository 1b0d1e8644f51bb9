// drive.h: derivatives of the laws of controllers (pid) and motors, by forward mode: numbers
// (x, x') carry the derivatives by all that the law reads.
//
//   (f, f') (g, g') = (f g, f' g + f g')
//
// These laws have several inputs and activations, which the state of the transmission moves, too.
//                                                      theory/time/exact-derivatives.md, Drives
// Symbols: smooth/drive/laws.h, base/actuator.h.

#pragma once

#include <mujoco/mjdata.h>

#include "base/actuator.h"

enum {
  DRIVE_ACTIVATIONS = SLOTS_DCMOTOR,
  DRIVE_CONTROLS = 4,
  DRIVE_BY_LENGTH = 0,  // places of derivatives
  DRIVE_BY_VELOCITY = 1,
  DRIVE_BY_ACTIVATION = 2,
  DRIVE_BY_CONTROL = DRIVE_BY_ACTIVATION + DRIVE_ACTIVATIONS,
  DRIVE_INPUTS = DRIVE_BY_CONTROL + DRIVE_CONTROLS
};

typedef struct DriveNumber_ {
  mjtNum x, by[DRIVE_INPUTS];
} DriveNumber;

// The law of one actuator. Activations and controls are counted from its first ones.
typedef struct Drive_ {
  int nact, nctrl;
  DriveNumber force;                                             // before clamps
  DriveNumber friction;                                          // which no range clamps
  DriveNumber rate[DRIVE_ACTIVATIONS], next[DRIVE_ACTIVATIONS];  // of activations
  DriveNumber by_length, by_velocity;  // slopes of the force that integrators have in their matrix
  int kinks;
} Drive;

// Does the actuator have such a law?
static inline int actuator_is_drive(const mjModel* m, int actuator) {
  return gain_has_law(m->actuator_gaintype[actuator]);
}

// Controls, the length and velocity of the transmission and activations are those of d.
void drive_make(Drive* out, const mjModel* m, const mjData* d, int actuator);

// Control c after its clamp, and whether a change of it passes the clamp.
mjtNum drive_control(int* is_free, const mjModel* m, const mjData* d, int c);
