// Keyframes. An array that is missing is the reference state. One that is too short is filled up:
// free joints with the identity, other joints with ref as written, even if it is in degrees, the
// rest of a joint that was begun with zeros; mocap bodies, each given whole or not at all, with the
// pose as written, without frames. A NaN, which stands in keys that came with attached models, is
// the reference state.
//                                                                        theory/model.md, Keyframes
#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/smooth.h>
#include <mujoco/mjspec.h>
#include <string.h>

#include "base/memory.h"
#include "compile/compile.h"

// Copies what is given, in whole units, and the rest from padding; reference if nothing is given.
// Too much is an error.
static void fill(Compile* c, const SpecObject* key, const char* what, mjtNum* out, int size,
                 int unit, const mjDoubleVec* given, const mjtNum* reference,
                 const mjtNum* padding) {
  int n = (int)given->num;
  if (given->num > (size_t)size) {
    // the state is refused by the key's name, the rest by its number
    if (what[0] == 'q' || what[0] == 'a') {
      compile_error(c, key, "keyframe '%s': invalid %s size, expected %d, got %d", spec_name(key),
                    what, size, n);
    } else {
      compile_error(c, key, "keyframe %d: invalid %s size, expected length %d, got %d", key->id,
                    what, size, n);
    }
    return;
  }
  mju_copy(out, n ? padding : reference, size);
  for (int i = 0; i < n - n % unit; i++) {
    out[i] = isnan(given->ptr[i]) ? reference[i] : (mjtNum)given->ptr[i];
  }
}

// The rest of a joint that was begun but not finished.
static void finish_joint(const Compile* c, mjtNum* out, int given) {
  const mjModel* m = c->m;
  for (int i = 0; i < m->njnt; i++) {
    int adr = m->jnt_qposadr[i], end = i + 1 < m->njnt ? m->jnt_qposadr[i + 1] : m->nq;
    if (adr < given && given < end) {
      mju_zero(out + given, end - given);
    }
  }
}

// qpos as the joints' own attributes say
static void raw_qpos(const Compile* c, mjtNum* qpos) {
  const mjModel* m = c->m;
  for (int i = 0; i < m->njnt; i++) {
    const SpecObject* joint = c->list[mjOBJ_JOINT][i];
    mjtNum* q = qpos + m->jnt_qposadr[i];
    if (joint->as.joint.type == mjJNT_FREE) {
      q[3] = 1;
    } else if (joint->as.joint.type == mjJNT_BALL) {
      q[0] = joint->as.joint.ref < 0 ? -1 : 1;  // (ref, 0, 0, 0), normalized
    } else {
      q[0] = (mjtNum)joint->as.joint.ref;
    }
  }
}

// Poses of mocap bodies: compiled, and as written.
static void mocap_poses(const Compile* c, mjtNum* pos, mjtNum* quat, mjtNum* rawpos,
                        mjtNum* rawquat) {
  const mjModel* m = c->m;
  for (int i = 0; i < m->nbody; i++) {
    int k = m->body_mocapid[i];
    if (k >= 0) {
      const mjsBody* spec = &c->list[mjOBJ_BODY][i]->as.body;
      mju_copy(pos + 3 * k, m->body_pos + 3 * i, 3);
      mju_copy(quat + 4 * k, m->body_quat + 4 * i, 4);
      compile_store(rawpos + 3 * k, spec->pos, 3);
      compile_store(rawquat + 4 * k, spec->quat, 4);
    }
  }
}

void compile_keyframes(Compile* c) {
  mjModel* m = c->m;
  if (m->nkey == 0) {
    return;
  }

  // one block: zeros, raw qpos, mocap poses compiled and raw
  int nmocap = m->nmocap;
  size_t nzero = (size_t)m->nv + (size_t)m->na + (size_t)m->nu;
  size_t total = nzero + (size_t)m->nq + 14 * (size_t)nmocap;
  mjtNum* zero = heap_take(total * sizeof(mjtNum));
  memset(zero, 0, total * sizeof(mjtNum));
  mjtNum* qpos = zero + nzero;
  mjtNum *pos = qpos + m->nq, *quat = pos + 3 * nmocap;
  mjtNum *rawpos = quat + 4 * nmocap, *rawquat = rawpos + 3 * nmocap;
  raw_qpos(c, qpos);
  mocap_poses(c, pos, quat, rawpos, rawquat);

  for (int i = 0; i < m->nkey; i++) {
    const SpecObject* key = c->list[mjOBJ_KEY][i];
    const mjsKey* spec = &key->as.key;
    m->key_time[i] = (mjtNum)spec->time;
    mjtNum* out = m->key_qpos + (size_t)i * (size_t)m->nq;
    fill(c, key, "qpos", out, m->nq, 1, spec->qpos, m->qpos0, qpos);
    finish_joint(c, out, (int)spec->qpos->num);
    mj_normalizeQuat(m, out);
    fill(c, key, "qvel", m->key_qvel + (size_t)i * (size_t)m->nv, m->nv, 1, spec->qvel, zero, zero);
    fill(c, key, "act", m->key_act + (size_t)i * (size_t)m->na, m->na, 1, spec->act, zero, zero);
    fill(c, key, "ctrl", m->key_ctrl + (size_t)i * (size_t)m->nu, m->nu, 1, spec->ctrl, zero, zero);
    out = m->key_mpos + 3 * (size_t)i * (size_t)nmocap;
    fill(c, key, "mpos", out, 3 * nmocap, 3, spec->mpos, pos, rawpos);
    out = m->key_mquat + 4 * (size_t)i * (size_t)nmocap;
    fill(c, key, "mquat", out, 4 * nmocap, 4, spec->mquat, quat, rawquat);
    for (int k = 0; k < nmocap; k++) {
      mju_normalize4(out + 4 * k);
    }
  }
  heap_free(zero);
}
