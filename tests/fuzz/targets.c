// targets.c: the loaders that the fuzzer feeds, one function each.

#include "fuzz/targets.h"
#include "base/memory/memory.h"

#include <condyle/condyle.h>
#include <condyle/load.h>
#include <condyle/replay.h>
#include <condyle/robot.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/file.h"
#include "base/memory/error.h"
#include "base/text/bytes.h"
#include "compile/mesh/mesh.h"
#include "compile/mesh/stored.h"
#include "imagefile/imagefile.h"
#include "meshfile/meshfile.h"
#include "meshfile/stored.h"
#include "replay/format.h"

enum {
  MAX_STEPPED = 200,      // dofs of a model that is also stepped
  MAX_BYTES = 1 << 28,    // of a model and of its data; filling more takes its second
  SMALL_ARENA = 1 << 20,  // where the model asks for none
  MAX_LENGTHRANGE = 100,  // steps to find the range of an actuator
  MAX_ITERATIONS = 100,   // of each solver
};

typedef struct Run_ {
  const mjModel* model;
  mjData* data;
} Run;

static void step_some(void* argument) {
  Run* run = argument;
  run->data = mj_makeData(run->model);
  for (int i = 0; i < 2 && run->data; i++) {
    mj_step(run->model, run->data);
  }
}

// How often a solver may iterate is the author's choice, too.
static void limit_iterations(mjOption* opt) {
  int* counts[] = {&opt->iterations,     &opt->ls_iterations,  &opt->noslip_iterations,
                   &opt->ccd_iterations, &opt->sdf_initpoints, &opt->sdf_iterations};
  for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
    *counts[i] = *counts[i] > MAX_ITERATIONS ? MAX_ITERATIONS : *counts[i];
  }
}

// A model that loaded must run, too, or end in an error: its arena may be too small.
static void use(mjModel* model) {
  if (model && model->nv <= MAX_STEPPED) {
    Run run = {.model = model};
    limit_iterations(&model->opt);
    char message[200];
    error_catch(message, sizeof(message), step_some, &run);
    mj_deleteData(run.data);
  }
  mj_deleteModel(model);
}

// How long the simulation of a length range takes is its author's choice, and zeroing the usual
// arena of 13 MB would be most of the time of a run.
static void limit_work(mjSpec* spec) {
  limit_iterations(&spec->option);
  mjLROpt* range = &spec->compiler.LRopt;
  if (!(range->inttotal <= MAX_LENGTHRANGE * range->timestep)) {
    range->inttotal = MAX_LENGTHRANGE * range->timestep;
  }
  if (spec->memory == (mjtSize)-1 && spec->nstack == (mjtSize)-1 && spec->njmax < 0) {
    spec->memory = SMALL_ARENA;
  }
}

static void run_xml(const uint8_t* bytes, size_t size) {
  char* text = malloc(size + 1);
  if (!text) {
    return;
  }
  memcpy(text, bytes, size);
  text[size] = 0;

  cnd_limitMemory(MAX_BYTES);
  cndDiagnostics* problems = cnd_makeDiagnostics();
  mjSpec* spec = cnd_parseXMLString(text, NULL, problems);
  if (spec) {
    limit_work(spec);
    use(mj_compile(spec, NULL));
  }
  mj_deleteSpec(spec);
  cnd_deleteDiagnostics(problems);
  free(text);
}

// A robot with all that is made of it: drives, a free base on a floor, hulls, a mesh by its
// package.
static void run_robot(const uint8_t* bytes, size_t size) {
  static const char mesh[] =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  mjVFS vfs;
  cnd_limitMemory(MAX_BYTES);
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "r.urdf", bytes, (int)size);
  mj_addBufferVFS(&vfs, "parts/m.obj", mesh, sizeof(mesh) - 1);
  cndRobotOptions options;
  cnd_defaultRobotOptions(&options);
  options.vfs = &vfs;
  options.floating = options.scene = options.simplify = 1;
  options.actuators = size % 2 ? "position" : NULL;
  cndDiagnostics* problems = cnd_makeDiagnostics();
  mjSpec* spec = cnd_parseRobot("r.urdf", &options, problems);
  if (spec) {
    limit_work(spec);
    use(mj_compile(spec, &vfs));
  }
  mj_deleteSpec(spec);
  cnd_deleteDiagnostics(problems);
  mj_deleteVFS(&vfs);
}

