// whitened.c: writes half rows row by row.

#include "constraint/rows/whitened.h"

#include <mujoco/api/model.h>

#include "base/algebra/vec.h"
#include "constraint/rows/storage.h"
#include "model/data/arena.h"
#include "model/data/jacobian.h"

// Marks the dofs of a sparse row of the Jacobian and their ancestors with the number of the row.
// Returns how many there are.
static int mark_dofs(int* mark, const mjModel* m, const mjData* d, int row) {
  int n = 0, adr = d->efc_J_rowadr[row];
  for (int k = adr; k < adr + d->efc_J_rownnz[row]; k++) {
    for (int dof = d->efc_J_colind[k]; dof >= 0 && mark[dof] != row; dof = m->dof_parentid[dof]) {
      mark[dof] = row;
      n++;
    }
  }
  return n;
}

// Marks no dof.
static void clear_marks(int* mark, int nv) {
  for (int i = 0; i < nv; i++) {
    mark[i] = -1;
  }
}

static int64_t count_entries(int* mark, const mjModel* m, const mjData* d) {
  int64_t n = 0;
  clear_marks(mark, m->nv);
  for (int i = 0; i < d->nefc; i++) {
    n += mark_dofs(mark, m, d, i);
  }
  return n;
}

// One row of a panel, whose dofs descend, at the marked dofs; ends at entry `end`.
static void put_sparse(mjData* d, const HalfPanel* panel, int lane, const int* mark, int end) {
  int row = panel->row + lane, to = end;
  for (int k = 0; k < panel->ndof; k++) {
    if (mark[panel->dof[k]] == row) {
      d->efc_Y[--to] = panel->value[k * SIMD_N + lane];
      d->efc_Y_colind[to] = panel->dof[k];
    }
  }
}

static void put_dense(mjData* d, const HalfPanel* panel, int lane, int nv) {
  mjtNum* row = d->efc_Y + (size_t)(panel->row + lane) * (size_t)nv;
  for (int k = 0; k < panel->ndof; k++) {
    row[panel->dof[k]] = panel->value[k * SIMD_N + lane];
  }
}

int whitened_write(const mjModel* m, mjData* d, const HalfRows* half, const RowBlocks* blocks) {
  int sparse = rows_are_sparse(m, d);
  int* mark = arena_int(d, m->nv);
  int64_t nY = sparse ? count_entries(mark, m, d) : (int64_t)d->nefc * m->nv;
  if (!storage_whitened(d, nY)) {
    return 0;
  }
  memset(d->efc_Y_rownnz, 0, (size_t)d->nefc * sizeof(int));
  memset(d->efc_Y_rowadr, 0, (size_t)d->nefc * sizeof(int));
  memset(d->efc_Y_colind, 0, (size_t)nY * sizeof(int));
  memset(d->efc_Y, 0, (size_t)nY * sizeof(mjtNum));
  clear_marks(mark, m->nv);
  int adr = 0;
  for (int p = 0; p < half->first[blocks->n]; p++) {
    const HalfPanel* panel = half->panel + p;
    for (int lane = 0; lane < panel->n; lane++) {
      if (!sparse) {
        put_dense(d, panel, lane, m->nv);
        continue;
      }
      int row = panel->row + lane, n = mark_dofs(mark, m, d, row);
      d->efc_Y_rownnz[row] = n;
      d->efc_Y_rowadr[row] = adr;
      adr += n;
      put_sparse(d, panel, lane, mark, adr);
    }
  }
  return 1;
}
