// film.c: passes pictures to ffmpeg, or writes them as PNG files.

#include "film.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "image.h"

extern char** environ;

struct Film_ {
  char folder[4096];  // of PNG files; empty for a film
  const char* path;
  FILE* pipe;
  pid_t child;
  int width, height;
  long count;
};

// Starts ffmpeg, which reads pixels from the pipe. Returns 0, or what went wrong.
static int start(Film* film, double fps) {
  char size[32], rate[32], path[4200];
  snprintf(size, sizeof size, "%dx%d", film->width, film->height);
  snprintf(rate, sizeof rate, "%.6g", fps);
  // "file:" keeps ffmpeg from taking a name that begins with a dash, or looks like a protocol, for
  // something else
  snprintf(path, sizeof path, "file:%s", film->path);
  int gif = ends_with(film->path, ".gif");
  const char* arguments[] = {"ffmpeg",
                             "-loglevel",
                             "error",
                             "-y",
                             "-f",
                             "rawvideo",
                             "-pix_fmt",
                             "rgb24",
                             "-s",
                             size,
                             "-r",
                             rate,
                             "-i",
                             "-",
                             "-vf",
                             gif ? "split[a][b];[a]palettegen[p];[b][p]paletteuse"
                                 : "pad=ceil(iw/2)*2:ceil(ih/2)*2,format=yuv420p",
                             path,
                             NULL};
  int ends[2];
  if (pipe(ends)) {
    return errno;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  int failed =
      posix_spawnp(&film->child, "ffmpeg", &actions, NULL, (char* const*)arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  film->pipe = failed ? NULL : fdopen(ends[1], "wb");
  if (failed) {
    close(ends[1]);
  }
  return failed;
}

static Film* fail(Film* film, int* status, const char* path, const char* message) {
  fprintf(stderr, "%s: %s\n", path, message);
  *status = STATUS_FAILED;
  free(film);
  return NULL;
}

static Film* open_folder(Film* film, int* status) {
  if (mkdir(film->folder, 0777) && errno != EEXIST) {
    return fail(film, status, film->folder, strerror(errno));
  }
  return film;
}

Film* film_open(int* status, const char* path, int width, int height, double fps) {
  Film* film = calloc(1, sizeof(Film));
  if (!film) {
    return fail(film, status, path, strerror(ENOMEM));
  }
  film->path = path;
  film->width = width;
  film->height = height;
  size_t length = strlen(path);
  if (length + 20 > sizeof film->folder) {
    return fail(film, status, path, strerror(ENAMETOOLONG));
  }
  if (length && path[length - 1] == '/') {
    memcpy(film->folder, path, length);
    return open_folder(film, status);
  }
  if (!ends_with(path, ".mp4") && !ends_with(path, ".gif")) {
    free(film);
    *status = usage_error("record", "-o must end in .mp4, .gif or /, not '%s'", path);
    return NULL;
  }
  // if ffmpeg ends early, writing to it shall fail instead of ending this program
  signal(SIGPIPE, SIG_IGN);
  int failed = start(film, fps);
  if (failed == ENOENT) {
    snprintf(film->folder, sizeof film->folder, "%.*s-frames/", (int)length - 4, path);
    fprintf(stderr, "there is no program ffmpeg: frames go to %s\n", film->folder);
    return open_folder(film, status);
  }
  return failed ? fail(film, status, path, strerror(failed)) : film;
}

int film_add(Film* film, const unsigned char* pixels) {
  if (film->folder[0]) {
    char path[sizeof film->folder + 20];
    snprintf(path, sizeof path, "%s%06ld.png", film->folder, film->count++);
    return image_save(path, pixels, film->width, film->height, 0);
  }
  size_t size = 3 * (size_t)film->width * (size_t)film->height;
  if (fwrite(pixels, 1, size, film->pipe) != size) {
    fprintf(stderr, "%s: ffmpeg ended early\n", film->path);
    return STATUS_FAILED;
  }
  film->count++;
  return STATUS_OK;
}

int film_close(Film* film) {
  int status = STATUS_OK, result = 0;
  if (film->pipe) {
    int cut = fclose(film->pipe) != 0;
    while (waitpid(film->child, &result, 0) < 0 && errno == EINTR) {
    }
    if (cut || !WIFEXITED(result) || WEXITSTATUS(result)) {
      fprintf(stderr, "%s: ffmpeg failed\n", film->path);
      status = STATUS_FAILED;
    }
  }
  free(film);
  return status;
}

const char* film_place(const Film* film) {
  return film->folder[0] ? film->folder : film->path;
}
