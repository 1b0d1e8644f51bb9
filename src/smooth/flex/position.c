// Positions of vertices, boxes of elements, lengths of edges and their gradients with respect to
// the dofs.                                       theory/smooth/deformables.md, Positions and edges

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/smooth.h>
#include <string.h>

#include "base/algebra/sparse_row.h"
#include "base/algebra/vec.h"
#include "model/checks/pair.h"
#include "smooth/flex/flex.h"
#include "smooth/jacobian.h"

static const int edges1[][2] = {{0, 1}};
static const int edges2[][2] = {{1, 2}, {2, 0}, {0, 1}};
static const int edges3[][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {0, 3}, {1, 3}};

int flex_element_edges(int dim) {
  return dim == 1 ? 1 : 3 * (dim - 1);
}

const int (*flex_edge_ends(int dim))[2] {
  return dim == 1 ? edges1 : dim == 2 ? edges2 : edges3;
}

// Does anything act along the edges of a flex, so that rows of its Jacobian are made?
static int flex_pulls(const mjModel* m, int flex) {
  return m->flex_edgeequality[flex] || m->flex_edgestiffness[flex] != 0 ||
         m->flex_edgedamping[flex] != 0 || m->flex_damping[flex] != 0;
}

// vertices

// Node i is at corner (i & 4, i & 2, i & 1) of the box. Its weight is the product, over the axes,
// of c on the upper side or 1 - c on the lower.
void flex_node_weights(mjtNum w[FLEX_NODES], const mjtNum vert0[3]) {
  for (int i = 0; i < FLEX_NODES; i++) {
    w[i] = 1;
    for (int k = 0; k < 3; k++) {
      w[i] *= i >> (2 - k) & 1 ? vert0[k] : 1 - vert0[k];
    }
  }
}

// F0 = sum_i X_i grad N_i(center)' has the columns R0_k s_k for a box with the sides s_k.
void flex_box_axes(mjtNum quat[4], const mjtNum node0[3 * FLEX_NODES]) {
  const mjtNum aligned = sizeof(mjtNum) == 8 ? (mjtNum)1e-14 : (mjtNum)1e-6;
  const mjtNum square = sizeof(mjtNum) == 8 ? (mjtNum)1e-9 : (mjtNum)1e-5;
  mjtNum axis[3][3] = {{0}}, mat[9], cross[3], turned = 0;
  q_identity(quat);
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < FLEX_NODES; i++) {
      mjtNum edge[3];
      v3_sub(edge, node0 + 3 * i, node0);
      v3_addtoscl(axis[k], edge, i >> (2 - k) & 1 ? 1 : -1);
    }
    v3_normalize(axis[k]);
    for (int r = 0; r < 3; r++) {
      mat[3 * r + k] = axis[k][r];
      turned = num_max(turned, mju_abs(axis[k][r] - (r == k)));
    }
  }
  v3_cross(cross, axis[0], axis[1]);
  mjtNum skew = mju_abs(v3_dot(axis[0], axis[1]));
  skew = num_max(skew, mju_abs(v3_dot(axis[1], axis[2])));
  skew = num_max(skew, mju_abs(v3_dot(axis[2], axis[0])));
  if (turned > aligned && skew < square && v3_dot(cross, axis[2]) > 0) {
    mju_mat2Quat(quat, mat);
  }
}

// A point of a body: fixed at `local` in its frame, or its origin if local is NULL.
static void place(mjtNum out[3], const mjData* d, int body, const mjtNum* local) {
  if (local) {
    v3_toworld(out, local, d->xpos + 3 * body, d->xmat + 9 * body);
  } else {
    v3_copy(out, d->xpos + 3 * body);
  }
}

void flex_node_position(mjtNum out[3], const mjModel* m, const mjData* d, int flex, int i) {
  int node = m->flex_nodeadr[flex] + i;
  place(out, d, m->flex_nodebodyid[node], m->flex_centered[flex] ? NULL : m->flex_node + 3 * node);
}

