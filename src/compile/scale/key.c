// key.c: scales the numbers of keyframes: coordinates, velocities, controls and activations.
//                                                          theory/model/scaling.md, Keyframes

#include <string.h>

#include "base/actuator.h"
#include "base/joint.h"
#include "compile/scale/steps.h"
#include "model/plastic.h"
#include "spec/key.h"

// Multiplies the numbers of a list from `start` on, as far as they are given.
static void scale_part(mjDoubleVec* list, int start, int n, double factor) {
  for (size_t i = (size_t)start; i < (size_t)start + (size_t)n && i < list->num; i++) {
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
  return type == mjDYN_INTEGRATOR || type == mjDYN_FILTER || type == mjDYN_FILTEREXACT ||
         type == mjDYN_PID;
}

static void scale_controls(const Scaling* s, mjsKey* key) {
  int ctrl = 0, act = 0;
  for (SPEC_EACH(actuator, s->c->tree, mjOBJ_ACTUATOR)) {
    const mjsActuator* spec = &actuator->as.actuator;
    int nact = actuator_states(spec);
    int is_pid = spec->gaintype == mjGAIN_PID,
        ncontrol = input_count(spec->gaintype, spec->ctrlspec);
    for (int i = 0; i < ncontrol; i++, ctrl++) {
      int adds = is_pid && i == ncontrol - 1 && spec->ctrlspec & mjINPUT_FF;
      scale_part(key->ctrl, ctrl, 1, (adds ? s->feedforward : s->ctrl)[actuator->id]);
    }
    scale_part(key->act, act, nact, follows(spec->dyntype) ? s->ctrl[actuator->id] : 1);
    act += nact;
  }
}

// Rests of springs that yield: of joints, then of tendons.
static void scale_rests(const Scaling* s, mjsKey* key) {
  int at = 0;
  for (SPEC_EACH(joint, s->c->tree, mjOBJ_JOINT)) {
    mjtJoint type = joint->as.joint.type;
    if (joint->as.joint.springyield > 0) {
      scale_part(key->plastic, at, type == mjJNT_SLIDE, s->joint[joint->id]);
      at += plastic_numbers(type);
    }
  }
  for (SPEC_EACH(tendon, s->c->tree, mjOBJ_TENDON)) {
    if (tendon->as.tendon.springyield > 0) {
      int linear;
      double length = scale_oftendon(s, tendon, &linear).length;
      scale_part(key->plastic, at, PLASTIC_LENGTHS, linear ? length : 1);
      at += PLASTIC_LENGTHS;
    }
  }
}

void scale_keys(Scaling* s) {
  SpecTree* tree = s->c->tree;
  for (SPEC_EACH(object, tree, mjOBJ_KEY)) {
    mjsKey* key = &object->as.key;
    scale_joints(s, key);
    scale_controls(s, key);
    scale_rests(s, key);
    int mocap = 0;
    for (SPEC_EACH(body, tree, mjOBJ_BODY)) {
      if (body->as.body.mocap) {
        move_place(key->mpos, 3 * mocap++, factor_of(s, body));
      }
    }
  }
}
