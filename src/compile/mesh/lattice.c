// lattice.c: makes lattices of points, and shapes that are deformed lattices.
//                                                    theory/smooth/deformables.md, Generated flexes
#include "compile/mesh/lattice.h"

#include <math.h>
#include <mujoco/mjmodel.h>
#include <stdio.h>
#include <string.h>

#include "base/algebra/elementary.h"
#include "base/algebra/pose.h"
#include "spec/vector.h"

static void add_point(Lattice* lattice, double x, double y, double z) {
  double* point = doubles_push(&lattice->point, 3);
  point[0] = x;
  point[1] = y;
  point[2] = z;
}

static void add_element(Lattice* lattice, const int* vertex, int n) {
  memcpy(ints_push(&lattice->element, (size_t)n), vertex, (size_t)n * sizeof(int));
}

static void add_texcoord(Lattice* lattice, double u, double v) {
  if (lattice->textured) {
    float* pair = floats_push(&lattice->texcoord, 2);
    pair[0] = (float)u;
    pair[1] = (float)v;
  }
}

// Coordinate of a lattice point along an axis, for a lattice centred at 0.
static double along(const Lattice* lattice, int axis, int i) {
  return lattice->spacing[axis] * (i - 0.5 * (lattice->count[axis] - 1));
}

// Index of a lattice point along an axis as a fraction, 0 to 1.
static double fraction(const Lattice* lattice, int axis, int i) {
  return (float)i / (float)(lattice->count[axis] > 1 ? lattice->count[axis] - 1 : 1);
}

// lines

static void make_line(Lattice* lattice) {
  for (int i = 0; i < lattice->count[0]; i++) {
    add_point(lattice, along(lattice, 0, i), 0, 0);
    if (i) {
      add_element(lattice, (const int[]){i - 1, i}, 2);
    }
  }
}

// Makes a closed polygon whose sides have the length of the spacing.
static void make_circle(Lattice* lattice) {
  int n = lattice->count[0] - 1;
  double theta = 2 * mjPI / n, radius = lattice->spacing[0] / portable_sin(theta / 2) / 2;
  for (int i = 0; i < n; i++) {
    add_point(lattice, radius * portable_cos(theta * i), radius * portable_sin(theta * i), 0);
    add_element(lattice, (const int[]){i, i == n - 1 ? 0 : i + 1}, 2);
  }
}

// sheets

// Makes two triangles per cell. A cell with corners a, b, c, d is cut along a c, or in a disc along
// b d where a c would point away from the center.
static void make_sheet(Lattice* lattice) {
  int n = lattice->count[1], disc = lattice->type == LATTICE_DISC;
  for (int ix = 0; ix < lattice->count[0]; ix++) {
    for (int iy = 0; iy < n; iy++) {
      double x = along(lattice, 0, ix), y = along(lattice, 1, iy);
      add_point(lattice, x, y, 0);
      add_texcoord(lattice, fraction(lattice, 0, ix), fraction(lattice, 1, iy));
      if (ix == lattice->count[0] - 1 || iy == n - 1) {
        continue;
      }
      int a = ix * n + iy, b = a + n, c = b + 1, d = a + 1;
      int turned = disc && ((x < -POSE_EPS && y > -POSE_EPS) || (x > -POSE_EPS && y < -POSE_EPS));
      add_element(lattice, turned ? (const int[]){a, b, d} : (const int[]){a, b, c}, 3);
      add_element(lattice, turned ? (const int[]){b, c, d} : (const int[]){a, c, d}, 3);
    }
  }
}

// Deforms squares to circles. A point keeps its direction; its larger coordinate gives the radius.
static void round_sheet(Lattice* lattice) {
  double size[2] = {along(lattice, 0, lattice->count[0] - 1),
                    along(lattice, 1, lattice->count[1] - 1)};
  for (size_t i = 0; i < lattice->point.num; i += 3) {
    double* p = lattice->point.ptr + i;
    double out = fmax(fabs(p[0]), fabs(p[1]));
    pose_normalize(p, 2);
    p[0] *= size[0] * out;
    p[1] *= size[1] * out;
  }
}

// blocks

