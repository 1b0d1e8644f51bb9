// layout.h: where entries of the metric stand in efm_K_val and cnd_efm_L.

#pragma once

#include <mujoco/mjdata.h>

#include "smooth/ldl.h"

// What is called for rows that may couple dofs. Columns NULL: the row is dense; else values may be
// NULL.
typedef void MetricVisitor(void* arg, const mjtNum* value, const int* column, int n);

// Values of efm_active: rows are paths from the root, or the ends of paths, as those of flexes,
// whose paths are long.
enum {
  METRIC_WHOLE = 1,
  METRIC_CUT
};

// The pattern of the metric.
static inline TreePattern metric_tree(const mjModel* m, const mjData* d) {
  int is_cut = d->efm_active == METRIC_CUT;
  return (TreePattern){m->nv, d->efm_K_rownnz, d->efm_K_rowadr, d->efm_K_colind, 0, is_cut};
}

// Depths of all dofs, with which the entry of an ancestor in a row is metric_row(...)[depth of it].
static inline void metric_depths(int* depth, const mjModel* m, const mjData* d) {
  for (int i = 0; i < m->nv; i++) {
    int n = d->efm_K_rownnz[i];
    depth[i] = n > 1 ? depth[d->efm_K_colind[d->efm_K_rowadr[i] + n - 2]] + 1 : 0;
  }
}

static inline mjtNum* metric_row(mjtNum* value, const mjData* d, const int* depth, int row) {
  return value + d->efm_K_rowadr[row] + d->efm_K_rownnz[row] - 1 - depth[row];
}
