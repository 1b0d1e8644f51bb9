// text.h: reading numbers from text, fast and independent of the locale.
//
// Model files are mostly decimal numbers: meshes and saved states hold millions. The C library's
// readers depend on the program's locale ("0,5" in many) and cost a quarter of the loading
// time, so the common case (up to 19 digits, no large exponent) is read here in integer arithmetic,
// correctly rounded; only the rest goes to the library, in the "C" locale.

#pragma once

typedef enum TextStatus_ {
  TEXT_OK = 0,
  TEXT_END,    // nothing but whitespace is left
  TEXT_BAD,    // the next token is not a number
  TEXT_RANGE,  // the number is too large for its type
} TextStatus;

// Reads the next whitespace-separated token at *cursor and moves *cursor behind it. On TEXT_BAD and
// TEXT_RANGE *cursor points at the offending token and out is unchanged. Reals have the syntax of
// C's strtod: decimal, hexadecimal, inf, nan. Tiny numbers become subnormal or zero.
TextStatus text_real(double* out, const char** cursor);

// Like text_real, but faster for a text whose bytes may be read up to `end`.
TextStatus text_realbefore(double* out, const char** cursor, const char* end);

// Like text_real, but rounded once, from the text to single precision.
TextStatus text_single(float* out, const char** cursor);

// Like text_real, for a decimal integer with optional sign in the range of int.
TextStatus text_int(int* out, const char** cursor);

// Space, tab, line ends, form feed, vertical tab.
int text_isspace(char c);

// Length of the token at text, up to whitespace or the end.
int text_tokenlength(const char* text);

// Are the two texts equal?
int text_equal(const char* a, const char* b);
