// read.h: the readers of robots, each from a document into a description.

#pragma once

#include "robot/robot.h"

// Reads a URDF. Returns 0 after an error.
int urdf_fill(RobotDescription* robot, const Node* root);

// Reads what Gazebo and ROS's controllers add to a URDF: sensors of links and joints, transmissions
// and drives. Links and joints must be known.
void gazebo_fill(RobotDescription* robot, const Node* root);
