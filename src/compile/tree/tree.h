// tree.h: the tree of bodies, and what stands in it.

#ifndef CONDYLE_COMPILE_TREE_TREE_H_
#define CONDYLE_COMPILE_TREE_TREE_H_

#include "compile/context.h"

// Bodies with everything in them. tree/body.c
void compile_bodies(Compile* c);

// Elements of one body; called by compile_bodies once the body's frames are final.
void compile_geom(Compile* c, SpecObject* object);    // tree/geom.c
void write_geom(Compile* c, SpecObject* object);      // after inertia and alignment
void compile_joint(Compile* c, SpecObject* object);   // tree/joint.c
void compile_site(Compile* c, SpecObject* object);    // tree/site.c
void compile_camera(Compile* c, SpecObject* object);  // tree/camera.c
void compile_light(Compile* c, SpecObject* object);   // tree/camera.c

// Rewrites the spec of what has been compiled into the draft. 1 if there was anything to do: then
// the draft, and all of c but its tree, is out of date.
int simplify(Compile* c);  // tree/simplify.c

#endif  // CONDYLE_COMPILE_TREE_TREE_H_
