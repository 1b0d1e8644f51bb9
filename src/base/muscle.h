// muscle.h: derivatives and kinks of the muscle curves mju_muscleGain, mju_muscleBias and
// mju_muscleDynamics.

#pragma once

#include <mujoco/mjtnum.h>

// d(gain) / d(velocity), gain = mju_muscleGain.
mjtNum muscle_gain_by_velocity(mjtNum len, mjtNum vel, const mjtNum lengthrange[2], mjtNum acc0,
                               const mjtNum prm[9]);

// d(gain) / d(length) and d(bias) / d(length), bias = mju_muscleBias.
mjtNum muscle_gain_by_length(mjtNum len, mjtNum vel, const mjtNum lengthrange[2], mjtNum acc0,
                             const mjtNum prm[9]);
mjtNum muscle_bias_by_length(mjtNum len, const mjtNum lengthrange[2], mjtNum acc0,
                             const mjtNum prm[9]);

// d2(gain) / d(velocity) d(length) and d2(gain) / d(velocity)^2.
mjtNum muscle_gain_by_velocity_and_length(mjtNum len, mjtNum vel, const mjtNum lengthrange[2],
                                          mjtNum acc0, const mjtNum prm[9]);
mjtNum muscle_gain_by_velocity_twice(mjtNum len, mjtNum vel, const mjtNum lengthrange[2],
                                     mjtNum acc0, const mjtNum prm[9]);

// d2(gain) / d(length)^2 and d2(bias) / d(length)^2.
mjtNum muscle_gain_by_length_twice(mjtNum len, mjtNum vel, const mjtNum lengthrange[2], mjtNum acc0,
                                   const mjtNum prm[9]);
mjtNum muscle_bias_by_length_twice(mjtNum len, const mjtNum lengthrange[2], mjtNum acc0,
                                   const mjtNum prm[9]);

// d(act_dot) / d(ctrl, act). At a kink it is the derivative towards a larger input, or towards a
// smaller control if the control is at its upper limit (is_at_upper_limit).
void muscle_dynamics_derivative(mjtNum out[2], mjtNum ctrl, mjtNum act, const mjtNum prm[3],
                                int is_at_upper_limit);

// Number of kinks of the activation dynamics within `near` of (ctrl, act): where the time constants
// stop depending on the activation, and where they jump. Limits of the control are left to the
// caller.
int muscle_dynamics_kinks(mjtNum ctrl, mjtNum act, const mjtNum prm[3], mjtNum near);

// 1 if the gain, or its derivative (is_second), has a kink at the velocity, within `near` in
// normalized velocity. Along the length the gain is once differentiable everywhere.
int muscle_gain_kinks(mjtNum vel, const mjtNum lengthrange[2], const mjtNum prm[9], int is_second,
                      mjtNum near);
