// A model file whose numbers were changed is refused, or it runs: whatever integer of it becomes
// -1, 0, the length of its array or INT_MAX, nothing reads or writes outside an array. (The
// sanitized builds see it.) rich.xml has something of everything that a step follows by number.

#include <condyle/condyle.h>
#include <condyle/load.h>
#include <limits.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory/error.h"
#include "model/field.h"
#include "model/model.h"
#include "support/load.h"
#include "support/test.h"

enum {
  NSTEP = 2,
  PLACES = 2,  // of each array
};

typedef struct Run_ {
  mjModel* model;
  mjData* data;
} Run;

// Every pair of geoms in each other, with as many contacts as there may be.
static void collide_all(Run* run) {
  static mjContact con[mjMAXCONPAIR];
  mjModel* m = run->model;
  mjData* d = run->data;
  m->opt.enableflags |= mjENBL_MULTICCD;
  for (int j = 0; j < m->ngeom; j++) {
    for (int i = 0; i < j; i++) {
      int g1 = m->geom_type[i] <= m->geom_type[j] ? i : j, g2 = i + j - g1;
      mju_copy3(d->geom_xpos + 3 * g2, d->geom_xpos + 3 * g1);
      d->geom_xpos[3 * g2] += (mjtNum)0.1;
      mjfCollision collide = mjCOLLISIONFUNC[m->geom_type[g1]][m->geom_type[g2]];
      if (collide) {
        collide(m, d, con, g1, g2, 0);
        mj_geomDistance(m, d, g1, g2, 1, NULL);
      }
    }
  }
}

// What a program does that only simulates: a file that was loaded must not end it.
static void simulate(void* argument) {
  Run* run = argument;
  run->data = mj_makeData(run->model);
  for (int i = 0; run->data && i < NSTEP; i++) {
    mj_step(run->model, run->data);
  }
}

// Everything else that a program may do with a model; an error is as good as a result.
static void use(void* argument) {
  Run* run = argument;
  const mjModel* m = run->model;
  mjData* d = run->data;
  if (!d) {
    return;  // sizes that no memory holds
  }
  mj_inverse(m, d);
  collide_all(run);
  for (int i = 0; i < m->ngeom; i++) {
    const mjtNum from[3] = {0, 0, 5}, *to = d->geom_xpos + 3 * i;
    mjtNum along[3] = {to[0], to[1], to[2] - from[2]}, dist;
    int geom;
    mj_ray(m, d, from, along, NULL, 1, -1, &geom);
    mj_multiRay(m, d, from, along, NULL, 1, -1, &geom, &dist, 1, mjMAXVAL);
  }
  for (int type = 0; type < mjNOBJECT; type++) {
    mj_id2name(m, type, 1);
    mj_name2id(m, type, "a");
  }
  mj_printModel(m, "/dev/null");
  mj_printData(m, d, "/dev/null");
}

// Loads bytes and uses what came; 1 if something did. What was changed is named if that ends badly.
static int try(const char* bytes, int size, const char* what, int number) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "a.mjb", bytes, size);
  Run run = {.model = mj_loadModel("a.mjb", &vfs)};
  mj_deleteVFS(&vfs);
  int loaded = run.model != NULL;
  if (loaded) {
    char message[200];
    if (error_catch(message, sizeof(message), simulate, &run)) {
      fail_msg("%s = %d is loaded, then: %s", what, number, message);
    }
    error_catch(message, sizeof(message), use, &run);
    mj_deleteData(run.data);
    mj_deleteModel(run.model);
  }
  return loaded;
}

TEST(every_integer_of_a_file_may_be_wrong) {
  void (*before)(const char*) = mju_user_warning;
  mju_user_warning = silent;
  mjModel* m = test_model_file("tests/model/rich.xml");
  int size = mj_sizeModel(m), tried = 0, loaded = 0;
  char* bytes = malloc((size_t)(2 * size));  // more if it uses arrays of later releases
  for (int f = 0; f < field_model.count; f++) {
    const cndField* field = field_model.field + f;
    if (strcmp(field->type, "int") != 0 || field->hidden) {
      continue;
    }
    size_t count = field_bytes(&field_model, f, m, NULL) / sizeof(int);
    const int wrong[] = {-1, 0, INT_MAX, (int)count};
    for (size_t i = 0; i < PLACES && i < count; i++) {
      int* place = (int*)field_pointer(m, field) + i * (count - 1) / (PLACES - 1);
      int right = *place;
      for (size_t k = 0; k < sizeof(wrong) / sizeof(wrong[0]); k++) {
        *place = wrong[k];
        int bytes_now = mj_sizeModel(m);
        mj_saveModel(m, NULL, bytes, bytes_now);
        loaded += try(bytes, bytes_now, field->name, wrong[k]);
        tried++;
      }
      *place = right;
    }
  }
  mj_saveModel(m, NULL, bytes, size);
  assert_true(try(bytes, size, "nothing", 0));
  print_message("%d files, %d of them loaded\n", tried, loaded);
  assert_that(tried, >, 1000);
  assert_that(loaded, <, tried / 2);
  free(bytes);
  test_release(m);
  mju_user_warning = before;
}

