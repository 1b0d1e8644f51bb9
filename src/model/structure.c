// structure.c: addresses, roots, welds, trees and sparsity patterns from the bodies and their
// joints.

#include "model/structure.h"
#include "model/behaviour.h"

#include "base/joint.h"
#include "base/memory/memory.h"

// Sets addresses of positions and dofs, and the joint and body of each dof.
static void derive_addresses(mjModel* m) {
  int qpos = 0, dof = 0, jnt = 0;
  for (int b = 0; b < m->nbody; b++) {
    int first = dof;
    for (int end = jnt + m->body_jntnum[b]; jnt < end; jnt++) {
      int ndof = joint_nv(m->jnt_type[jnt]);
      m->jnt_qposadr[jnt] = qpos;
      m->jnt_dofadr[jnt] = dof;
      for (int k = 0; k < ndof; k++, dof++) {
        m->dof_bodyid[dof] = b;
        m->dof_jntid[dof] = jnt;
      }
      qpos += joint_nq(m->jnt_type[jnt]);
    }
    m->body_dofnum[b] = dof - first;
    m->body_dofadr[b] = dof > first ? first : -1;
  }
}

// The root of a body is its topmost ancestor below the world. A body is welded to the nearest body
// with joints among itself and its ancestors; with the behaviour `mocap` mocap bodies count as
// well.
static void derive_welds(mjModel* m) {
  m->body_rootid[0] = 0;
  m->body_weldid[0] = 0;
  int by_mocap = behaves(m, cndBEHAVIOUR_mocap);
  for (int b = 1; b < m->nbody; b++) {
    int parent = m->body_parentid[b], own = by_mocap && m->body_mocapid[b] >= 0;
    m->body_rootid[b] = parent ? m->body_rootid[parent] : b;
    m->body_weldid[b] = m->body_jntnum[b] || own ? b : m->body_weldid[parent];
  }
}

// The parent of a dof is the previous dof of its body, or else the last dof of the nearest ancestor
// that has dofs. A dof without parent starts a tree.
static void derive_dofs(mjModel* m) {
  m->ntree = 0;
  int ntree = 0, Madr = 0;
  for (int i = 0; i < m->nv; i++) {
    int b = m->dof_bodyid[i];
    int parent = i - 1;
    if (i == m->body_dofadr[b]) {
      int above = m->body_weldid[m->body_parentid[b]];
      parent = m->body_dofnum[above] ? m->body_dofadr[above] + m->body_dofnum[above] - 1 : -1;
    }
    m->dof_parentid[i] = parent;
    m->dof_treeid[i] = parent < 0 ? ntree++ : m->dof_treeid[parent];

    m->dof_Madr[i] = Madr;
    for (int a = i; a >= 0; a = m->dof_parentid[a]) {
      Madr++;
    }
  }
  m->ntree = ntree;

  for (int b = 0; b < m->nbody; b++) {
    int weld = m->body_weldid[b];
    m->body_treeid[b] = m->body_dofnum[weld] ? m->dof_treeid[m->body_dofadr[weld]] : -1;
  }
}

void structure_tree(mjModel* m) {
  derive_addresses(m);
  derive_welds(m);
  derive_dofs(m);
}

void structure_runs(mjModel* m) {
  int run = 0;
  for (int i = m->nv - 1; i >= 0; i--) {
    run = m->body_simple[m->dof_bodyid[i]] ? run + 1 : 0;
    m->dof_simplenum[i] = run;
  }
}

// Counts the entries of the patterns described below. Dof k = 0, 1, ... of a body has above + k
// ancestors. A body with dofs and no dofs above it starts a tree.
//
//   nM = sum (1 + above + k),  nC = sum (1 + (simple ? 0 : above + k)),  nD = 2 nM - nv
//   nB = sum over bodies (above + below), where below includes the body's own dofs
void structure_count(StructureCounts* out, const mjModel* m, const mjtByte* simple) {
  *out = (StructureCounts){0};
  int64_t* dofs = heap_take(3 * (size_t)m->nbody * sizeof(int64_t));
  int64_t *own = dofs, *above = dofs + m->nbody, *below = dofs + 2 * m->nbody;
  for (int b = 0, jnt = 0; b < m->nbody; b++) {
    int parent = m->body_parentid[b];
    own[b] = 0;
    for (int end = jnt + m->body_jntnum[b]; jnt < end; jnt++) {
      own[b] += joint_nv(m->jnt_type[jnt]);
      out->nq += joint_nq(m->jnt_type[jnt]);
    }
    above[b] = b ? above[parent] + own[parent] : 0;
    below[b] = own[b];

    int64_t ancestors = own[b] * above[b] + own[b] * (own[b] - 1) / 2;
    out->nv += own[b];
    out->nM += own[b] + ancestors;
    out->nC += own[b] + (simple[b] ? 0 : ancestors);
    out->ntree += own[b] > 0 && above[b] == 0;
  }
  for (int b = m->nbody - 1; b >= 0 && out->nv; b--) {
    out->nB += above[b] + below[b];
    if (b) {
      below[m->body_parentid[b]] += below[b];
    }
  }
  out->nD = 2 * out->nM - out->nv;
  heap_free(dofs);
}

