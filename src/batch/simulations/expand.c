// expand.c: mjb_expand: which fields of mjModel simulations may have for themselves, and how the
// model of one comes about.

#include "batch/simulations/expand.h"

#include <mujoco/api/base.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/memory/check.h"
#include "base/memory/memory.h"
#include "batch/simulations/check.h"

// which fields

static int begins(const char* name, const char* with) {
  return !strncmp(name, with, strlen(with));
}

static int ends(const char* name, const char* with) {
  size_t n = strlen(name), k = strlen(with);
  return n >= k && !strcmp(name + n - k, with);
}

static int is_asset(const char* name) {
  static const char* const beginnings[] = {"mesh_", "hfield_",   "skin_",     "tex_",
                                           "oct_",  "bvh_child", "bvh_depth", "bvh_nodeid"};
  for (size_t k = 0; k < sizeof(beginnings) / sizeof(beginnings[0]); k++) {
    if (begins(name, beginnings[k])) {
      return 1;
    }
  }
  return 0;
}

// Whole numbers and flags that are no structure: nothing has been allocated or sorted by them.
static int is_choice(const char* name) {
  static const char* const endings[] = {"contype",    "conaffinity",  "condim",     "priority",
                                        "_group",     "limited",      "actearly",   "actgravcomp",
                                        "eq_active0", "light_active", "castshadow", "texuniform",
                                        "sameframe",  "pair_dim"};
  for (size_t k = 0; k < sizeof(endings) / sizeof(endings[0]); k++) {
    if (ends(name, endings[k])) {
      return 1;
    }
  }
  return 0;
}

static int can_expand(const cndField* field) {
  int is_real = !strcmp(field->type, "mjtNum") || !strcmp(field->type, "float");
  if (is_asset(field->name) ||
      (field->hidden && strcmp(field->name, "cnd_geom_restitution") != 0)) {
    return 0;
  }
  // wrap_prm holds ids of sites
  return is_real ? strcmp(field->name, "wrap_prm") != 0 : is_choice(field->name);
}

// Finds an array, or an option by "opt.NAME"; NULL if it can't be expanded.
static const cndField* find_field(int* is_option, const char* name) {
  const cndField* field = NULL;
  *is_option = begins(name, "opt.");
  for (int i = 0; *is_option && (field = cnd_optionField(i)); i++) {
    if (!strcmp(field->name, name + 4)) {
      return field;
    }
  }
  for (int i = 0; !*is_option && (field = cnd_modelField(i)); i++) {
    if (!strcmp(field->name, name)) {
      return can_expand(field) ? field : NULL;
    }
  }
  return NULL;
}

// making

// Of the boxes only those of bodies differ; they come first.
static size_t body_boxes(const mjModel* m) {
  size_t n = 0;
  for (int i = 0; i < m->nbody; i++) {
    n += (size_t)m->body_bvhnum[i];
  }
  return n;
}

Expanded expand_describe(const mjBatch* b, const cndField* field, int is_option) {
  if (!field) {
    return (Expanded){.offset = offsetof(mjModel, stat), .bytes = sizeof(mjStatistic)};
  }
  cndArray array;
  cnd_modelArray(&array, b->m, field->name);
  size_t rows = strcmp(field->name, "bvh_aabb") != 0 ? array.rows : body_boxes(b->m);
  size_t count = rows * array.columns;
  return (Expanded){.field = field,
                    .offset = field->offset + (is_option ? offsetof(mjModel, opt) : 0),
                    .bytes = count * field->size,
                    .is_option = is_option,
                    .is_pointer = field->pointer,
                    .size = (int)count,
                    .elemsize = (int)field->size};
}

char* expand_place(const Expanded* e, const mjModel* m) {
  char* place = (char*)(uintptr_t)m + e->offset;
  if (e->is_pointer) {
    memcpy(&place, place, sizeof(char*));
  }
  return place;
}

Expanded* expand_at(const mjBatch* b, size_t offset) {
  for (int k = 0; k < b->nexpanded; k++) {
    if (b->expanded[k].offset == offset) {
      return b->expanded + k;
    }
  }
  return NULL;
}

// Gives each slot a struct of its own, and its boxes.
static int make_structs(mjBatch* b) {
  size_t boxes = (size_t)b->m->nbvhstatic * 6 * sizeof(mjtNum);
  for (int s = 0; s < b->nslot; s++) {
    SimSlot* slot = b->slot + s;
    if (!slot->own && !(slot->own = memory_take(sizeof(mjModel)))) {
      return 0;
    }
    if (!slot->box && (slot->box = memory_take(boxes + 1)) && boxes) {
      memcpy(slot->box, b->m->bvh_aabb, boxes);
    }
    if (!slot->box) {
      return 0;
    }
  }
  return 1;
}

