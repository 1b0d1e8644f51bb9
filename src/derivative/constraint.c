#include "derivative/constraint.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "derivative/contact.h"
#include "derivative/coupling.h"
#include "derivative/row_law.h"

int constraint_partials(const mjModel* m, mjData* d, const mjtNum* x, mjtNum* F_q, mjtNum* F_v,
                        mjtNum* H_c) {
  if (!d->nefc) {
    return 0;
  }
  mj_markStack(d);
  RowLaw law = row_law_make(m, d, x);
  Couplings of = couplings_make(m, d, x, F_q, F_v, H_c);
  int kinks = row_kinks(&law);
  for (int i = 0; i < d->ncon; i++) {
    if (d->contact[i].efc_address >= 0) {
      kinks += contact_partials(&of, &law, d->contact + i);
    }
  }
  couplings_finish(&of);
  mj_freeStack(d);
  return kinks;
}
