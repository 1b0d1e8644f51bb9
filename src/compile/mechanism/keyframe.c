// keyframe.c: compiles keyframes. A missing array is the reference state. spec_fillkeys has filled
// arrays that are too short. NaN, in keys from attached models, stands for the reference state.
//                                                                  theory/model/model.md, Keyframes
#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/smooth.h>
#include <mujoco/mjspec.h>
#include <string.h>

#include "base/memory/memory.h"
#include "compile/context.h"
#include "compile/flex/flex.h"
#include "compile/mechanism/mechanism.h"

// Copies the given numbers, or the reference if there are none. Too many numbers are an error.
static void fill(Compile* c, const SpecObject* key, const char* what, mjtNum* out, int size,
                 const mjDoubleVec* given, const mjtNum* reference) {
  int n = (int)given->num;
  if (given->num > (size_t)size) {
    // messages about the state name the key, others give its number
    if (what[0] == 'q' || what[0] == 'a') {
      compile_error(c, key, "keyframe '%s': invalid %s size, expected %d, got %d", spec_name(key),
                    what, size, n);
    } else {
      compile_error(c, key, "keyframe %d: invalid %s size, expected length %d, got %d", key->id,
                    what, size, n);
    }
    return;
  }
  for (int i = 0; i < size; i++) {
    out[i] = i >= n || isnan(given->ptr[i]) ? reference[i] : (mjtNum)given->ptr[i];
  }
}

// Collects the initial poses of mocap bodies.
static void mocap_poses(const mjModel* m, mjtNum* pos, mjtNum* quat) {
  for (int i = 0; i < m->nbody; i++) {
    int k = m->body_mocapid[i];
    if (k >= 0) {
      mju_copy(pos + 3 * k, m->body_pos + 3 * i, 3);
      mju_copy(quat + 4 * k, m->body_quat + 4 * i, 4);
    }
  }
}

void compile_keyframes(Compile* c) {
  mjModel* m = c->m;
  if (m->nkey == 0) {
    return;
  }

  // one block for zeros and mocap poses; rests of springs stay open until lengths are known; with
  // those of flexes they have their place only in the final model
  int nmocap = m->nmocap;
  size_t nplastic = (size_t)m->nplastic + (size_t)flexes_plastic(c);
  mjtNum* open = heap_take((2 * nplastic + 1) * sizeof(mjtNum));
  mju_fill(open, NAN, (int)nplastic);
  size_t nzero = (size_t)m->nv + (size_t)m->na + (size_t)m->nu;
  mjtNum* zero = heap_take((nzero + 7 * (size_t)nmocap) * sizeof(mjtNum));
  memset(zero, 0, nzero * sizeof(mjtNum));
  mjtNum *pos = zero + nzero, *quat = pos + 3 * nmocap;
  mocap_poses(m, pos, quat);

  for (int i = 0; i < m->nkey; i++) {
    const SpecObject* key = c->list[mjOBJ_KEY][i];
    const mjsKey* spec = &key->as.key;
    m->key_time[i] = (mjtNum)spec->time;
    mjtNum* out = m->key_qpos + (size_t)i * (size_t)m->nq;
    fill(c, key, "qpos", out, m->nq, spec->qpos, m->qpos0);
    mj_normalizeQuat(m, out);
    fill(c, key, "qvel", m->key_qvel + (size_t)i * (size_t)m->nv, m->nv, spec->qvel, zero);
    fill(c, key, "act", m->key_act + (size_t)i * (size_t)m->na, m->na, spec->act, zero);
    fill(c, key, "ctrl", m->key_ctrl + (size_t)i * (size_t)m->nu, m->nu, spec->ctrl, zero);
    mjtNum* plastic =
        nplastic == (size_t)m->nplastic ? m->key_plastic + i * m->nplastic : open + nplastic;
    fill(c, key, "plastic", plastic, (int)nplastic, spec->plastic, open);
    out = m->key_mpos + 3 * (size_t)i * (size_t)nmocap;
    fill(c, key, "mpos", out, 3 * nmocap, spec->mpos, pos);
    out = m->key_mquat + 4 * (size_t)i * (size_t)nmocap;
    fill(c, key, "mquat", out, 4 * nmocap, spec->mquat, quat);
    for (int k = 0; k < nmocap; k++) {
      mju_normalize4(out + 4 * k);
    }
  }
  heap_free(zero);
  heap_free(open);
}
