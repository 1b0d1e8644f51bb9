// alike.c: finds trees of the same shape and groups them.

#include "model/tree/alike.h"

#include <stdint.h>

#include "base/algebra/registers.h"
#include "base/algebra/simd.h"

static int entries_of(const mjModel* m, int tree) {
  int dof = m->tree_dofadr[tree], last = dof + m->tree_dofnum[tree] - 1;
  return m->M_rowadr[last] + m->M_rownnz[last] - m->M_rowadr[dof];
}

// A tree whose first body hangs on the world by joints, is not placed by the program, and is small,
// but has more to do than a free box: reading and writing would take longer than is gained where
// M is diagonal. No dof is simple, so that rows of qM have as many entries as those of M.
static int may_share(const mjModel* m, int tree) {
  int body = m->tree_bodyadr[tree], end = body + m->tree_bodynum[tree];
  int dofs = m->tree_dofnum[tree], entries = entries_of(m, tree);
  if (m->body_parentid[body] || !m->body_jntnum[body] || end - body > ALIKE_BODIES ||
      dofs > ALIKE_DOFS || entries > ALIKE_ENTRIES || entries == dofs) {
    return 0;
  }
  for (int b = body; b < end; b++) {
    if (m->body_rootid[b] != body || m->body_mocapid[b] >= 0 || m->body_simple[b]) {
      return 0;
    }
  }
  return 1;
}

static int bodies_alike(const mjModel* m, int a, int b, int n) {
  for (int k = 0; k < n; k++) {
    if (m->body_jntnum[a + k] != m->body_jntnum[b + k] ||
        m->body_geomnum[a + k] != m->body_geomnum[b + k] ||
        (k && m->body_parentid[a + k] - a != m->body_parentid[b + k] - b)) {
      return 0;
    }
    for (int j = 0; j < m->body_jntnum[a + k]; j++) {
      if (m->jnt_type[m->body_jntadr[a + k] + j] != m->jnt_type[m->body_jntadr[b + k] + j]) {
        return 0;
      }
    }
  }
  return 1;
}

static int trees_alike(const mjModel* m, int s, int t) {
  int n = m->tree_dofnum[s], a = m->tree_dofadr[s], b = m->tree_dofadr[t];
  if (m->tree_bodynum[s] != m->tree_bodynum[t] || n != m->tree_dofnum[t] ||
      !bodies_alike(m, m->tree_bodyadr[s], m->tree_bodyadr[t], m->tree_bodynum[s])) {
    return 0;
  }
  for (int k = 0; k < n; k++) {
    if (m->M_rownnz[a + k] != m->M_rownnz[b + k]) {
      return 0;
    }
  }
  return 1;
}

static uint32_t hash_shape(const mjModel* m, int tree) {
  const uint32_t prime = 16777619;
  int body = m->tree_bodyadr[tree], dof = m->tree_dofadr[tree];
  uint32_t hash = 2166136261u;
  for (int k = 0; k < m->tree_bodynum[tree]; k++) {
    hash = (hash ^ (uint32_t)m->body_jntnum[body + k]) * prime;
    hash = (hash ^ (uint32_t)(k ? m->body_parentid[body + k] - body : 0)) * prime;
  }
  for (int k = 0; k < m->tree_dofnum[tree]; k++) {
    hash = (hash ^ (uint32_t)m->M_rownnz[dof + k]) * prime;
    hash = (hash ^ (uint32_t)m->jnt_type[m->dof_jntid[dof + k]]) * prime;
  }
  return hash;
}

// The first tree of the same shape as a tree, which is that tree itself if there is none before.
// first[2 * ntree]: those found so far by their hashes, -1 where there is none.
static int first_alike(int* first, const mjModel* m, int tree) {
  uint32_t size = 2 * (uint32_t)m->ntree, slot = hash_shape(m, tree) % size;
  while (first[slot] >= 0 && !trees_alike(m, first[slot], tree)) {
    slot = (slot + 1) % size;
  }
  first[slot] = first[slot] >= 0 ? first[slot] : tree;
  return first[slot];
}

// Sets cnd_alike, and the number of trees of each shape at the first of them.
static void find_shapes(mjModel* m, int* count, int* scratch) {
  for (int i = 0; i < 2 * m->ntree; i++) {
    scratch[i] = -1;
  }
  for (int t = 0; t < m->ntree; t++) {
    count[t] = 0;
    m->cnd_alike[t] = may_share(m, t) ? first_alike(scratch, m, t) : -1;
    if (m->cnd_alike[t] >= 0) {
      count[m->cnd_alike[t]]++;
    }
  }
}

// Lists the trees of each shape that has as many as a vector has lanes.
static void list_shapes(mjModel* m, const int* count, int* place) {
  int n = 0;
  for (int t = 0; t < m->ntree; t++) {
    place[t] = n;
    n += count[t] >= SIMD_N ? count[t] : 0;
  }
  for (int t = 0; t < m->ntree; t++) {
    int first = m->cnd_alike[t];
    m->cnd_alike[t] = first >= 0 && count[first] >= SIMD_N ? first : -1;
  }
  for (int i = 0; i < m->ntree; i++) {
    m->cnd_alike_tree[i] = -1;
  }
  for (int t = 0; t < m->ntree; t++) {
    if (m->cnd_alike[t] >= 0) {
      m->cnd_alike_tree[place[m->cnd_alike[t]]++] = t;
    }
  }
}

typedef struct Sleepers_ {
  const mjModel* m;
  const int* awake;  // NULL: all trees are
} Sleepers;

// Neither asleep nor in a group.
static int is_not_plain(const void* context, int body) {
  const Sleepers* s = context;
  int tree = s->m->body_treeid[body];
  return tree >= 0 && ((s->awake && !s->awake[tree]) || s->m->cnd_alike[tree] >= 0);
}

void alike_group(AlikeLists* out, const mjModel* m, const int* awake) {
  int n = 0, last = -1, *group = NULL;
  out->ngroup = out->nplain = 0;
  for (int i = 0; i < m->ntree && m->cnd_alike_tree[i] >= 0; i++) {
    int t = m->cnd_alike_tree[i];
    if (awake && !awake[t]) {
      continue;
    }
    if (!group || m->cnd_alike[t] != last || group[1] == SIMD_N) {
      group = out->group + 2 * out->ngroup++;
      group[0] = n;
      group[1] = 0;
      last = m->cnd_alike[t];
    }
    group[1]++;
    out->tree[n++] = t;
  }
  if (out->ngroup) {
    out->nplain = body_runs(out->plain, m, is_not_plain, &(Sleepers){m, awake});
  }
}

void alike_find(mjModel* m) {
  find_shapes(m, m->cnd_group_tree, m->cnd_group);
  list_shapes(m, m->cnd_group_tree, m->cnd_group);
  AlikeLists lists = {m->cnd_group_tree, m->cnd_group, (AwakeRun*)(void*)m->cnd_plain, 0, 0};
  alike_group(&lists, m, NULL);
  m->cnd_ngroup = lists.ngroup;
  m->cnd_nplain = lists.nplain;
}

// In single precision numbers of eight trees would be read one by one.
void alike_write(mjModel* m) {
  if (sizeof(mjtNum) == sizeof(double) && simd_is_register()) {
    alike_find(m);
    return;
  }
  m->cnd_ngroup = m->cnd_nplain = 0;
  for (int t = 0; t < m->ntree; t++) {
    m->cnd_alike[t] = m->cnd_alike_tree[t] = -1;
  }
}
