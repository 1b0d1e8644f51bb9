// derive.c: condyle derive MODEL, which prints the matrices A and B that linearise a step.

#include <condyle/derivative.h>
#include <condyle/output.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "options.h"

typedef struct Options_ {
  const char* model;
  const char* key;  // name or number of a keyframe, NULL for the reference configuration
  const char* out;  // file of the matrices, NULL for the screen
  int check;
} Options;

// [A B]: derivatives of the next state with respect to the state (A) and the controls (B).
typedef struct Matrices_ {
  int rows, controls;
  mjtNum *A, *B;
} Matrices;

enum {
  NAME_SIZE = 100
};

static int make(Matrices* out, const mjModel* m) {
  *out = (Matrices){.rows = 2 * m->nv + m->na, .controls = m->nu};
  size_t rows = (size_t)out->rows;
  out->A = malloc((rows * rows + 1) * sizeof(mjtNum));
  out->B = malloc((rows * (size_t)m->nu + 1) * sizeof(mjtNum));
  return out->A && out->B;
}

static void discard(Matrices* of) {
  free(of->A);
  free(of->B);
}

static double entry(const Matrices* of, int row, int column) {
  size_t r = (size_t)row;
  return column < of->rows ? (double)of->A[r * (size_t)of->rows + (size_t)column]
                           : (double)of->B[r * (size_t)of->controls + (size_t)(column - of->rows)];
}

// names

// The name of input i: an element of the state, or a control for the numbers after these.
static void input_name(char text[NAME_SIZE], const mjModel* m, int i) {
  char name[NAME_SIZE - 20];
  if (i < 2 * m->nv) {
    dof_name(name, sizeof name, m, i % m->nv);
    snprintf(text, NAME_SIZE, "%s %s", i < m->nv ? "position" : "velocity", name);
    return;
  }
  int is_control = i >= 2 * m->nv + m->na, actuator = i - 2 * m->nv - m->na;
  for (int k = 0; !is_control && k < m->nu; k++) {
    int first = m->actuator_actadr[k], act = i - 2 * m->nv;
    if (first >= 0 && act >= first && act < first + m->actuator_actnum[k]) {
      actuator = k;
    }
  }
  const char* known = mj_id2name(m, mjOBJ_ACTUATOR, actuator);
  if (known && *known) {
    snprintf(text, NAME_SIZE, "%s %s", is_control ? "control" : "activation", known);
  } else {
    snprintf(text, NAME_SIZE, "%s %d", is_control ? "control" : "activation", actuator);
  }
}

// output

static int print_text(FILE* file, const Matrices* of, const mjModel* m) {
  char name[NAME_SIZE];
  int columns = of->rows + of->controls;
  fprintf(file, "next state by state (A, %d x %d) | by controls (B, %d x %d)\n", of->rows, of->rows,
          of->rows, of->controls);
  for (int i = 0; i < of->rows; i++) {
    input_name(name, m, i);
    fprintf(file, "%-24s", name);
    for (int j = 0; j < columns; j++) {
      fprintf(file, "%s %11.5g", j == of->rows ? " |" : "", entry(of, i, j));
    }
    fputc('\n', file);
  }
  return !ferror(file);
}

// A quoted name for CSV; quotes inside are doubled.
static void print_quoted(FILE* file, const char* text) {
  fputc('"', file);
  for (; *text; text++) {
    fputs(*text == '"' ? "\"\"" : (char[2]){*text, 0}, file);
  }
  fputc('"', file);
}

static int print_csv(FILE* file, const Matrices* of, const mjModel* m) {
  char name[NAME_SIZE];
  int columns = of->rows + of->controls;
  print_quoted(file, "next");
  for (int j = 0; j < columns; j++) {
    input_name(name, m, j);
    fputc(',', file);
    print_quoted(file, name);
  }
  fputc('\n', file);
  for (int i = 0; i < of->rows; i++) {
    input_name(name, m, i);
    print_quoted(file, name);
    for (int j = 0; j < columns; j++) {
      fprintf(file, ",%.17g", entry(of, i, j));
    }
    fputc('\n', file);
  }
  return !ferror(file);
}

