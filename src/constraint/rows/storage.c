// Allocation of the arrays of each block, measured and placed by the field lists of mjxmacro.h.
//                                                        theory/contact/constraints.md, Row storage

#include "constraint/rows/storage.h"

#include <limits.h>
#include <mujoco/api/model.h>
#include <mujoco/mjxmacro.h>
#include <string.h>

#include "constraint/law/cache.h"
#include "model/data/arena.h"

// the field lists of mjxmacro.h take sizes through MJ_M and MJ_D: read them from m and d
#undef MJ_M
#undef MJ_D
#define MJ_M(n) (int)m->n
#define MJ_D(n) d->n
#undef XNV
#define XNV X
#define LATER(release, absent, type, name, rows, columns, meaning) X(type, name, rows, columns)

// Clears rows and islands.
static void clear(mjData* d) {
#define X(type, name, rows, columns) d->name = NULL;
  MJDATA_ARENA_POINTERS_SOLVER
  MJDATA_ARENA_POINTERS_DUAL
  MJDATA_ARENA_POINTERS_ISLAND
  CND_DATA_ARENA_SINCE(LATER)
#undef X
  d->ne = d->nf = d->nl = d->nefc = d->nJ = d->nA = d->nY = 0;
  d->efm_active = d->nefmK = d->nefmT = d->nefmA = d->nefmdof = d->cnd_nefmL = 0;
  d->nisland = d->nidof = 0;
  arena_rewind(d, d->ncon * sizeof(mjContact));
  for (int i = 0; i < d->ncon; i++) {
    d->contact[i].efc_address = -1;
  }
}

void storage_clear(mjData* d) {
  // the arena must hold nothing but the contacts of collision detection
  if (d->parena != d->ncon * sizeof(mjContact)) {
    clear(d);
  }
  solver_cache_clear(d);
}

void storage_full(mjData* d) {
  mj_warning(d, mjWARN_CNSTRFULL, d->narena < INT_MAX ? (int)d->narena : INT_MAX);
  clear(d);
  solver_cache_clear(d);
}

// Arrays that follow each other in one block, which is taken when all of them are placed.
typedef struct {
  char* block;
  size_t bytes;  // of those so far
  int fits;      // no array has more elements than an int counts
} Arrays;

static Arrays begin(const mjData* d) {
  size_t padding = -((uintptr_t)d->arena + d->parena) & (_Alignof(mjtNum) - 1);
  return (Arrays){(char*)d->arena + d->parena + padding, 0, 1};
}

// The place of the next array; an array without elements takes no bytes.
static inline void* next(Arrays* arrays, int rows, int columns, size_t size) {
  int64_t n = (int64_t)rows * columns;
  size_t at = (arrays->bytes + size - 1) & ~(size - 1);
  if (!n) {
    return NULL;
  }
  arrays->fits &= columns == 1 || n <= INT_MAX;
  arrays->bytes = at + (size_t)n * size;
  return arrays->block + at;
}

// Takes the block from the arena. If it doesn't fit, the step has no constraints.
static int end(const Arrays* arrays, mjData* d) {
  int fits = arrays->fits && arena_alloc(d, arrays->bytes, _Alignof(mjtNum));
  if (!fits) {
    storage_full(d);
  }
  return fits;
}

// Compressed rows without entries, for whoever reads dense ones so (rows_are_sparse).
static void clear_pattern(int* rownnz, int* rowadr, int* rowsuper, size_t nrow) {
  if (nrow) {
    memset(rownnz, 0, nrow * sizeof(int));
    memset(rowadr, 0, nrow * sizeof(int));
    memset(rowsuper, 0, nrow * sizeof(int));
  }
}

#define X(type, name, rows, columns) d->name = next(&arrays, rows, columns, sizeof(type));

