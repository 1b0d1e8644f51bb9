// resolve.c: where h^2 K I > 1, the spring of a limit or contact would be beyond what a step resolves,
// and is made that of one step:
//
//   K = 1 / (h^2 I),  B = min(2 dampratio sqrt(K), max(0, (smax - 2) / h)),
//   smax = (1 - I) / I  dmax / (1 - dmax),  dmax the largest impedance
//
//                                             theory/contact/constraints.md, Rows of discrete steps

#include "constraint/rows/resolve.h"

#include <mujoco/api/base.h>

#include "base/algebra/vec.h"
#include "constraint/rows/extent.h"
#include "constraint/rows/impedance.h"

// The reference of a row whose spring may be resolved; NULL of others.
static const mjtNum* reference_of(const mjModel* m, const mjData* d, int row) {
  int type = d->efc_type[row], id = d->efc_id[row];
  switch (type) {
    case mjCNSTR_LIMIT_JOINT:
      return m->jnt_solref + mjNREF * id;
    case mjCNSTR_LIMIT_TENDON:
      return m->tendon_solref_lim + mjNREF * id;
    default:
      return type >= mjCNSTR_CONTACT_FRICTIONLESS ? d->contact[id].solref : NULL;
  }
}

// Resolves the spring of a constraint of n rows, the first with these parameters.
static void resolve(const mjModel* m, mjData* d, int row, int n) {
  const mjtNum* given = reference_of(m, d, row);
  mjtNum *KBIP = d->efc_KBIP + 4 * (size_t)row, h = m->opt.timestep, ref[mjNREF];
  if (!given || m->opt.disableflags & mjDSBL_REFSAFE || !(h * h * KBIP[0] * KBIP[2] > 1)) {
    return;
  }
  reference_check(ref, m, given, DEFAULT_REFERENCE);
  if (!(ref[0] > 0)) {
    return;
  }
  mjtNum I = KBIP[2], largest = (mjtNum)mjMAXIMP;
  mjtNum most = (1 - I) / I * largest / (1 - largest), K = 1 / (h * h * I);
  mjtNum B = num_min(2 * ref[1] * mju_sqrt(K), num_max(0, (most - 2) / h));
  int elliptic = d->efc_type[row] == mjCNSTR_CONTACT_ELLIPTIC;
  const mjtNum* sliding = elliptic ? d->contact[d->efc_id[row]].solreffriction : NULL;
  const mjtNum none[mjNREF] = {0, 0};
  int slides = elliptic && !reference_check(ref, m, sliding, none) && (ref[0] != 0 || ref[1] != 0);
  for (int r = 0; r < n; r++, KBIP += 4) {
    KBIP[0] = r && elliptic ? 0 : K;
    KBIP[1] = r && slides ? KBIP[1] : B;
  }
}

void rows_resolve(const mjModel* m, mjData* d) {
  for (int row = 0, n; row < d->nefc; row += n) {
    n = constraint_rows(m, d, row);
    resolve(m, d, row, n);
  }
}
