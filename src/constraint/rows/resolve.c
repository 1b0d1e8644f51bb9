// The springs of limits and contacts of a discrete step, row by row.
//                                             theory/contact/constraints.md, Rows of discrete steps

#include "constraint/rows/resolve.h"

#include <mujoco/api/base.h>

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

// Have the friction rows of an elliptic contact, that begins at a row, a damping of their own?
static int has_sliding(const mjModel* m, const mjData* d, int row) {
  const mjtNum none[mjNREF] = {0, 0};
  mjtNum ref[mjNREF];
  return d->efc_type[row] == mjCNSTR_CONTACT_ELLIPTIC &&
         !reference_check(ref, m, d->contact[d->efc_id[row]].solreffriction, none) &&
         (ref[0] != 0 || ref[1] != 0);
}

// Resolves the spring of a constraint of n rows, the first with these parameters.
static void resolve(const mjModel* m, mjData* d, int row, int n) {
  const mjtNum* given = reference_of(m, d, row);
  mjtNum *KBIP = d->efc_KBIP + 4 * (size_t)row, K = KBIP[0], B = KBIP[1], ref[mjNREF];
  if (!given) {
    return;
  }
  reference_check(ref, m, given, DEFAULT_REFERENCE);
  reference_resolve(&K, &B, m, ref, KBIP[2]);
  if (K == KBIP[0]) {
    return;
  }
  int elliptic = d->efc_type[row] == mjCNSTR_CONTACT_ELLIPTIC, slides = has_sliding(m, d, row);
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

int rows_is_resolved(mjtNum slope[1], const mjModel* m, const mjData* d, int row, int first) {
  const mjtNum *given = reference_of(m, d, first), *KBIP = d->efc_KBIP + 4 * (size_t)first;
  mjtNum h = m->opt.timestep, ref[mjNREF];
  *slope = 0;
  // no other spring has just this stiffness
  if (!given || m->opt.disableflags & mjDSBL_REFSAFE || KBIP[0] != 1 / (h * h * KBIP[2])) {
    return 0;
  }
  reference_check(ref, m, given, DEFAULT_REFERENCE);
  if (!(row > first && has_sliding(m, d, first))) {
    *slope = reference_resolved_slope(m, ref, KBIP[2]);
  }
  return 1;
}
