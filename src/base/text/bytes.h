// bytes.h: bytes as numbers.

#pragma once

#include <stdint.h>
#include <string.h>

// Eight bytes as a number, the first byte lowest.
static inline uint64_t bytes_little64(const void* bytes) {
  uint64_t value;
  memcpy(&value, bytes, sizeof(value));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  value = __builtin_bswap64(value);
#endif
  return value;
}

// Two and four bytes as a number, the first byte lowest.
static inline uint32_t bytes_u16(const void* bytes) {
  const unsigned char* b = bytes;
  return (uint32_t)b[0] | (uint32_t)b[1] << 8;
}

static inline uint32_t bytes_u32(const void* bytes) {
  return bytes_u16(bytes) | bytes_u16((const char*)bytes + 2) << 16;
}
