// digest.h: 128-bit digests of contents, by which things are known that were made from them.
//
// Each 16 bytes are mixed in by two products of 64 by 64 bits (wyhash, W. Yi 2019), a few bytes per
// clock. Two contents of the same digest are as likely as a guess of 128 bits, and as long as the
// seed is secret nobody can construct them either. Digests are those of one byte order.

#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct Digest_ {
  uint64_t half[2];
  uint64_t seed[2];
} Digest;

// The digest of contents of a kind, to which contents are then added. Where one content ends and
// the next begins is part of it.
Digest digest_start(const uint64_t seed[2], const char* kind);
void digest_add(Digest* digest, const void* bytes, size_t count);

int digest_equal(const Digest* a, const Digest* b);
