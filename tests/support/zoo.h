// zoo.h: small models with everything the smooth dynamics knows, and random states of them.

#pragma once

#include "support/load.h"
#include "support/near.h"
#include "support/random.h"
#include "support/test.h"

// every joint type, branches, several joints in one body, simple bodies, a mocap body, tendons with
// springs and armature
#define ZOO_WORLD                                                                                \
  "<worldbody>"                                                                                  \
  "<camera name='watch' pos='1 -3 2' mode='targetbody' target='base'/>"                          \
  "<camera name='above' pos='0 0 3' mode='targetbody' target='pole'/>"                           \
  "<light name='sun' pos='0 0 4' mode='track' dir='0 0 -2'/>"                                    \
  "<body name='hand' mocap='true' pos='1 1 1'><geom size='.05'/></body>"                         \
  "<body name='base' pos='0 0 1'><freejoint name='root'/>"                                       \
  "<geom name='trunk' type='box' size='.1 .2 .3' pos='.05 0 0' euler='10 20 30'/>"               \
  "<site name='tip' pos='.1 .1 .1' euler='30 10 0'/>"                                            \
  "<body name='arm' pos='.3 0 0' euler='0 30 0'>"                                                \
  "<joint name='shoulder' type='ball' pos='.01 .02 .03' stiffness='3' damping='.2'"              \
  " armature='.01'/><geom type='capsule' size='.05 .2' pos='.1 0 0'/>"                           \
  "<body name='wrist' pos='.3 .1 0' gravcomp='.5'>"                                              \
  "<joint name='twist' axis='1 2 3' pos='.1 0 0' stiffness='2' springref='20' damping='1'/>"     \
  "<joint name='reach' type='slide' axis='0 1 1' stiffness='20' damping='.3'/>"                  \
  "<joint name='yaw' axis='0 0 1' armature='.02'/>"                                              \
  "<geom type='box' size='.1 .05 .03' euler='10 0 40'/></body></body>"                           \
  "<body name='thigh' pos='-.3 0 0'><joint name='hip' axis='0 1 0' damping='.1'/>"               \
  "<geom type='sphere' size='.1' pos='0 0 -.2'/>"                                                \
  "<body name='shin' pos='0 0 -.3'><joint name='knee' axis='0 1 0' ref='30'/>"                   \
  "<geom type='capsule' size='.04 .1'/></body></body></body>"                                    \
  "<body name='cart' pos='2 0 .5'><joint name='cx' type='slide' axis='1 0 0'/>"                  \
  "<joint name='cz' type='slide' axis='0 0 1' damping='1'/>"                                     \
  "<geom type='box' size='.1 .2 .3'/></body>"                                                    \
  "<body name='crate' pos='3 0 .5'><freejoint/><geom type='box' size='.1 .2 .3'/></body>"        \
  "<body name='pole' pos='0 0 .2'><geom type='sphere' size='.05'/></body>"                       \
  "</worldbody>"                                                                                 \
  "<tendon><fixed name='cord' stiffness='10' springlength='-.1 .1' damping='.5' armature='.02'>" \
  "<joint joint='twist' coef='.5'/><joint joint='hip' coef='-.7'/>"                              \
  "<joint joint='knee' coef='1'/></fixed>"                                                       \
  "<fixed name='rail' armature='.3'><joint joint='cz' coef='.5'/>"                               \
  "<joint joint='cx' coef='.2'/></fixed></tendon>"

#define ZOO_ACTUATORS                                                                            \
  "<actuator><motor name='servo' joint='twist' gear='2' ctrllimited='true' ctrlrange='-.5 .5'/>" \
  "<position name='hold' joint='hip' kp='5' kv='.4' forcelimited='true' forcerange='-2 2'"       \
  " group='2'/>"                                                                                 \
  "<general name='lag' joint='reach' dyntype='filter' dynprm='.1' gaintype='affine'"             \
  " gainprm='1 2 -3' biastype='affine' biasprm='1 -2 -.5'/>"                                     \
  "<general name='exact' joint='yaw' dyntype='filterexact' dynprm='.1' gainprm='2'"              \
  " actlimited='true' actrange='-.3 .3'/>"                                                       \
  "<general name='sum' joint='knee' dyntype='integrator' gainprm='2'/>"                          \
  "<motor name='spin' joint='shoulder' gear='1 2 3'/>"                                           \
  "<motor name='push' joint='root' gear='1 2 3 4 5 6'/>"                                         \
  "<position name='pull' tendon='cord' kp='3' kv='1'/></actuator>"

#define ZOO_NOCONTACT "<option timestep='.002'><flag contact='disable'/></option>"

#define ZOO_XML "<mujoco>" ZOO_NOCONTACT ZOO_WORLD ZOO_ACTUATORS "</mujoco>"

// Any state away from the reference, quaternions of unit length.
static inline void zoo_randomize(const mjModel* m, mjData* d, uint64_t number) {
  mj_resetData(m, d);
  for (int i = 0; i < m->nv; i++) {
    d->qvel[i] = uniform_random(&number);
  }
  mj_integratePos(m, d->qpos, d->qvel, (mjtNum)0.7);
  for (int i = 0; i < m->nv; i++) {
    d->qvel[i] = (mjtNum)(2 * uniform_random(&number));
  }
  for (int i = 0; i < m->nu; i++) {
    d->ctrl[i] = uniform_random(&number);
  }
  for (int i = 0; i < m->na; i++) {
    d->act[i] = (mjtNum)(0.2 * uniform_random(&number));
  }
}

// Runs check on several random states after forward dynamics.
static inline void zoo_each_state(void (*check)(mjModel* m, mjData* d)) {
  mjModel* m = test_model(ZOO_XML);
  mjData* d = test_data(m);
  for (uint64_t i = 1; i <= 5; i++) {
    zoo_randomize(m, d, i);
    mj_forward(m, d);
    check(m, d);
  }
  test_release(m);
}

// The id of an object that is there.
static inline int zoo_id(const mjModel* m, int type, const char* name) {
  int i = mj_name2id(m, type, name);
  assert_that(i, >=, 0);
  return i;
}
