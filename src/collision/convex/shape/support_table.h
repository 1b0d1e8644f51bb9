// support_table.h: for every direction the few vertices of a convex polytope that can be the
// highest along it.
//
// Directions are points of a cube, whose faces are cut into cells. A cell lists the vertices that
// are the highest, or lower by no more than a band, along some direction in it. Making a table
// costs as much as some thousand searches, so it is made once for many worlds, where a step's own
// copies (support_cache.h) are made anew each time. A search looks at 4 to 10 vertices, whatever
// their number.
//
//        +---+---+---+---+
//        |   |   |   |   |     the face x = 1 of the cube, cells of (y, z);
//        +---+---+---+---+     a cell: 17, 18, 40, 41
//        |   |   | * |   |
// A climb over the hull may end at another vertex than the highest where rounding has dented the
// hull: only along directions near the normals of faces that meet in a dent. Their cells are
// marked; everywhere else a climb from any vertex ends at the highest one.
//                                                       theory/contact/convex.md, Support functions

#pragma once

#include <math.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"

typedef struct SupportTable {
  int side;               // cells along an edge of the cube
  const int* first;       // of each cell, in `vertex`; one more at the end
  const int* vertex;      // those of cells, one after another
  const float* point;     // coordinates of all vertices, four numbers each; the fourth is 0
  unsigned char* dented;  // whether a cell is near a dent
} SupportTable;

// Makes the table of n points (three numbers each). band: heights that count as equal, relative to
// the largest coordinate. NULL if memory runs out. Freed as one block by mju_free.
SupportTable* support_table_make(const float* point, const int* id, int n, mjtNum band);

// Marks the cells of directions within a small angle of a unit vector.
void support_table_dent(SupportTable* t, const mjtNum normal[3], mjtNum angle);

// The cell of a direction of any length but 0.
INLINE int support_table_cell(const SupportTable* t, const mjtNum l[3]) {
  mjtNum x = mju_abs(l[0]), y = mju_abs(l[1]), z = mju_abs(l[2]);
  int k = x >= y ? (x >= z ? 0 : 2) : (y >= z ? 1 : 2);
  mjtNum scale = (mjtNum)0.5 * (mjtNum)t->side / (k == 0 ? x : k == 1 ? y : z);
  mjtNum half = (mjtNum)0.5 * (mjtNum)t->side;
  int i = (int)(half + scale * l[k == 2 ? 0 : k + 1]),
      j = (int)(half + scale * l[k == 0 ? 2 : k - 1]);
  i = int_min(i, t->side - 1);
  j = int_min(j, t->side - 1);
  return ((2 * k + (l[k] < 0)) * t->side + i) * t->side + j;
}

// The highest vertex along l, and how much higher it is than the next one; dented: whether a climb
// may end elsewhere. -1 for a direction that is none.
INLINE int support_table_highest(mjtNum* lead, int* dented, const SupportTable* t,
                                 const mjtNum l[3]) {
  mjtNum size = mju_abs(l[0]) + mju_abs(l[1]) + mju_abs(l[2]);
  *lead = 0;
  *dented = 0;
  if (!(size > (mjtNum)1e-10 && size < (mjtNum)1e10)) {
    return -1;
  }
  int cell = support_table_cell(t, l), best = -1;
  mjtNum first = -INFINITY, second = -INFINITY;
  for (int i = t->first[cell]; i < t->first[cell + 1]; i++) {
    int id = t->vertex[i];
    const float* v = t->point + 4 * (size_t)id;
    mjtNum h = l[0] * v[0] + l[1] * v[1] + l[2] * v[2];
    // no branches, which compilers make of choices: they would be mispredicted
    best ^= (best ^ id) & -(h > first);
    second = num_max(second, num_min(first, h));
    first = num_max(first, h);
  }
  *lead = first - second;
  *dented = t->dented[cell];
  return best;
}
