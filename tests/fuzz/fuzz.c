// A libFuzzer program for the target FUZZ_TARGET; see README.md.

#include <stdio.h>

#include "fuzz/targets.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  static const FuzzTarget* target;
  target = target ? target : fuzz_target(FUZZ_TARGET);
  target->run(bytes, size);
  return 0;
}
