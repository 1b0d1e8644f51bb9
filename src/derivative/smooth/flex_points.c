// Turns the 3 x 3 derivatives of the forces at points into nv x nv derivatives of generalized
// forces. Each pair of points adds terms at the pairs of dofs that move them.
// Symbols: flex_points.h.

#include "derivative/smooth/flex_points.h"

#include <mujoco/api/base.h>

#include "base/algebra/vec.h"
#include "smooth/jacobian.h"

// The n dofs that move a point x with velocity v. For each of them: u = dv/dqvel, and rate, the
// derivative of v by the position of the dof at constant qvel.
typedef struct {
  int n;
  const int* dof;
  mjtNum* u;     // by the velocity of each dof (3 x n)
  mjtNum* rate;  // by the position of each dof (3 x n)
} PointDofs;

static PointDofs point_dofs(const mjModel* m, mjData* d, int body, const mjtNum x[3],
                            const Twists* W) {
  PointDofs out;
  out.dof = jac_body_chain(&out.n, m, body);
  out.u = mj_stackAllocNum(d, 6 * (size_t)out.n);
  out.rate = out.u + 3 * out.n;
  for (int i = 0; i < out.n; i++) {
    velocity_at(out.u + 3 * i, m, d, body, d->cdof + 6 * out.dof[i], x);
    twists_point_derivative(out.rate + 3 * i, m, d, W, body, x, out.dof[i]);
  }
  return out;
}

// Adds the part of the force on point a that depends on point b, with dof i of a and dof j of b:
//
//   F->q[i][j] += u_ai . (df_a/dx_b u_bj + df_a/dv_b rate_bj)
//   F->v[i][j] += u_ai . df_a/dv_b u_bj
static void add_pair(ForceJacobian* F, size_t nv, const PointDofs* a, const PointDofs* b,
                     const mjtNum by_x[9], const mjtNum by_v[9]) {
  for (int j = 0; j < b->n; j++) {
    mjtNum by_q[3], by_rate[3], t[3];
    m3_mulv(by_q, by_x, b->u + 3 * j);
    m3_mulv(t, by_v, b->rate + 3 * j);
    v3_addto(by_q, t);
    m3_mulv(by_rate, by_v, b->u + 3 * j);
    for (int i = 0; i < a->n; i++) {
      size_t at = (size_t)a->dof[i] * nv + (size_t)b->dof[j];
      F->q[at] += v3_dot(a->u + 3 * i, by_q);
      F->v[at] += v3_dot(a->u + 3 * i, by_rate);
    }
  }
}

void flex_points_add(ForceJacobian* F, Load* loads, const mjModel* m, mjData* d,
                     const FlexPoints* points, const Twists* W) {
  PointDofs dofs[FLEX_NODES];
  mj_markStack(d);
  for (int a = 0; a < points->n; a++) {
    dofs[a] = point_dofs(m, d, points->body[a], points->x[a], W);
    load_add_force(loads, m, d, points->body[a], points->x[a], points->force[a]);
  }
  for (int a = 0; a < points->n; a++) {
    for (int b = 0; b < points->n; b++) {
      add_pair(F, (size_t)m->nv, dofs + a, dofs + b, points->by_x[a][b], points->by_v[a][b]);
    }
  }
  mj_freeStack(d);
}