static void place_in_cells(const mjModel* m, mjData* d, int f) {
  int adr = m->flex_vertadr[f], end = adr + m->flex_vertnum[f];
  mj_markStack(d);
  mjtNum* node = mj_stackAllocNum(d, 3 * (size_t)m->flex_nodenum[f]);
  for (int i = 0; i < m->flex_nodenum[f]; i++) {
    flex_node_position(node + 3 * (size_t)i, m, d, f, i);
  }
  for (int v = adr; v < end; v++) {
    FlexShare of;
    mjtNum* x = d->flexvert_xpos + 3 * (size_t)v;
    flex_share(&of, m, f, m->flex_vert0 + 3 * (size_t)v);
    v3_zero(x);
    for (int i = 0; i < of.n; i++) {
      v3_addtoscl(x, node + 3 * (size_t)of.node[i], of.weight[i]);
    }
  }
  mj_freeStack(d);
}

static void place_vertices(const mjModel* m, mjData* d, int f) {
  int adr = m->flex_vertadr[f], end = adr + m->flex_vertnum[f];
  int centered = m->flex_centered[f];
  if (!m->flex_interp[f]) {
    for (int v = adr; v < end; v++) {
      place(d->flexvert_xpos + 3 * v, d, m->flex_vertbodyid[v],
            centered ? NULL : m->flex_vert + 3 * v);
    }
    return;
  }
  if (!flex_is_box(m, f)) {
    place_in_cells(m, d, f);
    return;
  }
  mjtNum corner[FLEX_NODES][3], w[FLEX_NODES];
  for (int i = 0; i < FLEX_NODES; i++) {
    flex_node_position(corner[i], m, d, f, i);
  }
  for (int v = adr; v < end; v++) {
    mjtNum* x = d->flexvert_xpos + 3 * v;
    flex_node_weights(w, m->flex_vert0 + 3 * v);
    v3_zero(x);
    for (int i = 0; i < FLEX_NODES; i++) {
      v3_addtoscl(x, corner[i], w[i]);
    }
  }
}

// edges

// With u the direction from x1 to x2, d length/dq = u . (J2(x2) - J1(x1)). A dof that moves both
// bodies turns the edge without stretching it. Returns the number of columns. packed != 0: only
// dofs that move just one of the bodies have a column, and col receives their ids.
static int edge_row(mjtNum* val, int* col, const mjModel* m, const mjData* d, const int body[2],
                    const mjtNum* const x[2], const mjtNum u[3]) {
  BodyChain chain[2];
  ChainRun run[3];
  int nrun = jac_runs(run, chain, m, body, 2), n = 0;
  for (int i = 0; i < nrun; i++) {
    int side = chain[run[i].first].place, shared = run[i].end - run[i].first == 2;
    mjtNum wrench[6], r[3];
    v3_sub(r, x[side], d->subtree_com + 3 * m->body_rootid[body[side]]);
    v3_cross(wrench, r, u);
    v3_copy(wrench + 3, u);
    for (int k = 0; k < run[i].ndof; k++) {
      int dof = run[i].dof[k];
      mjtNum power = shared ? 0 : sp_dot(d->cdof + 6 * dof, wrench);
      val[col ? n : dof] = side ? power : -power;
      if (col) {
        col[n] = dof;
      }
      n++;
    }
  }
  return n;
}

static int are_siblings(const mjModel* m, const int body[2]) {
  return body[0] > 0 && body[1] > 0 && m->body_parentid[body[0]] == m->body_parentid[body[1]];
}

