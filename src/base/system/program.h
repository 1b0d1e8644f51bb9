// program.h: other programs that this one runs.
//
// Words are the program and its arguments, ended by NULL. The program is looked for where a shell
// looks. Functions that fail leave the reason in errno, ENOENT if there is no such program.

#pragma once

#include <stddef.h>
#include <stdio.h>

// A text that a program writes, ended by 0; NULL if it wrote nothing. The caller frees it (free).
typedef struct ProgramText_ {
  char* text;
  size_t size;
} ProgramText;

// Runs a program to its end and takes what it writes to its standard output and to its standard
// error, up to `most` bytes each, where its pipe is closed. Returns its status, 1 if it was killed,
// -1 on failure.
int program_run(ProgramText out[2], const char* const* words, size_t most);

typedef struct Program_ Program;

// Starts a program that reads what is written to *input. What it writes to its standard output goes
// to the standard error of this program. NULL on failure.
Program* program_start(FILE** input, const char* const* words);

// Closes its input and waits for it. Returns its status, 1 if it was killed or not all of the input
// could be written.
int program_end(Program* program, FILE* input);

// The path of the program that runs, with '/' as separator. Returns 0 if it is unknown.
int program_path(char* out, size_t size);

// Asks the desktop to show a file, and doesn't wait for it. That there is none is no error.
void program_show(const char* path);
