// compile.h: an editable model to an mjModel.
//
//   SpecTree --number--> lists in id order --sizes--> draft mjModel, filled by one file per kind
//                                                          | derive_sizes, copy
//                                                          v
//       trial step <-- mj_setConst <-- patterns, trees <-- final mjModel
//
// Some sizes (the sparse patterns, the box trees) follow from numbers that are only known once the
// elements are compiled. So the elements are compiled into a draft, an mjModel without those
// arrays, and every element type is written straight to where it belongs, once. Of the
// editable model only what the format demands is changed (names of assets, keyframes up to nkey),
// so compiling twice gives the same model twice.                 theory/model.md, Compilation order

#ifndef CONDYLE_COMPILE_COMPILE_H_
#define CONDYLE_COMPILE_COMPILE_H_

#include "spec/spec.h"

// Compiles a tree whose diagnostics of reading are kept; NULL if there are errors. mj_compile
// forgets them first.
mjModel* compile_tree(SpecTree* tree, const mjVFS* vfs);

#endif  // CONDYLE_COMPILE_COMPILE_H_
