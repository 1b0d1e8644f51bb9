// digest.c: digests of contents that differ in anything differ.

#include "base/digest.h"

#include "support/test.h"

static const uint64_t seed[2] = {1, 2};

enum {
  SIZE = 200
};

static Digest digest_of(const void* bytes, size_t size) {
  Digest digest = digest_start(seed, "test");
  digest_add(&digest, bytes, size);
  return digest;
}

// Fails where two of n digests have a half in common.
static void assert_apart(const Digest* digest, int n) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      assert_that(digest[i].half[0], !=, digest[j].half[0]);
      assert_that(digest[i].half[1], !=, digest[j].half[1]);
    }
  }
}

TEST(contents_that_differ_in_a_bit_have_other_digests) {
  static Digest digest[8 * SIZE + 1];
  char content[SIZE] = {0};
  for (int i = 0; i < 8 * SIZE; i++) {
    content[i / 8] = (char)(1 << i % 8);
    digest[i] = digest_of(content, SIZE);
    content[i / 8] = 0;
  }
  digest[8 * SIZE] = digest_of(content, SIZE);
  assert_apart(digest, 8 * SIZE + 1);
}

TEST(contents_of_zeros_differ_by_their_length) {
  Digest digest[SIZE];
  const char content[SIZE] = {0};
  for (size_t i = 0; i < SIZE; i++) {
    digest[i] = digest_of(content, i);
  }
  assert_apart(digest, SIZE);
}

TEST(where_a_content_ends_is_part_of_the_digest) {
  Digest digest[SIZE];
  char content[SIZE];
  memset(content, 7, SIZE);
  for (size_t i = 0; i < SIZE; i++) {
    digest[i] = digest_start(seed, "test");
    digest_add(&digest[i], content, i);
    digest_add(&digest[i], content + i, SIZE - i);
  }
  assert_apart(digest, SIZE);
}

TEST(another_seed_or_kind_gives_another_digest) {
  const uint64_t other[2] = {1, 3}, third[2] = {2, 2};
  Digest digest[4] = {digest_start(seed, "test"), digest_start(other, "test"),
                      digest_start(third, "test"), digest_start(seed, "tests")};
  for (int i = 0; i < 4; i++) {
    digest_add(&digest[i], "content", 7);
  }
  assert_apart(digest, 4);
}

TEST(digests_hang_on_the_content_alone) {
  char content[2][SIZE + 1];
  memset(content, 9, sizeof(content));
  // at another alignment
  Digest a = digest_of(content[0], SIZE), b = digest_of(content[1] + 1, SIZE);
  assert_int_equal(digest_equal(&a, &b), 1);
}
