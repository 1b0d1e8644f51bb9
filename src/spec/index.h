// index.h: from name to object, one table per type.
//
// A user may write names through mjs_getName without our knowing, so a hit is checked against the
// object's real name, and a miss is confirmed by a search through all objects once such a pointer
// has been handed out.

#ifndef CONDYLE_SPEC_INDEX_H_
#define CONDYLE_SPEC_INDEX_H_

#include <mujoco/mjmodel.h>

#include "spec/spec.h"

// Enters a registered object under its name; nameless ones are ignored.
void index_add(SpecTree* tree, SpecObject* object);

// Takes it out again, whatever its name is now.
void index_remove(SpecTree* tree, SpecObject* object);

// Frees the tables and the interned strings of a tree.
void index_free(SpecTree* tree);

#endif  // CONDYLE_SPEC_INDEX_H_
