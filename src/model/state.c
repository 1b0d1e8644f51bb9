// state.c: the state of a simulation as one vector.
//
// The vector holds the chosen parts in the order of the bits of mjtState, whatever the choice.
//                                                                             spec 07, section 2.1

#include <limits.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <stdint.h>
#include <string.h>

#include "base/check.h"

// A part of the state: numbers of a model that lie together, NULL where they are no array of numbers
// or no data is known.
typedef struct Part_ {
  mjtNum* numbers;
  int size;
} Part;

// The part of a bit; d may be NULL.
static Part part_of(const mjModel* m, const mjData* d, unsigned int bit) {
  switch (bit) {
    case mjSTATE_TIME:
      return (Part){NULL, 1};
    case mjSTATE_QPOS:
      return (Part){d ? d->qpos : NULL, m->nq};
    case mjSTATE_QVEL:
      return (Part){d ? d->qvel : NULL, m->nv};
    case mjSTATE_ACT:
      return (Part){d ? d->act : NULL, m->na};
    case mjSTATE_WARMSTART:
      return (Part){d ? d->qacc_warmstart : NULL, m->nv};
    case mjSTATE_CTRL:
      return (Part){d ? d->ctrl : NULL, m->nu};
    case mjSTATE_QFRC_APPLIED:
      return (Part){d ? d->qfrc_applied : NULL, m->nv};
    case mjSTATE_XFRC_APPLIED:
      return (Part){d ? d->xfrc_applied : NULL, 6 * m->nbody};
    case mjSTATE_EQ_ACTIVE:
      return (Part){NULL, m->neq};
    case mjSTATE_MOCAP_POS:
      return (Part){d ? d->mocap_pos : NULL, 3 * m->nmocap};
    case mjSTATE_MOCAP_QUAT:
      return (Part){d ? d->mocap_quat : NULL, 4 * m->nmocap};
    case mjSTATE_USERDATA:
      return (Part){d ? d->userdata : NULL, m->nuserdata};
    case mjSTATE_PLUGIN:
      return (Part){d ? d->plugin_state : NULL, m->npluginstate};
    default:
      return (Part){NULL, 0};
  }
}

static int check_signature(const char* function, unsigned int sig) {
  if (sig >= 1u << mjNSTATE) {
    mju_error("%s: invalid state signature %u >= 2^mjNSTATE", function, sig);
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
  for (unsigned int i = 0; i < mjNSTATE; i++) {
    if (sig & (1u << i)) {
      size += part_of(m, NULL, 1u << i).size;
    }
  }
  if (size > INT_MAX) {
    mju_error("mj_stateSize: the state has %lld numbers, more than an int counts", (long long)size);
    return 0;
  }
  return (int)size;
}

void mj_getState(const mjModel* m, const mjData* d, mjtNum* state, unsigned int sig) {
  check_given(m, d);
  check_arrays(sig, state);
  if (!check_signature("mj_getState", sig)) {
    return;
  }
  for (unsigned int i = 0; i < mjNSTATE; i++) {
    unsigned int bit = sig & (1u << i);
    if (!bit) {
      continue;
    }
    Part part = part_of(m, d, bit);
    if (bit == mjSTATE_TIME) {
      state[0] = d->time;
    } else if (bit == mjSTATE_EQ_ACTIVE) {
      for (int j = 0; j < part.size; j++) {
        state[j] = d->eq_active[j];
      }
    } else if (part.size) {
      memcpy(state, part.numbers, (size_t)part.size * sizeof(mjtNum));
    }
    state += part.size;
  }
}

void mj_setState(const mjModel* m, mjData* d, const mjtNum* state, unsigned int sig) {
  check_given(m, d);
  check_arrays(sig, state);
  if (!check_signature("mj_setState", sig)) {
    return;
  }
  for (unsigned int i = 0; i < mjNSTATE; i++) {
    unsigned int bit = sig & (1u << i);
    if (!bit) {
      continue;
    }
    Part part = part_of(m, d, bit);
    if (bit == mjSTATE_TIME) {
      d->time = state[0];
    } else if (bit == mjSTATE_EQ_ACTIVE) {
      for (int j = 0; j < part.size; j++) {
        d->eq_active[j] = (mjtByte)state[j];
      }
    } else if (part.size) {
      memcpy(part.numbers, state, (size_t)part.size * sizeof(mjtNum));
    }
    state += part.size;
  }
}
