// kept.c: the copy, an array after the other.

#include "lanes/setup/kept.h"

#include <mujoco/api/base.h>
#include <string.h>

#include "base/memory/memory.h"
#include "model/field.h"

struct LaneKept {
  mjModel model;  // the struct itself: sizes, options, where arrays are
  int taken, narray;
  size_t* bytes;  // of each array
  int* field;     // its number in field_model
  char* copy;
};

// Whether lanes may read an array when they fill in their constants: all but assets, texts, and
// what only drawing or the scalar engine reads.
static int is_compared(const char* name) {
  static const char* const others[] = {"bvh_",  "flex", "hfield_", "key_",  "light_", "mat_",
                                       "mesh_", "name", "numeric", "oct_",  "paths",  "plugin",
                                       "skin_", "tex",  "tuple",   "names", "B_",     "D_"};
  for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
    if (!strncmp(name, others[i], strlen(others[i]))) {
      return 0;
    }
  }
  return 1;
}

LaneKept* structure_kept_make(const mjModel* m) {
  LaneKept* kept = memory_take_zero(sizeof(LaneKept));
  size_t most = (size_t)field_model.count, bytes = 0;
  if (!kept) {
    return NULL;
  }
  kept->bytes = memory_take(most * sizeof(size_t));
  kept->field = memory_take(most * sizeof(int));
  for (int i = 0; kept->bytes && kept->field && i < field_model.count; i++) {
    if (is_compared(field_model.field[i].name)) {
      kept->field[kept->narray] = i;
      kept->bytes[kept->narray] = field_bytes(&field_model, i, m, NULL);
      bytes += kept->bytes[kept->narray];
      kept->narray += kept->bytes[kept->narray] > 0;
    }
  }
  kept->copy = memory_take(bytes + 1);
  if (!kept->bytes || !kept->field || !kept->copy) {
    structure_kept_free(kept);
    return NULL;
  }
  return kept;
}

void structure_kept_free(LaneKept* kept) {
  if (kept) {
    mju_free(kept->bytes);
    mju_free(kept->field);
    mju_free(kept->copy);
    mju_free(kept);
  }
}

static const void* array_of(const LaneKept* kept, const mjModel* m, int k) {
  return field_pointer(m, field_model.field + kept->field[k]);
}

int structure_kept_is_same(const LaneKept* kept, const mjModel* m) {
  if (!kept->taken || memcmp(&kept->model, m, sizeof(mjModel)) != 0) {
    return 0;
  }
  const char* at = kept->copy;
  for (int k = 0; k < kept->narray; at += kept->bytes[k++]) {
    if (memcmp(at, array_of(kept, m, k), kept->bytes[k]) != 0) {
      return 0;
    }
  }
  return 1;
}

void structure_kept_take(LaneKept* kept, const mjModel* m) {
  kept->taken = 1;
  memcpy(&kept->model, m, sizeof(mjModel));
  char* at = kept->copy;
  for (int k = 0; k < kept->narray; at += kept->bytes[k++]) {
    memcpy(at, array_of(kept, m, k), kept->bytes[k]);
  }
}
