// xacro.c: runs the program xacro and takes what it writes.

#include "robot/xacro.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory/memory.h"
#include "base/system/program.h"

// What the program said, in one line: its errors name the file of the source.
static void say(char* message, int size, const char* text) {
  int length = snprintf(message, (size_t)size, "xacro: %s", text);
  length = length < size ? length : size - 1;
  while (length > 0 && (message[length - 1] == '\n' || message[length - 1] == ' ')) {
    message[--length] = 0;
  }
  for (char* c = message; *c; c++) {
    *c = *c == '\n' ? ' ' : *c;
  }
}

char* xacro_run(char* message, int size, const cndRobotOptions* options, const char* path) {
  int count = options->nxacro;
  ProgramText out[2];
  const char** words = heap_zero((size_t)count + 3, sizeof(char*));
  char* result = NULL;
  // a path that begins with a dash would be an option
  char file[4200];
  snprintf(file, sizeof(file), "%s%s", path[0] == '-' ? "./" : "", path);
  words[0] = options->xacroprogram ? options->xacroprogram : "xacro";
  words[1] = file;
  for (int i = 0; i < count; i++) {
    words[2 + i] = options->xacro[i];
  }
  int status = program_run(out, words, FILE_MAX_BYTES);
  if (status == 0 && out[0].text) {
    result = heap_take(out[0].size + 1);
    memcpy(result, out[0].text, out[0].size + 1);
  } else if (status < 0 && errno == ENOENT) {
    snprintf(message, (size_t)size,
             "a xacro file needs the program xacro: pip install xacro, or apt install xacro");
  } else {
    say(message, size, out[1].text ? out[1].text : status < 0 ? strerror(errno) : "no output");
  }
  free(out[0].text);
  free(out[1].text);
  heap_free(words);
  return result;
}
