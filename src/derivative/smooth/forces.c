// What all smooth forces share: empty Jacobians, and the derivative of wrenches that turn with
// their bodies (followers).

#include "derivative/smooth/forces.h"

#include "model/data/arena.h"

ForceJacobian force_jacobian(const mjModel* m, mjData* d) {
  size_t nv = (size_t)m->nv, na = (size_t)m->na, nu = (size_t)m->nu;
  mjtNum* all = arena_zeros(d, nv * (2 * nv + na + nu));
  return (ForceJacobian){all, all + nv * nv, all + 2 * nv * nv, all + nv * (2 * nv + na), 0};
}

void followers_derivative(mjtNum* G, const mjModel* m, mjData* d, mjtNum* follower) {
  size_t nv = (size_t)m->nv;
  for (int b = m->nbody - 1; b > 0; b--) {
    if (m->body_parentid[b]) {
      sp_addto(follower + 6 * m->body_parentid[b], follower + 6 * b);
    }
  }

  // dof j turns everything after it, axes included, so only the forces on dofs before j change
  for (int j = 0; j < m->nv; j++) {
    const int* chain = m->D_colind + m->D_rowadr[j];
    mjtNum turned[6];
    sp_crossforce(turned, d->cdof + 6 * j, follower + 6 * m->dof_bodyid[j]);
    for (int i = 0, n = m->D_diag[j]; i < n; i++) {
      if (!dof_turns(m, j, chain[i])) {
        G[(size_t)chain[i] * nv + (size_t)j] += sp_dot(d->cdof + 6 * chain[i], turned);
      }
    }
  }
}
