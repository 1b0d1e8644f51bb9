// muscle.h: what derivatives need of the muscle curves; the curves are mju_muscleGain and its
// siblings.

#ifndef CONDYLE_BASE_MUSCLE_H_
#define CONDYLE_BASE_MUSCLE_H_

#include <mujoco/mjtnum.h>

// Derivative of mju_muscleGain with respect to the velocity.
mjtNum muscle_gain_derivative(mjtNum len, mjtNum vel, const mjtNum lengthrange[2], mjtNum acc0,
                              const mjtNum prm[9]);

// d(gain) / d(length) and d(bias) / d(length)
mjtNum muscle_gain_by_length(mjtNum len, mjtNum vel, const mjtNum lengthrange[2], mjtNum acc0,
                             const mjtNum prm[9]);
mjtNum muscle_bias_by_length(mjtNum len, const mjtNum lengthrange[2], mjtNum acc0,
                             const mjtNum prm[9]);

// d(muscle_gain_derivative) / d(length) and / d(velocity)
mjtNum muscle_gain_derivative_by_length(mjtNum len, mjtNum vel, const mjtNum lengthrange[2],
                                        mjtNum acc0, const mjtNum prm[9]);
mjtNum muscle_gain_second_derivative(mjtNum len, mjtNum vel, const mjtNum lengthrange[2],
                                     mjtNum acc0, const mjtNum prm[9]);

// d(act_dot) / d(ctrl, act); where something is clamped, the slope of the side it is on
void muscle_dynamics_derivative(mjtNum out[2], mjtNum ctrl, mjtNum act, const mjtNum prm[3]);

#endif  // CONDYLE_BASE_MUSCLE_H_
