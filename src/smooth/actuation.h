// actuation.h: what integrators and derivatives must know about actuators.

#pragma once

#include <mujoco/mjdata.h>

#include "base/muscle.h"

// Whether the actuator's group is switched off; only groups 0 to 30 can be.
//                                                    theory/smooth/actuation.md, Disabled actuators
int actuator_is_disabled(const mjModel* m, int actuator);

// Value of activation variable j of an actuator one timestep ahead, given its
// rate; clamped to actrange.                            theory/smooth/actuation.md, Next activation
mjtNum actuator_next_activation(const mjModel* m, const mjData* d, int actuator, int j,
                                mjtNum act_dot);

// An affine gain or bias.                                 theory/smooth/actuation.md, Gain and bias
static inline mjtNum actuator_affine(const mjtNum prm[3], mjtNum length, mjtNum velocity) {
  return prm[0] + prm[1] * length + prm[2] * velocity;
}

// The slopes of force = gain * input + bias by the length and velocity of the actuator:
//
//   slope of gain * input + slope of bias
//
// They are 0 for gains and biases that are constant or computed by the program.
static inline mjtNum actuator_gain_by_length(const mjModel* m, const mjData* d, int actuator) {
  const mjtNum* prm = m->actuator_gainprm + mjNGAIN * actuator;
  switch (m->actuator_gaintype[actuator]) {
    case mjGAIN_AFFINE:
      return prm[1];
    case mjGAIN_MUSCLE:
      return muscle_gain_by_length(d->actuator_length[actuator], d->actuator_velocity[actuator],
                                   m->actuator_lengthrange + 2 * actuator,
                                   m->actuator_acc0[actuator], prm);
    default:
      return 0;
  }
}

static inline mjtNum actuator_gain_by_velocity(const mjModel* m, const mjData* d, int actuator) {
  const mjtNum* prm = m->actuator_gainprm + mjNGAIN * actuator;
  switch (m->actuator_gaintype[actuator]) {
    case mjGAIN_AFFINE:
      return prm[2];
    case mjGAIN_MUSCLE:
      return muscle_gain_by_velocity(d->actuator_length[actuator], d->actuator_velocity[actuator],
                                     m->actuator_lengthrange + 2 * actuator,
                                     m->actuator_acc0[actuator], prm);
    default:
      return 0;
  }
}

static inline mjtNum actuator_bias_by_length(const mjModel* m, const mjData* d, int actuator) {
  const mjtNum* prm = m->actuator_biasprm + mjNBIAS * actuator;
  switch (m->actuator_biastype[actuator]) {
    case mjBIAS_AFFINE:
      return prm[1];
    case mjBIAS_MUSCLE:
      return muscle_bias_by_length(d->actuator_length[actuator],
                                   m->actuator_lengthrange + 2 * actuator,
                                   m->actuator_acc0[actuator], prm);
    default:
      return 0;
  }
}

// Of muscles the bias depends on length alone.
static inline mjtNum actuator_bias_by_velocity(const mjModel* m, int actuator) {
  return m->actuator_biastype[actuator] == mjBIAS_AFFINE
             ? m->actuator_biasprm[mjNBIAS * actuator + 2]
             : 0;
}
