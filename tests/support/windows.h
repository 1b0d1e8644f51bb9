// windows.h: the few functions of POSIX that tests use and Windows has not.

#pragma once

#ifdef _WIN32

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline int setenv(const char* name, const char* value, int overwrite) {
  return overwrite || !getenv(name) ? _putenv_s(name, value) : 0;
}

// The next line with its '\n' in a block that grows. Returns its bytes, -1 at the end.
static inline long getline(char** line, size_t* room, FILE* file) {
  size_t length = 0;
  for (;;) {
    if (*room < length + 256) {
      *room = 2 * (length + 256);
      *line = realloc(*line, *room);
    }
    if (!fgets(*line + length, (int)(*room - length), file)) {
      return length ? (long)length : -1;
    }
    length += strlen(*line + length);
    if ((*line)[length - 1] == '\n') {
      return (long)length;
    }
  }
}

#endif
