// compare.c: the messages of failed comparisons.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
// cmocka needs the first four
#include <cmocka.h>

#include "support/compare.h"

static const char* compared_text(char text[40], Compared x) {
  switch (x.kind) {
    case COMPARED_REAL:
      snprintf(text, 40, "%.17g", x.real);
      break;
    case COMPARED_SIGNED:
      snprintf(text, 40, "%lld", x.integer);
      break;
    case COMPARED_UNSIGNED:
      snprintf(text, 40, "%llu", x.size);
      break;
    case COMPARED_ADDRESS:
      snprintf(text, 40, "%p", x.address);
      break;
  }
  return text;
}

void compared_print(const char* what, Compared a, const char* relation, Compared b) {
  char left[40], right[40];
  print_error("%s: %s %s %s\n", what, compared_text(left, a), relation, compared_text(right, b));
}

int text_has(const char* name, const char* text, const char* part) {
  int has = text && strstr(text, part);
  if (!has) {
    print_error("%s has no \"%s\": \"%s\"\n", name, part, text ? text : "(null)");
  }
  return has;
}
