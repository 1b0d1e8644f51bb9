// merge.h: a robot without what it has twice.

#pragma once

#include "robot/built.h"

// Lets files of meshes with the same content count as one, and leaves out shapes that a link has
// twice at one place, which would collide twice. Each kind is told once. For a simplified robot,
// when its meshes are read.
void robot_merge(Builder* b);