// NumPy's format, version 1.0: magic, version, length of the header (little-endian), a header
// padded so that the numbers begin at a multiple of 64, the numbers.
static int print_npy(FILE* file, const Matrices* of, const mjModel* m) {
  (void)m;
  char header[118];
  int columns = of->rows + of->controls;
  snprintf(header, sizeof header, "{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }",
           of->rows, columns);
  fwrite("\x93NUMPY\x01\x00\x76\x00", 1, 10, file);
  fprintf(file, "%-117s\n", header);
  for (int i = 0; i < of->rows; i++) {
    for (int j = 0; j < columns; j++) {
      double value = entry(of, i, j);
      unsigned long long bits;
      memcpy(&bits, &value, sizeof bits);
      for (int k = 0; k < 8; k++) {
        fputc((int)(bits >> 8 * k & 255), file);
      }
    }
  }
  return !ferror(file);
}

static int write_file(const char* path, const Matrices* of, const mjModel* m) {
  int is_npy = ends_with(path, ".npy");
  cndOutput out;
  int ok = cnd_openOutput(&out, path) && (is_npy ? print_npy : print_csv)(out.file, of, m);
  if (!cnd_closeOutput(&out, ok) || !ok) {
    return tell_unwritten(path, out.reason ? out.reason : EIO);
  }
  return STATUS_OK;
}

// comparison

// Prints where centered differences differ most from the matrices, relative to the largest entry of
// the row.
static int compare(const Matrices* exact, const mjModel* m, mjData* d) {
  // step width: a compromise between curvature and rounding
  const mjtNum width = (mjtNum)(sizeof(mjtNum) == sizeof(double) ? 1e-6 : 3e-3);
  Matrices fd;
  if (!make(&fd, m)) {
    discard(&fd);
    fprintf(stderr, "condyle derive: no memory for the differences\n");
    return STATUS_FAILED;
  }
  mjd_transitionFD(m, d, width, 1, fd.A, fd.B, NULL, NULL);
  int row = 0, column = 0, columns = exact->rows + exact->controls;
  double worst = -1;
  for (int i = 0; i < exact->rows; i++) {
    double size = 1e-300;
    // no fmax, at which GCC 12 for arm64 breaks down
    for (int j = 0; j < columns; j++) {
      double value = fabs(entry(exact, i, j));
      size = value > size ? value : size;
    }
    for (int j = 0; j < columns; j++) {
      double gap = fabs(entry(exact, i, j) - entry(&fd, i, j)) / size;
      if (!(gap <= worst)) {
        worst = gap;
        row = i;
        column = j;
      }
    }
  }
  char of[NAME_SIZE], by[NAME_SIZE];
  input_name(of, m, row);
  input_name(by, m, column);
  printf("differences of width %g agree within %.2g of the largest entry of a row\n", (double)width,
         worst);
  printf("worst: next %s by %s: exact %.10g, difference %.10g\n", of, by, entry(exact, row, column),
         entry(&fd, row, column));
  discard(&fd);
  return STATUS_OK;
}

static int derive(const void* given, mjModel* m, mjData* d) {
  const Options* options = given;
  Matrices of;
  if (!m->nv && !m->na) {
    return usage_error("derive", "nothing moves in %s", options->model);
  }
  int status = STATUS_OK, has_room = make(&of, m);
  if (!has_room) {
    discard(&of);
    fprintf(stderr, "condyle derive: no memory for %d x %d numbers\n", of.rows, of.rows);
    return STATUS_FAILED;
  }
  if (options->check) {
    m->opt.tolerance = 0;  // differences of inexact solutions are noise
  }
  int kinks = cnd_transitionExact(m, d, of.A, of.B, NULL, NULL);
  if (kinks) {
    fprintf(stderr, "the state is at %d kinks: there the derivative is that of one side\n", kinks);
  }
  if (options->out) {
    status = write_file(options->out, &of, m);
  } else if (!options->check) {
    print_text(stdout, &of, m);
  }
  if (status == STATUS_OK && options->check) {
    status = compare(&of, m, d);
  }
  discard(&of);
  return status;
}

static int read_options(Options* options, int argc, char** argv) {
  *options = (Options){0};
  const Option known[] = {{"--key", take_text, &options->key},
                          {"--out", take_text, &options->out},
                          {"--check", NULL, &options->check}};
  int count = sizeof known / sizeof *known;
  int status = parse_options(&options->model, NULL, "derive", known, count, argc, argv);
  if (status == STATUS_OK && options->out && !ends_with(options->out, ".csv") &&
      !ends_with(options->out, ".npy")) {
    return usage_error("derive", "--out must end in .csv or .npy, not '%s'", options->out);
  }
  return status;
}

int command_derive(int argc, char** argv) {
  Options options;
  int status = read_options(&options, argc, argv);
  if (status != STATUS_OK) {
    return status;
  }
  const Work work = {
      .command = "derive", .model = options.model, .out = options.out, .key = options.key};
  return work_on_model(&work, derive, &options);
}
