// same_program.h: programs that use the mjs_* functions, compiled against both engines.
//
// Every scenario prints what it sees; same_program_test.c compares both outputs line by line. Lines
// of messages, which differ in what they add, are compared by the part that both must have.

#pragma once

#include <stddef.h>

// Text that grows by lines, cut at its end.
typedef struct Log_ {
  char text[1 << 16];
  size_t length;
} Log;

typedef struct Scenario_ {
  const char* name;
  void (*run)(Log* log);
} Scenario;

// The i-th scenario, NULL after the last.
__attribute__((visibility("default"))) const Scenario* same_program(int i);