// Loads a model that refers to the bytes as a file.
static void run_file(const char* name, const char* model, const uint8_t* bytes, size_t size) {
  mjVFS vfs;
  cnd_limitMemory(MAX_BYTES);
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, name, bytes, (int)size);
  use(cnd_loadXMLString(model, &vfs, NULL));
  mj_deleteVFS(&vfs);
}

#define MESH(file)                                                                            \
  "<mujoco><compiler usethread='false'/><size memory='1M'/><asset><mesh name='m' file='" file \
  "' inertia='shell'/></asset>"                                                               \
  "<worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .1'><freejoint/><geom "         \
  "type='mesh' mesh='m'/></body></worldbody></mujoco>"

static void run_stl(const uint8_t* bytes, size_t size) {
  run_file("a.stl", MESH("a.stl"), bytes, size);
}

static void run_obj(const uint8_t* bytes, size_t size) {
  run_file("a.obj", MESH("a.obj"), bytes, size);
}

// Whatever other file a mesh names, it gets the bytes of the mesh itself.
typedef struct SameBytes_ {
  const uint8_t* bytes;
  size_t size;
} SameBytes;

static int give_same(void* user, const char* name, const void** bytes, size_t* size) {
  const SameBytes* same = user;
  *bytes = same->bytes;
  *size = same->size;
  return name[0] != 0;
}

// Reads a mesh of another tool, and if it can be read, as a mesh of a model.
static void run_parts(const char* name, const char* model, const uint8_t* bytes, size_t size) {
  enum {
    FEW = 1000,
  };
  char error[300];
  SameBytes same = {bytes, size};
  const MeshFileAccess access = {give_same, &same};
  MeshFile* file = meshfile_read(name, bytes, size, &access, error, sizeof(error));
  int nface = 0;
  for (int i = 0; file && i < file->npart; i++) {
    nface += file->part[i].nface;
  }
  meshfile_free(file);
  if (nface && nface < FEW && model) {
    run_file(name, model, bytes, size);
  }
}

static void run_dae(const uint8_t* bytes, size_t size) {
  run_parts("a.dae", MESH("a.dae"), bytes, size);
}

static void run_gltf(const uint8_t* bytes, size_t size) {
  run_parts("a.gltf", MESH("a.gltf"), bytes, size);
}

static void run_glb(const uint8_t* bytes, size_t size) {
  run_parts("a.glb", MESH("a.glb"), bytes, size);
}

static void run_ply(const uint8_t* bytes, size_t size) {
  run_parts("a.ply", MESH("a.ply"), bytes, size);
}

static void run_objparts(const uint8_t* bytes, size_t size) {
  run_parts("a.obj", NULL, bytes, size);
}

static void run_stlparts(const uint8_t* bytes, size_t size) {
  run_parts("a.stl", NULL, bytes, size);
}

static void run_msh(const uint8_t* bytes, size_t size) {
  run_file("a.msh", MESH("a.msh"), bytes, size);
}

static void run_gmsh(const uint8_t* bytes, size_t size) {
  run_file("a.msh",
           "<mujoco><size memory='1M'/><worldbody><flexcomp name='f' type='gmsh' file='a.msh' "
           "rigid='true'><elasticity young='1' thickness='1' elastic2d='stretch'/></flexcomp>"
           "<geom type='plane' size='1 1 1'/></worldbody></mujoco>",
           bytes, size);
}

// PNG: sums of chunks are made right again, or every change would end at the first of them.

static uint32_t png_sum(const uint8_t* bytes, size_t size) {
  uint32_t sum = 0xFFFFFFFF;
  for (size_t i = 0; i < size; i++) {
    sum ^= bytes[i];
    for (int bit = 0; bit < 8; bit++) {
      sum = sum >> 1 ^ (sum & 1 ? 0xEDB88320 : 0);
    }
  }
  return ~sum;
}

