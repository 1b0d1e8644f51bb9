// state.c: the state of a simulation as one vector.
//
// The vector holds the chosen parts, always in the order of `order`: that of the bits of mjtState,
// but for the history, which later releases keep behind the activations.
//                                                               theory/conventions.md, State vector

#include "model/data/state.h"

#include <limits.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <stdint.h>
#include <string.h>

#include "base/memory/check.h"
#include "model/checks/pair.h"

enum {
  NPART = STATE_NPART,
  WHOLE = cndSTATE_INTEGRATION
};

static const unsigned int order[NPART] = {
    mjSTATE_TIME,         mjSTATE_QPOS,      mjSTATE_QVEL,      mjSTATE_ACT,
    mjSTATE_HISTORY,      mjSTATE_WARMSTART, mjSTATE_CTRL,      mjSTATE_QFRC_APPLIED,
    mjSTATE_XFRC_APPLIED, mjSTATE_EQ_ACTIVE, mjSTATE_MOCAP_POS, mjSTATE_MOCAP_QUAT,
    mjSTATE_USERDATA,     mjSTATE_PLUGIN,    mjSTATE_PLASTIC};

unsigned int state_part(int i) {
  return order[i];
}

unsigned int state_before(unsigned int sig, unsigned int part) {
  unsigned int before = 0;
  for (int i = 0; i < NPART && order[i] != part; i++) {
    before |= sig & order[i];
  }
  return before;
}

// A contiguous part of the state in mjData. numbers is NULL if the part holds bytes or there are no
// data.
typedef struct Part_ {
  mjtNum* numbers;
  int size;
} Part;

// The part of a bit of mjtState. d may be NULL.
static inline Part part_of(const mjModel* m, mjData* d, unsigned int bit) {
#define PART(numbers, size)    \
  (Part) {                     \
    d ? (numbers) : NULL, size \
  }
  switch (bit) {
    case mjSTATE_TIME:
      return PART(&d->time, 1);
    case mjSTATE_QPOS:
      return PART(d->qpos, m->nq);
    case mjSTATE_QVEL:
      return PART(d->qvel, m->nv);
    case mjSTATE_ACT:
      return PART(d->act, m->na);
    case mjSTATE_WARMSTART:
      return PART(d->qacc_warmstart, m->nv);
    case mjSTATE_CTRL:
      return PART(d->ctrl, m->nu);
    case mjSTATE_QFRC_APPLIED:
      return PART(d->qfrc_applied, m->nv);
    case mjSTATE_XFRC_APPLIED:
      return PART(d->xfrc_applied, 6 * m->nbody);
    case mjSTATE_EQ_ACTIVE:
      return PART(NULL, m->neq);
    case mjSTATE_MOCAP_POS:
      return PART(d->mocap_pos, 3 * m->nmocap);
    case mjSTATE_MOCAP_QUAT:
      return PART(d->mocap_quat, 4 * m->nmocap);
    case mjSTATE_USERDATA:
      return PART(d->userdata, m->nuserdata);
    case mjSTATE_PLUGIN:
      return PART(d->plugin_state, m->npluginstate);
    case mjSTATE_HISTORY:
      return PART(d->history, (int)m->nhistory);
    case mjSTATE_PLASTIC:
      return PART(d->plastic, (int)m->nplastic);
    default:
      return PART(NULL, 0);
  }
#undef PART
}

// The second part of a bit of mjtState. Only mjSTATE_WARMSTART has one, cnd_memory: what
// constraints keep from step to step.
static Part second_part_of(const mjModel* m, mjData* d, unsigned int bit) {
  int size = bit == mjSTATE_WARMSTART ? CND_NMEMORY * m->cnd_nmemory : 0;
  return (Part){d && size ? d->cnd_memory : NULL, size};
}

static int check_signature(const char* function, unsigned int sig) {
  if (sig >= 1u << NPART) {
    mju_error("%s: invalid state signature %u >= %u", function, sig, 1u << NPART);
    return 0;
  }
  return 1;
}

int mj_stateSize(const mjModel* m, unsigned int sig) {
  check_given(m);
  if (!check_signature("mj_stateSize", sig)) {
    return 0;
  }
  int64_t size = 0;
  for (int i = 0; i < NPART; i++) {
    unsigned int bit = order[i];
    if (sig & bit) {
      size += (int64_t)part_of(m, NULL, bit).size + second_part_of(m, NULL, bit).size;
    }
  }
  if (size > INT_MAX) {
    mju_error("mj_stateSize: the state has %lld numbers, more than an int counts", (long long)size);
    return 0;
  }
  return (int)size;
}

// Copies a part to out, or from in if out is NULL. Returns its size.
static size_t transfer_numbers(mjtNum* out, const mjtNum* in, Part part) {
  size_t n = (size_t)part.size;
  if (part.numbers && n) {
    memcpy(out ? out : part.numbers, out ? part.numbers : in, n * sizeof(mjtNum));
  }
  return n;
}

