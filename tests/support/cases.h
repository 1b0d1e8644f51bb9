// cases.h: tables of models with what the reference says about each (tests/refused).
//
//   == LINE: PHRASE          a line of the model, 0 if the reference names none, and its words
//   => [FILE:]LINE: PHRASE   what is said here instead, where that is better; may be missing
//   the text of the model
//   --- NAME                 a file that it uses
//   the text of that file
//   --- NAME bytes           one that is not text
//   'text' x00FF 7 7.0 9*x00 characters, hexadecimal bytes, 32-bit integers and reals, repetitions
//
// A case ends with a blank line. record.py writes the first line of every case.

#pragma once

#include <mujoco/mujoco.h>

enum {
  CASE_MAX_FILES = 8,
  CASE_FILE_BYTES = 4096,
};

typedef struct CaseFile_ {
  char* name;
  char* text;  // NULL: not text
  int size;
  unsigned char bytes[CASE_FILE_BYTES];
} CaseFile;

typedef struct Case_ {
  int number;        // in the table, from 1
  const char* file;  // in which the mistake is; "" for the model itself
  int line;          // 0 if none is expected
  char* phrase;
  char* text;  // of the model
  CaseFile files[CASE_MAX_FILES];
  int nfile;
} Case;

// Reads a table of tests/refused; to be freed.
char* cases_read(const char* name);

// Takes the next case off a table, which is overwritten; 0 at its end. The first one goes into
// zeros.
int cases_next(Case* out, char** cursor);

// Puts the files of a case where the loaders find them.
void cases_mount(mjVFS* vfs, const Case* one);

// The text in which the mistake is.
const char* cases_source(const Case* one);
