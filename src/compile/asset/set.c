#include "compile/asset/set.h"

#include <mujoco/mjspec.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "compile/asset/file.h"

typedef enum JobKind_ {
  JOB_MESH,
  JOB_HFIELD,
  JOB_IMAGE,
} JobKind;

// One asset to be made. Everything in it is its own, so jobs run side by side.
typedef struct Job_ {
  JobKind kind;
  SpecObject* object;
  int hasfile;
  AssetFile file;
  union {
    MeshRequest mesh;
    HFieldRequest hfield;
    ImageRequest image;
  } request;
  void** out;         // where the finished asset goes
  AssetKey key;       // under which others find it
  char problem[400];  // what went wrong before there was an asset
} Job;

typedef struct JobList_ {
  Job* job;
  int count;
} JobList;

int assets_usesmesh(mjtGeom type) {
  return type == mjGEOM_MESH || type == mjGEOM_SDF;
}

const Mesh* assets_mesh(const Compile* c, const mjString* name) {
  int id = string_empty(name) ? -1 : compile_find(c, mjOBJ_MESH, name);
  return id >= 0 ? c->assets->mesh[id] : NULL;
}

// collecting

// A new job, with the file located if there is one.
static Job* add_job(Compile* c, JobList* list, JobKind kind, SpecObject* object,
                    const mjString* file, void** out) {
  Job* job = &list->job[list->count];
  *job = (Job){.kind = kind, .object = object, .out = out};
  if (!string_empty(file)) {
    job->hasfile = 1;
    asset_locate(&job->file, c, object, string_text(file));
  }
  list->count++;
  return job;
}

static void add_mesh(Compile* c, JobList* list, int id, int needhull, int needoctree) {
  SpecObject* object = c->list[mjOBJ_MESH][id];
  const mjsMesh* spec = &object->as.mesh;
  char type[64];
  MeshFormat format = MESH_INLINE;
  if (!string_empty(spec->file)) {
    if (!asset_type(type, spec->content_type, string_text(spec->file))) {
      compile_error(c, object, "invalid content type: '%s'", string_text(spec->content_type));
      return;
    }
    if (strcmp(type, "model/stl") == 0) {
      format = MESH_STL;
    } else if (strcmp(type, "model/obj") == 0) {
      format = MESH_OBJ;
    } else if (strcmp(type, "model/vnd.mujoco.msh") == 0) {
      format = MESH_MSH;
    } else if (type[0]) {
      compile_error(c, object, "unsupported mesh type: '%s'", type);
      return;
    }
  }
  Job* job = add_job(c, list, JOB_MESH, object, spec->file, (void**)&c->assets->mesh[id]);
  if (job->hasfile && format == MESH_INLINE) {
    compile_error(c, object, "unknown or unsupported mesh file: '%s'", job->file.path);
    asset_closefile(&job->file);
    list->count--;
  } else {
    job->request.mesh = (MeshRequest){.spec = spec,
                                      .name = spec_name(object),
                                      .file = &job->file,
                                      .format = format,
                                      .needhull = needhull,
                                      .needoctree = needoctree};
  }
}

static void add_hfield(Compile* c, JobList* list, int id) {
  SpecObject* object = c->list[mjOBJ_HFIELD][id];
  const mjsHField* spec = &object->as.hfield;
  char type[64];
  HFieldFormat format = HFIELD_INLINE;
  if (!string_empty(spec->file)) {
    // what is not a picture is taken for the custom format
    format = HFIELD_CUSTOM;
    if (asset_type(type, spec->content_type, string_text(spec->file))) {
      if (strcmp(type, "image/png") == 0) {
        format = HFIELD_PNG;
      } else if (!string_empty(spec->content_type) &&
                 strcmp(type, "image/vnd.mujoco.hfield") != 0) {
        compile_error(c, object, "unsupported content type: '%s'", type);
        return;
      }
    }
  }
  Job* job = add_job(c, list, JOB_HFIELD, object, spec->file, (void**)&c->assets->hfield[id]);
  job->request.hfield = (HFieldRequest){
      .spec = spec, .name = spec_name(object), .file = &job->file, .format = format};
}

static void add_image(Compile* c, JobList* list, SpecObject* object, const mjString* file,
                      Image** out) {
  const mjsTexture* spec = &object->as.texture;
  char type[64];
  ImageFormat format = IMAGE_CUSTOM;
  if (asset_type(type, spec->content_type, string_text(file))) {
    if (strcmp(type, "image/png") == 0) {
      format = IMAGE_PNG;
    } else if (strcmp(type, "image/ktx") == 0 && !string_empty(spec->content_type)) {
      format = IMAGE_KTX;
    } else if (!string_empty(spec->content_type) && strcmp(type, "image/vnd.mujoco.texture") != 0) {
      compile_error(c, object, "unsupported content type: '%s'", type);
      return;
    }
  }
  Job* job = add_job(c, list, JOB_IMAGE, object, file, (void**)out);
  job->request.image = (ImageRequest){.format = format,
                                      .file = &job->file,
                                      .nchannel = spec->nchannel,
                                      .hflip = spec->hflip,
                                      .vflip = spec->vflip};
}

