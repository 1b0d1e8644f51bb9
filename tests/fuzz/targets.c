#include "fuzz/targets.h"

#include <condyle/load.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAX_STEPPED = 200,    // dofs of a model that is also stepped
  MAX_ARENA = 1 << 24,  // bytes
  MAX_SIZE = 1000,      // of nkey, nuserdata, ...
};

// A model that loaded must run, too.
static void use(mjModel* model) {
  if (model && model->nv <= MAX_STEPPED && model->narena < 1 << 28) {
    mjData* data = mj_makeData(model);
    for (int i = 0; data && i < 2; i++) {
      mj_step(model, data);
    }
    mj_deleteData(data);
  }
  mj_deleteModel(model);
}

// How much room a model asks for is its author's choice, not a mistake.
static void limit_sizes(mjSpec* spec) {
  int* sizes[] = {&spec->nkey,           &spec->nuserdata,    &spec->nuser_body,
                  &spec->nuser_jnt,      &spec->nuser_geom,   &spec->nuser_site,
                  &spec->nuser_cam,      &spec->nuser_tendon, &spec->nuser_sensor,
                  &spec->nuser_actuator, &spec->njmax,        &spec->nconmax};
  for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
    *sizes[i] = *sizes[i] > MAX_SIZE ? MAX_SIZE : *sizes[i];
  }
  spec->memory = spec->memory > MAX_ARENA ? MAX_ARENA : spec->memory;
  spec->nstack = spec->nstack > MAX_ARENA / 8 ? MAX_ARENA / 8 : spec->nstack;
}

static void run_xml(const uint8_t* bytes, size_t size) {
  char* text = malloc(size + 1);
  if (!text) {
    return;
  }
  memcpy(text, bytes, size);
  text[size] = 0;

  cndDiagnostics* problems = cnd_makeDiagnostics();
  mjSpec* spec = cnd_parseXMLString(text, NULL, problems);
  if (spec) {
    limit_sizes(spec);
    use(mj_compile(spec, NULL));
  }
  mj_deleteSpec(spec);
  cnd_deleteDiagnostics(problems);
  free(text);
}

// Loads a model that refers to the bytes as a file.
static void run_file(const char* name, const char* model, const uint8_t* bytes, size_t size) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, name, bytes, (int)size);
  use(cnd_loadXMLString(model, &vfs, NULL));
  mj_deleteVFS(&vfs);
}

#define MESH(file)                                                                    \
  "<mujoco><asset><mesh name='m' file='" file                                         \
  "' inertia='shell'/></asset>"                                                       \
  "<worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .1'><freejoint/><geom " \
  "type='mesh' mesh='m'/></body></worldbody></mujoco>"

static void run_stl(const uint8_t* bytes, size_t size) {
  run_file("a.stl", MESH("a.stl"), bytes, size);
}

static void run_obj(const uint8_t* bytes, size_t size) {
  run_file("a.obj", MESH("a.obj"), bytes, size);
}

static void run_msh(const uint8_t* bytes, size_t size) {
  run_file("a.msh", MESH("a.msh"), bytes, size);
}

static void run_hfield(const uint8_t* bytes, size_t size) {
  run_file("a.png",
           "<mujoco><asset><hfield name='h' file='a.png' size='1 1 1 1'/></asset>"
           "<worldbody><geom type='hfield' hfield='h'/></worldbody></mujoco>",
           bytes, size);
}

static void run_heights(const uint8_t* bytes, size_t size) {
  run_file("a.bin",
           "<mujoco><asset><hfield name='h' file='a.bin' size='1 1 1 1'/></asset>"
           "<worldbody><geom type='hfield' hfield='h'/></worldbody></mujoco>",
           bytes, size);
}

static void run_texture(const uint8_t* bytes, size_t size) {
  run_file("a.png", "<mujoco><asset><texture name='t' type='2d' file='a.png'/></asset></mujoco>",
           bytes, size);
}

// Numbers that are no index are not checked by the reader: such a model loads, but isn't stepped.
static void run_mjb(const uint8_t* bytes, size_t size) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "a.mjb", bytes, (int)size);
  mj_deleteModel(mj_loadModel("a.mjb", &vfs));
  mj_deleteVFS(&vfs);
}

const FuzzTarget fuzz_targets[] = {
    {"xml", run_xml, 1},         {"urdf", run_xml, 1},
    {"stl", run_stl, 0},         {"obj", run_obj, 1},
    {"msh", run_msh, 0},         {"hfield", run_hfield, 0},
    {"heights", run_heights, 0}, {"texture", run_texture, 0},
    {"mjb", run_mjb, 0},         {NULL, NULL, 0},
};

const FuzzTarget* fuzz_target(const char* name) {
  for (const FuzzTarget* target = fuzz_targets; target->name; target++) {
    if (strcmp(target->name, name) == 0) {
      return target;
    }
  }
  return NULL;
}

uint8_t* fuzz_binaryseed(size_t* size) {
  mjModel* model = cnd_loadXMLString(
      "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body name='a'><freejoint/><geom "
      "size='.1'/><site name='s'/><body name='b'><joint name='j'/><geom size='.1' "
      "pos='1 0 0'/></body></body></worldbody><actuator><motor joint='j'/></actuator>"
      "<sensor><gyro site='s'/></sensor><keyframe><key/></keyframe></mujoco>",
      NULL, NULL);
  int bytes = model ? mj_sizeModel(model) : 0;
  uint8_t* seed = mju_malloc((size_t)bytes + 1);
  mj_saveModel(model, NULL, seed, bytes);
  mj_deleteModel(model);
  *size = (size_t)bytes;
  return seed;
}
