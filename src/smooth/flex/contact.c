#include <mujoco/api/model.h>
#include <string.h>

#include "base/vec.h"
#include "smooth/flex/flex.h"
#include "smooth/jacobian.h"

// Which bodies a contact of a flex acts on, and contacts that act as springs.
//                                                       theory/deformables.md, Contacts of flexes

// nodes with less than this share of a vertex are left out
#define SHARE_MIN ((mjtNum)1e-5)

// stiffness of passive contacts, N/m
#define PASSIVE_STIFFNESS ((mjtNum)1e4)

// Adds a vertex with a weight: its body or, if it follows nodes, their bodies, those of one side
// once each.
static void add_vertex(FlexBodies* of, const mjModel* m, int flex, int vert, mjtNum weight,
                       int side_begin) {
  int v = m->flex_vertadr[flex] + vert, node = m->flex_nodeadr[flex];
  if (!m->flex_interp[flex]) {
    of->body[of->n] = m->flex_vertbodyid[v];
    of->weight[of->n++] = weight;
    return;
  }
  mjtNum share[FLEX_NODES];
  flex_nodeWeights(share, m->flex_vert0 + 3 * v);
  if (of->n == side_begin) {
    for (int i = 0; i < FLEX_NODES; i++) {
      of->body[of->n] = m->flex_nodebodyid[node + i];
      of->weight[of->n++] = 0;
    }
  }
  for (int i = 0; i < FLEX_NODES; i++) {
    if (share[i] >= SHARE_MIN) {
      of->weight[side_begin + i] += weight * share[i];
    }
  }
}

// Vertices of an element count by their nearness, w_i = 1/|pos - x_i|, and |w| = 1; one that is
// itself the other side is left out.
static void add_element(FlexBodies* of, const mjModel* m, const mjData* d, const mjContact* con,
                        int side, mjtNum sign, int lastonly) {
  int flex = con->flex[side], dim = m->flex_dim[flex], n = 0, begin = of->n;
  const int* v = m->flex_elem + m->flex_elemdataadr[flex] + (dim + 1) * con->elem[side];
  int vert[4];
  mjtNum w[4], square = 0;
  for (int i = 0; i <= dim; i++) {
    if (v[i] != con->vert[1 - side]) {
      const mjtNum* x = d->flexvert_xpos + 3 * (m->flex_vertadr[flex] + v[i]);
      vert[n] = v[i];
      w[n] = 1 / num_max(mjMINVAL, v3_dist(con->pos, x));
      square += w[n] * w[n];
      n++;
    }
  }
  mjtNum scale = sign / mju_sqrt(num_max(mjMINVAL * mjMINVAL, square));
  for (int i = lastonly && m->flex_interp[flex] ? n - 1 : 0; i < n; i++) {
    add_vertex(of, m, flex, vert[i], w[i] * scale, begin);
  }
}

void flex_contactBodies(FlexBodies* of, const mjModel* m, const mjData* d, const mjContact* con,
                        int lastonly) {
  of->n = 0;
  for (int side = 0; side < 2; side++) {
    mjtNum sign = side ? 1 : -1;
    if (con->geom[side] >= 0) {
      of->body[of->n] = m->geom_bodyid[con->geom[side]];
      of->weight[of->n++] = sign;
    } else if (con->vert[side] >= 0) {
      add_vertex(of, m, con->flex[side], con->vert[side], sign, of->n);
    } else if (con->elem[side] >= 0) {
      add_element(of, m, d, con, side, sign, lastonly);
    }
  }
}

int flex_isPassive(const mjModel* m, const mjContact* con) {
  return (con->flex[0] >= 0 && m->flex_passive[con->flex[0]]) ||
         (con->flex[1] >= 0 && m->flex_passive[con->flex[1]]);
}

// qfrc += J_n' (-k dist), also where dist is positive, within the margin
void flex_contactForces(mjtNum* qfrc, const mjModel* m, const mjData* d) {
  const mjtNum zero[3] = {0, 0, 0};
  for (int i = 0; m->nflex && i < d->ncon; i++) {
    const mjContact* con = d->contact + i;
    if (!flex_isPassive(m, con)) {
      continue;
    }
    FlexBodies of;
    flex_contactBodies(&of, m, d, con, 0);
    for (int k = 0; k < of.n; k++) {
      mjtNum force[3];
      v3_scl(force, con->frame, -PASSIVE_STIFFNESS * con->dist * of.weight[k]);
      jac_addForce(qfrc, m, d, force, zero, con->pos, of.body[k]);
    }
  }
}
