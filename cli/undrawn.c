// undrawn.c: the subcommands that draw, in a program that was built without the renderer.

#include <stdio.h>

#include "command.h"
#include "report/portrait.h"

static int refuse(const char* command) {
  fprintf(stderr, "condyle %s: this program was built without the renderer\n", command);
  return STATUS_FAILED;
}

int command_render(int argc, char** argv) {
  (void)argc;
  (void)argv;
  return refuse("render");
}

int command_record(int argc, char** argv) {
  (void)argc;
  (void)argv;
  return refuse("record");
}

Portraits* portraits_open(char* reason, size_t size, const Report* report) {
  (void)report;
  snprintf(reason, size, "this program was built without the renderer");
  return NULL;
}

void* portraits_draw(size_t* length, Portraits* portraits, int body, int collides, int scale) {
  (void)length;
  (void)portraits;
  (void)body;
  (void)collides;
  (void)scale;
  return NULL;
}

void portraits_close(Portraits* portraits) {
  (void)portraits;
}