// The row of an edge whose two bodies have the same parent, as is usual for vertices. Dofs above
// the parent rotate the edge without stretching it, and each other dof belongs to one of the two
// bodies.
static int sibling_row(mjtNum* val, int* col, const mjModel* m, const mjData* d, const int body[2],
                       const mjtNum* const x[2], const mjtNum u[3]) {
  int n, lower = body[0] > body[1];
  const int* chain = jac_body_chain(&n, m, m->body_parentid[body[0]]);
  for (int k = 0; k < n; k++) {
    val[k] = 0;
    col[k] = chain[k];
  }
  for (int i = 0; i < 2; i++) {
    int side = i ^ lower, b = body[side], end = m->body_dofadr[b] + m->body_dofnum[b];
    mjtNum wrench[6], r[3];
    v3_sub(r, x[side], d->subtree_com + 3 * m->body_rootid[b]);
    v3_cross(wrench, r, u);
    v3_copy(wrench + 3, u);
    for (int dof = m->body_dofadr[b]; dof < end; dof++, n++) {
      mjtNum power = sp_dot(d->cdof + 6 * dof, wrench);
      val[n] = side ? power : -power;
      col[n] = dof;
    }
  }
  return n;
}

// For each vertex whose body has three dofs and only slides, as most do: its first dof; else -1.
static void find_sliders(int* dof, const mjModel* m, int f) {
  const int* body = m->flex_vertbodyid + m->flex_vertadr[f];
  for (int v = 0; v < m->flex_vertnum[f]; v++) {
    int b = body[v];
    dof[v] = b >= 0 && m->body_simple[b] == 2 && m->body_dofnum[b] == 3 ? m->body_dofadr[b] : -1;
  }
}

// The row of an edge between two vertices with three slides each (find_sliders). dof1 < dof2 are
// their first dofs. sign: 1 if the second vertex of the edge has dof2, else -1.
static void slide_row(mjtNum val[6], int col[6], const mjData* d, int dof1, int dof2,
                      const mjtNum u[3], mjtNum sign) {
  for (int k = 0; k < 3; k++) {
    val[k] = -sign * v3_dot(d->cdof + 6 * (dof1 + k) + 3, u);
    val[3 + k] = sign * v3_dot(d->cdof + 6 * (dof2 + k) + 3, u);
    col[k] = dof1 + k;
    col[3 + k] = dof2 + k;
  }
}

// Lengths and directions of n edges, directions by component: all x, all y, all z. An edge of no
// length points along x.
KERNEL static void edge_directions(mjtNum* restrict u, mjtNum* restrict length, const mjtNum* x,
                                   const int* edge, int n) {
  mjtNum* restrict ux = u, * restrict uy = u + n, * restrict uz = u + 2 * (size_t)n;
  for (int e = 0; e < n; e++) {
    const mjtNum *x1 = x + 3 * edge[2 * e], *x2 = x + 3 * edge[2 * e + 1];
    ux[e] = x2[0] - x1[0];
    uy[e] = x2[1] - x1[1];
    uz[e] = x2[2] - x1[2];
  }
  for (int e = 0; e < n; e++) {
    mjtNum norm = mju_sqrt(ux[e] * ux[e] + uy[e] * uy[e] + uz[e] * uz[e]);
    int none = norm < mjMINVAL;
    mjtNum scale = none ? 0 : 1 / norm;
    length[e] = norm;
    ux[e] = none ? 1 : ux[e] * scale;
    uy[e] *= scale;
    uz[e] *= scale;
  }
}

