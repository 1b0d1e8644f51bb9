// targets.h: one function per loader that swallows any bytes: it must return, quickly, whatever
// they are. The fuzzer and the replay of its corpora both call these.

#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct FuzzTarget_ {
  const char* name;  // of its corpus, too
  void (*run)(const uint8_t* bytes, size_t size);
  int is_text;  // mutate words and numbers, not only bytes
} FuzzTarget;

// All of them; the last has no name.
extern const FuzzTarget fuzz_targets[];

// The target with a name, NULL if there is none.
const FuzzTarget* fuzz_target(const char* name);

// A model as bytes, to start from where a stored one would go stale; the caller frees it with
// heap_free.
uint8_t* fuzz_binaryseed(size_t* size);
