// A table holds the items that were added and not removed. Items of the same hash come in the order
// of their addition, whichever lists they are in.

#include "base/hash.h"

#include "support/test.h"

enum {
  NITEM = 600,
};

static int item[NITEM];  // each has the place in time at which it was added, 0: it is not there

// So few hashes that lists are long.
static uint64_t hash_of(int i) {
  return (uint64_t)(i % 7) - 3;
}

static int count_items(void) {
  int count = 0;
  for (int i = 0; i < NITEM; i++) {
    count += item[i] > 0;
  }
  return count;
}

// Every item that should be there is found, once, after the older ones of its hash.
static void check_table(const Hash* table) {
  int seen = 0;
  for (int home = 0; home < 7; home++) {
    int time = 0;
    for (HashSlot* at = hash_find(table, hash_of(home)); at; at = hash_next(at)) {
      const int* found = at->item;
      assert_int_equal((found - item) % 7, home);
      assert_that(*found, >, time);
      time = *found;
      seen++;
    }
  }
  assert_int_equal(seen, count_items());
  assert_int_equal(seen, table->count);
  assert_that(table->count, <=, table->used);
  assert_that(table->used, <=, table->capacity);
}

TEST(a_table_holds_what_was_added_and_not_removed) {
  Hash table = {0};
  uint32_t random = 1;
  memset(item, 0, sizeof(item));
  assert_null(hash_find(&table, 0));
  for (int time = 1; time <= 3000; time++) {
    random = random * 1664525u + 1013904223u;
    int i = (int)((random >> 8) % NITEM);
    if (!item[i]) {
      item[i] = time;
      assert_int_equal(hash_add(&table, hash_of(i), &item[i]), 1);
    } else {
      HashSlot* at = hash_find(&table, hash_of(i));
      while (at->item != &item[i]) {
        at = hash_next(at);
      }
      hash_remove(&table, at);
      item[i] = 0;
    }
    if (time % 20 == 0) {
      check_table(&table);
    }
  }
  hash_clear(&table);
  assert_null(hash_find(&table, 0));
  assert_int_equal(hash_add(&table, 5, &item[0]), 1);
  hash_clear(&table);
}

TEST(different_hashes_in_one_list_are_told_apart) {
  Hash table = {0};
  assert_int_equal(hash_add(&table, 3, &item[0]), 1);
  assert_int_equal(hash_add(&table, 3 + 1024, &item[1]), 1);
  assert_ptr_equal(hash_find(&table, 3)->item, &item[0]);
  assert_ptr_equal(hash_find(&table, 3 + 1024)->item, &item[1]);
  assert_null(hash_next(hash_find(&table, 3)));
  assert_null(hash_find(&table, 3 + 2048));
  hash_clear(&table);
}

TEST(bytes_and_their_number_decide_a_hash) {
  static const char text[] = "a text of more than eight bytes";
  char copy[64] = {0};
  memcpy(copy, text, sizeof(text));
  assert_that(hash_text(text), ==, hash_text(copy));
  assert_that(hash_text(text), ==, hash_bytes(copy, strlen(text)));
  assert_that(hash_bytes(copy, 40), !=, hash_bytes(copy, 41));
  for (size_t i = 0; i < strlen(text); i++) {
    copy[i] ^= 1;
    assert_that(hash_text(text), !=, hash_text(copy));
    copy[i] ^= 1;
  }
}

// 4096 neighbouring names in as many homes: 1/e of the homes stay empty if they are spread evenly.
TEST(names_with_numbers_spread_over_all_homes) {
  static unsigned char taken[4096];
  int used = 0;
  memset(taken, 0, sizeof(taken));
  for (int i = 0; i < 4096; i++) {
    char name[16] = {'g', (char)('0' + i / 512), (char)('0' + i / 64 % 8), (char)('0' + i / 8 % 8),
                     (char)('0' + i % 8)};
    taken[hash_text(name) & 4095] = 1;
  }
  for (int i = 0; i < 4096; i++) {
    used += taken[i];
  }
  assert_in_range(used, 2400, 4096);
}
