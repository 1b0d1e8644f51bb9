// urdf.h: robots in URDF.
//
// A robot is a list of links and a list of joints that tie them into trees. Links become bodies,
// children in the order of their joints; a tree's root is fixed to the world, unless it is the link
// called "world", which is the world. What the format knows beyond that (transmissions, mimics,
// velocity limits, textures) has no effect.                                  theory/format.md, URDF

#ifndef CONDYLE_MJCF_URDF_URDF_H_
#define CONDYLE_MJCF_URDF_URDF_H_

#include "mjcf/read/values.h"

// Is this the root of a robot?
int urdf_is(const Node* root);

// Fills an empty spec from a robot. The settings in its <mujoco> element must have been checked.
void urdf_read(const Reader* reader);

#endif  // CONDYLE_MJCF_URDF_URDF_H_
