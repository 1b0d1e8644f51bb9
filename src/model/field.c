// field.c: the tables of fields at run time.
//
// Every table is expanded twice: into texts ("nbody", "3", "nmocap*3") for readers, and into shapes
// that are evaluated for a given model.

#include "model/field.h"

#include <math.h>
#include <mujoco/mjxmacro.h>
#include <stddef.h>
#include <string.h>

#include "base/memory/check.h"
#include "model/checks/pair.h"
#include "model/layout.h"

enum {
  IN_STRUCT = 0,
  POINTER = 1,
  IN_BUFFER = 0,
  IN_ARENA = 1,
  PUBLIC = 0,
  HIDDEN = 1,
  LIGHT = 0,
  HEAVY = 1
};

// clang-format off

// the lines of each list, in terms of SIZE, VECTOR and ARRAY
#define MODEL_SIZE(type, name, meaning) SIZE(mjModel, type, name, meaning, PUBLIC)
#define MODEL_PRIVATE_SIZE(type, name, meaning) SIZE(mjModel, type, name, meaning, HIDDEN)
#define MODEL_SIZE_SINCE(release, type, name, meaning) \
  SIZE_SINCE(mjModel, type, name, meaning, release, IS_OWN(release))
#define SIZE_LINES \
  CND_MODEL_SIZES(MODEL_SIZE) \
  CND_MODEL_SIZES_SINCE(MODEL_SIZE_SINCE) \
  CND_MODEL_PRIVATE_SIZES(MODEL_PRIVATE_SIZE)

#define MODEL_ARRAY(type, name, rows, columns, meaning) \
  ARRAY(mjModel, type, name, MJ_M(rows), columns, meaning, IN_BUFFER, PUBLIC, LIGHT)
#define MODEL_HEAVY(type, name, rows, columns, meaning) \
  ARRAY(mjModel, type, name, MJ_M(rows), columns, meaning, IN_BUFFER, PUBLIC, HEAVY)
#define MODEL_PRIVATE_ARRAY(type, name, rows, columns, meaning) \
  ARRAY(mjModel, type, name, MJ_M(rows), columns, meaning, IN_BUFFER, HIDDEN, LIGHT)
#define MODEL_SINCE(release, absent, type, name, rows, columns, meaning) \
  ARRAY_SINCE(mjModel, type, name, MJ_M(rows), columns, meaning, IN_BUFFER, PUBLIC, release, absent)
#define MODEL_LINES \
  CND_MODEL_ARRAYS(MODEL_ARRAY, MODEL_HEAVY) \
  CND_MODEL_ARRAYS_SINCE(MODEL_SINCE) \
  CND_MODEL_PRIVATE_ARRAYS(MODEL_PRIVATE_ARRAY)

#define OPTION_SCALAR(type, name, meaning) SIZE(mjOption, type, name, meaning, PUBLIC)
#define OPTION_SCALAR_SINCE(release, type, name, meaning) \
  SIZE_SINCE(mjOption, type, name, meaning, release, PUBLIC)
#define OPTION_VECTOR(name, length, meaning) \
  VECTOR(mjOption, mjtNum, name, length, 1, meaning, PUBLIC)
#define OPTION_LINES \
  CND_OPTION_TOLERANCES(OPTION_SCALAR) \
  CND_OPTION_FIELDS(OPTION_VECTOR) \
  CND_OPTION_MEDIUM(OPTION_SCALAR) \
  CND_OPTION_OVERRIDES(OPTION_VECTOR) \
  CND_OPTION_INTS(OPTION_SCALAR) \
  CND_OPTION_SINCE(OPTION_SCALAR_SINCE)

#define DATA_BYTES(name, meaning) SIZE(mjData, mjtSize, name, meaning, PUBLIC)
#define DATA_SCALAR(type, name, meaning) SIZE(mjData, type, name, meaning, PUBLIC)
#define DATA_PRIVATE_SCALAR(type, name, meaning) SIZE(mjData, type, name, meaning, HIDDEN)
#define DATA_SCALAR_SINCE(release, type, name, meaning) \
  SIZE_SINCE(mjData, type, name, meaning, release, PUBLIC)
#define DATA_BYTES_VECTOR(name, n1, n2, meaning) \
  VECTOR(mjData, mjtSize, name, n1, n2, meaning, PUBLIC)
#define DATA_VECTOR(type, name, n1, n2, meaning) \
  VECTOR(mjData, type, name, n1, n2, meaning, PUBLIC)
#define DATA_PRIVATE_VECTOR(type, name, n1, n2, meaning) \
  VECTOR(mjData, type, name, n1, n2, meaning, HIDDEN)
#define DATA_ARRAY(type, name, rows, columns, meaning) \
  ARRAY(mjData, type, name, MJ_M(rows), columns, meaning, IN_BUFFER, PUBLIC, LIGHT)
