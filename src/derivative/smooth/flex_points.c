// Turns 3 x 3 blocks between points into terms of nv x nv, pair by pair of points and of the dofs
// that move them.

#include "derivative/smooth/flex_points.h"

#include <mujoco/api/base.h>
#include <string.h>

#include "base/vec.h"
#include "smooth/jacobian.h"

// Dofs that move a point: velocity u of the point by each, and the change `rate` of its present
// velocity by the position of each.
typedef struct {
  int n;
  const int* dof;
  mjtNum *u, *rate;  // 3 x n
} Moves;

static Moves moves_of(const mjModel* m, mjData* d, int body, const mjtNum x[3], const Twists* W) {
  Moves out;
  out.dof = jac_body_chain(&out.n, m, body);
  out.u = mj_stackAllocNum(d, 6 * (size_t)out.n);
  out.rate = out.u + 3 * out.n;
  for (int i = 0; i < out.n; i++) {
    velocity_at(out.u + 3 * i, m, d, body, d->cdof + 6 * out.dof[i], x);
    twists_point_derivative(out.rate + 3 * i, m, d, W, body, x, out.dof[i]);
  }
  return out;
}

static void add_pair(ForceJacobian* F, size_t nv, const Moves* a, const Moves* b,
                     const mjtNum by_x[9], const mjtNum by_v[9]) {
  for (int j = 0; j < b->n; j++) {
    mjtNum by_q[3], by_rate[3], moved[3];
    m3_mulv(by_q, by_x, b->u + 3 * j);
    m3_mulv(moved, by_v, b->rate + 3 * j);
    v3_addto(by_q, moved);
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
  Moves moves[FLEX_NODES];
  mj_markStack(d);
  for (int a = 0; a < points->n; a++) {
    moves[a] = moves_of(m, d, points->body[a], points->x[a], W);
    load_add_force(loads, m, d, points->body[a], points->x[a], points->force[a]);
  }
  for (int a = 0; a < points->n; a++) {
    for (int b = 0; b < points->n; b++) {
      add_pair(F, (size_t)m->nv, moves + a, moves + b, points->by_x[a][b], points->by_v[a][b]);
    }
  }
  mj_freeStack(d);
}
