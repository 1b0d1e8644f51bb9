// Every model of tests/models, and every model of the reference's that holds nothing deformable,
// compiles to the reference's mjModel: all sizes, all arrays, all names. What is saved of
// it, as text and as bytes, is the same model again, in either engine. Without the reference the
// models are saved and loaded only.

#include <unistd.h>

#include "support/models.h"
#include "support/near.h"
#include "support/precision.h"

enum {
  ROOM = 1 << 22  // bytes of the longest saved text
};

// Boxes may be split otherwise, and a hull may be cut into other triangles.
static const char* const free_to_choose[] = {
    "nbvh",
    "nbvhstatic",
    "nbvhdynamic",
    "body_bvhadr",
    "body_bvhnum",
    "bvh_depth",
    "bvh_child",
    "bvh_nodeid",
    "bvh_aabb",
    "mesh_bvhadr",
    "mesh_bvhnum",
    "nbuffer",
    "nmeshgraph",
    "mesh_graph",
    "mesh_graphadr",
    "nmeshpoly",
    "nmeshpolyvert",
    "nmeshpolymap",
    "mesh_polynum",
    "mesh_polyadr",
    "mesh_polynormal",
    "mesh_polyvertadr",
    "mesh_polyvertnum",
    "mesh_polyvert",
    "mesh_polymapadr",
    "mesh_polymapnum",
    "mesh_polymap",
};

static int is_free(const char* name) {
  for (size_t i = 0; i < sizeof free_to_choose / sizeof free_to_choose[0]; i++) {
    if (!strcmp(free_to_choose[i], name)) {
      return 1;
    }
  }
  return 0;
}

// Sums in single precision over the faces of a surface.
static double field_tolerance(const char* name, double tolerance) {
  const double normals = 2e-6;
  return !strcmp(name, "mesh_normal") && tolerance < normals ? normals : tolerance;
}

// How many fields differ of those that have one right value.
static int models_differ(const mjModel* ours, const mjModel* other, double tolerance) {
  const cndField* (*const lists[])(int) = {cnd_sizeField, cnd_optionField, cnd_modelField};
  int differ = 0;
  for (int k = 0; k < 3; k++) {
    for (int i = 0; lists[k](i); i++) {
      const cndField* field = lists[k](i);
      if (!field->hidden && !field->since && !is_free(field->name)) {
        differ += bridge_compare_models(ours, other, field->name,
                                        field_tolerance(field->name, tolerance));
      }
    }
  }
  return differ;
}

// files of this test's own
static const char* own_file(const char* ending) {
  static char name[100];
  snprintf(name, sizeof name, "compiled_test_%d%s", (int)getpid(), ending);
  return name;
}

// Where files lie is said from elsewhere once a model is part of another.
static int is_path(const char* name) {
  return !strcmp(name, "npaths") || !strcmp(name, "paths") || strstr(name, "_pathadr");
}

// By the rounding of unit vectors and quaternions that are normalised again; of what is made of the
// sides of small elements also by that of the places of their corners, which may be a hundred times
// as far from the origin.
static double saved_tolerance(const char* name) {
  int sides = !strcmp(name, "flex_vert0") || !strcmp(name, "flex_stiffness");
  return sides ? 100 * last_digits() : last_digits();
}

// How many fields differ of a model that was saved and loaded.
static int saved_differs(const mjModel* m, const mjModel* back, int attached) {
  const cndField* (*const lists[])(int) = {cnd_sizeField, cnd_optionField, cnd_modelField};
  int differ = 0;
  for (int k = 0; k < 3; k++) {
    for (int i = 0; lists[k](i); i++) {
      const cndField* field = lists[k](i);
      int elsewhere = attached && (is_path(field->name) || !strcmp(field->name, "nbuffer"));
      if (!field->hidden && !field->since && !elsewhere) {
        differ += bridge_compare_models(m, back, field->name, saved_tolerance(field->name));
      }
    }
  }

  // the settings without a table
  if (!attached) {
    const mjtNum *stat = (const mjtNum*)&m->stat, *again = (const mjtNum*)&back->stat;
    differ += memcmp(&m->vis, &back->vis, sizeof(m->vis)) != 0;
    differ +=
        numbers_differ("stat", stat, again, sizeof(m->stat) / sizeof(mjtNum), last_digits(), 0);
  }
  return differ;
}

