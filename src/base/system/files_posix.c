// files_posix.c: files and folders of POSIX.

#ifndef _WIN32

#define _XOPEN_SOURCE 700
#ifdef __APPLE__
#define _DARWIN_C_SOURCE  // st_mtimespec
#endif

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/files.h"

#ifdef __APPLE__
#define WRITTEN st_mtimespec
#define CHANGED st_ctimespec
#else
#define WRITTEN st_mtim
#define CHANGED st_ctim
#endif

static void take_state(FileState* out, const struct stat* s) {
  *out = (FileState){
      .kind = S_ISREG(s->st_mode)   ? FILE_REGULAR
              : S_ISDIR(s->st_mode) ? FILE_FOLDER
                                    : FILE_OTHER,
      .own = s->st_uid == geteuid() && !(s->st_mode & (S_IWGRP | S_IWOTH)),
      .rights = s->st_mode & 07777,
      .device = (uint64_t)s->st_dev,
      .number = (uint64_t)s->st_ino,
      .size = s->st_size > 0 ? (uint64_t)s->st_size : 0,
      .written = {s->WRITTEN.tv_sec, s->WRITTEN.tv_nsec},
      .changed = {s->CHANGED.tv_sec, s->CHANGED.tv_nsec},
  };
}

int system_state(FileState* out, const char* path) {
  struct stat s;
  int found = stat(path, &s) == 0;
  if (found) {
    take_state(out, &s);
  }
  return found;
}

int system_linkstate(FileState* out, const char* path) {
  struct stat s;
  int found = lstat(path, &s) == 0;
  if (found) {
    take_state(out, &s);
  }
  return found;
}

static int state_of(FileState* out, int descriptor) {
  struct stat s;
  int found = fstat(descriptor, &s) == 0;
  if (found) {
    take_state(out, &s);
  }
  return found;
}

int system_stateof(FileState* out, FILE* file) {
  return state_of(out, fileno(file));
}

FILE* system_open(const char* path, const char* mode) {
  return fopen(path, mode);
}

// Opens a file whose state is as wanted. NULL with errno 0 if it isn't.
static FILE* open_wanted(FileState* out, const char* path, int flags, int own) {
  FileState s;
  int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | flags);
  if (descriptor < 0) {
    return NULL;
  }
  errno = 0;
  int wanted = state_of(&s, descriptor) && s.kind == FILE_REGULAR && (s.own || !own);
  FILE* file = wanted ? fdopen(descriptor, "rb") : NULL;
  if (!file) {
    int reason = errno;
    close(descriptor);
    errno = reason;
  } else if (out) {
    *out = s;
  }
  return file;
}

FILE* system_openregular(FileState* out, const char* path) {
  return open_wanted(out, path, 0, 0);
}

FILE* system_openown(FileState* out, const char* path) {
  return open_wanted(out, path, O_NOFOLLOW, 1);
}

FILE* system_create(const char* path, uint32_t rights) {
  int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, (mode_t)rights);
  FILE* file = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
  if (!file && descriptor >= 0) {
    close(descriptor);
    unlink(path);
  }
  return file;
}

int system_setrights(FILE* file, uint32_t rights) {
  return fchmod(fileno(file), (mode_t)rights) == 0;
}

void system_touch(FILE* file) {
  futimens(fileno(file), NULL);
}

int system_readable(const char* path) {
  return access(path, R_OK) == 0;
}

int system_writable(const char* path) {
  return access(path, W_OK) == 0;
}

int system_makefolder(const char* path, uint32_t rights) {
  return mkdir(path, (mode_t)rights) == 0;
}

int system_link(const char* from, const char* to) {
  return link(from, to) == 0;
}

int system_rename(const char* from, const char* to) {
  return rename(from, to) == 0;
}

int system_remove(const char* path) {
  return unlink(path) == 0;
}

int system_removefolder(const char* path) {
  return rmdir(path) == 0;
}

int system_maketemporary(char* out, size_t size, int brief) {
  const char *own = brief ? getenv("XDG_RUNTIME_DIR") : NULL, *other = getenv("TMPDIR");
  const char* above = own && *own && system_writable(own) ? own : other && *other ? other : "/tmp";
  int length = snprintf(out, size, "%s/condyle-XXXXXX", above);
  if (length < 0 || (size_t)length >= size) {
    errno = ENAMETOOLONG;
    return 0;
  }
  return mkdtemp(out) != NULL;
}

char* system_realpath(const char* path) {
  return realpath(path, NULL);
}

char* system_here(void) {
  for (size_t room = 256;; room *= 2) {
    char *path = malloc(room), *found = path ? getcwd(path, room) : NULL;
    if (found) {
      return found;
    }
    free(path);
    if (!path || errno != ERANGE) {
      return NULL;
    }
  }
}

Folder* folder_open(const char* path) {
  return (Folder*)opendir(path);
}

const char* folder_next(Folder* folder) {
  const struct dirent* entry;
  do {
    entry = readdir((DIR*)folder);
  } while (entry && (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")));
  return entry ? entry->d_name : NULL;
}

void folder_close(Folder* folder) {
  closedir((DIR*)folder);
}

int system_cachefolder(char* out, size_t size) {
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  int length = cache && *cache == '/' ? snprintf(out, size, "%s/condyle", cache)
               : home && *home == '/' ? snprintf(out, size, "%s/.cache/condyle", home)
                                      : snprintf(out, size, "%s", "");
  return length >= 0 && (size_t)length < size;
}

int system_opentext(TextFile* out) {
  *out = (TextFile){NULL, NULL, 0};
  out->file = open_memstream(&out->text, &out->size);
  return out->file != NULL;
}

void system_closetext(TextFile* it) {
  fclose(it->file);
}

#endif
