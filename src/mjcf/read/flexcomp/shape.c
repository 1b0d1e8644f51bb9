// shape.c: makes lattices of points, and shapes that are deformed lattices.
//                                                    theory/smooth/deformables.md, Generated flexes
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/algebra/pose.h"
#include "mjcf/read/flexcomp/flexcomp.h"
#include "spec/vector.h"

void flexcomp_addpoint(Flexcomp* comp, double x, double y, double z) {
  double* point = doubles_push(&comp->point, 3);
  point[0] = x;
  point[1] = y;
  point[2] = z;
}

void flexcomp_addelement(Flexcomp* comp, const int* vertex, int n) {
  memcpy(ints_push(&comp->element, (size_t)n), vertex, (size_t)n * sizeof(int));
}

static void add_texcoord(Flexcomp* comp, double u, double v) {
  if (comp->textured) {
    float* pair = floats_push(&comp->texcoord, 2);
    pair[0] = (float)u;
    pair[1] = (float)v;
  }
}

// Coordinate of a lattice point along an axis, for a lattice centred at 0.
static double along(const Flexcomp* comp, int axis, int i) {
  return comp->spacing[axis] * (i - 0.5 * (comp->count[axis] - 1));
}

// Index of a lattice point along an axis as a fraction, 0 to 1.
static double fraction(const Flexcomp* comp, int axis, int i) {
  return (float)i / (float)(comp->count[axis] > 1 ? comp->count[axis] - 1 : 1);
}

// lines

static void make_line(Flexcomp* comp) {
  for (int i = 0; i < comp->count[0]; i++) {
    flexcomp_addpoint(comp, along(comp, 0, i), 0, 0);
    if (i) {
      flexcomp_addelement(comp, (const int[]){i - 1, i}, 2);
    }
  }
}

// Makes a closed polygon whose sides have the length of the spacing.
static void make_circle(Flexcomp* comp) {
  int n = comp->count[0] - 1;
  double theta = 2 * mjPI / n, radius = comp->spacing[0] / sin(theta / 2) / 2;
  for (int i = 0; i < n; i++) {
    flexcomp_addpoint(comp, radius * cos(theta * i), radius * sin(theta * i), 0);
    flexcomp_addelement(comp, (const int[]){i, i == n - 1 ? 0 : i + 1}, 2);
  }
}

// sheets

// Makes two triangles per cell. A cell with corners a, b, c, d is cut along a c, or in a disc along
// b d where a c would point away from the center.
static void make_sheet(Flexcomp* comp) {
  int n = comp->count[1], disc = comp->type == FLEXCOMP_DISC;
  for (int ix = 0; ix < comp->count[0]; ix++) {
    for (int iy = 0; iy < n; iy++) {
      double x = along(comp, 0, ix), y = along(comp, 1, iy);
      flexcomp_addpoint(comp, x, y, 0);
      add_texcoord(comp, fraction(comp, 0, ix), fraction(comp, 1, iy));
      if (ix == comp->count[0] - 1 || iy == n - 1) {
        continue;
      }
      int a = ix * n + iy, b = a + n, c = b + 1, d = a + 1;
      int turned = disc && ((x < -POSE_EPS && y > -POSE_EPS) || (x > -POSE_EPS && y < -POSE_EPS));
      flexcomp_addelement(comp, turned ? (const int[]){a, b, d} : (const int[]){a, b, c}, 3);
      flexcomp_addelement(comp, turned ? (const int[]){b, c, d} : (const int[]){a, c, d}, 3);
    }
  }
}

// Deforms squares to circles. A point keeps its direction; its larger coordinate gives the radius.
static void round_sheet(Flexcomp* comp) {
  double size[2] = {along(comp, 0, comp->count[0] - 1), along(comp, 1, comp->count[1] - 1)};
  for (size_t i = 0; i < comp->point.num; i += 3) {
    double* p = comp->point.ptr + i;
    double out = fmax(fabs(p[0]), fabs(p[1]));
    pose_normalize(p, 2);
    p[0] *= size[0] * out;
    p[1] *= size[1] * out;
  }
}

// blocks