// Makes six tetrahedra around the diagonal of each cell.
static void make_block(Lattice* lattice) {
  static const int cut[6][4] = {{0, 3, 1, 7}, {0, 1, 4, 7}, {1, 3, 2, 7},
                                {1, 2, 6, 7}, {1, 5, 4, 7}, {1, 6, 5, 7}};
  int ny = lattice->count[1], nz = lattice->count[2];
  for (int ix = 0; ix < lattice->count[0]; ix++) {
    for (int iy = 0; iy < ny; iy++) {
      for (int iz = 0; iz < nz; iz++) {
        add_point(lattice, along(lattice, 0, ix), along(lattice, 1, iy), along(lattice, 2, iz));
        add_texcoord(lattice, fraction(lattice, 0, ix), fraction(lattice, 1, iy));
        if (ix == lattice->count[0] - 1 || iy == ny - 1 || iz == nz - 1) {
          continue;
        }
        int a = (ix * ny + iy) * nz + iz, x = ny * nz, y = nz;
        const int corner[8] = {a,     a + x,     a + x + y,     a + y,
                               a + 1, a + x + 1, a + x + y + 1, a + y + 1};
        for (int t = 0; t < 6; t++) {
          int vertex[4];
          for (int k = 0; k < 4; k++) {
            vertex[k] = corner[cut[t][k]];
          }
          add_element(lattice, vertex, 4);
        }
      }
    }
  }
}

// shells

// The six sides of a lattice in the order bottom and top (z), then y, then x. A point on several
// sides belongs to the first. If there is no top (triangles), the other sides reach up to its
// place.
typedef struct Shell_ {
  Lattice* lattice;
  int first;  // index of the first point on the shell
} Shell;

// Index of the point at a lattice position on the shell.
static int shell_point(const Shell* shell, int ix, int iy, int iz) {
  const int* n = shell->lattice->count;
  int closed = shell->lattice->dim == 3;
  int tall = n[2] - 1 - closed, start = shell->first;
  if (iz == 0) {
    return start + ix * n[1] + iy;
  }
  start += n[0] * n[1];
  if (closed) {
    if (iz == n[2] - 1) {
      return start + ix * n[1] + iy;
    }
    start += n[0] * n[1];
  }
  if (iy == 0 || iy == n[1] - 1) {
    return start + (iy ? n[0] * tall : 0) + ix * tall + iz - 1;
  }
  start += 2 * n[0] * tall;
  return start + (ix ? (n[1] - 2) * tall : 0) + (iy - 1) * tall + iz - 1;
}

static void bend_point(const Lattice* lattice, double u[3]) {
  double out = fmax(fabs(u[0]), fabs(u[1]));
  if (lattice->type == LATTICE_CYLINDER) {
    pose_normalize(u, 2);
    u[0] *= out;
    u[1] *= out;
  } else if (lattice->type == LATTICE_ELLIPSOID) {
    pose_normalize(u, 3);
  }
}

// Adds a point of the shell. a and b are the axes of its side.
static void add_shellpoint(Lattice* lattice, int ix, int iy, int iz, int a, int b) {
  const int at[3] = {ix, iy, iz};
  double u[3];
  for (int k = 0; k < 3; k++) {
    u[k] = 2.0 * at[k] / (lattice->count[k] - 1) - 1;
  }
  bend_point(lattice, u);
  for (int k = 0; k < 3; k++) {
    u[k] *= 0.5 * lattice->spacing[k] * (lattice->count[k] - 1);
  }
  add_point(lattice, u[0], u[1], u[2]);
  add_texcoord(lattice, fraction(lattice, a, at[a]), fraction(lattice, b, at[b]));
}

static void add_shellpoints(Lattice* lattice) {
  const int* n = lattice->count;
  int closed = lattice->dim == 3, top = closed ? n[2] - 2 : n[2] - 1;
  for (int side = 0; side <= closed; side++) {
    for (int ix = 0; ix < n[0]; ix++) {
      for (int iy = 0; iy < n[1]; iy++) {
        add_shellpoint(lattice, ix, iy, side ? n[2] - 1 : 0, 0, 1);
      }
    }
  }
  for (int side = 0; side < 2; side++) {
    for (int ix = 0; ix < n[0]; ix++) {
      for (int iz = 1; iz <= top; iz++) {
        add_shellpoint(lattice, ix, side ? n[1] - 1 : 0, iz, 0, 2);
      }
    }
  }
  for (int side = 0; side < 2; side++) {
    for (int iy = 1; iy < n[1] - 1; iy++) {
      for (int iz = 1; iz <= top; iz++) {
        add_shellpoint(lattice, side ? n[0] - 1 : 0, iy, iz, 1, 2);
      }
    }
  }
}

