// report.c: mju_error and mju_warning, the handlers they call, and the log file MUJOCO_LOG.TXT.

#define _POSIX_C_SOURCE 200809L  // localtime_r
#include "base/memory/report.h"

#include <mujoco/api/base.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory/check.h"

void (*mju_user_error)(const char*) = NULL;
void (*mju_user_warning)(const char*) = NULL;

// Handlers of this thread come before the program's. The error handler must not return.
static _Thread_local ErrorHandler thread_error = NULL;
static _Thread_local ErrorHandler thread_warning = NULL;

ErrorHandler error_handle(ErrorHandler handler) {
  ErrorHandler before = thread_error;
  thread_error = handler;
  return before;
}

ErrorHandler warning_handle(ErrorHandler handler) {
  ErrorHandler before = thread_warning;
  thread_warning = handler;
  return before;
}

void mju_writeLog(const char* type, const char* msg) {
  FILE* file = fopen("MUJOCO_LOG.TXT", "a");
  if (!file) {
    return;
  }
  time_t now = time(NULL);
  struct tm local;
  char date[64] = "";
  if (localtime_r(&now, &local)) {
    strftime(date, sizeof(date), "%a %b %e %H:%M:%S %Y", &local);
  }
  fprintf(file, "%s\n%s: %s\n\n", date, type, msg);
  fclose(file);
}

// Calls the handler of the thread, else that of the program. Returns 1 if there is neither: the
// message is then logged and printed.
static int react(const char* type, ErrorHandler thread, ErrorHandler program, const char* message) {
  ErrorHandler handler = thread ? thread : program;
  if (handler) {
    handler(message);
    return 0;
  }
  mju_writeLog(type, message);
  printf("%s: %s\n\n", type, message);
  fflush(stdout);
  return 1;
}

void mju_error(const char* msg, ...) {
  check_given(msg);
  char message[REPORT_BYTES];
  va_list values;
  va_start(values, msg);
  vsnprintf(message, sizeof(message), msg, values);
  va_end(values);
  if (react("ERROR", thread_error, mju_user_error, message)) {
    exit(EXIT_FAILURE);
  }
}

void check_fail(const char* function, const char* names, int i) {
  for (; i > 0; i--) {
    names = strchr(names, ',') + 1;
    names += strspn(names, " ");
  }
  mju_error("%s: %.*s is NULL", function, (int)strcspn(names, ","), names);
}

void check_index(const char* function, const char* what, int id, int count) {
  if (id < 0 || id >= count) {
    mju_error("%s: %s %d does not exist: there are %d", function, what, id, count);
  }
}

void mju_warning(const char* msg, ...) {
  check_given(msg);
  char message[REPORT_BYTES];
  va_list values;
  va_start(values, msg);
  vsnprintf(message, sizeof(message), msg, values);
  va_end(values);
  react("WARNING", thread_warning, mju_user_warning, message);
}

// The caller promises a format with one integer or one string.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

void mju_error_i(const char* msg, int i) {
  mju_error(msg, i);
}

void mju_error_s(const char* msg, const char* text) {
  mju_error(msg, text);
}

void mju_warning_i(const char* msg, int i) {
  mju_warning(msg, i);
}

void mju_warning_s(const char* msg, const char* text) {
  mju_warning(msg, text);
}

#pragma GCC diagnostic pop
