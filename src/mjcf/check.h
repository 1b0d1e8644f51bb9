// check.h: checks that a document follows the grammar of the schema table.
//
// The check is a separate pass before anything is read. Every unknown, misplaced, repeated or
// unsupported name is reported, and marked so that readers skip it. The reference does not check
// below frames, so problems that it would overlook are only warnings.
//                                                                    theory/model/format.md, Schema

#pragma once

#include "mjcf/document.h"

// Sets schema, row and skip of every node and attribute below root, and adds problems to the list.
// Returns 0 if the root is no model at all.
int check_document(Node* root, cndDiagnostics* problems);
