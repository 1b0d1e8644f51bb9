// text.h: a text that grows as pieces are added, for models that a test draws.

#pragma once

#include <stddef.h>

// Empty at first: Text t = {0}. Free it with free(t.text).
typedef struct Text_ {
  char* text;
  size_t length, room;
} Text;

// Adds a formatted piece; fails the test if memory is out.
__attribute__((format(printf, 2, 3))) void text_add(Text* t, const char* format, ...);
