// octree.c: makes an octree around a mesh, with fine cells near the surface and coarse ones away
// from it. Cells have the signed distance at their corners and interpolate it between
// (theory/model/meshes.md, Octree).
//
// A cell with a triangle in it is cut in eight, down to the depth that the mesh asks for. Then
// cells are cut until visited face neighbours differ by at most one level. Every cell belongs to a
// grid with 2^level cells per side, and every corner is a point of the finest grid. So a cell is
// found by its level and integer position, a corner by its integer position:
//
//     4-------5-------+
//     | 2   3 |       |     A corner inside a side of a larger neighbour (o) hangs: the neighbour
//     |   o   o       |     does not know it, so its value is the mean of the ends of that side.
//     +---+---o       |     Distances are continuous then.
//     | 0 | 1 |       |
//     +---+---+-------+     Of the eight subcells, bit 0, 1, 2 is the upper half in x, y, z.
#include <math.h>
#include <mujoco/mjtnum.h>
#include <string.h>

#include "base/memory/memory.h"
#include "compile/mesh/signed_distance.h"
#include "compile/mesh/steps.h"

enum {
  MOST_POINTS = (1 << OCT_MOST_DEPTH) + 1,  // of the finest grid along a side
};

typedef struct Cell_ {
  unsigned char level;
  unsigned char at[3];  // position in the grid of its level
  int child;            // first of eight children, -1 for a leaf
} Cell;

typedef struct Octree_ {
  int depth;
  int nside, npoint;             // cells and points of the finest grid along a side
  size_t nslot, ncorner;         // cells of all grids, points of the finest one
  double place[3][MOST_POINTS];  // coordinates of the finest grid's points, by axis
  int* cell_at;                  // cell by level and position, -1 if none     (nslot)
  Cell* cell;                    //                                            (nslot)
  int ncell;
  int* hang;  // larger cell on whose side the corner hangs, -1 if none     (ncorner)
} Octree;

// Index of a cell among the cells of all grids.
static int slot_of(int level, const int at[3]) {
  int first = ((1 << 3 * level) - 1) / 7;
  return first + (((at[2] << level) + at[1]) << level) + at[0];
}

// Sets the coordinates of grid points. The grid is 10% larger than the mesh about its center.
// Coordinates come from repeated halving, never from multiplication, so all cells agree on their
// corners.
static void set_places(double* place, int nside, double lower, double upper) {
  double center = (lower + upper) / 2, half = (upper - lower) / 2 * 1.1;
  place[0] = center - half;
  place[nside] = center + half;
  for (int step = nside; step > 1; step /= 2) {
    for (int i = 0; i < nside; i += step) {
      place[i + step / 2] = (place[i] + place[i + step]) / 2;
    }
  }
}

// surface

// 1 if triangle v meets the box at lo with sides s; touching counts.
// Schwarz, Seidel, "Fast parallel surface and solid voxelization on GPUs", 2010: the box meets the
// triangle's plane, and their projections along each axis meet.
static int overlaps(const double lo[3], const double s[3], const double* v[3]) {
  double e[3][3];
  for (int k = 0; k < 3; k++) {
    if ((v[0][k] < lo[k] && v[1][k] < lo[k] && v[2][k] < lo[k]) ||
        (v[0][k] > lo[k] + s[k] && v[1][k] > lo[k] + s[k] && v[2][k] > lo[k] + s[k])) {
      return 0;
    }
    for (int i = 0; i < 3; i++) {
      e[i][k] = v[(i + 1) % 3][k] - v[i][k];
    }
  }
  double n[3], near = 0, far = 0;
  pose_cross(n, e[0], e[1]);
  for (int k = 0; k < 3; k++) {
    double c = n[k] > 0 ? s[k] : 0;
    near += n[k] * (lo[k] + c - v[0][k]);
    far += n[k] * (lo[k] + (s[k] - c) - v[0][k]);
  }
  if (near * far > 0) {
    return 0;
  }
  for (int k = 0; k < 3; k++) {
    int a = (k + 1) % 3, b = (k + 2) % 3;
    double sign = n[k] < 0 ? -1 : 1;
    for (int i = 0; i < 3; i++) {
      double ma = -sign * e[i][b], mb = sign * e[i][a];
      double d = ma * (lo[a] - v[i][a]) + mb * (lo[b] - v[i][b]);
      if (d + fmax(0, s[a] * ma) + fmax(0, s[b] * mb) < 0) {
        return 0;
      }
    }
  }
  return 1;
}

