// tree.h: functions of tree.c for other files of this folder.

#pragma once

#include "spec/spec.h"

// A tree without world and main class; NULL if memory runs out.
SpecTree* tree_bare(void);

// An empty world body that is not linked into the tree. NULL if memory runs out.
SpecObject* tree_makeworld(SpecTree* tree);

// Releases the specs held last until nchild are left.
void tree_unhold(SpecTree* tree, int nchild);

// Clears object->copy of all objects of a tree.
void tree_clearcopies(SpecTree* tree);
