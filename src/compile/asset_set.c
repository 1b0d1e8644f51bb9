// asset_set.c: lists the assets of a model as jobs and runs them on several threads.

#include "compile/asset_set.h"

#include <math.h>
#include <mujoco/api/model.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/error.h"
#include "base/memory/memory.h"
#include "base/parallel.h"
#include "base/store.h"
#include "compile/asset_file.h"
#include "compile/clock.h"
#include "compile/mesh/stored.h"
#include "compile/plugin.h"
#include "compile/texture/reference.h"
#include "compile/tree/repair.h"
#include "model/contact_options.h"
#include "model/files/coder.h"

// One asset to be made. Jobs share no data, so they may run in parallel.
typedef struct Job_ {
  SpecObject* object;  // mesh, height field or texture
  int has_file;
  AssetFile file;
  union {
    MeshRequest mesh;
    HFieldRequest hfield;
    ImageRequest image;
  } request;
  void** out;         // receives the finished asset
  Digest key;         // key in the cache
  Store* store;       // where finished meshes are kept on disk; NULL for none
  char problem[400];  // message if it could not be made
  double timer[mjNCTIMER];
} Job;

// When a job is started.
typedef struct Turn_ {
  size_t weight;  // roughly how long it takes
  int job;
} Turn;

typedef struct JobList_ {
  Job* job;
  int count;
  Turn* turn;
  int is_whole;  // 1: polygons of meshes are whole, for hard contacts
} JobList;

int assets_usesmesh(mjtGeom type) {
  return type == mjGEOM_MESH || type == mjGEOM_SDF;
}

const Mesh* assets_mesh(const Compile* c, const mjString* name) {
  int id = string_empty(name) ? -1 : compile_find(c, mjOBJ_MESH, name);
  return id >= 0 ? c->assets->mesh[id] : NULL;
}

void assets_meshsize(double out[3], const Mesh* mesh) {
  for (int k = 0; k < 3; k++) {
    out[k] = fmax(fabs(mesh->lower[k]), fabs(mesh->upper[k]));
  }
}

// collecting jobs

// formats by content type
static const struct {
  mjtObj kind;
  const char* type;
  int format;
  int explicit;  // 1 if content_type must be given: the extension is not enough
} formats[] = {
    {mjOBJ_MESH, "model/stl", MESH_STL, 0},
    {mjOBJ_MESH, "model/obj", MESH_OBJ, 0},
    {mjOBJ_MESH, "model/vnd.mujoco.msh", MESH_MSH, 0},
    {mjOBJ_MESH, "model/vnd.collada+xml", MESH_COLLADA, 0},
    {mjOBJ_MESH, "model/gltf+json", MESH_GLTF, 0},
    {mjOBJ_MESH, "model/gltf-binary", MESH_GLB, 0},
    {mjOBJ_MESH, "model/ply", MESH_PLY, 0},
    {mjOBJ_HFIELD, "image/png", HFIELD_PNG, 0},
    {mjOBJ_HFIELD, "image/vnd.mujoco.hfield", HFIELD_CUSTOM, 0},
    {mjOBJ_TEXTURE, "image/png", IMAGE_PNG, 0},
    {mjOBJ_TEXTURE, "image/ktx", IMAGE_KTX, 1},
    {mjOBJ_TEXTURE, "image/vnd.mujoco.texture", IMAGE_CUSTOM, 0},
};

static const char mesh_extensions[] = ".stl .obj .msh .dae .gltf .glb .ply";

// Finds the format of a file; `unknown` is the format for unknown types. Returns 0, with an error,
// if the type belongs to another kind of asset.
static int find_format(int* format, Compile* c, const SpecObject* object,
                       const mjString* content_type, const mjString* file, int unknown) {
  mjtObj kind = object->element.elemtype;
  int given = !string_empty(content_type), is_mesh = kind == mjOBJ_MESH;
  char type[64];
  *format = unknown;
  if (!asset_type(type, content_type, string_text(file))) {
    if (is_mesh) {
      compile_error(c, object, "invalid content type: '%s'", string_text(content_type));
    }
    return !is_mesh;
  }
  for (size_t k = 0; k < sizeof(formats) / sizeof(formats[0]); k++) {
    if (formats[k].kind == kind && strcmp(formats[k].type, type) == 0) {
      *format = formats[k].explicit && !given ? unknown : formats[k].format;
      return 1;
    }
  }
  if (is_mesh && coder_knows(string_text(file), string_text(content_type))) {
    *format = MESH_DECODED;
    return 1;
  }
  if (is_mesh ? type[0] != 0 : given) {
    compile_error(c, object, "unsupported %s type: '%s'%s%s", is_mesh ? "mesh" : "content", type,
                  is_mesh ? "; known are files " : "", is_mesh ? mesh_extensions : "");
    return 0;
  }
  return 1;
}

