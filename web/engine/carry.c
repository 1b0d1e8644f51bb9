// carry.c: matches joints, actuators and bodies of one model with those of another.

#include "carry.h"

#include <string.h>

// The element of the same name, or the one of the same number if it has no name either. -1: none.
static int same_element(const mjModel* to, const mjModel* from, int type, int id, int count) {
  const char* name = mj_id2name(from, type, id);
  if (name && *name) {
    return mj_name2id(to, type, name);
  }
  const char* other = id < count ? mj_id2name(to, type, id) : NULL;
  return id < count && !(other && *other) ? id : -1;
}

// The same joint: a nameless one is found by its body and its number there.
static int same_joint(const mjModel* to, const mjModel* from, int id) {
  const char* name = mj_id2name(from, mjOBJ_JOINT, id);
  if (name && *name) {
    return mj_name2id(to, mjOBJ_JOINT, name);
  }
  int body = from->jnt_bodyid[id], within = id - from->body_jntadr[body];
  int other = same_element(to, from, mjOBJ_BODY, body, (int)to->nbody);
  return other >= 0 && within < to->body_jntnum[other] ? to->body_jntadr[other] + within : -1;
}

static void carry_joints(World* to, const World* from) {
  static const int positions[4] = {7, 4, 1, 1}, dofs[4] = {6, 3, 1, 1};  // by mjtJoint
  for (int i = 0; i < from->m->njnt; i++) {
    int j = same_joint(to->m, from->m, i), type = from->m->jnt_type[i];
    if (j >= 0 && to->m->jnt_type[j] == type) {
      mju_copy(to->d->qpos + to->m->jnt_qposadr[j], from->d->qpos + from->m->jnt_qposadr[i],
               positions[type]);
      mju_copy(to->d->qvel + to->m->jnt_dofadr[j], from->d->qvel + from->m->jnt_dofadr[i],
               dofs[type]);
    }
  }
}

static void carry_actuators(World* to, const World* from) {
  for (int i = 0; i < (int)from->m->nactuator; i++) {
    int j = same_element(to->m, from->m, mjOBJ_ACTUATOR, i, (int)to->m->nactuator);
    if (j < 0) {
      continue;
    }
    if (to->m->actuator_ctrlnum[j] == from->m->actuator_ctrlnum[i]) {
      mju_copy(to->d->ctrl + to->m->actuator_ctrladr[j],
               from->d->ctrl + from->m->actuator_ctrladr[i], from->m->actuator_ctrlnum[i]);
    }
    int count = from->m->actuator_actnum[i];
    if (count > 0 && count == to->m->actuator_actnum[j]) {
      mju_copy(to->d->act + to->m->actuator_actadr[j], from->d->act + from->m->actuator_actadr[i],
               count);
    }
  }
}

static void carry_mocap(World* to, const World* from) {
  for (int i = 0; i < from->m->nbody; i++) {
    int source = from->m->body_mocapid[i];
    int j = source < 0 ? -1 : same_element(to->m, from->m, mjOBJ_BODY, i, (int)to->m->nbody);
    int target = j < 0 ? -1 : to->m->body_mocapid[j];
    if (target >= 0) {
      mju_copy3(to->d->mocap_pos + 3 * target, from->d->mocap_pos + 3 * source);
      mju_copy4(to->d->mocap_quat + 4 * target, from->d->mocap_quat + 4 * source);
    }
  }
}

void carry_state(World* to, const World* from) {
  to->d->time = from->d->time;
  carry_joints(to, from);
  carry_actuators(to, from);
  carry_mocap(to, from);
  attempt(forward_world, to);
}

void copy_state(World* to, const World* from) {
  to->d->time = from->d->time;
  mju_copy(to->d->qpos, from->d->qpos, (int)to->m->nq);
  mju_copy(to->d->qvel, from->d->qvel, (int)to->m->nv);
  mju_copy(to->d->act, from->d->act, (int)to->m->na);
  mju_copy(to->d->ctrl, from->d->ctrl, (int)to->m->nactuator);
  mju_copy(to->d->mocap_pos, from->d->mocap_pos, 3 * (int)to->m->nmocap);
  mju_copy(to->d->mocap_quat, from->d->mocap_quat, 4 * (int)to->m->nmocap);
  memcpy(to->d->eq_active, from->d->eq_active, (size_t)to->m->neq);
  attempt(forward_world, to);
}
