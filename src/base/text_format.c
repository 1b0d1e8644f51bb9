#include "base/text_format.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

// printf's decimal point is the locale's, ours is not
static void undo_locale(char* text) {
  char* point = text + strspn(text, "-0123456789");
  if (*point && !strchr("einEIN.", *point)) {
    *point = '.';
  }
}

// a NaN has no sign in a model either
static int print(char* out, int digits, double value) {
  int length = value != value ? snprintf(out, TEXT_NUMBER_BYTES, "nan")
                              : snprintf(out, TEXT_NUMBER_BYTES, "%.*g", digits, value);
  undo_locale(out);
  return length;
}

// zero has no sign in a model
static int print_zero(char* out) {
  memcpy(out, "0", 2);
  return 1;
}

// As many digits as it takes to read the same number back: `exact` are always enough. A number below
// `least` is written as zero: readers of the format need not take subnormal ones.
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
