// wake.c: wakes trees that something acts on other than a contact.     theory/time/sleep.md, Waking

#include "smooth/wake.h"

#include "base/memory/bytes.h"
#include "model/data/awake.h"
#include "model/tree/trees.h"

// Updates the lists after `woken` trees or more woke.
static int update(const mjModel* m, mjData* d, int woken) {
  if (woken) {
    awake_update(m, d);
  }
  return woken != 0;
}

// programs

// Elements [begin, end) of trees that sleep and follow each other.
typedef struct Rest_ {
  int body, body_end, dof, dof_end, qpos, qpos_end;
} Rest;

static int qpos_of(const mjModel* m, int joint) {
  return joint < m->njnt ? m->jnt_qposadr[joint] : m->nq;
}

// Have the coordinates changed, or does something push?
static int is_touched(const mjData* d, const Rest* r) {
  size_t dofs = (size_t)(r->dof_end - r->dof) * sizeof(mjtNum);
  size_t coordinates = (size_t)(r->qpos_end - r->qpos) * sizeof(mjtNum);
  size_t forces = 6 * (size_t)(r->body_end - r->body) * sizeof(mjtNum);
  return !bytes_are_zero(d->qvel + r->dof, dofs) ||
         !bytes_are_zero(d->qfrc_applied + r->dof, dofs) ||
         !bytes_are_zero(d->xfrc_applied + 6 * r->body, forces) ||
         !bytes_are_equal(d->qpos + r->qpos, d->cnd_qpos_asleep + r->qpos, coordinates);
}

static Rest rest_of_tree(const mjModel* m, int tree) {
  int body = m->tree_bodyadr[tree], dof = m->tree_dofadr[tree];
  int dof_end = dof + m->tree_dofnum[tree];
  return (Rest){body,    body + m->tree_bodynum[tree],  dof,
                dof_end, qpos_of(m, m->dof_jntid[dof]), qpos_of(m, m->dof_jntid[dof_end - 1] + 1)};
}

// Wakes the trees of gap i that are touched. Usually none is, which one look at the whole gap
// tells.
static int wake_gap(const mjModel* m, mjData* d, int i) {
  const AwakeRun* run = awake_run(d, i);
  AwakeGap gap = awake_gap(m, d, i);
  Rest all = {run[0].body_end,
              run[1].body,
              run[0].dof_end,
              run[1].dof,
              qpos_of(m, run[0].joint_end),
              qpos_of(m, run[1].joint)};
  int touched = is_touched(d, &all), woken = 0;
  for (int t = gap.tree; t < gap.tree_end; t++) {
    Rest rest = rest_of_tree(m, t);
    if (!tree_may_sleep(m, t) || (touched && is_touched(d, &rest))) {
      awake_wake(m, d, t, FULLY_AWAKE);
      woken++;
    }
  }
  return woken;
}

// Wakes trees that mocap bodies carry, if the program has moved those.
static int wake_carried(const mjModel* m, mjData* d) {
  int woken = 0;
  for (int t = 0; t < m->ntree; t++) {
    int mocap = m->body_mocapid[m->body_rootid[m->tree_bodyadr[t]]];
    if (mocap < 0 || !tree_sleeps(d, t)) {
      continue;
    }
    const mjtNum* pose = d->cnd_mocap_asleep + 7 * mocap;
    if (!bytes_are_equal(pose, d->mocap_pos + 3 * mocap, sizeof(mjtNum[3])) ||
        !bytes_are_equal(pose + 3, d->mocap_quat + 4 * mocap, sizeof(mjtNum[4]))) {
      awake_wake(m, d, t, FULLY_AWAKE);
      woken++;
    }
  }
  return woken;
}

// Takes over what a program has written to tree_asleep itself. It may wake trees in this way, but
// not make them sleep: nothing is known then of the place where they would.
static int take_written(const mjModel* m, mjData* d) {
  int written = 0;
  for (int t = 0; t < m->ntree; t++) {
    written |= (d->tree_asleep[t] < 0) != d->tree_awake[t];
    d->tree_asleep[t] =
        d->tree_awake[t] && d->tree_asleep[t] >= 0 ? FULLY_AWAKE : d->tree_asleep[t];
  }
  return written;
}

int wake_edited(const mjModel* m, mjData* d) {
  if (!(m->opt.enableflags & mjENBL_SLEEP)) {
    awake_wake_all(m, d);
    return 1;
  }
  if (take_written(m, d)) {
    awake_update(m, d);
  }
  int woken = m->nmocap && awake_some_sleep(m, d) ? wake_carried(m, d) : 0;
  for (int i = 0; i + 1 < d->cnd_nrun; i++) {
    woken += wake_gap(m, d, i);
  }
  return update(m, d, woken);
}

// tendons

