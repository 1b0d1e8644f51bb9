// awake.c: the lists of what is awake, from the trees that sleep.

#include "model/data/awake.h"

#include "base/transmission.h"
#include "model/tree/alike.h"
#include "model/tree/trees.h"

int tendon_sleeps(const mjModel* m, const mjData* d, int tendon) {
  const int* tree = m->tendon_treeid + 2 * tendon;
  if (m->tendon_treenum[tendon] <= 2) {
    return tree[0] >= 0 && tree_sleeps(d, tree[0]) && (tree[1] < 0 || tree_sleeps(d, tree[1]));
  }
  int adr = m->tendon_adr[tendon], end = adr + m->tendon_num[tendon];
  for (int w = adr; w < end; w++) {
    int other = m->body_treeid[path_body(m, w)];
    if (other >= 0 && !tree_sleeps(d, other)) {
      return 0;
    }
  }
  return 1;
}

int flex_sleeps(const mjModel* m, const mjData* d, int flex) {
  int nodes = m->flex_interp[flex] != 0;
  int adr = nodes ? m->flex_nodeadr[flex] : m->flex_vertadr[flex];
  int num = nodes ? m->flex_nodenum[flex] : m->flex_vertnum[flex];
  const int* body = nodes ? m->flex_nodebodyid : m->flex_vertbodyid;
  for (int i = adr; i < adr + num && awake_some_sleep(m, d); i++) {
    if (m->body_treeid[body[i]] >= 0) {
      return tree_sleeps(d, m->body_treeid[body[i]]);
    }
  }
  return 0;
}

int object_sleeps(const mjModel* m, const mjData* d, int type, int id) {
  switch (type) {
    case mjOBJ_BODY:
    case mjOBJ_XBODY:
      return body_sleeps(d, id);
    case mjOBJ_JOINT:
      return body_sleeps(d, m->jnt_bodyid[id]);
    case mjOBJ_GEOM:
      return body_sleeps(d, m->geom_bodyid[id]);
    case mjOBJ_SITE:
      return body_sleeps(d, m->site_bodyid[id]);
    case mjOBJ_CAMERA:
      return body_sleeps(d, m->cam_bodyid[id]);
    case mjOBJ_TENDON:
      return tendon_sleeps(m, d, id);
    default:
      return 0;
  }
}

// Of two sites one that is awake is enough.
static int sites_sleep(const mjModel* m, const mjData* d, const int site[2]) {
  int sleeping = 0;
  for (int k = 0; k < 2; k++) {
    int state = site[k] < 0 ? mjS_STATIC : d->body_awake[m->site_bodyid[site[k]]];
    if (state == mjS_AWAKE) {
      return 0;
    }
    sleeping |= state == mjS_ASLEEP;
  }
  return sleeping;
}

int actuator_sleeps(const mjModel* m, const mjData* d, int actuator) {
  const int* target = m->actuator_trnid + 2 * actuator;
  int type = m->actuator_trntype[actuator];
  if (type == mjTRN_SO3 && target[1] < 0) {
    return object_sleeps(m, d, mjOBJ_JOINT, target[0]);
  }
  return transmission_on_site(type) ? sites_sleep(m, d, target)
                                    : object_sleeps(m, d, transmission_of(type).target, target[0]);
}

// lists

static void list_bodies(const mjModel* m, mjData* d) {
  d->nbody_awake = d->nparent_awake = 0;
  for (int b = 0; b < m->nbody; b++) {
    int tree = m->body_treeid[b], mocap = m->body_mocapid[m->body_rootid[b]] >= 0;
    int state = tree_sleeps(d, tree) ? mjS_ASLEEP : tree >= 0 || mocap ? mjS_AWAKE : mjS_STATIC;
    d->body_awake[b] = state;
    if (state != mjS_ASLEEP) {
      d->body_awake_ind[d->nbody_awake++] = b;
    }
    if (b && d->body_awake[m->body_parentid[b]] != mjS_ASLEEP) {
      d->parent_awake_ind[d->nparent_awake++] = b;
    }
  }
}

static void list_dofs(const mjModel* m, mjData* d) {
  d->nv_awake = 0;
  for (int i = 0; i < m->nv; i++) {
    if (!tree_sleeps(d, m->dof_treeid[i])) {
      d->dof_awake_ind[d->nv_awake++] = i;
    }
  }
}

