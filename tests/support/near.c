// near.c: when two arrays agree.

#include "support/near.h"

#include <math.h>
#include <stdio.h>

static double at(const void* numbers, size_t size, size_t i) {
  return size == sizeof(float) ? (double)((const float*)numbers)[i] : ((const double*)numbers)[i];
}

double near_gap(double a, double b) {
  if (a == b || (isnan(a) && isnan(b))) {
    return 0;
  }
  return isfinite(a - b) ? fabs(a - b) : INFINITY;
}

double near_error(size_t* where, const void* a, size_t size_a, const void* b, size_t size_b,
                  size_t n, double least) {
  double largest = least, worst = 0;
  *where = 0;
  for (size_t i = 0; i < n; i++) {
    double size = fabs(at(b, size_b, i));
    largest = isfinite(size) && size > largest ? size : largest;
  }
  for (size_t i = 0; i < n; i++) {
    double gap = near_gap(at(a, size_a, i), at(b, size_b, i));
    if (gap > worst) {
      worst = gap;
      *where = i;
    }
  }
  return !isfinite(least) ? INFINITY : worst == 0 ? 0 : worst / largest;
}

int near_differ(const char* label, const void* a, size_t size_a, const void* b, size_t size_b,
                size_t n, double tolerance, double least) {
  size_t i;
  double error = near_error(&i, a, size_a, b, size_b, n, least);
  if (error <= tolerance && isfinite(tolerance) && isfinite(error)) {
    return 0;
  }
  if (n) {
    fprintf(
        stderr,
        "  %s: element %zu of %zu is %.17g, expected %.17g: relative error %.3g, allowed %.3g\n",
        label, i, n, at(a, size_a, i), at(b, size_b, i), error, tolerance);
  } else {
    fprintf(stderr, "  %s: nothing is compared, within a tolerance of %g\n", label, tolerance);
  }
  return 1;
}

int near_apart(const char* label, double a, double b, double tolerance) {
  if (near_gap(a, b) <= tolerance && isfinite(tolerance)) {
    return 0;
  }
  fprintf(stderr, "  %s: %.17g, expected %.17g: allowed difference %.3g\n", label, a, b, tolerance);
  return 1;
}

double near_largest(const void* a, size_t size_a, size_t n) {
  double largest = 0;
  for (size_t i = 0; i < n; i++) {
    double size = fabs(at(a, size_a, i));
    largest = !isfinite(size) ? INFINITY : size > largest ? size : largest;
  }
  return largest;
}
