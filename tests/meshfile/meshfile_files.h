// meshfile_files.h: mesh files of tests, and numbers of what was read.

#pragma once

#include "meshfile/meshfile.h"
#include "support/near.h"
#include "support/test.h"

// Reads a text, or fails with the reader's message.
static inline MeshFile* read_text(const char* name, const char* text) {
  char error[300];
  MeshFile* file = meshfile_read(name, text, strlen(text), NULL, error, sizeof(error));
  if (!file) {
    fail_msg("%s", error);
  }
  return file;
}

// Expects that a file is refused with a message that holds `words`.
static inline void assert_refused_bytes(const char* name, const void* bytes, size_t size,
                                        const char* words) {
  char error[300];
  MeshFile* file = meshfile_read(name, bytes, size, NULL, error, sizeof(error));
  if (file) {
    meshfile_free(file);
    fail_msg("it was read, but should end in '%s'", words);
  }
  if (!strstr(error, words)) {
    fail_msg("'%s' does not hold '%s'", error, words);
  }
}

static inline void assert_refused(const char* name, const char* text, const char* words) {
  assert_refused_bytes(name, text, strlen(text), words);
}

// Sum of the areas of a part's triangles as a vector: the side to which it looks, too.
static inline void part_area(double out[3], const MeshPart* part) {
  memset(out, 0, 3 * sizeof(double));
  for (int i = 0; i < part->nface; i++) {
    const float* v[3];
    double a[3], b[3];
    for (int k = 0; k < 3; k++) {
      v[k] = part->vert + 3 * part->face[3 * i + k];
    }
    for (int k = 0; k < 3; k++) {
      a[k] = (double)v[1][k] - v[0][k];
      b[k] = (double)v[2][k] - v[0][k];
    }
    for (int k = 0; k < 3; k++) {
      out[k] += (a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]) / 2;
    }
  }
}

static inline void assert_area(const MeshPart* part, double x, double y, double z) {
  double area[3];
  part_area(area, part);
  const double expected[3] = {x, y, z};
  for (int k = 0; k < 3; k++) {
    assert_near(area[k], expected[k], 1e-6);
  }
}

static inline void assert_floats(const float* numbers, int n, const double* expected) {
  assert_that(numbers != NULL, ==, 1);
  for (int i = 0; i < n; i++) {
    assert_near((double)numbers[i], expected[i], 1e-6);
  }
}
