// targets.h: one function per loader that swallows any bytes: it must return, quickly, whatever
// they are. The fuzzer and the replay of its corpora both call these.

#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct FuzzTarget_ {
  const char* name;  // of its corpus, too
  void (*run)(const uint8_t* bytes, size_t size);
  int is_text;  // mutate words and numbers, not only bytes
  // bytes to start from where stored ones would go stale, NULL for none; they are freed with
  // heap_free
  uint8_t* (*seed)(size_t* size);
} FuzzTarget;

// All of them; the last has no name.
extern const FuzzTarget fuzz_targets[];

// The target with a name, NULL if there is none.
const FuzzTarget* fuzz_target(const char* name);
