// wide.c: conversions between UTF-8 and UTF-16.

#ifdef _WIN32

#define WIN32_LEAN_AND_MEAN
#include "base/system/wide.h"

#include <errno.h>
#include <stdlib.h>
#include <windows.h>

int wide_take(WideText* out, const char* text) {
  const int room = sizeof(out->here) / sizeof(out->here[0]);
  out->text = NULL;
  int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
  if (length <= 0) {
    errno = EILSEQ;
    return 0;
  }
  out->text = length <= room ? out->here : malloc((size_t)length * sizeof(wchar_t));
  if (!out->text) {
    errno = ENOMEM;
    return 0;
  }
  MultiByteToWideChar(CP_UTF8, 0, text, -1, out->text, length);
  return 1;
}

void wide_drop(WideText* wide) {
  if (wide->text != wide->here) {
    free(wide->text);
  }
  wide->text = NULL;
}

char* wide_narrow(const wchar_t* text) {
  int length = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
  char* result = length > 0 ? malloc((size_t)length) : NULL;
  if (result) {
    WideCharToMultiByte(CP_UTF8, 0, text, -1, result, length, NULL, NULL);
  }
  return result;
}

#else

typedef int NothingToConvert;  // a file of C has at least one declaration

#endif
