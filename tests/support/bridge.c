// bridge.c: our side of the bridge.

#define _GNU_SOURCE
#include "support/bridge.h"

#include <condyle/condyle.h>
#ifndef _WIN32
#include <dlfcn.h>
#endif
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/data/arena.h"
#include "model/derived/derived.h"
#include "model/input.h"
#include "model/model.h"
#include "model/tree/trees.h"
#include "support/bridge_ref.h"
#include "support/near.h"
#include "support/random.h"

// sanitizers that replace the allocator and deep binding exclude each other
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(RTLD_DEEPBIND)
#define DEEPBIND 0
#else
#define DEEPBIND RTLD_DEEPBIND
#endif

static void* library = NULL;
static RefModelField* ref_model_field = NULL;
static RefDataField* ref_data_field = NULL;

static const char* library_path(void) {
#ifdef CONDYLE_BRIDGE_REF
  return CONDYLE_BRIDGE_REF;
#else
  return getenv("CONDYLE_BRIDGE_REF");
#endif
}

#ifdef _WIN32  // where there is no reference to compare with
#define RTLD_NOW 0
#define RTLD_LOCAL 0
#define dlopen(path, mode) ((void*)(size_t)((path) && (mode)))
#define dlsym(library, name) ((void*)(size_t)((library) && !(name)))
#define dlerror() ""
#endif

// dlsym gives a data pointer; POSIX says that it may hold a function
static void find_symbol(void* function, const char* name) {
  void* symbol = dlsym(library, name);
  memcpy(function, &symbol, sizeof(symbol));
}

// the reference computes in double precision, so a single precision build has no bridge
int bridge_available(void) {
  static int tried = 0;
  if (!tried && sizeof(mjtNum) == sizeof(double)) {
    tried = 1;
    const char* path = library_path();
    library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL | DEEPBIND) : NULL;
    if (path && !library) {
      fprintf(stderr, "bridge: %s\n", dlerror());
      abort();
    }
    if (library) {
      find_symbol(&ref_model_field, "bridge_ref_model_field");
      find_symbol(&ref_data_field, "bridge_ref_data_field");
    }
  }
  return library && ref_model_field && ref_data_field;
}

const char* bridge_why_not(void) {
  if (sizeof(mjtNum) != sizeof(double)) {
    return "the reference computes in double precision";
  }
  return "comparisons with the reference, which pip can't install here (scripts/reference.sh)";
}

void* bridge_function(const char* name) {
  return bridge_available() ? dlsym(library, name) : NULL;
}

static void must_find(void* function, const char* name) {
  find_symbol(function, name);
  if (!dlsym(library, name)) {
    fprintf(stderr, "bridge: the reference has no function %s\n", name);
    abort();
  }
}

// copying the model

static void copy_field(const RefField* from, void* to, size_t bytes, const char* name) {
  if (from->count * from->element != bytes) {
    fprintf(stderr, "bridge: %s has %zu bytes here, %zu in the reference\n", name, bytes,
            from->count * from->element);
    abort();
  }
  if (bytes) {
    memcpy(to, from->data, bytes);
  }
}

static RefField model_field(void* ref_m, const char* name) {
  RefField field;
  if (!ref_model_field(&field, ref_m, name)) {
    fprintf(stderr, "bridge: the reference has no model field %s\n", name);
    abort();
  }
  return field;
}

// What surfaces do stands in our struct besides.
enum {
  REF_CONTACT = sizeof(mjContact) - (offsetof(mjContact, mu) - offsetof(mjContact, adhesion))
};

// n contacts of the reference, which are smaller, in our struct.
static void bridge_contacts(mjContact* out, const void* ref, size_t n) {
  const size_t head = offsetof(mjContact, adhesion), tail = offsetof(mjContact, mu);
  memset(out, 0, n * sizeof(mjContact));
  for (size_t i = 0; i < n; i++) {
    const char* from = (const char*)ref + i * REF_CONTACT;
    memcpy(out + i, from, head);
    memcpy((char*)(out + i) + tail, from + head, REF_CONTACT - head);
  }
}

