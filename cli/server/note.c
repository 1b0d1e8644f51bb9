// note.c: a page that leads to another address, in a folder of mode 0700.

#define _DEFAULT_SOURCE

#include "server/note.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char file[] = "/view.html";

// Makes a folder for this user alone where a variable says, or else under `otherwise`.
static int make_folder(char* path, size_t size, const char* variable, const char* otherwise) {
  const char* above = getenv(variable);
  int length = snprintf(path, size, "%s/condyle-XXXXXX", above && *above ? above : otherwise);
  return length > 0 && (size_t)length + sizeof file <= size && mkdtemp(path);
}

static int write_page(const char* path, const char* address) {
  int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  FILE* page = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
  if (!page) {
    return 0;
  }
  fprintf(page,
          "<!doctype html>\n<meta charset=\"utf-8\">\n<title>Condyle</title>\n"
          "<meta http-equiv=\"refresh\" content=\"0; url=%s\">\n<a href=\"%s\">Condyle</a>\n",
          address, address);
  int failed = ferror(page);
  return fclose(page) == 0 && !failed;
}

int note_write(Note* note, const char* address) {
  if (!make_folder(note->path, sizeof note->path, "XDG_RUNTIME_DIR", "/tmp") &&
      !make_folder(note->path, sizeof note->path, "TMPDIR", "/tmp")) {
    fprintf(stderr, "no folder to tell the browser the address: %s\n", strerror(errno));
    note->path[0] = 0;
    return 0;
  }
  strcat(note->path, file);
  if (!write_page(note->path, address)) {
    fprintf(stderr, "%s: %s\n", note->path, strerror(errno));
    note_remove(note);
    return 0;
  }
  return 1;
}

void note_remove(Note* note) {
  if (!note->path[0]) {
    return;
  }
  unlink(note->path);
  *strrchr(note->path, '/') = 0;
  rmdir(note->path);
  note->path[0] = 0;
}