// Copies the parts of sig to out, or from in if out is NULL.
static void transfer(mjtNum* out, const mjtNum* in, const mjModel* m, mjData* d, unsigned int sig) {
  size_t at = 0;
  for (int i = 0; i < NPART; i++) {
    unsigned int bit = order[i];
    if (!(sig & bit)) {
      continue;
    }
    Part part = part_of(m, d, bit);
    size_t n = (size_t)part.size;
    for (size_t k = 0; bit == mjSTATE_EQ_ACTIVE && k < n; k++) {
      if (out) {
        out[at + k] = d->eq_active[k];
      } else {
        d->eq_active[k] = (mjtByte)in[at + k];
      }
    }
    at += transfer_numbers(out ? out + at : NULL, in ? in + at : NULL, part);
    at += transfer_numbers(out ? out + at : NULL, in ? in + at : NULL, second_part_of(m, d, bit));
  }
}

void mj_getState(const mjModel* m, const mjData* d, mjtNum* state, unsigned int sig) {
  check_pair(m, d);
  check_arrays(sig, state);
  if (check_signature("mj_getState", sig)) {
    transfer(state, NULL, m, (mjData*)(uintptr_t)d, sig);
  }
}

void mj_setState(const mjModel* m, mjData* d, const mjtNum* state, unsigned int sig) {
  check_pair(m, d);
  check_arrays(sig, state);
  if (check_signature("mj_setState", sig)) {
    transfer(NULL, state, m, d, sig);
  }
}

// additions of later releases

// Ends in mju_error unless sig is a signature of the newest interface, where it is signed.
static int check_signed(const char* function, int sig) {
  if (sig < 0) {
    mju_error("%s: invalid state signature %d < 0", function, sig);
    return 0;
  }
  return check_signature(function, (unsigned int)sig);
}

void mj_extractState(const mjModel* m, const mjtNum* src, int srcsig, mjtNum* dst, int dstsig) {
  check_given(m);
  if (!check_signed("mj_extractState", srcsig) || !check_signed("mj_extractState", dstsig)) {
    return;
  }
  if (dstsig & ~srcsig) {
    mju_error("mj_extractState: dstsig %d has parts that srcsig %d lacks", dstsig, srcsig);
    return;
  }
  check_arrays(srcsig, src);
  check_arrays(dstsig, dst);
  for (int i = 0; i < NPART; i++) {
    int bit = (int)order[i], size = srcsig & bit ? mj_stateSize(m, order[i]) : 0;
    if (dstsig & bit) {
      mju_copy(dst, src, size);
      dst += size;
    }
    src += size;
  }
}

void mj_copyState(const mjModel* m, const mjData* src, mjData* dst, int sig) {
  check_pair(m, src);
  check_pair(m, dst);
  if (!check_signed("mj_copyState", sig) || src == dst) {
    return;
  }
  for (int i = 0; i < NPART; i++) {
    unsigned int bit = order[i];
    if (!((unsigned int)sig & bit)) {
      continue;
    }
    mjData* from = (mjData*)(uintptr_t)src;  // nothing is written to it
    transfer_numbers(NULL, part_of(m, from, bit).numbers, part_of(m, dst, bit));
    transfer_numbers(NULL, second_part_of(m, from, bit).numbers, second_part_of(m, dst, bit));
    if (bit == mjSTATE_EQ_ACTIVE && m->neq) {
      memcpy(dst->eq_active, src->eq_active, (size_t)m->neq);
    }
  }
}

// signatures of other generations

// mjtState of 4.0.0 numbers the bits in the order of a vector.
static unsigned int signature_of(const char* function, int dialect, int sig) {
  if (!check_signed(function, sig)) {
    return 0;
  }
  unsigned int bits = 0;
  for (int i = 0; i < NPART && dialect >= 400; i++) {
    bits |= sig >> i & 1 ? order[i] : 0;
  }
  return dialect >= 400 ? bits : (unsigned int)sig;
}

unsigned int cnd_stateSignature(int dialect, int sig) {
  return signature_of("cnd_stateSignature", dialect, sig);
}

int cnd_stateSizeAs(int dialect, const mjModel* m, int sig) {
  return mj_stateSize(m, signature_of("mj_stateSize", dialect, sig));
}

void cnd_getStateAs(int dialect, const mjModel* m, const mjData* d, mjtNum* state, int sig) {
  mj_getState(m, d, state, signature_of("mj_getState", dialect, sig));
}

void cnd_setStateAs(int dialect, const mjModel* m, mjData* d, const mjtNum* state, int sig) {
  mj_setState(m, d, state, signature_of("mj_setState", dialect, sig));
}

void cnd_extractStateAs(int dialect, const mjModel* m, const mjtNum* src, int srcsig, mjtNum* dst,
                        int dstsig) {
  int from = (int)signature_of("mj_extractState", dialect, srcsig);
  mj_extractState(m, src, from, dst, (int)signature_of("mj_extractState", dialect, dstsig));
}

void cnd_copyStateAs(int dialect, const mjModel* m, const mjData* src, mjData* dst, int sig) {
  mj_copyState(m, src, dst, (int)signature_of("mj_copyState", dialect, sig));
}

// the whole state of a step

int cnd_stateSize(const mjModel* m) {
  check_given(m);
  return mj_stateSize(m, WHOLE);
}

void cnd_getState(const mjModel* m, const mjData* d, mjtNum* state) {
  check_pair(m, d);
  check_given(state);
  mj_getState(m, d, state, WHOLE);
}

void cnd_setState(const mjModel* m, mjData* d, const mjtNum* state) {
  check_pair(m, d);
  check_given(state);
  mj_setState(m, d, state, WHOLE);
}