// Makes six tetrahedra around the diagonal of each cell.
static void make_block(Flexcomp* comp) {
  static const int cut[6][4] = {{0, 3, 1, 7}, {0, 1, 4, 7}, {1, 3, 2, 7},
                                {1, 2, 6, 7}, {1, 5, 4, 7}, {1, 6, 5, 7}};
  int ny = comp->count[1], nz = comp->count[2];
  for (int ix = 0; ix < comp->count[0]; ix++) {
    for (int iy = 0; iy < ny; iy++) {
      for (int iz = 0; iz < nz; iz++) {
        flexcomp_addpoint(comp, along(comp, 0, ix), along(comp, 1, iy), along(comp, 2, iz));
        add_texcoord(comp, fraction(comp, 0, ix), fraction(comp, 1, iy));
        if (ix == comp->count[0] - 1 || iy == ny - 1 || iz == nz - 1) {
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
          flexcomp_addelement(comp, vertex, 4);
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
  Flexcomp* comp;
  int first;  // index of the first point on the shell
} Shell;

// Index of the point at a lattice position on the shell.
static int shell_point(const Shell* shell, int ix, int iy, int iz) {
  const int* n = shell->comp->count;
  int closed = shell->comp->dim == 3;
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

static void bend_point(const Flexcomp* comp, double u[3]) {
  double out = fmax(fabs(u[0]), fabs(u[1]));
  if (comp->type == FLEXCOMP_CYLINDER) {
    pose_normalize(u, 2);
    u[0] *= out;
    u[1] *= out;
  } else if (comp->type == FLEXCOMP_ELLIPSOID) {
    pose_normalize(u, 3);
  }
}

// Adds a point of the shell. a and b are the axes of its side.
static void add_shellpoint(Flexcomp* comp, int ix, int iy, int iz, int a, int b) {
  const int at[3] = {ix, iy, iz};
  double u[3];
  for (int k = 0; k < 3; k++) {
    u[k] = 2.0 * at[k] / (comp->count[k] - 1) - 1;
  }
  bend_point(comp, u);
  for (int k = 0; k < 3; k++) {
    u[k] *= 0.5 * comp->spacing[k] * (comp->count[k] - 1);
  }
  flexcomp_addpoint(comp, u[0], u[1], u[2]);
  add_texcoord(comp, fraction(comp, a, at[a]), fraction(comp, b, at[b]));
}

static void add_shellpoints(Flexcomp* comp) {
  const int* n = comp->count;
  int closed = comp->dim == 3, top = closed ? n[2] - 2 : n[2] - 1;
  for (int side = 0; side <= closed; side++) {
    for (int ix = 0; ix < n[0]; ix++) {
      for (int iy = 0; iy < n[1]; iy++) {
        add_shellpoint(comp, ix, iy, side ? n[2] - 1 : 0, 0, 1);
      }
    }
  }
  for (int side = 0; side < 2; side++) {
    for (int ix = 0; ix < n[0]; ix++) {
      for (int iz = 1; iz <= top; iz++) {
        add_shellpoint(comp, ix, side ? n[1] - 1 : 0, iz, 0, 2);
      }
    }
  }
  for (int side = 0; side < 2; side++) {
    for (int iy = 1; iy < n[1] - 1; iy++) {
      for (int iz = 1; iz <= top; iz++) {
        add_shellpoint(comp, side ? n[0] - 1 : 0, iy, iz, 1, 2);
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
  Flexcomp* comp = shell->comp;
  const int *v = corner, a = v[0], b = v[1], c = v[2], d = v[3];
  if (comp->dim == 3) {
    flexcomp_addelement(comp, (const int[]){0, a, b, c}, 4);
    flexcomp_addelement(comp, (const int[]){0, a, d, c}, 4);
  } else if (axis == 2) {
    flexcomp_addelement(comp, (const int[]){a, c, b}, 3);
    flexcomp_addelement(comp, (const int[]){a, d, c}, 3);
  } else if ((axis == 1) != upper) {
    flexcomp_addelement(comp, (const int[]){a, b, c}, 3);
    flexcomp_addelement(comp, (const int[]){a, c, d}, 3);
  } else {
    flexcomp_addelement(comp, (const int[]){b, a, d}, 3);
    flexcomp_addelement(comp, (const int[]){b, d, c}, 3);
  }
}

static void make_shell(Flexcomp* comp) {
  Shell shell = {comp, comp->dim == 3};
  if (comp->dim == 3) {
    flexcomp_addpoint(comp, 0, 0, 0);
    add_texcoord(comp, 0, 0);
  }
  add_shellpoints(comp);
  for (int axis = 2; axis >= 0; axis--) {
    int a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
    for (int upper = 0; upper < 2; upper++) {
      if (axis == 2 && upper && comp->dim == 2) {
        continue;
      }
      for (int i = 0; i < comp->count[a] - 1; i++) {
        for (int j = 0; j < comp->count[b] - 1; j++) {
          int corner[4];
          side_corners(corner, &shell, axis, upper ? comp->count[axis] - 1 : 0, i, j);
          add_cell(&shell, axis, upper, corner);
        }
      }
    }
  }
}

// all shapes

static int is_shell(FlexcompType type) {
  return type == FLEXCOMP_BOX || type == FLEXCOMP_CYLINDER || type == FLEXCOMP_ELLIPSOID;
}

// Does count fit the shape? The product of counts is checked after each factor.
static int check_count(const Flexcomp* comp, char* error, size_t error_size) {
  double all = 1;
  int sheet = comp->dim == 2 && !is_shell(comp->type);
  for (int k = 0; k < 3; k++) {
    all *= comp->count[k];
    if (is_shell(comp->type) && comp->count[k] < 2) {
      snprintf(error, error_size, "count must be at least 2 along every axis of this type");
      return 0;
    }
  }
  if (8 * all > FLEXCOMP_MAX) {
    snprintf(error, error_size, "too many points: count is %d x %d x %d", comp->count[0],
             comp->count[1], comp->count[2]);
    return 0;
  }
  if (sheet && comp->count[2] != 1) {
    snprintf(error, error_size, "the third count of a sheet must be 1, it is %d", comp->count[2]);
    return 0;
  }
  if (comp->type == FLEXCOMP_CIRCLE && comp->dim == 1 && comp->count[0] < 3) {
    snprintf(error, error_size, "a circle needs a count of at least 3, it is %d", comp->count[0]);
    return 0;
  }
  return 1;
}

int flexcomp_shape(Flexcomp* comp, char* error, size_t error_size) {
  if (!check_count(comp, error, error_size)) {
    return 0;
  }
  if (is_shell(comp->type)) {
    if (comp->dim == 1) {
      snprintf(error, error_size, "this type has dim 2 or 3");
      return 0;
    }
    make_shell(comp);
  } else if (comp->dim == 1) {
    (comp->type == FLEXCOMP_CIRCLE ? make_circle : make_line)(comp);
  } else if (comp->dim == 2) {
    make_sheet(comp);
    if (comp->type == FLEXCOMP_DISC) {
      round_sheet(comp);
    }
  } else {
    make_block(comp);
  }
  return 1;
}
