// note.c: a page that leads to another address, in a folder of mode 0700.

#include "server/note.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/system/files.h"

static const char file[] = "/view.html";

static int write_page(const char* path, const char* address) {
  FILE* page = system_create(path, 0600);
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
  if (!system_maketemporary(note->path, sizeof note->path - sizeof file, 1)) {
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
  system_remove(note->path);
  *strrchr(note->path, '/') = 0;
  system_removefolder(note->path);
  note->path[0] = 0;
}
