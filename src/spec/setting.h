// setting.h: which settings of a spec were authored, and how those of two specs are merged.
//
// A setting is a member of mjOption, of mjVisual, of mjsCompiler or a size. It counts as authored
// if the text gives it, be it with its usual value, or if a program has changed it. The text leaves
// a bit in the masks of mjsAuthored and mjsCompiler; a program leaves a value that is not the usual
// one. Sizes have no bits.                               theory/model/model.md, Conflicting settings

#pragma once

#include "spec/spec.h"

// Records that the text gives the member at this offset of mjSpec; of flags and groups, the bits.
void setting_author(SpecTree* tree, size_t offset, int bits);

// The settings of `from` meet those of `tree`, which gets a part of it, under the policy of `tree`
// (mjsCompiler.conflict): changes the settings and notes what differs, for mjs_getWarning. Returns
// 0, with the error set and nothing changed, if the policy refuses; 0 as well if memory runs out.
int setting_meet(SpecTree* tree, const SpecTree* from);

// Returns to the settings that `before` holds, and to as many notes, if the part can't be attached.
void setting_undo(SpecTree* tree, const mjSpec* before, int nconflict);

// Does the spec say what becomes of conflicts? If not, only mjs_getWarning tells about them.
int setting_hasconflict(const SpecTree* tree);
