// small_model.c: a model put together by hand.

#include "support/small_model.h"

#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "model/names.h"
#include "model/structure.h"
#include "model/tree/trees.h"

enum {
  names_size = 200
};

mjModel small_model_sizes(void) {
  mjModel sizes;
  memset(&sizes, 0, sizeof(sizes));
  sizes.nq = 8;
  sizes.nv = 7;
  sizes.nu = 1;
  sizes.nactuator = sizes.nout = 1;
  sizes.nJmom = 1;
  sizes.na = 1;
  sizes.nbody = 4;
  sizes.njnt = 2;
  sizes.ntree = 1;
  sizes.nM = 28;
  sizes.nB = 21;
  sizes.nC = 28;
  sizes.nD = 49;
  sizes.neq = 1;
  sizes.nkey = 2;
  sizes.nmocap = 1;
  sizes.nuserdata = 3;
  sizes.nnames = names_size;
  sizes.nnames_map = 2 * (4 + 2 + 1 + 1 + 2);
  sizes.njmax = -1;
  sizes.nconmax = -1;
  sizes.narena = 1 << 16;
  return sizes;
}

static void fill(mjtNum* out, int n, mjtNum start) {
  for (int i = 0; i < n; i++) {
    out[i] = start + (mjtNum)i;
  }
}

// Appends a name to the buffer and returns its address.
static int add_name(mjModel* m, int* used, const char* name) {
  int start = *used;
  memcpy(m->names + start, name, strlen(name) + 1);
  *used += (int)strlen(name) + 1;
  return start;
}

static void add_names(mjModel* m) {
  int used = 0;
  add_name(m, &used, "small");
  static const char* const bodies[] = {"world", "base", "arm", "target"};
  for (int i = 0; i < 4; i++) {
    m->name_bodyadr[i] = add_name(m, &used, bodies[i]);
  }
  m->name_jntadr[0] = add_name(m, &used, "root");
  m->name_jntadr[1] = add_name(m, &used, "elbow");
  m->name_eqadr[0] = add_name(m, &used, "");
  m->name_actuatoradr[0] = add_name(m, &used, "motor");
  m->name_keyadr[0] = add_name(m, &used, "home");
  m->name_keyadr[1] = add_name(m, &used, "away");
  names_index(m);
}

mjModel* small_model(void) {
  mjModel sizes = small_model_sizes();
  mjModel* m = model_make(&sizes);
  if (!m) {
    abort();
  }

  static const int parents[] = {0, 0, 1, 0}, mocap[] = {-1, -1, -1, 0};
  static const int joint[] = {-1, 0, 1, -1}, joints[] = {0, 1, 1, 0};
  memcpy(m->body_parentid, parents, sizeof(parents));
  memcpy(m->body_mocapid, mocap, sizeof(mocap));
  memcpy(m->body_jntadr, joint, sizeof(joint));
  memcpy(m->body_jntnum, joints, sizeof(joints));
  for (int i = 0; i < m->nbody; i++) {
    m->body_plugin[i] = m->body_geomadr[i] = m->body_bvhadr[i] = -1;
    m->body_mass[i] = i ? 1 : 0;
    fill(m->body_pos + 3 * i, 3, (mjtNum)i);
    m->body_quat[4 * i] = 1;
  }

  m->jnt_type[0] = mjJNT_FREE;
  m->jnt_type[1] = mjJNT_HINGE;
  m->jnt_bodyid[0] = 1;
  m->jnt_bodyid[1] = 2;
  structure_tree(m);
  structure_patterns(m);
  fill(m->qpos0, m->nq, (mjtNum)0.5);

  m->eq_type[0] = mjEQ_JOINT;
  m->eq_obj2id[0] = -1;
  m->eq_active0[0] = 1;
  m->actuator_trntype[0] = mjTRN_JOINT;
  m->actuator_trnid[0] = 1;
  m->actuator_actnum[0] = 1;
  m->actuator_plugin[0] = -1;

  for (int k = 0; k < m->nkey; k++) {
    mjtNum start = (mjtNum)(100 * (k + 1));
    m->key_time[k] = start;
    fill(m->key_qpos + k * m->nq, m->nq, start);
    fill(m->key_qvel + k * m->nv, m->nv, start + 10);
    fill(m->key_act + k * m->na, m->na, start + 20);
    fill(m->key_ctrl + k * m->nu, m->nu, start + 30);
    fill(m->key_mpos + k * 3 * m->nmocap, 3 * m->nmocap, start + 40);
    fill(m->key_mquat + k * 4 * m->nmocap, 4 * m->nmocap, start + 50);
  }
  m->signature = 42;
  add_names(m);
  trees_write(m);
  trees_measure(m);
  trees_decide(m);
  return m;
}
