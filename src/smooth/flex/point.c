// Points of bodies to which vertices and nodes are fixed.
//                                                      theory/smooth/deformables.md, Elastic forces

#include "base/algebra/vec.h"
#include "smooth/flex/flex.h"
#include "smooth/jacobian.h"

// Whether a body only slides: then all its points move alike, along its dofs' axes.
static int only_slides(const mjModel* m, int body) {
  return m->body_simple[body] == 2;
}

void flex_push(mjtNum* qfrc, const mjModel* m, const mjData* d, const mjtNum force[3],
               const mjtNum point[3], int body) {
  const mjtNum zero[3] = {0, 0, 0};
  if (!only_slides(m, body)) {
    jac_add_force(qfrc, m, d, force, zero, point, body);
    return;
  }
  int end = m->body_dofadr[body] + m->body_dofnum[body];
  for (int dof = m->body_dofadr[body]; dof < end; dof++) {
    qfrc[dof] += v3_dot(d->cdof + 6 * dof + 3, force);
  }
}

void flex_point_velocity(mjtNum out[3], const mjModel* m, const mjData* d, const mjtNum point[3],
                         int body) {
  if (only_slides(m, body)) {
    v3_copy(out, d->cvel + 6 * body + 3);
  } else {
    jac_point_velocity(out, m, d, point, body);
  }
}
