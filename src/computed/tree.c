// tree.c: the kinematic trees, and which of them a tendon touches.

#include <string.h>

#include "base/transmission.h"
#include "computed/fill.h"
#include "model/derived/parts.h"
#include "model/derived/path.h"
#include "model/terms.h"

// First index of the elements of each tree. id[n] has the tree of each element, -1 for none.
static void first_of_each(int* adr, const int* id, int n) {
  for (int i = n - 1; i >= 0; i--) {
    if (id[i] >= 0) {
      adr[id[i]] = i;
    }
  }
}

static void number_of_each(int* num, int ntree, const int* id, int n) {
  memset(num, 0, (size_t)ntree * sizeof(int));
  for (int i = 0; i < n; i++) {
    if (id[i] >= 0) {
      num[id[i]]++;
    }
  }
}

void fill_tree_bodyadr(void* out, const mjModel* m, const mjData* d) {
  (void)d;
  first_of_each(out, m->body_treeid, m->nbody);
}

void fill_tree_bodynum(void* out, const mjModel* m, const mjData* d) {
  (void)d;
  number_of_each(out, m->ntree, m->body_treeid, m->nbody);
}

void fill_tree_dofadr(void* out, const mjModel* m, const mjData* d) {
  (void)d;
  first_of_each(out, m->dof_treeid, m->nv);
}

void fill_tree_dofnum(void* out, const mjModel* m, const mjData* d) {
  (void)d;
  number_of_each(out, m->ntree, m->dof_treeid, m->nv);
}

// tendons

// Number of different trees on the path of a tendon, and the first two of them in its order, -1 for
// none.
static int tendon_trees(int first[2], const mjModel* m, int tendon) {
  int num = 0, adr = m->tendon_adr[tendon];
  first[0] = first[1] = -1;
  for (int w = adr; w < adr + m->tendon_num[tendon]; w++) {
    int tree = m->body_treeid[path_body(m, w)], is_new = tree >= 0;
    for (int before = adr; is_new && before < w; before++) {
      is_new = m->body_treeid[path_body(m, before)] != tree;
    }
    if (is_new && num < 2) {
      first[num] = tree;
    }
    num += is_new;
  }
  return num;
}

void fill_tendon_treenum(void* out, const mjModel* m, const mjData* d) {
  (void)d;
  for (int i = 0; i < m->ntendon; i++) {
    int first[2];
    ((int*)out)[i] = tendon_trees(first, m, i);
  }
}

void fill_tendon_treeid(void* out, const mjModel* m, const mjData* d) {
  (void)d;
  for (int i = 0; i < m->ntendon; i++) {
    tendon_trees((int*)out + 2 * i, m, i);
  }
}

// Policies of later releases that say which trees may sleep. Here no tree sleeps.

enum {
  AUTO_NEVER = 1,   // something acts on the tree at any time
  AUTO_ALLOWED = 2  // nothing does
};

static void keep_awake(int* policy, const mjModel* m, int body) {
  if (m->body_treeid[body] >= 0) {
    policy[m->body_treeid[body]] = AUTO_NEVER;
  }
}

static void keep_tendon_awake(int* policy, const mjModel* m, int tendon) {
  int adr = m->tendon_adr[tendon];
  for (int w = adr; w < adr + m->tendon_num[tendon]; w++) {
    keep_awake(policy, m, path_body(m, w));
  }
}

static void keep_driven_awake(int* policy, const mjModel* m, int actuator) {
  const int* target = m->actuator_trnid + 2 * actuator;
  mjtObj type = transmission_of(m->actuator_trntype[actuator]).target;
  if (m->actuator_trntype[actuator] == mjTRN_SO3) {
    type = target[1] < 0 ? mjOBJ_JOINT : mjOBJ_SITE;
  }
  switch (type) {
    case mjOBJ_JOINT:
      keep_awake(policy, m, m->jnt_bodyid[target[0]]);
      break;
    case mjOBJ_TENDON:
      keep_tendon_awake(policy, m, target[0]);
      break;
    case mjOBJ_SITE:
      for (int k = 0; k < 2; k++) {
        if (target[k] >= 0) {
          keep_awake(policy, m, m->site_bodyid[target[k]]);
        }
      }
      break;
    case mjOBJ_BODY:
      keep_awake(policy, m, target[0]);
      break;
    default:
      break;
  }
}

// The bodies of a flex may sleep only if constraints or elastic forces bring its vertices to rest.
static void keep_flex_awake(int* policy, const mjModel* m, int flex) {
  if ((m->flex_edgeequality[flex] && !m->flex_rigid[flex]) || flex_is_elastic(m, flex)) {
    return;
  }
  int vert = m->flex_vertadr[flex], node = m->flex_nodeadr[flex];
  for (int i = vert; i < vert + m->flex_vertnum[flex] && !m->flex_interp[flex]; i++) {
    keep_awake(policy, m, m->flex_vertbodyid[i]);
  }
  for (int i = node; i < node + m->flex_nodenum[flex]; i++) {
    keep_awake(policy, m, m->flex_nodebodyid[i]);
  }
}

void fill_tree_policy(void* out, const mjModel* m, const mjData* d) {
  (void)d;
  int* policy = out;
  for (int i = 0; i < m->ntree; i++) {
    policy[i] = AUTO_ALLOWED;
  }
  for (int i = 0; i < (int)m->nactuator; i++) {
    keep_driven_awake(policy, m, i);
  }
  for (int i = 0; i < m->ntendon; i++) {
    int first[2], num = tendon_trees(first, m, i);
    if (num > 2 || (num == 2 && (terms_any(terms_tendon_spring(m, i)) ||
                                 terms_any(terms_tendon_damper(m, i))))) {
      keep_tendon_awake(policy, m, i);
    }
  }
  for (int i = 0; i < m->nflex; i++) {
    keep_flex_awake(policy, m, i);
  }
}
