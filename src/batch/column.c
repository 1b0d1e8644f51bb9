// column.c: the state of all worlds, field by field, and copies of results.
//
// Between worlds all warning counters of a slot are zero. Those of a world are loaded only if it
// has any, so they cost nothing as long as there are no warnings.

#include "batch/column.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/memory/check.h"
#include "base/memory/memory.h"
#include "batch/fields.h"
#include "model/checks/pair.h"

enum {
  CONTROL = 7,           // ctrl in kState
  NCOUNTED = NSTATE - 2  // the first counter of warnings there
};

enum {
  INPUT,   // set by the user; a step leaves it, unless callbacks write it or the world is reset
  MOVES,   // changed by every step
  COUNTER  // of warnings
};

// The fields of the state, in the order of the bits of mjtState.
static const struct {
  const char* name;
  unsigned int bit;
  int kind;
} kState[NSTATE] = {
    {"time", mjSTATE_TIME, MOVES},
    {"qpos", mjSTATE_QPOS, MOVES},
    {"qvel", mjSTATE_QVEL, MOVES},
    {"act", mjSTATE_ACT, MOVES},
    {"history", mjSTATE_HISTORY, MOVES},
    {"qacc_warmstart", mjSTATE_WARMSTART, MOVES},
    {"cnd_memory", mjSTATE_WARMSTART, MOVES},
    [CONTROL] = {"ctrl", mjSTATE_CTRL, INPUT},
    {"qfrc_applied", mjSTATE_QFRC_APPLIED, INPUT},
    {"xfrc_applied", mjSTATE_XFRC_APPLIED, INPUT},
    {"eq_active", mjSTATE_EQ_ACTIVE, INPUT},
    {"mocap_pos", mjSTATE_MOCAP_POS, INPUT},
    {"mocap_quat", mjSTATE_MOCAP_QUAT, INPUT},
    {"userdata", mjSTATE_USERDATA, INPUT},
    {"plugin_state", mjSTATE_PLUGIN, MOVES},
    {"plastic", mjSTATE_PLASTIC, MOVES},
    {"warning", 0, COUNTER},
    {"cnd_warning", 0, COUNTER},
};

int column_make(Column* column, int n, const cndArray* array) {
  size_t count, total;
  if (!size_multiply(&count, array->rows, array->columns) ||
      !size_multiply(&column->bytes, count, array->field ? array->field->size : 1) ||
      !size_multiply(&total, column->bytes, (size_t)n) || total > PTRDIFF_MAX) {
    return 0;
  }
  column->data = total ? memory_take_zero(total) : NULL;
  column->array = *array;
  column->array.data = column->data;
  return !total || column->data;
}

// Lists the columns of a kind that aren't empty.
static void note_filled(cndBatch* batch, int kind) {
  for (int k = 0; k < NSTATE; k++) {
    if (batch->state[k].bytes && kState[k].kind == kind) {
      batch->filled[batch->nfilled++] = k;
    }
  }
}

int column_state(cndBatch* batch) {
  for (int k = 0; k < NSTATE; k++) {
    Column* column = batch->state + k;
    cndArray array;
    cnd_dataArray(&array, batch->m, batch->slot[0].d, kState[k].name);
    if (!column_make(column, batch->n, &array)) {
      return 0;
    }
    for (int i = 0; column->bytes && i < batch->n; i++) {
      memcpy(column->data + (size_t)i * column->bytes, array.data, column->bytes);
    }
    for (int s = 0; s < batch->nslot; s++) {
      cnd_dataArray(&array, batch->m, batch->slot[s].d, kState[k].name);
      batch->slot[s].place[k] = array.data;
    }
  }
  note_filled(batch, MOVES);
  batch->nmoving = batch->nfilled;
  note_filled(batch, INPUT);
  return 1;
}

static char* row_of(const Column* column, int world) {
  return column->data + (size_t)world * column->bytes;
}

// Copies the first and the last `part` bytes, which may overlap.
static inline void copy_ends(char* to, const char* from, size_t bytes, size_t part) {
  char first[32], last[32];
  memcpy(first, from, part);
  memcpy(last, from + bytes - part, part);
  memcpy(to, first, part);
  memcpy(to + bytes - part, last, part);
}

