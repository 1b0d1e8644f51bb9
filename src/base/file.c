// file.c: reading a whole file in chunks, and joining and shortening paths.

#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/memory/memory.h"
#include "base/system/files.h"

static int is_separator(char c) {
  return c == '/' || c == '\\';
}

// Makes *text hold at least need bytes. Returns 0 if memory runs out.
static int grow(char** text, size_t* capacity, size_t need) {
  if (need <= *capacity) {
    return 1;
  }
  size_t larger = *capacity ? 2 * *capacity : need;
  while (larger < need) {
    larger *= 2;
  }
  char* moved = heap_try(*text, larger);
  if (!moved) {
    return 0;
  }
  *text = moved;
  *capacity = larger;
  return 1;
}

enum {
  CHUNK = 1 << 12,  // least free bytes before each read
};

// Bytes to reserve at first: the whole of a regular file, 16 KB for anything else.
static size_t expected_room(FILE* file) {
  FileState s;
  int regular = system_stateof(&s, file) && s.kind == FILE_REGULAR && s.size <= FILE_MAX_BYTES;
  return regular ? (size_t)s.size + CHUNK + 1 : 1 << 14;
}

// Reads all of an open file, and closes it.
static char* read_all(size_t* size, FILE* file, char* error, int error_size) {
  // The file is read in chunks: pipes and devices have no size, and a regular file may grow
  // meanwhile.
  char* text = NULL;
  size_t length = 0, capacity = 0, got = 0, room = expected_room(file);
  const char* reason = NULL;
  errno = 0;
  do {
    size_t need = length + CHUNK + 1;
    if (!grow(&text, &capacity, need > room ? need : room)) {
      reason = "out of memory";
      break;
    }
    got = fread(text + length, 1, capacity - length - 1, file);
    length += got;
    if (length > FILE_MAX_BYTES) {
      reason = "the file is too large";
      break;
    }
  } while (got);
  if (!reason && ferror(file)) {
    reason = strerror(errno);
  }
  fclose(file);

  if (reason) {
    snprintf(error, (size_t)error_size, "%s", reason);
    heap_free(text);
    return NULL;
  }
  text[length] = 0;
  *size = length;
  return text;
}

char* file_read(size_t* size, const char* path, char* error, int error_size) {
  FILE* file = system_openregular(NULL, path);
  if (!file) {
    snprintf(error, (size_t)error_size, "%s", errno ? strerror(errno) : "not a regular file");
    return NULL;
  }
  return read_all(size, file, error, error_size);
}

char* file_readstream(size_t* size, const char* path, char* error, int error_size) {
  FILE* file = system_open(path, "rb");
  if (!file) {
    snprintf(error, (size_t)error_size, "%s", strerror(errno));
    return NULL;
  }
  return read_all(size, file, error, error_size);
}

// Opening a pipe would wake up, or wait for, who writes into it.
int file_exists(const char* path) {
  return system_readable(path);
}

int path_isabsolute(const char* path) {
  return is_separator(path[0]) || strstr(path, ":/") != NULL || strstr(path, ":\\") != NULL;
}

int path_dirlength(const char* path) {
  int length = 0;
  for (int i = 0; path[i]; i++) {
    if (is_separator(path[i])) {
      length = i + 1;
    }
  }
  return length;
}

char* path_show(char out[PATH_SHOWN], const char* path) {
  size_t length = strlen(path);
  if (length < PATH_SHOWN) {
    memcpy(out, path, length + 1);
    return out;
  }
  path += length - (PATH_SHOWN - 1 - strlen("..."));
  while (((unsigned char)*path & 0xC0) == 0x80) {
    path++;  // never start inside a UTF-8 character
  }
  snprintf(out, PATH_SHOWN, "...%s", path);
  return out;
}

// Does the component, of this length, equal name?
static int is(const char* component, size_t length, const char* name) {
  return length == strlen(name) && strncmp(component, name, length) == 0;
}

// Removes "." and ".." components in place. ".." removes the component before it, unless that is
// ".." too or the root ("/", "c:/", "scheme:"). Separators become '/'.
static void reduce(char* path) {
  size_t root = strcspn(path, ":/\\"), end = 0;
  root = path[root] == ':' ? root + 1 : 0;
  while (is_separator(path[root])) {
    root++;
  }
  end = root;
  const char* next = path + root;
  while (*next) {
    size_t length = strcspn(next, "/\\");
    size_t step = length + (next[length] ? 1 : 0);

    // start of the last kept component
    size_t last = end;
    while (last > root && (last == end || !is_separator(path[last - 1]))) {
      last--;
    }
    size_t lastlength = last < end ? strcspn(path + last, "/\\") : 0;

    if (length == 0 || is(next, length, ".")) {
      // nothing to keep
    } else if (is(next, length, "..") && last < end && !is(path + last, lastlength, "..")) {
      end = last;
    } else {
      memmove(path + end, next, step);
      end += step;
    }
    next += step;
  }
  path[end] = 0;
  for (size_t i = 0; i < end; i++) {
    path[i] = path[i] == '\\' ? '/' : path[i];
  }
}

char* path_join(const char* directory, const char* name) {
  size_t prefix = directory && !path_isabsolute(name) ? strlen(directory) : 0;
  size_t length = strlen(name);
  char* path = heap_take(prefix + length + 2);
  if (!path) {
    return NULL;
  }
  if (prefix) {
    memcpy(path, directory, prefix);
    if (!is_separator(directory[prefix - 1])) {
      path[prefix++] = '/';
    }
  }
  memcpy(path + prefix, name, length + 1);
  reduce(path);
  return path;
}
