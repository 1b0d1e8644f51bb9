// Running out of memory anywhere is a reported error that loses no memory and leaves everything as
// it was. Every allocation of loading, compiling, editing, saving, making data and stepping is
// refused in turn.

#include <condyle/condyle.h>
#include <condyle/lint.h>
#include <condyle/load.h>
#include <unistd.h>

#include "support/starve.h"
#include "support/test.h"

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

static const char* const loaded[] = {
    "mesh_stl",
    "mesh_obj",
    "mesh_msh",
    "mesh_hull_limit",
    "mesh_builtin_round",
    "texture_png",
    "texture_builtin",
    "hfield_png",
    "hfield_inline",
    "include_parts",
    "attach_parts",
    "attach_assets",
    "replicate_nested",
    "replicate_key",
    "keyframe_everything",
    "compiler_fuse",
    "compiler_discardvisual",
    "compiler_lengthrange",
    "flex_cable",
    "flexcomp_files",
    "plugin_pid",
    "plugin_cable",
    "skin",
};

TEST_EACH(loading, loaded) {
  starve_each(load, (void*)(uintptr_t)text);
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
  mj_freeLastXML();
  cnd_deleteDiagnostics(problems);
  return outcome;
}

TEST(a_robot) {
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

TEST(refused_files) {
  static const char* const refused[] = {
      "<mujoco><worldbody><body><geom size='1'/></body",
      "<mujoco><worldbody><body><geom size='1' typ='box'/><geom/></body></worldbody></mujoco>",
      "<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0'/></asset></mujoco>",
      "<mujoco><asset><hfield name='h' nrow='30000' ncol='30000' size='1 1 1 1'/></asset></mujoco>",
      "<mujoco><size memory='1G'/><worldbody/></mujoco>",
      "<mujoco><size nkey='100000000'/><worldbody/></mujoco>",
      "<mujoco><worldbody><body><joint/></body></worldbody></mujoco>",
      ("<mujoco><worldbody><replicate count='1000000000'><geom size='1'/></replicate></worldbody>"
       "</mujoco>"),
  };
  size_t before = cnd_limitMemory((size_t)1 << 28);
  for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
    starve_each(load_refused, (void*)(uintptr_t)refused[i]);
  }
  cnd_limitMemory(before);
}

