// What a model says about its structure must be what the compiler would have derived: then no loop
// over chains, blocks of bodies or rows of patterns can leave its array, whatever else the file says.

#include <stdint.h>
#include <string.h>

#include "base/joint.h"
#include "model/model.h"
#include "model/structure.h"

// Depth first: the parent of a body is the body before it, or one of that body's ancestors.
static int is_depth_first(const mjModel* m) {
  for (int b = 1; b < m->nbody; b++) {
    int ancestor = b - 1;
    while (ancestor > m->body_parentid[b]) {
      ancestor = m->body_parentid[ancestor];
    }
    if (ancestor != m->body_parentid[b]) {
      return 0;
    }
  }
  return m->body_parentid[0] == 0;
}

// Do the members of each body follow each other in the order of the bodies, and know theirs?
static int are_blocks(const mjModel* m, const int* adr, const int* num, const int* bodyid, int n) {
  int next = 0;
  for (int b = 0; b < m->nbody; b++) {
    if (num[b] < 0 || num[b] > n - next || adr[b] != (num[b] ? next : -1)) {
      return 0;
    }
    for (int end = next + num[b]; next < end; next++) {
      if (bodyid[next] != b) {
        return 0;
      }
    }
  }
  return next == n;
}

// A dof is simple if its body is; the number counts how many such follow, itself included.
static int are_runs(const mjModel* m) {
  int run = 0;
  for (int i = m->nv - 1; i >= 0; i--) {
    run = m->body_simple[m->dof_bodyid[i]] ? run + 1 : 0;
    if (m->dof_simplenum[i] != run) {
      return 0;
    }
  }
  return 1;
}

// Coordinates and dofs of all joints.
static int are_counts(const mjModel* m) {
  int64_t nq = 0, nv = 0;
  for (int i = 0; i < m->njnt; i++) {
    nq += joint_nq(m->jnt_type[i]);
    nv += joint_nv(m->jnt_type[i]);
  }
  return nq == m->nq && nv == m->nv;
}

// Entries of the patterns, counted from the chains of the dofs (structure.c says what a row has).
static const char* check_entries(const mjModel* m, const mjModel* tree) {
  int64_t nM = 0, nC = 0, nB = 0;
  int* length = mju_malloc(((size_t)m->nv + (size_t)m->nbody + 1) * sizeof(int));
  int* below = length + m->nv;
  for (int i = 0; i < m->nv; i++) {
    int parent = tree->dof_parentid[i];
    length[i] = parent < 0 ? 1 : length[parent] + 1;
    nM += length[i];
    nC += m->dof_simplenum[i] ? 1 : length[i];
  }
  memcpy(below, tree->body_dofnum, (size_t)m->nbody * sizeof(int));
  for (int b = m->nbody - 1; b > 0; b--) {
    below[m->body_parentid[b]] += below[b];
  }
  for (int b = 0; m->nv && b < m->nbody; b++) {
    int above = b ? tree->body_weldid[m->body_parentid[b]] : 0;
    int last = tree->body_dofadr[above] + tree->body_dofnum[above] - 1;
    nB += below[b] + (tree->body_dofnum[above] ? length[last] : 0);
  }
  mju_free(length);
  return nM != m->nM               ? "nM"
         : nC != m->nC             ? "nC"
         : nB != m->nB             ? "nB"
         : 2 * nM - m->nv != m->nD ? "nD"
                                   : NULL;
}

// The first array that differs.
static const char* compare(const mjModel* m, const mjModel* derived) {
#define COMPARE(field, count)                                                              \
  if (m->count && memcmp(m->field, derived->field, (size_t)m->count * sizeof(int)) != 0) { \
    return #field;                                                                         \
  }
  COMPARE(body_rootid, nbody)
  COMPARE(body_weldid, nbody)
  COMPARE(body_treeid, nbody)
  COMPARE(body_dofnum, nbody)
  COMPARE(body_dofadr, nbody)
  COMPARE(jnt_qposadr, njnt)
  COMPARE(jnt_dofadr, njnt)
  COMPARE(dof_bodyid, nv)
  COMPARE(dof_jntid, nv)
  COMPARE(dof_parentid, nv)
  COMPARE(dof_treeid, nv)
  COMPARE(dof_Madr, nv)
  COMPARE(B_rownnz, nbody)
  COMPARE(B_rowadr, nbody)
  COMPARE(B_colind, nB)
  COMPARE(M_rownnz, nv)
  COMPARE(M_rowadr, nv)
  COMPARE(M_colind, nC)
  COMPARE(mapM2M, nC)
  COMPARE(D_rownnz, nv)
  COMPARE(D_rowadr, nv)
  COMPARE(D_diag, nv)
  COMPARE(D_colind, nD)
  COMPARE(mapM2D, nD)
  COMPARE(mapD2M, nC)
#undef COMPARE
  return m->ntree != derived->ntree ? "ntree" : NULL;
}

// Derives everything again, in a second model of the same sizes, step by step: each needs the one
// before to be right.
static const char* derive_again(const mjModel* m, mjModel* derived) {
  memcpy(derived->body_parentid, m->body_parentid, (size_t)m->nbody * sizeof(int));
  memcpy(derived->body_jntnum, m->body_jntnum, (size_t)m->nbody * sizeof(int));
  if (m->njnt) {
    memcpy(derived->jnt_type, m->jnt_type, (size_t)m->njnt * sizeof(int));
  }
  structure_tree(derived);
  const char* wrong = check_entries(m, derived);
  if (wrong) {
    return wrong;
  }
  if (m->nv) {
    memcpy(derived->dof_simplenum, m->dof_simplenum, (size_t)m->nv * sizeof(int));
  }
  structure_patterns(derived);
  return compare(m, derived);
}

const char* structure_check(const mjModel* m) {
  if (!is_depth_first(m)) {
    return "body_parentid";
  }
  if (!are_blocks(m, m->body_jntadr, m->body_jntnum, m->jnt_bodyid, m->njnt)) {
    return "body_jntadr";
  }
  if (!are_blocks(m, m->body_geomadr, m->body_geomnum, m->geom_bodyid, m->ngeom)) {
    return "body_geomadr";
  }
  if (!are_counts(m)) {
    return "jnt_type";
  }
  if (!are_runs(m)) {
    return "dof_simplenum";
  }
  mjModel* derived = model_make(m);
  if (!derived) {
    return "memory";
  }
  const char* wrong = derive_again(m, derived);
  mj_deleteModel(derived);
  return wrong;
}
