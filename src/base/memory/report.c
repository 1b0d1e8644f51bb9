// report.c: mju_error, mju_warning, mju_info and mju_message, and the handlers of one thread.

#include "base/memory/report.h"

#include <mujoco/api/base.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/check.h"
#include "base/memory/log.h"

const char* mjTOPICSTRING[mjNTOPIC] = {"Step timing", "Compile timing", "Sleep/wake"};

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

// Gives a message to the handler of the thread, else to those of the program. An error that no
// handler takes ends the program.
static void report(const mjLogMessage* message, LogForm form) {
  int is_error = message->level == mjLOG_ERROR;
  ErrorHandler thread = is_error                          ? thread_error
                        : message->level == mjLOG_WARNING ? thread_warning
                                                          : NULL;
  if (thread) {
    char text[2 * REPORT_BYTES];
    log_text(text, sizeof(text), message);
    thread(text);
  } else if (log_dispatch(message, form) && is_error) {
    exit(EXIT_FAILURE);
  }
}

static void report_format(int level, int topic, LogForm form, const char* msg, va_list values) {
  mjLogMessage message = {.level = level, .topic = topic};
  vsnprintf(message.subject, sizeof(message.subject), msg, values);
  report(&message, form);
}

void mju_message(const mjLogMessage* msg) {
  check_given(msg);
  report(msg, LOG_HEADED);
}

void mju_info(int topic, const char* msg, ...) {
  check_given(msg);
  va_list values;
  va_start(values, msg);
  report_format(mjLOG_INFO, topic, LOG_HEADED, msg, values);
  va_end(values);
}

void mju_error(const char* msg, ...) {
  check_given(msg);
  va_list values;
  va_start(values, msg);
  report_format(mjLOG_ERROR, mjTOPIC_NONE, LOG_PLAIN, msg, values);
  va_end(values);
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
  va_list values;
  va_start(values, msg);
  report_format(mjLOG_WARNING, mjTOPIC_NONE, LOG_PLAIN, msg, values);
  va_end(values);
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
