// conflict.h: what becomes of the settings of a model that is attached to another.
//                                                       theory/model/model.md, Conflicting settings

#pragma once

#include "spec/spec.h"

// The settings of `from` meet those of `tree`, which gets a part of it, under the policy of `tree`
// (mjsCompiler.conflict): changes the settings and notes what differs, for mjs_getWarning. Returns
// 0, with the error set and nothing changed, if the policy refuses; 0 as well if memory runs out.
int setting_meet(SpecTree* tree, const SpecTree* from);

// Returns to the settings that `before` holds, and to as many notes, if the part can't be attached.
void setting_undo(SpecTree* tree, const mjSpec* before, int nconflict);
