// print.h: helpers for printing models and data.

#pragma once

#include <condyle/condyle.h>
#include <condyle/output.h>
#include <mujoco/mjtnum.h>
#include <stdio.h>

enum {
  PRINT_FORMAT_BYTES = 32,  // bytes of a format, terminator included
};

extern const char print_defaultformat[];

// The output file and the format of numbers.
typedef struct Print_ {
  FILE* file;
  cndOutput out;
  char format[PRINT_FORMAT_BYTES];
} Print;

// A pattern of compressed rows, and the characters for its entries.
typedef struct PrintPattern_ {
  int rows, columns;
  const int *rownnz, *rowadr, *colind;
  char diagonal;        // character of the diagonal; 0 for that of other entries
  const int* rowfirst;  // first column of each row's picture; NULL for 0
  const int* rowdigit;  // digit of each row's entries; NULL for x
  const int* rowsuper;  // number behind each row, not printed if 0; NULL for none
} PrintPattern;

// A PrintPattern from the arrays prefix_rownnz, prefix_rowadr, prefix_colind.
#define PRINT_PATTERN(nrow, ncolumn, prefix) \
  { .rows = (nrow), .columns = (ncolumn), prefix##_rownnz, prefix##_rowadr, prefix##_colind }

// Opens the file (NULL for standard output). An invalid format becomes the default one. Returns 0
// if the file can't be opened.
int print_open(Print* print, const char* filename, const char* format);
void print_close(Print* print);

// Prints all of a model, as mj_printModel does.
void print_modelto(FILE* file, const mjModel* m);

// Prints a number in the format.
void print_real(const Print* print, double value);

// Prints a title, padded to `columns`, and bytes in the largest unit that gives more than one.
void print_memory(const Print* print, int columns, const char* title, size_t bytes);

// Prints a name and numbers on a line. If `blank`, each number is followed by a space, and the line
// by an empty line.
void print_vector(const Print* print, const char* name, const mjtNum* v, int n, int blank);

void print_upper(const Print* print, const char* name);

// Prints the pattern as a picture, unless it is too large.
void print_picture(const Print* print, const char* title, const PrintPattern* p);

// Elements of arrays converted from their declared type.
int print_isreal(const cndField* field);

// Whether an array tells something: one of a later release does in models that use its feature.
int print_isused(const cndArray* array);
double print_realat(const cndArray* array, size_t i);
long long print_intat(const cndArray* array, size_t i);
