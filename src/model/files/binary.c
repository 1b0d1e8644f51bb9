// binary.c: models as bytes (MJB).
//
//   5 ints | sizes | mjOption | mjVisual | mjStatistic | every array of 3.3.7, without padding
//
// The ints are: a number that marks the format, the bytes of an mjtNum, and the counts of int
// sizes, 64-bit sizes and arrays. There is no version: equal counts and lengths are the only proof
// that writer and reader mean the same fields. Everything read is checked. The signature of the
// spec is not kept.                                                     theory/model/format.md, MJB
//
// A model that uses what later releases have added is marked by another number, and has more:
//
//   7 ints | sizes | later sizes | mjOption ... | arrays of 3.3.7 | later arrays, but computed ones
//
// where the two more ints count the later sizes and arrays.

#include <condyle/output.h>
#include <limits.h>
#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/actuator.h"
#include "base/memory/check.h"
#include "base/memory/memory.h"
#include "model/contact_options.h"
#include "model/derived/derived.h"
#include "model/derived/flex_metric.h"
#include "model/field.h"
#include "model/input.h"
#include "model/meeting.h"
#include "model/model.h"
#include "model/terms.h"
#include "model/tree/alike.h"
#include "model/tree/trees.h"

// the header, and the messages for a different one
#define COUNT_INT(type, name, meaning) +(sizeof(type) == sizeof(int))
#define COUNT_SIZE(type, name, meaning) +(sizeof(type) != sizeof(int))
#define COUNT_ARRAY(type, name, rows, columns, meaning) +1
#define COUNT_SIZE_SINCE(release, type, name, meaning) +1
#define COUNT_SINCE(release, absent, type, name, rows, columns, meaning) +1
enum {
  FORMAT_ID = 54321,        // arrays of 3.3.7
  FORMAT_SINCE_ID = 54322,  // and later ones
  NHEADER = 5,
  NHEADER_SINCE = 7,
  NARRAY = 0 CND_MODEL_ARRAYS(COUNT_ARRAY, COUNT_ARRAY),  // first in field_model
  NARRAY_SINCE = 0 CND_MODEL_ARRAYS_SINCE(COUNT_SINCE),   // those that follow
};
static const int header[NHEADER_SINCE] = {
    FORMAT_ID,
    (int)sizeof(mjtNum),
    0 CND_MODEL_SIZES(COUNT_INT),
    0 CND_MODEL_SIZES(COUNT_SIZE),
    NARRAY,
    0 CND_MODEL_SIZES_SINCE(COUNT_SIZE_SINCE),
    NARRAY_SINCE,
};
static const char* const foreign[NHEADER_SINCE] = {
    "Model missing header ID",
    "Model and executable have different floating point precision",
    "Model and executable have different number of ints in mjModel",
    "Model and executable have different number of size_t members in mjModel",
    "Model and executable have different number of pointers in mjModel",
    "Model and executable have different number of later sizes in mjModel",
    "Model and executable have different number of later arrays in mjModel",
};

// Do the controls stand for something else than what follows from the laws of the actuators?
static int inputs_differ(const mjModel* m) {
  for (int i = 0; i < (int)m->nactuator; i++) {
    if (gain_has_law(m->actuator_gaintype[i]) || m->actuator_ctrlspec[i] != input_of_law(m, i)) {
      return 1;
    }
  }
  return 0;
}

// Has an author said which trees may sleep?
static int policies_differ(const mjModel* m) {
  for (int i = 0; i < m->ntree; i++) {
    if (m->tree_sleep_policy[i] >= mjSLEEP_NEVER) {
      return 1;
    }
  }
  return 0;
}

// Does the model use what later releases have added? Kinds of actuators with several inputs have
// no number there.
static int uses_later(const mjModel* m) {
  mjOption usual;
  mj_defaultOption(&usual);
  if (m->nactuator != (mjtSize)m->nu || m->nout != (mjtSize)m->nu || m->opt.behaviour ||
      m->opt.sleep_tolerance != usual.sleep_tolerance || inputs_differ(m) || policies_differ(m)) {
    return 1;
  }
  for (int i = NARRAY; i < NARRAY + NARRAY_SINCE; i++) {
    if (!field_is_absent(&field_model, i, m, m)) {
      return 1;
    }
  }
  return 0;
}

// Bytes of mjOption in the file: the members of later releases stand at its end.
static size_t option_bytes(int later) {
  return later ? sizeof(mjOption) : offsetof(mjOption, sleep_tolerance);
}

// Number of arrays in the file; those of later releases count if `later`.
static int narray(int later) {
  return later ? NARRAY + NARRAY_SINCE : NARRAY;
}

static int is_stored(int i) {
  const cndField* field = field_model.field + i;
  return !field->since || !isnan(field->absent) || !strcmp(field->name, "actuator_ctrlspec") ||
         !strcmp(field->name, "tree_sleep_policy");
}

