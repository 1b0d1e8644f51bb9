// Allocation of the arrays of each block, measured and placed by the field lists of mjxmacro.h.
//                                                                theory/constraints.md, Row storage

#include "constraint/rows/storage.h"

#include <limits.h>
#include <mujoco/api/model.h>
#include <mujoco/mjxmacro.h>

#include "constraint/solver/cache.h"
#include "model/arena.h"

// Field lists of mjxmacro.h are walked with sizes taken from m and d.
#undef MJ_M
#undef MJ_D
#define MJ_M(n) m->n
#define MJ_D(n) d->n
#undef XNV
#define XNV X

void storage_clear(mjData* d) {
  solver_cache_clear(d);
#define X(type, name, rows, columns) d->name = NULL;
  MJDATA_ARENA_POINTERS_SOLVER
  MJDATA_ARENA_POINTERS_DUAL
  MJDATA_ARENA_POINTERS_ISLAND
#undef X
  d->ne = d->nf = d->nl = d->nefc = d->nJ = d->nA = 0;
  d->nisland = d->nidof = 0;
  arena_rewind(d, d->ncon * sizeof(mjContact));
  for (int i = 0; i < d->ncon; i++) {
    d->contact[i].efc_address = -1;
  }
}

void storage_full(mjData* d) {
  mj_warning(d, mjWARN_CNSTRFULL, d->narena < INT_MAX ? (int)d->narena : INT_MAX);
  storage_clear(d);
}

static int accept(mjData* d, int fits) {
  if (!fits) {
    storage_full(d);
  }
  return fits;
}

// Arrays that follow each other in one block.
typedef struct {
  char* block;   // NULL while they are measured
  size_t bytes;  // of those so far
  int fits;      // no array has more elements than an int counts
} Arrays;

// Places the next array; an empty one takes no bytes.
static inline void* next(Arrays* arrays, int64_t n, size_t size) {
  size_t at = (arrays->bytes + size - 1) / size * size;
  if (!n) {
    return NULL;
  }
  arrays->fits &= n <= INT_MAX;
  arrays->bytes = at + (size_t)n * size;
  return arrays->block ? arrays->block + at : NULL;
}

// Allocates the measured block and starts placing; 0 if it doesn't fit.
static int begin(Arrays* arrays, mjData* d) {
  arrays->block = arrays->fits ? arena_alloc(d, arrays->bytes, _Alignof(mjtNum)) : NULL;
  arrays->bytes = 0;
  return arrays->block != NULL;
}

#define X(type, name, rows, columns) next(&arrays, (int64_t)(rows) * (columns), sizeof(type));

static Arrays measure_rows(const mjModel* m, const mjData* d) {
  Arrays arrays = {.fits = 1};
  MJDATA_ARENA_POINTERS_SOLVER
  return arrays;
}

static Arrays measure_islands(const mjModel* m, const mjData* d) {
  Arrays arrays = {.fits = 1};
  MJDATA_ARENA_POINTERS_ISLAND
  return arrays;
}

static Arrays measure_dual(const mjData* d) {
  Arrays arrays = {.fits = 1};
  MJDATA_ARENA_POINTERS_DUAL
  return arrays;
}
#undef X

#define X(type, name, rows, columns) \
  d->name = next(&arrays, (int64_t)(rows) * (columns), sizeof(type));

int storage_rows(const mjModel* m, mjData* d, int64_t nrow, int64_t nJ) {
  if (nrow > INT_MAX || nJ > INT_MAX) {
    storage_full(d);
    return 0;
  }
  d->nefc = (int)nrow;
  d->nJ = (int)nJ;
  Arrays arrays = measure_rows(m, d);
  int fits = begin(&arrays, d);
  MJDATA_ARENA_POINTERS_SOLVER
  d->nefc = 0;
  return accept(d, fits);
}

int storage_islands(const mjModel* m, mjData* d) {
  Arrays arrays = measure_islands(m, d);
  int fits = begin(&arrays, d);
  MJDATA_ARENA_POINTERS_ISLAND
  return accept(d, fits);
}

int storage_dual(mjData* d, int64_t nA) {
  if (nA > INT_MAX) {
    storage_full(d);
    return 0;
  }
  d->nA = (int)nA;
  Arrays arrays = measure_dual(d);
  int fits = begin(&arrays, d);
  MJDATA_ARENA_POINTERS_DUAL
  return accept(d, fits);
}
#undef X
