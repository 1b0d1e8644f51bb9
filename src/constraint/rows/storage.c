#include "constraint/rows/storage.h"

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
  mj_warning(d, mjWARN_CNSTRFULL, (int)d->narena);
  storage_clear(d);
}

static int accept(mjData* d, int fits) {
  if (!fits) {
    storage_full(d);
  }
  return fits;
}

// an empty array takes nothing and always fits
static void* take(mjData* d, int fits[1], size_t bytes, size_t align) {
  void* block = bytes ? arena_alloc(d, bytes, align) : NULL;
  *fits = *fits && (block || !bytes);
  return block;
}

#define X(type, name, rows, columns) \
  d->name = take(d, &fits, sizeof(type) * (size_t)(rows) * (columns), _Alignof(type));

int storage_rows(const mjModel* m, mjData* d, int nrow, int nJ) {
  int fits = 1;
  d->nefc = nrow;
  d->nJ = nJ;
  MJDATA_ARENA_POINTERS_SOLVER
  d->nefc = 0;
  return accept(d, fits);
}

int storage_islands(const mjModel* m, mjData* d) {
  int fits = 1;
  MJDATA_ARENA_POINTERS_ISLAND
  return accept(d, fits);
}

int storage_dual(mjData* d) {
  int fits = 1;
  MJDATA_ARENA_POINTERS_DUAL
  return accept(d, fits);
}
#undef X