static uint32_t big_endian(const uint8_t* bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

// Runs a model with a copy of the image: 8 bytes, then chunks of length, name, contents and sum.
static void run_png(const char* model, const uint8_t* bytes, size_t size) {
  enum {
    HEAD = 8,
    EDGES = 12
  };
  uint8_t* copy = malloc(size + 1);
  if (!copy) {
    return;
  }
  memcpy(copy, bytes, size);
  for (size_t at = HEAD; at + EDGES <= size;) {
    size_t length = big_endian(copy + at);
    if (length > size - at - EDGES) {
      break;
    }
    uint32_t sum = png_sum(copy + at + 4, length + 4);
    for (int k = 0; k < 4; k++) {
      copy[at + 8 + length + k] = (uint8_t)(sum >> (24 - 8 * k));
    }
    at += length + EDGES;
  }
  run_file("a.png", model, copy, size);
  free(copy);
}

static void run_hfield(const uint8_t* bytes, size_t size) {
  run_png(
      "<mujoco><compiler usethread='false'/><size memory='1M'/><asset><hfield name='h' "
      "file='a.png' size='1 1 1 1'/></asset>"
      "<worldbody><geom type='hfield' hfield='h'/></worldbody></mujoco>",
      bytes, size);
}

static void run_heights(const uint8_t* bytes, size_t size) {
  run_file("a.bin",
           "<mujoco><compiler usethread='false'/><size memory='1M'/><asset><hfield name='h' "
           "file='a.bin' size='1 1 1 1'/></asset>"
           "<worldbody><geom type='hfield' hfield='h'/></worldbody></mujoco>",
           bytes, size);
}

static void run_texture(const uint8_t* bytes, size_t size) {
  run_png(
      "<mujoco><compiler usethread='false'/><size memory='1M'/><asset><texture name='t' type='2d' "
      "file='a.png'/></asset></mujoco>",
      bytes, size);
}

static void run_custom(const uint8_t* bytes, size_t size) {
  run_file("a.bin",
           "<mujoco><compiler usethread='false'/><size memory='1M'/><asset><texture name='t' "
           "type='2d' file='a.bin'/><texture "
           "name='c' type='cube' file='a.bin' gridsize='1 3' gridlayout='.RU'/></asset></mujoco>",
           bytes, size);
}

static void run_ktx(const uint8_t* bytes, size_t size) {
  run_file("a.ktx",
           "<mujoco><compiler usethread='false'/><size memory='1M'/><asset><texture name='t' "
           "type='2d' file='a.ktx' "
           "content_type='image/ktx'/></asset></mujoco>",
           bytes, size);
}

static void run_skin(const uint8_t* bytes, size_t size) {
  run_file("a.skn",
           "<mujoco><size memory='1M'/><deformable><skin file='a.skn'/></deformable><worldbody>"
           "<body name='a'><freejoint/><geom size='.1'/><body name='b' pos='.1 0 0'><joint/><geom "
           "size='.1'/></body><body name='c'/></body></worldbody></mujoco>",
           bytes, size);
}

// One model in which an instance of the plugin has an effect. Shapes: a mesh of their own would
// take its second.
static const struct {
  const char *plugin, *content;
} plugin_models[] = {
    {"mujoco.pid",
     "<worldbody><body><joint name='j'/><geom size='1'/></body></worldbody><actuator><plugin "
     "instance='i' joint='j' actdim='%d' ctrlrange='-1 1'/></actuator>"},
    {"mujoco.elasticity.cable",
     "<worldbody><body><geom type='capsule' size='.1 .%d'/><plugin instance='i'/><body pos='1 0 0'>"
     "<joint type='ball'/><geom type='box' size='.1 .2 .3'/><plugin instance='i'/></body></body>"
     "</worldbody>"},
    {"mujoco.sensor.touch_grid",
     "<worldbody><geom type='plane' size='1 1 1'/><body><freejoint/><geom size='.%d1'/><site "
     "name='s'/></body></worldbody><sensor><plugin instance='i' objtype='site' objname='s'/>"
     "</sensor>"},
#define SHAPE(name)                                                                                \
  {                                                                                                \
    "mujoco.sdf." name,                                                                            \
        "<asset><mesh name='m' builtin='sphere' params='%d'/></asset><worldbody><geom type='sdf' " \
        "mesh='m'><plugin instance='i'/></geom><body><freejoint/><geom "                           \
        "size='.3'/></body></worldbody>"                                                           \
  }
    SHAPE("bolt"),
    SHAPE("bowl"),
    SHAPE("gear"),
    SHAPE("nut"),
    SHAPE("torus"),
};

// The first byte says which plugin, the second a number of its model, lines the values of its
// attributes.
static void run_plugin(const uint8_t* bytes, size_t size) {
  enum {
    KINDS = sizeof(plugin_models) / sizeof(plugin_models[0]),
    ROOM = 4000
  };
  char *xml = malloc(ROOM + size + 1), *text = xml + ROOM;
  if (!xml || size < 2) {
    free(xml);
    return;
  }
  int kind = bytes[0] % KINDS, number = bytes[1] % 4;
  memcpy(text, bytes + 2, size - 2);
  text[size - 2] = 0;
  int length =
      snprintf(xml, ROOM,
               "<mujoco><compiler usethread='false'/><size memory='1M'/><extension><plugin "
               "plugin='%s'><instance name='i'/></plugin></extension>",
               plugin_models[kind].plugin);
  length += snprintf(xml + length, ROOM - (size_t)length, plugin_models[kind].content, number);
  snprintf(xml + length, ROOM - (size_t)length, "</mujoco>");

  cnd_limitMemory(MAX_BYTES);
  mjSpec* spec = cnd_parseXMLString(xml, NULL, NULL);
  const mjpPlugin* plugin = mjp_getPlugin(plugin_models[kind].plugin, NULL);
  mjString word[16] = {{0}};
  mjStringVec config = {word, 0, 16};
  for (int i = 0; spec && i < plugin->nattribute && *text; i++) {
    size_t end = strcspn(text, "\n");
    int last = !text[end];
    text[end] = 0;
    mjs_setString(&word[config.num++], plugin->attributes[i]);
    mjs_setString(&word[config.num++], text);
    text += end + !last;
  }
  if (spec) {
    limit_work(spec);
    mjs_setPluginAttributes(mjs_asPlugin(mjs_findElement(spec, mjOBJ_PLUGIN, "i")), &config);
    use(mj_compile(spec, NULL));
  }
  for (size_t i = 0; i < config.num; i++) {
    cnd_resizeBuffer(word[i].ptr, 0);
  }
  mj_deleteSpec(spec);
  free(xml);
}

static void run_mjb(const uint8_t* bytes, size_t size) {
  mjVFS vfs;
  cnd_limitMemory(MAX_BYTES);
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "a.mjb", bytes, (int)size);
  use(mj_loadModel("a.mjb", &vfs));
  mj_deleteVFS(&vfs);
}