Expanded* expand_add(const char* function, mjBatch* b, const Expanded* description) {
  Expanded* e = b->expanded + b->nexpanded;
  *e = *description;
  size_t total = 0;
  int fits = size_multiply(&total, e->bytes, (size_t)b->nsim) && total <= PTRDIFF_MAX &&
             make_structs(b) && (e->rows = memory_take(total + 1)) &&
             (!b->persistent || (e->seen = memory_take_zero(total + 1)));
  if (!fits) {
    mju_free(e->rows);
    mju_free(e->seen);
    mju_error("%s: %s of %d simulations: " MEMORY_OUT, function,
              e->field ? e->field->name : "statistic", b->nsim);
  }
  for (int i = 0; e->bytes && i < b->nsim; i++) {
    memcpy(e->rows + (size_t)i * e->bytes, expand_place(e, b->m), e->bytes);
  }
  b->nexpanded++;
  return e;
}

static void write_size(const Expanded* e, int* size, int* elemsize) {
  if (size) {
    *size = e->size;
  }
  if (elemsize) {
    *elemsize = e->elemsize;
  }
}

typedef struct Asking_ {
  mjBatch* b;
  Expanded description;
  Expanded* found;
} Asking;

static void ask(void* argument) {
  Asking* a = argument;
  a->found = expand_at(a->b, a->description.offset);
  if (!a->found) {
    a->found = expand_add("mjb_expand", a->b, &a->description);
  }
  a->found->is_asked = 1;
}

void* mjb_expand(mjBatch* b, const char* name, int* size, int* elemsize) {
  sim_check("mjb_expand", b);
  check_given(name);
  if (b->models) {
    mju_error("mjb_expand: the batch runs on caller models");
  }
  int is_option;
  const cndField* field = find_field(&is_option, name);
  if (!field) {
    return NULL;
  }
  Asking a = {.b = b, .description = expand_describe(b, field, is_option)};
  sim_alone(b, ask, &a);
  write_size(a.found, size, elemsize);
  return a.found->rows;
}

const void* mjb_expanded(mjBatch* b, const char* name, int* size, int* elemsize) {
  sim_check("mjb_expanded", b);
  check_given(name);
  int is_option;
  const cndField* field = find_field(&is_option, name);
  if (!field) {
    return NULL;
  }
  Expanded description = expand_describe(b, field, is_option);
  const Expanded* e = expand_at(b, description.offset);
  write_size(&description, size, elemsize);
  return e ? e->rows : NULL;
}

// entering

// Dimensions of contacts decide how much room there is for their rows.
static void check_dimensions(const Expanded* e, const char* row) {
  const char* name = e->field ? e->field->name : "";
  if (!ends(name, "condim") && strcmp(name, "pair_dim") != 0) {
    return;
  }
  const int* dim = (const int*)(const void*)row;
  for (int i = 0; i < e->size; i++) {
    if (dim[i] != 1 && dim[i] != 3 && dim[i] != 4 && dim[i] != 6) {
      mju_error("expanded %s[%d] is %d, must be 1, 3, 4 or 6", name, i, dim[i]);
    }
  }
}

const mjModel* expand_enter(mjBatch* b, SimSlot* slot, int sim) {
  if (b->models) {
    return b->models[sim];
  }
  if (!b->nexpanded) {
    return b->m;
  }
  mjModel* m = slot->own;
  if (slot->ncall != b->ncall) {
    *m = *b->m;
    slot->ncall = b->ncall;
  }
  for (int k = 0; k < b->nexpanded; k++) {
    const Expanded* e = b->expanded + k;
    char* row = e->rows + (size_t)sim * e->bytes;
    if (!e->bytes) {
      continue;
    }
    check_dimensions(e, row);
    if (!e->is_pointer) {
      memcpy((char*)m + e->offset, row, e->bytes);
    } else if (e->offset == offsetof(mjModel, bvh_aabb)) {
      memcpy(slot->box, row, e->bytes);
      m->bvh_aabb = slot->box;
    } else {
      memcpy((char*)m + e->offset, &row, sizeof(row));
    }
  }
  return m;
}

void expand_note(mjBatch* b, int sim) {
  for (int k = 0; k < b->nexpanded; k++) {
    const Expanded* e = b->expanded + k;
    size_t first = (size_t)sim * e->bytes;
    memcpy(e->seen + first, e->rows + first, e->bytes);
  }
}

int expand_is_same(const mjBatch* b, int sim) {
  for (int k = 0; k < b->nexpanded; k++) {
    const Expanded* e = b->expanded + k;
    size_t first = (size_t)sim * e->bytes;
    if (memcmp(e->seen + first, e->rows + first, e->bytes) != 0) {
      return 0;
    }
  }
  return 1;
}
