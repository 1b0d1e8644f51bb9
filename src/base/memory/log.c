// log.c: the program's handler of messages, and the writing of those that no handler takes.

#define _POSIX_C_SOURCE 200809L  // localtime_r
#include "base/memory/log.h"

#include <mujoco/api/base.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

void (*mju_user_error)(const char*) = NULL;
void (*mju_user_warning)(const char*) = NULL;

// configuration

#define LOG_FILE "MUJOCO_LOG.TXT"
static const mjLogConfig usual = {.logto_console = 1, .logto_file = 1, .logfile = LOG_FILE};
static mjLogConfig config = {.logto_console = 1, .logto_file = 1, .logfile = LOG_FILE};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

mjLogConfig mju_getLogConfig(void) {
  pthread_mutex_lock(&lock);
  mjLogConfig copy = config;
  pthread_mutex_unlock(&lock);
  return copy;
}

void mju_setLogConfig(mjLogConfig given) {
  given.logfile[sizeof(given.logfile) - 1] = 0;
  pthread_mutex_lock(&lock);
  config = given;
  pthread_mutex_unlock(&lock);
}

// writing

static void write_date(char out[64]) {
  time_t now = time(NULL);
  struct tm local;
  out[0] = 0;
  if (localtime_r(&now, &local)) {
    char begin[16], end[32];
    strftime(begin, sizeof(begin), "%a %b", &local);
    strftime(end, sizeof(end), "%H:%M:%S %Y", &local);
    snprintf(out, 64, "%s %2d %s", begin, local.tm_mday, end);  // Windows has no %e
  }
}

// Adds date, type and text to a file; without a file there is no log.
static void append_plain(const char* path, const char* type, const char* text) {
  FILE* file = fopen(path, "a");
  if (!file) {
    return;
  }
  char date[64];
  write_date(date);
  fprintf(file, "%s\n%s: %s\n\n", date, type, text);
  fclose(file);
}

void mju_writeLog(const char* type, const char* msg) {
  append_plain(LOG_FILE, type, msg);
}

static const char* level_name(int level) {
  static const char* const names[] = {"DEBUG", "INFO", "WARNING", "ERROR"};
  int known = level >= mjLOG_DEBUG && level <= mjLOG_ERROR;
  return names[known ? level : mjLOG_DEBUG];
}

// Writes LEVEL FUNC (FILE:LINE) TIME: SUBJECT, the body behind it, and a blank line behind what is
// more than a trace.
static void write_headed(FILE* file, const mjLogMessage* message, int dated) {
  const char* level = level_name(message->level);
  fprintf(file, "%s%s%s", level, message->func ? " " : "", message->func ? message->func : "");
  if (message->file && message->line) {
    fprintf(file, " (%s:%d)", message->file, message->line);
  }
  if (dated) {
    char date[64];
    write_date(date);
    fprintf(file, " %s", date);
  }
  fprintf(file, ": %s\n", message->subject);
  if (message->body) {
    fprintf(file, "%s\n", message->body);
  }
  if (strcmp(level, "DEBUG") != 0) {
    fputc('\n', file);
  }
}

// Is the topic of a message switched on? What is wrong is always told, and so are topics that have
// no bit.
static int is_wanted(const mjLogMessage* message, int topics) {
  int topic = message->topic;
  if (message->level >= mjLOG_WARNING || topic == mjTOPIC_NONE) {
    return 1;
  }
  int has_bit = topic > 0 && topic < (int)(8 * sizeof(int));
  return has_bit ? topics >> (topic - 1) & 1 : topics == -1;
}

static void write_message(const mjLogMessage* message, LogForm form) {
  mjLogConfig to = mju_getLogConfig();
  if (!is_wanted(message, to.topics)) {
    return;
  }
  int is_wrong = message->level == mjLOG_WARNING || message->level == mjLOG_ERROR;
  FILE* console = form == LOG_HEADED && is_wrong ? stderr : stdout;
  if (to.logto_file && form == LOG_PLAIN) {
    append_plain(to.logfile, level_name(message->level), message->subject);
  } else if (to.logto_file) {
    FILE* file = fopen(to.logfile, "a");
    if (file) {
      write_headed(file, message, 1);
      fclose(file);
    }
  }
  if (to.logto_console) {
    write_headed(console, message, message->timestamp);
    fflush(console);
  }
}

// handlers

static _Atomic mjfLogHandler handler;  // NULL: none

void log_text(char* out, int size, const mjLogMessage* message) {
  snprintf(out, (size_t)size, "%s%s%s", message->func ? message->func : "",
           message->func ? ": " : "", message->subject);
}

// What mju_setLogHandler returns where the program has no handler: a program may call it.
static void handle_usually(const mjLogMessage* message) {
  void (*legacy)(const char*) = message->level == mjLOG_ERROR     ? mju_user_error
                                : message->level == mjLOG_WARNING ? mju_user_warning
                                                                  : NULL;
  if (legacy) {
    char text[2 * sizeof(message->subject)];
    log_text(text, sizeof(text), message);
    legacy(text);
  } else {
    write_message(message, LOG_HEADED);
  }
}

mjfLogHandler mju_setLogHandler(mjfLogHandler given) {
  mjfLogHandler before =
      atomic_exchange(&handler, given == handle_usually ? (mjfLogHandler)NULL : given);
  return before ? before : handle_usually;
}

int log_dispatch(const mjLogMessage* message, LogForm form) {
  mjfLogHandler own = atomic_load(&handler);
  int is_error = message->level == mjLOG_ERROR;
  int is_legacy =
      (is_error && mju_user_error) || (message->level == mjLOG_WARNING && mju_user_warning);
  if (own) {
    own(message);
  } else if (is_legacy || form == LOG_HEADED) {
    handle_usually(message);
  } else {
    write_message(message, form);
  }
  return !own && !is_legacy;
}

void log_reset(void) {
  atomic_store(&handler, (mjfLogHandler)NULL);
  mju_setLogConfig(usual);
}
