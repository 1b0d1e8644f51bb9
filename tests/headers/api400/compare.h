// compare.h: results of a program for 4.0.0, recorded with that release or compared with it.
//
//   program --record ... > recorded.txt   writes the results; built with the headers of 4.0.0
//   program recorded.txt ...              compares, and says what differs

#ifndef TESTS_HEADERS_API400_COMPARE_H_
#define TESTS_HEADERS_API400_COMPARE_H_

#include <math.h>
#include <mujoco/mjtype.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE* recorded = NULL;  // NULL: recording
static int failures = 0;

// Opens the recorded results that the first argument names. Returns 0 if there is no such file.
static int results_open(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "--record") != 0) {
    recorded = fopen(argv[1], "r");
    if (!recorded) {
      printf("no file '%s'\n", argv[1]);
      return 0;
    }
  }
  return 1;
}

// One line of results: a label and n numbers.
static void result(const char* label, const mjtNum* numbers, int n) {
  if (!recorded) {
    printf("%s %d", label, n);
    for (int i = 0; i < n; i++) {
      printf(" %.17g", numbers[i]);
    }
    printf("\n");
    return;
  }
  char name[100];
  int count = 0;
  if (fscanf(recorded, "%99s %d", name, &count) != 2 || strcmp(name, label) != 0 || count != n) {
    printf("%s, %d numbers: recorded was %s, %d\n", label, n, name, count);
    exit(1);
  }
  for (int i = 0; i < n; i++) {
    double expected = 0;
    if (fscanf(recorded, "%lf", &expected) != 1) {
      printf("%s: recorded numbers are missing\n", label);
      exit(1);
    }
    double bound = 1e-8 * (1 + fabs(expected));  // frustums are of single precision
    if (!(fabs(numbers[i] - expected) <= bound)) {
      printf("%s[%d] is %.17g, 4.0.0 has %.17g\n", label, i, numbers[i], expected);
      failures++;
    }
  }
}

static void number(const char* label, double value) {
  mjtNum one = (mjtNum)value;
  result(label, &one, 1);
}

static void text(const char* label, const char* value) {
  mjtNum codes[100];
  int n = 0;
  for (; value && value[n] && n < 100; n++) {
    codes[n] = (unsigned char)value[n];
  }
  result(label, codes, n);
}

static int results_close(void) {
  if (recorded) {
    fclose(recorded);
  }
  printf("%s", recorded && !failures ? "all results are those of 4.0.0\n" : "");
  return failures > 0;
}

static mjModel* load(const char* xml) {
  char error[1000] = "";
  mjSpec* spec = mj_parseXMLString(xml, NULL, error, sizeof(error));
  mjModel* m = spec ? mj_compile(spec, NULL) : NULL;
  if (!m) {
    printf("the model doesn't compile: %s\n", spec ? mjs_getError(spec) : error);
    exit(1);
  }
  mj_deleteSpec(spec);
  return m;
}

#endif  // TESTS_HEADERS_API400_COMPARE_H_
