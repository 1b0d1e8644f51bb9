// text.c: correctly rounded reading of numbers. A decimal number m 10^e with an integer m < 2^64
// and -27 <= e <= 0 is the exact quotient m / (5^-e 2^-e), where 5^27 < 2^63. One 128-bit division
// gives at least 61 bits of the quotient and a remainder, which is all that correct rounding needs.
// If m and 10^-e are both exact doubles, the processor rounds their quotient correctly.

#define _GNU_SOURCE  // strtod_l, strtof_l

#include "base/text/text.h"

#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

#include "base/text/bytes.h"
#include "base/wide_integer.h"

enum {
  MAX_DIGITS = 19,  // 10^19 < 2^64
  MAX_POWER = 27,   // 5^27 < 2^63
  BITS_DOUBLE = 53,
  BITS_SINGLE = 24,
};

int text_isspace(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

int text_tokenlength(const char* text) {
  int length = 0;
  while (text[length] && !text_isspace(text[length])) {
    length++;
  }
  return length;
}

int text_equal(const char* a, const char* b) {
  return strcmp(a, b) == 0;
}

static const char* skip_space(const char* text) {
  while (text_isspace(*text)) {
    text++;
  }
  return text;
}

static int is_decimal(char c) {
  return c >= '0' && c <= '9';
}

// Skips a sign. Returns 1 if it is a minus.
static inline int read_sign(const char** text) {
  int minus = **text == '-';
  *text += minus || **text == '+';
  return minus;
}

// number of bits of x > 0
static int bit_length(uint64_t x) {
  return 64 - __builtin_clzll(x);
}

// (q + s) 2^power rounded to the given number of bits, ties to even. s in [0, 1) is the unknown
// remainder; sticky is 1 if s > 0. The result is in the normal range of its type, so multiplying by
// a power of two is exact.
static double round_bits(uint64_t q, int sticky, int power, int bits) {
  int shift = bit_length(q) - bits;
  if (shift > 0) {
    uint64_t half = (uint64_t)1 << (shift - 1);
    uint64_t rest = q & (2 * half - 1);
    q >>= shift;
    q += rest > half || (rest == half && (sticky || (q & 1)));
    power += shift;
  }
  uint64_t scale_bits = (uint64_t)(power + 1023) << 52;
  double scale;
  memcpy(&scale, &scale_bits, sizeof(scale));
  return (double)q * scale;
}

// the powers of ten that a double holds exactly
static const double power_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// m 10^exponent rounded to the given number of bits, for m > 0 and -MAX_POWER <= exponent <= 0
static double decimal(uint64_t m, int exponent, int bits) {
  if (bits == BITS_DOUBLE && m >> BITS_DOUBLE == 0 && exponent >= -22) {
    return (double)m / power_of_ten[-exponent];
  }
  uint64_t divisor = 1;
  for (int i = 0; i > exponent; i--) {
    divisor *= 5;
  }

  // Shift the numerator so that its top bit is at 63 + bit_length(divisor) - 2. The quotient then
  // has 61 to 63 bits.
  int lift = 64 - bit_length(m), extra = bit_length(divisor) - 2;
  if (extra < 0) {
    return round_bits(m, 0, exponent, bits);
  }
  WideInteger numerator = wide_product(m << lift, (uint64_t)1 << extra);
  uint64_t remainder, q = wide_quotient(&remainder, numerator, divisor);
  return round_bits(q, remainder != 0, exponent - lift - extra, bits);
}

// Adds the power of ten in "e-3" to exponent. Returns the end of its digits, NULL if there are
// none.
static const char* read_power(int* exponent, const char* text) {
  int minus = read_sign(&text), power = 0;
  if (!is_decimal(*text)) {
    return NULL;
  }
  for (; is_decimal(*text) && power < 1000; text++) {
    power = 10 * power + (*text - '0');
  }
  *exponent += minus ? -power : power;
  return text;
}

// Appends digits to m, which wraps around if there are too many. Returns their end.
static inline const char* read_each(uint64_t* m, const char* text) {
  uint64_t value = *m;
  for (unsigned digit; (digit = (unsigned)*text - '0') < 10; text++) {
    value = 10 * value + digit;
  }
  *m = value;
  return text;
}

// Appends digits to m and counts the significant ones. Returns the end of the digits, NULL if there
// are too many.
static inline const char* read_digits(uint64_t* m, int* count, const char* text) {
  while (*count == 0 && *text == '0') {
    text++;
  }
  const char* first = text;
  text = read_each(m, text);
  *count += text - first < INT_MAX / 2 ? (int)(text - first) : INT_MAX / 2;
  return *count <= MAX_DIGITS ? text : NULL;
}

// The fast path: sign, digits, point, digits, exponent. Returns the end of the number, NULL if it
// has another form.
static inline const char* read_decimal(double* out, const char* text, int bits) {
  int negative = read_sign(&text);

  // m has the significant digits, exponent is the power of ten of the last one
  const char* first = text;
  uint64_t m = 0;
  int digits = 0, exponent = 0;
  text = read_digits(&m, &digits, text);
  if (text && *text == '.') {
    const char* places = text + 1;
    text = read_digits(&m, &digits, places);
    exponent = text ? (int)(places - text) : 0;
    first++;  // a point alone is no number
  }
  if (!text || text == first || exponent < -10 * MAX_POWER) {
    return NULL;
  }
  if (*text == 'e' || *text == 'E') {
    text = read_power(&exponent, text + 1);
    if (!text) {
      return NULL;
    }
  }
  if (*text && !text_isspace(*text)) {
    return NULL;
  }

  // zero is done; now positive powers of ten go into m while it stays exact
  if (m == 0) {
    *out = negative ? -0.0 : 0.0;
    return text;
  }
  while (exponent > 0 && m <= UINT64_MAX / 10) {
    m *= 10;
    exponent--;
  }
  if (exponent > 0 || exponent < -MAX_POWER) {
    return NULL;
  }
  *out = decimal(m, exponent, bits);
  if (negative) {
    *out = -*out;
  }
  return text;
}

#ifdef _WIN32

// There is no function that takes a locale and rounds correctly: the point is written as the
// program's locale has it.
static double read_anyhow(const char* text, char** end, int bits) {
  char copy[4096];
  int length = text_tokenlength(text), point = (int)strcspn(text, ".");
  if (length >= (int)sizeof(copy)) {
    length = (int)sizeof(copy) - 1;
  }
  memcpy(copy, text, (size_t)length);
  copy[length] = 0;
  if (point < length) {
    copy[point] = localeconv()->decimal_point[0];
  }
  char* stop;
#ifdef __MINGW32__  // that of msvcrt.dll rounds wrongly
  double value = bits == BITS_SINGLE ? __mingw_strtof(copy, &stop) : __mingw_strtod(copy, &stop);
#else
  double value = bits == BITS_SINGLE ? strtof(copy, &stop) : strtod(copy, &stop);
#endif
  *end = (char*)(size_t)text + (stop - copy);
  return value;
}

#else

static double read_anyhow(const char* text, char** end, int bits) {
  locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (!c) {
    *end = (char*)(size_t)text;
    return 0;
  }
  double value = bits == BITS_SINGLE ? strtof_l(text, end, c) : strtod_l(text, end, c);
  freelocale(c);
  return value;
}

#endif

// Everything else: very long or very large numbers, hexadecimal, inf, nan.
static TextStatus read_library(double* out, const char** cursor, int bits) {
  char* end;
  errno = 0;
  double value = read_anyhow(*cursor, &end, bits);
  // ERANGE also marks numbers that are too small, which are rounded without an error; only an
  // overflowed value is above 1
  int range = errno == ERANGE && fabs(value) > 1;
  if (end == *cursor || (*end && !text_isspace(*end))) {
    return TEXT_BAD;
  }
  if (range) {
    return TEXT_RANGE;
  }
  *out = value;
  *cursor = end;
  return TEXT_OK;
}

static TextStatus read_real(double* out, const char** cursor, int bits) {
  *cursor = skip_space(*cursor);
  if (!**cursor) {
    return TEXT_END;
  }
  const char* end = read_decimal(out, *cursor, bits);
  if (!end) {
    return read_library(out, cursor, bits);
  }
  *cursor = end;
  return TEXT_OK;
}

// Appends up to eight digits to m, all at once. Returns their number.
static inline int read_eight(uint64_t* m, const char* text) {
  static const uint64_t scale[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
  // a digit becomes its value, any other byte a value above 9
  uint64_t x = bytes_little64(text) ^ 0x3030303030303030u;
  uint64_t others = ((x + 0x7676767676767676u) | x) & 0x8080808080808080u;
  int n = others ? __builtin_ctzll(others) / 8 : 8;
  if (n == 0) {
    return 0;
  }
  // zeros move in front of the digits; then digits are joined to pairs, pairs to fours, fours to m
  x <<= 64 - 8 * n;
  x = 10 * x + (x >> 8);
  x = ((x & 0x000000FF000000FFu) * 0x000F424000000064u +
       (x >> 16 & 0x000000FF000000FFu) * 0x0000271000000001u) >>
      32;
  *m = *m * scale[n] + (uint32_t)x;
  return n;
}

// The most frequent form: up to 18 digits with a point among them. Together they are below 2^53, so
// one division is rounded correctly. Bytes before `end` may be read. Returns the end of the number,
// NULL if it has another form.
static inline const char* read_short(double* out, const char* text, const char* end) {
  uint64_t m = 0;
  while (*text == ' ') {
    text++;
  }
  int negative = read_sign(&text);
  const char* first = text;
  text = read_each(&m, text);
  if (*text != '.') {
    return NULL;
  }
  const char* places = ++text;
  if (end - text >= 8) {
    text += read_eight(&m, text);
  }
  text = read_each(&m, text);
  // text - first counts the point too, so there were at most 18 digits and m has not wrapped around
  if (text - first > MAX_DIGITS || text - first < 2 || m >> BITS_DOUBLE ||
      (*text && !text_isspace(*text))) {
    return NULL;
  }
  double value = (double)m / power_of_ten[text - places];
  *out = negative ? -value : value;
  return text;
}

TextStatus text_realbefore(double* out, const char** cursor, const char* end) {
  const char* stop = read_short(out, *cursor, end);
  if (stop) {
    *cursor = stop;
    return TEXT_OK;
  }
  return read_real(out, cursor, BITS_DOUBLE);
}

TextStatus text_real(double* out, const char** cursor) {
  return text_realbefore(out, cursor, *cursor);
}

TextStatus text_single(float* out, const char** cursor) {
  double value;
  TextStatus status = read_real(&value, cursor, BITS_SINGLE);
  if (status == TEXT_OK) {
    *out = (float)value;
  }
  return status;
}

TextStatus text_int(int* out, const char** cursor) {
  *cursor = skip_space(*cursor);
  const char* text = *cursor;
  if (!*text) {
    return TEXT_END;
  }
  int negative = read_sign(&text), range = 0;
  if (!is_decimal(*text)) {
    return TEXT_BAD;
  }
  int64_t value = 0, limit = negative ? -(int64_t)INT_MIN : INT_MAX;
  for (; is_decimal(*text); text++) {
    value = 10 * value + (*text - '0');
    if (value > limit) {
      range = 1;
      value = limit;
    }
  }
  if (*text && !text_isspace(*text)) {
    return TEXT_BAD;
  }
  if (range) {
    return TEXT_RANGE;
  }
  *out = (int)(negative ? -value : value);
  *cursor = text;
  return TEXT_OK;
}