#define DATA_HEAVY(type, name, rows, columns, meaning) \
  ARRAY(mjData, type, name, MJ_M(rows), columns, meaning, IN_BUFFER, PUBLIC, HEAVY)
#define DATA_PRIVATE_ARRAY(type, name, rows, columns, meaning) \
  ARRAY(mjData, type, name, MJ_M(rows), columns, meaning, IN_BUFFER, HIDDEN, LIGHT)
#define DATA_ARENA_ARRAY(type, name, rows, columns, meaning) \
  ARRAY(mjData, type, name, rows, columns, meaning, IN_ARENA, PUBLIC, LIGHT)
#define DATA_ARENA_HEAVY(type, name, rows, columns, meaning) \
  ARRAY(mjData, type, name, rows, columns, meaning, IN_ARENA, PUBLIC, HEAVY)
#define DATA_PRIVATE_ARENA_ARRAY(type, name, rows, columns, meaning) \
  ARRAY(mjData, type, name, rows, columns, meaning, IN_ARENA, HIDDEN, LIGHT)
#define DATA_SINCE(release, absent, type, name, rows, columns, meaning) \
  ARRAY_SINCE(mjData, type, name, MJ_M(rows), columns, meaning, IN_BUFFER, PUBLIC, release, absent)
#define DATA_RESHAPED(release, absent, type, name, rows, columns, meaning) \
  ARRAY_SINCE(mjData, type, name, MJ_M(rows), columns, meaning, IN_BUFFER, HIDDEN, release, absent)
#define DATA_ARENA_SINCE(release, absent, type, name, rows, columns, meaning) \
  ARRAY_SINCE(mjData, type, name, rows, columns, meaning, IN_ARENA, PUBLIC, release, absent)
#define DATA_LINES \
  CND_DATA_SCALARS(DATA_BYTES, DATA_SCALAR) \
  CND_DATA_SCALARS_SINCE(DATA_SCALAR_SINCE) \
  CND_DATA_VECTORS(DATA_BYTES_VECTOR, DATA_VECTOR) \
  CND_DATA_PRIVATE_SCALARS(DATA_PRIVATE_SCALAR) \
  CND_DATA_PRIVATE_VECTORS(DATA_PRIVATE_VECTOR) \
  CND_DATA_ARRAYS(DATA_ARRAY, DATA_HEAVY) \
  CND_DATA_ARRAYS_SINCE(DATA_SINCE) \
  CND_DATA_ARRAYS_RESHAPED(DATA_RESHAPED) \
  CND_DATA_PRIVATE_ARRAYS(DATA_PRIVATE_ARRAY) \
  CND_DATA_ARENA_ARRAYS(DATA_ARENA_ARRAY, DATA_ARENA_HEAVY) \
  CND_DATA_ARENA_SINCE(DATA_ARENA_SINCE) \
  CND_DATA_PRIVATE_ARENA_ARRAYS(DATA_PRIVATE_ARENA_ARRAY)

// No release has it, only this library.
#define IS_OWN(release) (sizeof(release) == 1 ? HIDDEN : PUBLIC)

// first expansion: text of a column after its macros are expanded: MJ_M(nv) is "nv", mjNREF is "2"
#define TEXT(column) TEXT_AS_IS(column)
#define TEXT_AS_IS(column) #column

#define SIZE(owner, type, name, meaning, hidden) \
  {TEXT(name), TEXT(type), "1", "1", meaning, offsetof(owner, name), sizeof(type), IN_STRUCT, \
   IN_BUFFER, hidden, NULL, 0},
#define SIZE_SINCE(owner, type, name, meaning, release, hidden) \
  {TEXT(name), TEXT(type), "1", "1", meaning, offsetof(owner, name), sizeof(type), IN_STRUCT, \
   IN_BUFFER, hidden, release, 0},
#define VECTOR(owner, type, name, n1, n2, meaning, hidden) \
  {TEXT(name), TEXT(type), TEXT(n1), TEXT(n2), meaning, offsetof(owner, name), sizeof(type), \
   IN_STRUCT, IN_BUFFER, hidden, NULL, 0},
#define ARRAY(owner, type, name, rows, columns, meaning, arena, hidden, heavy) \
  {TEXT(name), TEXT(type), TEXT(rows), TEXT(columns), meaning, \
   offsetof(owner, name), sizeof(type), POINTER, arena, hidden, NULL, 0},
#define ARRAY_SINCE(owner, type, name, rows, columns, meaning, arena, hidden, release, absent) \
  {TEXT(name), TEXT(type), TEXT(rows), TEXT(columns), meaning, \
   offsetof(owner, name), sizeof(type), POINTER, arena, hidden | IS_OWN(release), release, absent},

