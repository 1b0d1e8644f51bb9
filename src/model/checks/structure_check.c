// structure_check.c: compares the structure of a model with what the compiler would have derived.
// Then no loop over chains, blocks of bodies or rows of patterns can leave its array, whatever else
// a file says.

#include <condyle/condyle.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/memory/error.h"
#include "model/model.h"
#include "model/structure.h"

// Are bodies numbered depth first: is the parent of each body the previous body or one of its
// ancestors?
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

// Are the members of each body consecutive, in the order of the bodies, with the right body id?
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

// Compares the sizes, before any array is made from them.
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

static const char* const derived_fields[] = {
    "body_rootid",   "body_weldid", "body_treeid", "body_dofnum",  "body_dofadr", "jnt_qposadr",
    "jnt_dofadr",    "dof_bodyid",  "dof_jntid",   "dof_parentid", "dof_treeid",  "dof_Madr",
    "dof_simplenum", "B_rownnz",    "B_rowadr",    "B_colind",     "M_rownnz",    "M_rowadr",
    "M_colind",      "mapM2M",      "D_rownnz",    "D_rowadr",     "D_diag",      "D_colind",
    "mapM2D",        "mapD2M",
};

// The name of the first array that differs.
static const char* compare(const mjModel* m, const mjModel* derived) {
  for (size_t i = 0; i < sizeof(derived_fields) / sizeof(derived_fields[0]); i++) {
    cndArray given, wanted;
    cnd_modelArray(&given, m, derived_fields[i]);
    cnd_modelArray(&wanted, derived, derived_fields[i]);
    size_t bytes = given.rows * given.columns * given.field->size;
    if (bytes && memcmp(given.data, wanted.data, bytes) != 0) {
      return derived_fields[i];
    }
  }
  return NULL;
}

typedef struct Checking_ {
  const mjModel* m;
  mjModel* derived;  // a second model of the same sizes with the derived values
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
  memcpy(derived->body_mocapid, m->body_mocapid, (size_t)m->nbody * sizeof(int));
  derived->opt.behaviour = m->opt.behaviour;
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