// Pictures of a texture that has neither pixels of its own nor a pattern.
static void add_texture(Compile* c, JobList* list, int id) {
  SpecObject* object = c->list[mjOBJ_TEXTURE][id];
  const mjsTexture* spec = &object->as.texture;
  Image** out = c->assets->image + (size_t)id * CUBE_FACES;
  if (spec->data->num || spec->builtin != mjBUILTIN_NONE) {
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

// What geoms ask of the meshes: bit 0 a hull, bit 1 an octree.
static void mark_meshes(const Compile* c, char* needs) {
  for (int i = 0; i < c->count[mjOBJ_MESH]; i++) {
    const mjsMesh* mesh = &c->list[mjOBJ_MESH][i]->as.mesh;
    needs[i] = (char)((mesh->inertia == mjMESH_INERTIA_CONVEX) | (mesh->needsdf ? 2 : 0));
  }
  for (int i = 0; i < c->count[mjOBJ_GEOM]; i++) {
    const mjsGeom* geom = &c->list[mjOBJ_GEOM][i]->as.geom;
    int id = string_empty(geom->meshname) ? -1 : compile_find(c, mjOBJ_MESH, geom->meshname);
    if (id >= 0 && assets_usesmesh(geom->type)) {
      needs[id] |= geom->contype || geom->conaffinity;
      needs[id] |= geom->type == mjGEOM_SDF ? 2 : 0;
    }
  }
  for (int i = 0; i < c->count[mjOBJ_PAIR]; i++) {
    const mjsPair* pair = &c->list[mjOBJ_PAIR][i]->as.pair;
    const mjString* names[] = {pair->geomname1, pair->geomname2};
    for (int k = 0; k < 2; k++) {
      int geom = string_empty(names[k]) ? -1 : compile_find(c, mjOBJ_GEOM, names[k]);
      const mjsGeom* spec = geom < 0 ? NULL : &c->list[mjOBJ_GEOM][geom]->as.geom;
      int id = !spec || !assets_usesmesh(spec->type) || string_empty(spec->meshname)
                   ? -1
                   : compile_find(c, mjOBJ_MESH, spec->meshname);
      if (id >= 0) {
        needs[id] |= 1;
      }
    }
  }
}

// running

static AssetKey key_of(const Job* job) {
  switch (job->kind) {
    case JOB_MESH:
      return mesh_key(&job->request.mesh);
    case JOB_HFIELD:
      return hfield_key(&job->request.hfield);
    default:
      return image_key(&job->request.image);
  }
}

static void* make(const Job* job) {
  switch (job->kind) {
    case JOB_MESH:
      return mesh_make(&job->request.mesh);
    case JOB_HFIELD:
      return hfield_make(&job->request.hfield);
    default:
      return image_make(&job->request.image);
  }
}

// From the cache, else made. The digest is taken first, without reading if that
// can be; content read afterwards has the last word.
static void run_job(void* argument) {
  Job* job = argument;
  if (job->hasfile) {
    asset_digest(&job->file);
  }
  job->key = key_of(job);
  *job->out = asset_find(job->key);
  if (!*job->out && job->hasfile) {
    asset_load(&job->file);
    job->key = key_of(job);
  }
  *job->out = *job->out ? *job->out : make(job);
  heap_free(job->file.bytes);
}

// An asset is shared once it is finished and belongs to no call any more.
static void run_caught(void* argument, int i) {
  Job* job = (Job*)argument + i;
  Heap* heap = heap_pause();
  error_catch(job->problem, sizeof(job->problem), run_job, job);
  heap_resume(heap);
  job->file.bytes = NULL;
  if (*job->out) {
    asset_keep(job->key, *job->out);
  }
}

void assets_make(Compile* c) {
  int nmesh = c->count[mjOBJ_MESH], nhfield = c->count[mjOBJ_HFIELD];
  int ntexture = c->count[mjOBJ_TEXTURE], nimage = CUBE_FACES * ntexture;
  c->assets = heap_zero(1, sizeof(AssetSet));
  JobList list = {heap_zero((size_t)nmesh + (size_t)nhfield + (size_t)nimage + 1, sizeof(Job)), 0};
  char* needs = heap_zero((size_t)nmesh + 1, 1);
  c->assets->mesh = heap_zero((size_t)nmesh + 1, sizeof(Mesh*));
  c->assets->hfield = heap_zero((size_t)nhfield + 1, sizeof(HField*));
  c->assets->image = heap_zero((size_t)nimage + 1, sizeof(Image*));
  c->assets->nmesh = nmesh;
  c->assets->nhfield = nhfield;
  c->assets->nimage = nimage;
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
  parallel_for(list.count, c->tree->spec.compiler.usethread ? 0 : 1, run_caught, list.job);
  for (int i = 0; i < list.count; i++) {
    asset_closefile(&list.job[i].file);
    if (list.job[i].problem[0]) {
      compile_error(c, list.job[i].object, "%s", list.job[i].problem);
    }
  }
  for (int i = 0; i < nmesh; i++) {
    if (c->assets->mesh[i] && c->assets->mesh[i]->nographwarning) {
      compile_warning(c, c->list[mjOBJ_MESH][i], "the convex hull of mesh '%s' is not closed",
                      spec_name(c->list[mjOBJ_MESH][i]));
    }
  }
  heap_free(list.job);
  heap_free(needs);
}

void assets_free(AssetSet* assets) {
  if (!assets) {
    return;
  }
  for (int i = 0; i < assets->nmesh; i++) {
    asset_release(assets->mesh[i]);
  }
  for (int i = 0; i < assets->nhfield; i++) {
    asset_release(assets->hfield[i]);
  }
  for (int i = 0; i < assets->nimage; i++) {
    asset_release(assets->image[i]);
  }
  heap_free(assets->mesh);
  heap_free(assets->hfield);
  heap_free(assets->image);
  heap_free(assets);
}
