// The bodies that a contact of a flex acts on, and the forces of contacts that act as springs.
//                                                  theory/smooth/deformables.md, Contacts of flexes

#include "base/algebra/vec.h"
#include "smooth/flex/flex.h"
#include "smooth/jacobian.h"

// Adds the body of a vertex with a weight, or the bodies of its nodes if the vertex is interpolated
// from nodes. Each body occurs once per side.
static void add_vertex(FlexBodies* of, const mjModel* m, int flex, int vert, mjtNum weight,
                       int side_begin) {
  int v = m->flex_vertadr[flex] + vert, node = m->flex_nodeadr[flex];
  if (!m->flex_interp[flex]) {
    of->body[of->n] = m->flex_vertbodyid[v];
    of->weight[of->n++] = weight;
    return;
  }
  mjtNum share[FLEX_NODES];
  flex_node_weights(share, m->flex_vert0 + 3 * v);
  if (of->n == side_begin) {
    for (int i = 0; i < FLEX_NODES; i++) {
      of->body[of->n] = m->flex_nodebodyid[node + i];
      of->weight[of->n++] = 0;
    }
  }
  for (int i = 0; i < FLEX_NODES; i++) {
    if (share[i] >= FLEX_SHARE_MIN) {
      of->weight[side_begin + i] += weight * share[i];
    }
  }
}

// w_a = (1 / |p - x_a|) / norm, |w| = 1, over the corners a of the side of a contact at p
// Also move_weights in derivative/constraint/contact.c.
void flex_contact_corners(FlexCorners* of, const mjModel* m, const mjData* d, const mjContact* con,
                          int side) {
  int flex = con->flex[side];
  if (con->vert[side] >= 0) {
    *of = (FlexCorners){.n = 1, .vert = {con->vert[side]}, .weight = {1}};
    return;
  }
  if (con->elem[side] < 0) {
    of->n = 0;
    return;
  }
  int dim = m->flex_dim[flex];
  const int* v = m->flex_elem + m->flex_elemdataadr[flex] + (dim + 1) * con->elem[side];
  mjtNum square = 0;
  of->n = dim + 1;
  for (int i = 0; i <= dim; i++) {
    const mjtNum* x = d->flexvert_xpos + 3 * (m->flex_vertadr[flex] + v[i]);
    of->vert[i] = v[i];
    of->weight[i] = v[i] == con->vert[1 - side] ? 0 : 1 / num_max(mjMINVAL, v3_dist(con->pos, x));
    square += of->weight[i] * of->weight[i];
  }
  mjtNum scale = 1 / mju_sqrt(num_max(mjMINVAL * mjMINVAL, square));
  for (int i = 0; i <= dim; i++) {
    of->weight[i] *= scale;
  }
}

int flex_is_counted(const FlexCorners* of, int corner, int lastonly) {
  int counts = of->weight[corner] != 0;
  for (int i = corner + 1; counts && lastonly && i < of->n; i++) {
    counts = of->weight[i] == 0;
  }
  return counts;
}

static void add_corners(FlexBodies* of, const mjModel* m, const mjData* d, const mjContact* con,
                        int side, mjtNum sign, int lastonly) {
  FlexCorners corners;
  int flex = con->flex[side], begin = of->n;
  flex_contact_corners(&corners, m, d, con, side);
  for (int i = 0; i < corners.n; i++) {
    if (flex_is_counted(&corners, i, lastonly && m->flex_interp[flex])) {
      add_vertex(of, m, flex, corners.vert[i], sign * corners.weight[i], begin);
    }
  }
}

// J = sum over sides and their bodies of +-w_b J_b(p)
void flex_contact_bodies(FlexBodies* of, const mjModel* m, const mjData* d, const mjContact* con,
                         int lastonly) {
  of->n = 0;
  for (int side = 0; side < 2; side++) {
    mjtNum sign = side ? 1 : -1;
    if (con->geom[side] >= 0) {
      of->body[of->n] = m->geom_bodyid[con->geom[side]];
      of->weight[of->n++] = sign;
    } else {
      add_corners(of, m, d, con, side, sign, lastonly);
    }
  }
}

int flex_is_passive(const mjModel* m, const mjContact* con) {
  return (con->flex[0] >= 0 && m->flex_passive[con->flex[0]]) ||
         (con->flex[1] >= 0 && m->flex_passive[con->flex[1]]);
}

// qfrc += J_n' (-k dist). The force pulls where dist is positive, within the margin.
void flex_contact_forces(mjtNum* qfrc, const mjModel* m, const mjData* d) {
  const mjtNum zero[3] = {0, 0, 0};
  for (int i = 0; m->nflex && i < d->ncon; i++) {
    const mjContact* con = d->contact + i;
    if (!flex_is_passive(m, con)) {
      continue;
    }
    FlexBodies of;
    flex_contact_bodies(&of, m, d, con, 0);
    for (int k = 0; k < of.n; k++) {
      mjtNum force[3];
      v3_scl(force, con->frame, -FLEX_PASSIVE_STIFFNESS * con->dist * of.weight[k]);
      jac_add_force(qfrc, m, d, force, zero, con->pos, of.body[k]);
    }
  }
}
