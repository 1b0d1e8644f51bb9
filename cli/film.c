// film.c: hands pictures to ffmpeg, or writes them as PNG files. Either goes to a temporary place
// next to its target and is renamed when complete, so that an aborted recording leaves the old film
// intact.

#include "film.h"

#include <condyle/output.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/files.h"
#include "base/system/machine.h"
#include "base/system/program.h"
#include "command.h"
#include "image.h"
#include "stop.h"

struct Film_ {
  char folder[4096];  // of PNG files; empty for a film
  char beside[4128];  // the folder in it where they are until all are complete
  const char* path;
  cndOutput out;  // what ffmpeg writes
  FILE* pipe;
  Program* program;
  int width, height;
  int made;    // was the folder made for this film?
  int failed;  // could a picture not be added?
  long count;
};

enum {
  TRIES = 1000,  // names of new folders, which leftovers may have taken
};

// Starts ffmpeg, which reads pixels from the pipe. Returns 0, or what went wrong.
static int start(Film* film, double fps) {
  char size[32], rate[32], path[4200];
  int gif = ends_with(film->path, ".gif");
  snprintf(size, sizeof size, "%dx%d", film->width, film->height);
  snprintf(rate, sizeof rate, "%.6g", fps);
  // a name that begins with a dash, or looks like a protocol, is a file all the same
  snprintf(path, sizeof path, "file:%s", film->out.renames ? film->out.beside : film->path);
  const char* arguments[] = {"ffmpeg",
                             "-loglevel",
                             "error",
                             "-xerror",
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
                             "-f",
                             gif ? "gif" : "mp4",
                             path,
                             NULL};
  film->program = program_start(&film->pipe, arguments);
  return film->program ? 0 : errno;
}

static Film* fail(Film* film, int* status, const char* path, const char* message) {
  fprintf(stderr, "%s: %s\n", path, message);
  *status = STATUS_FAILED;
  free(film);
  return NULL;
}

// The name of a picture, in the folder or in the one beside it.
static void picture_name(char name[4200], const char* folder, long number) {
  snprintf(name, 4200, "%s%06ld.png", folder, number);
}

static Film* open_folder(Film* film, int* status) {
  film->made = system_makefolder(film->folder, 0777);
  int failed = film->made || errno == EEXIST ? EEXIST : errno;
  for (int i = 0; i < TRIES && failed == EEXIST; i++) {
    snprintf(film->beside, sizeof film->beside, "%s%ld-%d.tmp/", film->folder, system_process(), i);
    failed = system_makefolder(film->beside, 0777) ? 0 : errno;
  }
  return failed ? fail(film, status, film->folder, strerror(failed)) : film;
}

// Moves the pictures to their places, or removes them if the film broke off.
static int close_folder(Film* film) {
  char from[4200], to[4200];
  int failed = 0;
  for (long i = 0; i < film->count; i++) {
    picture_name(from, film->beside, i);
    picture_name(to, film->folder, i);
    if (!film->failed && !failed && !system_rename(from, to)) {
      failed = errno;
      tell_unwritten(to, failed);
    }
    if (film->failed || failed) {
      system_remove(from);
    }
  }
  system_removefolder(film->beside);
  if (film->failed && film->made) {
    system_removefolder(film->folder);
  }
  return failed ? STATUS_FAILED : STATUS_OK;
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
  ignore_broken_pipes();
  if (!cnd_openOutput(&film->out, path)) {
    return fail(film, status, path, strerror(film->out.reason));
  }
  int failed = start(film, fps);
  if (failed) {
    cnd_closeOutput(&film->out, 0);
  }
  if (failed == ENOENT) {
    snprintf(film->folder, sizeof film->folder, "%.*s-frames/", (int)length - 4, path);
    fprintf(stderr, "there is no program ffmpeg: frames go to %s\n", film->folder);
    return open_folder(film, status);
  }
  return failed ? fail(film, status, path, strerror(failed)) : film;
}

int film_add(Film* film, const unsigned char* pixels) {
  size_t size = 3 * (size_t)film->width * (size_t)film->height;
  if (film->folder[0]) {
    char path[4200], shown[4200];
    picture_name(path, film->beside, film->count);
    picture_name(shown, film->folder, film->count);
    film->failed |= image_save(path, shown, pixels, film->width, film->height, 0) != STATUS_OK;
  } else if (fwrite(pixels, 1, size, film->pipe) != size) {
    fprintf(stderr, "%s: ffmpeg ended early\n", film->path);
    film->failed = 1;
  }
  film->count += !film->failed;
  return film->failed ? STATUS_FAILED : STATUS_OK;
}

// Waits for ffmpeg, whose file then takes the place of the old one.
static int close_film(Film* film) {
  int failed = program_end(film->program, film->pipe) != 0;
  if (failed && !film->failed) {
    fprintf(stderr, "%s: ffmpeg failed\n", film->path);
  }
  failed |= film->failed;
  if (!cnd_closeOutput(&film->out, !failed)) {
    return tell_unwritten(film->path, film->out.reason);
  }
  return failed ? STATUS_FAILED : STATUS_OK;
}

int film_close(Film* film) {
  int status = film->pipe ? close_film(film) : close_folder(film);
  free(film);
  return status;
}

const char* film_place(const Film* film) {
  return film->folder[0] ? film->folder : film->path;
}