static const cndField size_fields[] = {SIZE_LINES};
static const cndField model_fields[] = {MODEL_LINES};
static const cndField option_fields[] = {OPTION_LINES};
static const cndField data_fields[] = {DATA_LINES};

#undef SIZE
#undef SIZE_SINCE
#undef VECTOR
#undef ARRAY
#undef ARRAY_SINCE

// Second expansion: a column is a constant k or k times a size. A size is written as 1 + STEP code,
// where code stands for its offset. So every column is k + k STEP code, from which k and the code
// follow.
enum {
  STEP = 4096  // above every constant of a shape
};

#undef MJ_M
#undef MJ_D
#define WIDE(owner, n) (sizeof(((owner*)0)->n) > sizeof(int) ? COUNT_WIDE : 0)
#define MJ_M(n) (1 + STEP * (8 * offsetof(mjModel, n) + COUNT_MODEL + WIDE(mjModel, n)))
#define MJ_D(n) (1 + STEP * (8 * offsetof(mjData, n) + COUNT_DATA + WIDE(mjData, n)))
#define FACTOR(e) ((size_t)(e) % STEP)
#define CODE(e) ((size_t)(e) / STEP / FACTOR(e))
#define COUNT(e) {FACTOR(e), CODE(e) % 8, CODE(e) / 8}

#define SIZE(owner, type, name, meaning, hidden) {COUNT(1), COUNT(1), LIGHT},
#define SIZE_SINCE(owner, type, name, meaning, release, hidden) {COUNT(1), COUNT(1), LIGHT},
#define VECTOR(owner, type, name, n1, n2, meaning, hidden) {COUNT(n1), COUNT(n2), LIGHT},
#define ARRAY(owner, type, name, rows, columns, meaning, arena, hidden, heavy) \
  {COUNT(rows), COUNT(columns), heavy},
#define ARRAY_SINCE(owner, type, name, rows, columns, meaning, arena, hidden, release, absent) \
  {COUNT(rows), COUNT(columns), LIGHT},

static const FieldShape size_shapes[] = {SIZE_LINES};
static const FieldShape model_shapes[] = {MODEL_LINES};
static const FieldShape option_shapes[] = {OPTION_LINES};
static const FieldShape data_shapes[] = {DATA_LINES};

// clang-format on

#define LIST(fields, shapes) \
  { fields, shapes, sizeof(fields) / sizeof((fields)[0]) }
static const FieldList field_size = LIST(size_fields, size_shapes);
static const FieldList field_option = LIST(option_fields, option_shapes);
const FieldList field_model = LIST(model_fields, model_shapes);
const FieldList field_data = LIST(data_fields, data_shapes);

int64_t field_count(const Count* count, const mjModel* m, const mjData* d) {
  if (count->owner == COUNT_FIXED) {
    return count->factor;
  }
  const char* owner = (count->owner & 3) == COUNT_MODEL ? (const char*)m : (const char*)d;
  const void* place = owner + count->offset;
  int64_t n = count->owner & COUNT_WIDE ? *(const int64_t*)place : *(const int*)place;
  return count->factor * n;
}

size_t field_bytes(const FieldList* list, int i, const mjModel* m, const mjData* d) {
  const FieldShape* shape = list->shape + i;
  return (size_t)field_count(&shape->rows, m, d) * (size_t)field_count(&shape->columns, m, d) *
         list->field[i].size;
}

void* field_pointer(const void* owner, const cndField* field) {
  void* place;
  memcpy(&place, (const char*)owner + field->offset, sizeof(place));
  return place;
}

void field_point(void* owner, const cndField* field, void* place) {
  memcpy((char*)owner + field->offset, &place, sizeof(place));
}

// Writes the value of a number to an element of the field's type.
static void write_element(void* place, const cndField* field, double value) {
  if (!strcmp(field->type, "mjtNum")) {
    *(mjtNum*)place = (mjtNum)value;
  } else if (!strcmp(field->type, "float")) {
    *(float*)place = (float)value;
  } else if (!strcmp(field->type, "int")) {
    *(int*)place = (int)value;
  } else {
    *(mjtByte*)place = (mjtByte)value;
  }
}

void field_write_absent(const FieldList* list, void* owner, const mjModel* m) {
  for (int i = 0; i < list->count; i++) {
    const cndField* field = list->field + i;
    if (!field->pointer || field->arena || !field->since || isnan(field->absent)) {
      continue;
    }
    char* place = field_pointer(owner, field);
    size_t bytes = field_bytes(list, i, m, NULL);
    if (field->absent == 0 && bytes) {
      memset(place, 0, bytes);
    } else {
      for (size_t at = 0; at < bytes; at += field->size) {
        write_element(place + at, field, field->absent);
      }
    }
  }
}