// Adds a job and locates its file, if there is one.
static Job* add_job(Compile* c, JobList* list, SpecObject* object, const mjString* file,
                    void** out) {
  Job* job = &list->job[list->count++];
  *job = (Job){.object = object, .has_file = !string_empty(file), .out = out};
  if (job->has_file) {
    asset_locate(&job->file, c, object, string_text(file));
  }
  return job;
}

// Finds the shape of the plugin of a mesh without a file. Returns 0 if there is none or it is
// wrong.
static int find_shape(MeshRequest* request, Compile* c, const SpecObject* object) {
  int instance = compile_plugin(c, object);
  const mjpPlugin* plugin = instance < 0 ? NULL : mjp_getPluginAtSlot(c->slot[instance]);
  if (!plugin || !string_empty(object->as.mesh.file)) {
    return 0;
  }
  if (!plugin->sdf_staticdistance || !plugin->sdf_attribute || !plugin->sdf_aabb) {
    return compile_error(c, object, "plugin '%s' can't make the mesh of its shape", plugin->name);
  }
  size_t count = (size_t)plugin->nattribute;
  const char** text = heap_zero(2 * count + 1, sizeof(char*));
  mjtNum* number = heap_zero(count + 1, sizeof(mjtNum));
  for (size_t i = 0; i < count; i++) {
    text[i] = plugin->attributes[i];
    text[count + i] = compile_config(c->list[mjOBJ_PLUGIN][instance], text[i]);
  }
  Heap* heap = heap_pause();
  plugin->sdf_attribute(number, text, text + count);
  plugin->sdf_aabb(request->shape.aabb, number);
  heap_resume(heap);
  heap_free(text);
  request->shape.distance = plugin->sdf_staticdistance;
  request->shape.number = number;
  request->nnumber = plugin->nattribute;
  return 1;
}

static void add_mesh(Compile* c, JobList* list, int id, int needhull, int needoctree) {
  SpecObject* object = c->list[mjOBJ_MESH][id];
  const mjsMesh* spec = &object->as.mesh;
  int format = MESH_INLINE;
  if (!string_empty(spec->file) &&
      !find_format(&format, c, object, spec->content_type, spec->file, MESH_INLINE)) {
    return;
  }
  Job* job = add_job(c, list, object, spec->file, (void**)&c->assets->mesh[id]);
  if (job->has_file && format == MESH_INLINE) {
    compile_error(c, object, "unknown or unsupported mesh file: '%s'; known are %s",
                  job->file.shown, mesh_extensions);
    asset_closefile(&job->file);
    list->count--;
    return;
  }
  job->request.mesh = (MeshRequest){.spec = spec,
                                    .name = spec_name(object),
                                    .file = &job->file,
                                    .format = (MeshFormat)format,
                                    .needhull = needhull,
                                    .needoctree = needoctree,
                                    .thickens = repair_islenient(object),
                                    .later = compile_behaves(object, cndBEHAVIOUR_compile),
                                    .is_whole = list->is_whole,
                                    .stretch = object->stretch};
  if (find_shape(&job->request.mesh, c, object)) {
    job->request.mesh.format = MESH_SHAPE;
    job->request.mesh.needoctree = 0;  // its distance function is exact
  }
}

static void add_hfield(Compile* c, JobList* list, int id) {
  SpecObject* object = c->list[mjOBJ_HFIELD][id];
  const mjsHField* spec = &object->as.hfield;
  int format = HFIELD_INLINE;
  if (!string_empty(spec->file) &&
      !find_format(&format, c, object, spec->content_type, spec->file, HFIELD_CUSTOM)) {
    return;
  }
  Job* job = add_job(c, list, object, spec->file, (void**)&c->assets->hfield[id]);
  job->request.hfield = (HFieldRequest){
      .spec = spec, .name = spec_name(object), .file = &job->file, .format = (HFieldFormat)format};
}

static void add_image(Compile* c, JobList* list, SpecObject* object, const mjString* file,
                      Image** out) {
  const mjsTexture* spec = &object->as.texture;
  int format;
  if (!find_format(&format, c, object, spec->content_type, file, IMAGE_CUSTOM)) {
    return;
  }
  Job* job = add_job(c, list, object, file, (void**)out);
  job->request.image = (ImageRequest){.format = (ImageFormat)format,
                                      .file = &job->file,
                                      .nchannel = spec->nchannel,
                                      .hflip = spec->hflip,
                                      .vflip = spec->vflip};
}

