// output.c: files that are written under a temporary name and renamed when they are complete.

#include <condyle/output.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/check.h"
#include "base/system/files.h"
#include "base/system/machine.h"

enum {
  TRIES = 1000,  // temporary names to try: files of killed processes may have taken some
};

static void fail(cndOutput* out) {
  out->reason = out->reason ? out->reason : errno ? errno : EIO;
}

// Must the path be written directly? A device or another special file can't be replaced.
static int is_direct(const char* path, int exists, const FileState* s) {
  return !strncmp(path, "/dev/", 5) || !strncmp(path, "/proc/", 6) ||
         (exists && s->kind != FILE_REGULAR);
}

// Makes a new file beside the target, with the access rights of the file it will replace. Returns 0
// if that fails.
static int open_beside(cndOutput* out, int exists, const FileState* s) {
  for (int i = 0; i < TRIES && !out->file; i++) {
    snprintf(out->beside, sizeof(out->beside), "%s.%ld-%d.tmp", out->target, system_process(), i);
    out->file = system_create(out->beside, 0666);
    if (!out->file && errno != EEXIST) {
      return 0;
    }
  }
  if (!out->file) {
    return 0;
  }
  if (exists && !system_setrights(out->file, s->rights)) {
    fclose(out->file);
    out->file = NULL;
    system_remove(out->beside);
    return 0;
  }
  out->renames = 1;
  return 1;
}

int cnd_openOutput(cndOutput* out, const char* path) {
  FileState s;
  check_given(out, path);
  memset(out, 0, sizeof(*out));
  out->path = path;
  if (!strcmp(path, "-")) {
    out->file = stdout;
    return 1;
  }
  errno = 0;
  int exists = system_state(&s, path);
  if (exists && s.kind == FILE_REGULAR && !system_writable(path)) {
    fail(out);
    return 0;
  }
  // replace the file that a symbolic link leads to, not the link
  char* real = exists ? system_realpath(path) : NULL;
  const char* target = real ? real : path;
  size_t length = strlen(target);
  // a link that leads nowhere is written through; a file that has come meanwhile is replaced
  int direct = is_direct(path, exists, &s) || length >= sizeof(out->target) ||
               (!exists && system_linkstate(&s, path) && s.kind == FILE_OTHER);
  if (!direct) {
    memcpy(out->target, target, length + 1);
  }
  free(real);
  if (direct || !open_beside(out, exists, &s)) {
    errno = 0;
    out->file = system_open(path, "wb");
  }
  if (!out->file) {
    fail(out);
  }
  return out->file != NULL;
}

int cnd_closeOutput(cndOutput* out, int complete) {
  check_given(out);
  if (!out->file) {
    return 0;
  }
  // after a failed write the stream has an error flag, and errno may still have the reason
  errno = ferror(out->file) ? errno : 0;
  if (ferror(out->file)) {
    fail(out);
  }
  if (fflush(out->file) || ferror(out->file)) {
    fail(out);
  }
  if (out->file != stdout && fclose(out->file)) {
    fail(out);
  }
  out->file = NULL;
  if (out->renames && complete && !out->reason && !system_rename(out->beside, out->target)) {
    fail(out);
  }
  if (out->renames && (!complete || out->reason)) {
    system_remove(out->beside);
  }
  return !out->reason;
}
