// sdf.h: robots and worlds in SDF.                                 theory/model/format.md, SDF

#pragma once

#include "mjcf/document.h"

int sdf_is(const Node* root);

// Replaces the tree of a document in SDF by that of a URDF robot with the same links, joints,
// shapes and lights, whose elements keep the places of those that they come from. What URDF can't
// say stands in elements whose names no file can have (sdf_element.h). What is left out is told.
void sdf_rewrite(Document* document, cndDiagnostics* problems);