static uint8_t* binary_seed(size_t* size) {
  mjModel* model = cnd_loadXMLString(
      "<mujoco><size memory='1M'/><worldbody><geom type='plane' size='1 1 1'/><body "
      "name='a'><freejoint/><geom "
      "size='.1'/><site name='s'/><body name='b'><joint name='j'/><geom size='.1' "
      "pos='1 0 0'/></body></body></worldbody><actuator><motor joint='j'/></actuator>"
      "<sensor><gyro site='s'/></sensor><keyframe><key/></keyframe></mujoco>",
      NULL, NULL);
  int bytes = model ? mj_sizeModel(model) : 0;
  uint8_t* seed = heap_take((size_t)bytes + 1);
  mj_saveModel(model, NULL, seed, bytes);
  mj_deleteModel(model);
  *size = (size_t)bytes;
  return seed;
}

// runs: the sum of a file is made right again, or every change would end there

static void replay_some(void* argument) {
  cndReplay* replay = argument;
  mjData* d = mj_makeData(cnd_replayModel(replay));
  if (d) {
    cnd_replayStart(replay, d);
    for (int i = 0; i < 3 && cnd_replayStep(replay, d) != cndREPLAY_END; i++) {
    }
  }
  mj_deleteData(d);
}

static void run_cnd(const uint8_t* bytes, size_t size) {
  uint64_t sum;
  uint8_t* copy = malloc(size + 1);
  if (!copy || size < sizeof(sum)) {
    free(copy);
    return;
  }
  memcpy(copy, bytes, size);
  sum = run_sum(run_sum_start, bytes, size - sizeof(sum));
  memcpy(copy + size - sizeof(sum), &sum, sizeof(sum));
  cnd_limitMemory(MAX_BYTES);
  char message[200];
  cndReplay* replay = cnd_openReplayBuffer(copy, (int64_t)size, message, sizeof(message));
  if (replay && cnd_replayModel(replay)->nv <= MAX_STEPPED) {
    error_catch(message, sizeof(message), replay_some, replay);
  }
  cnd_closeReplay(replay);
  free(copy);
}

