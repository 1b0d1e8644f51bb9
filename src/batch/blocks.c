// blocks.c: distributes worlds over lanes, and finds the worlds that lanes leave to mj_step.

#include "batch/blocks.h"

#include <condyle/error.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/step.h>
#include <string.h>
#include <time.h>

#include "base/algebra/vec.h"
#include "base/memory/check.h"
#include "base/memory/memory.h"
#include "batch/fields.h"
#include "batch/parameter.h"
#include "lanes/choice.h"
#include "lanes/setup/kept.h"
#include "lanes/setup/why.h"

// Columns of the state, in their order.
enum {
  TIME,
  QPOS,
  QVEL,
  ACT,
  WARM = 5,  // behind the history
  CTRL = 7,  // behind what contacts remember
  APPLIED,
  XFRC,
  ACTIVE,
  MOCAP_POS,
  MOCAP_QUAT
};

enum {
  LEFT_LAST = 1,  // the last step of a call, for results that lanes don't compute
  LEFT_ALL,       // all steps
  LEFT_RESTING    // all steps, which lanes have not begun
};

// Where lanes don't pay, unless they are asked for.
enum {
  REST_CALLS = 15,  // for which a world goes one by one that they have left
  REST_ALL = 63,    // for which all worlds do, if lanes are of no use to the solver
  FEWEST_SHARE = 2  // fewer worlds than lanes divided by this go one by one
};

// Calls of a measurement: one in lanes that makes ready, one in lanes, one world by world; after
// the last of this many it is made again.
enum {
  TRIAL_LANES = 1,
  TRIAL_ALONE,
  TRIAL_LAST = 1000
};

enum {
  MOST_WAYS = 1 << 24  // numbers that are kept for worlds beside their state
};

// When sensors are read.
enum {
  SENSES_LAST = 1,  // in the last step, whose readings are kept
  SENSES_ALWAYS     // in all steps, which are recorded
};

// Results that lanes compute.
static const char* const kField[NLANEFIELD] = {[LANE_QM] = "qM",
#define NAME(field, name, from, n) [LANE_##field] = #name,
                                               LANE_FIELDS(NAME)
#undef NAME
};

// Why the readings of sensors come from the scalar engine; NULL if lanes compute them.
static const char* why_sensing(const cndBatch* batch) {
  const char* why = batch->lanes.structure->why_sensors;
  const int* senses = batch->lanes.structure->senses;
  return why[0] ? why
         : batch->nparameter && (senses[NEEDS_POSES] || senses[NEEDS_CONTACTS])
             ? "parameters vary, and a sensor is read world by world by the shared model"
         : batch->m->opt.disableflags & mjDSBL_SENSOR ? "sensors are switched off"
                                                      : NULL;
}

static int field_of(const cndBatch* batch, const char* name) {
  for (int k = 0; k < NLANEFIELD; k++) {
    if (!strcmp(kField[k], name)) {
      return k == LANE_SENSORS && why_sensing(batch) ? NLANEFIELD : k;
    }
  }
  return NLANEFIELD;
}

// making

enum {
  USED = 8  // of the slots of a large model so many are there for one that is ever used
};

void blocks_free(cndBatch* batch) {
  Blocks* b = &batch->lanes;
  for (int s = 0; b->room && s < batch->nslot; s++) {
    mju_free(b->room[s]);
  }
  mju_free(b->room);
  mju_free(b->work);
  mju_free(b->left);
  mju_free(b->rest);
  mju_free(b->unsolved);
  mju_free(b->way);
  mju_free(b->list);
  mju_free(b->touches);
  mju_free(b->order);
  mju_free(b->like);
  structure_kept_free(b->kept);
  structure_free(b->structure);
  b->room = NULL;
  b->work = NULL;
  b->left = NULL;
  b->rest = NULL;
  b->unsolved = NULL;
  b->way = NULL;
  b->list = NULL;
  b->touches = NULL;
  b->order = NULL;
  b->like = NULL;
  b->kept = NULL;
  b->structure = NULL;
  b->variant = NULL;
}

