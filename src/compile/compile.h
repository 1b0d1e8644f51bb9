// compile.h: compiling an editable model to an mjModel.
//
//   SpecTree --number--> lists in id order --sizes--> draft mjModel, filled by one file per kind
//                                                          | derive_sizes, copy
//                                                          v
//       trial step <-- mj_setConst <-- patterns, trees <-- final mjModel
//
// Some sizes (sparse patterns, BVHs) depend on numbers that are known only after the elements
// are compiled. So the elements are compiled into a draft, an mjModel without those arrays, and
// then copied. Compiling changes only those parts of the editable model that the format demands
// (names of assets, keyframes up to nkey), so compiling twice gives the same model.
//                                                          theory/model/model.md, Compilation order

#pragma once

#include "compile/context.h"

// Compiles a tree and keeps its diagnostics of reading, which mj_compile clears first. NULL if
// there are errors.
mjModel* compile_tree(SpecTree* tree, const mjVFS* vfs);

// Masses and frames of all bodies of a tree, in the order of ids, as compiling it would find them;
// the tree stays as it is. The caller frees them. NULL, with the tree's error set, if it doesn't
// compile.
BodyWork* compile_weigh(SpecTree* tree, const mjVFS* vfs);
