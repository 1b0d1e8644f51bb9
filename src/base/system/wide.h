// wide.h: texts of Windows, which are UTF-16.

#pragma once

#include <stddef.h>

// A text in UTF-16, on the stack if it is short.
typedef struct Wide_ {
  wchar_t* text;
  wchar_t here[300];
} WideText;

// Converts UTF-8. Returns 0 with errno set if it is none, or memory runs out.
int wide_take(WideText* out, const char* text);
void wide_drop(WideText* wide);

// UTF-8 of a text. NULL if memory runs out; the caller frees it (free).
char* wide_narrow(const wchar_t* text);