static uint8_t* run_seed(size_t* size) {
  char path[] = "/tmp/condyle-run-XXXXXX", error[200];
  int file = mkstemp(path);
  mjModel* model = cnd_loadXMLString(
      "<mujoco><size memory='1M'/><worldbody><geom type='plane' size='1 1 1'/><body name='m' "
      "mocap='true'/><body><freejoint/><geom size='.1'/><body><joint name='j'/><geom size='.1' "
      "pos='1 0 0'/></body></body></worldbody><actuator><muscle joint='j' lengthrange='0 1' "
      "force='1'/></actuator></mujoco>",
      NULL, NULL);
  mjData* d = mj_makeData(model);
  cndRecorder* recorder = cnd_openRecorder(path, model, d, error, sizeof(error));
  for (int i = 0; i < 3; i++) {
    d->ctrl[0] = (mjtNum)i / 3;
    d->mocap_pos[1] = i;
    cnd_recordStep(recorder, model, d);
  }
  cnd_closeRecorder(recorder, error, sizeof(error));
  uint8_t* seed = (uint8_t*)file_read(size, path, error, sizeof(error));
  close(file);
  remove(path);
  mj_deleteData(d);
  mj_deleteModel(model);
  return seed;
}

// archives

// Makes the sums of stored files right again, or every change of them would end there.
static void fix_sums(uint8_t* bytes, size_t size) {
  for (size_t at = 0; at + 46 <= size; at++) {
    uint8_t* entry = bytes + at;
    if (memcmp(entry, "PK\1\2", 4) != 0 || bytes_u16(entry + 10) != 0) {
      continue;
    }
    size_t header = bytes_u32(entry + 42), count = bytes_u32(entry + 24);
    if (header > size || size - header < 30) {
      continue;
    }
    size_t from = header + 30 + bytes_u16(bytes + header + 26) + bytes_u16(bytes + header + 28);
    if (from <= size && count <= size - from) {
      uint32_t sum = (uint32_t)crc32(crc32(0, NULL, 0), bytes + from, (uInt)count);
      memcpy(entry + 16, &sum, sizeof(sum));
    }
  }
}

static void run_mjz(const uint8_t* bytes, size_t size) {
  uint8_t* fixed = memcpy(heap_take(size + 1), bytes, size);
  fix_sums(fixed, size);
  mjVFS vfs;
  cnd_limitMemory(MAX_BYTES);
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "a.mjz", fixed, (int)size);
  cnd_sealVFS(&vfs);
  heap_free(fixed);
  mjSpec* spec = cnd_parseXML("a.mjz", &vfs, NULL);
  if (spec) {
    limit_work(spec);
    use(mj_compile(spec, &vfs));
  }
  mj_deleteSpec(spec);
  mj_deleteVFS(&vfs);
}

// pictures of robots

static void run_picture(const char* name, const uint8_t* bytes, size_t size) {
  char error[300];
  imagefile_free(imagefile_read(name, bytes, size, error, sizeof(error)));
}

