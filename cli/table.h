// table.h: a table of numbers from a file of comma-separated values.

#pragma once

#include <stddef.h>

typedef struct Table_ {
  size_t columns, rows;
  const char** name;  // columns
  double* value;      // rows x columns; NaN where a field is empty
  char* text;         // the file, in which the names stand
} Table;

// Reads a file, "-" for the standard input: a line of names, then lines with as many numbers each.
// Blank lines are skipped. Returns a status, after a message with the line if it failed. To be
// freed by table_free in either case.
int table_read(Table* table, const char* path);

void table_free(Table* table);
