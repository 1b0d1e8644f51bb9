// json.c: a growing buffer.

#include "json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char* text;
static size_t length, capacity;
static int failed;

static void append(const char* piece, size_t bytes) {
  if (failed) {
    return;
  }
  if (length + bytes + 1 > capacity) {
    size_t more = 2 * (length + bytes + 512);
    char* moved = realloc(text, more);
    if (!moved) {
      failed = 1;
      return;
    }
    text = moved;
    capacity = more;
  }
  memcpy(text + length, piece, bytes);
  length += bytes;
  text[length] = 0;
}

void json_start(void) {
  length = 0;
  failed = 0;
}

void json_raw(const char* piece) {
  append(piece, strlen(piece));
}

// Length of the UTF-8 sequence at c, 0 if there is none. Surrogates and overlong forms are left to
// the reader, which replaces them.
static size_t sequence(const unsigned char* c) {
  size_t bytes = c[0] < 0x80 ? 1 : c[0] < 0xC2 ? 0 : c[0] < 0xE0 ? 2 : c[0] < 0xF0 ? 3 : 4;
  if (c[0] > 0xF4) {
    return 0;
  }
  for (size_t i = 1; i < bytes; i++) {
    if ((c[i] & 0xC0) != 0x80) {
      return 0;
    }
  }
  return bytes;
}

void json_text(const char* plain) {
  append("\"", 1);
  for (const char* c = plain; *c;) {
    size_t bytes = sequence((const unsigned char*)c);
    char escape[8];
    if (bytes == 0) {
      json_raw("\\ufffd");
      bytes = 1;
    } else if (*c == '"' || *c == '\\' || (unsigned char)*c < ' ') {
      snprintf(escape, sizeof escape, "\\u%04x", (unsigned)*c);
      json_raw(escape);
    } else {
      append(c, bytes);
    }
    c += bytes;
  }
  append("\"", 1);
}

void json_number(double number) {
  char digits[40];
  snprintf(digits, sizeof digits, "%.17g", number);
  json_raw(isfinite(number) ? digits : "null");
}

const char* json_end(void) {
  return failed || !text ? "" : text;
}
