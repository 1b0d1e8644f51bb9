// layout.c: room for contacts and rows that are copied in from another source.

#include <condyle/contact.h>
#include <mujoco/api/base.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "constraint/rows/storage.h"
#include "model/checks/pair.h"
#include "model/data/arena.h"

// Takes room for contacts, then for rows. Bytes in between that stay unused are cleared.
static int take(const mjModel* m, mjData* d, int ncon, int nefc, int nJ) {
  size_t bytes = (size_t)ncon * sizeof(mjContact);
  void* contacts = ncon ? arena_alloc(d, bytes, _Alignof(mjContact)) : NULL;
  if (ncon && !contacts) {
    return 0;
  }
  d->ncon = ncon;
  if ((nefc || nJ || m->ntendon) && !storage_rows(m, d, nefc, nJ)) {
    return 0;
  }
  memset(d->arena, 0, d->parena);
  d->nefc = nefc;
  return 1;
}

int cnd_layoutRows(const mjModel* m, mjData* d, int ncon, int nefc, int nJ) {
  check_pair(m, d);
  if (ncon < 0 || nefc < 0 || nJ < 0) {
    mju_error("cnd_layoutRows: %d contacts, %d rows and %d entries must be at least 0", ncon, nefc,
              nJ);
  }
  arena_clear(d);
  if (!take(m, d, ncon, nefc, nJ)) {
    arena_clear(d);
    return 0;
  }
  for (int i = 0; d->tendon_efcadr && i < m->ntendon; i++) {
    d->tendon_efcadr[i] = -1;
  }
  return 1;
}
