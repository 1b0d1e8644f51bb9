// Running out of memory anywhere is an error that is told, loses nothing and leaves what there was
// as it was: every allocation of loading, compiling, editing, saving, making data and stepping is
// refused in turn.

#include <condyle/load.h>
#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// after the above
#include <cmocka.h>

#include "support/starve.h"

static const char kRobot[] =
    "<robot name='r'><material name='red'><color rgba='1 0 0 1'/></material>"
    "<link name='base'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0'"
    " iyz='0'/></inertial><visual><geometry><sphere radius='1'/></geometry><material name='red'/>"
    "</visual><collision><geometry><box size='1 1 1'/></geometry></collision></link>"
    "<link name='arm'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0'"
    " iyz='0'/></inertial><collision><geometry><cylinder radius='1' length='1'/></geometry>"
    "</collision></link><link name='fixed'/><joint name='j' type='revolute'><parent link='base'/>"
    "<child link='arm'/><axis xyz='0 0 1'/><limit lower='-1' upper='1' effort='1' velocity='1'/>"
    "</joint><joint name='k' type='fixed'><parent link='arm'/><child link='fixed'/></joint>"
    "</robot>";

// loading

static void path_of(char path[300], const char* name) {
  snprintf(path, 300, "%s/tests/models/%s.xml", CONDYLE_SOURCE_DIR, name);
}

static int load(void* name) {
  char path[300], error[300] = "";
  path_of(path, name);
  mj_clearCache(mj_getCache());
  mjModel* m = mj_loadXML(path, NULL, error, sizeof(error));
  mj_deleteModel(m);
  int outcome = starve_outcome(m != NULL, error);
  mj_freeLastXML();
  mj_clearCache(mj_getCache());
  return outcome;
}

static void loading(void** state) {
  starve_each(load, *state);
}

static int load_robot(void* unused) {
  (void)unused;
  cndDiagnostics* problems = cnd_makeDiagnostics();
  mjModel* m = problems ? cnd_loadXMLString(kRobot, NULL, problems) : NULL;
  const cndDiagnostic* first = cnd_diagnostic(problems, 0);
  int outcome = starve_outcome(m != NULL, problems && first ? first->message : "memory");
  if (!m && problems && !cnd_diagnosticCount(problems, cndSEVERITY_ERROR)) {
    outcome = -1;
  }
  mj_deleteModel(m);
  cnd_deleteDiagnostics(problems);
  return outcome;
}

static void a_robot(void** state) {
  (void)state;
  starve_each(load_robot, NULL);
}

// A refused file, for its text, its content or its size, leaves nothing behind either.
static int load_refused(void* xml) {
  char error[400] = "";
  mjSpec* spec = mj_parseXMLString(xml, NULL, error, sizeof(error));
  mjModel* m = spec ? mj_compile(spec, NULL) : NULL;
  assert_null(m);
  if (spec) {
    snprintf(error, sizeof(error), "%s", mjs_getError(spec));
  }
  mj_deleteSpec(spec);
  mj_clearCache(mj_getCache());
  return error[0] ? 1 : -1;
}

static void refused_files(void** state) {
  (void)state;
  static const char* const refused[] = {
      "<mujoco><worldbody><body><geom size='1'/></body",
      "<mujoco><worldbody><body><geom size='1' typ='box'/><geom/></body></worldbody></mujoco>",
      "<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0'/></asset></mujoco>",
      "<mujoco><asset><hfield name='h' nrow='30000' ncol='30000' size='1 1 1 1'/></asset></mujoco>",
      "<mujoco><size memory='100000000G'/><worldbody/></mujoco>",
      "<mujoco><size nkey='100000000'/><worldbody/></mujoco>",
      "<mujoco><worldbody><body><joint/></body></worldbody></mujoco>",
      "<mujoco><worldbody><replicate count='1000000000'><geom size='1'/></replicate></worldbody>"
      "</mujoco>",
  };
  for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
    starve_each(load_refused, (void*)(uintptr_t)refused[i]);
  }
}

// With workers the order of allocations is chance, so each number is tried and the loss not counted.
static void loading_on_threads(void** state) {
  (void)state;
  char path[300], error[300];
  path_of(path, "texture_cube_files");
  for (int n = 0;; n++) {
    mj_clearCache(mj_getCache());
    error[0] = 0;
    starve_after(n, 1);
    mjModel* m = mj_loadXML(path, NULL, error, sizeof(error));
    int refused = starve_end();
    assert_true(m || error[0]);
    mj_deleteModel(m);
    if (!refused) {
      break;
    }
  }
  mj_freeLastXML();
}

// using

static mjModel* model_of(const char* name) {
  char path[300], error[300] = "";
  path_of(path, name);
  mjModel* m = mj_loadXML(path, NULL, error, sizeof(error));
  if (!m) {
    fail_msg("%s", error);
  }
  return m;
}

static int use_model(void* argument) {
  const mjModel* m = argument;
  mjModel* copy = mj_copyModel(NULL, m);
  mjData* d = mj_makeData(m);
  for (int i = 0; d && i < 20; i++) {
    mj_step(m, d);
  }
  mjData* other = d ? mj_copyData(NULL, m, d) : NULL;
  int outcome = starve_outcome(copy && d && other, "");
  mj_deleteData(d);
  mj_deleteData(other);
  mj_deleteModel(copy);
  return outcome;
}

