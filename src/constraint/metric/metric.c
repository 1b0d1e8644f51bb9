// Pattern, sums and factor of the effective metric.

#include "constraint/metric/metric.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/smooth.h>
#include <string.h>

#include "base/actuator.h"
#include "base/algebra/vec.h"
#include "constraint/metric/flex.h"
#include "constraint/rows/storage.h"
#include "model/checks/discrete.h"
#include "model/data/arena.h"
#include "model/data/awake.h"
#include "model/options.h"
#include "model/terms.h"
#include "smooth/actuation.h"
#include "smooth/inertia.h"
#include "smooth/tendon.h"

// rows that couple

static int tendon_acts(const mjModel* m, int t) {
  return m->cnd_has_terms
             ? terms_any(terms_tendon_spring(m, t)) || terms_any(terms_tendon_damper(m, t))
             : m->tendon_stiffness[t] != 0 || m->tendon_damping[t] != 0;
}

// May the force of an actuator depend on its length or velocity?
static int actuator_acts(const mjModel* m, int i) {
  const mjtNum* bias = m->actuator_biasprm + mjNBIAS * i;
  int gain = m->actuator_gaintype[i], type = m->actuator_biastype[i];
  return gain_has_law(gain) || gain == mjGAIN_AFFINE || gain == mjGAIN_MUSCLE ||
         type == mjBIAS_MUSCLE || (type == mjBIAS_AFFINE && (bias[1] != 0 || bias[2] != 0));
}

static int actuator_couples(const mjModel* m, const mjData* d, int i) {
  return actuator_acts(m, i) && !actuator_is_disabled(m, i) &&
         !(awake_some_sleep(m, d) && actuator_sleeps(m, d, i));
}

static int is_hard(const mjModel* m) {
  return m->cnd_contact.mode == cndCONTACT_HARD;
}

// The parent of a dof in M's pattern; dofs that only slide have none.
static int parent_in_M(const mjModel* m, int dof) {
  int n = m->M_rownnz[dof];
  return n > 1 ? m->M_colind[m->M_rowadr[dof] + n - 2] : -1;
}

// Are all dofs of a row ancestors of its last one?
static int is_on_path(const mjModel* m, const mjtNum* value, const int* column, int n) {
  int up = -1, is_one = 1;
  for (int k = n - 1; k >= 0 && is_one; k--) {
    int dof = column ? column[k] : k;
    if (value[k] == 0) {
      continue;
    }
    for (up = up < 0 ? dof : up; up > dof;) {
      up = parent_in_M(m, up);
    }
    is_one = up == dof;
  }
  return is_one;
}

int metric_takes(const mjModel* m, const mjtNum* value, const int* column, int n) {
  return options_metric_couples(m) && (!is_hard(m) || is_on_path(m, value, column, n));
}

void metric_visit(const mjModel* m, mjData* d, MetricVisitor* visit, void* arg) {
  if (!options_metric_couples(m) || is_hard(m)) {
    return;
  }
  for (int t = 0; t < m->ntendon; t++) {
    if (tendon_acts(m, t) && !(awake_some_sleep(m, d) && tendon_sleeps(m, d, t))) {
      TendonRow row = tendon_view(m, d, t);
      visit(arg, row.val, row.colind, row.n);
    }
  }
  int acts = !(m->opt.disableflags & mjDSBL_ACTUATION);
  for (int i = 0; acts && i < (int)m->nactuator; i++) {
    int end = m->actuator_outadr[i] + m->actuator_outnum[i];
    for (int row = m->actuator_outadr[i]; row < end && actuator_couples(m, d, i); row++) {
      int adr = d->moment_rowadr[row];
      visit(arg, d->actuator_moment + adr, d->moment_colind + adr, d->moment_rownnz[row]);
    }
  }
  metric_flex_visit(m, d, visit, arg);
}

// pattern

// Functions for whole paths are faster, unless paths have so many times the entries that rows need.
enum {
  CUT_FROM = 2
};

// Of each dof the last one of its subtree and, if rows are cut, the first one in its row.
typedef struct MetricReach_ {
  int *end, *low;
} MetricReach;

static void reach_of_M(MetricReach* reach, const mjModel* m) {
  for (int i = m->nv - 1; i >= 0; i--) {
    reach->end[i] = i;
    for (int k = i + 1; k < m->nv && parent_in_M(m, k) >= i; k = reach->end[k] + 1) {
      reach->end[i] = reach->end[k];
    }
    reach->low[i] = m->M_colind[m->M_rowadr[i]];
  }
}

// All dofs of a row become ancestors of its last one, and have its first one in their rows.
static void couple(void* arg, const mjtNum* value, const int* column, int n) {
  const MetricReach* reach = arg;
  int last = -1, first = -1;
  for (int k = n - 1; k >= 0; k--) {
    int dof = column ? column[k] : k;
    if (column || value[k] != 0) {
      last = int_max(last, dof);
      first = dof;
      reach->end[dof] = int_max(reach->end[dof], last);
    }
  }
  for (int k = 0; k < n; k++) {
    int dof = column ? column[k] : k;
    if (column || value[k] != 0) {
      reach->low[dof] = int_min(reach->low[dof], first);
    }
  }
}