static void run_image(const uint8_t* bytes, size_t size) {
  run_picture("a", bytes, size);
}

static void run_tga(const uint8_t* bytes, size_t size) {
  run_picture("a.tga", bytes, size);
}

// contents of entries of the store on disk: checksums are beyond a fuzzer, so those are left out

#define ANY_MESH                                                                                \
  "<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 2 1 0 1 3 0 3 2 1 2 " \
  "3'/></asset></mujoco>"

static uint8_t* mesh_seed(size_t* size) {
  mjSpec* spec = cnd_parseXMLString(ANY_MESH, NULL, NULL);
  const MeshRequest request = {
      .spec = mjs_asMesh(mjs_findElement(spec, mjOBJ_MESH, "m")), .name = "m", .needhull = 1};
  Mesh* mesh = mesh_make(&request);
  uint8_t* bytes = mesh_pack(size, mesh);
  asset_release(mesh);
  mj_deleteSpec(spec);
  return bytes;
}

static void run_mesh(const uint8_t* bytes, size_t size) {
  Mesh mesh = {0};
  void* copy = memcpy(heap_take(size), bytes, size);
  mesh_unpack(&mesh, copy, size);
  heap_free(copy);
}

static uint8_t* parts_seed(size_t* size) {
  static const char obj[] =
      "mtllib a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl m\nf 1/1 2/1 3/1\n";
  static const char mtl[] = "newmtl m\nKd 1 0 0\nmap_Kd a.png\n";
  SameBytes same = {(const uint8_t*)mtl, sizeof(mtl) - 1};
  const MeshFileAccess access = {give_same, &same};
  char error[300];
  MeshFile* file = meshfile_read("a.obj", obj, sizeof(obj) - 1, &access, error, sizeof(error));
  uint8_t* bytes = meshfile_pack(size, file);
  meshfile_free(file);
  return bytes;
}

static void run_packed(const uint8_t* bytes, size_t size) {
  void* copy = memcpy(heap_take(size), bytes, size);
  MeshFile* file = meshfile_unpack(copy, size);
  size_t packed;
  heap_free(file ? meshfile_pack(&packed, file) : NULL);  // reads all that it holds
  meshfile_free(file);
  heap_free(copy);
}

const FuzzTarget fuzz_targets[] = {
    {"xml", run_xml, 1, NULL},
    {"urdf", run_xml, 1, NULL},
    {"stl", run_stl, 0, NULL},
    {"obj", run_obj, 1, NULL},
    {"msh", run_msh, 0, NULL},
    {"hfield", run_hfield, 0, NULL},
    {"heights", run_heights, 0, NULL},
    {"texture", run_texture, 0, NULL},
    {"custom", run_custom, 0, NULL},
    {"ktx", run_ktx, 0, NULL},
    {"mjb", run_mjb, 0, binary_seed},
    {"cnd", run_cnd, 0, run_seed},
    {"mjz", run_mjz, 0, NULL},
    {"gmsh", run_gmsh, 1, NULL},
    {"skin", run_skin, 0, NULL},
    {"plugin", run_plugin, 1, NULL},
    {"dae", run_dae, 1, NULL},
    {"gltf", run_gltf, 1, NULL},
    {"glb", run_glb, 0, NULL},
    {"ply", run_ply, 0, NULL},
    {"plytext", run_ply, 1, NULL},
    {"objparts", run_objparts, 1, NULL},
    {"stlparts", run_stlparts, 0, NULL},
    {"sdf", run_xml, 1, NULL},
    {"robot", run_robot, 1, NULL},
    {"jpeg", run_image, 0, NULL},
    {"bmp", run_image, 0, NULL},
    {"tga", run_tga, 0, NULL},
    {"mesh", run_mesh, 0, mesh_seed},
    {"packed", run_packed, 0, parts_seed},
    {NULL, NULL, 0, NULL},
};

const FuzzTarget* fuzz_target(const char* name) {
  for (const FuzzTarget* target = fuzz_targets; target->name; target++) {
    if (strcmp(target->name, name) == 0) {
      return target;
    }
  }
  return NULL;
}
