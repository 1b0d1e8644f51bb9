// test.h: what every test file includes: cmocka, the engine's API, and tests that register
// themselves.
//
//   #include "support/test.h"
//
//   TEST(zero_is_its_own_opposite) {
//     assert_that(0, ==, -0);
//   }
//
// A file holds any number of tests; they run in the order in which it names them. The main function
// is in test.c:
//
//   test.model.data.arena              runs all
//   test.model.data.arena 'full_*'     runs those whose names match one of the patterns
//   test.model.data.arena --list       prints the names

#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka needs the four above first
#include <cmocka.h>
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/compare.h"

// A test, in the list of its program.
typedef struct Test_ {
  const char* name;
  void (*run)(void);
  void (*run_with)(const char* argument);  // instead of run, if there is an argument
  const char* argument;
  int order;  // constructors come in any order
  struct Test_* next;
} Test;

// What runs around the tests of a file, NULL: nothing.
typedef struct TestHooks_ {
  void (*before_all)(void), (*after_all)(void), (*before_each)(void), (*after_each)(void);
} TestHooks;

extern TestHooks test_hooks;

// Skips the running test: for what this machine or this build can't have. The last line of
// scripts/test.sh counts them, by reason.
#undef skip
#define test_skip(reason)                         \
  do {                                            \
    print_message("[  REASON  ] %s\n", (reason)); \
    _skip(__FILE__, __LINE__);                    \
  } while (0)

// Adds a test to those of the program.
void test_register(Test* test);

#define TEST_AT_START(function) __attribute__((constructor)) static void function(void)

// Defines a test, which is called by its function's name.
#define TEST(title)                                                              \
  static void title(void);                                                       \
  TEST_AT_START(title##_registers) {                                             \
    static Test test = {.name = #title, .run = title, .order = __COUNTER__ + 1}; \
    test_register(&test);                                                        \
  }                                                                              \
  static void title(void)

// Defines a test for each text of an array: it is called by the text and has it as its argument.
#define TEST_EACH(function, texts)                                               \
  static void function(const char* text);                                        \
  TEST_AT_START(function##_registers) {                                          \
    static Test tests[sizeof(texts) / sizeof(texts[0])];                         \
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {              \
      tests[i] = (Test){texts[i], NULL, function, texts[i], __COUNTER__ + 1, 0}; \
      test_register(&tests[i]);                                                  \
    }                                                                            \
  }                                                                              \
  static void function(const char* text)

// Define what runs before all tests of the file, after them, before each and after each. What comes
// after also runs when a test has failed; all tests fail if what comes before does.
#define BEFORE_ALL() TEST_HOOK(before_all)
#define AFTER_ALL() TEST_HOOK(after_all)
#define BEFORE_EACH() TEST_HOOK(before_each)
#define AFTER_EACH() TEST_HOOK(after_each)

#define TEST_HOOK(hook)             \
  static void test_##hook(void);    \
  TEST_AT_START(test_sets_##hook) { \
    test_hooks.hook = test_##hook;  \
  }                                 \
  static void test_##hook(void)

// Handlers of warnings: silent drops them, keep_warning leaves the text of the last one.
extern char warning_text[1024];
void silent(const char* message);
void keep_warning(const char* message);

// The whole number in a variable of the environment, with which a test runs longer or elsewhere;
// usual if it is not set.
long test_setting(const char* variable, long usual);