// A cycle ascends until it returns to its first tree, unless a program has written to it.
static void list_cycles(const mjModel* m, mjData* d) {
  for (int t = 0; t < m->ntree; t++) {
    d->cnd_cycle[t] = -1;
  }
  for (int first = 0; first < m->ntree; first++) {
    int t = first;
    while (t >= 0 && t < m->ntree && !d->tree_awake[t] && d->cnd_cycle[t] < 0) {
      d->cnd_cycle[t] = first;
      t = d->tree_asleep[t];
    }
  }
}

static int sleeps(const void* context, int body) {
  return body_sleeps(context, body);
}

void awake_start(const mjModel* m, mjData* d) {
  *(AwakeRun*)(void*)d->cnd_run = (AwakeRun){.body_end = m->nbody,
                                             .joint_end = m->njnt,
                                             .dof_end = m->nv,
                                             .geom_end = m->ngeom,
                                             .site_end = m->nsite};
  d->cnd_nrun = 1;
}

void awake_update(const mjModel* m, mjData* d) {
  d->ntree_awake = 0;
  for (int t = 0; t < m->ntree; t++) {
    d->tree_awake[t] = d->tree_asleep[t] < 0;
    d->ntree_awake += d->tree_awake[t];
  }
  list_bodies(m, d);
  list_dofs(m, d);
  list_cycles(m, d);
  d->cnd_nrun = body_runs((AwakeRun*)(void*)d->cnd_run, m, sleeps, d);
  if (m->cnd_ngroup && d->ntree_awake < m->ntree) {
    AlikeLists lists = alike_lists_of(d);
    alike_group(&lists, m, d->tree_awake);
    d->cnd_ngroup = lists.ngroup;
    d->cnd_nplain = lists.nplain;
  }
}

// falling asleep

void awake_stop(const mjModel* m, mjData* d, int tree) {
  size_t bytes = (size_t)m->tree_dofnum[tree] * sizeof(mjtNum);
  mjtNum* motion[] = {d->qvel,        d->qacc,        d->qacc_warmstart,
                      d->qacc_smooth, d->qfrc_smooth, d->qfrc_constraint};
  for (size_t i = 0; i < sizeof(motion) / sizeof(motion[0]); i++) {
    memset(motion[i] + m->tree_dofadr[tree], 0, bytes);
  }
}

void awake_keep(const mjModel* m, mjData* d, int tree) {
  int dof = m->tree_dofadr[tree], last = dof + m->tree_dofnum[tree] - 1;
  int begin = m->jnt_qposadr[m->dof_jntid[dof]], end = m->dof_jntid[last] + 1;
  end = end < m->njnt ? m->jnt_qposadr[end] : m->nq;
  memcpy(d->cnd_qpos_asleep + begin, d->qpos + begin, (size_t)(end - begin) * sizeof(mjtNum));
  int mocap = m->body_mocapid[m->body_rootid[m->tree_bodyadr[tree]]];
  if (mocap >= 0) {
    memcpy(d->cnd_mocap_asleep + 7 * mocap, d->mocap_pos + 3 * mocap, 3 * sizeof(mjtNum));
    memcpy(d->cnd_mocap_asleep + 7 * mocap + 3, d->mocap_quat + 4 * mocap, 4 * sizeof(mjtNum));
  }
  d->cnd_box_asleep[8 * tree + 3] = 1;  // the box is not computed (collision/wake.c)
}

// waking

// A program may have written any numbers to tree_asleep, so the cycle may lead nowhere; it ends
// where a tree is awake.
void awake_wake(const mjModel* m, mjData* d, int tree, int counter) {
  int* asleep = d->tree_asleep;
  if (asleep[tree] < 0) {
    asleep[tree] = asleep[tree] < counter ? asleep[tree] : counter;
    return;
  }
  while (tree >= 0 && tree < m->ntree && asleep[tree] >= 0) {
    int next = asleep[tree];
    asleep[tree] = counter;
    tree = next;
  }
}

void awake_wake_all(const mjModel* m, mjData* d) {
  for (int t = 0; t < m->ntree; t++) {
    d->tree_asleep[t] = d->tree_asleep[t] < 0 ? d->tree_asleep[t] : FULLY_AWAKE;
  }
  awake_update(m, d);
}
