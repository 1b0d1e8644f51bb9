// model.c: making, copying and freeing models.

#include "model/model.h"

#include <limits.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/memory/check.h"
#include "base/memory/memory.h"
#include "model/checks/pair.h"
#include "model/copy.h"
#include "model/field.h"
#include "model/input.h"
#include "model/layout.h"

static void default_statistic(mjStatistic* stat) {
  *stat = (mjStatistic){.meaninertia = 1, .meanmass = 1, .meansize = (mjtNum)0.2, .extent = 2};
}

mjModel* model_make(const mjModel* sizes) {
  mjModel* m = memory_take(sizeof(mjModel));
  if (!m) {
    return NULL;
  }
  memset(m, 0, sizeof(mjModel));
#define COPY(type, name, meaning) m->name = sizes->name;
#define COPY_SINCE(release, type, name, meaning) m->name = sizes->name;
  CND_MODEL_SIZES(COPY)
  CND_MODEL_SIZES_SINCE(COPY_SINCE)
  CND_MODEL_PRIVATE_SIZES(COPY)
#undef COPY
#undef COPY_SINCE

  size_t nbuffer = 0;
  size_t bytes = field_layout(&field_model, NULL, &nbuffer, m, NULL);
  m->buffer = bytes ? memory_take_zero(bytes) : NULL;
  if (!m->buffer) {
    mju_free(m);
    return NULL;
  }
  field_layout(&field_model, m, &nbuffer, m, layout_base(m->buffer));
  m->nbuffer = nbuffer;
  field_write_absent(&field_model, m, m);
  inputs_place(m);
  int size[CND_NDATASIZE];
  pair_sizes(size, m);
  m->cnd_shape = pair_shape(size);

  mj_defaultOption(&m->opt);
  mj_defaultVisual(&m->vis);
  default_statistic(&m->stat);
  return m;
}

mjModel* model_resize(const mjModel* m, const mjModel* sizes) {
  mjModel* to = model_make(sizes);
  if (!to) {
    return NULL;
  }
  to->opt = m->opt;
  to->vis = m->vis;
  to->stat = m->stat;
  to->signature = m->signature;
  to->cnd_contact = m->cnd_contact;
  to->cnd_has_terms = m->cnd_has_terms;
  to->cnd_ngroup = m->cnd_ngroup;
  to->cnd_nplain = m->cnd_nplain;
  for (int i = 0; i < field_model.count; i++) {
    const cndField* field = field_model.field + i;
    size_t bytes = field_bytes(&field_model, i, m, NULL);
    if (!bytes || bytes != field_bytes(&field_model, i, to, NULL)) {
      continue;
    }
    void* place = field_pointer(to, field);
    if (field->since) {
      memcpy(place, field_pointer(m, field), bytes);  // zeros, too: the place may hold -1
    } else {
      memory_copy(place, field_pointer(m, field), bytes);
    }
  }
  return to;
}

// Do both models have the same sizes? Ends in mju_error if not.
static int check_sizes(const char* function, const mjModel* dest, const mjModel* src) {
#define COMPARE(type, name, meaning)                                                         \
  if (dest->name != src->name) {                                                             \
    mju_error("%s: dest and src have different sizes: " #name " is %lld and %lld", function, \
              (long long)dest->name, (long long)src->name);                                  \
    return 0;                                                                                \
  }
#define COMPARE_SINCE(release, type, name, meaning) COMPARE(type, name, meaning)
  CND_MODEL_SIZES(COMPARE)
  CND_MODEL_SIZES_SINCE(COMPARE_SINCE)
  CND_MODEL_PRIVATE_SIZES(COMPARE)
#undef COMPARE
#undef COMPARE_SINCE
  return 1;
}

mjModel* model_copy(const char* function, mjModel* dest, const mjModel* src, CopyKind kind) {
  if (!dest) {
    dest = model_make(src);
    if (!dest) {
      mju_warning("%s: could not allocate memory for the copy", function);
      return NULL;
    }
  } else if (!check_sizes(function, dest, src)) {
    return NULL;
  }
  if (dest == src) {
    return dest;
  }

  // copy array by array, because the padding between them is undefined
  dest->opt = src->opt;
  dest->vis = src->vis;
  dest->stat = src->stat;
  dest->signature = src->signature;
  dest->cnd_contact = src->cnd_contact;
  dest->cnd_has_terms = src->cnd_has_terms;
  dest->cnd_ngroup = src->cnd_ngroup;
  dest->cnd_nplain = src->cnd_nplain;
  for (int i = 0; i < field_model.count; i++) {
    const cndField* field = field_model.field + i;
    if (kind == COPY_ALL || !field_model.shape[i].heavy) {
      memcpy(field_pointer(dest, field), field_pointer(src, field),
             field_bytes(&field_model, i, src, NULL));
    }
  }
  return dest;
}

mjModel* mj_copyModel(mjModel* dest, const mjModel* src) {
  check_given(src);
  return model_copy(__func__, dest, src, COPY_ALL);
}

void mj_deleteModel(mjModel* m) {
  if (m) {
    mju_free(m->buffer);
    mju_free(m);
  }
}