// With workers the order of allocations is chance, so each number is tried and the loss not
// counted.
TEST(loading_on_threads) {
  mju_user_warning = silent;
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
  mju_user_warning = NULL;
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

TEST(models_and_data) {
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

static char archive[100];

static int encode(void* argument) {
  char error[300] = "";
  int64_t size = mj_encode(argument, NULL, archive, NULL, NULL, error, sizeof(error));
  return starve_outcome(size > 0, error);
}

static int load_archive(void* unused) {
  (void)unused;
  char error[400] = "";
  mj_clearCache(mj_getCache());
  mjSpec* spec = mj_parse(archive, NULL, NULL, error, sizeof(error));
  mjModel* m = spec ? mj_compile(spec, NULL) : NULL;
  int outcome = starve_outcome(m != NULL, spec ? mjs_getError(spec) : error);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  mj_clearCache(mj_getCache());
  return outcome;
}

static int copy(void* argument) {
  mjSpec* made = mj_copySpec(argument);
  int outcome = starve_outcome(made != NULL, "");
  mj_deleteSpec(made);
  return outcome;
}

// A copy, so that what a spec keeps of its model is freed too.
static int compile(void* argument) {
  mj_clearCache(mj_getCache());
  mjSpec* spec = mj_copySpec(argument);
  mjModel* m = spec ? mj_compile(spec, NULL) : NULL;
  int outcome = starve_outcome(m != NULL, spec ? mjs_getError(spec) : "");
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  mj_clearCache(mj_getCache());
  return outcome;
}

static int lint(void* argument) {
  mj_clearCache(mj_getCache());
  mjSpec* spec = mj_copySpec(argument);
  cndDiagnostics* findings = cnd_makeDiagnostics();
  int count = spec && findings ? cnd_lintSpec(spec, NULL, NULL, findings) : -1;
  const cndDiagnostic *it, *last = NULL;
  for (int i = 0; (it = cnd_diagnostic(findings, i)); i++) {
    last = it->severity == cndSEVERITY_ERROR ? it : last;
  }
  int outcome = starve_outcome(count >= 0, last ? last->message : spec ? "memory" : "");
  mj_deleteSpec(spec);
  cnd_deleteDiagnostics(findings);
  mj_clearCache(mj_getCache());
  return findings && spec && !last && count < 0 ? -1 : outcome;
}

static const char* const saved[] = {"mesh_stl",      "texture_png",
                                    "hfield_png",    "attach_assets",
                                    "replicate_key", "keyframe_everything",
                                    "compiler_fuse", "compiler_discardvisual",
                                    "plugin_cable",  "skin"};

TEST_EACH(saving, saved) {
  mjSpec* spec = spec_of(text);
  spec->compiler.usethread = 0;
  starve_each(compile, spec);
  starve_each(lint, spec);
  mjModel* m = mj_compile(spec, NULL);
  starve_each(save, spec);
  starve_each(copy, spec);
  snprintf(archive, sizeof(archive), "/tmp/condyle-starved-%ld.mjz", (long)getpid());
  starve_each(encode, spec);
  assert_int_equal(encode(spec), 1);
  starve_each(load_archive, NULL);
  unlink(archive);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
}

// Edits of every kind, each with what the ones before have made; 0 when one fails.
static int make_all(mjSpec* spec) {
  mjsDefault* class = mjs_addDefault(spec, "class", NULL);
  mjsBody* body = class ? mjs_addBody(mjs_findBody(spec, "world"), class) : NULL;
  mjsFrame* frame = body ? mjs_addFrame(body, NULL) : NULL;
  mjsJoint* joint = frame ? mjs_addJoint(body, NULL) : NULL;
  mjsGeom* geom = joint ? mjs_addGeom(body, class) : NULL;
  mjsSite* site = geom ? mjs_addSite(body, class) : NULL;
  mjsMaterial* material = site ? mjs_addMaterial(spec, NULL) : NULL;
  mjsTendon* tendon = material ? mjs_addTendon(spec, NULL) : NULL;
  mjsActuator* actuator = tendon ? mjs_addActuator(spec, NULL) : NULL;
  mjsMesh* mesh = actuator ? mjs_addMesh(spec, NULL) : NULL;
  mjsKey* key = mesh ? mjs_addKey(spec) : NULL;
  if (!key || mjs_setName(body->element, "b") || mjs_setName(joint->element, "j") ||
      mjs_setName(frame->element, "frame") || mjs_setName(site->element, "site") ||
      mjs_setName(material->element, "material") || mjs_setName(mesh->element, "mesh") ||
      !mjs_wrapJoint(tendon, "j", 2) ||
      mjs_makeMesh(mesh, mjMESH_BUILTIN_SPHERE, (double[]){1}, 1) != 0) {
    return 0;
  }
  geom->size[0] = 1;
  actuator->trntype = mjTRN_JOINT;
  mjs_setString(actuator->target, "j");
  return !strcmp(mjs_getString(actuator->target), "j");
}

static int add_all(void* unused) {
  (void)unused;
  mjSpec* spec = mj_makeSpec();
  int made = spec && make_all(spec);
  int outcome = starve_outcome(made, spec ? mjs_getError(spec) : "");
  if (made) {
    mjsBody* body = mjs_findBody(spec, "b");
    mjs_delete(spec, mjs_findElement(spec, mjOBJ_MATERIAL, "material"));
    outcome = mjs_bodyToFrame(&body) || starve_outcome(0, mjs_getError(spec)) == 0;
  }
  mj_deleteSpec(spec);
  return outcome;
}

// Setters that can't set keep what was there, whole.
static int set_all(void* unused) {
  (void)unused;
  mjSpec* spec = mj_makeSpec();
  mjsMaterial* material = spec ? mjs_addMaterial(spec, NULL) : NULL;
  mjsKey* key = material ? mjs_addKey(spec) : NULL;
  int set = 0;
  if (key) {
    static const double values[100] = {1};
    mjs_setDouble(key->qpos, values, 100);
    mjs_setStringVec(material->textures, "one two three");
    size_t n = material->textures->num;
    set = key->qpos->num == 100 && n == 3;
    assert_true(key->qpos->num == 100 || key->qpos->num == 0);
    assert_true(n == 3 || n == mjNTEXROLE);
    mjs_appendString(material->textures, "more");
    set = set && material->textures->num == n + 1;
    static int data;
    mjs_setUserValue(key->element, "data", &data);
    set = set && mjs_getUserValue(key->element, "data") == &data;
    mjs_setDefault(material->element, mjs_getSpecDefault(spec));
  }
  int outcome = starve_outcome(set, spec ? mjs_getError(spec) : "");
  mj_deleteSpec(spec);
  return outcome;
}

// Functions that edit a spec as a whole, each on a spec of its own.
static const char editable[] =
    "<mujoco><compiler conflict='merge'/><default><geom mesh='n'/></default><asset>"
    "<mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/><mesh name='n' vertex='0 0 0 1 0 0 0 1 0 0 0 "
    "1'/><material name='l'/></asset><worldbody><body name='b'><joint/><geom size='1' "
    "material='l'/><body name='s'><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
    "<geom type='mesh' mesh='n'/></body></body></worldbody></mujoco>";

static int flex(mjSpec* spec) {
  return mjs_makeFlex(mjs_findBody(spec, "b"), "f", NULL, 2, NULL, (const int[]){2, 2, 1}, NULL,
                      NULL, NULL, 0, 1, 0, 1, 0, 0, 0, NULL, NULL, NULL, NULL, NULL) != NULL;
}

typedef struct {
  mjSpec* spec;
  int which;
} Edit;

static int edit_whole(void* argument) {
  const Edit* edit = argument;
  int which = edit->which;
  mj_clearCache(mj_getCache());
  mjSpec* spec = mj_copySpec(edit->spec);
  int done = 0;
  if (spec) {
    spec->compiler.usethread = 0;
    done = which == 0   ? mjs_fuseStatic(spec, NULL) == 1
           : which == 1 ? mjs_discardVisual(spec, NULL) == 2
           : which == 2 ? mjs_dedupAssets(spec) == 1
           : which == 3 ? mjs_adoptInertial(mjs_findBody(spec, "b"), NULL) == 0
                        : flex(spec);
  }
  int outcome = starve_outcome(done, spec ? mjs_getError(spec) : "");
  mj_deleteSpec(spec);
  mj_clearCache(mj_getCache());
  return outcome;
}

TEST(edits_of_whole_specs) {
  mjSpec* spec = mj_parseXMLString(editable, NULL, NULL, 0);
  for (int which = 0; which < 5; which++) {
    starve_each(edit_whole, &(Edit){spec, which});
  }
  mj_deleteSpec(spec);
}

TEST(elements) {
  starve_each(add_all, NULL);
  starve_each(set_all, NULL);
}

// attaching

typedef struct Attaching_ {
  mjtObj to, what;  // body, frame or site; body, frame or the whole model
  int deep;         // copies instead of moving
  int self;         // to itself
  int world;        // the body is the world
} Attaching;

static const char kParent[] =
    "<mujoco><asset><material name='red'/></asset><worldbody><body name='b'><frame name='frame'/>"
    "<joint name='j'/><geom size='1'/><site name='site'/></body></worldbody><actuator>"
    "<motor joint='j'/></actuator><keyframe><key name='k' qpos='1'/></keyframe></mujoco>";

static const char kChild[] =
    "<mujoco><default><default class='c'><geom rgba='1 0 0 1'/></default></default><asset>"
    "<material name='red'/><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset><worldbody>"
    "<frame name='outer'><frame name='part'><body name='arm' childclass='c'><joint name='x'/>"
    "<geom name='g' class='c' type='mesh' mesh='m' material='red'/><body name='hand' mocap='false'>"
    "<joint name='y' type='ball'/><geom size='1'/></body></body></frame></frame><body name='other'>"
    "<geom name='h' size='1'/></body></worldbody><contact><exclude body1='arm' body2='hand'/>"
    "</contact><tendon><fixed name='t'><joint joint='x' coef='1'/></fixed></tendon><actuator>"
    "<motor joint='x'/></actuator><sensor><jointpos joint='x'/></sensor><keyframe>"
    "<key name='k' qpos='1 1 0 0 0'/></keyframe></mujoco>";

static mjsElement* named(mjSpec* spec, mjtObj type, const char* body, const char* frame) {
  return type == mjOBJ_MODEL   ? spec->element
         : type == mjOBJ_SITE  ? mjs_findElement(spec, mjOBJ_SITE, "site")
         : type == mjOBJ_FRAME ? mjs_findElement(spec, mjOBJ_FRAME, frame)
                               : mjs_findElement(spec, mjOBJ_BODY, body);
}

// What a spec compiles to, in one number; 0 if it doesn't.
static uint64_t meaning(mjSpec* spec) {
  mjModel* m = mj_compile(spec, NULL);
  uint64_t meaning = m ? m->signature + (uint64_t)m->nbody + 100 * (uint64_t)m->nkey : 0;
  for (int i = 0; m && i < m->nkey * m->nq; i++) {
    meaning = 31 * meaning + (uint64_t)(1000 * m->key_qpos[i]);
  }
  for (int i = 0; m && i < m->nnames; i++) {
    meaning = 31 * meaning + (uint64_t)m->names[i];
  }
  mj_deleteModel(m);
  return meaning;
}

static uint64_t untouched[2];  // the meanings of parent and child

// After a failure both are what they were.
static int attach(void* argument) {
  const Attaching* a = argument;
  mjSpec* parent = mj_parseXMLString(kParent, NULL, NULL, 0);
  mjSpec* child = a->self ? parent : mj_parseXMLString(kChild, NULL, NULL, 0);
  mjsElement* taken = NULL;
  int outcome = 0;
  if (parent && child) {
    mjs_setDeepCopy(parent, a->deep);
    const char* body = a->world ? "world" : a->self ? "b" : "arm";
    mjsElement* what = named(child, a->what, body, a->self ? "frame" : "part");
    taken = mjs_attach(named(parent, a->to, "b", "frame"), what, "p_", "_s");
    outcome = starve_outcome(taken != NULL, mjs_getError(parent));
    assert_true(!taken || a->deep || a->what == mjOBJ_MODEL || taken == what);
  }
  int refused = starve_pause();
  uint64_t after[2] = {parent && child ? meaning(parent) : 0, child && !taken ? meaning(child) : 0};
  if (parent && child && !refused) {
    assert_non_null(taken);
  }
  if (parent && child && !taken) {
    assert_that(after[0], ==, untouched[0]);
    assert_true(a->self || after[1] == untouched[1]);
  } else if (taken) {
    assert_that(after[0], !=, 0u);
    assert_that(after[0], !=, untouched[0]);
  }
  mj_deleteSpec(parent);
  if (!a->self) {
    mj_deleteSpec(child);
  }
  mj_clearCache(mj_getCache());
  return outcome;
}

TEST(attached_parts) {
  static const Attaching cases[] = {
      {mjOBJ_FRAME, mjOBJ_BODY, 0, 0, 0}, {mjOBJ_FRAME, mjOBJ_BODY, 1, 0, 0},
      {mjOBJ_BODY, mjOBJ_FRAME, 0, 0, 0}, {mjOBJ_BODY, mjOBJ_FRAME, 1, 0, 0},
      {mjOBJ_SITE, mjOBJ_MODEL, 0, 0, 0}, {mjOBJ_SITE, mjOBJ_MODEL, 1, 0, 0},
      {mjOBJ_SITE, mjOBJ_FRAME, 0, 0, 0}, {mjOBJ_SITE, mjOBJ_BODY, 1, 1, 0},
      {mjOBJ_FRAME, mjOBJ_BODY, 0, 0, 1}, {mjOBJ_SITE, mjOBJ_BODY, 1, 0, 1},
  };
  mjSpec* parent = mj_parseXMLString(kParent, NULL, NULL, 0);
  mjSpec* child = mj_parseXMLString(kChild, NULL, NULL, 0);
  untouched[0] = meaning(parent);
  untouched[1] = meaning(child);
  assert_true(untouched[0]);
  assert_true(untouched[1]);
  mj_deleteSpec(parent);
  mj_deleteSpec(child);
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    starve_each(attach, (void*)(uintptr_t)&cases[i]);
  }
}

static int recompile(void* unused) {
  (void)unused;
  mjSpec* spec = mj_parseXMLString(kChild, NULL, NULL, 0);
  mjModel* m = spec ? mj_compile(spec, NULL) : NULL;
  mjData* d = m ? mj_makeData(m) : NULL;
  int outcome = 0;
  if (d) {
    d->qpos[0] = 0.5;
    if (mj_recompile(spec, NULL, m, d) == 0) {
      assert_that(d->qpos[0], ==, 0.5);
      outcome = 1;
    } else {
      outcome = starve_outcome(0, mjs_getError(spec));
      m = NULL;
      d = NULL;
    }
  }
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  mj_clearCache(mj_getCache());
  return outcome;
}

TEST(recompiling) {
  starve_each(recompile, NULL);
}