// Corners of cell (i, j) on a side. `place` is the index along the side's axis; i and j run along
// the other axes.
static void side_corners(int corner[4], const Shell* shell, int axis, int place, int i, int j) {
  static const int step[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  int a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
  for (int k = 0; k < 4; k++) {
    int at[3];
    at[axis] = place;
    at[a] = i + step[k][0];
    at[b] = j + step[k][1];
    corner[k] = shell_point(shell, at[0], at[1], at[2]);
  }
}

// Adds two triangles per cell, or two tetrahedra with the center. Triangles on upright sides are
// oriented outside.
static void add_cell(const Shell* shell, int axis, int upper, const int corner[4]) {
  Lattice* lattice = shell->lattice;
  const int *v = corner, a = v[0], b = v[1], c = v[2], d = v[3];
  if (lattice->dim == 3) {
    add_element(lattice, (const int[]){0, a, b, c}, 4);
    add_element(lattice, (const int[]){0, a, d, c}, 4);
  } else if (axis == 2) {
    add_element(lattice, (const int[]){a, c, b}, 3);
    add_element(lattice, (const int[]){a, d, c}, 3);
  } else if ((axis == 1) != upper) {
    add_element(lattice, (const int[]){a, b, c}, 3);
    add_element(lattice, (const int[]){a, c, d}, 3);
  } else {
    add_element(lattice, (const int[]){b, a, d}, 3);
    add_element(lattice, (const int[]){b, d, c}, 3);
  }
}

static void make_shell(Lattice* lattice) {
  Shell shell = {lattice, lattice->dim == 3};
  if (lattice->dim == 3) {
    add_point(lattice, 0, 0, 0);
    add_texcoord(lattice, 0, 0);
  }
  add_shellpoints(lattice);
  for (int axis = 2; axis >= 0; axis--) {
    int a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
    for (int upper = 0; upper < 2; upper++) {
      if (axis == 2 && upper && lattice->dim == 2) {
        continue;
      }
      for (int i = 0; i < lattice->count[a] - 1; i++) {
        for (int j = 0; j < lattice->count[b] - 1; j++) {
          int corner[4];
          side_corners(corner, &shell, axis, upper ? lattice->count[axis] - 1 : 0, i, j);
          add_cell(&shell, axis, upper, corner);
        }
      }
    }
  }
}

// all shapes

static int is_shell(LatticeType type) {
  return type == LATTICE_BOX || type == LATTICE_CYLINDER || type == LATTICE_ELLIPSOID;
}

// Does count fit the shape? The product of counts is checked after each factor.
static int check_count(const Lattice* lattice, char* error, size_t error_size) {
  double all = 1;
  int sheet = lattice->dim == 2 && !is_shell(lattice->type);
  for (int k = 0; k < 3; k++) {
    all *= lattice->count[k];
    if (is_shell(lattice->type) && lattice->count[k] < 2) {
      snprintf(error, error_size, "count must be at least 2 along every axis of this type");
      return 0;
    }
  }
  if (8 * all > LATTICE_MAX) {
    snprintf(error, error_size, "too many points: count is %d x %d x %d", lattice->count[0],
             lattice->count[1], lattice->count[2]);
    return 0;
  }
  if (sheet && lattice->count[2] != 1) {
    snprintf(error, error_size, "the third count of a sheet must be 1, it is %d",
             lattice->count[2]);
    return 0;
  }
  if (lattice->type == LATTICE_CIRCLE && lattice->dim == 1 && lattice->count[0] < 3) {
    snprintf(error, error_size, "a circle needs a count of at least 3, it is %d",
             lattice->count[0]);
    return 0;
  }
  return 1;
}

int lattice_make(Lattice* lattice, char* error, size_t error_size) {
  if (!check_count(lattice, error, error_size)) {
    return 0;
  }
  if (is_shell(lattice->type)) {
    if (lattice->dim == 1) {
      snprintf(error, error_size, "this type has dim 2 or 3");
      return 0;
    }
    make_shell(lattice);
  } else if (lattice->dim == 1) {
    (lattice->type == LATTICE_CIRCLE ? make_circle : make_line)(lattice);
  } else if (lattice->dim == 2) {
    make_sheet(lattice);
    if (lattice->type == LATTICE_DISC) {
      round_sheet(lattice);
    }
  } else {
    make_block(lattice);
  }
  return 1;
}
