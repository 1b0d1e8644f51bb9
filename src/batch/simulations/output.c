// output.c: mjb_output: which fields of mjData can be copied out, and doing it.

#include "batch/simulations/output.h"

#include <condyle/computed.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/step.h>
#include <stdint.h>
#include <string.h>

#include "base/memory/check.h"
#include "base/memory/memory.h"
#include "batch/fields.h"
#include "batch/simulations/check.h"

// Fields that the rows of state hold.
static int is_state(const char* name) {
  static const char* const names[] = {
      "time",           "qpos",         "qvel",         "act",        "history",
      "qacc_warmstart", "ctrl",         "plastic",      "eq_active",  "mocap_pos",
      "userdata",       "qfrc_applied", "xfrc_applied", "mocap_quat", "plugin_state"};
  for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
    if (!strcmp(names[k], name)) {
      return 1;
    }
  }
  return 0;
}

// A field of the table of mjData, NULL if there is none.
static const cndField* find_field(const char* name) {
  const cndField* field = NULL;
  for (int i = 0; (field = cnd_dataField(i)); i++) {
    if (!strcmp(field->name, name)) {
      return field;
    }
  }
  return NULL;
}

// An array that is computed on demand; numbers are not copied.
static const cndField* find_computed(const char* name) {
  const cndComputed* row = NULL;
  for (int i = 0; (row = cnd_computedField(i)); i++) {
    if (row->is_data && !strcmp(row->field.name, name)) {
      return strcmp(row->field.rows, "1") != 0 ? &row->field : NULL;
    }
  }
  return NULL;
}

int output_find(Output* out, const mjBatch* b, const char* name, int state) {
  const cndField* field = find_field(name);
  const mjData* d = b->persistent ? b->d[0] : b->slot[0].d;
  *out = (Output){0};
  if (!state && is_state(name)) {
    return 0;
  }
  if (field) {
    int is_plugin = !strcmp(name, "plugin") || !strcmp(name, "plugin_data");
    if (field->arena || field->hidden || strstr(field->type, "Stat") ||
        (fields_value(fields_of_thread, name, 0) && !is_plugin)) {
      return 0;
    }
    cnd_dataArray(&out->array, b->m, d, name);
    int is_count = !strcmp(field->rows, "1") && !strcmp(field->type, "int");
    out->is_result = !is_plugin && !is_count && !is_state(name);
  } else if (find_computed(name)) {
    cnd_computedArray(&out->array, b->m, d, name);
    out->is_computed = 1;
  } else {
    return 0;
  }
  out->bytes = out->array.rows * out->array.columns * out->array.field->size;
  out->array.data = NULL;
  return 1;
}

static char* place_of(const Output* output, const mjData* d) {
  const cndField* field = output->array.field;
  char* place = (char*)(uintptr_t)d + field->offset;
  if (field->pointer) {
    memcpy(&place, place, sizeof(char*));
  }
  return place;
}

void output_copy(char* to, const Output* output, const mjModel* m, const mjData* d) {
  if (output->is_computed) {
    cndArray array = {.data = to};
    cnd_computedArray(&array, m, d, output->array.field->name);
  } else if (output->bytes) {
    memcpy(to, place_of(output, d), output->bytes);
  }
}

void output_store(const mjBatch* b, const mjModel* m, const mjData* d, int sim) {
  for (int k = 0; k < b->noutput; k++) {
    const Output* output = b->output + k;
    output_copy((char*)output->array.data + (size_t)sim * output->bytes, output, m, d);
    output->is_known[sim] = 1;
  }
}

void output_load(const mjBatch* b, mjData* d, int sim) {
  for (int k = 0; k < b->noutput; k++) {
    const Output* output = b->output + k;
    const char* row = (char*)output->array.data + (size_t)sim * output->bytes;
    if (output->is_result && output->bytes) {
      memcpy(place_of(output, d), output->is_known[sim] ? row : output->fresh, output->bytes);
    }
  }
}

// Makes the rows of an output, with what the data of persistent simulations hold. Data that serve
// all hold nothing between calls, so they may be reset.
static void make_output_rows(mjBatch* b, Output* output) {
  size_t total, n = (size_t)b->nsim;
  int fits = size_multiply(&total, output->bytes, n + 1) && size_add(&total, total, n + 1) &&
             total <= PTRDIFF_MAX;
  char* rows = fits ? memory_take_zero(total) : NULL;
  if (!rows) {
    mju_error("mjb_output: %s of %d simulations: " MEMORY_OUT, output->array.field->name, b->nsim);
  }
  output->array.data = rows;
  output->fresh = rows + n * output->bytes;
  output->is_known = (mjtByte*)output->fresh + output->bytes;
  if (!b->persistent) {
    mj_resetData(b->m, b->slot[0].d);
    output_copy(output->fresh, output, b->m, b->slot[0].d);
  }
  for (int i = 0; b->persistent && i < b->nsim; i++) {
    const mjModel* m = b->models ? b->models[i] : b->m;
    output_copy(rows + (size_t)i * output->bytes, output, m, b->d[i]);
  }
}

typedef struct Asking_ {
  mjBatch* b;
  Output output;
} Asking;

// Gives an output its rows: those that it has, or new ones.
static void give_rows(void* argument) {
  Asking* a = argument;
  mjBatch* b = a->b;
  for (int k = 0; k < b->noutput; k++) {
    if (b->output[k].array.field == a->output.array.field) {
      a->output = b->output[k];
      return;
    }
  }
  make_output_rows(b, &a->output);
  b->output[b->noutput++] = a->output;
}

void* mjb_output(mjBatch* b, const char* name, int* size, int* elemsize) {
  sim_check("mjb_output", b);
  check_given(name);
  Asking a = {.b = b};
  if (!output_find(&a.output, b, name, 0)) {
    return NULL;
  }
  if (size) {
    *size = (int)(a.output.array.rows * a.output.array.columns);
  }
  if (elemsize) {
    *elemsize = (int)a.output.array.field->size;
  }
  sim_alone(b, give_rows, &a);
  return a.output.array.data;
}
