// field.c: the tables of fields at run time.
//
// A shape is kept as text, as in the table ("nbody", "3", "nmocap*3"), and worked out when asked
// for a given model: a product of numbers and names of sizes.

#include <condyle/condyle.h>
#include <ctype.h>
#include <mujoco/mjxmacro.h>
#include <stddef.h>
#include <string.h>

// text of a table column after its macros are expanded: MJ_M(nv) is "nv", mjNREF is "2"
#define TEXT(column) TEXT_AS_IS(column)
#define TEXT_AS_IS(column) #column

enum {
  IN_STRUCT = 0,
  POINTER = 1,
  IN_BUFFER = 0,
  IN_ARENA = 1,
  PUBLIC = 0,
  HIDDEN = 1
};

// clang-format off

#define SIZE(owner, type, name, meaning, hidden) \
  {#name, #type, "1", "1", meaning, offsetof(owner, name), sizeof(type), IN_STRUCT, \
   IN_BUFFER, hidden},
#define VECTOR(owner, type, name, n1, n2, meaning) \
  {#name, #type, TEXT(n1), TEXT(n2), meaning, offsetof(owner, name), sizeof(type), IN_STRUCT, \
   IN_BUFFER, PUBLIC},
#define ARRAY(owner, type, name, rows, columns, meaning, arena, hidden) \
  {#name, #type, TEXT(rows), TEXT(columns), meaning, offsetof(owner, name), sizeof(type), POINTER, \
   arena, hidden},

static const cndField size_fields[] = {
#define MODEL_SIZE(type, name, meaning) SIZE(mjModel, type, name, meaning, PUBLIC)
#define MODEL_PRIVATE_SIZE(type, name, meaning) SIZE(mjModel, type, name, meaning, HIDDEN)
  CND_MODEL_SIZES(MODEL_SIZE)
  CND_MODEL_PRIVATE_SIZES(MODEL_PRIVATE_SIZE)
};

static const cndField model_fields[] = {
#define MODEL_ARRAY(type, name, rows, columns, meaning) \
  ARRAY(mjModel, type, name, rows, columns, meaning, IN_BUFFER, PUBLIC)
#define MODEL_PRIVATE_ARRAY(type, name, rows, columns, meaning) \
  ARRAY(mjModel, type, name, rows, columns, meaning, IN_BUFFER, HIDDEN)
  CND_MODEL_ARRAYS(MODEL_ARRAY, MODEL_ARRAY)
  CND_MODEL_PRIVATE_ARRAYS(MODEL_PRIVATE_ARRAY)
};

static const cndField option_fields[] = {
#define OPTION_SCALAR(type, name, meaning) SIZE(mjOption, type, name, meaning, PUBLIC)
#define OPTION_VECTOR(name, length, meaning) VECTOR(mjOption, mjtNum, name, length, 1, meaning)
  CND_OPTION_TOLERANCES(OPTION_SCALAR)
  CND_OPTION_FIELDS(OPTION_VECTOR)
  CND_OPTION_MEDIUM(OPTION_SCALAR)
  CND_OPTION_OVERRIDES(OPTION_VECTOR)
  CND_OPTION_INTS(OPTION_SCALAR)
};

static const cndField data_fields[] = {
#define DATA_BYTES(name, meaning) SIZE(mjData, mjtSize, name, meaning, PUBLIC)
#define DATA_SCALAR(type, name, meaning) SIZE(mjData, type, name, meaning, PUBLIC)
#define DATA_PRIVATE_SCALAR(type, name, meaning) SIZE(mjData, type, name, meaning, HIDDEN)
#define DATA_BYTES_VECTOR(name, n1, n2, meaning) VECTOR(mjData, mjtSize, name, n1, n2, meaning)
#define DATA_VECTOR(type, name, n1, n2, meaning) VECTOR(mjData, type, name, n1, n2, meaning)
#define DATA_ARRAY(type, name, rows, columns, meaning) \
  ARRAY(mjData, type, name, rows, columns, meaning, IN_BUFFER, PUBLIC)
#define DATA_PRIVATE_ARRAY(type, name, rows, columns, meaning) \
  ARRAY(mjData, type, name, rows, columns, meaning, IN_BUFFER, HIDDEN)
#define DATA_ARENA_ARRAY(type, name, rows, columns, meaning) \
  ARRAY(mjData, type, name, rows, columns, meaning, IN_ARENA, PUBLIC)
#define DATA_PRIVATE_ARENA_ARRAY(type, name, rows, columns, meaning) \
  ARRAY(mjData, type, name, rows, columns, meaning, IN_ARENA, HIDDEN)
  CND_DATA_SCALARS(DATA_BYTES, DATA_SCALAR)
  CND_DATA_VECTORS(DATA_BYTES_VECTOR, DATA_VECTOR)
  CND_DATA_PRIVATE_SCALARS(DATA_PRIVATE_SCALAR)
  CND_DATA_ARRAYS(DATA_ARRAY, DATA_ARRAY)
  CND_DATA_PRIVATE_ARRAYS(DATA_PRIVATE_ARRAY)
  CND_DATA_ARENA_ARRAYS(DATA_ARENA_ARRAY, DATA_ARENA_ARRAY)
  CND_DATA_PRIVATE_ARENA_ARRAYS(DATA_PRIVATE_ARENA_ARRAY)
};

