// undrawn.c: the subcommands that draw, in a program that was built without the renderer.

#include <stdio.h>

#include "command.h"

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
