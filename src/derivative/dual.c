#include "derivative/dual.h"

#include <mujoco/api/base.h>
#include <mujoco/api/constraint.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/vec.h"

// Forces that the motion of a body and the rates of axes above it are multiplied by.
typedef struct BodyDual {
  mjtNum motion[6], rate[NDUAL][6];
  int isused;
} BodyDual;

Duals duals_make(const mjModel* m, mjData* d, const RowLaw* law, const mjtNum* x,
                 const mjtNum* lambda, mjtNum* rate_q, mjtNum* rate_v, mjtNum* rate_x) {
  Duals of = {.m = m,
              .d = d,
              .law = law,
              .z = {lambda, x, d->qvel},
              .rate_q = rate_q,
              .rate_v = rate_v,
              .rate_x = rate_x};
  size_t bytes = (size_t)m->nbody * sizeof(BodyDual);
  mjtNum* along = mj_stackAllocNum(d, (size_t)d->nefc);
  mj_mulJacVec(m, d, along, lambda);
  of.along = along;
  for (int i = 0; i < NDUAL; i++) {
    of.W[i] = twists_make(m, d, of.z[i]);
  }
  of.body = mj_stackAllocByte(d, bytes, _Alignof(BodyDual));
  memset(of.body, 0, bytes);
  return of;
}

// A force from a point r away: its torque there is r x force more.
static void add_moved(mjtNum sum[6], const mjtNum force[6], const mjtNum r[3]) {
  mjtNum torque[3];
  v3_cross(torque, r, force + 3);
  v3_addto(sum, torque);
  sp_addto(sum, force);
}

void duals_add(Duals* of, int body, const mjtNum point[3], mjtNum motion[6],
               mjtNum rate[NDUAL][6]) {
  if (of->m->body_weldid[body] == 0) {
    return;
  }
  BodyDual* sum = of->body + body;
  mjtNum r[3];
  v3_sub(r, point, tree_point(of->m, of->d, body));
  add_moved(sum->motion, motion, r);
  for (int i = 0; i < NDUAL; i++) {
    add_moved(sum->rate[i], rate[i], r);
  }
  sum->isused = 1;
}

void duals_finish(Duals* of) {
  const mjModel* m = of->m;
  for (int b = m->nbody - 1; b > 0; b--) {
    const BodyDual* from = of->body + b;
    BodyDual* to = of->body + m->body_parentid[b];
    if (from->isused && m->body_parentid[b]) {
      sp_addto(to->motion, from->motion);
      for (int i = 0; i < NDUAL; i++) {
        sp_addto(to->rate[i], from->rate[i]);
      }
      to->isused = 1;
    }
  }
  for (int j = 0; j < m->nv; j++) {
    const BodyDual* sum = of->body + m->dof_bodyid[j];
    if (!sum->isused) {
      continue;
    }
    const mjtNum* S = of->d->cdof + 6 * j;
    of->rate_q[j] += sp_dot(S, sum->motion);
    for (int i = 0; i < NDUAL; i++) {
      mjtNum turned[6];
      sp_crossmotion(turned, of->W[i].before + 6 * j, S);
      of->rate_q[j] += sp_dot(turned, sum->rate[i]);
    }
    of->rate_v[j] += sp_dot(S, sum->rate[DUAL_V]);
    of->rate_x[j] += sp_dot(S, sum->rate[DUAL_X]);
  }
}
