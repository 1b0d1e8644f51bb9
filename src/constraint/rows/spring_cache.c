// Stiffness and damping of rows.                       theory/contact/constraints.md, Regularizer

#include "constraint/rows/spring_cache.h"

#include <mujoco/api/model.h>

#include "base/spring.h"

void spring_select(SpringCache* spring, const mjModel* m, mjData* d, int row, const mjtNum* solref,
                   const mjtNum* solimp) {
  if (spring->solref[0] == solref[0] && spring->solref[1] == solref[1] &&
      spring->dmax == solimp[1]) {
    return;
  }
  mjtNum ref[mjNREF];
  int mixed = reference_check(ref, m, solref, DEFAULT_REFERENCE);
  if (mixed) {
    mj_warning(d, cndWARN_SOLREF, row);
  }
  spring->K = reference_stiffness(ref, solimp);
  spring->B = reference_damping(ref, solimp);

  // a reference of mixed signs is never kept, so that each use of it is counted
  spring->solref[0] = mixed ? NAN : solref[0];
  spring->solref[1] = solref[1];
  spring->dmax = solimp[1];
}
