// object.h: what the files of this folder need of object.c and tree.c beyond spec.h.

#ifndef CONDYLE_SPEC_OBJECT_H_
#define CONDYLE_SPEC_OBJECT_H_

#include "spec/spec.h"

// Points the handles of the object's public struct at object->vectors.
void object_attachhandles(SpecObject* object);

// The object after this one in the subtree of root, children of every type, parents first; NULL at
// the end.
SpecObject* object_walk(const SpecObject* object, const SpecObject* root);

// Two objects of the same type in the body tree change values, names and classes.
void object_swap(SpecObject* a, SpecObject* b);

// Counts an object and makes it found by name; takes that back.
void object_register(SpecObject* object);
void object_unregister(SpecObject* object);

// A tree without world and main class; NULL if memory is out.
SpecTree* tree_bare(void);

// An empty world, not yet that of the tree; NULL if memory is out.
SpecObject* tree_makeworld(SpecTree* tree);

// Gives back what was held last, until so many are left.
void tree_unhold(SpecTree* tree, int nchild);

// Forgets where copies of the objects of a tree are (object->copy).
void tree_clearcopies(SpecTree* tree);

#endif  // CONDYLE_SPEC_OBJECT_H_
