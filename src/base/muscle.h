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

// d(act_dot) / d(ctrl, act). Where a side has to be taken it is that of the growing input; of a
// control that stands at its upper end (is_most) the falling one.
void muscle_dynamics_derivative(mjtNum out[2], mjtNum ctrl, mjtNum act, const mjtNum prm[3],
                                int is_most);

// How many pieces of the activation dynamics meet at a control and an activation, within `near`:
// where the time constants stop depending on the activation, and where they jump. Ends of the
// control are the caller's.
int muscle_dynamics_kinks(mjtNum ctrl, mjtNum act, const mjtNum prm[3], mjtNum near);

// Whether the gain bends at a normalized velocity, within `near`, or its derivative does
// (is_second). Along the length it is once differentiable everywhere.
int muscle_gain_kinks(mjtNum vel, const mjtNum lengthrange[2], const mjtNum prm[9], int is_second,
                      mjtNum near);

#endif  // CONDYLE_BASE_MUSCLE_H_
