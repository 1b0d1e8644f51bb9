// xacro.c: runs the program xacro and takes what it writes.

#define _DEFAULT_SOURCE

#include "robot/xacro.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory/memory.h"

extern char** environ;

// A text that a program writes.
typedef struct Output_ {
  int pipe[2];  // reading and writing end, -1 when closed
  char* text;
  size_t size, room;
} Output;

static void close_end(int* end) {
  if (*end >= 0) {
    close(*end);
  }
  *end = -1;
}

// Takes what there is to read. Returns 0 at the end, or if it is too much.
static int take(Output* out) {
  if (out->room - out->size < 4096) {
    size_t room = 2 * out->room + 65536;
    char* text = room <= FILE_MAX_BYTES ? heap_try(out->text, room) : NULL;
    if (!text) {
      return 0;
    }
    out->text = text;
    out->room = room;
  }
  ssize_t got = read(out->pipe[0], out->text + out->size, out->room - out->size - 1);
  if (got > 0) {
    out->size += (size_t)got;
    out->text[out->size] = 0;
  }
  return got > 0 || (got < 0 && errno == EINTR);
}

// Reads both outputs until they end.
static void take_all(Output out[2]) {
  while (out[0].pipe[0] >= 0 || out[1].pipe[0] >= 0) {
    struct pollfd ready[2] = {{out[0].pipe[0], POLLIN, 0}, {out[1].pipe[0], POLLIN, 0}};
    if (poll(ready, 2, -1) < 0 && errno != EINTR) {
      return;
    }
    for (int i = 0; i < 2; i++) {
      if (ready[i].revents && !take(&out[i])) {
        close_end(&out[i].pipe[0]);
      }
    }
  }
}

// Starts the program that is the first word.
static int start(pid_t* child, Output out[2], char** words) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int i = 0; i < 2; i++) {
    posix_spawn_file_actions_adddup2(&actions, out[i].pipe[1], i + 1);
    posix_spawn_file_actions_addclose(&actions, out[i].pipe[0]);
    posix_spawn_file_actions_addclose(&actions, out[i].pipe[1]);
  }
  int failed = posix_spawnp(child, words[0], &actions, NULL, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  close_end(&out[0].pipe[1]);
  close_end(&out[1].pipe[1]);
  return failed;
}

// Runs it. Returns its status, or -1 with the reason in errno.
static int run(Output out[2], char** words) {
  pid_t child;
  int status = 0, failed = start(&child, out, words);
  if (failed) {
    errno = failed;
    return -1;
  }
  take_all(out);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

// What the program said, in one line: its errors name the file of the source.
static void say(char* message, int size, const char* text) {
  int length = snprintf(message, (size_t)size, "xacro: %s", text);
  length = length < size ? length : size - 1;
  while (length > 0 && (message[length - 1] == '\n' || message[length - 1] == ' ')) {
    message[--length] = 0;
  }
  for (char* c = message; *c; c++) {
    *c = *c == '\n' ? ' ' : *c;
  }
}

char* xacro_run(char* message, int size, const cndRobotOptions* options, const char* path) {
  int count = options->nxacro;
  Output out[2] = {{{-1, -1}, NULL, 0, 0}, {{-1, -1}, NULL, 0, 0}};
  char** words = heap_zero((size_t)count + 3, sizeof(char*));
  char* result = NULL;
  // a path that begins with a dash would be an option
  char file[4200];
  snprintf(file, sizeof(file), "%s%s", path[0] == '-' ? "./" : "", path);
  // the type of arguments of a program isn't const
  words[0] = (char*)(size_t)(options->xacroprogram ? options->xacroprogram : "xacro");
  words[1] = file;
  for (int i = 0; i < count; i++) {
    words[2 + i] = (char*)(size_t)options->xacro[i];
  }
  if (pipe(out[0].pipe) == 0 && pipe(out[1].pipe) == 0) {
    int status = run(out, words);
    if (status == 0 && out[0].text) {
      result = out[0].text;
      out[0].text = NULL;
    } else if (status < 0 && errno == ENOENT) {
      snprintf(message, (size_t)size,
               "a xacro file needs the program xacro: pip install xacro, or apt install xacro");
    } else {
      say(message, size, out[1].text ? out[1].text : status < 0 ? strerror(errno) : "no output");
    }
  } else {
    snprintf(message, (size_t)size, "xacro: %s", strerror(errno));
  }
  for (int i = 0; i < 2; i++) {
    close_end(&out[i].pipe[0]);
    close_end(&out[i].pipe[1]);
    heap_free(out[i].text);
  }
  heap_free(words);
  return result;
}
