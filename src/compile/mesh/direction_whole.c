// direction_whole.c: groups triangles by the cosine between their normals, so that faces are whole.
//
// A triangle joins the first group with n . n' > cos 0.0016, where n' is that of the group's first
// triangle. Groups are sorted by n', larger x first, then y, then z.
//                                                                  theory/model/meshes.md, Polygons
#include "compile/mesh/direction.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/memory/memory.h"
#include "compile/mesh/order.h"

// directions with a larger cosine, less than 0.0016 rad apart, count as equal
static const double same_cosine = 0.99999872;
static const double same_component = 1e-15;  // closer components are equal when groups are sorted

// so fine that few directions share a cell, so coarse that few are near a wall of their cell
static const double cells_per_unit = 64;

enum {
  CELL_BITS = 8,  // bits of a cell's index along an axis
};

// The direction of a group.
typedef struct Group_ {
  double normal[3];
  int sibling;  // another group whose direction is in the same cell, -1 at the end
} Group;

// A cell of directions.
typedef struct Cell_ {
  int index;  // packed from the indices along the axes, -1 if the place is free
  int group;  // the first group
} Cell;

typedef struct Work_ {
  Group* group;
  int ngroup;
  Cell* cell;    // cells with directions: a table at most half full
  size_t ncell;  // its capacity
} Work;

// Index of the cell of a coordinate, a function that never decreases.
static int cell_of(double x) {
  return (int)(x * cells_per_unit + (1 << (CELL_BITS - 1)));
}

// The place of a cell in the table, or the free place for it.
static Cell* find_cell(const Work* w, int x, int y, int z) {
  int index = (x << CELL_BITS | y) << CELL_BITS | z;
  size_t at = (size_t)(((uint64_t)index * 0x9E3779B97F4A7C15u) >> 32) & (w->ncell - 1);
  while (w->cell[at].index >= 0 && w->cell[at].index != index) {
    at = (at + 1) & (w->ncell - 1);
  }
  return w->cell + at;
}

// The first group with direction n, -1 if there is none. Equal directions differ by at most a
// chord, so they are in the cell of n or, near its walls, in the next one.
static int find_group(const Work* w, const double n[3], double chord) {
  int found = -1, low[3], high[3];
  for (int k = 0; k < 3; k++) {
    low[k] = cell_of(n[k] - chord);
    high[k] = cell_of(n[k] + chord);
  }
  for (int x = low[0]; x <= high[0]; x++) {
    for (int y = low[1]; y <= high[1]; y++) {
      for (int z = low[2]; z <= high[2]; z++) {
        const Cell* cell = find_cell(w, x, y, z);
        for (int g = cell->index < 0 ? -1 : cell->group; g >= 0; g = w->group[g].sibling) {
          const double* other = w->group[g].normal;
          double cosine = n[0] * other[0] + n[1] * other[1] + n[2] * other[2];
          if (cosine > same_cosine && (found < 0 || g < found)) {
            found = g;
          }
        }
      }
    }
  }
  return found;
}

static int add_group(Work* w, const double n[3]) {
  int g = w->ngroup++, x = cell_of(n[0]), y = cell_of(n[1]), z = cell_of(n[2]);
  Cell* cell = find_cell(w, x, y, z);
  w->group[g] = (Group){{n[0], n[1], n[2]}, cell->index < 0 ? -1 : cell->group};
  *cell = (Cell){(x << CELL_BITS | y) << CELL_BITS | z, g};
  return g;
}

// Order of groups: larger components first. Directions with equal components keep their order.
static int group_before(const void* context, int a, int b) {
  const Work* w = context;
  const double *x = w->group[a].normal, *y = w->group[b].normal;
  for (int k = 0; k < 3; k++) {
    double difference = x[k] - y[k];
    if (fabs(difference) > same_component) {
      return difference > 0;
    }
  }
  return a < b;
}

// Writes the groups in their order.
static void sort_groups(int* order, const Work* w) {
  size_t n = (size_t)w->ngroup;
  double* x = mesh_take(n, sizeof(double));
  OrderKey* key = mesh_take(2 * n, sizeof(OrderKey));
  for (size_t i = 0; i < n; i++) {
    x[i] = w->group[i].normal[0];
  }
  order_numbers(order, x, w->ngroup, key);
  for (int start = 0, end; start < w->ngroup; start = end) {
    end = order_runend(order, x, start, w->ngroup, same_component);
    order_merge(order + start, end - start, (int*)key, group_before, w);
  }
  heap_free(key);
  heap_free(x);
}

int directions_whole(int* group, int* order, const FaceNormal* facing, int nface) {
  const double chord = sqrt(2 * (1 - same_cosine)) * 1.001;
  Work w = {.ncell = 16};
  while (w.ncell < 2 * (size_t)nface) {
    w.ncell *= 2;
  }
  w.cell = mesh_take(w.ncell, sizeof(Cell));
  memset(w.cell, -1, w.ncell * sizeof(Cell));
  w.group = mesh_take((size_t)nface, sizeof(Group));
  for (int i = 0; i < nface; i++) {
    int g = find_group(&w, facing[i].normal, chord);
    group[i] = g < 0 ? add_group(&w, facing[i].normal) : g;
  }
  sort_groups(order, &w);
  heap_free(w.cell);
  heap_free(w.group);
  return w.ngroup;
}
