// kinematics.h: the frames that an evaluation in a Runge-Kutta step needs.
//
// Four evaluations make one step, and mjData keeps only the frames of the last one. Frames fixed in
// the world are the same in all four.

#pragma once

#include <mujoco/mjdata.h>

// What an evaluation leaves out.
enum {
  FRAMES_FIXED = 1,  // of geoms and sites of the world: they are known from an earlier evaluation
  FRAMES_IDLE = 2    // of other geoms and sites if no force depends on them
};

// Computes what mj_kinematics does, except for the frames that are left out.
void kinematics(const mjModel* m, mjData* d, int left_out);