// Subtrees that overlap become nested: what a subtree reaches, it has all of.
static void nest(int* end, int n) {
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k <= end[i]; k = end[k] + 1) {
      end[i] = int_max(end[i], end[k]);
    }
  }
}

// The path of each dof from the root: its parent, and how many dofs it has. Returns their sum.
static int64_t find_paths(int* parent, int* length, const int* end, int* path, int n) {
  int64_t sum = 0;
  for (int i = 0, depth = 0; i < n; i++) {
    while (depth && end[path[depth - 1]] < i) {
      depth--;
    }
    parent[i] = depth ? path[depth - 1] : -1;
    path[depth++] = i;
    length[i] = depth;
    sum += depth;
  }
  return sum;
}

// The ends of these paths that rows need: ancestors in a row reach back as far as the row does.
static int64_t cut_paths(int* length, int* low, const int* parent, int n) {
  int64_t sum = 0;
  for (int i = n - 1; i >= 0; i--) {
    int up = parent[i];
    if (up >= low[i]) {
      low[up] = int_min(low[up], low[i]);
    }
  }
  for (int i = 0; i < n; i++) {
    length[i] = 1;
    for (int k = i; k > low[i]; k = parent[k]) {
      length[i]++;
    }
    sum += length[i];
  }
  return sum;
}

static void write_pattern(mjData* d, const int* rownnz, const int* parent, int n) {
  for (int i = 0, adr = 0; i < n; i++) {
    d->efm_K_rowadr[i] = adr;
    d->efm_K_rownnz[i] = rownnz[i];
    adr += rownnz[i];
    for (int k = i, to = adr - 1; to >= d->efm_K_rowadr[i]; k = parent[k], to--) {
      d->efm_K_colind[to] = k;
    }
  }
}

void metric_make(const mjModel* m, mjData* d) {
  const char* obstacle = discrete_obstacle(m);
  if (obstacle) {
    mju_error("the integrator discrete can't be used: %s", obstacle);
    return;
  }
  if (!m->nv) {
    return;
  }
  size_t top = arena_top(d);
  MetricReach reach = {arena_int(d, m->nv), arena_int(d, m->nv)};
  int *path = arena_int(d, m->nv), *parent = arena_int(d, m->nv);
  int *whole = arena_int(d, m->nv), *cut = arena_int(d, m->nv);
  reach_of_M(&reach, m);
  metric_visit(m, d, couple, &reach);
  nest(reach.end, m->nv);
  int64_t entries = find_paths(parent, whole, reach.end, path, m->nv);
  int64_t fewest = cut_paths(cut, reach.low, parent, m->nv);
  int is_cut = entries > CUT_FROM * fewest;
  d->nefmdof = metric_flex_dofs(NULL, m, d);
  if (storage_metric(m, d, is_cut ? fewest : entries)) {
    d->efm_active = is_cut ? METRIC_CUT : METRIC_WHOLE;
    write_pattern(d, is_cut ? cut : whole, parent, m->nv);
    metric_flex_dofs(d->efm_dofid, m, d);
  }
  arena_pop(d, top);
}

// numbers

// K += scale g'g. All columns of a row are on the path of its last one.
static void add_outer(mjData* d, const int* depth, const TendonRow* g, mjtNum scale) {
  for (int a = 0; a < g->n; a++) {
    int row = g->colind ? g->colind[a] : a;
    mjtNum s = scale * g->val[a], *to = metric_row(d->efm_K_val, d, depth, row);
    for (int b = 0; s != 0 && b <= a; b++) {
      int column = g->colind ? g->colind[b] : b;
      if (g->colind || g->val[b] != 0) {
        to[depth[column]] += s * g->val[b];
      }
    }
  }
}

// to += a matrix with the pattern of M
static void add_inertia(mjtNum* to, const mjModel* m, mjData* d, const mjtNum* value) {
  size_t top = arena_top(d);
  int* depth = arena_int(d, m->nv);
  metric_depths(depth, m, d);
  for (int i = 0; i < m->nv; i++) {
    mjtNum* row = metric_row(to, d, depth, i);
    int adr = m->M_rowadr[i];
    for (int k = adr; k < adr + m->M_rownnz[i]; k++) {
      row[depth[m->M_colind[k]]] += value[k];
    }
  }
  arena_pop(d, top);
}

static mjtNum* diagonal_of(mjtNum* value, const mjData* d, int dof) {
  return value + d->efm_K_rowadr[dof] + d->efm_K_rownnz[dof] - 1;
}

