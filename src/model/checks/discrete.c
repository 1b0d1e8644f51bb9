// discrete.c: options and flexes that have no part in the effective metric.

#include "model/checks/discrete.h"

#include <mujoco/api/model.h>
#include <stddef.h>

#include "model/cage.h"
#include "model/flex/rod.h"

int discrete_is_elastic(const mjModel* m, int f) {
  int first = m->flex_edgeadr[f], any = 0;
  if (m->flex_rigid[f] || m->flex_dim[f] == 1) {
    return 0;
  }
  for (int e = first; !m->flex_interp[f] && e < first + m->flex_edgenum[f] && !any; e++) {
    any = m->flex_dim[f] == 2 && m->flex_edgeflap[2 * e + 1] >= 0;
  }
  int strained = m->cnd_flex_celladr[f] >= 0 && m->flex_edgeequality[f] == FLEX_STRAIN;
  return any || (m->cnd_flex_celladr[f] >= 0 && !strained) ||
         m->flex_stiffness[21 * (size_t)m->flex_elemadr[f]] != 0;
}

static const char* flex_obstacle(const mjModel* m) {
  for (int f = 0; f < m->nflex; f++) {
    if (!m->flex_rigid[f] && (m->flex_edgestiffness[f] != 0 || m->flex_edgedamping[f] != 0)) {
      return "edges of flexes have stiffness or damping: use elasticity or an equality";
    }
    if (m->flex_passive[f]) {
      return "contacts of flexes are passive";
    }
    Rod rod;
    if (!m->flex_rigid[f] && (rod_of(&rod, m, f) || m->cnd_flex_shell[f])) {
      return "flexes are rods or shells of cells, whose stiffness it doesn't know";
    }
    if (discrete_is_elastic(m, f) && m->cnd_contact.mode == cndCONTACT_HARD) {
      return "flexes are elastic, which hard contacts don't know";
    }
    if (discrete_is_elastic(m, f) && mj_isDual(m)) {
      return "flexes are elastic, which PGS and NoSlip don't know";
    }
  }
  return NULL;
}

const char* discrete_obstacle(const mjModel* m) {
  if (m->opt.enableflags & mjENBL_SLEEP && m->opt.disableflags & mjDSBL_ISLAND) {
    return "trees may sleep (flag sleep), which needs islands";
  }
  return flex_obstacle(m);
}
