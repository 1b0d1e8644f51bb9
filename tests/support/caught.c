// caught.c: expecting an error in a test.

#include "support/caught.h"

#include <stdio.h>

jmp_buf caught_place;
char caught_text[1024];

void caught_jump(const char* message) {
  snprintf(caught_text, sizeof(caught_text), "%s", message);
  longjmp(caught_place, 1);
}
