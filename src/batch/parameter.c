// parameter.c: which fields of mjModel may vary, what their values must satisfy, and the derived
// fields (flags of coinciding frames, boxes of bodies, margins). These are computed again when a
// world is entered, so that no shortcut of the compiled model hides a change.

#include "batch/parameter.h"

#include <mujoco/api/base.h>
#include <mujoco/api/derive.h>
#include <mujoco/api/model.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "base/memory/check.h"
#include "base/memory/memory.h"
#include "batch/column.h"
#include "batch/fields.h"
#include "compile/derive/derive.h"
#include "model/reach.h"

// Real numbers that can't vary, by the beginnings of their names.
static const struct {
  const char *begin, *reason;
} kFixed[] = {
    {"geom_size", "boxes and spheres around shapes are compiled from it"},
    {"geom_aabb", "it follows from the shape, which all worlds share"},
    {"geom_rbound", "it follows from the shape, which all worlds share"},
    {"body_margin", "it follows from geom_margin, which may vary"},
    {"bvh_", "it follows from the shapes, which all worlds share"},
    {"oct_", "it follows from the shapes, which all worlds share"},
    {"mesh_", "assets are shared by all worlds"},
    {"hfield_", "of height fields only hfield_data may vary: boxes around them are compiled"},
    {"flex_vert", "the shape of a flex is compiled"},
    {"flex_node", "the shape of a flex is compiled"},
    {"wrap_prm", "it holds ids of sites, too"},
    {"key_", "keyframes are for all worlds: set the state of a world instead"},
    {"cam_", "only drawing depends on it"},
    {"tendon_width", "only drawing depends on it"},
    {"light_", "only drawing depends on it"},
};

static const char* reason_of(const cndField* field, int is_option) {
  int is_number = !strcmp(field->type, "mjtNum");
  if (!is_number && strcmp(field->type, "float") != 0) {
    if (is_option) {
      return "it is a choice, a count or a flag, in which all worlds are alike";
    }
    return field->pointer ? "it is an id, an address, a type, a flag or a text: the structure that "
                            "all worlds share"
                          : "it is a size: all worlds have the same";
  }
  for (size_t k = 0; k < sizeof(kFixed) / sizeof(kFixed[0]); k++) {
    if (!strncmp(field->name, kFixed[k].begin, strlen(kFixed[k].begin))) {
      return kFixed[k].reason;
    }
  }
  return is_number ? "no step depends on it" : "only drawing depends on it";
}

// The rule of a field; RULE_NONE if it may not vary.
static ParameterRule rule_of(const char* name) {
  return (ParameterRule)fields_value(fields_rules, name, RULE_NONE);
}

// Finds a field by name among arrays, options and sizes. Returns NULL if there is none.
static const cndField* find_field(int* is_option, const char* name) {
  const cndField* field = NULL;
  const char* option = strncmp(name, "opt.", 4) ? name : name + 4;
  *is_option = 0;
  for (int i = 0; option == name && (field = cnd_modelField(i)); i++) {
    if (!strcmp(field->name, name)) {
      return field;
    }
  }
  for (int i = 0; option == name && (field = cnd_sizeField(i)); i++) {
    if (!strcmp(field->name, name)) {
      return field;
    }
  }
  *is_option = 1;
  for (int i = 0; (field = cnd_optionField(i)); i++) {
    if (!strcmp(field->name, option)) {
      return field;
    }
  }
  return NULL;
}

const char* cnd_batchFixed(const char* name) {
  check_given(name);
  int is_option;
  const cndField* field = find_field(&is_option, name);
  if (!field) {
    return "mjModel has no such field";
  }
  return rule_of(field->name) == RULE_NONE ? reason_of(field, is_option) : NULL;
}

// making

// A copy of an array, in the memory `had` unless it is NULL. If memory is out, returns NULL and
// sets *fits to 0.
static void* copy_of(int* fits, void* had, const void* array, size_t bytes) {
  void* copy = had ? had : memory_take(bytes + 1);
  *fits &= copy != NULL;
  if (copy && !had && bytes) {
    memcpy(copy, array, bytes);
  }
  return copy;
}