// The state of the descent through grids. For each level it holds the triangles that meet a cell,
// selected from those of the parent.
typedef struct Descent_ {
  const Octree* tree;
  const double* point;
  const int* face;
  unsigned char* meets;  // by slot_of, levels below the last
  int* list[OCT_MOST_DEPTH + 1];
} Descent;

static void descend(Descent* w, int level, const int at[3], int ncandidate) {
  double lo[3], s[3];
  int step = w->tree->nside >> level, n = 0;
  for (int k = 0; k < 3; k++) {
    const double* place = w->tree->place[k] + at[k] * step;
    lo[k] = place[0];
    s[k] = place[step] - place[0];
  }
  int last = level == w->tree->depth - 1;
  for (int i = 0; i < ncandidate && !(last && n); i++) {
    const int* f = w->face + 3 * (size_t)w->list[level][i];
    const double* v[3] = {w->point + 3 * (size_t)f[0], w->point + 3 * (size_t)f[1],
                          w->point + 3 * (size_t)f[2]};
    if (overlaps(lo, s, v)) {
      w->list[level + 1][n++] = w->list[level][i];
    }
  }
  w->meets[slot_of(level, at)] = n > 0;
  for (int j = 0; j < 8 && n && !last; j++) {
    int sub[3] = {2 * at[0] + (j & 1), 2 * at[1] + (j >> 1 & 1), 2 * at[2] + (j >> 2)};
    descend(w, level + 1, sub, n);
  }
}

// Marks the cells that triangles meet.
static void mark(unsigned char* meets, const Octree* tree, const double* point, const int* face,
                 int nface) {
  Descent w = {.tree = tree, .point = point, .face = face, .meets = meets};
  for (int i = 0; i <= tree->depth; i++) {
    w.list[i] = heap_take(((size_t)nface + 1) * sizeof(int));
  }
  for (int i = 0; i < nface; i++) {
    w.list[0][i] = i;
  }
  descend(&w, 0, (int[3]){0, 0, 0}, nface);
  for (int i = 0; i <= tree->depth; i++) {
    heap_free(w.list[i]);
  }
}

// cells

static void add_cell(Octree* tree, int level, const int at[3]) {
  Cell* cell = tree->cell + tree->ncell;
  *cell = (Cell){.level = (unsigned char)level, .child = -1};
  for (int k = 0; k < 3; k++) {
    cell->at[k] = (unsigned char)at[k];
  }
  tree->cell_at[slot_of(level, at)] = tree->ncell++;
}

static void split(Octree* tree, int i) {
  const Cell cell = tree->cell[i];
  if (cell.child >= 0) {
    return;
  }
  tree->cell[i].child = tree->ncell;
  for (int j = 0; j < 8; j++) {
    int at[3] = {2 * cell.at[0] + (j & 1), 2 * cell.at[1] + (j >> 1 & 1),
                 2 * cell.at[2] + (j >> 2)};
    add_cell(tree, cell.level + 1, at);
  }
}

// The leaf behind a side of a leaf, -1 outside of the grid. Of several leaves it is the one at the
// side's center, the lower one on a border.
static int neighbour(const Octree* tree, int i, int axis, int upper) {
  const Cell* leaf = tree->cell + i;
  int at[3] = {leaf->at[0], leaf->at[1], leaf->at[2]}, level = leaf->level, found;
  at[axis] += upper ? 1 : -1;
  if (at[axis] < 0 || at[axis] >= 1 << level) {
    return -1;
  }
  while ((found = tree->cell_at[slot_of(level, at)]) < 0) {
    level--;
    for (int k = 0; k < 3; k++) {
      at[k] /= 2;
    }
  }
  for (int first = 1; tree->cell[found].child >= 0; first = 0) {
    int j = 0;
    for (int k = 0; k < 3; k++) {
      j |= (k == axis ? !upper : !first) << k;
    }
    found = tree->cell[found].child + j;
  }
  return found;
}