// clang-format on

enum {
  size_count = sizeof(size_fields) / sizeof(size_fields[0]),
  model_count = sizeof(model_fields) / sizeof(model_fields[0]),
  option_count = sizeof(option_fields) / sizeof(option_fields[0]),
  data_count = sizeof(data_fields) / sizeof(data_fields[0])
};

int cnd_sizeFieldCount(void) {
  return size_count;
}

int cnd_modelFieldCount(void) {
  return model_count;
}

int cnd_optionFieldCount(void) {
  return option_count;
}

int cnd_dataFieldCount(void) {
  return data_count;
}

static const cndField* pick(const cndField* fields, int count, int i) {
  return i >= 0 && i < count ? fields + i : NULL;
}

const cndField* cnd_sizeField(int i) {
  return pick(size_fields, size_count, i);
}

const cndField* cnd_modelField(int i) {
  return pick(model_fields, model_count, i);
}

const cndField* cnd_optionField(int i) {
  return pick(option_fields, option_count, i);
}

const cndField* cnd_dataField(int i) {
  return pick(data_fields, data_count, i);
}

// The field whose name is the first `length` characters of name, NULL if there is none.
static const cndField* find(const cndField* fields, int count, const char* name, size_t length) {
  for (int i = 0; i < count; i++) {
    if (strlen(fields[i].name) == length && !memcmp(fields[i].name, name, length)) {
      return fields + i;
    }
  }
  return NULL;
}

// A count in a struct; negative ones (njmax unspecified) are never the shape of an array.
static size_t read_count(const void* owner, const cndField* field) {
  const void* place = (const char*)owner + field->offset;
  if (field->size == sizeof(mjtSize)) {
    return (size_t) * (const mjtSize*)place;
  }
  int count = *(const int*)place;
  return count > 0 ? (size_t)count : 0;
}

// enum constants keep their names in the text of a shape
static const struct {
  const char* name;
  size_t value;
} constants[] = {{"mjNTEXROLE", mjNTEXROLE}, {"mjNWARNING", mjNWARNING}, {"mjNTIMER", mjNTIMER}};

// Value of a factor: a number, a constant, a size of m or a count of d.
static size_t factor(const char* text, size_t length, const mjModel* m, const mjData* d) {
  for (size_t i = 0; i < sizeof(constants) / sizeof(constants[0]); i++) {
    if (strlen(constants[i].name) == length && !memcmp(constants[i].name, text, length)) {
      return constants[i].value;
    }
  }
  if (isdigit((unsigned char)text[0])) {
    size_t value = 0;
    for (size_t i = 0; i < length; i++) {
      value = 10 * value + (size_t)(text[i] - '0');
    }
    return value;
  }
  const cndField* field = find(size_fields, size_count, text, length);
  if (field) {
    return read_count(m, field);
  }
  field = d ? find(data_fields, data_count, text, length) : NULL;
  return field ? read_count(d, field) : 0;
}

// Value of a product: factors with * between them.
static size_t evaluate(const char* shape, const mjModel* m, const mjData* d) {
  size_t product = 1;
  while (*shape) {
    size_t length = strcspn(shape, "* ");
    if (length) {
      product *= factor(shape, length, m, d);
    }
    shape += length;
    shape += strspn(shape, "* ");
  }
  return product;
}

// Describes a field of the struct at owner.
static void describe(cndArray* array, const cndField* field, const void* owner, const mjModel* m,
                     const mjData* d) {
  char* place = (char*)owner + field->offset;
  array->field = field;
  array->data = field->pointer ? *(void**)(void*)place : place;
  array->rows = evaluate(field->rows, m, d);
  array->columns = evaluate(field->columns, m, d);
  if (!array->data) {
    array->rows = 0;
  }
}

int cnd_modelArray(cndArray* array, const mjModel* m, const char* name) {
  memset(array, 0, sizeof(*array));

  const char* option = strncmp(name, "opt.", 4) ? name : name + 4;
  const cndField* field = find(option_fields, option_count, option, strlen(option));
  if (field) {
    describe(array, field, &m->opt, m, NULL);
    return 1;
  }
  field = find(size_fields, size_count, name, strlen(name));
  if (!field) {
    field = find(model_fields, model_count, name, strlen(name));
  }
  if (field) {
    describe(array, field, m, m, NULL);
  }
  return field != NULL;
}

int cnd_dataArray(cndArray* array, const mjModel* m, const mjData* d, const char* name) {
  memset(array, 0, sizeof(*array));
  const cndField* field = find(data_fields, data_count, name, strlen(name));
  if (field) {
    describe(array, field, d, m, d);
  }
  return field != NULL;
}
