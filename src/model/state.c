// state.c: the state of a simulation as one vector.
//
// The vector holds the chosen parts in the order of the bits of mjtState, whatever the choice.
//                                                                             spec 07, section 2.1

#include <mujoco/mujoco.h>
#include <string.h>

// Size of a part, and where it is if it consists of numbers.
static int part(mjtNum** numbers, const mjModel* m, const mjData* d, unsigned int bit) {
  mjtNum* place = NULL;
  int size = 0;
#define PART(array, n)        \
  place = d ? (array) : NULL; \
  size = (n);                 \
  break
  switch (bit) {
    case mjSTATE_QPOS:
      PART(d->qpos, m->nq);
    case mjSTATE_QVEL:
      PART(d->qvel, m->nv);
    case mjSTATE_ACT:
      PART(d->act, m->na);
    case mjSTATE_WARMSTART:
      PART(d->qacc_warmstart, m->nv);
    case mjSTATE_CTRL:
      PART(d->ctrl, m->nu);
    case mjSTATE_QFRC_APPLIED:
      PART(d->qfrc_applied, m->nv);
    case mjSTATE_XFRC_APPLIED:
      PART(d->xfrc_applied, 6 * m->nbody);
    case mjSTATE_MOCAP_POS:
      PART(d->mocap_pos, 3 * m->nmocap);
    case mjSTATE_MOCAP_QUAT:
      PART(d->mocap_quat, 4 * m->nmocap);
    case mjSTATE_USERDATA:
      PART(d->userdata, m->nuserdata);
    case mjSTATE_PLUGIN:
      PART(d->plugin_state, m->npluginstate);

    // these two are not arrays of numbers
    case mjSTATE_TIME:
      size = 1;
      break;
    case mjSTATE_EQ_ACTIVE:
      size = m->neq;
      break;
    default:
      break;
  }
#undef PART
  *numbers = place;
  return size;
}

static int check_signature(const char* function, unsigned int sig) {
  if (sig >= 1u << mjNSTATE) {
    mju_error("%s: invalid state signature %u >= 2^mjNSTATE", function, sig);
    return 0;
  }
  return 1;
}

int mj_stateSize(const mjModel* m, unsigned int sig) {
  if (!check_signature("mj_stateSize", sig)) {
    return 0;
  }
  int size = 0;
  for (unsigned int i = 0; i < mjNSTATE; i++) {
    mjtNum* unused;
    if (sig & (1u << i)) {
      size += part(&unused, m, NULL, 1u << i);
    }
  }
  return size;
}

void mj_getState(const mjModel* m, const mjData* d, mjtNum* state, unsigned int sig) {
  if (!check_signature("mj_getState", sig)) {
    return;
  }
  for (unsigned int i = 0; i < mjNSTATE; i++) {
    unsigned int bit = sig & (1u << i);
    if (!bit) {
      continue;
    }
    mjtNum* numbers;
    int size = part(&numbers, m, d, bit);
    if (bit == mjSTATE_TIME) {
      state[0] = d->time;
    } else if (bit == mjSTATE_EQ_ACTIVE) {
      for (int j = 0; j < size; j++) {
        state[j] = d->eq_active[j];
      }
    } else if (size) {
      memcpy(state, numbers, (size_t)size * sizeof(mjtNum));
    }
    state += size;
  }
}

void mj_setState(const mjModel* m, mjData* d, const mjtNum* state, unsigned int sig) {
  if (!check_signature("mj_setState", sig)) {
    return;
  }
  for (unsigned int i = 0; i < mjNSTATE; i++) {
    unsigned int bit = sig & (1u << i);
    if (!bit) {
      continue;
    }
    mjtNum* numbers;
    int size = part(&numbers, m, d, bit);
    if (bit == mjSTATE_TIME) {
      d->time = state[0];
    } else if (bit == mjSTATE_EQ_ACTIVE) {
      for (int j = 0; j < size; j++) {
        d->eq_active[j] = (mjtByte)state[j];
      }
    } else if (size) {
      memcpy(numbers, state, (size_t)size * sizeof(mjtNum));
    }
    state += size;
  }
}
