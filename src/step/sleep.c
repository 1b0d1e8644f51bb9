// sleep.c: which trees are at rest, which of them fall asleep together, and what stays of them.
//                                                        theory/time/sleep.md, Falling asleep

#include "step/sleep.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/step.h>

#include "base/algebra/vec.h"
#include "base/memory/bytes.h"
#include "model/data/arena.h"
#include "model/data/awake.h"
#include "model/flex/rod.h"
#include "model/tree/trees.h"
#include "step/forward.h"

// Is a tree slower than the tolerance, and does the program push none of its bodies?
static int is_at_rest(const mjModel* m, const mjData* d, int tree) {
  int body = m->tree_bodyadr[tree], dof = m->tree_dofadr[tree], n = m->tree_dofnum[tree];
  mjtNum tolerance = m->opt.sleep_tolerance;
  if (!tree_may_sleep(m, tree)) {
    return 0;
  }
  for (int i = dof; i < dof + n && tolerance != 0; i++) {
    if (!(mju_abs(d->qvel[i]) * m->dof_length[i] < tolerance)) {
      return 0;
    }
  }
  if (tolerance == 0 && !bytes_are_zero(d->qvel + dof, (size_t)n * sizeof(mjtNum))) {
    return 0;
  }
  return bytes_are_zero(d->qfrc_applied + dof, (size_t)n * sizeof(mjtNum)) &&
         bytes_are_zero(d->xfrc_applied + 6 * body,
                        6 * (size_t)m->tree_bodynum[tree] * sizeof(mjtNum));
}

static void count_steps(const mjModel* m, mjData* d) {
  for (int t = 0; t < m->ntree; t++) {
    int* counter = d->tree_asleep + t;
    if (*counter < 0) {
      *counter = !is_at_rest(m, d, t) ? FULLY_AWAKE : *counter < -1 ? *counter + 1 : -1;
    }
  }
}

// Groups of trees that only sleep together: those of an island, and those of a flex, whose elastic
// forces are no constraints. head[tree]: the smallest tree of its group.

static int find_head(int* head, int tree) {
  while (head[tree] != tree) {
    head[tree] = head[head[tree]];
    tree = head[tree];
  }
  return tree;
}

static void join(int* head, int a, int b) {
  a = find_head(head, a);
  b = find_head(head, b);
  head[int_max(a, b)] = int_min(a, b);
}

static void join_flex(int* head, const mjModel* m, int flex) {
  int nodes = m->flex_interp[flex] != 0, first = -1;
  int adr = nodes ? m->flex_nodeadr[flex] : m->flex_vertadr[flex];
  int num = nodes ? m->flex_nodenum[flex] : m->flex_vertnum[flex];
  const int* body = nodes ? m->flex_nodebodyid : m->flex_vertbodyid;
  for (int i = adr; i < adr + num; i++) {
    int tree = m->body_treeid[body[i]];
    if (tree >= 0 && first >= 0) {
      join(head, first, tree);
    }
    first = tree >= 0 ? tree : first;
  }
  Rod rod;
  int hinges = first >= 0 && rod_twists(m, flex) && rod_of(&rod, m, flex);
  for (int e = 0; hinges && e < rod.nedge; e++) {
    int joint = rod_joint(&rod, e);
    if (joint >= 0) {
      join(head, first, m->body_treeid[m->jnt_bodyid[joint]]);
    }
  }
}

static void find_groups(int* head, const mjModel* m, mjData* d) {
  size_t top = arena_top(d);
  int* first = arena_int(d, d->nisland);  // tree of each island
  for (int b = 0; b < d->nisland; b++) {
    first[b] = -1;
  }
  for (int t = 0; t < m->ntree; t++) {
    head[t] = t;
  }
  for (int t = 0; t < m->ntree; t++) {
    int island = d->nisland && d->tree_awake[t] ? d->dof_island[m->tree_dofadr[t]] : -1;
    if (island >= 0 && first[island] >= 0) {
      join(head, first[island], t);
    } else if (island >= 0) {
      first[island] = t;
    }
  }
  for (int f = 0; f < m->nflex; f++) {
    join_flex(head, m, f);
  }
  for (int t = 0; t < m->ntree; t++) {
    head[t] = find_head(head, t);
  }
  arena_pop(d, top);
}

