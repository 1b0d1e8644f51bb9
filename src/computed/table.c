// table.c: every array and number that later releases have added to mjModel and mjData, and its
// value here. Where a feature doesn't exist, it is the constant of a model that doesn't use the
// feature.

#include <condyle/computed.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/check.h"
#include "computed/fill.h"
#include "model/checks/pair.h"

typedef struct Row_ {
  cndComputed face;
  mjtNum value;    // of all elements of a constant
  Fill* fill;      // computes an array that is not constant
  Count64* count;  // computes sizes
} Row;

// clang-format off
#define MEMBER(type, name, rows, columns, meaning) \
  {#name, #type, rows, columns, meaning, 0, sizeof(type), 0, 0, 0, NULL, 0}
#define ROW(place, type, name, rows, columns, origin, value, fill, count, meaning) \
  {{MEMBER(type, name, rows, columns, meaning), place, origin}, value, fill, count},

// rows of model and data: a constant, an array computed from the model, a size
#define MODEL(type, name, rows, columns, value, meaning) \
  ROW(0, type, name, rows, columns, cndORIGIN_CONSTANT, value, NULL, NULL, meaning)
#define MODEL_FILLED(type, name, rows, columns, fill, meaning) \
  ROW(0, type, name, rows, columns, cndORIGIN_MODEL, 0, fill, NULL, meaning)
#define NO_SIZE(name, meaning) \
  ROW(0, mjtSize, name, "1", "1", cndORIGIN_CONSTANT, 0, NULL, NULL, meaning)
#define DATA(type, name, rows, columns, value, meaning) \
  ROW(1, type, name, rows, columns, cndORIGIN_CONSTANT, value, NULL, NULL, meaning)


static const Row rows[] = {
  NO_SIZE(nJfv, "entries of the Jacobian of flex vertex strains")
  MODEL_FILLED(int, cam_projection, "ncam", "1", fill_cam_projection,
               "0 perspective, 1 orthographic")
  MODEL(int, flex_vertedgeadr, "nflexvert", "1", 0, "of 3.4 to 3.17: not filled in")
  MODEL(int, flex_vertedgenum, "nflexvert", "1", 0, "of 3.4 to 3.17: not filled in")
  MODEL(int, flex_vertedge, "nflexedge", "2", 0, "of 3.4 to 3.17: not filled in")
  MODEL(mjtNum, flex_vertmetric, "nflexvert", "4", 0, "of 3.4 to 3.17: not filled in")
  MODEL(int, flexvert_J_rownnz, "nflexvert", "2", 0, "of 3.4 to 3.17: not filled in")
  MODEL(int, flexvert_J_rowadr, "nflexvert", "2", 0, "of 3.4 to 3.17: not filled in")
  MODEL(int, flexvert_J_colind, "nJfv", "2", 0, "of 3.4 to 3.17: not filled in")
  DATA(mjtNum, flexvert_length, "nflexvert", "2", 0, "of 3.4 to 3.17: not filled in")
  DATA(mjtNum, flexvert_J, "nJfv", "2", 0, "of 3.4 to 3.17: not filled in")
};
// clang-format on

enum {
  NROW = sizeof(rows) / sizeof(rows[0])
};

// The value of a shape's column: a number, a size of mjModel, or one of this table.
static size_t shape_value(const mjModel* m, const char* text) {
  if (*text >= '0' && *text <= '9') {
    return strtoul(text, NULL, 10);
  }
  cndArray size;
  if (cnd_modelArray(&size, m, text)) {
    return size.field->size == sizeof(mjtSize) ? (size_t) * (const mjtSize*)size.data
                                               : (size_t) * (const int*)size.data;
  }
  for (int i = 0; i < NROW; i++) {
    if (!strcmp(rows[i].face.field.name, text)) {
      return rows[i].count ? (size_t)rows[i].count(m) : 0;
    }
  }
  return 0;
}

// Sets n elements to the value of a constant.
static void set_all(void* out, const Row* row, size_t n) {
  const char* type = row->face.field.type;
  for (size_t i = 0; i < n; i++) {
    if (!strcmp(type, "mjtNum")) {
      ((mjtNum*)out)[i] = row->value;
    } else if (!strcmp(type, "float")) {
      ((float*)out)[i] = (float)row->value;
    } else if (!strcmp(type, "int")) {
      ((int*)out)[i] = (int)row->value;
    } else if (!strcmp(type, "mjtSize")) {
      ((mjtSize*)out)[i] = (mjtSize)row->value;
    } else {
      ((mjtByte*)out)[i] = (mjtByte)row->value;
    }
  }
}

static void set_values(void* out, const Row* row, size_t n, const mjModel* m, const mjData* d) {
  if (row->fill) {
    if (n) {
      row->fill(out, m, row->face.origin == cndORIGIN_DATA ? d : NULL);
    }
  } else if (row->count && row->face.field.size == sizeof(int)) {
    *(int*)out = (int)row->count(m);
  } else if (row->count) {
    *(mjtSize*)out = row->count(m);
  } else {
    set_all(out, row, n);
  }
}

int cnd_computedCount(void) {
  return NROW;
}

const cndComputed* cnd_computedField(int i) {
  return i >= 0 && i < NROW ? &rows[i].face : NULL;
}

int cnd_computedArray(cndArray* array, const mjModel* m, const mjData* d, const char* name) {
  check_given(array, m, name);
  if (d) {
    check_pair(m, d);
  }
  void* out = array->data;
  memset(array, 0, sizeof(*array));
  for (int i = 0; i < NROW; i++) {
    const cndField* field = &rows[i].face.field;
    if (strcmp(field->name, name)) {
      continue;
    }
    array->field = field;
    array->rows = shape_value(m, field->rows);
    array->columns = shape_value(m, field->columns);
    array->data = out;
    if (out && rows[i].face.origin == cndORIGIN_DATA) {
      check_given(d);
    }
    if (out) {
      set_values(out, rows + i, array->rows * array->columns, m, d);
    }
    return 1;
  }
  return 0;
}
