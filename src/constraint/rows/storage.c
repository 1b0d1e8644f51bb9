#include "constraint/rows/storage.h"

#include <limits.h>
#include <mujoco/api/model.h>
#include <mujoco/mjxmacro.h>

#include "model/arena.h"

// every field list of mjxmacro.h is walked with sizes taken from m and d
#undef MJ_M
#undef MJ_D
#define MJ_M(n) m->n
#define MJ_D(n) d->n
#undef XNV
#define XNV X

void storage_clear(mjData* d) {
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

// An empty array takes nothing and always fits.
static void* take(mjData* d, int fits[1], int64_t n, size_t size, size_t align) {
  void* block = n && n <= INT_MAX ? arena_alloc(d, (size_t)n * size, align) : NULL;
  *fits = *fits && (block || !n);
  return block;
}

#define X(type, name, rows, columns) \
  d->name = take(d, &fits, (int64_t)(rows) * (columns), sizeof(type), _Alignof(type));

int storage_rows(const mjModel* m, mjData* d, int64_t nrow, int64_t nJ) {
  int fits = 1;
  if (nrow > INT_MAX || nJ > INT_MAX) {
    storage_full(d);
    return 0;
  }
  d->nefc = (int)nrow;
  d->nJ = (int)nJ;
  MJDATA_ARENA_POINTERS_SOLVER
  d->nefc = 0;
  return accept(d, fits);
}

int storage_islands(const mjModel* m, mjData* d) {
  int fits = 1;
  MJDATA_ARENA_POINTERS_ISLAND
  return accept(d, fits);
}

int storage_dual(mjData* d, int64_t nA) {
  int fits = 1;
  if (nA > INT_MAX) {
    storage_full(d);
    return 0;
  }
  d->nA = (int)nA;
  MJDATA_ARENA_POINTERS_DUAL
  return accept(d, fits);
}
#undef X