// A step asks which integrator, cone, Jacobian and solver: of others nobody knows what to do.
TEST(options_that_are_none_are_refused) {
  void (*before)(const char*) = mju_user_warning;
  mju_user_warning = keep_warning;
  mjModel* m = cnd_loadXMLString("<mujoco/>", NULL, NULL);
  const struct {
    int* place;
    const char *name, *most;
  } options[] = {
      {&m->opt.integrator, "integrator", "4 (discrete)"},
      {&m->opt.cone, "cone", "1 (elliptic)"},
      {&m->opt.jacobian, "jacobian", "2 (auto)"},
      {&m->opt.solver, "solver", "2 (Newton)"},
  };
  int size = mj_sizeModel(m);
  char *bytes = malloc((size_t)size), expected[100];
  for (int i = 0; i < 4; i++) {
    int right = *options[i].place;
    const int wrong[] = {-1, INT_MIN, INT_MAX, 99, 5};
    for (int k = 0; k < 5; k++) {
      *options[i].place = wrong[k];
      mj_saveModel(m, NULL, bytes, size);
      warning_text[0] = 0;
      snprintf(expected, sizeof(expected), "option %s is %d, must be from 0 to %s", options[i].name,
               wrong[k], options[i].most);
      if (try(bytes, size, options[i].name, wrong[k]) || !strstr(warning_text, expected)) {
        fail_msg("%s = %d: warned \"%s\", not \"%s\"", options[i].name, wrong[k], warning_text,
                 expected);
      }
    }
    *options[i].place = right;
  }
  free(bytes);
  mj_deleteModel(m);
  mju_user_warning = before;
}

// What of a sensor's reference, of a tendon's path and armature the numbers alone don't show.
TEST(parts_that_no_step_can_follow_are_refused) {
  void (*before)(const char*) = mju_user_warning;
  mju_user_warning = keep_warning;
  mjModel* m = cnd_loadXMLString(
      "<mujoco><worldbody><site name='a'/><body name='b'><joint name='j'/><joint axis='1 0 "
      "0'/><geom name='g' size='.1'/><geom size='.1'/>"
      "<site name='c' pos='1 0 0'/></body></worldbody><tendon><spatial><site site='a'/><geom "
      "geom='g'/><site site='c'/></spatial><fixed><joint joint='j' coef='1'/></fixed></tendon>"
      "<sensor><framepos objtype='body' objname='b'/></sensor></mujoco>",
      NULL, NULL);
  assert_non_null(m);
  struct {
    int* place;
    int wrong;
    const char* expected;
  } faults[] = {
      {m->wrap_type, mjWRAP_SPHERE, "tendon 0"},
      {m->wrap_type + 1, mjWRAP_PULLEY, NULL},
      {m->wrap_type + 2, mjWRAP_SPHERE, "tendon 0"},
      {m->wrap_type + 2, mjWRAP_JOINT, "tendon 0"},
      {m->wrap_type + 3, mjWRAP_SITE, NULL},
      {m->tendon_num, 2, "tendon 0"},
      {m->tendon_num, 0, "tendon 0"},
      {m->tendon_adr, 1, "tendon 0"},
      {m->sensor_refid, 0, "sensor"},
  };
  int size = mj_sizeModel(m);
  char* bytes = malloc((size_t)size);
  for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
    int right = *faults[i].place;
    *faults[i].place = faults[i].wrong;
    mj_saveModel(m, NULL, bytes, size);
    *faults[i].place = right;
    warning_text[0] = 0;
    int loaded = try(bytes, size, "fault", (int)i);
    const char* expected = faults[i].expected;
    if (loaded != !expected || (expected && !strstr(warning_text, expected))) {
      fail_msg("fault %zu: loaded %d, warned \"%s\"", i, loaded, warning_text);
    }
  }
  m->tendon_armature[0] = 1;
  mj_saveModel(m, NULL, bytes, size);
  assert_false(try(bytes, size, "tendon_armature", 1));
  assert_non_null(strstr(warning_text, "tendon 0 has armature and wraps a geom"));
  free(bytes);
  mj_deleteModel(m);
  mju_user_warning = before;
}

