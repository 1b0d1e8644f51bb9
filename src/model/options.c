// options.c: facts that follow from the options of a model: the kind of cone, Jacobian and solver,
// and the treatment of damping.

#include "model/options.h"

#include <mujoco/api/model.h>

#include "base/memory/check.h"
#include "model/terms.h"

// Hard contacts always have elliptic cones.
int mj_isPyramidal(const mjModel* m) {
  check_given(m);
  return options_is_pyramidal(m);
}

// From this many dofs on, rows of the Jacobian are mostly zeros.
#define SPARSE_FROM 60

int mj_isSparse(const mjModel* m) {
  check_given(m);
  return m->opt.jacobian == mjJAC_SPARSE || (m->opt.jacobian == mjJAC_AUTO && m->nv >= SPARSE_FROM);
}

int mj_isDual(const mjModel* m) {
  check_given(m);
  return m->opt.solver == mjSOL_PGS || m->opt.noslip_iterations > 0;
}

int options_has_euler_damping(const mjModel* m) {
  if (m->opt.disableflags & mjDSBL_EULERDAMP) {
    return 0;
  }
  for (int i = 0; i < m->nv; i++) {
    if (m->cnd_has_terms ? terms_any(terms_dof_damper(m, i)) : m->dof_damping[i] > 0) {
      return 1;
    }
  }
  return 0;
}

int options_euler_damps(const mjModel* m) {
  return !(m->opt.disableflags & mjDSBL_DAMPER) && options_has_euler_damping(m);
}

const mjtNum* options_euler_damping(mjtNum* scratch, const mjModel* m, const mjData* d) {
  if (!m->cnd_has_terms) {
    return m->dof_damping;
  }
  terms_slopes(scratch, m, d->qvel);
  return scratch;
}

int options_is_implicit(const mjModel* m) {
  return m->opt.integrator == mjINT_IMPLICIT || m->opt.integrator == mjINT_IMPLICITFAST;
}

int options_metric_couples(const mjModel* m) {
  return m->opt.solver != mjSOL_PGS || m->cnd_contact.mode == cndCONTACT_HARD;
}
