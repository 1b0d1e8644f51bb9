// index.h: one table from names to objects for each type.
//
// A user may write names through the pointer of mjs_getName without notice. So a hit is compared
// with the object's real name. After such a pointer was given out, a miss is confirmed by a search
// through all objects.

#pragma once

#include <mujoco/mjmodel.h>

#include "spec/spec.h"

// Enters a registered object under its name; nameless ones are ignored.
void index_add(SpecTree* tree, SpecObject* object);

// Removes an object, also if its name has changed.
void index_remove(SpecTree* tree, SpecObject* object);

// Frees the tables and the interned strings of a tree.
void index_free(SpecTree* tree);
