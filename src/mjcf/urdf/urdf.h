// urdf.h: reading robots in URDF.
//
// A robot is a list of links and a list of joints that connect them to trees. Links become bodies,
// with children in the order of their joints. A root is fixed to the world; a root called "world"
// is the world. Other features of the format (transmissions, velocity limits, textures) have
// no effect.                                                           theory/model/format.md, URDF

#pragma once

#include "mjcf/read/values.h"

// Is this the root of a robot?
int urdf_is(const Node* root);

// Fills an empty spec from a robot. The settings in its <mujoco> element must have been checked.
void urdf_read(const Reader* reader);
