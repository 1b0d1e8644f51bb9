// Velocities of moving surfaces in the rows of contacts, and the attraction of adhesive ones as a
// bias of their reference.
//                                       theory/contact/constraints.md, Moving and adhesive surfaces

#include "constraint/rows/surface.h"

#include <mujoco/api/model.h>

#include "base/algebra/vec.h"
#include "constraint/rows/directions.h"

// Along the directions of a contact: tangents, spin; nothing along the normal and in rolling.
void surface_add_velocity(mjtNum* vel, const mjModel* m, const mjData* d) {
  int pyramidal = mj_isPyramidal(m);
  for (const mjContact* con = d->contact; con < d->contact + d->ncon; con++) {
    const mjtNum* s = con->surfacevel;
    if (con->efc_address >= 0 && con->dim > 1 && (s[0] != 0 || s[1] != 0 || s[2] != 0)) {
      const mjtNum motion[6] = {0, s[0], s[1], s[2], 0, 0};
      directions_add_motion(vel + con->efc_address, con, pyramidal, motion);
    }
  }
}

// Normal row: aref += R A. The 2 (dim - 1) edges of a pyramid share A.
void surface_add_reference(const mjModel* m, mjData* d) {
  int pyramidal = mj_isPyramidal(m);
  for (const mjContact* con = d->contact; con < d->contact + d->ncon; con++) {
    if (con->efc_address < 0 || con->adhesion == 0) {
      continue;
    }
    int n = pyramidal && con->dim > 1 ? 2 * (con->dim - 1) : 1;
    for (int row = con->efc_address; row < con->efc_address + n; row++) {
      d->efc_aref[row] += d->efc_R[row] * con->adhesion / (mjtNum)n;
    }
  }
}
