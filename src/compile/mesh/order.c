// order.c: a radix sort of numbers and a merge sort of indices.

#include "compile/mesh/order.h"

#include <string.h>

enum {
  DIGIT_BITS = 11,
  NDIGIT = 3,  // digits by which one call of sort_digits sorts
  NVALUE = 1 << DIGIT_BITS,
  LOW_BITS = 64 - NDIGIT * DIGIT_BITS,  // bits below the upper NDIGIT digits
  FEW = 32,                             // up to this many keys are sorted by insertion
};

// The bits of a number as an integer that decreases as the number increases. -0 becomes 0.
static uint64_t descending_bits(double value) {
  double positive_zero = value + 0.0;
  uint64_t bits, sign = (uint64_t)1 << 63;
  memcpy(&bits, &positive_zero, sizeof(bits));
  return bits & sign ? bits : ~(bits | sign);
}

static void sort_few(OrderKey* key, int n) {
  for (int i = 1; i < n; i++) {
    OrderKey moved = key[i];
    int at = i;
    for (; at > 0 && key[at - 1].bits > moved.bits; at--) {
      key[at] = key[at - 1];
    }
    key[at] = moved;
  }
}

// Sorts by NDIGIT digits from bit `shift` on, the lowest digit first.
static void sort_digits(OrderKey* key, OrderKey* scratch, int n, int shift) {
  int count[NDIGIT][NVALUE];
  memset(count, 0, sizeof(count));
  for (int i = 0; i < n; i++) {
    uint64_t bits = key[i].bits >> shift;
    for (int d = 0; d < NDIGIT; d++) {
      count[d][bits >> d * DIGIT_BITS & (NVALUE - 1)]++;
    }
  }
  OrderKey *from = key, *to = scratch;
  for (int d = 0; d < NDIGIT; d++) {
    int at = shift + d * DIGIT_BITS, place = 0;
    if (count[d][from->bits >> at & (NVALUE - 1)] == n) {
      continue;  // all have this digit
    }
    for (int v = 0; v < NVALUE; v++) {
      int first = place;
      place += count[d][v];
      count[d][v] = first;
    }
    for (int i = 0; i < n; i++) {
      to[count[d][from[i].bits >> at & (NVALUE - 1)]++] = from[i];
    }
    OrderKey* sorted = to;
    to = from;
    from = sorted;
  }
  if (from != key) {
    memcpy(key, from, (size_t)n * sizeof(OrderKey));
  }
}

void order_numbers(int* order, const double* value, int n, OrderKey* scratch) {
  OrderKey* key = scratch;
  for (int i = 0; i < n; i++) {
    key[i] = (OrderKey){descending_bits(value[i]), i};
  }
  if (n > FEW) {
    // The upper digits tell most numbers apart. Runs that agree in them are sorted below.
    sort_digits(key, scratch + n, n, LOW_BITS);
  }
  for (int start = 0, end; start < n; start = end) {
    uint64_t upper = key[start].bits >> LOW_BITS;
    end = n > FEW ? start + 1 : n;
    while (end < n && key[end].bits >> LOW_BITS == upper) {
      end++;
    }
    if (end - start > FEW) {
      sort_digits(key + start, scratch + n, end - start, 0);
    } else {
      sort_few(key + start, end - start);
    }
  }
  for (int i = 0; i < n; i++) {
    order[i] = key[i].id;
  }
}

int order_runend(const int* order, const double* value, int start, int n, double slack) {
  int end = start + 1;
  while (end < n && value[order[end - 1]] - value[order[end]] <= slack) {
    end++;
  }
  return end;
}

void order_merge(int* item, int n, int* scratch, int (*before)(const void* context, int a, int b),
                 const void* context) {
  if (n < 2) {
    return;
  }
  int half = n / 2;
  order_merge(item, half, scratch, before, context);
  order_merge(item + half, n - half, scratch, before, context);
  memcpy(scratch, item, (size_t)half * sizeof(int));
  for (int i = 0, j = half, k = 0; i < half; k++) {
    item[k] = j < n && before(context, item[j], scratch[i]) ? item[j++] : scratch[i++];
  }
}
