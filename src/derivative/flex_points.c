#include "derivative/flex.h"

#include <mujoco/api/base.h>
#include <string.h>

#include "base/vec.h"
#include "smooth/jacobian.h"

// Dofs that move a point: its velocity by each, and how each changes the velocity that it has.
typedef struct {
  int n;
  const int* dof;
  mjtNum *u, *rate;  // 3 x n
} Moves;

static Moves moves_of(const mjModel* m, mjData* d, int body, const mjtNum x[3], const Twists* W) {
  Moves out;
  out.dof = jac_bodyChain(&out.n, m, body);
  out.u = mj_stackAllocNum(d, 6 * (size_t)out.n);
  out.rate = out.u + 3 * out.n;
  for (int i = 0; i < out.n; i++) {
    velocity_at(out.u + 3 * i, m, d, body, d->cdof + 6 * out.dof[i], x);
    twists_pointDerivative(out.rate + 3 * i, m, d, W, body, x, out.dof[i]);
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
    load_addForce(loads, m, d, points->body[a], points->x[a], points->force[a]);
  }
  for (int a = 0; a < points->n; a++) {
    for (int b = 0; b < points->n; b++) {
      add_pair(F, (size_t)m->nv, moves + a, moves + b, points->by_x[a][b], points->by_v[a][b]);
    }
  }
  mj_freeStack(d);
}

// edges

FlexEdge flex_edge(const mjModel* m, const mjData* d, int flex, int edge) {
  FlexEdge out;
  for (int k = 0; k < 2; k++) {
    int vertex = m->flex_vertadr[flex] + m->flex_edge[2 * edge + k];
    out.body[k] = m->flex_vertbodyid[vertex];
    out.x[k] = d->flexvert_xpos + 3 * vertex;
  }
  v3_sub(out.n, out.x[1], out.x[0]);
  out.length = v3_normalize(out.n);
  return out;
}

// out = (E - n n') x / length
static void across(mjtNum out[3], const FlexEdge* edge, const mjtNum x[3]) {
  v3_addscl(out, x, edge->n, -v3_dot(edge->n, x));
  v3_scl(out, out, edge->length > mjMINVAL ? 1 / edge->length : 0);
}

void flex_edgeDerivative(mjtNum* G, Load* loads, const mjModel* m, mjData* d, const FlexEdge* edge,
                         mjtNum force) {
  int n[2];
  const int* chain[2];
  for (int k = 0; k < 2; k++) {
    mjtNum f[3];
    v3_scl(f, edge->n, k ? force : -force);
    load_addForce(loads, m, d, edge->body[k], edge->x[k], f);
    chain[k] = jac_bodyChain(&n[k], m, edge->body[k]);
  }
  for (int b = 0; b < 2; b++) {
    for (int j = 0; j < n[b]; j++) {
      mjtNum u[3], turned[3];
      velocity_at(u, m, d, edge->body[b], d->cdof + 6 * chain[b][j], edge->x[b]);
      across(turned, edge, u);
      for (int a = 0; a < 2; a++) {
        for (int i = 0; i < n[a]; i++) {
          velocity_at(u, m, d, edge->body[a], d->cdof + 6 * chain[a][i], edge->x[a]);
          G[(size_t)chain[a][i] * (size_t)m->nv + (size_t)chain[b][j]] +=
              (a == b ? force : -force) * v3_dot(u, turned);
        }
      }
    }
  }
}

void flex_edgeRate(mjtNum* out, const mjModel* m, mjData* d, const FlexEdge* edge, const Twists* W,
                   mjtNum scale) {
  mjtNum v[2][3], w[3], turned[3];
  for (int k = 0; k < 2; k++) {
    velocity_at(v[k], m, d, edge->body[k], W->body + 6 * edge->body[k], edge->x[k]);
  }
  v3_sub(w, v[1], v[0]);
  across(turned, edge, w);
  for (int k = 0; k < 2; k++) {
    int n;
    const int* chain = jac_bodyChain(&n, m, edge->body[k]);
    for (int i = 0; i < n; i++) {
      mjtNum u[3], rate[3];
      velocity_at(u, m, d, edge->body[k], d->cdof + 6 * chain[i], edge->x[k]);
      twists_pointDerivative(rate, m, d, W, edge->body[k], edge->x[k], chain[i]);
      out[chain[i]] += (k ? scale : -scale) * (v3_dot(edge->n, rate) + v3_dot(turned, u));
    }
  }
}
