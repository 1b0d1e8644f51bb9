// The rows of a constraint are consecutive and share type and id, so they are counted by
// comparison.

#include "constraint/rows/extent.h"

int constraint_rows(const mjModel* m, const mjData* d, int row) {
  int type = d->efc_type[row], id = d->efc_id[row], n = 1;
  int may_have_several = type >= mjCNSTR_CONTACT_FRICTIONLESS ||
                         (type == mjCNSTR_EQUALITY && m->eq_type[id] != mjEQ_FLEX &&
                          m->eq_type[id] != mjEQ_FLEXSTRAIN);
  while (may_have_several && row + n < d->nefc && d->efc_type[row + n] == type &&
         d->efc_id[row + n] == id) {
    n++;
  }
  return n;
}
