// Reference acceleration of each row: that of its spring and damper, of sticking or of bouncing.
//                                             theory/contact/constraints.md, Reference acceleration

#include <mujoco/api/constraint.h>

#include "constraint/kept/stick.h"
#include "constraint/rows/restitution.h"
#include "constraint/rows/surface.h"
#include "model/checks/pair.h"

// aref = -B vel - K I (pos - margin); contacts that stick or bounce change theirs.
// Also in lanes/rows/contacts.h, lanes/rows/dof_rows.h, lanes/rows/coupled_rows.h and
// derivative/constraint/row_law.c.
void mj_referenceConstraint(const mjModel* m, mjData* d) {
  check_pair(m, d);
  if (!d->nefc) {
    return;
  }
  mj_mulJacVec(m, d, d->efc_vel, d->qvel);
  if (m->flg_surfacevel) {
    surface_add_velocity(d->efc_vel, m, d);
  }
  for (int i = 0; i < d->nefc; i++) {
    const mjtNum* KBIP = d->efc_KBIP + 4 * i;
    d->efc_aref[i] =
        -KBIP[1] * d->efc_vel[i] - KBIP[0] * KBIP[2] * (d->efc_pos[i] - d->efc_margin[i]);
  }
  if (m->flg_adhesion) {
    surface_add_reference(m, d);
  }
  if (stick_is_on(m)) {
    stick_reference(m, d);
  }
  restitution_reference(m, d);
}