static int is_at_limit(const mjModel* m, const mjData* d, int tendon) {
  const mjtNum* range = m->tendon_range + 2 * tendon;
  mjtNum length = d->ten_length[tendon], margin = m->tendon_margin[tendon];
  return m->tendon_limited[tendon] && (length - range[0] < margin || range[1] - length < margin);
}

int wake_tendons(const mjModel* m, mjData* d) {
  int woken = 0;
  if (m->opt.disableflags & (mjDSBL_LIMIT | mjDSBL_CONSTRAINT)) {
    return 0;
  }
  for (int i = 0; i < m->ntendon; i++) {
    const int* tree = m->tendon_treeid + 2 * i;
    if (m->tendon_treenum[i] != 2 || tree_sleeps(d, tree[0]) == tree_sleeps(d, tree[1]) ||
        !is_at_limit(m, d, i)) {
      continue;
    }
    int sleeper = tree_sleeps(d, tree[0]) ? 0 : 1;
    awake_wake(m, d, tree[sleeper], d->tree_asleep[tree[!sleeper]]);
    woken++;
  }
  return update(m, d, woken);
}

// equalities

// What an equality ties: whether any of it is awake, and the cycles of what sleeps.
typedef struct Tied_ {
  int awake, cycles, cycle;
} Tied;

static void tie_body(Tied* tied, const mjModel* m, const mjData* d, int body) {
  if (!body_sleeps(d, body)) {
    tied->awake |= d->body_awake[body] == mjS_AWAKE;
    return;
  }
  int cycle = d->cnd_cycle[m->body_treeid[body]];
  if (!tied->cycles || tied->cycle != cycle) {
    tied->cycles++;
    tied->cycle = cycle;
  }
}

// Calls tie_body for all bodies of an equality; if `wakes`, wakes those that sleep instead.
static int visit_body(Tied* tied, const mjModel* m, mjData* d, int body, int wakes) {
  if (!wakes) {
    tie_body(tied, m, d, body);
    return 0;
  }
  int sleeps = body_sleeps(d, body);
  if (sleeps) {
    awake_wake(m, d, m->body_treeid[body], FULLY_AWAKE);
  }
  return sleeps;
}

static int visit_tendon(Tied* tied, const mjModel* m, mjData* d, int tendon, int wakes) {
  int woken = 0, adr = m->tendon_adr[tendon];
  for (int w = adr; w < adr + m->tendon_num[tendon]; w++) {
    woken += visit_body(tied, m, d, path_body(m, w), wakes);
  }
  return woken;
}

// The trees of a flex sleep and wake together, so one of them stands for all.
static int visit_flex(Tied* tied, const mjModel* m, mjData* d, int flex, int wakes) {
  int nodes = m->flex_interp[flex] != 0;
  int adr = nodes ? m->flex_nodeadr[flex] : m->flex_vertadr[flex];
  int num = nodes ? m->flex_nodenum[flex] : m->flex_vertnum[flex];
  const int* body = nodes ? m->flex_nodebodyid : m->flex_vertbodyid;
  for (int i = adr; i < adr + num; i++) {
    if (m->body_treeid[body[i]] >= 0) {
      return visit_body(tied, m, d, body[i], wakes);
    }
  }
  return 0;
}

static int visit_equality(Tied* tied, const mjModel* m, mjData* d, int i, int wakes) {
  int type = m->eq_type[i], woken = 0;
  const int object[2] = {m->eq_obj1id[i], m->eq_obj2id[i]};
  for (int k = 0; k < 2; k++) {
    if (object[k] < 0) {
      continue;
    }
    if (type == mjEQ_CONNECT || type == mjEQ_WELD) {
      int site = m->eq_objtype[i] == mjOBJ_SITE;
      woken += visit_body(tied, m, d, site ? m->site_bodyid[object[k]] : object[k], wakes);
    } else if (type == mjEQ_JOINT) {
      woken += visit_body(tied, m, d, m->jnt_bodyid[object[k]], wakes);
    } else if (type == mjEQ_TENDON) {
      woken += visit_tendon(tied, m, d, object[k], wakes);
    } else if (!k) {
      woken += visit_flex(tied, m, d, object[k], wakes);
    }
  }
  return woken;
}

int wake_equalities(const mjModel* m, mjData* d) {
  int woken = 0;
  if (m->opt.disableflags & (mjDSBL_EQUALITY | mjDSBL_CONSTRAINT)) {
    return 0;
  }
  for (int i = 0; i < m->neq; i++) {
    Tied tied = {0};
    if (!d->eq_active[i]) {
      continue;
    }
    visit_equality(&tied, m, d, i, 0);
    if (tied.cycles + tied.awake > 1) {
      woken += visit_equality(&tied, m, d, i, 1);
    }
  }
  return update(m, d, woken);
}

int equality_sleeps(const mjModel* m, mjData* d, int equality) {
  Tied tied = {0};
  visit_equality(&tied, m, d, equality, 0);
  return tied.cycles && !tied.awake;
}
