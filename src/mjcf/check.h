// check.h: does a document follow the grammar of the schema table?
//
// A pass of its own, before anything is interpreted: every unknown, misplaced, repeated or not yet
// usable name is reported, and marked so that the readers don't stumble over it again. Below frames
// the reference checks nothing, so what it would overlook there is a warning only.
// [theory/format.md, Schema]

#ifndef CONDYLE_MJCF_CHECK_H_
#define CONDYLE_MJCF_CHECK_H_

#include "mjcf/document.h"

// Sets schema, row and skip of every node and attribute below root; problems go into the list. 0 if
// the root isn't a model at all.
int check_document(Node* root, cndDiagnostics* problems);

#endif  // CONDYLE_MJCF_CHECK_H_