int bridge_collide(mjContact* out, const Bridge* b, int type1, int type2, int g1, int g2,
                   mjtNum margin) {
  static mjContact raw[mjMAXCONPAIR];
  mjfCollision(*collider)[mjNGEOMTYPES] = bridge_function("mjCOLLISIONFUNC");
  int num = collider[type1][type2](b->ref_m, b->ref_d, raw, g1, g2, margin);
  bridge_contacts(out, raw, (size_t)num);
  return num;
}

// The contacts of 3.3.7 in our struct. They stay until the next call.
static void widen_contacts(RefField* field) {
  static mjContact* contacts = NULL;
  contacts = realloc(contacts, (field->count + 1) * sizeof(mjContact));
  bridge_contacts(contacts, field->data, field->count);
  field->data = field->data ? contacts : NULL;
  field->element = sizeof(mjContact);
}

static RefField data_field(const Bridge* b, const char* name) {
  RefField field;
  if (!ref_data_field(&field, b->ref_m, b->ref_d, name)) {
    fprintf(stderr, "bridge: the reference has no data field %s\n", name);
    abort();
  }
  if (!strcmp(name, "contact") && field.element < sizeof(mjContact)) {
    widen_contacts(&field);
  }
  return field;
}

void bridge_pull_model(Bridge* b) {
  RefField field;
#define WHOLE(name)                     \
  field = model_field(b->ref_m, #name); \
  copy_field(&field, &b->m->name, sizeof(b->m->name), #name)
  WHOLE(vis);
  WHOLE(stat);
  WHOLE(signature);
#undef WHOLE
  for (int i = 0; i < cnd_optionFieldCount(); i++) {
    const char* name = cnd_optionField(i)->name;
    cndArray array;
    if (cnd_optionField(i)->since) {
      continue;
    }
    cnd_modelArray(&array, b->m, name);
    field = model_field(b->ref_m, name);
    copy_field(&field, array.data, array.rows * array.columns * array.field->size, name);
  }
  for (int i = 0; i < cnd_modelFieldCount(); i++) {
    const char* name = cnd_modelField(i)->name;
    cndArray array;
    cnd_modelArray(&array, b->m, name);
    if (!array.field->hidden && !array.field->since) {
      field = model_field(b->ref_m, name);
      copy_field(&field, array.data, array.rows * array.columns * array.field->size, name);
    }
  }
}

// Takes over a model of the reference and makes datas; frees it if that fails.
static Bridge* adopt(void* ref_m) {
  void* (*make_data)(const void*);
  must_find(&make_data, "mj_makeData");

  mjModel sizes;
  memset(&sizes, 0, sizeof(sizes));
  for (int i = 0; i < cnd_sizeFieldCount(); i++) {
    const cndField* field = cnd_sizeField(i);
    if (!field->hidden && !field->since) {
      RefField from = model_field(ref_m, field->name);
      copy_field(&from, (char*)&sizes + field->offset, field->size, field->name);
    }
  }

  sizes.nactuator = sizes.nout = (mjtSize)sizes.nu;

  Bridge* b = calloc(1, sizeof(Bridge));
  if (!b) {
    abort();
  }
  b->ref_m = ref_m;
  b->m = model_make(&sizes);
  b->ref_d = make_data(ref_m);
  if (!b->m || !b->ref_d) {
    fprintf(stderr, "bridge: out of memory\n");
    bridge_free(b);
    return NULL;
  }
  bridge_pull_model(b);
  inputs_infer(b->m);
  inputs_place(b->m);
  trees_write(b->m);
  trees_measure(b->m);
  trees_decide(b->m);
  b->m = derived_complete(b->m);
  b->d = b->m ? mj_makeData(b->m) : NULL;
  return b;
}

Bridge* bridge_load(const char* filename) {
  if (!bridge_available()) {
    return NULL;
  }
  void* (*load_xml)(const char*, const void*, char*, int);
  void* (*load_bytes)(const char*, const void*);
  must_find(&load_xml, "mj_loadXML");
  must_find(&load_bytes, "mj_loadModel");
  char error[1000] = "";
  const char* ending = strrchr(filename, '.');
  void* ref_m = ending && !strcmp(ending, ".mjb") ? load_bytes(filename, NULL)
                                                  : load_xml(filename, NULL, error, sizeof(error));
  if (!ref_m) {
    fprintf(stderr, "bridge: %s: %s\n", filename, error);
    return NULL;
  }
  return adopt(ref_m);
}

Bridge* bridge_load_text(const char* xml) {
  if (!bridge_available()) {
    return NULL;
  }
  void* (*parse)(const char*, const void*, char*, int);
  void* (*compile)(void*, const void*);
  const char* (*get_error)(void*);
  void (*delete_spec)(void*);
  must_find(&parse, "mj_parseXMLString");
  must_find(&compile, "mj_compile");
  must_find(&get_error, "mjs_getError");
  must_find(&delete_spec, "mj_deleteSpec");

  char error[1000] = "";
  void* spec = parse(xml, NULL, error, sizeof(error));
  if (!spec) {
    fprintf(stderr, "bridge: %s\n", error);
    return NULL;
  }
  void* ref_m = compile(spec, NULL);
  if (!ref_m) {
    fprintf(stderr, "bridge: %s\n", get_error(spec));
  }
  delete_spec(spec);
  return ref_m ? adopt(ref_m) : NULL;
}

void bridge_free(Bridge* b) {
  if (!b) {
    return;
  }
  void (*delete_model)(void*);
  void (*delete_data)(void*);
  must_find(&delete_model, "mj_deleteModel");
  must_find(&delete_data, "mj_deleteData");
  delete_data(b->ref_d);
  delete_model(b->ref_m);
  mj_deleteData(b->d);
  mj_deleteModel(b->m);
  free(b);
}

// state

void bridge_run(Bridge* b, const char* function) {
  void (*call)(const void*, void*);
  must_find(&call, function);
  call(b->ref_m, b->ref_d);
}

void bridge_set_state(Bridge* b, const mjtNum* state, unsigned int sig) {
  void (*set)(const void*, void*, const mjtNum*, unsigned int);
  must_find(&set, "mj_setState");
  set(b->ref_m, b->ref_d, state, sig);
  mj_setState(b->m, b->d, state, sig);
}

static void fill_random(mjtNum* out, int n, double scale, uint64_t* seed) {
  for (int i = 0; i < n; i++) {
    out[i] = (mjtNum)(scale * uniform_random(seed));
  }
}

void bridge_random(Bridge* b, unsigned int seed, double scale) {
  void (*integrate)(const void*, mjtNum*, const mjtNum*, mjtNum);
  must_find(&integrate, "mj_integratePos");
  bridge_run(b, "mj_resetData");

  uint64_t r = 2ULL * seed + 1;
  uniform_random(&r);
  mjData* d = b->d;
  const mjModel* m = b->m;
  mj_resetData(m, d);
  fill_random(d->qvel, m->nv, scale, &r);
  integrate(b->ref_m, d->qpos, d->qvel, 1);
  fill_random(d->qvel, m->nv, scale, &r);
  fill_random(d->ctrl, m->nu, scale, &r);
  fill_random(d->qfrc_applied, m->nv, scale, &r);
  fill_random(d->xfrc_applied + 6, 6 * (m->nbody - 1), scale, &r);
  for (int i = 0; i < m->na; i++) {
    d->act[i] = (mjtNum)(scale * fabs(uniform_random(&r)));
  }
  bridge_push(b, "qpos qvel act ctrl qfrc_applied xfrc_applied mocap_pos mocap_quat eq_active");
}

// copying data

// Takes the next name from a list; returns 0 at its end.
static int next_name(char name[100], const char** list) {
  *list += strspn(*list, " \n,");
  size_t length = strcspn(*list, " \n,");
  if (!length || length >= 100) {
    return 0;
  }
  memcpy(name, *list, length);
  name[length] = 0;
  *list += length;
  return 1;
}

// Fields that are bookkeeping of each engine's own memory.
static int is_own(const char* name) {
  return !strncmp(name, "maxuse", 6) || !strcmp(name, "narena") || !strcmp(name, "nbuffer") ||
         !strcmp(name, "pstack") || !strcmp(name, "pbase") || !strcmp(name, "parena") ||
         !strcmp(name, "threadpool") || !strcmp(name, "plugin_data");
}

static cndArray own_field(const Bridge* b, const char* name) {
  cndArray array;
  if (!cnd_dataArray(&array, b->m, b->d, name)) {
    fprintf(stderr, "bridge: mjData has no field %s\n", name);
    abort();
  }
  return array;
}

static void pull_one(Bridge* b, const char* name) {
  RefField from = data_field(b, name);
  cndArray to = own_field(b, name);
  if (to.field->arena) {
    size_t bytes = from.count * from.element;
    void* place = from.data ? to.data : NULL;
    if (from.data && (!place || to.rows * to.columns != from.count)) {
      place = arena_alloc(b->d, bytes ? bytes : 1, 64);
      if (!place) {
        fprintf(stderr, "bridge: the arena is too small for %s\n", name);
        abort();
      }
    }
    memcpy((char*)b->d + to.field->offset, &place, sizeof(place));
    if (bytes) {
      memcpy(place, from.data, bytes);
    }
  } else {
    copy_field(&from, to.data, to.rows * to.columns * to.field->size, name);
  }
}

static void pull_all(Bridge* b) {
  arena_clear(b->d);
  b->d->contact = NULL;
  for (int i = 0; i < cnd_dataFieldCount(); i++) {
    const cndField* field = cnd_dataField(i);
    if (!field->hidden && !field->since && !is_own(field->name)) {
      pull_one(b, field->name);
    }
  }
  if (!b->d->contact) {
    b->d->contact = b->d->arena;
  }
}

void bridge_pull(Bridge* b, const char* fields) {
  if (!fields) {
    pull_all(b);
    return;
  }
  char name[100];
  while (next_name(name, &fields)) {
    pull_one(b, name);
  }
}

void bridge_push(Bridge* b, const char* fields) {
  char name[100];
  while (next_name(name, &fields)) {
    RefField to = data_field(b, name);
    cndArray from = own_field(b, name);
    size_t bytes = from.rows * from.columns * from.field->size;
    if (bytes != to.count * to.element) {
      fprintf(stderr, "bridge: %s has different sizes in both engines\n", name);
      abort();
    }
    if (bytes) {
      memcpy(to.data, from.data, bytes);
    }
  }
}

void bridge_push_model(Bridge* b, const char* fields) {
  char name[100];
  while (next_name(name, &fields)) {
    RefField to = model_field(b->ref_m, name);
    cndArray from;
    cnd_modelArray(&from, b->m, name);
    memcpy(to.data, from.data, to.count * to.element);
  }
}

const void* bridge_ref_data(const Bridge* b, const char* field, size_t* count) {
  RefField found = data_field(b, field);
  if (count) {
    *count = found.count;
  }
  return found.data;
}

// comparing

// Element i of an array of numbers of any type, as a double.
static double element(const char* type, const void* data, size_t i) {
  if (!strcmp(type, "mjtNum")) {
    return ((const mjtNum*)data)[i];
  }
  if (!strcmp(type, "float")) {
    return ((const float*)data)[i];
  }
  if (!strcmp(type, "int")) {
    return ((const int*)data)[i];
  }
  if (!strcmp(type, "mjtByte") || !strcmp(type, "char")) {
    return ((const unsigned char*)data)[i];
  }
  return (double)((const uint64_t*)data)[i];
}

// Compares arrays of one type, integers exactly; prints the worst element. Returns 1 if they
// differ.
static int compare_numbers(const char* label, const char* type, size_t count, size_t columns,
                           const void* ours, const void* other, double tolerance) {
  size_t where = 0, size = !strcmp(type, "mjtNum")  ? sizeof(mjtNum)
                           : !strcmp(type, "float") ? sizeof(float)
                                                    : 0;
  double error = 0;
  if (size) {
    error = near_error(&where, ours, size, other, size, count, 1e-4);
  } else {
    while (where < count && element(type, ours, where) == element(type, other, where)) {
      where++;
    }
    error = where < count ? INFINITY : 0;
  }
  if (error <= tolerance && isfinite(tolerance)) {
    return 0;
  }
  fprintf(stderr, "  %s[%zu,%zu]: ours %.17g, other %.17g, relative error %.2g\n", label,
          where / columns, where % columns, element(type, ours, where), element(type, other, where),
          error);
  return 1;
}

// Contacts: each member of the struct is a field of its own.
static int compare_contacts(size_t count, const void* ours, const void* other, double tolerance) {
  const mjContact *a = ours, *r = other;
  int differ = 0;
  for (size_t i = 0; i < count; i++) {
    char label[100];
#define MEMBER(name, type, n)                                                                    \
  snprintf(label, sizeof(label), "contact[%zu].%s", i, #name);                                   \
  differ |= compare_numbers(label, type, n, n, (const void*)&a[i].name, (const void*)&r[i].name, \
                            tolerance)
    MEMBER(dist, "mjtNum", 1);
    MEMBER(pos, "mjtNum", 3);
    MEMBER(frame, "mjtNum", 9);
    MEMBER(includemargin, "mjtNum", 1);
    MEMBER(friction, "mjtNum", 5);
    MEMBER(solref, "mjtNum", mjNREF);
    MEMBER(solreffriction, "mjtNum", mjNREF);
    MEMBER(solimp, "mjtNum", mjNIMP);
    MEMBER(dim, "int", 1);
    MEMBER(geom1, "int", 1);
    MEMBER(geom2, "int", 1);
    MEMBER(geom, "int", 2);
    MEMBER(flex, "int", 2);
    MEMBER(elem, "int", 2);
    MEMBER(vert, "int", 2);
    MEMBER(exclude, "int", 1);
    MEMBER(efc_address, "int", 1);
    // written for contacts with rows of an elliptic cone only
    if (a[i].efc_address >= 0 && r[i].dim > 1 && r[i].mu != 0) {
      MEMBER(mu, "mjtNum", 1);
    }
#undef MEMBER
  }
  return differ;
}

static int compare_field(const cndField* field, size_t ours_count, size_t columns, const void* ours,
                         size_t other_count, const void* other, double tolerance) {
  if (ours_count != other_count) {
    fprintf(stderr, "  %s: ours has %zu elements, other %zu\n", field->name, ours_count,
            other_count);
    return 1;
  }
  if (!ours_count) {
    return 0;
  }
  if (!memcmp(ours, other, ours_count * field->size)) {
    return 0;
  }
  if (!strcmp(field->type, "mjContact")) {
    return compare_contacts(ours_count, ours, other, tolerance);
  }
  if (!strcmp(field->type, "mjWarningStat")) {
    return compare_numbers(field->name, "int", 2 * ours_count, 2, ours, other, tolerance);
  }
  return compare_numbers(field->name, field->type, ours_count, columns ? columns : 1, ours, other,
                         tolerance);
}

// Bookkeeping that is compared only when asked for by name.
static int is_bookkeeping(const cndField* field) {
  return field->hidden || is_own(field->name) || !strcmp(field->name, "solver") ||
         !strcmp(field->name, "solver_niter") || !strcmp(field->name, "solver_nnz") ||
         !strcmp(field->name, "solver_fwdinv") || !strcmp(field->name, "timer");
}

// One field of our data against the reference's (b) or another data of ours.
static int compare_data_field(const char* name, const mjModel* m, const mjData* d, const Bridge* b,
                              const mjData* other, double tolerance) {
  cndArray ours;
  if (!cnd_dataArray(&ours, m, d, name)) {
    fprintf(stderr, "bridge: mjData has no field %s\n", name);
    return 1;
  }
  size_t count;
  const void* data;
  if (b) {
    data = bridge_ref_data(b, name, &count);
  } else {
    cndArray theirs;
    cnd_dataArray(&theirs, m, other, name);
    data = theirs.data;
    count = theirs.rows * theirs.columns;
  }
  return compare_field(ours.field, ours.rows * ours.columns, ours.columns, ours.data, count, data,
                       tolerance);
}

static int compare_data(const mjModel* m, const mjData* d, const Bridge* b, const mjData* other,
                        const char* fields, double tolerance) {
  int differ = 0;
  if (fields) {
    char name[100];
    while (next_name(name, &fields)) {
      differ += compare_data_field(name, m, d, b, other, tolerance);
    }
    return differ;
  }
  for (int i = 0; i < cnd_dataFieldCount(); i++) {
    const cndField* field = cnd_dataField(i);
    if (!is_bookkeeping(field) && !(b && field->since)) {
      differ += compare_data_field(field->name, m, d, b, other, tolerance);
    }
  }
  return differ;
}

int bridge_compare(const Bridge* b, const char* fields, double tolerance) {
  return compare_data(b->m, b->d, b, NULL, fields, tolerance);
}

int bridge_compare_datas(const mjModel* m, const mjData* ours, const mjData* other,
                         const char* fields, double tolerance) {
  return compare_data(m, ours, NULL, other, fields, tolerance);
}

// One size, option or array of our model against the reference's or another of ours.
static int compare_model_field(const char* name, const mjModel* m, void* ref_m,
                               const mjModel* other, double tolerance) {
  cndArray ours;
  if (!cnd_modelArray(&ours, m, name)) {
    fprintf(stderr, "bridge: mjModel has no field %s\n", name);
    return 1;
  }
  size_t count;
  const void* data;
  if (ref_m) {
    RefField theirs = model_field(ref_m, name);
    data = theirs.data;
    count = theirs.count;
  } else {
    cndArray theirs;
    cnd_modelArray(&theirs, other, name);
    data = theirs.data;
    count = theirs.rows * theirs.columns;
  }
  return compare_field(ours.field, ours.rows * ours.columns, ours.columns, ours.data, count, data,
                       tolerance);
}

static int compare_model(const mjModel* m, void* ref_m, const mjModel* other, const char* fields,
                         double tolerance) {
  int differ = 0;
  if (fields) {
    char name[100];
    while (next_name(name, &fields)) {
      differ += compare_model_field(name, m, ref_m, other, tolerance);
    }
    return differ;
  }
  const cndField* (*const lists[])(int) = {cnd_sizeField, cnd_optionField, cnd_modelField};
  for (int k = 0; k < 3; k++) {
    for (int i = 0; lists[k](i); i++) {
      if (!lists[k](i)->hidden && !(ref_m && lists[k](i)->since)) {
        differ += compare_model_field(lists[k](i)->name, m, ref_m, other, tolerance);
      }
    }
  }

  // the settings without a table
  mjVisual vis = m->vis;
  mjStatistic stat = m->stat;
  const void* their_vis = ref_m ? model_field(ref_m, "vis").data : (const void*)&other->vis;
  const void* their_stat = ref_m ? model_field(ref_m, "stat").data : (const void*)&other->stat;
  if (memcmp(&vis, their_vis, sizeof(vis))) {
    fprintf(stderr, "  vis differs\n");
    differ++;
  }
  differ += compare_numbers("stat", "mjtNum", sizeof(stat) / sizeof(mjtNum), 1, &stat, their_stat,
                            tolerance);
  return differ;
}

int bridge_compare_model(const Bridge* b, const char* fields, double tolerance) {
  return compare_model(b->m, b->ref_m, NULL, fields, tolerance);
}

int bridge_compare_models(const mjModel* ours, const mjModel* other, const char* fields,
                          double tolerance) {
  return compare_model(ours, NULL, other, fields, tolerance);
}
