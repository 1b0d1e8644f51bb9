// frame.h: frames in their bodies, and orientations in each form that they can be given in.

#ifndef CONDYLE_COMPILE_TREE_FRAME_H_
#define CONDYLE_COMPILE_TREE_FRAME_H_

#include "compile/context.h"

// Resolves the frames of all bodies.
void compile_frames(Compile* c);

// pose as seen from the body: pose, given inside the frame of an object.
void frame_apply(const Compile* c, const SpecObject* object, Pose* pose);

// Pose of the innermost frame around an object, identity if there is none.
const Pose* frame_of(const Compile* c, const SpecObject* object);

// Overwrites quat by the alternative orientation, if one is given. 0 and an error if it is invalid:
// format takes its text and, if it has room for it, the object's id.
int frame_orientation(Compile* c, const SpecObject* object, double quat[4],
                      const mjsOrientation* alt, const char* format);

#endif  // CONDYLE_COMPILE_TREE_FRAME_H_
