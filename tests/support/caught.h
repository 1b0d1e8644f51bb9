// caught.h: expecting an error in a test.
//
//   assert_error(mj_stateSize(m, 1u << 20), "invalid state signature");

#pragma once

#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <string.h>

// Where the expected error lands, and its text.
extern jmp_buf caught_place;
extern char caught_text[1024];

// An error handler that keeps the text and jumps to the place.
void caught_jump(const char* message);

// Passes if the expression ends in mju_error with a message that contains the text.
#define assert_error(expression, text)                                          \
  do {                                                                          \
    void (*volatile caught_before)(const char*) = mju_user_error;               \
    mju_user_error = caught_jump;                                               \
    caught_text[0] = 0;                                                         \
    if (!setjmp(caught_place)) {                                                \
      expression;                                                               \
    }                                                                           \
    mju_user_error = caught_before;                                             \
    if (!strstr(caught_text, text)) {                                           \
      fail_msg("expected an error with \"%s\", got \"%s\"", text, caught_text); \
    }                                                                           \
  } while (0)