// Columns of the rows of M and D for dof i, and of B for body b. The chain of i is i, parent(i),
// parent(parent(i)) ... The dofs of a subtree are consecutive, because bodies are numbered depth
// first.
//
//   M   chain of i; only i itself if the body is simple, because the rest is always zero
//   D   chain of i, then all dofs below i
//   B   chain above b, then all dofs of b and below
//
// A chain is followed upwards, where indices decrease, so rows are filled from the right.
//                                                            theory/model/model.md, Sparse patterns

// Writes the chain of dof i, of length n, to col in increasing order.
static void write_chain(int* col, const mjModel* m, int i, int n) {
  for (int a = i; n > 0; a = m->dof_parentid[a]) {
    col[--n] = a;
  }
}

static void derive_B(mjModel* m, const int* depth, const int* end) {
  int adr = 0;
  for (int b = 0; b < m->nbody; b++) {
    // the chain above the body: that of the last dof of the nearest ancestor that has dofs
    int above = b ? m->body_weldid[m->body_parentid[b]] : 0;
    int last = m->body_dofnum[above] ? m->body_dofadr[above] + m->body_dofnum[above] - 1 : -1;
    int nabove = last < 0 ? 0 : depth[last];
    int first = end[2 * b], stop = end[2 * b + 1];

    m->B_rowadr[b] = adr;
    m->B_rownnz[b] = m->nv ? nabove + stop - first : 0;
    if (nabove) {
      write_chain(m->B_colind + adr, m, last, nabove);
    }
    for (int i = first; i < stop; i++) {
      m->B_colind[adr + nabove + i - first] = i;
    }
    adr += m->B_rownnz[b];
  }
}

static void derive_M(mjModel* m, const int* depth) {
  int adr = 0;
  for (int i = 0; i < m->nv; i++) {
    int n = m->dof_simplenum[i] ? 1 : depth[i];
    m->M_rowadr[i] = adr;
    m->M_rownnz[i] = n;
    write_chain(m->M_colind + adr, m, i, n);
    // the legacy row has the same elements, diagonal first
    for (int k = 0; k < n; k++) {
      m->mapM2M[adr + k] = m->dof_Madr[i] + n - 1 - k;
    }
    adr += n;
  }
}

// Index in M of element (i, j), where j is in the chain of i; -1 if M does not store it.
static int index_in_M(const mjModel* m, const int* depth, int i, int j) {
  if (m->M_rownnz[i] == depth[i]) {
    return m->M_rowadr[i] + depth[j] - 1;
  }
  return i == j ? m->M_rowadr[i] : -1;
}

static void derive_D(mjModel* m, const int* depth, const int* end) {
  int adr = 0;
  for (int i = 0; i < m->nv; i++) {
    int nchain = depth[i];
    int nbelow = end[2 * m->dof_bodyid[i] + 1] - i - 1;
    int* col = m->D_colind + adr;
    m->D_rowadr[i] = adr;
    m->D_rownnz[i] = nchain + nbelow;
    m->D_diag[i] = nchain - 1;

    write_chain(col, m, i, nchain);
    for (int k = 0; k < nbelow; k++) {
      col[nchain + k] = i + 1 + k;
    }
    for (int k = 0; k < m->D_rownnz[i]; k++) {
      int j = col[k];
      int index = j > i ? index_in_M(m, depth, j, i) : index_in_M(m, depth, i, j);
      m->mapM2D[adr + k] = index;
      if (j <= i && index >= 0) {
        m->mapD2M[index] = adr + k;
      }
    }
    adr += m->D_rownnz[i];
  }
}

void structure_patterns(mjModel* m) {
  // depth[i]: length of dof i's chain; end[b]: first dof of body b's subtree,
  // and the one after its last
  size_t n = (size_t)m->nv + 2 * (size_t)m->nbody;
  int* depth = heap_take(n * sizeof(int));
  int* end = depth + m->nv;
  for (int i = 0; i < m->nv; i++) {
    int parent = m->dof_parentid[i];
    depth[i] = parent < 0 ? 1 : depth[parent] + 1;
  }
  for (int b = 0, dof = 0; b < m->nbody; b++) {
    end[2 * b] = dof;
    dof += m->body_dofnum[b];
    end[2 * b + 1] = dof;
  }
  for (int b = m->nbody - 1; b > 0; b--) {
    int* stop = end + 2 * m->body_parentid[b] + 1;
    *stop = *stop > end[2 * b + 1] ? *stop : end[2 * b + 1];
  }

  derive_B(m, depth, end);
  derive_M(m, depth);
  derive_D(m, depth, end);
  heap_free(depth);
}
