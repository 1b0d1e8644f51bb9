// simplify.h: elements that the author gives up for speed.
//
//   fusestatic      a body that can't move against its parent becomes part of it
//   discardvisual   geoms that can't collide go, with all materials and textures
//
// Both need masses, so the model is compiled, its spec is rewritten, and the spec is compiled
// again. The spec stays so. What was inferred from geoms is kept: every body has an explicit
// inertial now, marked frozen. [theory/model.md, Fused bodies]

#ifndef CONDYLE_COMPILE_TREE_SIMPLIFY_H_
#define CONDYLE_COMPILE_TREE_SIMPLIFY_H_

#include "compile/compile.h"

// Rewrites the spec of what has been compiled into the draft. 1 if there was anything to do: then
// the draft, and all of c but its tree, is out of date.
int simplify(Compile* c);

#endif  // CONDYLE_COMPILE_TREE_SIMPLIFY_H_
