// sdf_shape.h: what stands inside the links of an SDF document, and its lights, as URDF.

#pragma once

#include "mjcf/urdf/sdf_frame.h"

void sdf_set_reals(Document* document, Node* node, const char* attribute, const double* value,
                   int n);

// <origin> of a pose.
void sdf_set_origin(Document* document, Node* parent, const Node* place, const Pose* pose);

// Writes the inertia and the shapes of a link, whose names begin with `name`.
void sdf_write_link(SdfFrames* frames, Node* to, SdfFrame* link, const char* name);

// Writes the lights of a world.
void sdf_write_lights(SdfFrames* frames, Node* robot, const Node* world);