// Makes a cycle of each group whose trees are all awake and ready; marks them in `falls`. Returns
// how many trees fall asleep.
static int make_cycles(int* falls, const int* head, const mjModel* m, mjData* d) {
  int count = 0;
  size_t top = arena_top(d);
  int* last = arena_int(d, m->ntree);  // of the cycle so far, by its first tree
  for (int t = 0; t < m->ntree; t++) {
    falls[t] = 1;
    last[t] = -1;
  }
  for (int t = 0; t < m->ntree; t++) {
    falls[head[t]] &= d->tree_asleep[t] == -1;
  }
  for (int t = 0; t < m->ntree; t++) {
    int first = head[t];
    falls[t] = falls[first];
    if (!falls[t]) {
      continue;
    }
    if (last[first] >= 0) {
      d->tree_asleep[last[first]] = t;
    }
    d->tree_asleep[t] = first;
    last[first] = t;
    count++;
  }
  arena_pop(d, top);
  return count;
}

// Lets groups fall asleep that are ready. Velocities are zero when what depends on them is
// evaluated once more, while the lists still say that the trees are awake. Returns how many trees
// fell asleep.
static int fall_asleep(const mjModel* m, mjData* d, int evaluate) {
  size_t top = arena_top(d);
  int *head = arena_int(d, m->ntree), *falls = arena_int(d, m->ntree);
  find_groups(head, m, d);
  int count = make_cycles(falls, head, m, d);
  for (int pass = 0; pass < 2 && count; pass++) {
    for (int t = 0; t < m->ntree; t++) {
      if (falls[t]) {
        awake_stop(m, d, t);
      }
    }
    if (!pass && evaluate) {
      d->cnd_stage = 0;
      forward_dynamics(m, d, mjSTAGE_POS, 0);
    }
  }
  for (int t = 0; t < m->ntree && count; t++) {
    if (falls[t]) {
      awake_keep(m, d, t);
    }
  }
  arena_pop(d, top);
  if (count) {
    awake_update(m, d);
  }
  return count;
}

static int some_are_ready(const mjModel* m, const mjData* d) {
  for (int t = 0; t < m->ntree; t++) {
    if (d->tree_asleep[t] == -1) {
      return 1;
    }
  }
  return 0;
}

// Without islands nothing tells which trees constraints connect.
static int may_settle(const mjModel* m, const mjData* d) {
  return m->opt.enableflags & mjENBL_SLEEP && m->ntree && !(d->nefc && !d->nisland);
}

void sleep_settle(const mjModel* m, mjData* d) {
  if (!(m->opt.enableflags & mjENBL_SLEEP)) {
    return;
  }
  if (m->cnd_contact.mode != cndCONTACT_SOFT) {
    mju_error("mj_step: the flag sleep can't be used with %s contacts (condyle.contact)",
              m->cnd_contact.mode == cndCONTACT_HARD ? "hard" : "sticking");
    return;
  }
  if (!may_settle(m, d)) {
    return;
  }
  count_steps(m, d);
  if (some_are_ready(m, d)) {
    fall_asleep(m, d, 1);
  }
}

void sleep_begin(const mjModel* m, mjData* d) {
  int wanted = 0, asleep = 0, first = -1;
  if (!(m->opt.enableflags & mjENBL_SLEEP) || m->cnd_contact.mode != cndCONTACT_SOFT) {
    return;
  }
  for (int t = 0; t < m->ntree; t++) {
    wanted += m->tree_sleep_policy[t] == mjSLEEP_INIT;
  }
  if (!wanted) {
    return;
  }
  mj_forward(m, d);
  if (may_settle(m, d)) {
    count_steps(m, d);
    for (int t = 0; t < m->ntree; t++) {
      if (m->tree_sleep_policy[t] == mjSLEEP_INIT && d->tree_asleep[t] > FULLY_AWAKE) {
        d->tree_asleep[t] = -1;
      }
    }
    fall_asleep(m, d, 0);
  }
  arena_clear(d);
  for (int t = 0; t < m->ntree; t++) {
    if (m->tree_sleep_policy[t] == mjSLEEP_INIT && d->tree_asleep[t] >= 0) {
      asleep++;
    } else if (m->tree_sleep_policy[t] == mjSLEEP_INIT) {
      first = first < 0 ? m->tree_bodyadr[t] : first;
      d->tree_asleep[t] = FULLY_AWAKE;
    }
  }
  if (first >= 0) {
    const char* name = mj_id2name(m, mjOBJ_BODY, first);
    mju_warning(
        "%d trees should begin asleep, but only %d can: body %d ('%s') is the root of the first "
        "that stays awake, because it or what it touches may not sleep",
        wanted, asleep, first, name ? name : "");
  }
}
