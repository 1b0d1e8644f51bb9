// sdf.h: robots and worlds in SDF.                                 theory/model/format.md, SDF

#pragma once

#include "mjcf/document.h"

int sdf_is(const Node* root);

// Replaces the tree of a document in SDF by that of a URDF robot with the same links, joints, shapes
// and lights, whose elements keep the places of those that they come from. What URDF can't say stands
// in elements whose names no file can have (SDF_ANCHOR ...). What is left out is told.
void sdf_rewrite(Document* document, cndDiagnostics* problems);

// Elements of rewritten robots.
#define SDF_ANCHOR "anchor of SDF"  // in a joint: its place in the child's frame, xyz
#define SDF_SPRING "spring of SDF"  // in a joint: stiffness, reference
#define SDF_LIGHT "light of SDF"    // in the robot: type, xyz, dir, diffuse, specular, shadows
