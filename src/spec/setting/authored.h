// authored.h: which settings of a spec were authored.
//
// A setting is a member of mjOption, of mjVisual, of mjsCompiler or a size. It counts as authored
// if the text gives it, be it with its usual value, or if a program has changed it. The text leaves
// a bit in the masks of mjsAuthored and mjsCompiler; a program leaves a value that is not the usual
// one. Sizes have no bits.                              theory/model/model.md, Conflicting settings

#pragma once

#include "spec/spec.h"

// An int of mjOption whose bits are settings of their own, and its mask; both are offsets in
// mjSpec.
typedef struct AuthoredBits_ {
  size_t offset, mask;
} AuthoredBits;

enum {
  AUTHORED_NBITS = 3
};

// disabled and enabled flags, disabled groups of actuators
extern const AuthoredBits authored_bits[AUTHORED_NBITS];

// The member at an offset of a spec.
static inline void* authored_member(const mjSpec* spec, size_t offset) {
  return (char*)(uintptr_t)spec + offset;
}

// The mask that has the bit of a member, and the number of the bit; NULL if none has.
uint64_t* authored_mask(int* bit, mjSpec* spec, size_t offset);

// Records that the text gives the member at this offset of mjSpec; of flags and groups, the bits.
void authored_note(SpecTree* tree, size_t offset, int bits);

// Does the spec say what becomes of conflicts, or have a dialect that does? If not, only
// mjs_getWarning tells about them.
int authored_conflict(const SpecTree* tree);
