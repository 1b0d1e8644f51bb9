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
#define DATA_FILLED(type, name, rows, columns, fill, meaning) \
  ROW(1, type, name, rows, columns, cndORIGIN_MODEL, 0, fill, NULL, meaning)
#define DATA_SIZE(name, count, meaning) \
  ROW(1, int, name, "1", "1", cndORIGIN_MODEL, 0, NULL, count, meaning)

static mjtSize count_ntree(const mjModel* m) { return (mjtSize)m->ntree; }
static mjtSize count_nbody(const mjModel* m) { return (mjtSize)m->nbody; }
static mjtSize count_nv(const mjModel* m) { return (mjtSize)m->nv; }

static const Row rows[] = {
  NO_SIZE(nJfv, "entries of the Jacobian of flex vertex strains")
  MODEL_FILLED(mjtNum, dof_length, "nv", "1", fill_dof_length,
               "1 for translations, the size of the body in m for rotations")
  MODEL_FILLED(int, tendon_treenum, "ntendon", "1", fill_tendon_treenum,
               "different trees on the path")
  MODEL_FILLED(int, tendon_treeid, "ntendon", "2", fill_tendon_treeid,
               "first two of them; -1: none")
  MODEL_FILLED(int, cam_projection, "ncam", "1", fill_cam_projection,
               "0 perspective, 1 orthographic")
  MODEL_FILLED(int, tree_bodyadr, "ntree", "1", fill_tree_bodyadr, "first body of the tree")
  MODEL_FILLED(int, tree_bodynum, "ntree", "1", fill_tree_bodynum, "bodies of the tree")
  MODEL_FILLED(int, tree_dofadr, "ntree", "1", fill_tree_dofadr, "first dof of the tree")
  MODEL_FILLED(int, tree_dofnum, "ntree", "1", fill_tree_dofnum, "dofs of the tree")
  MODEL_FILLED(int, tree_sleep_policy, "ntree", "1", fill_tree_policy,
               "1: would never sleep, 2: might; nothing sleeps here")
  MODEL(int, flex_vertedgeadr, "nflexvert", "1", 0, "of 3.4 to 3.17: not filled in")
  MODEL(int, flex_vertedgenum, "nflexvert", "1", 0, "of 3.4 to 3.17: not filled in")
  MODEL(int, flex_vertedge, "nflexedge", "2", 0, "of 3.4 to 3.17: not filled in")
  MODEL(mjtNum, flex_vertmetric, "nflexvert", "4", 0, "of 3.4 to 3.17: not filled in")
  MODEL(int, flexvert_J_rownnz, "nflexvert", "2", 0, "of 3.4 to 3.17: not filled in")
  MODEL(int, flexvert_J_rowadr, "nflexvert", "2", 0, "of 3.4 to 3.17: not filled in")
  MODEL(int, flexvert_J_colind, "nJfv", "2", 0, "of 3.4 to 3.17: not filled in")
  DATA_SIZE(ntree_awake, count_ntree, "trees that don't sleep: all")
  DATA_SIZE(nbody_awake, count_nbody, "bodies that don't sleep, static ones included: all")
  DATA_SIZE(nparent_awake, count_awake_parents, "bodies whose parent doesn't sleep: all")
  DATA_SIZE(nv_awake, count_nv, "dofs that don't sleep: all")
  DATA_FILLED(int, body_awake, "nbody", "1", fill_body_awake, "1 awake, -1 static")
  DATA_FILLED(int, body_awake_ind, "nbody", "1", fill_body_ind, "bodies that don't sleep")
  DATA_FILLED(int, parent_awake_ind, "nbody", "1", fill_parent_ind,
              "bodies whose parent doesn't sleep; the last place is not used")
  DATA_FILLED(int, dof_awake_ind, "nv", "1", fill_dof_ind, "dofs that don't sleep")
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
