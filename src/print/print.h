// print.h: what models and data have in common when they are printed.

#ifndef CONDYLE_PRINT_PRINT_H_
#define CONDYLE_PRINT_PRINT_H_

#include <condyle/condyle.h>
#include <mujoco/mjtnum.h>
#include <stdio.h>

enum {
  PRINT_FORMAT_BYTES = 32,  // room for a format
};

extern const char print_defaultformat[];

// Where text goes, and how numbers look.
typedef struct Print_ {
  FILE* file;
  char format[PRINT_FORMAT_BYTES];
} Print;

// A pattern of compressed rows, and what stands for its entries.
typedef struct PrintPattern_ {
  int rows, columns;
  const int *rownnz, *rowadr, *colind;
  char diagonal;        // 0: like the others
  const int* rowfirst;  // columns count from here; NULL: from 0
  const int* rowdigit;  // entries are these numbers instead of x; NULL: they are not
  const int* rowsuper;  // numbers behind the rows, where they are not 0; NULL: none
} PrintPattern;

// The pattern of a matrix with arrays prefix_rownnz, prefix_rowadr, prefix_colind.
#define PRINT_PATTERN(nrow, ncolumn, prefix) \
  { .rows = (nrow), .columns = (ncolumn), prefix##_rownnz, prefix##_rowadr, prefix##_colind }

// Opens the file (NULL: standard output); 0 if it can't. A bad format becomes the default one.
int print_open(Print* print, const char* filename, const char* format);
void print_close(Print* print);

// A number in the format.
void print_real(const Print* print, double value);

// A title of so many columns, and bytes in the largest unit that keeps them above one.
void print_memory(const Print* print, int columns, const char* title, size_t bytes);

// A name and numbers on a line; with blank, a blank behind each number and an empty line.
void print_vector(const Print* print, const char* name, const mjtNum* v, int n, int blank);

void print_upper(const Print* print, const char* name);

// The pattern as a picture, unless it is too large for one.
void print_picture(const Print* print, const char* title, const PrintPattern* p);

// Elements of arrays by their declared type.
int print_isreal(const cndField* field);
double print_realat(const cndArray* array, size_t i);
long long print_intat(const cndArray* array, size_t i);

#endif  // CONDYLE_PRINT_PRINT_H_
