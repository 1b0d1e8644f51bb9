// rollout.c: trajectories from given states.
//
// Everything on which a step depends is set before each trajectory. So neither the earlier contents
// of the data nor the choice of threads changes a bit of the result.
//                                                                           docs/batch.md, Rollouts

#include <condyle/contact.h>
#include <condyle/rollout.h>
#include <condyle/state.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/step.h>
#include <stdio.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "base/memory/check.h"
#include "base/memory/memory.h"
#include "batch/loop.h"
#include "batch/rollout_lanes.h"
#include "model/checks/pair.h"
#include "model/data/awake.h"

typedef struct Work_ {
  Loop loop;
  const cndRollout* r;
  unsigned int spec;        // what `control` holds (bits of mjtState), 0 without control
  size_t nstate, ncontrol;  // numbers of a state, of the inputs of a step
  mjtNum* userdata;         // of data[0] at the call
  mjtByte* left;            // flags: trajectories that lanes have not made; NULL: all
} Work;

void cnd_defaultRollout(cndRollout* rollout) {
  check_given(rollout);
  memset(rollout, 0, sizeof(*rollout));
  rollout->control_spec = mjSTATE_CTRL;
}

static const mjModel* model_of(const cndRollout* r, int i) {
  return r->model[r->nmodel > 1 ? i : 0];
}

// one trajectory

// Sets the inputs that `control` doesn't hold to their values after a reset.
static void reset_inputs(const Work* w, const mjModel* m, mjData* d) {
  if (!(w->spec & mjSTATE_CTRL)) {
    mju_zero(d->ctrl, m->nu);
  }
  if (!(w->spec & mjSTATE_QFRC_APPLIED)) {
    mju_zero(d->qfrc_applied, m->nv);
  }
  if (!(w->spec & mjSTATE_XFRC_APPLIED)) {
    mju_zero(d->xfrc_applied, 6 * m->nbody);
  }
  if (!(w->spec & mjSTATE_EQ_ACTIVE) && m->neq) {
    memcpy(d->eq_active, m->eq_active0, (size_t)m->neq);
  }
  for (int b = 0; m->nmocap && b < m->nbody; b++) {
    int mocap = m->body_mocapid[b];
    if (mocap >= 0 && !(w->spec & mjSTATE_MOCAP_POS)) {
      v3_copy(d->mocap_pos + 3 * mocap, m->body_pos + 3 * b);
    }
    if (mocap >= 0 && !(w->spec & mjSTATE_MOCAP_QUAT)) {
      mju_copy4(d->mocap_quat + 4 * mocap, m->body_quat + 4 * b);
    }
  }
  if (!(w->spec & mjSTATE_USERDATA)) {
    mju_copy(d->userdata, w->userdata, m->nuserdata);
  }
}

static void begin(const Work* w, const mjModel* m, mjData* d, int i) {
  const cndRollout* r = w->r;
  memset(d->warning, 0, sizeof(d->warning));
  memset(d->cnd_warning, 0, sizeof(d->cnd_warning));
  reset_inputs(w, m, d);
  mju_zero(d->cnd_memory, CND_NMEMORY * m->cnd_nmemory);
  mju_zero(d->qacc_warmstart, m->nv);
  awake_wake_all(m, d);
  if (r->initial_warmstart) {
    mju_copy(d->qacc_warmstart, r->initial_warmstart + (size_t)i * (size_t)m->nv, m->nv);
  }
  mj_setState(m, d, r->initial_state + (size_t)i * w->nstate, cndSTATE_FULLPHYSICS);
}

static int has_warned(const mjData* d) {
  int number = 0;
  for (int i = 0; i < mjNWARNING; i++) {
    number |= d->warning[i].number;
  }
  return number != 0;
}

// Repeats row `from` of an array up to row `end`.
static void repeat(mjtNum* array, int from, int end, size_t size) {
  for (int t = from + 1; array && size && t < end; t++) {
    memcpy(array + (size_t)t * size, array + (size_t)from * size, size * sizeof(mjtNum));
  }
}

// Repeats the last step of a trajectory made in lanes, so that d holds its results.
static void end_in_lanes(const Work* w, const mjModel* m, mjData* d, int i) {
  const cndRollout* r = w->r;
  size_t end = ((size_t)i + 1) * (size_t)r->nstep;
  begin(w, m, d, i);
  if (r->nstep > 1) {
    mj_setState(m, d, r->state + (end - 2) * w->nstate, cndSTATE_FULLPHYSICS);
  }
  if (w->spec) {
    mj_setState(m, d, r->control + (end - 1) * w->ncontrol, w->spec);
  }
  mj_step(m, d);
  mj_setState(m, d, r->state + (end - 1) * w->nstate, cndSTATE_FULLPHYSICS);
}

static void simulate(void* argument, int i, int slot) {
  Work* w = argument;
  const cndRollout* r = w->r;
  const mjModel* m = model_of(r, i);
  mjData* d = r->data[slot];
  size_t steps = (size_t)i * (size_t)r->nstep, nsensor = (size_t)m->nsensordata;
  const mjtNum* control = w->spec ? r->control + steps * w->ncontrol : NULL;
  mjtNum* state = r->state ? r->state + steps * w->nstate : NULL;
  mjtNum* sensordata = r->sensordata ? r->sensordata + steps * nsensor : NULL;
  if (w->left && !w->left[i]) {
    if (i == r->nbatch - 1) {
      end_in_lanes(w, m, d, i);
    }
    return;
  }
  begin(w, m, d, i);
  for (int t = 0; t < r->nstep && !loop_givenup(&w->loop, i, slot); t++) {
    if (control) {
      mj_setState(m, d, control + (size_t)t * w->ncontrol, w->spec);
    }
    mj_step(m, d);
    if (state) {
      mj_getState(m, d, state + (size_t)t * w->nstate, cndSTATE_FULLPHYSICS);
    }
    if (sensordata && nsensor) {
      memcpy(sensordata + (size_t)t * nsensor, d->sensordata, nsensor * sizeof(mjtNum));
    }
    if (has_warned(d)) {
      repeat(state, t, r->nstep, w->nstate);
      repeat(sensordata, t, r->nstep, nsensor);
      return;
    }
  }
}