int blocks_make(cndBatch* batch) {
  Blocks* b = &batch->lanes;
  blocks_free(batch);
  if (b->choice == cndLANES_OFF) {
    return 1;
  }
  b->structure = structure_make(batch->m);
  if (!b->structure || b->structure->why[0]) {
    return b->structure != NULL;
  }
  b->varied = batch->nparameter > 0;
  b->variant = lanes_variant(b->set, b->choice == cndLANES_SINGLE, b->varied);
  if (!structure_hulls(b->structure)) {
    return 0;
  }
  size_t bytes = b->variant->size(b->structure);
  b->room = memory_take_zero((size_t)batch->nslot * sizeof(void*));
  b->work = memory_take_zero((size_t)batch->nslot * sizeof(void*));
  b->left = memory_take_zero((size_t)batch->n);
  b->rest = memory_take_zero((size_t)batch->n);
  b->unsolved = memory_take_zero((size_t)batch->n);
  b->rest_all = b->trial.call = 0;
  b->before = b->count = (LaneCount){0};
  b->order = memory_take_zero((size_t)batch->n * sizeof(int));
  b->like = memory_take_zero((size_t)batch->n);
  b->kept = structure_kept_make(batch->m);
  size_t ways = (size_t)batch->n * (size_t)b->structure->nway;
  b->way = ways && ways <= MOST_WAYS ? memory_take_zero(ways * sizeof(float)) : NULL;
  size_t words = (size_t)batch->n * (size_t)b->structure->list_words;
  b->list = words && words <= MOST_WAYS ? memory_take_zero(words * sizeof(uint64_t)) : NULL;
  size_t touches = (size_t)batch->n * touches_bytes(b->structure);
  b->touches = touches && touches <= MOST_WAYS * sizeof(float) ? memory_take_zero(touches) : NULL;
  int fits =
      b->room && b->work && b->left && b->rest && b->unsolved && b->order && b->like && b->kept;
  for (int s = 0; fits && s < batch->nslot; s++) {
    b->room[s] = memory_take_sparse(bytes + MEMORY_ALIGN, bytes / USED);
    fits = b->room[s] != NULL;
    batch->slot[s].lane_model = 0;
    if (fits) {
      b->work[s] = (char*)b->room[s] + (MEMORY_ALIGN - (uintptr_t)b->room[s] % MEMORY_ALIGN);
      b->variant->make(b->work[s], b->structure, batch->slot[s].d);
    }
  }
  return fits;
}

// Whether a world has a number at an element of a varying field that is 0 in the model.
static int grows_from_zero(const cndBatch* batch, const cndArray* varied, const cndArray* own) {
  const mjtNum *model = own->data, *world = varied->data;
  size_t n = own->rows * own->columns;
  for (int w = 0; w < batch->n; w++, world += n) {
    for (size_t i = 0; i < n; i++) {
      if (model[i] == 0 && world[i] != 0) {
        return 1;
      }
    }
  }
  return 0;
}

// Why parameters keep the worlds out of lanes: because lanes can't vary one of them, or can't where
// the model's own value is 0.
static const char* why_varied(const cndBatch* batch) {
  for (int p = 0; p < batch->nparameter; p++) {
    const cndArray* column = &batch->parameter[p].column.array;
    if (!column->field) {
      continue;
    }
    int place = fields_value(fields_lanes, column->field->name, LANES_ANY);
    if (place == LANES_NEVER) {
      return "a parameter varies that lanes don't know";
    }
    cndArray own = {0};
    if (place == LANES_WHERE_NOT_0) {
      cnd_modelArray(&own, batch->m, column->field->name);
      if (grows_from_zero(batch, column, &own)) {
        return "friction, stiffness, damping or armature varies where the model has none";
      }
    }
  }
  return NULL;
}

// Whether lanes are taken only where they pay.
static int is_choosing(const Blocks* b) {
  return b->choice == cndLANES_AUTO || b->choice == cndLANES_MEASURED;
}

