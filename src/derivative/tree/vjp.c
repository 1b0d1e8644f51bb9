// The vector-Jacobian product of constraint forces: constraints add 6-vectors to their bodies,
// these are summed over subtrees, and each dof takes the product of its axis with the sum.

#include "derivative/tree/vjp.h"

#include <mujoco/api/base.h>
#include <mujoco/api/constraint.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/vec.h"

// 6-vectors that multiply the motion of a body and the rates of the axes above it.
typedef struct BodyVjp {
  mjtNum motion[6], rate[NVJP][6];
  int is_used;
} BodyVjp;

ConstraintVjp vjp_make(const mjModel* m, mjData* d, const struct RowLaw_* law, const mjtNum* x,
                       const mjtNum* lambda, mjtNum* rate_q, mjtNum* rate_v, mjtNum* rate_x) {
  ConstraintVjp of = {.m = m,
                      .d = d,
                      .law = law,
                      .z = {lambda, x, d->qvel},
                      .rate_q = rate_q,
                      .rate_v = rate_v,
                      .rate_x = rate_x};
  size_t bytes = (size_t)m->nbody * sizeof(BodyVjp);
  mjtNum* along = mj_stackAllocNum(d, (size_t)d->nefc);
  mj_mulJacVec(m, d, along, lambda);
  of.along = along;
  for (int i = 0; i < NVJP; i++) {
    of.W[i] = twists_make(m, d, of.z[i]);
  }
  of.body = mj_stackAllocByte(d, bytes, _Alignof(BodyVjp));
  memset(of.body, 0, bytes);
  return of;
}

// Adds a force at r from the point of the sum: its torque grows by r x force.
static void add_moved(mjtNum sum[6], const mjtNum force[6], const mjtNum r[3]) {
  mjtNum torque[3];
  v3_cross(torque, r, force + 3);
  v3_addto(sum, torque);
  sp_addto(sum, force);
}

void vjp_add(ConstraintVjp* of, int body, const mjtNum point[3], mjtNum motion[6],
             mjtNum rate[NVJP][6]) {
  if (of->m->body_weldid[body] == 0) {
    return;
  }
  BodyVjp* sum = of->body + body;
  mjtNum r[3];
  v3_sub(r, point, tree_point(of->m, of->d, body));
  add_moved(sum->motion, motion, r);
  for (int i = 0; i < NVJP; i++) {
    add_moved(sum->rate[i], rate[i], r);
  }
  sum->is_used = 1;
}

void vjp_finish(ConstraintVjp* of) {
  const mjModel* m = of->m;
  for (int b = m->nbody - 1; b > 0; b--) {
    const BodyVjp* from = of->body + b;
    BodyVjp* to = of->body + m->body_parentid[b];
    if (from->is_used && m->body_parentid[b]) {
      sp_addto(to->motion, from->motion);
      for (int i = 0; i < NVJP; i++) {
        sp_addto(to->rate[i], from->rate[i]);
      }
      to->is_used = 1;
    }
  }
  for (int j = 0; j < m->nv; j++) {
    const BodyVjp* sum = of->body + m->dof_bodyid[j];
    if (!sum->is_used) {
      continue;
    }
    const mjtNum* S = of->d->cdof + 6 * j;
    of->rate_q[j] += sp_dot(S, sum->motion);
    for (int i = 0; i < NVJP; i++) {
      mjtNum turned[6];
      sp_crossmotion(turned, of->W[i].before + 6 * j, S);
      of->rate_q[j] += sp_dot(turned, sum->rate[i]);
    }
    of->rate_v[j] += sp_dot(S, sum->rate[VJP_V]);
    of->rate_x[j] += sp_dot(S, sum->rate[VJP_X]);
  }
}