static void mend(void* argument, int i, int slot) {
  const Work* w = argument;
  mj_resetData(model_of(w->r, i), w->r->data[slot]);
}

// the arguments

// Every model and data must fit the first ones, so that any thread can take any trajectory.
static void check_things(const cndRollout* r) {
  for (int i = 0; i < r->nmodel; i++) {
    if (!r->model[i]) {
      mju_error("cnd_rollout: model[%d] is NULL", i);
    }
  }
  for (int i = 0; i < r->ndata; i++) {
    if (!r->data[i]) {
      mju_error("cnd_rollout: data[%d] is NULL", i);
    }
    for (int k = 0; k < i; k++) {
      if (r->data[k] == r->data[i]) {
        mju_error("cnd_rollout: data[%d] and data[%d] are the same: each thread needs its own", k,
                  i);
      }
    }
  }
  for (int i = 0; i < r->nmodel; i++) {
    pair_compare("cnd_rollout", "data", r->model[i], r->data[0]);
  }
  for (int i = 0; i < r->ndata; i++) {
    pair_compare("cnd_rollout", "data", r->model[0], r->data[i]);
  }
}

static void check_counts(const cndRollout* r) {
  if (r->nbatch < 0 || r->nstep < 0) {
    mju_error("cnd_rollout: nbatch is %d and nstep is %d, must be >= 0", r->nbatch, r->nstep);
  }
  if (r->nmodel < 1 || (r->nmodel != 1 && r->nmodel != r->nbatch)) {
    mju_error("cnd_rollout: nmodel is %d, must be 1 or nbatch, which is %d", r->nmodel, r->nbatch);
  }
  if (r->ndata < 1) {
    mju_error("cnd_rollout: ndata is %d, must be >= 1", r->ndata);
  }
  if (r->chunk_size < 0) {
    mju_error("cnd_rollout: chunk_size is %d, must be >= 0", r->chunk_size);
  }
  if (r->control_spec & ~(unsigned int)mjSTATE_USER) {
    mju_error("cnd_rollout: control_spec is %u, can only contain bits in mjSTATE_USER",
              r->control_spec);
  }
}

// Checks that the largest array fits in memory.
static void check_size(const cndRollout* r, size_t row) {
  size_t n = (size_t)r->nbatch;
  if (!size_multiply(&n, n, (size_t)r->nstep) || !size_multiply(&n, n, row * sizeof(mjtNum)) ||
      n > PTRDIFF_MAX) {
    mju_error("cnd_rollout: nbatch is %d and nstep is %d: too many numbers", r->nbatch, r->nstep);
  }
}

static void check_rollout(Work* w) {
  const cndRollout* r = w->r;
  check_counts(r);
  check_given(r->model, r->data);
  check_things(r);
  const mjModel* m = r->model[0];
  w->spec = r->control ? r->control_spec : 0;
  w->nstate = (size_t)mj_stateSize(m, cndSTATE_FULLPHYSICS);
  w->ncontrol = (size_t)mj_stateSize(m, w->spec);
  check_size(r, w->nstate > w->ncontrol ? w->nstate : w->ncontrol);
  check_size(r, (size_t)m->nsensordata);
  check_arrays(r->nbatch, r->initial_state);
}

cndtRun cnd_rollout(cndPool* pool, const cndRollout* rollout, char* error, int error_sz) {
  check_given(rollout);
  Work w = {.r = rollout};
  check_rollout(&w);
  const cndRollout* r = rollout;
  if (error && error_sz > 0) {
    error[0] = 0;
  }

  // userdata is the program's: each trajectory begins with a copy
  const mjModel* m = r->model[0];
  size_t bytes = (size_t)m->nuserdata * sizeof(mjtNum);
  w.userdata = bytes ? memory_take(bytes) : NULL;
  w.left = r->lanes ? memory_take((size_t)r->nbatch) : NULL;
  if ((bytes && !w.userdata) || (r->lanes && !w.left)) {
    mju_free(w.userdata);
    mju_free(w.left);
    mju_error("cnd_rollout: " MEMORY_OUT);
  }
  mju_copy(w.userdata, r->data[0]->userdata, m->nuserdata);

  int nthread = int_min(r->ndata, loop_threads(pool));
  cndtRun run = w.left ? rollout_lanes(w.left, r, w.spec, nthread) : cndRUN_DONE;
  LoopError first = {0, ""};
  loop_open(&w.loop);
  w.loop.n = r->nbatch;
  w.loop.chunk = r->chunk_size;
  w.loop.nslot = nthread;
  w.loop.error = &first;
  w.loop.nroom = 1;
  w.loop.item = simulate;
  w.loop.mend = mend;
  w.loop.argument = &w;
  w.loop.cancel = r->cancel;
  w.loop.cancel_argument = r->cancel_argument;
  run = run == cndRUN_DONE ? loop_run(&w.loop, pool) : run;
  loop_close(&w.loop);
  mju_free(w.userdata);
  mju_free(w.left);
  if (run == cndRUN_FAILED && error && error_sz > 0) {
    snprintf(error, (size_t)error_sz, "%s", first.message);
  }
  return run;
}