// Adds jobs for the pictures of a texture that has neither pixels nor a pattern.
static void add_texture(Compile* c, JobList* list, int id) {
  SpecObject* object = c->list[mjOBJ_TEXTURE][id];
  const mjsTexture* spec = &object->as.texture;
  Image** out = c->assets->image + (size_t)id * CUBE_FACES;
  if (spec->data->num || spec->builtin != mjBUILTIN_NONE || texture_isreference(c, object)) {
    return;
  }
  if (!string_empty(spec->file)) {
    add_image(c, list, object, spec->file, out);
    return;
  }
  for (size_t k = 0; spec->type != mjTEXTURE_2D && k < CUBE_FACES && k < spec->cubefiles->num;
       k++) {
    if (!string_empty(&spec->cubefiles->ptr[k])) {
      add_image(c, list, object, &spec->cubefiles->ptr[k], out + k);
    }
  }
}

// Id of the mesh whose shape a geom has, -1 if it has none.
static int mesh_of(const Compile* c, int geom) {
  const mjsGeom* spec = &c->list[mjOBJ_GEOM][geom]->as.geom;
  int has_mesh = assets_usesmesh(spec->type) && !string_empty(spec->meshname);
  return has_mesh ? compile_find(c, mjOBJ_MESH, spec->meshname) : -1;
}

// Marks what geoms and sites need of each mesh: bit 0 for a hull, bit 1 for an octree.
static void mark_meshes(const Compile* c, char* needs) {
  for (int i = 0; i < c->count[mjOBJ_MESH]; i++) {
    const mjsMesh* mesh = &c->list[mjOBJ_MESH][i]->as.mesh;
    needs[i] = (char)((mesh->inertia == mjMESH_INERTIA_CONVEX) | (mesh->needsdf ? 2 : 0));
  }
  for (int i = 0; i < c->count[mjOBJ_GEOM]; i++) {
    const mjsGeom* geom = &c->list[mjOBJ_GEOM][i]->as.geom;
    int id = mesh_of(c, i);
    if (id >= 0) {
      needs[id] |= geom->contype || geom->conaffinity;
      needs[id] |= geom->type == mjGEOM_SDF ? 2 : 0;
    }
  }
  for (int i = 0; i < c->count[mjOBJ_SITE]; i++) {
    const mjsSite* site = &c->list[mjOBJ_SITE][i]->as.site;
    int named = site->type == mjGEOM_MESH && !string_empty(site->meshname);
    int id = named ? compile_find(c, mjOBJ_MESH, site->meshname) : -1;
    if (id >= 0) {
      needs[id] |= 1;
    }
  }
  for (int i = 0; i < c->count[mjOBJ_PAIR]; i++) {
    const mjsPair* pair = &c->list[mjOBJ_PAIR][i]->as.pair;
    const mjString* names[] = {pair->geomname1, pair->geomname2};
    for (int k = 0; k < 2; k++) {
      int geom = string_empty(names[k]) ? -1 : compile_find(c, mjOBJ_GEOM, names[k]);
      int id = geom < 0 ? -1 : mesh_of(c, geom);
      if (id >= 0) {
        needs[id] |= 1;
      }
    }
  }
}

// running jobs

static Digest key_of(const Job* job) {
  mjtObj kind = job->object->element.elemtype;
  return kind == mjOBJ_MESH     ? mesh_key(&job->request.mesh, asset_key("mesh"), &job->file.digest)
         : kind == mjOBJ_HFIELD ? hfield_key(&job->request.hfield)
                                : image_key(&job->request.image);
}

static void* make(const Job* job) {
  mjtObj kind = job->object->element.elemtype;
  return kind == mjOBJ_MESH     ? (void*)mesh_make(&job->request.mesh)
         : kind == mjOBJ_HFIELD ? (void*)hfield_make(&job->request.hfield)
                                : (void*)image_make(&job->request.image);
}

// Are other files part of its key, which it names itself?
static int needs_others(const Job* job) {
  MeshFormat format = job->request.mesh.format;
  return job->object->element.elemtype == mjOBJ_MESH && (format == MESH_GLTF || format == MESH_GLB);
}