// Gives each slot the memory for a model of its own and what follows from parameters.
static int make_slots(cndBatch* batch, int what) {
  const mjModel* m = batch->m;
  int fits = 1, frames = what & (FOLLOW_BODY | FOLLOW_GEOM | FOLLOW_SITE);
  for (int s = 0; s < batch->nslot; s++) {
    Slot* slot = batch->slot + s;
    slot->own = copy_of(&fits, slot->own, m, sizeof(mjModel));
    slot->simple = copy_of(&fits, slot->simple, m->body_simple, (size_t)m->nbody);
    if (frames) {
      slot->body_frame = copy_of(&fits, slot->body_frame, m->body_sameframe, (size_t)m->nbody);
      slot->geom_frame = copy_of(&fits, slot->geom_frame, m->geom_sameframe, (size_t)m->ngeom);
      slot->site_frame = copy_of(&fits, slot->site_frame, m->site_sameframe, (size_t)m->nsite);
    }
    if (what & (FOLLOW_BODY | FOLLOW_GEOM)) {
      slot->box =
          copy_of(&fits, slot->box, m->bvh_aabb, (size_t)m->nbvhstatic * 6 * sizeof(mjtNum));
    }
    if (what & FOLLOW_MARGIN) {
      slot->margin =
          copy_of(&fits, slot->margin, m->body_margin, (size_t)m->nbody * sizeof(mjtNum));
    }
  }
  return fits;
}

void parameter_free(cndBatch* batch) {
  for (int p = 0; p < batch->nparameter; p++) {
    mju_free(batch->parameter[p].column.data);
  }
  for (int s = 0; batch->slot && s < batch->nslot; s++) {
    Slot* slot = batch->slot + s;
    void* blocks[] = {slot->own,    slot->body_frame, slot->geom_frame, slot->site_frame,
                      slot->simple, slot->margin,     slot->box,        slot->scratch};
    for (size_t k = 0; k < sizeof(blocks) / sizeof(blocks[0]); k++) {
      mju_free(blocks[k]);
    }
  }
}

// Adds a parameter with the model's values in every row. Returns it, NULL if memory is out.
static Parameter* add(cndBatch* batch, const cndArray* array, size_t offset, int pointer,
                      ParameterRule rule, int what) {
  Parameter* p = batch->parameter + batch->nparameter;
  if (batch->nparameter == MAX_PARAMETERS || !make_slots(batch, what) ||
      !column_make(&p->column, batch->n, array)) {
    return NULL;
  }
  p->offset = offset;
  p->pointer = pointer;
  p->rule = rule;
  for (int i = 0; p->column.bytes && i < batch->n; i++) {
    memcpy(p->column.data + (size_t)i * p->column.bytes, array->data, p->column.bytes);
  }
  batch->nparameter++;
  batch->follows |= what;
  return p;
}

static Parameter* find(cndBatch* batch, const cndField* field) {
  for (int p = 0; p < batch->nparameter; p++) {
    if (batch->parameter[p].column.array.field == field) {
      return batch->parameter + p;
    }
  }
  return NULL;
}

// Finds or makes a parameter.
static Parameter* vary(const char* function, cndBatch* batch, const char* name) {
  int is_option;
  const cndField* field = find_field(&is_option, name);
  if (!field) {
    mju_error("%s: mjModel has no field '%s'", function, name);
  }
  if (rule_of(field->name) == RULE_NONE) {
    mju_error("%s: %s can't vary: %s", function, name, reason_of(field, is_option));
  }
  Parameter* found = find(batch, field);
  if (found) {
    return found;
  }
  cndArray array;
  cnd_modelArray(&array, batch->m, name);
  size_t offset = field->offset + (is_option ? offsetof(mjModel, opt) : 0);
  found = add(batch, &array, offset, field->pointer, rule_of(field->name),
              fields_value(fields_follow, field->name, 0));
  if (!found) {
    mju_error("%s: %s of %d worlds: " MEMORY_OUT, function, name, batch->n);
  }
  return found;
}

void cnd_batchVary(cndArray* array, cndBatch* batch, const char* name) {
  check_given(array, name);
  batch_check("cnd_batchVary", batch);
  *array = vary("cnd_batchVary", batch, name)->column.array;
}

size_t parameter_scratch(const mjModel* m, mjModel* own, char* memory) {
  size_t sum = 0;
  for (int k = 0; k < NFIELD_SCRATCH; k++) {
    cndArray array;
    cnd_modelArray(&array, m, fields_scratch[k]);
    size_t bytes = array.rows * array.columns * array.field->size;
    if (own && bytes) {
      void* copy = memcpy(memory + sum, array.data, bytes);
      memcpy((char*)own + array.field->offset, &copy, sizeof(copy));
    }
    sum += (bytes + 7) / 8 * 8;
  }
  return sum;
}

void parameter_constants(cndBatch* batch, const char* const* names, int n) {
  static const char function[] = "cnd_batchSetConst";
  const mjModel* m = batch->m;
  for (int k = 0; k < n; k++) {
    vary(function, batch, names[k]);
  }
  const cndArray stat = {(void*)&m->stat, 1, sizeof(mjStatistic), NULL};
  int fits =
      find(batch, NULL) || add(batch, &stat, offsetof(mjModel, stat), 0, RULE_NONE, 0) != NULL;
  for (int s = 0; s < batch->nslot; s++) {
    Slot* slot = batch->slot + s;
    slot->scratch =
        slot->scratch ? slot->scratch : memory_take(parameter_scratch(m, NULL, NULL) + 1);
    fits &= slot->scratch != NULL;
  }
  if (!fits) {
    mju_error("%s: " MEMORY_OUT, function);
  }
}

