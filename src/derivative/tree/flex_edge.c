// The length of an edge of a flex as a function of positions: D (J' force) and D (J z), with
// J = d(length).

#include "derivative/tree/flex_edge.h"

#include "base/algebra/vec.h"
#include "smooth/jacobian.h"

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

// Also mj_flex in smooth/flex/position.c.
void flex_edge_derivative(mjtNum* G, Load* loads, const mjModel* m, mjData* d, const FlexEdge* edge,
                          mjtNum force) {
  int n[2];
  const int* chain[2];
  for (int k = 0; k < 2; k++) {
    mjtNum f[3];
    v3_scl(f, edge->n, k ? force : -force);
    load_add_force(loads, m, d, edge->body[k], edge->x[k], f);
    chain[k] = jac_body_chain(&n[k], m, edge->body[k]);
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

void flex_edge_rate(mjtNum* out, const mjModel* m, mjData* d, const FlexEdge* edge, const Twists* W,
                    mjtNum scale) {
  mjtNum v[2][3], w[3], turned[3];
  for (int k = 0; k < 2; k++) {
    velocity_at(v[k], m, d, edge->body[k], W->body + 6 * edge->body[k], edge->x[k]);
  }
  v3_sub(w, v[1], v[0]);
  across(turned, edge, w);
  for (int k = 0; k < 2; k++) {
    int n;
    const int* chain = jac_body_chain(&n, m, edge->body[k]);
    for (int i = 0; i < n; i++) {
      mjtNum u[3], rate[3];
      velocity_at(u, m, d, edge->body[k], d->cdof + 6 * chain[i], edge->x[k]);
      twists_point_derivative(rate, m, d, W, edge->body[k], edge->x[k], chain[i]);
      out[chain[i]] += (k ? scale : -scale) * (v3_dot(edge->n, rate) + v3_dot(turned, u));
    }
  }
}
