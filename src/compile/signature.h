// signature.h: a number that tells whether two models have the same structure.
//
// mjData made for one model must not be used with another one, and values of a model can only be
// copied back to the spec it came from. Both are checked by comparing signatures: equal structures
// have equal signatures, and by all likelihood only they.                theory/model.md, Signature

#ifndef CONDYLE_COMPILE_SIGNATURE_H_
#define CONDYLE_COMPILE_SIGNATURE_H_

#include <stdint.h>

#include "compile/compile.h"

// Signature of what is compiled: who hangs where, how many of each type, not their names or
// numbers. Never 0.
uint64_t compile_signature(const Compile* c);

#endif  // CONDYLE_COMPILE_SIGNATURE_H_
