// order.h: sorting indices by numbers of which neighbours may count as equal.
//
// A mesh has thousands of directions to be ordered, and those that differ by their rounding must
// count as equal, or symmetric meshes would depend on it. So the numbers are first sorted by their
// bits, without comparisons, whose results a processor can't predict. Then each run of near
// neighbours is sorted by the rule that decides between them.

#pragma once

#include <stdint.h>

// Scratch of order_numbers.
typedef struct OrderKey_ {
  uint64_t bits;  // decreases as the number increases
  int id;
} OrderKey;

// order[n] = indices of value[n], descending; equal values keep their order. No value is NaN.
// scratch holds 2 n keys.
void order_numbers(int* order, const double* value, int n, OrderKey* scratch);

// The end of the run of near neighbours that starts at `start`: each value is at most `slack` below
// the one before it.
int order_runend(const int* order, const double* value, int start, int n, double slack);

// Merge sort of item[n]. before(context, a, b) tells whether a must come before b. Items of which
// neither must keep their order. scratch holds n items.
void order_merge(int* item, int n, int* scratch, int (*before)(const void* context, int a, int b),
                 const void* context);
