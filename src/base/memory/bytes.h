// bytes.h: comparing memory by its bytes, so that -0 differs from 0 and a NaN equals itself.

#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Are all bytes zero?
static inline int bytes_are_zero(const void* memory, size_t size) {
  const unsigned char* at = memory;
  enum {
    BLOCK = 64
  };
  for (; size >= BLOCK; at += BLOCK, size -= BLOCK) {
    uint64_t word[BLOCK / sizeof(uint64_t)], any = 0;
    memcpy(word, at, BLOCK);
    for (size_t i = 0; i < BLOCK / sizeof(uint64_t); i++) {
      any |= word[i];
    }
    if (any) {
      return 0;
    }
  }
  for (size_t i = 0; i < size; i++) {
    if (at[i]) {
      return 0;
    }
  }
  return 1;
}

static inline int bytes_are_equal(const void* a, const void* b, size_t size) {
  return !size || !memcmp(a, b, size);
}
