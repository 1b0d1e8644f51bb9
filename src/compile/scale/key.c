// key.c: scales the numbers of keyframes: coordinates, velocities, controls and activations.
//                                                          theory/model/scaling.md, Keyframes

#include <string.h>

#include "base/joint.h"
#include "compile/scale/steps.h"

// Multiplies the numbers of a list from `start` on, as far as they are given.
static void scale_part(mjDoubleVec* list, int start, int n, double factor) {
  for (size_t i = (size_t)start; i < (size_t)(start + n) && i < list->num; i++) {
    list->ptr[i] *= factor;
  }
}

// The place of a body in the world follows the frames around it.
static void move_place(mjDoubleVec* list, int start, const Stretch* at) {
  if (!at->scaled || (size_t)start + 3 > list->num) {
    return;
  }
  double *place = list->ptr + start, inside[3];
  for (int k = 0; k < 3; k++) {
    inside[k] = place[k] - at->pose.pos[k];
  }
  if (at->uniform) {
    factor_map(inside, at->map, inside);
  } else {
    double turned[9],
        back[4] = {at->pose.quat[0], -at->pose.quat[1], -at->pose.quat[2], -at->pose.quat[3]};
    factor_turned(turned, at->map, back);
    factor_map(inside, turned, inside);
  }
  for (int k = 0; k < 3; k++) {
    place[k] = at->pos[k] + inside[k];
  }
}

static void scale_velocity(mjDoubleVec* list, int start, const Stretch* at) {
  double none[3] = {0, 0, 0};
  Stretch centred = *at;
  memcpy(centred.pos, none, sizeof(none));
  memcpy(centred.pose.pos, none, sizeof(none));
  move_place(list, start, &centred);
}

static void scale_joints(const Scaling* s, mjsKey* key) {
  int qpos = 0, qvel = 0;
  for (SPEC_EACH(joint, s->c->tree, mjOBJ_JOINT)) {
    mjtJoint type = joint->as.joint.type;
    if (type == mjJNT_FREE) {
      move_place(key->qpos, qpos, factor_of(s, joint->parent));
      scale_velocity(key->qvel, qvel, factor_of(s, joint->parent));
    } else if (type == mjJNT_SLIDE) {
      scale_part(key->qpos, qpos, 1, s->joint[joint->id]);
      scale_part(key->qvel, qvel, 1, s->joint[joint->id]);
    }
    qpos += joint_nq(type);
    qvel += joint_nv(type);
  }
}

// Do activations have the units of the control?
static int follows(mjtDyn type) {
  return type == mjDYN_INTEGRATOR || type == mjDYN_FILTER || type == mjDYN_FILTEREXACT;
}

static void scale_controls(const Scaling* s, mjsKey* key) {
  int ctrl = 0, act = 0;
  for (SPEC_EACH(actuator, s->c->tree, mjOBJ_ACTUATOR)) {
    const mjsActuator* spec = &actuator->as.actuator;
    int nact = spec->dyntype == mjDYN_NONE && spec->actdim < 0 ? 0
               : spec->actdim < 0                              ? 1
                                                               : spec->actdim;
    scale_part(key->ctrl, ctrl++, 1, s->ctrl[actuator->id]);
    scale_part(key->act, act, nact, follows(spec->dyntype) ? s->ctrl[actuator->id] : 1);
    act += nact;
  }
}

void scale_keys(Scaling* s) {
  SpecTree* tree = s->c->tree;
  for (SPEC_EACH(object, tree, mjOBJ_KEY)) {
    mjsKey* key = &object->as.key;
    scale_joints(s, key);
    scale_controls(s, key);
    int mocap = 0;
    for (SPEC_EACH(body, tree, mjOBJ_BODY)) {
      if (body->as.body.mocap) {
        move_place(key->mpos, 3 * mocap++, factor_of(s, body));
      }
    }
  }
}
