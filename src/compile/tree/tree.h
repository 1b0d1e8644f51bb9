// tree.h: compiling the tree of bodies and their elements.

#pragma once

#include "compile/context.h"

// Compiles bodies with all their elements. (tree/body.c)
void compile_bodies(Compile* c);

// Compile elements of one body. compile_bodies calls them when the body's frames are final.
void compile_geom(Compile* c, SpecObject* object);    // tree/geom.c
void write_geom(Compile* c, SpecObject* object);      // called after inertia and alignment
void compile_joint(Compile* c, SpecObject* object);   // tree/joint.c
void compile_site(Compile* c, SpecObject* object);    // tree/site.c
void compile_camera(Compile* c, SpecObject* object);  // tree/camera.c

// A count of pixels as an int: clamped to its range, 0 for NaN.
int compile_pixels(float count);
void compile_light(Compile* c, SpecObject* object);  // tree/camera.c

// Changes the spec after the draft was compiled. Returns 1 if it changed anything; then the draft,
// and all of c except its tree, is out of date.
int simplify(Compile* c);  // tree/simplify.c
