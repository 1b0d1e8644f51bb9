// build.h: from the description of a robot to an editable model.
//
//   links   -> bodies, or parts of the body above with a site for their frame
//   shapes  -> geoms: for the eye in group 2, to collide in group 3; meshes by material
//   joints  -> joints, and equalities for those that mimic
//   drives  -> actuators, whose gains follow from the inertia they meet
//
// What follows from the model as a whole (gains, links that touch, where the floor is) needs a
// compiled one, so the robot is compiled once on the way, as a sketch: without what is only seen.

#pragma once

#include "robot/built.h"

// Makes everything. Returns 0 after an error.
int robot_build(Builder* b);