// Saves the model that was loaded last and loads that from where the model lies, so that its assets
// are found. Returns how many fields differ.
static int saved_text_differs(const char* path, const mjModel* m) {
  char error[1000] = "", place[1000];
  const char* file = own_file(".xml");
  if (!mj_saveLastXML(file, m, error, sizeof error)) {
    print_error("  not saved: %s\n", error);
    return 1;
  }
  FILE* stream = fopen(file, "rb");
  char* text = malloc(ROOM);
  size_t length = fread(text, 1, ROOM, stream);
  fclose(stream);
  remove(file);
  snprintf(place, sizeof place, "%.*s%s", (int)(strrchr(path, '/') + 1 - path), path, file);

  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, file, text, (int)length);
  mjModel* back = mj_loadXML(place, &vfs, error, sizeof error);
  int differ = back ? saved_differs(m, back, strstr(path, "/attach_") != NULL) : 1;
  if (differ) {
    print_error("  %d fields of the saved text differ %s\n", differ, error);
  }
  mj_deleteModel(back);
  mj_deleteVFS(&vfs);
  free(text);
  return differ;
}

// Loads a file of bytes and removes it; how many fields differ from the model that was saved.
static int loaded_differs(const char* file, const mjModel* m) {
  mjModel* back = mj_loadModel(file, NULL);
  int differ = back ? bridge_compare_models(m, back, NULL, 0) : 1;
  mj_deleteModel(back);
  remove(file);
  return differ;
}

// Our bytes in both engines, and the reference's in ours.
static int saved_bytes_differ(const Bridge* b, const mjModel* m) {
  const char* file = own_file(".mjb");
  int differ = 0;
  mj_saveModel(m, file, NULL, 0);
  if (b) {
    Bridge* there = bridge_load(file);
    differ += there ? bridge_compare_models(m, there->m, NULL, 0) : 1;
    bridge_free(there);
  }
  differ += loaded_differs(file, m);
  if (b) {
    void* symbol = bridge_function("mj_saveModel");
    void (*save)(const void*, const char*, void*, int);
    memcpy(&save, &symbol, sizeof symbol);
    save(b->ref_m, file, NULL, 0);
    differ += loaded_differs(file, b->m);
  }
  if (differ) {
    print_error("  %d fields of the saved bytes differ\n", differ);
  }
  return differ;
}

// Makes the reference read every file anew: what it keeps of one it uses for others with other
// settings.
static void forget_files(void) {
  void* (*get)(void);
  void (*clear)(void*);
  void* symbols[2] = {bridge_function("mj_getCache"), bridge_function("mj_clearCache")};
  memcpy(&get, &symbols[0], sizeof get);
  memcpy(&clear, &symbols[1], sizeof clear);
  clear(get());
}

static int differing;  // models

static void compare_model(const char* path) {
  // parts are included by other models
  if (strstr(path, "_parts_")) {
    return;
  }
  char error[1000] = "";
  mjModel* m = mj_loadXML(path, NULL, error, sizeof error);
  if (!m) {
    print_error("%s: %s\n", path, error);
    differing++;
    return;
  }
  int differ = saved_text_differs(path, m);
  Bridge* b = NULL;
  if (bridge_available()) {
    forget_files();
    b = bridge_load(path);
    differ += b ? models_differ(m, b->m, 1e-9) : 1;
  }
  differ += saved_bytes_differ(b, m);
  if (differ) {
    print_error("%s: %d differences\n", path, differ);
    differing++;
  }
  bridge_free(b);
  mj_deleteModel(m);
}

TEST(our_models_are_those_of_the_reference_and_stay_what_they_are) {
  differing = 0;
  models_matching(TEST_MODELS "*.xml", compare_model);
  assert_int_equal(differing, 0);
}

TEST(shared_models_are_those_of_the_reference_and_stay_what_they_are) {
  shared_or_skip();
  differing = 0;
  models_matching(SHARED_MODELS "*/*.xml", compare_model);
  assert_int_equal(differing, 0);
}
