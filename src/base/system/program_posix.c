// program_posix.c: programs of POSIX.

#ifndef _WIN32

#define _DEFAULT_SOURCE
#ifdef __APPLE__
#define _DARWIN_C_SOURCE
#endif

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

#include "base/system/program.h"

extern char** environ;

// A pipe from which a text is read.
typedef struct Output_ {
  int pipe[2];  // reading and writing end, -1 when closed
  ProgramText* out;
  size_t room;
} Output;

static void close_end(int* end) {
  if (*end >= 0) {
    close(*end);
  }
  *end = -1;
}

// Takes what there is to read. Returns 0 at the end, or if it is too much.
static int take(Output* it, size_t most) {
  enum {
    PIECE = 4096,
  };
  if (it->room - it->out->size < PIECE) {
    size_t room = 2 * it->room + 65536;
    char* text = room <= most ? realloc(it->out->text, room) : NULL;
    if (!text) {
      return 0;
    }
    it->out->text = text;
    it->room = room;
  }
  ssize_t got = read(it->pipe[0], it->out->text + it->out->size, it->room - it->out->size - 1);
  if (got > 0) {
    it->out->size += (size_t)got;
  }
  it->out->text[it->out->size] = 0;
  return got > 0 || (got < 0 && errno == EINTR);
}

// Reads both outputs until they end.
static void take_all(Output it[2], size_t most) {
  while (it[0].pipe[0] >= 0 || it[1].pipe[0] >= 0) {
    struct pollfd ready[2] = {{it[0].pipe[0], POLLIN, 0}, {it[1].pipe[0], POLLIN, 0}};
    if (poll(ready, 2, -1) < 0 && errno != EINTR) {
      return;
    }
    for (int i = 0; i < 2; i++) {
      if (ready[i].revents && !take(&it[i], most)) {
        close_end(&it[i].pipe[0]);
      }
    }
  }
}

// Starts a program whose descriptors 0 to 2 become those given, -1 for none. Returns 0, or errno.
static int spawn(pid_t* child, const char* const* words, const int become[3], const int* closed,
                 int nclosed) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int i = 0; i < 3; i++) {
    if (become[i] >= 0) {
      posix_spawn_file_actions_adddup2(&actions, become[i], i);
    }
  }
  for (int i = 0; i < nclosed; i++) {
    posix_spawn_file_actions_addclose(&actions, closed[i]);
  }
  // the type of arguments of a program isn't const
  int failed = posix_spawnp(child, words[0], &actions, NULL, (char* const*)(size_t)words, environ);
  posix_spawn_file_actions_destroy(&actions);
  return failed;
}

static int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int program_run(ProgramText out[2], const char* const* words, size_t most) {
  Output it[2] = {{{-1, -1}, &out[0], 0}, {{-1, -1}, &out[1], 0}};
  out[0] = out[1] = (ProgramText){NULL, 0};
  int status = -1, reason = 0;
  if (pipe(it[0].pipe) == 0 && pipe(it[1].pipe) == 0) {
    pid_t child;
    const int become[3] = {-1, it[0].pipe[1], it[1].pipe[1]};
    const int ends[4] = {it[0].pipe[0], it[0].pipe[1], it[1].pipe[0], it[1].pipe[1]};
    reason = spawn(&child, words, become, ends, 4);
    close_end(&it[0].pipe[1]);
    close_end(&it[1].pipe[1]);
    if (!reason) {
      take_all(it, most);
      status = wait_for(child);
    }
  } else {
    reason = errno;
  }
  for (int i = 0; i < 2; i++) {
    close_end(&it[i].pipe[0]);
    close_end(&it[i].pipe[1]);
  }
  errno = reason;
  return status;
}

struct Program_ {
  pid_t child;
};

Program* program_start(FILE** input, const char* const* words) {
  Program* program = malloc(sizeof(Program));
  int ends[2];
  if (!program || pipe(ends)) {
    free(program);
    return NULL;
  }
  const int become[3] = {ends[0], STDERR_FILENO, -1};
  int failed = spawn(&program->child, words, become, ends, 2);
  close(ends[0]);
  *input = failed ? NULL : fdopen(ends[1], "wb");
  if (!*input) {
    failed = failed ? failed : errno;
    close(ends[1]);
    free(program);
    errno = failed;
    return NULL;
  }
  return program;
}

int program_end(Program* program, FILE* input) {
  int cut = fclose(input) != 0, status = wait_for(program->child);
  free(program);
  return cut && !status ? 1 : status;
}

#ifdef __APPLE__

int program_path(char* out, size_t size) {
  uint32_t room = (uint32_t)size;
  return _NSGetExecutablePath(out, &room) == 0;
}

#else

int program_path(char* out, size_t size) {
  ssize_t length = readlink("/proc/self/exe", out, size);
  if (length <= 0 || (size_t)length >= size) {
    return 0;
  }
  out[length] = 0;
  return 1;
}

#endif

void program_show(const char* path) {
  pid_t child = fork();
  if (child != 0) {
    return;
  }
  int nothing = open("/dev/null", O_RDWR);
  for (int stream = 0; nothing >= 0 && stream < 3; stream++) {
    dup2(nothing, stream);
  }
  execlp("xdg-open", "xdg-open", path, (char*)NULL);
  execlp("open", "open", path, (char*)NULL);
  _exit(1);
}

#endif
