// The bodies that a contact of a flex acts on, and the forces of contacts that act as springs.
//                                                  theory/smooth/deformables.md, Contacts of flexes

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "model/behaviour.h"
#include "smooth/flex/flex.h"
#include "smooth/flex/rod.h"
#include "smooth/jacobian.h"

// Does a node with this weight in a vertex take part in its contacts? By the later rule each does
// whose weight isn't exactly 0.
static int share_counts(const mjModel* m, mjtNum share) {
  return behaves(m, cndBEHAVIOUR_flex) ? share != 0 : mju_abs(share) >= FLEX_SHARE_MIN;
}

// Adds the bodies of the nodes of the cell that a point of the cage is in. Each occurs once per
// side: corners of one element in two cells have nodes in common, and several nodes can belong to
// one body.
static void add_cell(FlexBodies* of, const mjModel* m, int flex, const mjtNum vert0[3],
                     mjtNum weight, int side_begin) {
  FlexShare cell;
  flex_share(&cell, m, flex, vert0);
  for (int i = 0; i < cell.n; i++) {
    int body = m->flex_nodebodyid[m->flex_nodeadr[flex] + cell.node[i]], at = side_begin;
    if (!share_counts(m, cell.weight[i])) {
      continue;
    }
    while (at < of->n && of->body[at] != body) {
      at++;
    }
    if (at == of->n) {
      of->body[of->n] = body;
      of->weight[of->n++] = 0;
    }
    of->weight[at] += weight * cell.weight[i];
  }
}

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
  if (!flex_is_box(m, flex)) {
    add_cell(of, m, flex, m->flex_vert0 + 3 * (size_t)v, weight, side_begin);
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
    if (share_counts(m, share[i])) {
      of->weight[side_begin + i] += weight * share[i];
    }
  }
}

// Barycentric coordinates of the projection of p to a face, the set of corners whose bits are set.
// Returns 0 if it is not inside. With y_i = x_i - x_a, i the other corners:
//
//   (y_i . y_j) w = y_i . (p - x_a),   w_a = 1 - sum w_i
static int face_weights(mjtNum w[4], const mjtNum* const x[4], const mjtNum p[3], int face, int n) {
  int corner[4] = {0}, k = 0;
  mjtNum y[4][3], away[3], A[9], b[3] = {0}, rest = 1;
  for (int i = 0; i < n; i++) {
    if (face >> i & 1) {
      corner[k++] = i;
    }
  }
  v3_sub(away, p, x[corner[0]]);
  for (int i = 1; i < k; i++) {
    v3_sub(y[i], x[corner[i]], x[corner[0]]);
    b[i - 1] = v3_dot(y[i], away);
  }
  for (int i = 1; i < k; i++) {
    for (int j = 1; j < k; j++) {
      A[(k - 1) * (i - 1) + j - 1] = v3_dot(y[i], y[j]);
    }
  }
  if (k > 1 && mju_cholFactor(A, k - 1, mjMINVAL * mjMINVAL) < k - 1) {
    return 0;
  }
  if (k > 1) {
    mju_cholSolve(b, A, b, k - 1);
  }
  for (int i = 1; i < k; i++) {
    w[corner[i]] = b[i - 1];
    rest -= b[i - 1];
    if (!(b[i - 1] >= 0)) {
      return 0;
    }
  }
  w[corner[0]] = rest;
  return rest >= 0;
}

// Barycentric coordinates of the point of a simplex of n corners that is closest to p: of the
// nearest face if p is not over the inside. Corners with weight 0 don't count.
static void closest_weights(mjtNum w[4], const mjtNum* const x[4], const mjtNum p[3], int n) {
  mjtNum best = mjMAXVAL, found[4] = {0};
  int counts = 0;
  for (int i = 0; i < n; i++) {
    counts |= w[i] != 0 ? 1 << i : 0;
  }
  for (int face = 1; face < 1 << n; face++) {
    mjtNum part[4] = {0}, at[3] = {0}, square;
    if ((face & ~counts) || !face_weights(part, x, p, face, n)) {
      continue;
    }
    for (int i = 0; i < n; i++) {
      v3_addtoscl(at, x[i], part[i]);
    }
    v3_subfrom(at, p);
    square = v3_dot(at, at);
    if (square < best) {
      best = square;
      memcpy(found, part, sizeof(found));
    }
  }
  memcpy(w, found, (size_t)n * sizeof(mjtNum));
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
  if (behaves(m, cndBEHAVIOUR_flex) || m->cnd_flex_shell[flex] || rod_twists(m, flex)) {
    const mjtNum* x[4];
    for (int i = 0; i <= dim; i++) {
      x[i] = d->flexvert_xpos + 3 * (m->flex_vertadr[flex] + v[i]);
    }
    closest_weights(of->weight, x, con->pos, dim + 1);
    return;
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
  RodGrip grip;
  int flex = con->flex[side], begin = of->n;
  if (m->flex_dim[flex] == 1 && rod_grip(&grip, m, d, con, side)) {
    for (int i = 0; i < 3; i++) {
      of->body[of->n] = grip.body[i];
      of->weight[of->n++] = i < 2 ? sign * grip.weight[i] : 0;
    }
    return;
  }
  flex_contact_corners(&corners, m, d, con, side);
  if (m->flex_interp[flex] && (behaves(m, cndBEHAVIOUR_flex) || m->cnd_flex_shell[flex])) {
    // the point of the cage that the corners make at rest
    mjtNum vert0[3] = {0};
    for (int i = 0; i < corners.n; i++) {
      v3_addtoscl(vert0, m->flex_vert0 + 3 * (size_t)(m->flex_vertadr[flex] + corners.vert[i]),
                  corners.weight[i]);
    }
    add_cell(of, m, flex, vert0, sign, begin);
    return;
  }
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
    of->second = of->n;
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
