#include "base/text_format.h"

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

int text_formatreal(char* out, double value) {
  enum {
    SURE = 15,
    EXACT = 17
  };
  if (value == 0) {
    return print_zero(out);
  }
  for (int digits = SURE; digits < EXACT; digits++) {
    double back;
    int length = print(out, digits, value);
    const char* cursor = out;
    if (text_real(&back, &cursor) == TEXT_OK && back == value) {
      return length;
    }
  }
  double back;
  int length = print(out, EXACT, value);
  const char* cursor = out;
  return text_real(&back, &cursor) == TEXT_RANGE ? print_zero(out) : length;
}

int text_formatsingle(char* out, float value) {
  enum {
    SURE = 6,
    EXACT = 9
  };
  if (value == 0) {
    return print_zero(out);
  }
  for (int digits = SURE; digits < EXACT; digits++) {
    float back;
    int length = print(out, digits, (double)value);
    const char* cursor = out;
    if (text_single(&back, &cursor) == TEXT_OK && back == value) {
      return length;
    }
  }
  float back;
  int length = print(out, EXACT, (double)value);
  const char* cursor = out;
  return text_single(&back, &cursor) == TEXT_RANGE ? print_zero(out) : length;
}
