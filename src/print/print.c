// print.c: formats, vectors, pictures of sparse patterns, and elements of arrays by type.

#include "print/print.h"

#include <ctype.h>
#include <math.h>
#include <mujoco/api/base.h>
#include <string.h>

enum {
  MAX_SPARSE_ROWS = 300,  // most rows, and columns, of a picture
};

const char print_defaultformat[] = "% -9.2g";

// Is the format %[flags][width][.precision](f|e|g|E|G), with each flag at most once? No other
// format is passed to printf. If not, a warning says why.
static int format_valid(const char* format) {
  static const char flags[] = "-+ #0";
  int used[sizeof(flags)] = {0};
  size_t longest = 20;
  const char* at = format ? format : "";
  if (strlen(at) > longest) {
    mju_warning("Format string longer than limit of %zu.", longest);
    return 0;
  }
  if (*at++ != '%') {
    mju_warning("Format string must start with '%%'.");
    return 0;
  }
  for (const char* flag; *at && (flag = strchr(flags, *at)); at++) {
    if (used[flag - flags]++) {
      mju_warning("Format string contains repeated flag.");
      return 0;
    }
  }
  at += strspn(at, "0123456789");
  if (*at == '.') {
    at++;
    at += strspn(at, "0123456789");
  }
  if (!*at || !strchr("fgGeE", *at)) {
    mju_warning("Format string specifier must be one of \"fgGeE\".");
    return 0;
  }
  if (at[1]) {
    mju_warning("Unable to match format string %s with expected pattern for a single float.",
                format);
    return 0;
  }
  return 1;
}

int print_open(Print* print, const char* filename, const char* format) {
  if (!format_valid(format)) {
    mju_warning("WARNING: Received invalid float_format. Using default instead.");
    format = print_defaultformat;
  }
  snprintf(print->format, sizeof(print->format), "%s", format);
  if (!cnd_openOutput(&print->out, filename ? filename : "-")) {
    mju_warning("Could not open file '%s' for writing: %s", filename, strerror(print->out.reason));
  }
  print->file = print->out.file;
  return print->file != NULL;
}

void print_close(Print* print) {
  if (!cnd_closeOutput(&print->out, 1)) {
    mju_warning("Could not write file '%s': %s", print->out.path, strerror(print->out.reason));
  }
}

void print_real(const Print* print, double value) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  fprintf(print->file, print->format, value);  // checked by format_valid
#pragma GCC diagnostic pop
}

int print_isreal(const cndField* field) {
  return !strcmp(field->type, "mjtNum") || !strcmp(field->type, "float");
}

int print_isused(const cndArray* array) {
  const cndField* field = array->field;
  size_t n = array->data ? array->rows * array->columns : 0, i = 0;
  while (field->since && i < n &&
         field->absent == (print_isreal(field) ? (double)print_realat(array, i)
                                               : (double)print_intat(array, i))) {
    i++;
  }
  // what follows from other arrays is told by those
  return !field->since || (i < n && !isnan(field->absent));
}

double print_realat(const cndArray* array, size_t i) {
  return array->field->size == sizeof(double) && !strcmp(array->field->type, "mjtNum")
             ? ((const double*)array->data)[i]
             : (double)((const float*)array->data)[i];
}

long long print_intat(const cndArray* array, size_t i) {
  switch (array->field->size) {
    case sizeof(mjtSize):
      return (long long)((const mjtSize*)array->data)[i];
    case sizeof(int):
      return ((const int*)array->data)[i];
    default:
      return ((const unsigned char*)array->data)[i];
  }
}

void print_memory(const Print* print, int columns, const char* title, size_t bytes) {
  static const char* const units[] = {"KB", "MB", "GB"};
  fprintf(print->file, "\n  %-*s", columns, title);
  if (bytes < 1024) {
    fprintf(print->file, "%5zu bytes", bytes);
    return;
  }
  double size = (double)bytes / 1024;
  int unit = 0;
  while (size >= 1024 && unit < 2) {
    size /= 1024;
    unit++;
  }
  fprintf(print->file, "%5.1f %s", size, units[unit]);
}

void print_vector(const Print* print, const char* name, const mjtNum* v, int n, int blank) {
  fprintf(print->file, "%s", name);
  for (int i = 0; i < n; i++) {
    print_real(print, v[i]);
    fprintf(print->file, blank ? " " : "");
  }
  fprintf(print->file, blank ? "\n\n" : "\n");
}

void print_upper(const Print* print, const char* name) {
  for (; *name; name++) {
    fputc(toupper((unsigned char)*name), print->file);
  }
}

static void put_line(const Print* print, int n) {
  for (int i = 0; i < n; i++) {
    fprintf(print->file, "-");
  }
  fprintf(print->file, "\n");
}

void print_picture(const Print* print, const char* title, const PrintPattern* p) {
  if (!p->rows || !p->columns || p->rows > MAX_SPARSE_ROWS || p->columns > MAX_SPARSE_ROWS) {
    return;
  }
  fprintf(print->file, "%s\n", title);
  put_line(print, p->columns + 2);
  for (int r = 0; r < p->rows; r++) {
    int next = 0, first = p->rowfirst ? p->rowfirst[r] : 0;
    fprintf(print->file, " ");
    for (int k = p->rowadr[r]; k < p->rowadr[r] + p->rownnz[r]; k++) {
      int column = first + p->colind[k];
      char entry = column == r && p->diagonal ? p->diagonal : 'x';
      entry = p->rowdigit ? (char)('0' + p->rowdigit[r] % 10) : entry;
      fprintf(print->file, "%*s%c", column - next, "", entry);
      next = column + 1;
    }
    fprintf(print->file, "%*s |", p->columns - next, "");
    if (p->rowsuper && p->rowsuper[r]) {
      fprintf(print->file, " %d", p->rowsuper[r]);
    }
    fprintf(print->file, "\n");
  }
  put_line(print, p->columns + 2);
  fprintf(print->file, "\n");
}
