// frame.h: poses of frames in their bodies, and alternative orientations.

#pragma once

#include "compile/context.h"

// Resolves the frames of all bodies.
void compile_frames(Compile* c);

// Transforms the pose of an object from its frame to its body.
void frame_apply(const Compile* c, const SpecObject* object, Pose* pose);

// Pose of the innermost frame that encloses an object, identity if there is none.
const Pose* frame_of(const Compile* c, const SpecObject* object);

// Overwrites quat by the alternative orientation, if one is given. Returns 0, with an error, if
// that is invalid. format: message of the error, with %s for the reason and optionally %d for the
// object's id.
int frame_orientation(Compile* c, const SpecObject* object, double quat[4],
                      const mjsOrientation* alt, const char* format);
