// digest.c: digests by products of 64 by 64 bits. The constants are those of wyhash: odd numbers
// with about half of their bits set.

#include "base/digest.h"

#include <string.h>

#include "base/wide_integer.h"

// The product of two words, with its halves combined by xor.
static uint64_t fold(uint64_t a, uint64_t b) {
  WideInteger product = wide_product(a, b);
  return product.low ^ product.high;
}

typedef struct Lane_ {
  uint64_t a, b;
} Lane;

// Digests 16 bytes.
static inline void mix(Lane* lane, const unsigned char bytes[16], const uint64_t seed[2]) {
  uint64_t word[2];
  memcpy(word, bytes, sizeof(word));
  lane->a = fold(word[0] ^ lane->a ^ seed[0], word[1] ^ 0x1D8E4E27C47D124Fu) + word[1];
  lane->b = fold(word[1] ^ lane->b ^ seed[1], word[0] ^ 0xEB44ACCAB455D165u) + word[0];
}

Digest digest_start(const uint64_t seed[2], const char* kind) {
  Digest digest = {{seed[0], seed[1]}, {seed[0], seed[1]}};
  digest_add(&digest, kind, strlen(kind));
  return digest;
}

// Long contents take four independent lanes, because within a lane each product waits for the one
// before it. The count is digested too, so that bytes can't be shifted between neighbouring
// contents.
void digest_add(Digest* digest, const void* bytes, size_t count) {
  enum {
    STEP = 16,
    NLANE = 4
  };
  const unsigned char* p = bytes;
  const uint64_t* seed = digest->seed;
  Lane first = {digest->half[0] ^ fold(count ^ 0xA0761D6478BD642Fu, 0xE7037ED1A0B428DBu),
                digest->half[1] ^ fold(count ^ 0x8EBC6AF09C88C6E3u, 0x589965CC75374CC3u)};
  if (count >= NLANE * STEP) {
    Lane lane[NLANE];
    for (uint64_t k = 0; k < NLANE; k++) {
      lane[k] = (Lane){first.a + k, first.b ^ k << 32};
    }
    for (; count >= NLANE * STEP; count -= NLANE * STEP, p += NLANE * STEP) {
      for (size_t k = 0; k < NLANE; k++) {
        mix(&lane[k], p + STEP * k, seed);
      }
    }
    for (size_t k = 0; k < NLANE; k++) {
      unsigned char joined[STEP];
      memcpy(joined, &lane[k], STEP);
      mix(&first, joined, seed);
    }
  }
  for (; count >= STEP; count -= STEP, p += STEP) {
    mix(&first, p, seed);
  }
  if (count) {
    unsigned char rest[STEP] = {0};
    memcpy(rest, p, count);
    mix(&first, rest, seed);
  }
  digest->half[0] = fold(first.a ^ 0x2D358DCCAA6C78A5u, first.b ^ 0x8BB84B93962EACC9u) ^ first.a;
  digest->half[1] = fold(first.b ^ 0x4B33A62ED433D4A3u, first.a ^ 0x4D5A2DA51DE1AA47u) ^ first.b;
}

int digest_equal(const Digest* a, const Digest* b) {
  return a->half[0] == b->half[0] && a->half[1] == b->half[1];
}