// Bytes of a saved model, without padding.                            theory/data.md, Binary models
int64_t cnd_sizeModel(const mjModel* m) {
  check_given(m);
  int later = uses_later(m);
  size_t bytes = (size_t)(later ? NHEADER_SINCE : NHEADER) * sizeof(int) + option_bytes(later) +
                 sizeof(mjVisual) + sizeof(mjStatistic);
#define SIZE(type, name, meaning) bytes += sizeof(type);
#define SIZE_SINCE(release, type, name, meaning) bytes += later ? sizeof(type) : 0;
  CND_MODEL_SIZES(SIZE)
  CND_MODEL_SIZES_SINCE(SIZE_SINCE)
#undef SIZE
#undef SIZE_SINCE
  for (int i = 0; i < narray(later); i++) {
    bytes += is_stored(i) ? field_bytes(&field_model, i, m, NULL) : 0;
  }
  return (int64_t)bytes;
}

int mj_sizeModel(const mjModel* m) {
  check_given(m);
  int64_t bytes = cnd_sizeModel(m);
  if (bytes > INT_MAX) {
    mju_error("mj_sizeModel: the model takes %lld bytes, more than an int can hold",
              (long long)bytes);
  }
  return (int)bytes;
}

// saving

// Output to a file or to memory. A failed write is noticed when the file is closed.
typedef struct Sink_ {
  FILE* file;
  char* memory;
} Sink;

static void put(Sink* sink, const void* data, size_t bytes) {
  if (bytes && sink->file) {
    fwrite(data, 1, bytes, sink->file);
  } else if (bytes) {
    memcpy(sink->memory, data, bytes);
    sink->memory += bytes;
  }
}

static void put_model(Sink* sink, const mjModel* m) {
  int later = uses_later(m), id = later ? FORMAT_SINCE_ID : FORMAT_ID;
  put(sink, &id, sizeof(id));
  put(sink, header + 1, (size_t)((later ? NHEADER_SINCE : NHEADER) - 1) * sizeof(int));
#define PUT(type, name, meaning) put(sink, &m->name, sizeof(type));
#define PUT_SINCE(release, type, name, meaning) put(sink, &m->name, later ? sizeof(type) : 0);
  CND_MODEL_SIZES(PUT)
  CND_MODEL_SIZES_SINCE(PUT_SINCE)
#undef PUT
#undef PUT_SINCE
  put(sink, &m->opt, option_bytes(later));
  put(sink, &m->vis, sizeof(mjVisual));
  put(sink, &m->stat, sizeof(mjStatistic));
  for (int i = 0; i < narray(later); i++) {
    if (is_stored(i)) {
      put(sink, field_pointer(m, field_model.field + i), field_bytes(&field_model, i, m, NULL));
    }
  }
}

void cnd_saveModel(const mjModel* m, const char* filename, void* buffer, int64_t buffer_sz) {
  check_given(m);
  if (buffer) {
    if (buffer_sz < cnd_sizeModel(m)) {
      mju_error("mj_saveModel: buffer too small: it has %lld bytes, the model needs %lld",
                (long long)buffer_sz, (long long)cnd_sizeModel(m));
      return;
    }
    put_model(&(Sink){.memory = buffer}, m);
    return;
  }

  cndOutput out;
  if (!filename || !cnd_openOutput(&out, filename)) {
    mju_warning("Could not open file '%s': %s", filename ? filename : "",
                filename ? strerror(out.reason) : "it has no name");
    return;
  }
  put_model(&(Sink){.file = out.file}, m);
  if (!cnd_closeOutput(&out, 1)) {
    mju_warning("Could not write file '%s': %s", filename, strerror(out.reason));
  }
}

void mj_saveModel(const mjModel* m, const char* filename, void* buffer, int buffer_sz) {
  check_given(m);
  cnd_saveModel(m, filename, buffer, buffer_sz);
}

// loading

// The bytes left to read.
typedef struct Source_ {
  const char* data;
  size_t left;
} ByteSource;

static int take(void* out, ByteSource* source, size_t bytes) {
  if (source->left < bytes) {
    return 0;
  }
  if (bytes) {
    memcpy(out, source->data, bytes);
  }
  source->data += bytes;
  source->left -= bytes;
  return 1;
}

static mjModel* refuse(mjModel* m, const char* reason) {
  mju_warning("%s", reason);
  mj_deleteModel(m);
  return NULL;
}