// Takes a mesh from the store, else makes it and puts it there. The store has digests of its own.
static Mesh* find_or_make_mesh(const Job* job) {
  Digest content = store_key(job->store, "file");
  if (job->has_file) {
    digest_add(&content, job->file.bytes, job->file.size);
  }
  Digest key = mesh_key(&job->request.mesh, store_key(job->store, "mesh"), &content);
  Mesh* mesh = mesh_fetch(job->store, &key);
  if (!mesh) {
    mesh = mesh_make(&job->request.mesh);
    mesh_store(job->store, &key, mesh);
  }
  return mesh;
}

// Takes the asset from the cache, else makes it. First it takes the digest, without reading the
// file if possible. If the file has to be read, the digest of the content read counts.
static void run_job(void* argument) {
  Job* job = argument;
  if (job->has_file) {
    asset_digest(&job->file);
  }
  if (needs_others(job)) {
    asset_load(&job->file);
  }
  job->key = key_of(job);
  *job->out = asset_find(job->key);
  if (!*job->out && job->has_file) {
    asset_load(&job->file);
    job->key = key_of(job);
  }
  *job->out = *job->out ? *job->out : job->store ? (void*)find_or_make_mesh(job) : make(job);
  heap_free(job->file.bytes);
}

// Runs a job and reports its error. Finished assets belong to no call, because they are shared.
static void run_caught(void* argument, int i) {
  const JobList* list = argument;
  Job* job = &list->job[list->turn[i].job];
  Heap* heap = heap_pause();
  double *before = clock_give(job->timer), begin = clock_now();
  error_catch(job->problem, sizeof(job->problem), run_job, job);
  if (job->object->element.elemtype == mjOBJ_TEXTURE) {
    clock_add(mjCTIMER_TEXTURE, begin);
  }
  clock_give(before);
  heap_resume(heap);
  job->file.bytes = NULL;
  if (*job->out) {
    asset_keep(job->key, *job->out);
  }
}

Mesh* assets_makemesh(SpecObject* mesh, const mjVFS* vfs, char* error, size_t error_size) {
  if (mesh->as.mesh.plugin.active) {
    snprintf(error, error_size, "mesh '%s' is the shape of a plugin", spec_name(mesh));
    return NULL;
  }
  Mesh* made = NULL;
  AssetSet assets = {.mesh = &made};
  Compile c = {.tree = mesh->tree, .vfs = vfs, .assets = &assets};
  Job job;
  Turn turn = {0, 0};
  JobList list = {&job, 0, &turn, 0};
  c.list[mjOBJ_MESH] = &mesh;
  c.count[mjOBJ_MESH] = 1;
  spec_clearerrors(mesh->tree);
  add_mesh(&c, &list, 0, 0, 0);
  if (c.nerror) {
    snprintf(error, error_size, "%s", string_text(&mesh->tree->error));
    spec_clearerrors(mesh->tree);
    return NULL;
  }
  run_caught(&list, 0);
  asset_closefile(&job.file);
  snprintf(error, error_size, "%s", job.problem);
  return made;
}

static int compare_turns(const void* a, const void* b) {
  const Turn *x = a, *y = b;
  return x->weight != y->weight ? (x->weight < y->weight ? 1 : -1) : x->job - y->job;
}

// Orders the jobs by falling weight, so that no long one is started last, when others have nothing
// left to do.
static void order_jobs(JobList* list) {
  for (int i = 0; i < list->count; i++) {
    const Job* job = &list->job[i];
    int is_packed = job->object->element.elemtype == mjOBJ_TEXTURE;
    list->turn[i] = (Turn){job->has_file ? asset_size(&job->file) << is_packed : 0, i};
  }
  qsort(list->turn, (size_t)list->count, sizeof(Turn), compare_turns);
}

// Opens the store for the jobs that make meshes, if the model is one whose meshes are kept. A mesh
// of a plugin's shape, or of a program's decoder, can't be told apart from one process to the next.
static Store* open_store(const Compile* c, JobList* list) {
  Store* store = c->tree->stores && c->count[mjOBJ_MESH] ? store_open() : NULL;
  for (int i = 0; i < list->count; i++) {
    Job* job = &list->job[i];
    MeshFormat format = job->request.mesh.format;
    int is_kept = job->object->element.elemtype == mjOBJ_MESH && format != MESH_SHAPE &&
                  format != MESH_DECODED;
    job->store = is_kept ? store : NULL;
  }
  return store;
}

// A sketch has no more of a mesh than collision needs: nothing without a hull, else all but the
// BVH.
static void choose_written(const Compile* c) {
  AssetSet* assets = c->assets;
  for (int i = 0; i < c->count[mjOBJ_MESH]; i++) {
    const Mesh* mesh = assets->mesh[i];
    if (mesh && (mesh->graph || !c->tree->sketch)) {
      assets->written[i] = *mesh;
      assets->written[i].nbvh = c->tree->sketch ? 0 : mesh->nbvh;
    }
  }
}

