// sdf_element.h: what SDF says and URDF can't, as elements of a rewritten robot. No file can have
// elements of these names.

#pragma once

#define SDF_ANCHOR "anchor of SDF"  // in a joint: its place in the child's frame, xyz
#define SDF_SPRING "spring of SDF"  // in a joint: stiffness, reference
#define SDF_LIGHT "light of SDF"    // in the robot: type, xyz, dir, diffuse, specular, shadows