// The reason why no step is made in lanes. same: the model is what it was when one was made last.
static const char* why_stepping(const cndBatch* batch, int same) {
  const Blocks* b = &batch->lanes;
  if (b->choice == cndLANES_OFF) {
    return "lanes are switched off";
  }
  const char* varied = why_varied(batch);
  if (varied) {
    return varied;
  }
  if (!same && structure_is_stale(b->structure)) {
    return "ids, types or flags of the model have changed since the batch was made";
  }
  if (b->structure->filters == !!(batch->m->opt.disableflags & mjDSBL_FILTERPARENT)) {
    return "the flag filterparent has changed since the batch was made";
  }
  if (b->structure->why[0]) {
    return b->structure->why;
  }
  const mjOption* o = &batch->m->opt;
  if ((o->solver == mjSOL_PGS || o->noslip_iterations > 0) && !b->structure->fits_dual) {
    return "PGS or NoSlip has too many rows to gain from lanes";
  }
  const char* options = why_options(batch->m, b->minimum);
  int is_small = is_choosing(b) && FEWEST_SHARE * batch->n < b->variant->lanes;
  return options ? options : is_small ? "worlds are too few to fill lanes" : NULL;
}

// Looks up the exposed results among those that lanes compute, once per call.
static void find_fields(cndBatch* batch) {
  for (int k = 0; k < batch->noutput; k++) {
    batch->output[k].lane_field = field_of(batch, batch->output[k].array.field->name);
  }
}

// Whether an exposed result has to come from the scalar engine. What only mj_rnePostConstraint
// computes stays as it is unless it was asked for.
static int needs_last(const cndBatch* batch) {
  for (int k = 0; k < batch->noutput; k++) {
    int field = field_of(batch, batch->output[k].array.field->name);
    int has = field < LANE_CACC || (batch->body_forces && field < NLANEFIELD);
    if (batch->output[k].bytes && !has) {
      return 1;
    }
  }
  return batch->body_forces && coupled_bodies(batch->m);
}

static int keeps_sensors(const cndBatch* batch) {
  for (int k = 0; k < batch->noutput; k++) {
    const Column* column = batch->output + k;
    if (column->bytes && !strcmp(column->array.field->name, kField[LANE_SENSORS])) {
      return 1;
    }
  }
  return 0;
}

int cnd_batchLanes(cndBatch* batch, cndtLanes choice) {
  batch_check("cnd_batchLanes", batch);
  if (choice < cndLANES_OFF || choice > cndLANES_MEASURED) {
    mju_error("cnd_batchLanes: choice is %d, must be one of cndtLanes", (int)choice);
  }
  const LaneStructure* s = batch->lanes.structure;
  if (choice != batch->lanes.choice || (s && structure_is_stale(s))) {
    batch->lanes.choice = choice;
    if (!blocks_make(batch)) {
      mju_error("cnd_batchLanes: " MEMORY_OUT);
    }
  }
  return why_stepping(batch, 0) ? 0 : batch->lanes.variant->lanes;
}

void cnd_batchMinimum(cndBatch* batch, int on) {
  batch_check("cnd_batchMinimum", batch);
  batch->lanes.minimum = on != 0;
}

// Whether the clock was for going one by one.
static int is_slower(const Trial* trial) {
  return trial->call > TRIAL_ALONE && trial->time[1] < trial->time[0];
}

// Whether most worlds go one by one although lanes are there.
static int rests(const cndBatch* batch) {
  int n = 0;
  for (int i = 0; batch->lanes.rest && i < batch->n; i++) {
    n += batch->lanes.rest[i] > 0;
  }
  return 2 * n > batch->n;
}