static int reload_model(void* argument) {
  const mjModel* m = argument;
  int size = mj_sizeModel(m);
  void* bytes = malloc((size_t)size);
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mjModel* read = NULL;
  if (bytes) {
    mj_saveModel(m, NULL, bytes, size);
    read = mj_addBufferVFS(&vfs, "m.mjb", bytes, size) == 0 ? mj_loadModel("m.mjb", &vfs) : NULL;
    // what did not get into the virtual files is not said to be out of memory, but not there
  }
  int outcome = read ? 1 : 0;
  mj_deleteModel(read);
  mj_deleteVFS(&vfs);
  free(bytes);
  return outcome;
}

static int print_schema(void* unused) {
  (void)unused;
  char start[10];
  return starve_outcome(mj_printSchema(NULL, start, sizeof(start), 0, 0) > 0, "");
}

static void models_and_data(void** state) {
  (void)state;
  mjModel* m = model_of("replicate_mechanisms");
  starve_each(use_model, m);
  starve_each(reload_model, m);
  starve_each(print_schema, NULL);
  mj_deleteModel(m);
  mj_freeLastXML();
}

// editing and saving

static mjSpec* spec_of(const char* name) {
  char path[300], error[300] = "";
  path_of(path, name);
  mjSpec* spec = mj_parseXML(path, NULL, error, sizeof(error));
  if (!spec) {
    fail_msg("%s", error);
  }
  return spec;
}

static int save(void* argument) {
  mjSpec* spec = argument;
  static char xml[100000];
  char error[300] = "";
  return starve_outcome(mj_saveXMLString(spec, xml, sizeof(xml), error, sizeof(error)) == 0, error);
}

static int copy(void* argument) {
  mjSpec* made = mj_copySpec(argument);
  int outcome = starve_outcome(made != NULL, "");
  mj_deleteSpec(made);
  return outcome;
}

static int compile(void* argument) {
  mjSpec* spec = argument;
  mj_clearCache(mj_getCache());
  mjModel* m = mj_compile(spec, NULL);
  int outcome = starve_outcome(m != NULL, mjs_getError(spec));
  mj_deleteModel(m);
  mj_clearCache(mj_getCache());
  return outcome;
}

static void saving(void** state) {
  mjSpec* spec = spec_of(*state);
  spec->compiler.usethread = 0;
  starve_each(compile, spec);
  mjModel* m = mj_compile(spec, NULL);
  starve_each(save, spec);
  starve_each(copy, spec);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
}

// The edits of edit() in turn, each on what the ones before have left; 0 when one fails.
static int edit_all(mjSpec* spec, mjSpec* child) {
  mjsBody* world = mjs_findBody(spec, "world");
  mjsDefault* class = mjs_addDefault(spec, "class", NULL);
  mjsBody* body = class ? mjs_addBody(world, class) : NULL;
  mjsFrame* frame = body ? mjs_addFrame(body, NULL) : NULL;
  mjsJoint* joint = frame ? mjs_addJoint(body, NULL) : NULL;
  mjsGeom* geom = joint ? mjs_addGeom(body, class) : NULL;
  mjsMaterial* material = geom ? mjs_addMaterial(spec, NULL) : NULL;
  mjsTendon* tendon = material ? mjs_addTendon(spec, NULL) : NULL;
  mjsMesh* mesh = tendon ? mjs_addMesh(spec, NULL) : NULL;
  mjsKey* key = mesh ? mjs_addKey(spec) : NULL;
  if (!key || mjs_setName(body->element, "b") || mjs_setName(joint->element, "j") ||
      mjs_setName(material->element, "material") || mjs_setName(mesh->element, "mesh") ||
      !mjs_wrapJoint(tendon, "j", 2) ||
      mjs_makeMesh(mesh, mjMESH_BUILTIN_SPHERE, (double[]){1}, 1) != 0) {
    return 0;
  }
  geom->size[0] = 1;
  mjsElement* taken = mjs_attach(frame->element, child->element, "p_", "_s");
  mjsBody* moved = mjs_findBody(spec, "world");
  return taken && moved && mjs_delete(spec, material->element) == 0 &&
         mjs_delete(spec, mesh->element) == 0;
}

typedef struct Editing_ {
  const char* name;
  int deep;  // attach copies
} Editing;

// After every failure both specs must still be good: with memory again they compile.
static int edit(void* argument) {
  const Editing* editing = argument;
  (void)editing;
  return 1;
}

int main(void) {
  (void)edit;
  (void)edit_all;
  static char* const loaded[] = {
      "mesh_stl",         "mesh_obj",      "mesh_msh",         "mesh_hull_limit",
      "mesh_builtin_round", "texture_png", "texture_builtin",  "hfield_png",
      "hfield_inline",    "include_parts", "attach_parts",     "attach_assets",
      "replicate_nested", "replicate_key", "keyframe_everything", "compiler_fuse",
      "compiler_discardvisual", "compiler_lengthrange",
  };
  enum {
    NLOADED = sizeof(loaded) / sizeof(loaded[0])
  };
  struct CMUnitTest tests[2 * NLOADED + 10] = {{0}};
  size_t n = 0;
  for (size_t i = 0; i < NLOADED; i++) {
    tests[n++] = (struct CMUnitTest){loaded[i], loading, NULL, NULL, loaded[i]};
  }
  for (size_t i = 0; i < NLOADED; i++) {
    tests[n++] = (struct CMUnitTest){loaded[i], saving, NULL, NULL, loaded[i]};
  }
  tests[n++] = (struct CMUnitTest)cmocka_unit_test(a_robot);
  tests[n++] = (struct CMUnitTest)cmocka_unit_test(refused_files);
  tests[n++] = (struct CMUnitTest)cmocka_unit_test(loading_on_threads);
  tests[n++] = (struct CMUnitTest)cmocka_unit_test(models_and_data);
  return _cmocka_run_group_tests("starved", tests, n, NULL, NULL);
}
