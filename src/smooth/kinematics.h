// kinematics.h: the frames that an evaluation in a Runge-Kutta step needs.
//
// Four evaluations make one step, and only the frames of the last one stay in mjData. Fixed frames
// are the same in all four.

#pragma once

#include <mujoco/mjdata.h>

// What an evaluation leaves out.
enum {
  FRAMES_FIXED = 1,  // of geoms and sites of the world: they are known from an earlier evaluation
  FRAMES_IDLE = 2    // of other geoms and sites if no force depends on them
};

// mj_kinematics without what is left out.
void kinematics(const mjModel* m, mjData* d, int left_out);
