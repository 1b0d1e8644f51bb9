// actuation.h: what integrators and derivatives must know about actuators.

#pragma once

#include <mujoco/mjdata.h>

#include "base/muscle.h"

// Whether the actuator's group is switched off; only groups 0 to 30 can be.
//                                                    theory/smooth/actuation.md, Disabled actuators
int actuator_is_disabled(const mjModel* m, int actuator);

// Copies the controls, past ones of actuators with a delay, clamped to their ranges. A single bad
// control sets all of them to zero: returns the first one, -1 if all are good.
//                                                        theory/smooth/actuation.md, Several inputs
int actuation_controls(mjtNum* ctrl, const mjModel* m, const mjData* d);

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
  int out = m->actuator_outadr[actuator];
  switch (m->actuator_gaintype[actuator]) {
    case mjGAIN_AFFINE:
      return prm[1];
    case mjGAIN_MUSCLE:
      return muscle_gain_by_length(d->actuator_length[out], d->actuator_velocity[out],
                                   m->actuator_lengthrange + 2 * out, m->actuator_acc0[out], prm);
    default:
      return 0;
  }
}

static inline mjtNum actuator_gain_by_velocity(const mjModel* m, const mjData* d, int actuator) {
  const mjtNum* prm = m->actuator_gainprm + mjNGAIN * actuator;
  int out = m->actuator_outadr[actuator];
  switch (m->actuator_gaintype[actuator]) {
    case mjGAIN_AFFINE:
      return prm[2];
    case mjGAIN_MUSCLE:
      return muscle_gain_by_velocity(d->actuator_length[out], d->actuator_velocity[out],
                                     m->actuator_lengthrange + 2 * out, m->actuator_acc0[out], prm);
    default:
      return 0;
  }
}

static inline mjtNum actuator_bias_by_length(const mjModel* m, const mjData* d, int actuator) {
  const mjtNum* prm = m->actuator_biasprm + mjNBIAS * actuator;
  int out = m->actuator_outadr[actuator];
  switch (m->actuator_biastype[actuator]) {
    case mjBIAS_AFFINE:
      return prm[1];
    case mjBIAS_MUSCLE:
      return muscle_bias_by_length(d->actuator_length[out], m->actuator_lengthrange + 2 * out,
                                   m->actuator_acc0[out], prm);
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
