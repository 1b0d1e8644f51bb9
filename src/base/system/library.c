// library.c: libraries of POSIX and Windows.

#include "base/system/library.h"

#ifdef _WIN32

#define WIN32_LEAN_AND_MEAN
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <windows.h>

#include "base/system/wide.h"

const char library_ending[] = ".dll";

void* library_open(const char* path) {
  WideText wide;
  void* library = wide_take(&wide, path) ? (void*)LoadLibraryW(wide.text) : NULL;
  wide_drop(&wide);
  return library;
}

void* library_find(void* library, const char* name) {
  return (void*)(uintptr_t)GetProcAddress(library, name);
}

const char* library_reason(void) {
  static _Thread_local char reason[300];
  DWORD error = GetLastError();
  if (!FormatMessageA(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL, error, 0,
                      reason, sizeof(reason), NULL)) {
    snprintf(reason, sizeof(reason), "error %lu", (unsigned long)error);
  }
  reason[strcspn(reason, "\r\n")] = 0;
  return reason;
}

#else

#include <dlfcn.h>

#ifdef __APPLE__
const char library_ending[] = ".dylib";
#else
const char library_ending[] = ".so";
#endif

void* library_open(const char* path) {
  return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

void* library_find(void* library, const char* name) {
  return dlsym(library, name);
}

const char* library_reason(void) {
  const char* reason = dlerror();
  return reason ? reason : "unknown reason";
}

#endif