void parameter_keep(cndBatch* batch, const Slot* slot, int world) {
  const Parameter* stat = find(batch, NULL);
  memcpy(stat->column.data + (size_t)world * stat->column.bytes, &slot->own->stat,
         sizeof(mjStatistic));
}

// checks

KERNEL static int count_inside(const mjtNum* x, int n, mjtNum low, mjtNum high) {
  int inside = 0;
  for (int i = 0; i < n; i++) {
    inside += (x[i] >= low) & (x[i] <= high);
  }
  return inside;
}

static int is_direction(const mjtNum* x, int n) {
  return mju_norm(x, n) > mjMINVAL;
}

// How far the length of a unit vector may be from 1: what rounding to float does to one.
static const mjtNum UNIT_SLACK = (mjtNum)1e-6;

// "body 'torso'", or "row 3" of what has no names.
static void describe_row(char* text, size_t size, const mjModel* m, const cndField* field,
                         int row) {
  static const struct {
    const char *rows, *kind;
    int type;
  } kinds[] = {
      {"nbody", "body", mjOBJ_BODY},
      {"njnt", "joint", mjOBJ_JOINT},
      {"ngeom", "geom", mjOBJ_GEOM},
      {"nsite", "site", mjOBJ_SITE},
      {"ncam", "camera", mjOBJ_CAMERA},
      {"nlight", "light", mjOBJ_LIGHT},
      {"nflex", "flex", mjOBJ_FLEX},
      {"npair", "pair", mjOBJ_PAIR},
      {"neq", "equality", mjOBJ_EQUALITY},
      {"ntendon", "tendon", mjOBJ_TENDON},
      {"nactuator", "actuator", mjOBJ_ACTUATOR},
      {"nsensor", "sensor", mjOBJ_SENSOR},
  };
  for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
    const char* name =
        strcmp(field->rows, kinds[k].rows) ? NULL : mj_id2name(m, kinds[k].type, row);
    if (name) {
      snprintf(text, size, "row %d (%s '%s')", row, kinds[k].kind, name);
      return;
    }
  }
  snprintf(text, size, "row %d", row);
}

// Ends in mju_error, naming an entry, its value and what it must be.
static void refuse(const mjModel* m, const Parameter* p, size_t entry, double value,
                   const char* must) {
  char row[200];
  const cndArray* array = &p->column.array;
  describe_row(row, sizeof(row), m, array->field, (int)(entry / array->columns));
  mju_error("%s, %s: entry %d is %g, must be %s", array->field->name, row,
            (int)(entry % array->columns), value, must);
}

static void check_floats(const mjModel* m, const Parameter* p, const float* x, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (!(x[i] >= 0 && x[i] <= 1)) {
      refuse(m, p, i, (double)x[i], "0 to 1");
    }
  }
}

static void check_values(const mjModel* m, const Parameter* p, const char* row) {
  static const struct {
    mjtNum low, high;
    const char* must;
  } bounds[] = {
      [RULE_FINITE] = {(mjtNum)(-mjMAXVAL * mjMAXVAL), (mjtNum)(mjMAXVAL * mjMAXVAL),
                       "finite, at most 1e20"},
      [RULE_NOT_NEGATIVE] = {0, (mjtNum)(mjMAXVAL * mjMAXVAL), ">= 0 and finite"},
      [RULE_POSITIVE] = {mjMINVAL, (mjtNum)(mjMAXVAL * mjMAXVAL), "> 0 and finite"},
      [RULE_AT_MOST_1] = {-mjMAXVAL, 1, "at most 1"},
      [RULE_DIRECTION] = {-mjMAXVAL, mjMAXVAL, "finite"},
      [RULE_UNIT] = {-mjMAXVAL, mjMAXVAL, "finite"},
  };
  const cndArray* array = &p->column.array;
  size_t n = array->rows * array->columns;
  if (p->rule == RULE_NONE) {
    return;
  }
  if (p->rule == RULE_SHARE) {
    check_floats(m, p, (const float*)(const void*)row, n);
    return;
  }
  const mjtNum* x = (const mjtNum*)(const void*)row;
  mjtNum low = bounds[p->rule].low, high = bounds[p->rule].high;
  if (count_inside(x, (int)n, low, high) != (int)n) {
    size_t i = 0;
    while (x[i] >= low && x[i] <= high) {
      i++;
    }
    refuse(m, p, i, (double)x[i], bounds[p->rule].must);
  }
  size_t columns = array->columns;
  for (size_t i = 0; p->rule == RULE_DIRECTION && i < n; i += columns) {
    if (!is_direction(x + i, (int)columns)) {
      refuse(m, p, i, (double)x[i], "part of a vector that is not zero");
    }
  }
  for (size_t i = 0; p->rule == RULE_UNIT && i < n; i += columns) {
    mjtNum length = mju_norm(x + i, (int)columns);
    if (!(mju_abs(length - 1) < UNIT_SLACK)) {
      refuse(m, p, i, (double)x[i],
             columns == 4 ? "part of a unit quaternion: normalise the row"
                          : "part of a unit vector: normalise the row");
    }
  }
}