// Copies a row. Most are so short that a call of memcpy takes longer than the copy itself.
static inline void copy_row(char* to, const char* from, size_t bytes) {
  if (bytes < 8 || bytes > 64) {
    memcpy(to, from, bytes);
  } else if (bytes <= 16) {
    copy_ends(to, from, bytes, 8);
  } else if (bytes <= 32) {
    copy_ends(to, from, bytes, 16);
  } else {
    copy_ends(to, from, bytes, 32);
  }
}

static void load_row(const Column* column, char* place, int world) {
  copy_row(place, row_of(column, world), column->bytes);
}

static void store_row(const Column* column, const char* place, int world) {
  copy_row(row_of(column, world), place, column->bytes);
}

// Are there warnings in d?
static int has_warned(const mjData* d) {
  int number = 0;
  for (int i = 0; i < mjNWARNING; i++) {
    number |= d->warning[i].number;
  }
  for (int i = 0; i < (int)(sizeof(d->cnd_warning) / sizeof(d->cnd_warning[0])); i++) {
    number |= d->cnd_warning[i].number;
  }
  return number != 0;
}

void column_load(cndBatch* batch, Slot* slot, int world) {
  for (int f = 0; f < batch->nfilled; f++) {
    int k = batch->filled[f];
    load_row(batch->state + k, slot->place[k], world);
  }
  for (int k = NCOUNTED; batch->has_warned[world] && k < NSTATE; k++) {
    load_row(batch->state + k, slot->place[k], world);
  }

  // load results too: a call that doesn't compute one must leave the world's own value
  for (int k = 0; k < batch->noutput; k++) {
    const Column* column = batch->output + k;
    if (column->bytes) {
      load_row(column, slot->place[NSTATE + k], world);
    }
  }
}

void column_store(cndBatch* batch, Slot* slot, int world, BatchKeep keep) {
  mjtByte warned = (mjtByte)has_warned(slot->d);
  int counts = warned || batch->has_warned[world];
  int inputs = keep == KEEP_ALL || (keep == KEEP_STEP && warned);
  int nfilled = inputs ? batch->nfilled : keep >= KEEP_STEP ? batch->nmoving : 0;
  for (int f = 0; f < nfilled; f++) {
    int k = batch->filled[f];
    store_row(batch->state + k, slot->place[k], world);
  }
  for (int k = NCOUNTED; counts && k < NSTATE; k++) {
    store_row(batch->state + k, slot->place[k], world);
  }
  for (int k = 0; keep >= KEEP_STEP && k < batch->noutput; k++) {
    const Column* column = batch->output + k;
    if (column->bytes) {
      store_row(column, slot->place[NSTATE + k], world);
    }
  }
  if (warned) {
    memset(slot->d->warning, 0, sizeof(slot->d->warning));
    memset(slot->d->cnd_warning, 0, sizeof(slot->d->cnd_warning));
  }
  batch->has_warned[world] = warned;
}

void column_control(cndBatch* batch, const mjtByte* mask, const mjtNum* ctrl) {
  const Column* column = batch->state + CONTROL;
  const char* from = (const char*)ctrl;
  for (int i = 0; column->bytes && i < batch->n; i++) {
    if (!mask || mask[i]) {
      store_row(column, from + (size_t)i * column->bytes, i);
    }
  }
}

// the state as a vector

// Copies the parts of a state to a vector, or from it if `from` is not NULL.
static void transfer(const cndBatch* batch, int world, mjtNum* to, const mjtNum* from,
                     unsigned int sig) {
  size_t at = 0;
  for (int k = 0; k < NSTATE; k++) {
    const Column* column = batch->state + k;
    if (!(kState[k].bit & sig) || !column->bytes) {
      continue;
    }
    char* row = row_of(column, world);
    size_t count = column->array.rows * column->array.columns;
    if (kState[k].bit == mjSTATE_EQ_ACTIVE) {
      for (size_t e = 0; e < count; e++) {
        if (from) {
          ((mjtByte*)row)[e] = (mjtByte)from[at + e];
        } else {
          to[at + e] = (mjtNum)row[e];
        }
      }
    } else if (from) {
      memcpy(row, from + at, column->bytes);
    } else {
      memcpy(to + at, row, column->bytes);
    }
    at += count;
  }
}