// May a model have these sizes? njmax and nconmax may be -1 for "not given".
static int sizes_possible(const mjModel* sizes) {
#define CHECK(type, name, meaning)                                                     \
  if (sizeof(type) == sizeof(int) && (int)sizes->name < 0 && strcmp(#name, "njmax") && \
      strcmp(#name, "nconmax")) {                                                      \
    mju_warning("Invalid model: negative " #name);                                     \
    return 0;                                                                          \
  }
#define CHECK_SINCE(release, type, name, meaning)                   \
  if ((int64_t)sizes->name < 0 || (int64_t)sizes->name > INT_MAX) { \
    mju_warning("Invalid model: " #name " out of range");           \
    return 0;                                                       \
  }
  CND_MODEL_SIZES(CHECK)
  CND_MODEL_SIZES_SINCE(CHECK_SINCE)
#undef CHECK
#undef CHECK_SINCE
  if (sizes->nbody == 0) {
    mju_warning("Invalid model: nbody == 0");
    return 0;
  }
  return 1;
}

// Are enough bytes left for all arrays? This is asked before any allocation, so a short file cannot
// ask for much memory.
static int arrays_present(const mjModel* m, int later, size_t left) {
  for (int i = 0; i < narray(later); i++) {
    if (!is_stored(i)) {
      continue;
    }
    const FieldShape* shape = field_model.shape + i;
    const cndField* field = field_model.field + i;
    size_t rows = (size_t)field_count(&shape->rows, m, NULL), count, bytes;
    if (!size_multiply(&count, rows, (size_t)field_count(&shape->columns, m, NULL)) ||
        !size_multiply(&bytes, count, field->size) || bytes > left) {
      mju_warning("Truncated model file - ran out of data while reading %s", field->name);
      return 0;
    }
    left -= bytes;
  }
  return 1;
}

static void warn_option(void* context, mjtObj type, int id, const char* text) {
  (void)context, (void)type, (void)id;
  mju_warning("Invalid model: %s", text);
}

mjModel* model_read(const char* bytes, size_t size) {
  ByteSource source = {bytes, size};
  int found[NHEADER_SINCE];
  if (!take(found, &source, NHEADER * sizeof(int))) {
    return refuse(NULL, "Model file has an incomplete header");
  }
  int later = found[0] == FORMAT_SINCE_ID;
  if (later && !take(found + NHEADER, &source, (NHEADER_SINCE - NHEADER) * sizeof(int))) {
    return refuse(NULL, "Model file has an incomplete header");
  }
  for (int i = 0; i < (later ? NHEADER_SINCE : NHEADER); i++) {
    if (found[i] != (i || !later ? header[i] : FORMAT_SINCE_ID)) {
      return refuse(NULL, foreign[i]);
    }
  }

  // The header is right. Compare all sizes with the bytes that are left, then allocate memory.
  mjModel sizes = {0};
#define TAKE(type, name, meaning)                                                      \
  if (!take(&sizes.name, &source, sizeof(type))) {                                     \
    return refuse(NULL, "Truncated model file - ran out of data while reading sizes"); \
  }
  CND_MODEL_SIZES(TAKE)
  sizes.nactuator = sizes.nout = (mjtSize)sizes.nu;
#define TAKE_SINCE(release, type, name, meaning) \
  if (later) {                                   \
    TAKE(type, name, meaning)                    \
  }
  CND_MODEL_SIZES_SINCE(TAKE_SINCE)
#undef TAKE
#undef TAKE_SINCE
  sizes.nJten = sizes.nJfe = sizes.nflexstiffness = sizes.nflexbending = 0;  // counted below
  sizes.nefm0dof = sizes.nefm0L = sizes.nefmCvert = 0;
  if (!sizes_possible(&sizes)) {
    return NULL;
  }
  size_t structs = option_bytes(later) + sizeof(mjVisual) + sizeof(mjStatistic);
  if (source.left < structs) {
    return refuse(NULL, "Truncated model file - ran out of data while reading structs");
  }
  if (!arrays_present(&sizes, later, source.left - structs)) {
    return NULL;
  }

  // All arrays are present. Read them, then check the ids and addresses in them.
  mjModel* m = model_make(&sizes);
  if (!m) {
    return refuse(NULL, "Could not allocate memory");
  }
  if (m->nbuffer != sizes.nbuffer) {
    return refuse(m, "Corrupted model, wrong nbuffer field");
  }
  take(&m->opt, &source, option_bytes(later));
  take(&m->vis, &source, sizeof(mjVisual));
  take(&m->stat, &source, sizeof(mjStatistic));
  for (int i = 0; i < narray(later); i++) {
    if (is_stored(i)) {
      take(field_pointer(m, field_model.field + i), &source, field_bytes(&field_model, i, m, NULL));
    }
  }
  if (source.left) {
    return refuse(m, "Model file is too large");
  }

  if (!later) {
    inputs_infer(m);
  }
  inputs_place(m);
  const char* invalid = model_validate(m);
  invalid = invalid ? invalid : model_validate_contents(m);
  if (invalid) {
    return refuse(m, invalid);
  }
  if (contact_options_read(m, warn_option, NULL)) {
    mj_deleteModel(m);
    return NULL;
  }
  meeting_write(m);
  terms_mark(m);
  trees_write(m);
  alike_write(m);
  trees_measure(m);
  trees_decide(m);
  mjModel* whole = derived_complete(m);
  if (whole) {
    derived_metric(whole);
  }
  return whole ? whole : refuse(NULL, "Could not allocate memory");
}