// Splits cells until no visited cell is two levels above its neighbour.
static void balance(Octree* tree) {
  int* queue = heap_take(6 * tree->nslot * sizeof(int));
  int n = 1;
  while (n) {
    n = 0;
    for (int i = 0; i < tree->ncell; i++) {
      for (int side = 0; side < 6 && tree->cell[i].child < 0; side++) {
        int next = neighbour(tree, i, side / 2, side % 2);
        if (next >= 0 && tree->cell[next].level > tree->cell[i].level + 1) {
          queue[n++] = i;
        } else if (next >= 0 && tree->cell[i].level > tree->cell[next].level + 1) {
          queue[n++] = next;
        }
      }
    }
    for (int i = 0; i < n; i++) {
      split(tree, queue[i]);
    }
  }
  heap_free(queue);
}

// corners

static void corner_place(int out[3], const Octree* tree, int corner) {
  int npoint = tree->npoint;
  out[0] = corner % npoint;
  out[1] = corner / npoint % npoint;
  out[2] = corner / (npoint * npoint);
}

// Index of a cell's corner among the points of the finest grid. slot is 0..7 by the bits of
// subcells.
static int corner_of(const Octree* tree, int cell, int slot) {
  const Cell* c = tree->cell + cell;
  int corner = 0;
  for (int k = 2; k >= 0; k--) {
    corner = corner * tree->npoint + (c->at[k] + (slot >> k & 1)) * (tree->nside >> c->level);
  }
  return corner;
}

// For a hanging corner the 2 or 4 corners whose mean it takes. Returns their number, 0 if it does
// not hang.
static int ends_of(int end[4], const Octree* tree, int corner) {
  if (tree->hang[corner] < 0) {
    return 0;
  }
  const Cell* cell = tree->cell + tree->hang[corner];
  int at[3], n = 1, step = tree->nside >> cell->level, npoint = tree->npoint;
  corner_place(at, tree, corner);
  int low[3] = {at[0], at[1], at[2]}, stride = 1;
  int free_stride[3];
  int nfree = 0;
  for (int k = 0; k < 3; k++, stride *= npoint) {
    if (at[k] % step) {
      low[k] = cell->at[k] * step;
      free_stride[nfree++] = stride * step;
    }
  }
  end[0] = (low[2] * npoint + low[1]) * npoint + low[0];
  for (int f = 0; f < nfree; f++, n *= 2) {
    for (int i = 0; i < n; i++) {
      end[n + i] = end[i] + free_stride[f];
    }
  }
  return n;
}

// Finds hanging corners. The first leaf with a larger neighbour decides the side on which its
// corners hang.
static void hang(Octree* tree) {
  for (int i = 0; i < tree->ncell; i++) {
    for (int side = 0; side < 6 && tree->cell[i].child < 0; side++) {
      int axis = side / 2, upper = side % 2, next = neighbour(tree, i, axis, upper);
      if (next < 0 || tree->cell[next].level >= tree->cell[i].level) {
        continue;
      }
      for (int slot = 0; slot < 8; slot++) {
        int corner = corner_of(tree, i, slot), step = tree->nside >> tree->cell[next].level, at[3];
        corner_place(at, tree, corner);
        int own = at[0] % step == 0 && at[1] % step == 0 && at[2] % step == 0;
        if ((slot >> axis & 1) == upper && !own && tree->hang[corner] < 0) {
          tree->hang[corner] = next;
        }
      }
    }
  }
}

// the whole octree

static void build(Octree* tree, const Mesh* mesh, const double* point) {
  unsigned char* meets = heap_zero(tree->nslot, 1);
  memset(tree->cell_at, -1, tree->nslot * sizeof(int));
  memset(tree->hang, -1, tree->ncorner * sizeof(int));
  for (int k = 0; k < 3; k++) {
    set_places(tree->place[k], tree->nside, mesh->lower[k], mesh->upper[k]);
  }
  if (tree->depth) {
    mark(meets, tree, point, mesh->face, mesh->nface);
  }
  // Split cells with a triangle in them. Subcells are appended, so the loop reaches them too.
  add_cell(tree, 0, (int[3]){0, 0, 0});
  for (int i = 0; i < tree->ncell; i++) {
    const Cell* c = tree->cell + i;
    if (meets[slot_of(c->level, (int[3]){c->at[0], c->at[1], c->at[2]})]) {
      split(tree, i);
    }
  }
  balance(tree);
  hang(tree);
  heap_free(meets);
}