static size_t state_size(const char* function, const mjModel* m, unsigned int sig) {
  if (sig >= 2u * mjSTATE_PLASTIC) {
    mju_error("%s: invalid state signature %u >= %u", function, sig, 2u * mjSTATE_PLASTIC);
  }
  return (size_t)mj_stateSize(m, sig);
}

void cnd_batchGetState(const cndBatch* batch, const mjtByte* mask, mjtNum* state,
                       unsigned int sig) {
  batch_check("cnd_batchGetState", batch);
  size_t size = state_size("cnd_batchGetState", batch->m, sig);
  check_arrays(size, state);
  for (int i = 0; i < batch->n; i++) {
    if (!mask || mask[i]) {
      transfer(batch, i, state + (size_t)i * size, NULL, sig);
    }
  }
}

void cnd_batchSetState(cndBatch* batch, const mjtByte* mask, const mjtNum* state,
                       unsigned int sig) {
  batch_check("cnd_batchSetState", batch);
  size_t size = state_size("cnd_batchSetState", batch->m, sig);
  check_arrays(size, state);
  for (int i = 0; size && i < batch->n; i++) {
    if (!mask || mask[i]) {
      transfer(batch, i, NULL, state + (size_t)i * size, sig);
    }
  }
}

// Copies all columns of the state of a world to or from data.
static void copy_data(const cndBatch* batch, int world, mjData* to, const mjData* from) {
  for (int k = 0; k < NSTATE; k++) {
    const Column* column = batch->state + k;
    cndArray array;
    cnd_dataArray(&array, batch->m, to ? to : from, kState[k].name);
    if (column->bytes && to) {
      memcpy(array.data, row_of(column, world), column->bytes);
    } else if (column->bytes) {
      memcpy(row_of(column, world), array.data, column->bytes);
    }
  }
}

void cnd_batchGetData(const cndBatch* batch, int world, mjData* d) {
  batch_check("cnd_batchGetData", batch);
  check_index("cnd_batchGetData", "world", world, batch->n);
  check_given(d);
  pair_compare("cnd_batchGetData", "d", batch->m, d);
  copy_data(batch, world, d, NULL);
}

void cnd_batchSetData(cndBatch* batch, int world, const mjData* d) {
  batch_check("cnd_batchSetData", batch);
  check_index("cnd_batchSetData", "world", world, batch->n);
  check_given(d);
  pair_compare("cnd_batchSetData", "d", batch->m, d);
  copy_data(batch, world, NULL, d);
  batch->has_warned[world] = (mjtByte)has_warned(d);
}

// results

static const Column* find(const cndBatch* batch, const char* name) {
  for (int k = 0; k < NSTATE; k++) {
    if (!strcmp(kState[k].name, name)) {
      return batch->state + k;
    }
  }
  for (int k = 0; k < batch->noutput; k++) {
    if (!strcmp(batch->output[k].array.field->name, name)) {
      return batch->output + k;
    }
  }
  return NULL;
}

void cnd_batchExpose(cndArray* array, cndBatch* batch, const char* name) {
  check_given(array, name);
  batch_check("cnd_batchExpose", batch);
  const Column* found = find(batch, name);
  if (found) {
    *array = found->array;
    return;
  }
  cndArray shape;
  if (!cnd_dataArray(&shape, batch->m, batch->slot[0].d, name)) {
    mju_error("cnd_batchExpose: mjData has no field '%s'", name);
    return;
  }
  if (shape.field->arena) {
    mju_error("cnd_batchExpose: %s is in the arena: its rows come and go", name);
    return;
  }
  if (fields_value(fields_of_thread, name, 0)) {
    mju_error("cnd_batchExpose: %s belongs to the memory of a thread, not to a world", name);
    return;
  }
  Column* column = batch->output + batch->noutput;
  if (!column_make(column, batch->n, &shape)) {
    mju_error("cnd_batchExpose: %s of %d worlds: " MEMORY_OUT, name, batch->n);
    return;
  }
  for (int i = 0; shape.field->since && column->bytes && i < batch->n; i++) {
    memcpy(row_of(column, i), shape.data, column->bytes);  // not 0 where its feature isn't used
  }
  for (int s = 0; s < batch->nslot; s++) {
    cnd_dataArray(&shape, batch->m, batch->slot[s].d, name);
    batch->slot[s].place[NSTATE + batch->noutput] = shape.data;
  }
  batch->noutput++;
  *array = column->array;
}
