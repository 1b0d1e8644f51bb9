// text.c: a text that grows as pieces are added.

#include "support/text.h"

#include "support/test.h"

void text_add(Text* t, const char* format, ...) {
  va_list args;
  va_start(args, format);
  size_t piece = (size_t)vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (t->length + piece >= t->room) {
    t->room = 2 * (t->length + piece) + 1000;
    t->text = realloc(t->text, t->room);
    assert_non_null(t->text);
  }
  va_start(args, format);
  vsnprintf(t->text + t->length, t->room - t->length, format, args);
  va_end(args);
  t->length += piece;
}
