// tree.h: what the files of this folder need of tree.c beyond spec.h.

#ifndef CONDYLE_SPEC_TREE_H_
#define CONDYLE_SPEC_TREE_H_

#include "spec/spec.h"

// A tree without world and main class; NULL if memory is out.
SpecTree* tree_bare(void);

// An empty world, not yet that of the tree; NULL if memory is out.
SpecObject* tree_makeworld(SpecTree* tree);

// Gives back what was held last, until so many are left.
void tree_unhold(SpecTree* tree, int nchild);

// Forgets where copies of the objects of a tree are (object->copy).
void tree_clearcopies(SpecTree* tree);

#endif  // CONDYLE_SPEC_TREE_H_
