// markup.c: writes texts and bytes into XML and HTML.

#include "markup.h"

#include <string.h>

void markup_text(FILE* file, const char* text, size_t length) {
  for (size_t i = 0; i < length && text[i]; i++) {
    unsigned char c = (unsigned char)text[i];
    if (strchr("<>&\"'", c)) {
      fprintf(file, "&#%d;", c);
    } else if (c >= ' ' && c != 127) {
      fputc(c, file);
    }
  }
}

// 3 bytes are 4 digits of 6 bits; "=" stands for the digits that the last bytes don't reach.
void markup_base64(FILE* file, const unsigned char* bytes, size_t length) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < length; i += 3) {
    unsigned bits = (unsigned)bytes[i] << 16;
    bits |= i + 1 < length ? (unsigned)bytes[i + 1] << 8 : 0;
    bits |= i + 2 < length ? (unsigned)bytes[i + 2] : 0;
    for (size_t k = 0; k < 4; k++) {
      fputc(i + k <= length ? digits[bits >> (18 - 6 * k) & 63] : '=', file);
    }
  }
}
