// pack.c: which files a model needs, what they are called in its archive, and their bytes.

#include "mjcf/format/pack.h"

#include <mujoco/api/base.h>
#include <mujoco/api/spec.h>
#include <stdio.h>
#include <string.h>

#include "base/archive/zip.h"
#include "base/file.h"
#include "base/memory/error.h"
#include "base/memory/memory.h"
#include "compile/asset_file.h"
#include "meshfile/meshfile.h"
#include "mjcf/write/write.h"
#include "model/files/resource.h"
#include "spec/visit.h"

// The name of the model in its archive.
static const char model_name[] = "model.xml";

// A file that the archive gets.
typedef struct PackedFile_ {
  char* path;  // where it is
  char* name;  // in the archive
  char* bytes;
  size_t size;
} PackedFile;

typedef struct Pack_ {
  const SpecTree* tree;
  const mjVFS* vfs;
  PackedFile* file;
  int count;
  int renamed;  // 1 if a file is not where the model's text names it
  char* text;
} Pack;

static char* copy_text(const char* text) {
  size_t bytes = strlen(text) + 1;
  return memcpy(heap_take(bytes), text, bytes);
}

static int index_ofname(const Pack* pack, const char* name) {
  for (int i = 0; i < pack->count; i++) {
    if (strcmp(pack->file[i].name, name) == 0) {
      return i;
    }
  }
  return -1;
}

static int index_ofpath(const Pack* pack, const char* path) {
  for (int i = 0; i < pack->count; i++) {
    if (strcmp(pack->file[i].path, path) == 0) {
      return i;
    }
  }
  return -1;
}

// The path of an asset in the archive: folder and name, without what leads out of it.
static char* inner_path(const char* folder, const char* name) {
  if (path_isabsolute(name) || strchr(name, ':')) {
    return path_join("", name + path_dirlength(name));
  }
  int outside = path_isabsolute(folder) || strchr(folder, ':');
  char* joined = path_join(outside ? "" : folder, name);
  size_t up = 0;
  while (strncmp(joined + up, "../", 3) == 0) {
    up += 3;
  }
  char* inner = copy_text(joined + up);
  heap_free(joined);
  return inner;
}

// Puts a number before the extension until the name is free. Takes ownership of it.
static char* free_name(const Pack* pack, char* name) {
  size_t length = strlen(name), folder = (size_t)path_dirlength(name);
  const char* dot = strrchr(name + folder, '.');
  size_t stem = dot ? (size_t)(dot - name) : length;
  char* tried = copy_text(name);
  for (int i = 0; index_ofname(pack, tried) >= 0 || strcmp(tried, model_name) == 0; i++) {
    heap_free(tried);
    tried = heap_take(length + 16);
    snprintf(tried, length + 16, "%.*s_%d%s", (int)stem, name, i, name + stem);
  }
  heap_free(name);
  return tried;
}

static void add(Pack* pack, PackedFile file) {
  pack->file = heap_resize(pack->file, (size_t)(pack->count + 1) * sizeof(PackedFile));
  pack->file[pack->count++] = file;
}

// A file beside that of a mesh.
typedef struct Beside_ {
  Pack* pack;
  const AssetFile* file;
  const char* inner;  // the mesh's name in the archive
} Beside;

static void add_beside(void* user, const char* name) {
  const Beside* beside = user;
  char *directory = resource_directory(beside->file->path), *path = resource_path(directory, name);
  char *folder = copy_text(beside->inner), reason[200];
  folder[path_dirlength(folder)] = 0;
  char* inner = path_join(folder, name);
  size_t size;
  char* bytes =
      resource_read(&size, beside->pack->vfs, directory, name, reason, (int)sizeof(reason));
  if (bytes && index_ofpath(beside->pack, path) < 0) {
    if (path_isabsolute(inner) || strncmp(inner, "../", 3) == 0 ||
        index_ofname(beside->pack, inner) >= 0) {
      mju_error("file '%s' needs '%s', which has no place in the archive", beside->file->shown,
                name);
    }
    add(beside->pack, (PackedFile){path, inner, bytes, size});
    path = inner = bytes = NULL;
  }
  heap_free(directory);
  heap_free(path);
  heap_free(folder);
  heap_free(inner);
  heap_free(bytes);
}

