// Sorting of numbers of both signs and any size, with many equal ones; runs of near neighbours.

#include "compile/mesh/order.h"

#include <math.h>

#include "support/random.h"
#include "support/test.h"

TEST(numbers_descend_and_equal_ones_keep_their_order) {
  enum {
    MOST = 3000
  };
  static double value[MOST];
  static int order[MOST];
  static OrderKey scratch[2 * MOST];
  uint64_t seed = 3;
  for (int n = 1; n < MOST; n += 1 + n / 7) {
    for (int kind = 0; kind < 5; kind++) {
      for (int i = 0; i < n; i++) {
        double x = xorshift_random(&seed);
        value[i] = kind == 0   ? x
                   : kind == 1 ? (int)(3 * x) * 0.1
                   : kind == 2 ? 0.5 + 1e-12 * x
                   : kind == 3 ? (i % 3 ? -0.0 : 0.0)
                               : ldexp(x, (int)(60 * xorshift_random(&seed)));
      }
      order_numbers(order, value, n, scratch);
      for (int i = 1; i < n; i++) {
        double before = value[order[i - 1]], after = value[order[i]];
        if (!(before > after || (before == after && order[i - 1] < order[i]))) {
          fail_msg("kind %d, %d of %d: %g (%d) before %g (%d)", kind, i, n, before, order[i - 1],
                   after, order[i]);
        }
      }
    }
  }
}

TEST(a_run_ends_where_the_gap_is_too_wide) {
  const double value[] = {3, 2.9, 2.85, 2.5, 2.5};
  const int order[] = {0, 1, 2, 3, 4};
  assert_int_equal(order_runend(order, value, 0, 5, 0.2), 3);
  assert_int_equal(order_runend(order, value, 3, 5, 0.2), 5);
}

static int lower(const void* context, int a, int b) {
  const int* rank = context;
  return rank[a] < rank[b];
}

TEST(a_merge_keeps_the_order_of_equals) {
  const int rank[] = {2, 1, 2, 0, 1, 2};
  int item[] = {5, 4, 3, 2, 1, 0}, scratch[6];
  const int sorted[] = {3, 4, 1, 5, 2, 0};
  order_merge(item, 6, scratch, lower, rank);
  assert_memory_equal(item, sorted, sizeof(sorted));
}
