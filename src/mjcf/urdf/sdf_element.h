// sdf_element.h: what SDF says and URDF can't, in a rewritten robot. No file can have these names.

#pragma once

#include <mujoco/mjspec.h>

#include "mjcf/document.h"

#define SDF_MARK "rewritten from SDF"  // attribute of the robot
#define SDF_ANCHOR "anchor of SDF"     // in a joint: its place in the child's frame, xyz
#define SDF_SPRING "spring of SDF"     // in a joint: stiffness, reference
#define SDF_LIGHT "light of SDF"       // in the robot: type, xyz, dir, diffuse, specular, shadows

// Adds the light of such an element to a body.
mjsLight* sdf_add_light(mjsBody* body, const Node* node);
