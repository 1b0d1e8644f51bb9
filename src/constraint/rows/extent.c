// Counts rows by type and id.

#include "constraint/rows/extent.h"

int constraint_rows(const mjModel* m, const mjData* d, int row) {
  int type = d->efc_type[row], id = d->efc_id[row], n = 1;
  int several = type >= mjCNSTR_CONTACT_FRICTIONLESS ||
                (type == mjCNSTR_EQUALITY && m->eq_type[id] != mjEQ_FLEX);
  while (several && row + n < d->nefc && d->efc_type[row + n] == type && d->efc_id[row + n] == id) {
    n++;
  }
  return n;
}