static int has_hard_contacts(const Compile* c) {
  int is_hard = 0;
  for (int i = 0; i < c->count[mjOBJ_TEXT]; i++) {
    const SpecObject* text = c->list[mjOBJ_TEXT][i];
    is_hard |= contact_options_ishard(spec_name(text), string_text(text->as.text.data));
  }
  return is_hard;
}

void assets_make(Compile* c) {
  int nmesh = c->count[mjOBJ_MESH], nhfield = c->count[mjOBJ_HFIELD];
  int ntexture = c->count[mjOBJ_TEXTURE], nimage = CUBE_FACES * ntexture;
  AssetSet* assets = heap_zero(1, sizeof(AssetSet));
  size_t most = (size_t)nmesh + (size_t)nhfield + (size_t)nimage + 1;
  JobList list = {heap_zero(most, sizeof(Job)), 0, heap_zero(most, sizeof(Turn)),
                  has_hard_contacts(c)};
  char* needs = heap_zero((size_t)nmesh + 1, 1);
  assets->mesh = heap_zero((size_t)nmesh + 1, sizeof(Mesh*));
  assets->written = heap_zero((size_t)nmesh + 1, sizeof(Mesh));
  assets->hfield = heap_zero((size_t)nhfield + 1, sizeof(HField*));
  assets->image = heap_zero((size_t)nimage + 1, sizeof(Image*));
  c->assets = assets;  // freed with c from now on
  mark_meshes(c, needs);
  for (int i = 0; i < nmesh; i++) {
    add_mesh(c, &list, i, needs[i] & 1, needs[i] >> 1 & 1);
  }
  for (int i = 0; i < nhfield; i++) {
    add_hfield(c, &list, i);
  }
  for (int i = 0; i < ntexture; i++) {
    add_texture(c, &list, i);
  }
  // The list has a job for every asset. Run the jobs, then report problems in the order of ids.
  order_jobs(&list);
  Store* store = open_store(c, &list);
  parallel_for(list.count, c->tree->spec.compiler.usethread ? 0 : 1, run_caught, &list);
  store_close(store);
  for (int i = 0; i < list.count; i++) {
    asset_closefile(&list.job[i].file);
    for (int k = 0; k < mjNCTIMER; k++) {
      c->tree->timer[k] += list.job[i].timer[k];
    }
    if (list.job[i].problem[0]) {
      compile_error(c, list.job[i].object, "%s", list.job[i].problem);
    }
  }
  choose_written(c);
  for (int i = 0; i < nmesh; i++) {
    if (c->assets->mesh[i] && c->assets->mesh[i]->thickness > 0) {
      repair_problem(c, c->list[mjOBJ_MESH][i],
                     "the mesh is flat: to collide it gets a thickness of %.3g m",
                     c->assets->mesh[i]->thickness);
    }
    if (c->assets->mesh[i] && c->assets->mesh[i]->nographwarning) {
      compile_warning(c, c->list[mjOBJ_MESH][i], "the convex hull of mesh '%s' is not closed",
                      spec_name(c->list[mjOBJ_MESH][i]));
    }
    if (c->assets->mesh[i] && c->assets->mesh[i]->nlost) {
      compile_warning(c, c->list[mjOBJ_MESH][i],
                      "mesh '%s' lacks %d polygons of its file, which have more than 100 corners: "
                      "cut them into triangles",
                      spec_name(c->list[mjOBJ_MESH][i]), c->assets->mesh[i]->nlost);
    }
  }
  for (int i = 0; i < list.count; i++) {
    if (list.job[i].object->element.elemtype == mjOBJ_MESH) {
      heap_free((void*)list.job[i].request.mesh.shape.number);
    }
  }
  heap_free(list.job);
  heap_free(list.turn);
  heap_free(needs);
}

void assets_free(Compile* c) {
  AssetSet* assets = c->assets;
  if (!assets) {
    return;
  }
  for (int i = 0; i < c->count[mjOBJ_MESH]; i++) {
    asset_release(assets->mesh[i]);
  }
  for (int i = 0; i < c->count[mjOBJ_HFIELD]; i++) {
    asset_release(assets->hfield[i]);
  }
  for (int i = 0; i < CUBE_FACES * c->count[mjOBJ_TEXTURE]; i++) {
    asset_release(assets->image[i]);
  }
  heap_free(assets->mesh);
  heap_free(assets->written);
  heap_free(assets->hfield);
  heap_free(assets->image);
  heap_free(assets);
}