int storage_rows(const mjModel* m, mjData* d, int64_t nrow, int64_t nJ) {
  if (nrow > INT_MAX || nJ > INT_MAX) {
    storage_full(d);
    return 0;
  }
  d->nefc = (int)nrow;
  d->nJ = (int)nJ;
  Arrays arrays = begin(d);
  MJDATA_ARENA_POINTERS_SOLVER
  d->nefc = 0;
  int fits = end(&arrays, d);
  if (fits && !mj_isSparse(m)) {
    clear_pattern(d->efc_J_rownnz, d->efc_J_rowadr, d->efc_J_rowsuper, (size_t)nrow);
  }
  return fits;
}

int storage_dual(mjData* d, int64_t nA) {
  if (nA > INT_MAX) {
    storage_full(d);
    return 0;
  }
  if (d->efc_AR && d->nA == nA) {
    return 1;
  }
  d->nA = (int)nA;
  Arrays arrays = begin(d);
  MJDATA_ARENA_POINTERS_DUAL
  return end(&arrays, d);
}

int storage_whitened(mjData* d, int64_t nY) {
  if (nY > INT_MAX) {
    storage_full(d);
    return 0;
  }
  if (d->efc_Y && d->nY == nY) {
    return 1;
  }
  d->nY = (int)nY;
  Arrays arrays = begin(d);
  CND_DATA_ARENA_DUAL_SINCE(LATER)
  return end(&arrays, d);
}

int storage_metric(const mjModel* m, mjData* d, int64_t nK) {
  if (nK + m->nv > INT_MAX) {
    storage_full(d);
    return 0;
  }
  d->nefmK = (int)nK;
  d->cnd_nefmL = (int)nK + m->nv;
  Arrays arrays = begin(d);
  CND_DATA_ARENA_EFM_SINCE(LATER)
  CND_DATA_ARENA_EFM_OWN(LATER)
  d->efm_active = end(&arrays, d);
  return d->efm_active;
}

static void share_parameters(mjData* d) {
  d->iefc_type = d->efc_type;
  d->iefc_id = d->efc_id;
  d->iefc_frictionloss = d->efc_frictionloss;
  d->iefc_D = d->efc_D;
  d->iefc_R = d->efc_R;
}

void storage_share_rows(mjData* d) {
  share_parameters(d);
  d->iefc_J_rownnz = d->efc_J_rownnz;
  d->iefc_J_rowadr = d->efc_J_rowadr;
  d->iefc_J_rowsuper = d->efc_J_rowsuper;
  d->iefc_J = d->efc_J;
}

void storage_share_dofs(mjData* d) {
  d->iM = d->M;
  d->iLD = d->qLD;
  d->iLDiagInv = d->qLDiagInv;
}

// With a single island, shares arrays that would be equal copies and that no solver writes: inputs
// of rows and, if the island has all dofs, inputs of dofs and J.
static void share_with_whole(const mjModel* m, mjData* d) {
  if (d->nisland == 1) {
    share_parameters(d);
  }
  if (storage_is_whole(m, d)) {
    d->iM = d->M;
    d->iLD = d->qLD;
    d->iLDiagInv = d->qLDiagInv;
    d->iefc_J_rownnz = d->efc_J_rownnz;
    d->iefc_J_rowadr = d->efc_J_rowadr;
    d->iefc_J_rowsuper = d->efc_J_rowsuper;
    d->iefc_J_colind = d->efc_J_colind;
    d->iefc_J = d->efc_J;
  }
}

int storage_islands(const mjModel* m, mjData* d) {
  Arrays arrays = begin(d);
  MJDATA_ARENA_POINTERS_ISLAND
  CND_DATA_ARENA_ISLAND_SINCE(LATER)
  int fits = end(&arrays, d);
  if (fits) {
    share_with_whole(m, d);
  }
  if (fits && !storage_is_whole(m, d) && !mj_isSparse(m)) {
    clear_pattern(d->iefc_J_rownnz, d->iefc_J_rowadr, d->iefc_J_rowsuper, (size_t)d->nefc);
  }
  return fits;
}
#undef X