// Adds the file of an asset, and those that it names itself.
static void add_asset(Pack* pack, const SpecObject* object, const mjString* file) {
  AssetFile asset;
  asset_place(&asset, pack->tree, pack->vfs, object, string_text(file));
  if (index_ofpath(pack, asset.path) < 0) {
    const mjsCompiler* options = compile_options(object);
    const char* folder = string_text(object->element.elemtype == mjOBJ_TEXTURE ? options->texturedir
                                                                               : options->meshdir);
    const char* name = string_text(file);
    name += pack->tree->spec.strippath ? path_dirlength(name) : 0;
    char* whole = path_join(folder, name);
    char* inner = free_name(pack, inner_path(folder, name));
    pack->renamed |= strcmp(whole, inner) != 0;
    heap_free(whole);
    asset_load(&asset);
    add(pack, (PackedFile){copy_text(asset.path), inner, asset.bytes, asset.size});
    Beside beside = {pack, &asset, inner};
    meshfile_others(inner, asset.bytes, asset.size, 1, add_beside, &beside);
    asset.bytes = NULL;
  }
  asset_closefile(&asset);
}

static void add_assets(Pack* pack) {
  for (SPEC_EACH(object, pack->tree, mjOBJ_TEXTURE)) {
    const mjsTexture* texture = &object->as.texture;
    if (!string_empty(texture->file)) {
      add_asset(pack, object, texture->file);
    }
    for (size_t i = 0; i < texture->cubefiles->num; i++) {
      if (!string_empty(&texture->cubefiles->ptr[i])) {
        add_asset(pack, object, &texture->cubefiles->ptr[i]);
      }
    }
  }
  for (SPEC_EACH(object, pack->tree, mjOBJ_MESH)) {
    if (!string_empty(object->as.mesh.file)) {
      add_asset(pack, object, object->as.mesh.file);
    }
  }
  for (SPEC_EACH(object, pack->tree, mjOBJ_HFIELD)) {
    if (!string_empty(object->as.hfield.file)) {
      add_asset(pack, object, object->as.hfield.file);
    }
  }
  for (SPEC_EACH(object, pack->tree, mjOBJ_SKIN)) {
    if (!string_empty(object->as.skin.file)) {
      add_asset(pack, object, object->as.skin.file);
    }
  }
}

static char* packed_name(void* user, const SpecObject* object, const char* file) {
  const Pack* pack = user;
  AssetFile asset;
  asset_place(&asset, pack->tree, pack->vfs, object, file);
  int i = index_ofpath(pack, asset.path);
  char* name = copy_text(i < 0 ? file : pack->file[i].name);
  asset_closefile(&asset);
  return name;
}

typedef struct Packing_ {
  Pack pack;
  const FileNames* files;
  ZipMaker maker;
} Packing;

static void collect(void* argument) {
  Packing* packing = argument;
  add_assets(&packing->pack);
}

static void make(void* argument) {
  Packing* packing = argument;
  const Pack* pack = &packing->pack;
  zip_add(&packing->maker, model_name, pack->text, strlen(pack->text));
  for (int i = 0; i < pack->count; i++) {
    zip_add(&packing->maker, pack->file[i].name, pack->file[i].bytes, pack->file[i].size);
  }
  zip_end(&packing->maker);
}

static void free_pack(Pack* pack) {
  for (int i = 0; i < pack->count; i++) {
    heap_free(pack->file[i].path);
    heap_free(pack->file[i].name);
    heap_free(pack->file[i].bytes);
  }
  heap_free(pack->file);
  heap_free(pack->text);
}

char* pack_spec(size_t* size, const mjSpec* s, const mjVFS* vfs, char* error, int error_sz) {
  Packing packing = {.pack = {.tree = spec_tree(s), .vfs = vfs}};
  Pack* pack = &packing.pack;
  pack->text = write_spec(s, NULL, error, error_sz);
  if (!pack->text) {
    return NULL;
  }
  if (error_catch(error, error_sz, collect, &packing)) {
    heap_free(pack->text);
    return NULL;
  }
  if (pack->renamed || write_joins(pack->tree)) {
    FileNames names = {packed_name, pack};
    heap_free(pack->text);
    pack->text = write_spec(s, &names, error, error_sz);
  }
  int failed = !pack->text || error_catch(error, error_sz, make, &packing);
  free_pack(pack);
  *size = packing.maker.size;
  return failed ? NULL : packing.maker.text;
}
