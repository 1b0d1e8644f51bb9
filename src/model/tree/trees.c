// trees.c: kinematic trees, the tendons between them, and which trees may sleep.

#include "model/tree/trees.h"

#include "base/algebra/any.h"
#include "base/transmission.h"
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
  for (int i = 0; i < ntree; i++) {
    num[i] = 0;
  }
  for (int i = 0; i < n; i++) {
    if (id[i] >= 0) {
      num[id[i]]++;
    }
  }
}

// Number of different trees on the path of a tendon, and the first two of them in its order, -1 for
// none. last[tree]: the last tendon on whose path the tree was found.
static int tendon_trees(int first[2], int* last, const mjModel* m, int tendon) {
  int num = 0, adr = m->tendon_adr[tendon];
  first[0] = first[1] = -1;
  for (int w = adr; w < adr + m->tendon_num[tendon]; w++) {
    int tree = m->body_treeid[path_body(m, w)];
    if (tree < 0 || last[tree] == tendon) {
      continue;
    }
    last[tree] = tendon;
    if (num < 2) {
      first[num] = tree;
    }
    num++;
  }
  return num;
}

void trees_write(mjModel* m) {
  int* last = m->tree_bodynum;  // scratch, until it gets its numbers
  for (int i = 0; i < m->ntree; i++) {
    last[i] = -1;
  }
  for (int i = 0; i < m->ntendon; i++) {
    m->tendon_treenum[i] = tendon_trees(m->tendon_treeid + 2 * i, last, m, i);
  }
  first_of_each(m->tree_bodyadr, m->body_treeid, m->nbody);
  number_of_each(m->tree_bodynum, m->ntree, m->body_treeid, m->nbody);
  first_of_each(m->tree_dofadr, m->dof_treeid, m->nv);
  number_of_each(m->tree_dofnum, m->ntree, m->dof_treeid, m->nv);
}

// policies

static void keep_awake(mjModel* m, int body) {
  int tree = m->body_treeid[body];
  if (tree >= 0 && m->tree_sleep_policy[tree] < mjSLEEP_NEVER) {
    m->tree_sleep_policy[tree] = mjSLEEP_AUTO_NEVER;
  }
}

static void keep_tendon_awake(mjModel* m, int tendon) {
  int adr = m->tendon_adr[tendon];
  for (int w = adr; w < adr + m->tendon_num[tendon]; w++) {
    keep_awake(m, path_body(m, w));
  }
}

static void keep_driven_awake(mjModel* m, int actuator) {
  const int* target = m->actuator_trnid + 2 * actuator;
  mjtObj type = transmission_of(m->actuator_trntype[actuator]).target;
  if (m->actuator_trntype[actuator] == mjTRN_SO3) {
    type = target[1] < 0 ? mjOBJ_JOINT : mjOBJ_SITE;
  }
  switch (type) {
    case mjOBJ_JOINT:
      keep_awake(m, m->jnt_bodyid[target[0]]);
      break;
    case mjOBJ_TENDON:
      keep_tendon_awake(m, target[0]);
      break;
    case mjOBJ_SITE:
      for (int k = 0; k < 2; k++) {
        if (target[k] >= 0) {
          keep_awake(m, m->site_bodyid[target[k]]);
        }
      }
      break;
    case mjOBJ_BODY:
      keep_awake(m, target[0]);
      break;
    default:
      break;
  }
}

int flex_is_elastic(const mjModel* m, int flex) {
  enum {
    NSTIFFNESS = 21,  // numbers of an element
    NBENDING = 17     // numbers of an edge
  };
  return num_any(m->flex_stiffness + NSTIFFNESS * m->flex_elemadr[flex],
                 NSTIFFNESS * (size_t)m->flex_elemnum[flex]) ||
         num_any(m->flex_bending + NBENDING * m->flex_edgeadr[flex],
                 NBENDING * (size_t)m->flex_edgenum[flex]) ||
         m->cnd_flex_celladr[flex] >= 0;
}

// The bodies of a flex may sleep only if constraints or elastic forces bring its vertices to rest.
static void keep_flex_awake(mjModel* m, int flex) {
  if ((m->flex_edgeequality[flex] && !m->flex_rigid[flex]) || flex_is_elastic(m, flex)) {
    return;
  }
  int vert = m->flex_vertadr[flex], node = m->flex_nodeadr[flex];
  for (int i = vert; i < vert + m->flex_vertnum[flex] && !m->flex_interp[flex]; i++) {
    keep_awake(m, m->flex_vertbodyid[i]);
  }
  for (int i = node; i < node + m->flex_nodenum[flex]; i++) {
    keep_awake(m, m->flex_nodebodyid[i]);
  }
}

// Does a tendon tie its trees so that they can't sleep alone?
static int ties(const mjModel* m, int tendon) {
  return m->tendon_treenum[tendon] > 2 ||
         (m->tendon_treenum[tendon] == 2 &&
          (terms_any(terms_tendon_spring(m, tendon)) || terms_any(terms_tendon_damper(m, tendon))));
}

void trees_decide(mjModel* m) {
  for (int i = 0; i < m->ntree; i++) {
    if (m->tree_sleep_policy[i] < mjSLEEP_NEVER) {
      m->tree_sleep_policy[i] = mjSLEEP_AUTO_ALLOWED;
    }
  }
  for (int i = 0; i < (int)m->nactuator; i++) {
    keep_driven_awake(m, i);
  }
  for (int i = 0; i < m->ntendon; i++) {
    if (ties(m, i)) {
      keep_tendon_awake(m, i);
    }
  }
  for (int i = 0; i < m->nflex; i++) {
    keep_flex_awake(m, i);
  }
}

int trees_conflict(int* tree, const mjModel* m) {
  for (int i = 0; i < m->ntendon; i++) {
    int adr = m->tendon_adr[i];
    for (int w = adr; w < adr + m->tendon_num[i] && ties(m, i); w++) {
      *tree = m->body_treeid[path_body(m, w)];
      if (*tree >= 0 && m->tree_sleep_policy[*tree] > mjSLEEP_NEVER) {
        return i;
      }
    }
  }
  return -1;
}
