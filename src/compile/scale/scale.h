// scale.h: the scales of frames, applied to a copy of a spec.
//
// Everything that frames scale can be said in MJCF itself: a longer place, a heavier body, another
// mesh. So scaling rewrites the elements of a copy, and the compiler knows nothing of it. The
// author's spec keeps what was written and is compiled anew from that.  theory/model/scaling.md

#pragma once

#include "compile/context.h"

// Does any frame of the tree change what is inside?
int scale_isneeded(const SpecTree* tree);

// Rewrites the elements of a tree, whose frames then have no scales. Returns 0 if some can't be
// scaled: errors are reported.
int scale_apply(Compile* c);

// Gives the elements of a tree ids and signatures of the same elements in a copy that was compiled.
void scale_return(SpecTree* tree, SpecTree* copy);
