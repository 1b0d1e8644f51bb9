// Attraction of contacts, as a force on the dofs.
//                                       theory/contact/constraints.md, Moving and adhesive surfaces

#include "smooth/adhesion.h"

#include "base/algebra/vec.h"
#include "smooth/flex/flex.h"
#include "smooth/jacobian.h"

// Acts on a body with a share of -A n; n points from the first side to the second.
static void pull(mjData* d, const mjModel* m, const mjContact* con, int body, mjtNum share) {
  const mjtNum zero[3] = {0, 0, 0};
  mjtNum force[3];
  v3_scl(force, con->frame, -share * con->adhesion);
  jac_add_force(d->qfrc_adhesion, m, d, force, zero, con->pos, body);
}

void adhesion_forces(const mjModel* m, mjData* d) {
  for (const mjContact* con = d->contact; con < d->contact + d->ncon; con++) {
    if (con->adhesion == 0 || con->exclude > 1) {
      continue;
    }
    if (con->geom[0] >= 0 && con->geom[1] >= 0) {
      pull(d, m, con, m->geom_bodyid[con->geom[0]], -1);
      pull(d, m, con, m->geom_bodyid[con->geom[1]], 1);
      continue;
    }
    FlexBodies of;
    flex_contact_bodies(&of, m, d, con, 0);
    for (int i = 0; i < of.n; i++) {
      pull(d, m, con, of.body[i], of.weight[i]);
    }
  }
}
