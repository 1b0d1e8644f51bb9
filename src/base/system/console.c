// console.c: standard streams, arguments and terminals of POSIX and Windows.

#ifndef _WIN32
#define _DEFAULT_SOURCE
#ifdef __APPLE__
#define _DARWIN_C_SOURCE
#endif
#endif

#include "base/system/console.h"

#ifdef _WIN32

#define WIN32_LEAN_AND_MEAN
#include <io.h>
#include <stdlib.h>
#include <windows.h>

#include <shellapi.h>  // needs the types of windows.h

#include "base/system/wide.h"

int console_begin(int* argc, char*** argv) {
  SetConsoleOutputCP(CP_UTF8);
  int count = 0;
  wchar_t** words = CommandLineToArgvW(GetCommandLineW(), &count);
  char** narrow = words ? calloc((size_t)count + 1, sizeof(char*)) : NULL;
  int good = narrow != NULL;
  for (int i = 0; i < count && good; i++) {
    narrow[i] = wide_narrow(words[i]);
    good = narrow[i] != NULL;
  }
  LocalFree(words);
  if (good) {
    *argc = count;
    *argv = narrow;  // for as long as the program runs
  }
  return good;
}

int console_is(FILE* stream) {
  return _isatty(_fileno(stream));
}

int console_columns(void) {
  CONSOLE_SCREEN_BUFFER_INFO info;
  return GetConsoleScreenBufferInfo(GetStdHandle(STD_OUTPUT_HANDLE), &info)
             ? info.srWindow.Right - info.srWindow.Left + 1
             : 0;
}

#else

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

int console_begin(int* argc, char*** argv) {
  static const int unusable[3] = {O_WRONLY, O_RDONLY, O_WRONLY};
  (void)argc;
  (void)argv;
  for (int i = 0; i < 3; i++) {
    if (fcntl(i, F_GETFD) < 0 && open("/dev/null", unusable[i]) != i) {
      return 0;
    }
  }
  return 1;
}

int console_is(FILE* stream) {
  return isatty(fileno(stream));
}

int console_columns(void) {
  struct winsize size = {0};
  ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
  return size.ws_col;
}

#endif