// The factor of the backbone: M, the fluid's part in its pattern, and the diagonal of all others.
static void factor_backbone(const mjModel* m, mjData* d) {
  mju_add(d->qH, d->M, d->efm_fluid, (int)m->nC);
  for (int i = 0; i < m->nv; i++) {
    int at = m->M_rowadr[i] + m->M_rownnz[i] - 1;
    d->qH[at] = d->M[at] + d->efm_sdiag[i];
  }
  ldl_factor(d->qH, d->qHDiagInv, tree_pattern(m), d->qH, NULL, 0);
}

void metric_factor(const mjModel* m, mjData* d) {
  size_t top = arena_top(d);
  int* depth = arena_int(d, m->nv);
  metric_depths(depth, m, d);
  mju_zero(d->efm_K_val, d->nefmK);
  add_inertia(d->efm_K_val, m, d, d->efm_fluid);
  for (int i = 0; i < m->nv; i++) {
    *diagonal_of(d->efm_K_val, d, i) += d->efm_diag[i];
  }
  for (int k = 0; k < d->nefmT; k++) {
    TendonRow row = tendon_view(m, d, d->efm_tid[k]);
    add_outer(d, depth, &row, d->efm_ts[k]);
  }
  for (int k = 0; k < d->nefmA; k++) {
    int i = d->efm_aid[k], end = m->actuator_outadr[i] + m->actuator_outnum[i];
    for (int out = m->actuator_outadr[i]; out < end; out++) {
      int adr = d->moment_rowadr[out];
      TendonRow row = {d->actuator_moment + adr, d->moment_colind + adr, d->moment_rownnz[out]};
      add_outer(d, depth, &row, d->efm_as[k]);
    }
  }
  for (int i = 0; i < m->nv; i++) {
    d->efm_sdiag[i] = *diagonal_of(d->efm_K_val, d, i);
  }
  metric_flex_add(d->efm_K_val, m, d);
  if (mj_isDual(m) || m->opt.enableflags & mjENBL_DIAGEXACT) {
    factor_backbone(m, d);
  }
  metric_matrix(d->cnd_efm_L, m, d);
  TreePattern tree = metric_tree(m, d);
  if (tree.is_cut) {
    ldl_cut_factor(d->cnd_efm_L, d->cnd_efm_L + d->nefmK, tree);
  } else {
    ldl_factor(d->cnd_efm_L, d->cnd_efm_L + d->nefmK, tree, d->cnd_efm_L, NULL, 0);
  }
  arena_pop(d, top);
}

void metric_matrix(mjtNum* out, const mjModel* m, mjData* d) {
  mju_copy(out, d->efm_K_val, d->nefmK);
  add_inertia(out, m, d, d->M);
}

void metric_mul(mjtNum* out, const mjModel* m, mjData* d, const mjtNum* x) {
  size_t top = arena_top(d);
  mjtNum* inertial = arena_num(d, m->nv);
  inertia_mul(inertial, tree_pattern(m), d->M, x);
  inertia_mul(out, metric_tree(m, d), d->efm_K_val, x);
  mju_addTo(out, inertial, m->nv);
  arena_pop(d, top);
}

void metric_solve(mjtNum* x, const mjModel* m, mjData* d) {
  size_t top = arena_top(d);
  mjtNum* path = arena_num(d, m->nv);
  ldl_solve(x, metric_tree(m, d), d->cnd_efm_L, metric_pivots(d), path);
  arena_pop(d, top);
}

void metric_shifted(mjtNum* out, const mjModel* m, const mjData* d) {
  for (int i = 0; i < m->nv; i++) {
    out[i] = d->qfrc_smooth[i] + d->efm_c[i] + d->efm_ca[i];
  }
}

// islands

MetricIslands metric_islands(const mjModel* m, mjData* d) {
  int n = d->nidof, to = 0;
  const int* dof = d->map_idof2dof;
  int *rownnz = arena_int(d, n), *rowadr = arena_int(d, n), *colind = arena_int(d, d->nefmK);
  mjtNum* whole = arena_num(d, d->nefmK);
  mjtNum *value = arena_num(d, d->nefmK), *LD = arena_num(d, d->nefmK), *DInv = arena_num(d, n);
  metric_matrix(whole, m, d);
  for (int i = 0; i < n; i++) {
    int island = d->dof_island[dof[i]], first = d->island_idofadr[island];
    int adr = d->efm_K_rowadr[dof[i]], end = adr + d->efm_K_rownnz[dof[i]];
    rowadr[i] = to;
    for (int k = adr; k < end; k++) {
      int column = d->efm_K_colind[k];
      if (d->dof_island[column] == island) {
        colind[to] = d->map_dof2idof[column] - first;
        value[to] = whole[k];
        LD[to++] = d->cnd_efm_L[k];
      }
    }
    rownnz[i] = to - rowadr[i];
    DInv[i] = metric_pivots(d)[dof[i]];
  }
  return (MetricIslands){rownnz, rowadr, colind, value, LD, DInv};
}