int field_is_absent(const FieldList* list, int i, const void* owner, const mjModel* m) {
  const cndField* field = list->field + i;
  union {
    mjtNum number;
    float single;
    int integer;
    mjtByte byte;
  } value;
  if (isnan(field->absent)) {
    return 1;
  }
  write_element(&value, field, field->absent);
  const char* place = field_pointer(owner, field);
  size_t bytes = field_bytes(list, i, m, NULL);
  for (size_t at = 0; at < bytes; at += field->size) {
    if (memcmp(place + at, &value, field->size) != 0) {
      return 0;
    }
  }
  return 1;
}

static int is_among(const char* name, const char* const* list, int n) {
  for (int i = 0; i < n; i++) {
    if (!strcmp(name, list[i])) {
      return 1;
    }
  }
  return 0;
}

// Is it in drawing, names or keyframes alone that the array counts?
static int is_unread_by_steps(const char* name) {
  static const char* const list[] = {"geom_castshadow", "light_softness",     "cam_output",
                                     "key_plastic",     "tex_contenttypeadr", "cnd_eq_unposed"};
  return is_among(name, list, (int)(sizeof(list) / sizeof(list[0])));
}

const char* field_later_but(const mjModel* m, const char* const* known, int n) {
  for (int i = 0; i < field_model.count; i++) {
    const cndField* field = field_model.field + i;
    if (field->since && !is_unread_by_steps(field->name) && !is_among(field->name, known, n) &&
        !field_is_absent(&field_model, i, m, m)) {
      return field->name;
    }
  }
  return NULL;
}

const char* field_later(const mjModel* m) {
  return field_later_but(m, NULL, 0);
}

size_t field_layout(const FieldList* list, void* owner, size_t* nbuffer, const mjModel* m,
                    char* base) {
  Layout layout = {.base = base};
  for (int i = 0; i < list->count; i++) {
    const FieldShape* shape = list->shape + i;
    const cndField* field = list->field + i;
    if (!field->pointer || field->arena) {
      continue;
    }
    void* place = layout_add(&layout, field_count(&shape->rows, m, NULL),
                             field_count(&shape->columns, m, NULL), field->size);
    if (base) {
      field_point(owner, field, place);
    }
    if (!field->hidden && !field->since) {
      *nbuffer = layout.size;
    }
  }
  return layout.overflow ? 0 : layout.size + LAYOUT_SLACK;
}

int cnd_sizeFieldCount(void) {
  return field_size.count;
}

int cnd_modelFieldCount(void) {
  return field_model.count;
}

int cnd_optionFieldCount(void) {
  return field_option.count;
}

int cnd_dataFieldCount(void) {
  return field_data.count;
}

static const cndField* pick(const FieldList* list, int i) {
  return i >= 0 && i < list->count ? list->field + i : NULL;
}

const cndField* cnd_sizeField(int i) {
  return pick(&field_size, i);
}

const cndField* cnd_modelField(int i) {
  return pick(&field_model, i);
}

const cndField* cnd_optionField(int i) {
  return pick(&field_option, i);
}

const cndField* cnd_dataField(int i) {
  return pick(&field_data, i);
}

// Index of the field with this name, -1 if there is none.
static int find(const FieldList* list, const char* name) {
  for (int i = 0; i < list->count; i++) {
    if (!strcmp(list->field[i].name, name)) {
      return i;
    }
  }
  return -1;
}

// A negative count (njmax that is not given) counts as 0.
static size_t positive(int64_t count) {
  return count > 0 ? (size_t)count : 0;
}

// Describes the field with this name of the struct at owner. Returns 0 if the list has none.
static int describe(cndArray* array, const FieldList* list, const char* name, const void* owner,
                    const mjModel* m, const mjData* d) {
  int i = find(list, name);
  if (i < 0) {
    return 0;
  }
  const cndField* field = list->field + i;
  array->field = field;
  array->data = field->pointer ? field_pointer(owner, field) : (char*)owner + field->offset;
  array->rows = array->data ? positive(field_count(&list->shape[i].rows, m, d)) : 0;
  array->columns = positive(field_count(&list->shape[i].columns, m, d));
  return 1;
}

int cnd_modelArray(cndArray* array, const mjModel* m, const char* name) {
  check_given(array, m, name);
  memset(array, 0, sizeof(*array));
  const char* option = strncmp(name, "opt.", 4) ? name : name + 4;
  return describe(array, &field_option, option, &m->opt, m, NULL) ||
         describe(array, &field_size, name, m, m, NULL) ||
         describe(array, &field_model, name, m, m, NULL);
}

int cnd_dataArray(cndArray* array, const mjModel* m, const mjData* d, const char* name) {
  check_given(array, name);
  check_pair(m, d);
  memset(array, 0, sizeof(*array));
  return describe(array, &field_data, name, d, m, d);
}
