// grid.h: the samples of a height field, in the frame of its geom.
//
//    row      o---o---o---o  y = size_1      samples stand at the corners of cells;
//     |       | / | / | / |                  each cell is two triangles, cut from its lower left
//     0       o---o---o---o  y = -size_1     corner to its upper right one
//
//      column 0 ...                                      theory/contact/collision.md, Height fields

#pragma once

#include <mujoco/mjmodel.h>

#include "base/algebra/vec.h"

// Axis 0 is x, along the samples of a row; axis 1 is y.
typedef struct HfieldGrid {
  const mjtNum* size;  // half x, half y, height of a sample of 1, depth of the bottom
  const float* data;
  int num[2];      // samples of each axis, at least 2 for it to have cells
  mjtNum step[2];  // between samples
} HfieldGrid;

// The samples of a geom with a height field.
static inline HfieldGrid hfield_grid(const mjModel* m, int geom) {
  int id = m->geom_dataid[geom];
  const mjtNum* size = m->hfield_size + 4 * id;
  HfieldGrid g = {.size = size,
                  .data = m->hfield_data + m->hfield_adr[id],
                  .num = {m->hfield_ncol[id], m->hfield_nrow[id]}};
  for (int k = 0; k < 2; k++) {
    g.step[k] = 2 * size[k] / (mjtNum)(g.num[k] - 1);
  }
  return g;
}

static inline mjtNum hfield_height(const HfieldGrid* g, int column, int row) {
  return g->size[2] * (mjtNum)g->data[(size_t)row * (size_t)g->num[0] + (size_t)column];
}

// The position of a sample.
static inline void hfield_sample(mjtNum out[3], const HfieldGrid* g, int column, int row) {
  v3_set(out, g->step[0] * (mjtNum)column - g->size[0], g->step[1] * (mjtNum)row - g->size[1],
         hfield_height(g, column, row));
}

// Converts a position along an axis to a real-valued sample index.
static inline mjtNum hfield_coordinate(const HfieldGrid* g, int axis, mjtNum place) {
  return (place + g->size[axis]) / (2 * g->size[axis]) * (mjtNum)(g->num[axis] - 1);
}

// The cell of an axis that contains a sample index; indices beyond an end give the first or last
// cell.
static inline int hfield_cell(const HfieldGrid* g, int axis, mjtNum coordinate) {
  int last = g->num[axis] - 2;
  return !(coordinate > 0) ? 0 : coordinate < (mjtNum)last ? (int)coordinate : last;
}