const char* cnd_batchWhy(const cndBatch* batch) {
  check_given(batch);
  const char* why = why_stepping(batch, 0);
  if (!why && batch->lanes.choice == cndLANES_MEASURED && is_slower(&batch->lanes.trial)) {
    return "a measurement has found one by one quicker";
  }
  if (!why && batch->lanes.rest_all) {
    return "worlds go one by one for a while: they differ so much that lanes were hardly used";
  }
  if (!why && rests(batch)) {
    return "most worlds go one by one for a while, because lanes had to leave them to mj_step";
  }
  if (why || !needs_last(batch)) {
    return why;
  }
  why = keeps_sensors(batch) ? why_sensing(batch) : NULL;
  return why ? why : "a result is kept that lanes don't compute";
}

int cnd_batchLeft(const cndBatch* batch) {
  batch_check("cnd_batchLeft", batch);
  const Blocks* b = &batch->lanes;
  int n = 0;
  for (int i = 0; b->runs && i < batch->n; i++) {
    n += b->left[i] == LEFT_ALL;
  }
  return n;
}

// a block

static LaneRow row_of(const cndBatch* batch, int world) {
  void* at[MOCAP_QUAT + 1];
  for (int k = 0; k <= MOCAP_QUAT; k++) {
    at[k] = batch->state[k].data + (size_t)world * batch->state[k].bytes;
  }
  const Blocks* b = &batch->lanes;
  float* way = b->way ? b->way + (size_t)world * (size_t)b->structure->nway : NULL;
  // what differs from world to world may have changed since the list was made
  int lists = b->list && !batch->nparameter;
  uint64_t* list = lists ? b->list + (size_t)world * (size_t)b->structure->list_words : NULL;
  void* touches = b->touches && !batch->nparameter
                      ? b->touches + (size_t)world * touches_bytes(b->structure)
                      : NULL;
  return (LaneRow){at[TIME],       at[QPOS],    at[QVEL], at[ACT],    at[WARM],
                   at[CTRL],       at[APPLIED], at[XFRC], at[ACTIVE], at[MOCAP_POS],
                   at[MOCAP_QUAT], way,         list,     touches};
}

// The parameters of one lane's world. Bad values leave the world to the second loop, which reports
// them.
typedef struct Entry_ {
  cndBatch* batch;
  Slot* slot;
  int world;
  const mjModel* m;
} Entry;

static void enter(void* argument) {
  Entry* e = argument;
  e->m = parameter_enter(e->batch, e->slot, e->world);
}

static void set_constants(cndBatch* batch, Slot* slot, Work* work, const int* world, int n) {
  const Blocks* b = &batch->lanes;
  int lanes = b->variant->lanes;
  if (!batch->nparameter) {
    if (slot->lane_model != b->model) {
      b->variant->constants(work, 0, batch->m);
      slot->lane_model = b->model;
    }
    return;
  }
  for (int l = 0; l < lanes; l++) {
    Entry entry = {batch, slot, world[int_min(l, n - 1)], NULL};
    int failed = cnd_try(enter, &entry, NULL, 0);
    if (failed) {
      b->left[entry.world] = LEFT_ALL;
    }
    b->variant->constants(work, l, failed ? batch->m : entry.m);
  }
}

static void store_results(cndBatch* batch, const void* work, int lane, int world) {
  for (int k = 0; k < batch->noutput; k++) {
    const Column* column = batch->output + k;
    if (column->bytes && column->lane_field < NLANEFIELD) {
      char* to = column->data + (size_t)world * column->bytes;
      LaneField field = (LaneField)column->lane_field;
      batch->lanes.variant->read(work, lane, field, (mjtNum*)(void*)to);
    }
  }
}

// Records the state after a step of a rollout.
static void record(cndBatch* batch, const void* work, int lane, int world, int t) {
  const BatchCall* call = &batch->call;
  const mjModel* m = batch->m;
  if (call->state) {
    size_t size = 1 + (size_t)m->nq + (size_t)m->nv + (size_t)m->na;
    mjtNum* to = call->state + ((size_t)world * (size_t)call->nstep + (size_t)t) * size;
    LaneRow row = {.time = to, .qpos = to + 1, .qvel = to + 1 + m->nq};
    row.act = row.qvel + m->nv;
    batch->lanes.variant->store(work, lane, &row);
  }
  if (batch->lanes.senses == SENSES_ALWAYS) {
    size_t row = (size_t)world * (size_t)call->nstep + (size_t)t;
    mjtNum* to = call->sensordata + row * (size_t)m->nsensordata;
    batch->lanes.variant->read(work, lane, LANE_SENSORS, to);
  }
}

