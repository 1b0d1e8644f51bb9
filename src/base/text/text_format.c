// text_format.c: the shortest of printf's representations that reads back as the same number.

#include "base/text/text_format.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text/text.h"

// Replaces the locale's decimal point, which printf writes, by '.'.
static void undo_locale(char* text) {
  char* point = text + strspn(text, "-0123456789");
  if (*point && !strchr("einEIN.", *point)) {
    *point = '.';
  }
}

// NaN is written without its sign
static int print(char* out, int digits, double value) {
  int length = value != value ? snprintf(out, TEXT_NUMBER_BYTES, "nan")
                              : snprintf(out, TEXT_NUMBER_BYTES, "%.*g", digits, value);
  undo_locale(out);
  return length;
}

// zero is written without its sign
static int print_zero(char* out) {
  memcpy(out, "0", 2);
  return 1;
}

// Tries `sure` to `exact` digits until the text reads back as the same number; `exact` digits
// always do. A number below `least` is written as 0, because other readers of the format need not
// take subnormal numbers.
static int format(char* out, double value, double least, int sure, int exact,
                  TextStatus (*read)(double* back, const char** cursor)) {
  double back;
  int length = 0;
  if (fabs(value) < least) {
    return print_zero(out);
  }
  for (int digits = sure; digits <= exact; digits++) {
    const char* cursor = out;
    length = print(out, digits, value);
    if (read(&back, &cursor) == TEXT_OK && back == value) {
      break;
    }
  }
  return length;
}

int text_formatreal(char* out, double value) {
  return format(out, value, DBL_MIN, 15, 17, text_real);
}

static TextStatus read_single(double* out, const char** cursor) {
  float value = 0;
  TextStatus status = text_single(&value, cursor);
  *out = (double)value;
  return status;
}

int text_formatsingle(char* out, float value) {
  return format(out, (double)value, FLT_MIN, 6, 9, read_single);
}