// A tree of boxes that is a chain, or has a loop, would take rays too deep.
TEST(trees_of_boxes_must_be_shallow) {
  void (*before)(const char*) = mju_user_warning;
  mju_user_warning = silent;
  mjModel* m = test_model(
      "<mujoco><asset><mesh name='ball' builtin='sphere' params='2'/></asset><worldbody>"
      "<geom type='mesh' mesh='ball'/></worldbody></mujoco>");
  int size = mj_sizeModel(m), root = m->mesh_bvhadr[0];
  char* bytes = malloc((size_t)size);
  int *child = m->bvh_child + 2 * root, *id = m->bvh_nodeid + root;
  for (int deep = MODEL_TREE_DEPTH - 1; deep < MODEL_TREE_DEPTH + 3; deep++) {
    for (int i = 0; i < m->mesh_bvhnum[0]; i++) {
      int inner = i < 2 * deep && i % 2 == 0;
      id[i] = inner ? -1 : 0;
      child[2 * i] = inner ? i + 1 : -1;
      child[2 * i + 1] = inner ? i + 2 : -1;
    }
    mj_saveModel(m, NULL, bytes, size);
    assert_int_equal(try(bytes, size, "depth", deep), deep <= MODEL_TREE_DEPTH);
  }
  id[2] = -1;
  child[4] = 0;
  mj_saveModel(m, NULL, bytes, size);
  assert_false(try(bytes, size, "bvh_child", 0));
  free(bytes);
  test_release(m);
  mju_user_warning = before;
}

// Sizes whose products, sums and differences leave the range of an int, of 32 and of 64 bits.
static const int64_t edges[] = {
    -1,      INT_MIN,          INT_MAX, INT_MAX - 1, INT_MAX / 2 + 1, INT_MAX / 3,
    1 << 16, (1 << 16) + 1,    1 << 24, INT64_MAX,   INT64_MIN,       (int64_t)UINT32_MAX + 2,
    1,       INT64_MAX / 8 + 1};

// Puts a number where a size of the file is; its bytes are those that fit.
static void put_size(char* place, const cndField* size, int64_t number) {
  int32_t small = (int32_t)number;
  memcpy(place, size->size == sizeof small ? (void*)&small : (void*)&number, size->size);
}

// Each size alone and together with the next one, since some are multiplied.
TEST(every_size_of_a_file_may_be_at_the_edge) {
  enum {
    NEDGE = sizeof(edges) / sizeof(edges[0]),
    HEADER_BYTES = 5 * sizeof(int),
    MAX_BYTES = 1 << 24,
  };
  void (*before)(const char*) = mju_user_warning;
  mju_user_warning = silent;
  mjModel* m = test_model_file("tests/model/rich.xml");
  int size = mj_sizeModel(m), tried = 0, loaded = 0;
  char *bytes = malloc((size_t)size), *whole = malloc((size_t)size), *place;
  mj_saveModel(m, NULL, whole, size);
  cnd_limitMemory(MAX_BYTES);
  for (int k = 0; k < 2 * NEDGE; k++) {
    place = bytes + HEADER_BYTES;
    for (int i = 0; !cnd_sizeField(i)->since; i++) {
      const cndField *field = cnd_sizeField(i), *next = cnd_sizeField(i + 1);
      memcpy(bytes, whole, (size_t)size);
      put_size(place, field, edges[k % NEDGE]);
      if (k >= NEDGE && !next->since) {
        put_size(place + field->size, next, edges[k % NEDGE]);
      }
      loaded += memcmp(bytes, whole, (size_t)size) && try(bytes, size, field->name, k);
      tried++;
      place += field->size;
    }
  }
  assert_that(place - bytes, <, size);
  assert_true(try(whole, size, "nothing", 0));
  cnd_limitMemory(0);
  print_message("%d files, %d of them loaded\n", tried, loaded);
  assert_that(tried, >, 2000);
  assert_that(loaded, <, tried / 10);
  free(bytes);
  free(whole);
  test_release(m);
  mju_user_warning = before;
}
