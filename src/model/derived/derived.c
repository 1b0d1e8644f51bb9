// derived.c: counts the entries of derived arrays, makes room for them, and writes them.

#include "model/derived/derived.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "base/memory/memory.h"
#include "model/behaviour.h"
#include "model/derived/moment_rows.h"
#include "model/derived/parts.h"
#include "model/model.h"

// The largest of n numbers that are not negative.
static mjtSize largest(const int* x, int n) {
  int most = 0;
  for (int i = 0; i < n; i++) {
    most = x[i] > most ? x[i] : most;
  }
  return (mjtSize)most;
}

static mjtByte any_gravcomp(const mjModel* m) {
  for (int i = 0; i < m->nbody; i++) {
    if (m->body_gravcomp[i] > 0) {
      return 1;
    }
  }
  return 0;
}

static void write_numbers(mjModel* m) {
  m->flg_gravcomp = any_gravcomp(m);
  m->npolygonmax = largest(m->mesh_polyvertnum, m->nmeshpoly);
  m->nmeshdegmax = largest(m->mesh_polymapnum, m->nmeshvert);
}

static void write_edges(mjModel* m) {
  edge_rows(m->flexedge_J_rownnz, m->flexedge_J_rowadr, m->flexedge_J_colind, m);
}

// A file may have too little room, which its reader refuses.
static void shrink_moments(mjModel* m) {
  int64_t rows = behaves(m, cndBEHAVIOUR_pathdofs) ? moment_rows(m) : m->nJmom;
  m->nJmom = rows < m->nJmom ? (int)rows : m->nJmom;
}

// Returns 0 if memory runs out.
static int write_all(mjModel* m, int* scratch) {
  for (int i = 0; i < m->ntendon; i++) {
    m->tendon_type[i] = m->wrap_type[m->tendon_adr[i]] != mjWRAP_JOINT;
  }
  tendon_rows(m->ten_J_rownnz, m->ten_J_rowadr, m->ten_J_colind, m, scratch);
  shrink_moments(m);
  write_edges(m);
  write_extrema(m);
  write_numbers(m);
  return write_flex_order(m) && write_flex_metric(m);
}

// Counts the entries of derived arrays. Returns 0 if memory runs out.
static int count(mjModel* sizes, const mjModel* m, int* scratch) {
  mjtSize metric[2];
  if (!flex_metric_count(metric, m)) {
    return 0;
  }
  sizes->nJten = (mjtSize)tendon_rows(NULL, NULL, NULL, m, scratch);
  sizes->nJfe = (mjtSize)edge_rows(NULL, NULL, NULL, m);
  sizes->nflexstiffness = flex_stiffness_count(m);
  sizes->nflexbending = flex_bending_count(m);
  sizes->nefm0dof = metric[0];
  sizes->nefm0L = metric[1];
  sizes->nefmCvert = flex_order_count(m);
  return 1;
}

static int has_sizes(const mjModel* m, const mjModel* sizes) {
  return sizes->nJten == m->nJten && sizes->nJfe == m->nJfe &&
         sizes->nflexstiffness == m->nflexstiffness && sizes->nflexbending == m->nflexbending &&
         sizes->nefm0dof == m->nefm0dof && sizes->nefm0L == m->nefm0L &&
         sizes->nefmCvert == m->nefmCvert;
}

mjModel* derived_complete(mjModel* m) {
  int* scratch = memory_take(2 * ((size_t)m->nwrap + 1) * sizeof(int));
  mjModel sizes = *m, *whole = NULL;
  write_flexes(m);
  if (scratch && count(&sizes, m, scratch)) {
    whole = has_sizes(m, &sizes) ? m : model_resize(m, &sizes);
  }
  if (whole != m) {
    mj_deleteModel(m);
  }
  if (whole && !write_all(whole, scratch)) {
    mj_deleteModel(whole);
    whole = NULL;
  }
  mju_free(scratch);
  return whole;
}

void derived_follow(mjModel* m) {
  write_numbers(m);
  write_edges(m);
}