// what follows from the parameters of a world

static void follow_frames(const cndBatch* batch, Slot* slot) {
  mjModel* m = slot->own;
  int what = batch->follows;
  if (what & FOLLOW_BODY) {
    m->body_sameframe = slot->body_frame;
    for (int b = 0; b < m->nbody; b++) {
      slot->body_frame[b] = (mjtByte)derive_bodyframe(m->body_ipos + 3 * b, m->body_iquat + 4 * b);
    }
  }
  if (what & (FOLLOW_BODY | FOLLOW_GEOM)) {
    m->geom_sameframe = slot->geom_frame;
    for (int g = 0; g < m->ngeom; g++) {
      int b = m->geom_bodyid[g];
      slot->geom_frame[g] = (mjtByte)derive_sameframe(m->geom_pos + 3 * g, m->geom_quat + 4 * g,
                                                      m->body_ipos + 3 * b, m->body_iquat + 4 * b);
    }
    m->bvh_aabb = slot->box;
    derive_refit(m);
  }
  if (what & (FOLLOW_BODY | FOLLOW_SITE)) {
    m->site_sameframe = slot->site_frame;
    for (int s = 0; s < m->nsite; s++) {
      int b = m->site_bodyid[s];
      slot->site_frame[s] = (mjtByte)derive_sameframe(m->site_pos + 3 * s, m->site_quat + 4 * s,
                                                      m->body_ipos + 3 * b, m->body_iquat + 4 * b);
    }
  }
}

// The pattern of M leaves out the off-diagonals of simple bodies, so they must stay simple.
static void check_simple(const cndBatch* batch, const Slot* slot) {
  const mjModel* m = slot->own;
  derive_simple(slot->simple, m);
  for (int b = 1; b < m->nbody; b++) {
    if (batch->m->body_simple[b] && !slot->simple[b]) {
      char row[200];
      const cndField field = {.rows = "nbody"};
      describe_row(row, sizeof(row), m, &field, b);
      mju_error(
          "body_ipos, body_iquat, jnt_pos, jnt_axis or tendon_armature, %s: the compiled "
          "inertia matrix is diagonal there, so its center of mass and joints must stay at "
          "its origin, unless they are off it in the model",
          row);
    }
  }
}

static void follow_margin(Slot* slot) {
  mjModel* m = slot->own;
  m->body_margin = slot->margin;
  reach_of_bodies(slot->margin, m);
}

static void follow_gravcomp(Slot* slot) {
  mjModel* m = slot->own;
  m->ngravcomp = 0;
  for (int b = 0; b < m->nbody; b++) {
    m->ngravcomp += m->body_gravcomp[b] > 0;
  }
}

const mjModel* parameter_enter(cndBatch* batch, Slot* slot, int world) {
  if (!batch->nparameter) {
    return batch->m;
  }
  mjModel* m = slot->own;
  if (slot->call != batch->ncall) {
    *m = *batch->m;
    slot->call = batch->ncall;
  }
  for (int k = 0; k < batch->nparameter; k++) {
    const Parameter* p = batch->parameter + k;
    char* row = p->column.data + (size_t)world * p->column.bytes;
    if (!p->column.bytes) {
      continue;
    }
    check_values(m, p, row);
    if (p->pointer) {
      memcpy((char*)m + p->offset, &row, sizeof(row));
    } else {
      memcpy((char*)m + p->offset, row, p->column.bytes);
    }
  }
  if (batch->follows & (FOLLOW_BODY | FOLLOW_GEOM | FOLLOW_SITE)) {
    follow_frames(batch, slot);
  }
  if (batch->follows & (FOLLOW_BODY | FOLLOW_JOINT)) {
    check_simple(batch, slot);
  }
  if (batch->follows & FOLLOW_MARGIN) {
    follow_margin(slot);
  }
  if (batch->follows & FOLLOW_GRAVCOMP) {
    follow_gravcomp(slot);
  }
  return m;
}
