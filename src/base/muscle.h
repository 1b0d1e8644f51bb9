// muscle.h: what derivatives need of the muscle curves; the curves are mju_muscleGain and its siblings.

#ifndef CONDYLE_BASE_MUSCLE_H_
#define CONDYLE_BASE_MUSCLE_H_

#include <mujoco/mjtnum.h>

// Derivative of mju_muscleGain with respect to the velocity.
mjtNum muscle_gainSlope(mjtNum len, mjtNum vel, const mjtNum lengthrange[2], mjtNum acc0,
                        const mjtNum prm[9]);

#endif  // CONDYLE_BASE_MUSCLE_H_
