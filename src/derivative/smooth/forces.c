// The derivative of a generalized force, before anything is added to it.

#include "derivative/smooth/forces.h"

#include "model/arena.h"

ForceJacobian force_jacobian(const mjModel* m, mjData* d) {
  size_t nv = (size_t)m->nv, na = (size_t)m->na, nu = (size_t)m->nu;
  mjtNum* all = arena_zeros(d, nv * (2 * nv + na + nu));
  return (ForceJacobian){all, all + nv * nv, all + 2 * nv * nv, all + nv * (2 * nv + na), 0};
}