// Writes the cells in the form of mjModel: depth, subcells or -1, center and half sizes.
static void write_cells(Mesh* mesh, const Octree* tree) {
  size_t n = (size_t)tree->ncell;
  mesh->octdepth = mesh_take(n, sizeof(int));
  mesh->octchild = mesh_take(8 * n, sizeof(int));
  mesh->octaabb = mesh_take(6 * n, sizeof(mjtNum));
  mesh->octcoeff = mesh_take(8 * n, sizeof(mjtNum));
  mesh->noct = (int)n;
  for (size_t i = 0; i < n; i++) {
    const Cell* c = tree->cell + i;
    mesh->octdepth[i] = c->level;
    for (int k = 0; k < 8; k++) {
      mesh->octchild[8 * i + (size_t)k] = c->child < 0 ? -1 : c->child + k;
    }
    int step = tree->nside >> c->level;
    for (size_t k = 0; k < 3; k++) {
      const double* place = tree->place[k] + c->at[k] * step;
      mesh->octaabb[6 * i + k] = (mjtNum)((place[0] + place[step]) / 2);
      mesh->octaabb[6 * i + 3 + k] = (mjtNum)((place[step] - place[0]) / 2);
    }
  }
}

// Computes the distances at the corners of all cells, in order of depth, so that the ends of a side
// are known before a corner hangs on it.
static void set_coefficients(Mesh* mesh, double* value, const Octree* tree,
                             const SignedDistance* surface) {
  for (int depth = 0; depth <= tree->depth; depth++) {
    for (int i = 0; i < mesh->noct; i++) {
      for (int slot = 0; slot < 8 && mesh->octdepth[i] == depth; slot++) {
        int corner = corner_of(tree, i, slot), at[3], end[4];
        if (isnan(value[corner])) {
          int n = ends_of(end, tree, corner);
          double sum = 0;
          for (int k = 0; k < n; k++) {
            sum += value[end[k]];
          }
          corner_place(at, tree, corner);
          double p[3] = {tree->place[0][at[0]], tree->place[1][at[1]], tree->place[2][at[2]]};
          value[corner] = n ? sum / n : distance_at(surface, p);
        }
        mesh->octcoeff[8 * (size_t)i + (size_t)slot] = (mjtNum)value[corner];
      }
    }
  }
}

static Octree* make_octree(int depth) {
  Octree* tree = heap_zero(1, sizeof(Octree));
  tree->depth = depth;
  tree->nside = 1 << depth;
  tree->npoint = tree->nside + 1;
  tree->nslot = (((size_t)8 << 3 * depth) - 1) / 7;
  tree->ncorner = (size_t)tree->npoint * (size_t)tree->npoint * (size_t)tree->npoint;
  tree->cell_at = heap_take(tree->nslot * sizeof(int));
  tree->cell = heap_take(tree->nslot * sizeof(Cell));
  tree->hang = heap_take(tree->ncorner * sizeof(int));
  return tree;
}

static void free_octree(Octree* tree) {
  heap_free(tree->cell_at);
  heap_free(tree->cell);
  heap_free(tree->hang);
  heap_free(tree);
}

void mesh_addoctree(Mesh* mesh, const double* point, int depth) {
  BvhNodes nodes = {mesh->bvhdepth, mesh->bvhchild, mesh->bvhnodeid, mesh->bvhaabb};
  Octree* tree = make_octree(depth);
  double* value = heap_take(tree->ncorner * sizeof(double));
  for (size_t i = 0; i < tree->ncorner; i++) {
    value[i] = NAN;
  }
  build(tree, mesh, point);
  write_cells(mesh, tree);
  SignedDistance* surface = distance_make(point, mesh->nvert, mesh->face, mesh->nface, nodes);
  set_coefficients(mesh, value, tree, surface);
  free_octree(tree);
  heap_free(value);
  distance_free(surface);
}
