// console.h: the streams and arguments that a program gets, and its terminal.

#pragma once

#include <stdio.h>

// What a program does first: closed standard streams get descriptors that fail, so that no opened
// file gets their number; on Windows arguments become UTF-8 and the console shows it. Returns 0 if
// that fails.
int console_begin(int* argc, char*** argv);

// Is a stream a terminal?
int console_is(FILE* stream);

// Columns of the terminal that standard output is; 0 if it is none.
int console_columns(void);
