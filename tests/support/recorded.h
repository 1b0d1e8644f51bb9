// recorded.h: numbers of later releases, recorded in tests/reference/since.

#pragma once

#include <mujoco/mjtnum.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"
#include "support/windows.h"

// The n numbers recorded under a name; a test that asks for others fails. Free them.
static inline mjtNum* recorded(const char* name, size_t n) {
  FILE* file = fopen(CONDYLE_SOURCE_DIR "/tests/reference/since/numbers.txt", "r");
  assert_non_null(file);
  char *line = NULL, *end = NULL;
  size_t room = 0, length = strlen(name);
  mjtNum* out = NULL;
  while (!out && getline(&line, &room, file) > 0) {
    if (!strncmp(line, name, length) && line[length] == ' ') {
      assert_int_equal(strtoul(line + length, &end, 10), n);
      out = malloc((n + 1) * sizeof(mjtNum));
      for (size_t i = 0; i < n; i++) {
        out[i] = (mjtNum)strtod(end, &end);
      }
    }
  }
  free(line);
  fclose(file);
  assert_non_null(out);
  return out;
}

// Fails unless x has the numbers recorded under a name, to a relative tolerance (absolute below 1);
// prints the first that differs.
static inline void assert_recorded_near(const char* name, const mjtNum* x, size_t n,
                                        double tolerance) {
  mjtNum* expected = recorded(name, n);
  for (size_t i = 0; i < n; i++) {
    double a = (double)x[i], b = (double)expected[i], difference = a > b ? a - b : b - a;
    if (!(difference <= tolerance * (1 + (b < 0 ? -b : b)))) {
      fail_msg("%s[%zu] is %.15g, recorded %.15g", name, i, a, b);
    }
  }
  free(expected);
}

static inline void assert_recorded(const char* name, const mjtNum* x, size_t n) {
  assert_recorded_near(name, x, n, 1e-9);
}