static void set_controls(cndBatch* batch, void* work, const int* world, int n, int t) {
  const BatchCall* call = &batch->call;
  size_t nu = (size_t)batch->m->nu;
  for (int l = 0; call->control && l < batch->lanes.variant->lanes; l++) {
    size_t row = (size_t)world[int_min(l, n - 1)] * (size_t)call->nstep + (size_t)t;
    batch->lanes.variant->ctrl(work, l, call->control + row * nu);
  }
}

static void store_controls(cndBatch* batch, int world) {
  const BatchCall* call = &batch->call;
  const Column* ctrl = batch->state + CTRL;
  if (call->control && call->nstep && ctrl->bytes) {
    size_t row = (size_t)world * (size_t)call->nstep + (size_t)(call->nstep - 1);
    memcpy(ctrl->data + (size_t)world * ctrl->bytes, call->control + row * (size_t)batch->m->nu,
           ctrl->bytes);
  }
}

// The n worlds of a block, and the thread that works on it.
typedef struct Block_ {
  cndBatch* batch;
  int slot, n;
  const int* world;
} Block;

static void load_block(const Block* block, void* work) {
  const LaneVariant* variant = block->batch->lanes.variant;
  for (int l = 0; l < variant->lanes; l++) {
    LaneRow row = row_of(block->batch, block->world[int_min(l, block->n - 1)]);
    variant->load(work, l, &row);
  }
  variant->failed(work);
}

static void store_block(const Block* block, void* work) {
  cndBatch* batch = block->batch;
  Blocks* b = &batch->lanes;
  if (batch->body_forces) {
    b->variant->body_forces(work);
  }
  unsigned unsolved = b->variant->unsolved(work), failed = b->variant->failed(work);
  for (int l = 0; l < block->n; l++) {
    int world = block->world[l];
    b->unsolved[world] = unsolved >> l & 1;
    if (failed >> l & 1 || b->left[world] == LEFT_ALL) {
      b->left[world] = LEFT_ALL;
      continue;
    }
    b->left[world] = b->last ? LEFT_LAST : 0;
    b->like[world] = (mjtByte)b->variant->likeness(work, l);
    LaneRow row = row_of(batch, world);
    b->variant->store(work, l, &row);
    store_results(batch, work, l, world);
    store_controls(batch, world);
  }
}

static void step_block(void* argument) {
  const Block* block = argument;
  cndBatch* batch = block->batch;
  Blocks* b = &batch->lanes;
  Slot* slot = batch->slot + block->slot;
  void* work = b->work[block->slot];
  set_constants(batch, slot, work, block->world, block->n);
  load_block(block, work);
  for (int t = 0; t < b->nstep; t++) {
    if (loop_givenup(&batch->loop, 0, block->slot)) {
      return;
    }
    set_controls(batch, work, block->world, block->n, t);
    b->variant->step(work, b->senses == SENSES_ALWAYS || (b->senses && t + 1 == b->nstep));
    for (int l = 0; l < block->n; l++) {
      record(batch, work, l, block->world[l], t);
    }
  }
  store_block(block, work);
}

// Runs a block. An error may come from any of its worlds, so it leaves all of them to the second
// loop.
static void run_block(void* argument, int item, int slot) {
  cndBatch* batch = argument;
  Blocks* b = &batch->lanes;
  int lanes = b->variant->lanes, n = int_min(lanes, b->norder - item * lanes);
  Block block = {batch, slot, n, b->order + item * lanes};
  double begin = blocks_clock(batch);
  if (cnd_try(step_block, &block, NULL, 0)) {
    mj_resetData(batch->m, batch->slot[slot].d);
    for (int l = 0; l < n; l++) {
      b->left[block.world[l]] = LEFT_ALL;
    }
  }
  batch->slot[slot].spent += blocks_clock(batch) - begin;
}

