// bridge_ref.c: the far side of the bridge, compiled against the reference's headers.
//
// Only here are its structs known; the near side asks for fields by name.

#include "bridge_ref.h"

#include <mujoco/mjxmacro.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT RefModelField bridge_ref_model_field;
EXPORT RefDataField bridge_ref_data_field;

// keeps the reference's library among our dependencies
EXPORT int bridge_ref_version(void);

int bridge_ref_version(void) {
  return mj_version();
}

// Its plugins are libraries of their own. Loaded in this order they have the slots of ours.
__attribute__((constructor)) static void load_plugins(void) {
  static const char* const files[] = {"libactuator.so", "libelasticity.so", "libsensor.so",
                                      "libsdf_plugin.so"};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    char path[1000];
    int length = snprintf(path, sizeof path, "%s/plugin/%s", CONDYLE_REFERENCE, files[i]);
    if (length < (int)sizeof path && access(path, R_OK) == 0) {
      mj_loadPluginLibrary(path);
    }
  }
}

static int found(RefField* field, void* data, size_t count, size_t element) {
  field->data = data;
  field->count = data ? count : 0;
  field->element = element;
  return 1;
}

#undef MJ_M
#undef MJ_D
#define MJ_M(n) m->n
#define MJ_D(n) d->n

int bridge_ref_model_field(RefField* field, void* model, const char* name) {
  mjModel* m = model;
#define FIND(label, place, count)                                  \
  if (!strcmp(name, label)) {                                      \
    return found(field, place, (size_t)(count), sizeof(*(place))); \
  }
  FIND("vis", &m->vis, 1)
  FIND("stat", &m->stat, 1)
  FIND("signature", &m->signature, 1)
#define X(size) FIND(#size, &m->size, 1)
  MJMODEL_INTS
#undef X
#define X(type, option) FIND(#option, &m->opt.option, 1)
  MJOPTION_SCALARS
#undef X
#define X(option, n) FIND(#option, m->opt.option, n)
  MJOPTION_VECTORS
#undef X
#define X(type, array, nr, nc) FIND(#array, m->array, m->nr*(nc))
  MJMODEL_POINTERS
#undef X
  return 0;
}

int bridge_ref_data_field(RefField* field, void* model, void* data, const char* name) {
  const mjModel* m = model;
  mjData* d = data;
  int nv = m->nv;
  (void)nv;
#define X(type, scalar) FIND(#scalar, &d->scalar, 1)
  MJDATA_SCALAR
#undef X
#define X(type, vector, n1, n2) FIND(#vector, d->vector, (n1) * (n2))
  MJDATA_VECTOR
#undef X
#define X(type, array, nr, nc) FIND(#array, d->array, m->nr*(nc))
  MJDATA_POINTERS
#undef X
#define X(type, array, nr, nc) FIND(#array, d->array, (nr) * (nc))
  MJDATA_ARENA_POINTERS
#undef X
  return 0;
}
