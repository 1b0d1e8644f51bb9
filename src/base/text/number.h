// number.h: numbers in long lists of text, fast. Inline.
//
// Meshes of other tools are mostly decimal numbers, up to 60 MB of them. They become floats, so
// 19 digits and one multiplication by a power of ten are exact enough: the relative error is below
// 1e-15. The text ends with a 0, so reading needs no checks against its end.

#pragma once

#include <math.h>
#include <stdint.h>

#include "base/algebra/elementary.h"

static inline int number_isspace(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline const char* number_skip(const char* text) {
  while (number_isspace(*text)) {
    text++;
  }
  return text;
}

// value = m 10^power
static inline double number_scale(uint64_t m, int power) {
  static const double ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                               1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                               1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (power >= 0) {
    return power <= 22 ? (double)m * ten[power] : (double)m * portable_pow(10, power);
  }
  return power >= -22 ? (double)m / ten[-power] : (double)m * portable_pow(10, power);
}

// "nan", "inf", "-1.#IND" and their like, which exporters write. Returns their end, NULL if it is
// something else.
static inline const char* number_special(double* out, const char* text) {
  const char* start = text;
  text += *text == '-' || *text == '+';
  text += *text == '1' && text[1] == '.' && text[2] == '#' ? 3 : 0;
  char a = (char)(*text | 32), b = *text ? (char)(text[1] | 32) : 0;
  if (!((a == 'n' && b == 'a') || (a == 'i' && b == 'n') || (a == 'q' && b == 'n'))) {
    return NULL;
  }
  *out = a == 'i' && text == start + (*start == '-' || *start == '+') ? HUGE_VAL : (double)NAN;
  while (*text && !number_isspace(*text) && *text != '<') {
    text++;
  }
  return text;
}

// Reads a number after white space. Returns its end, NULL if there is none.
static inline const char* number_read(double* out, const char* text) {
  text = number_skip(text);
  const char* start = text;
  int negative = *text == '-', power = 0, count = 0;
  text += negative || *text == '+';

  // digits beyond the 19th only count
  uint64_t m = 0;
  unsigned digit;
  const char* first = text;
  for (; (digit = (unsigned)*text - '0') < 10; text++) {
    if (count < 19) {
      m = 10 * m + digit;
      count += m != 0;
    } else {
      power++;
    }
  }
  int any = text > first;
  if (*text == '.') {
    for (first = ++text; (digit = (unsigned)*text - '0') < 10; text++) {
      if (count < 19) {
        m = 10 * m + digit;
        count += m != 0;
        power--;
      }
    }
    any |= text > first;
  }
  if (!any || *text == '#') {
    return number_special(out, start);
  }
  if (*text == 'e' || *text == 'E') {
    const char* sign = text + 1;
    const char* digits = sign + (*sign == '-' || *sign == '+');
    int exponent = 0;
    for (text = digits; (digit = (unsigned)*text - '0') < 10; text++) {
      exponent = exponent < 10000 ? 10 * exponent + (int)digit : exponent;
    }
    if (text == digits) {
      return NULL;
    }
    power += *sign == '-' ? -exponent : exponent;
  }
  double value = m ? number_scale(m, power) : 0;
  *out = negative ? -value : value;
  return text;
}

// Reads an integer after white space; what is beyond the range of int becomes its end. Returns the
// end of the text, NULL if there is none.
static inline const char* number_int(int* out, const char* text) {
  text = number_skip(text);
  int negative = *text == '-';
  text += negative || *text == '+';
  const char* first = text;
  int64_t value = 0;
  for (unsigned digit; (digit = (unsigned)*text - '0') < 10; text++) {
    value = value < INT32_MAX ? 10 * value + digit : value;
  }
  value = value > INT32_MAX ? INT32_MAX : value;
  *out = (int)(negative ? -value : value);
  return text > first ? text : NULL;
}