// a call

// Leaves out worlds that rest, and orders the others so that those with the same parts in contact
// are neighbours: whatever one lane of a block has to compute costs as much as if all lanes had it.
// The order changes no result.
static void order_worlds(cndBatch* batch) {
  enum {
    KINDS = 1 << 8
  };
  Blocks* b = &batch->lanes;
  int place[KINDS + 1] = {0};
  for (int i = 0; i < batch->n; i++) {
    int runs = batch->mask[i] != 0, resting = runs && b->rest[i];
    b->rest[i] = (mjtByte)(b->rest[i] - resting);
    b->unsolved[i] = 0;
    b->left[i] = resting ? LEFT_RESTING : 0;
    place[b->like[i] + 1] += runs && !resting;
  }
  for (int k = 0; k < KINDS; k++) {
    place[k + 1] += place[k];
  }
  b->norder = place[KINDS];
  for (int i = 0; i < batch->n; i++) {
    if (batch->mask[i] && !b->left[i]) {
      b->order[place[b->like[i]]++] = i;
    }
  }
}

double blocks_clock(const cndBatch* batch) {
#ifdef CLOCK_THREAD_CPUTIME_ID
  const clockid_t clock = CLOCK_THREAD_CPUTIME_ID;
#else
  const clockid_t clock = CLOCK_MONOTONIC;
#endif
  if (!batch->lanes.trial.timed) {
    return 0;
  }
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Whether all worlds of a call that lanes could take go one by one: to be timed, because that was
// quicker, or because lanes were hardly used.
static int goes_alone(cndBatch* batch) {
  Blocks* b = &batch->lanes;
  Trial* trial = &b->trial;
  if (b->rest_all) {
    b->rest_all--;
    return 1;
  }
  if (b->choice != cndLANES_MEASURED) {
    return 0;
  }
  int call = trial->call;
  trial->timed = call == TRIAL_LANES || call == TRIAL_ALONE;
  int alone = call == TRIAL_ALONE || is_slower(trial);
  trial->call = call < TRIAL_LAST ? call + 1 : 0;
  trial->steps = 0;
  for (int i = 0; i < batch->n; i++) {
    trial->steps += batch->mask[i] ? batch->call.nstep : 0;
  }
  for (int s = 0; s < batch->nslot; s++) {
    batch->slot[s].spent = 0;
  }
  return alone;
}

void blocks_start(cndBatch* batch) {
  Blocks* b = &batch->lanes;
  if (b->variant && b->varied != (batch->nparameter > 0) && !blocks_make(batch)) {
    mju_error("cnd_batchStep: " MEMORY_OUT);
  }
  b->runs = 0;
  int same = b->variant && structure_kept_is_same(b->kept, batch->m);
  if (why_stepping(batch, same)) {
    return;
  }
  if (!same || b->structure->minimum != b->minimum) {
    b->structure->minimum = b->minimum;
    structure_kept_take(b->kept, batch->m);
    b->model++;
    for (int i = 0; b->list && i < batch->n; i++) {
      b->list[(size_t)i * (size_t)b->structure->list_words] = 0;
    }
    if (b->touches) {
      memset(b->touches, 0, (size_t)batch->n * touches_bytes(b->structure));
    }
  }
  find_fields(batch);
  int last = needs_last(batch), nstep = batch->call.nstep - last;
  int recorded = batch->call.control || batch->call.state;
  int senses = batch->call.sensordata && batch->m->nsensordata, can_sense = !why_sensing(batch);
  if (nstep < 1 || (senses && !can_sense) || (recorded && last)) {
    return;
  }
  if (goes_alone(batch)) {
    return;
  }
  b->senses = senses ? SENSES_ALWAYS : can_sense && keeps_sensors(batch) ? SENSES_LAST : 0;
  b->runs = 1;
  b->nstep = nstep;
  b->last = last;
  order_worlds(batch);
  Loop* loop = &batch->loop;
  loop->n = (b->norder + b->variant->lanes - 1) / b->variant->lanes;
  loop->item = run_block;
}

int blocks_left(cndBatch* batch, int cancelled) {
  Blocks* b = &batch->lanes;
  int some = 0;
  for (int i = 0; b->runs && i < batch->n; i++) {
    if (b->left[i] == LEFT_ALL && is_choosing(b)) {
      b->rest[i] = REST_CALLS;
    }
    batch->mask[i] = b->left[i] == LEFT_LAST || (b->left[i] && !cancelled);
    some |= batch->mask[i];
  }
  return some;
}

static double share(int64_t part, int64_t whole) {
  return whole ? (double)part / (double)whole : 1;
}

// Two iterations of the solver cost about as much as the rest of a step. In lanes a block makes as
// many as its slowest world and visits the contacts of all, of which the share u is of use:
//
//   gain = 3/2 lanes (1 + k u / 2) / (1 + k / 2)         k: iterations of a block in a step
//
// 3/2: code in lanes is straight. Colliders cost the same both ways: they make no loss of a gain.
double blocks_gain(const LaneCount* count, int lanes) {
  double useful = share(count->live, count->iterations) * share(count->used, count->slots);
  double half = count->steps ? (double)count->iterations / (double)count->steps / 2 : 0;
  return 1.5 * lanes * (1 + half * useful) / (1 + half);
}

// What the threads have counted in this call. It is the same for any number of threads, because
// blocks are.
static void take_counts(Blocks* b, int nslot) {
  LaneCount sum = {0};
  for (int s = 0; s < nslot; s++) {
    LaneCount own = b->variant->count(b->work[s]);
#define ADD(name) sum.name += own.name;
    LANE_COUNTS(ADD)
#undef ADD
  }
#define SUBTRACT(name) b->count.name = sum.name - b->before.name;
  LANE_COUNTS(SUBTRACT)
#undef SUBTRACT
  b->before = sum;
}

void blocks_end(cndBatch* batch, int cancelled) {
  Blocks* b = &batch->lanes;
  Trial* trial = &b->trial;
  b->count = (LaneCount){0};
  if (b->runs) {
    take_counts(b, batch->nslot);
    int loses = blocks_gain(&b->count, b->variant->lanes) < 1;
    b->rest_all = b->choice == cndLANES_AUTO && loses ? REST_ALL : 0;
  }
  if (trial->timed && cancelled) {
    trial->call = 0;
  } else if (trial->timed && trial->steps > 0) {
    double sum = 0;
    for (int s = 0; s < batch->nslot; s++) {
      sum += batch->slot[s].spent;
    }
    trial->time[!b->runs] = sum / trial->steps;
  }
  trial->timed = 0;
}

void cnd_batchStats(cndBatchStats* stats, const cndBatch* batch) {
  check_given(stats);
  batch_check("cnd_batchStats", batch);
  const Blocks* b = &batch->lanes;
  *stats = (cndBatchStats){.filled = 1, .solving = 1, .touching = 1};
  if (!b->runs) {
    return;
  }
  for (int i = 0; i < batch->n; i++) {
    stats->left += b->left[i] == LEFT_ALL;
    stats->alone += b->left[i] == LEFT_RESTING;
    stats->unsolved += b->unsolved[i];
  }
  int lanes = b->variant->lanes, blocks = (b->norder + lanes - 1) / lanes;
  stats->lanes = b->norder - stats->left;
  stats->filled = share(b->norder, (int64_t)blocks * lanes);
  stats->solving = share(b->count.live, b->count.iterations);
  stats->touching = share(b->count.used, b->count.slots);
  if (b->count.steps) {
    stats->iterations = (double)b->count.iterations / (double)b->count.steps;
    stats->colliders = (double)b->count.asked / (double)b->count.steps;
  }
}

int blocks_steps(const cndBatch* batch, int world) {
  const Blocks* b = &batch->lanes;
  return b->runs && b->left[world] == LEFT_LAST ? 1 : batch->call.nstep;
}