// Lengths of edges and, if something acts along them, rows from *adr on.
static void measure_edges(const mjModel* m, mjData* d, int f, int sparse, int adr[1]) {
  int first = m->flex_edgeadr[f], vert = m->flex_vertadr[f], n = m->flex_edgenum[f];
  mj_markStack(d);
  mjtNum* direction = mj_stackAllocNum(d, 3 * (size_t)n);
  int* dof = mj_stackAllocInt(d, (size_t)m->flex_vertnum[f]);
  find_sliders(dof, m, f);
  edge_directions(direction, d->flexedge_length + first, d->flexvert_xpos + 3 * vert,
                  m->flex_edge + 2 * first, n);
  for (int i = 0, e = first; flex_pulls(m, f) && i < n; i++, e++) {
    int v1 = vert + m->flex_edge[2 * e], v2 = vert + m->flex_edge[2 * e + 1];
    const mjtNum* const x[2] = {d->flexvert_xpos + 3 * v1, d->flexvert_xpos + 3 * v2};
    const int body[2] = {m->flex_vertbodyid[v1], m->flex_vertbodyid[v2]};
    const mjtNum u[3] = {direction[i], direction[n + i], direction[2 * (size_t)n + i]};
    int dof1 = dof[v1 - vert], dof2 = dof[v2 - vert], num = 6;
    mjtNum* row = d->flexedge_J + (sparse ? (size_t)*adr : (size_t)e * (size_t)m->nv);
    int* col = sparse ? d->flexedge_J_colind + *adr : NULL;
    if (sparse && dof1 >= 0 && dof2 >= 0 && dof1 != dof2) {
      slide_row(row, col, d, int_min(dof1, dof2), int_max(dof1, dof2), u, dof1 < dof2 ? 1 : -1);
    } else if (sparse && body[0] != body[1] && are_siblings(m, body)) {
      num = sibling_row(row, col, m, d, body, x, u);
    } else {
      num = edge_row(row, col, m, d, body, x, u);
    }
    if (sparse) {
      d->flexedge_J_rowadr[e] = *adr;
      d->flexedge_J_rownnz[e] = num;
      *adr += num;
    }
    TendonRow made = {row, col, sparse ? num : m->nv};
    row_fit(d->cnd_flexedge_J + m->flexedge_J_rowadr[e],
            m->flexedge_J_colind + m->flexedge_J_rowadr[e], m->flexedge_J_rownnz[e], &made);
  }
  mj_freeStack(d);
}

static int any_pulls(const mjModel* m) {
  for (int f = 0; f < m->nflex; f++) {
    if (!m->flex_rigid[f] && !m->flex_interp[f] && flex_pulls(m, f)) {
      return 1;
    }
  }
  return 0;
}

// Positions x of vertices; for edges l = |x_b - x_a|, J = dl/dq = n . (J_b - J_a), l' = J v.
// Also flex_edge_derivative in derivative/tree/flex_edge.c.
void mj_flex(const mjModel* m, mjData* d) {
  check_pair(m, d);
  if (!m->nflex) {
    return;
  }
  int sparse = mj_isSparse(m), adr = 0, boxes = !(m->opt.disableflags & mjDSBL_MIDPHASE);
  if (sparse) {
    memset(d->flexedge_J_rowadr, 0, (size_t)m->nflexedge * sizeof(int));
    memset(d->flexedge_J_rownnz, 0, (size_t)m->nflexedge * sizeof(int));
  } else if (any_pulls(m)) {
    memset(d->flexedge_J, 0, (size_t)m->nflexedge * (size_t)m->nv * sizeof(mjtNum));
  }
  for (int f = 0; f < m->nflex; f++) {
    place_vertices(m, d, f);
    flex_box_elements(m, d, f);
    if (boxes && m->flex_bvhnum[f]) {
      flex_box_tree(m, d, f);
    }
    if (!m->flex_rigid[f] && !m->flex_interp[f]) {
      measure_edges(m, d, f, sparse, &adr);
    }
  }
}

// velocity = J qvel; rows that are not needed are empty.
void flex_velocity(const mjModel* m, mjData* d) {
  if (!any_pulls(m)) {
    memset(d->flexedge_velocity, 0, (size_t)m->nflexedge * sizeof(mjtNum));
    return;
  }
  if (mj_isSparse(m)) {
    SparseRows rows = flex_rows(d, 0, m->nflexedge);
    rows_dot(d->flexedge_velocity, &rows, d->qvel);
  } else {
    mju_mulMatVec(d->flexedge_velocity, d->flexedge_J, d->qvel, m->nflexedge, m->nv);
  }
}
