// What a model says about its structure must be what the compiler would have derived: then no loop
// over chains, blocks of bodies or rows of patterns can leave its array, whatever else the file says.

#include <mujoco/api/model.h>
#include <string.h>

#include "base/error.h"
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

// Sizes, before anything of these sizes is made.
static const char* check_counts(const mjModel* m) {
  StructureCounts n;
  structure_count(&n, m, m->body_simple);
  return n.nq != m->nq || n.nv != m->nv ? "jnt_type"
         : n.ntree != m->ntree          ? "ntree"
         : n.nM != m->nM                ? "nM"
         : n.nC != m->nC                ? "nC"
         : n.nB != m->nB                ? "nB"
         : n.nD != m->nD                ? "nD"
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
  COMPARE(dof_simplenum, nv)
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
  return NULL;
}

typedef struct Checking_ {
  const mjModel* m;
  mjModel* derived;  // everything again, in a second model of the same sizes
  const char* wrong;
} Checking;

static void derive_again(void* argument) {
  Checking* checking = argument;
  const mjModel* m = checking->m;
  checking->wrong = check_counts(m);
  mjModel* derived = checking->derived = checking->wrong ? NULL : model_make(m);
  if (!derived) {
    checking->wrong = checking->wrong ? checking->wrong : MEMORY_OUT;
    return;
  }
  memcpy(derived->body_parentid, m->body_parentid, (size_t)m->nbody * sizeof(int));
  memcpy(derived->body_jntnum, m->body_jntnum, (size_t)m->nbody * sizeof(int));
  memcpy(derived->body_simple, m->body_simple, (size_t)m->nbody);
  if (m->njnt) {
    memcpy(derived->jnt_type, m->jnt_type, (size_t)m->njnt * sizeof(int));
  }
  structure_tree(derived);
  structure_runs(derived);
  structure_patterns(derived);
  checking->wrong = compare(m, derived);
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
  Checking checking = {m, NULL, NULL};
  int caught = error_catch(NULL, 0, derive_again, &checking);
  mj_deleteModel(checking.derived);
  return caught ? MEMORY_OUT : checking.wrong;
}
