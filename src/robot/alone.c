// alone.c: writes a model with all its files beside it.
//
// Meshes that a program gave as numbers would be text in MJCF, many times as long. They become
// files of MSH, which keeps every bit, and pixels become PNG; files that the model names are
// copied. Two files of one name get different ones.

#include <condyle/output.h>
#include <condyle/robot.h>
#include <errno.h>
#include <mujoco/api/base.h>
#include <mujoco/api/compile.h>
#include <mujoco/api/mjcf.h>
#include <mujoco/api/spec.h>
#include <spng.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory/error.h"
#include "base/memory/memory.h"
#include "base/system/files.h"
#include "base/text/text.h"
#include "model/files/resource.h"
#include "spec/spec.h"
#include "spec/vector.h"

static const char folder[] = "assets";

typedef struct Saving_ {
  const mjSpec* spec;
  const char* path;
  const char* directory;  // of the path
  mjSpec* copy;
  mjStringVec taken;  // names of the files that were written
} Saving;

// A name that no file has yet: base.ending, or base_1.ending and so on. The caller frees it.
static char* free_name(Saving* saving, const char* base, const char* ending) {
  size_t bytes = strlen(base) + strlen(ending) + 20;
  char* name = heap_take(bytes);
  snprintf(name, bytes, "%s%s", base, ending);
  for (int k = 1;; k++) {
    int taken = 0;
    for (size_t i = 0; i < saving->taken.num; i++) {
      taken |= text_equal(string_text(saving->taken.ptr + i), name);
    }
    if (!taken) {
      strings_append(&saving->taken, name);
      return name;
    }
    snprintf(name, bytes, "%s_%d%s", base, k, ending);
  }
}

// Writes pieces of memory one after the other to a file among the assets.
typedef struct Piece_ {
  const void* bytes;
  size_t size;
} Piece;

static void write_asset(const Saving* saving, const char* name, const Piece* piece, int count) {
  char path[4200];
  cndOutput out;
  int length = snprintf(path, sizeof(path), "%s%s", saving->directory, folder);
  if (!system_makefolder(path, 0777) && errno != EEXIST) {
    mju_error("%s: %s", path, strerror(errno));
  }
  snprintf(path + length, sizeof(path) - (size_t)length, "/%s", name);
  int good = cnd_openOutput(&out, path);
  for (int i = 0; i < count && good; i++) {
    good = !piece[i].size || fwrite(piece[i].bytes, piece[i].size, 1, out.file) == 1;
  }
  if (!cnd_closeOutput(&out, good) || !good) {
    mju_error("%s: %s", path, strerror(out.reason));
  }
}

// The MSH of a mesh given as numbers; see compile/mesh/msh.c.
static void write_msh(Saving* saving, SpecObject* object) {
  mjsMesh* mesh = &object->as.mesh;
  char* name = free_name(saving, spec_name(object), ".msh");
  int32_t head[4] = {(int32_t)(mesh->uservert->num / 3), (int32_t)(mesh->usernormal->num / 3),
                     (int32_t)(mesh->usertexcoord->num / 2), (int32_t)(mesh->userface->num / 3)};
  const Piece piece[] = {{head, sizeof(head)},
                         {mesh->uservert->ptr, mesh->uservert->num * sizeof(float)},
                         {mesh->usernormal->ptr, mesh->usernormal->num * sizeof(float)},
                         {mesh->usertexcoord->ptr, mesh->usertexcoord->num * sizeof(float)},
                         {mesh->userface->ptr, mesh->userface->num * sizeof(int)}};
  write_asset(saving, name, piece, 5);
  mjs_setFloat(mesh->uservert, NULL, 0);
  mjs_setFloat(mesh->usernormal, NULL, 0);
  mjs_setFloat(mesh->usertexcoord, NULL, 0);
  mjs_setInt(mesh->userface, NULL, 0);
  mjs_setString(mesh->file, name);
  heap_free(name);
}

// Is a mesh one that MSH can hold?
static int fits_msh(const mjsMesh* mesh) {
  size_t nvert = mesh->uservert->num / 3;
  return nvert >= 4 && !mesh->userfacenormal->num && !mesh->userfacetexcoord->num &&
         (!mesh->usernormal->num || mesh->usernormal->num == 3 * nvert) &&
         (!mesh->usertexcoord->num || mesh->usertexcoord->num == 2 * nvert);
}

// Is a texture one that a PNG can hold?
static int fits_png(const mjsTexture* texture) {
  int n = texture->nchannel;
  return texture->type == mjTEXTURE_2D && texture->data->num && (n == 1 || n == 3 || n == 4);
}

// The PNG of a texture given as pixels. What is the same in the file as it was in the spec: pixels,
// flips, and the colour space, which the file doesn't tell.
static void write_png(Saving* saving, SpecObject* object) {
  static const int type[] = {0, SPNG_COLOR_TYPE_GRAYSCALE, 0, SPNG_COLOR_TYPE_TRUECOLOR,
                             SPNG_COLOR_TYPE_TRUECOLOR_ALPHA};
  mjsTexture* texture = &object->as.texture;
  struct spng_ihdr header = {.width = (uint32_t)texture->width,
                             .height = (uint32_t)texture->height,
                             .bit_depth = 8,
                             .color_type = (uint8_t)type[texture->nchannel]};
  struct spng_alloc memory = {heap_take, heap_resize, heap_zero, heap_free};
  spng_ctx* png = spng_ctx_new2(&memory, SPNG_CTX_ENCODER);
  size_t size = 0;
  int status = spng_set_option(png, SPNG_ENCODE_TO_BUFFER, 1);
  status = status ? status : spng_set_ihdr(png, &header);
  status = status ? status
                  : spng_encode_image(png, texture->data->ptr, texture->data->num, SPNG_FMT_RAW,
                                      SPNG_ENCODE_FINALIZE);
  void* bytes = status ? NULL : spng_get_png_buffer(png, &size, &status);
  if (!bytes) {
    mju_error("texture '%s': %s", spec_name(object), spng_strerror(status));
  }
  spng_ctx_free(png);
  char* name = free_name(saving, spec_name(object), ".png");
  write_asset(saving, name, &(Piece){bytes, size}, 1);
  mjs_setBuffer(texture->data, NULL, 0);
  mjs_setString(texture->file, name);
  heap_free(name);
  heap_free(bytes);
}

static void copy_file(Saving* saving, const SpecObject* object, mjString* file) {
  const mjSpec* spec = saving->spec;
  const char* name = string_text(file);
  int is_texture = object->element.elemtype == mjOBJ_TEXTURE;
  if (!name[0]) {
    return;
  }
  name += spec->strippath ? path_dirlength(name) : 0;
  char reason[200];
  size_t size;
  char* where = resource_path(
      string_text(is_texture ? spec->compiler.texturedir : spec->compiler.meshdir), name);
  char* bytes =
      resource_read(&size, NULL, string_text(spec->modelfiledir), where, reason, sizeof(reason));
  if (!bytes) {
    mju_error("%s: %s", where, reason);
  }
  char base[256];
  const char *last = name + path_dirlength(name), *dot = strrchr(last, '.');
  snprintf(base, sizeof(base), "%.*s", dot ? (int)(dot - last) : (int)strlen(last), last);
  char* fresh = free_name(saving, base, dot ? dot : "");
  write_asset(saving, fresh, &(Piece){bytes, size}, 1);
  string_set(file, fresh);
  heap_free(fresh);
  heap_free(bytes);
  heap_free(where);
}

static void move_assets(Saving* saving) {
  SpecTree* tree = spec_tree(saving->copy);
  static const mjtObj types[] = {mjOBJ_MESH, mjOBJ_HFIELD, mjOBJ_SKIN, mjOBJ_TEXTURE};
  for (size_t t = 0; t < sizeof(types) / sizeof(types[0]); t++) {
    for (SPEC_EACH(it, tree, types[t])) {
      mjString* file = (mjString*)(uintptr_t)spec_file(it);
      if (file && !string_empty(file)) {
        copy_file(saving, it, file);
      } else if (types[t] == mjOBJ_MESH && fits_msh(&it->as.mesh)) {
        write_msh(saving, it);
      } else if (types[t] == mjOBJ_TEXTURE && fits_png(&it->as.texture)) {
        write_png(saving, it);
      }
      for (size_t i = 0; types[t] == mjOBJ_TEXTURE && i < it->as.texture.cubefiles->num; i++) {
        copy_file(saving, it, it->as.texture.cubefiles->ptr + i);
      }
    }
  }
}

static void save(void* argument) {
  Saving* saving = argument;
  char reason[500] = "";
  move_assets(saving);
  mjSpec* copy = saving->copy;
  copy->strippath = 0;
  mjs_setString(copy->modelfiledir, saving->directory);
  if (saving->taken.num) {
    mjs_setString(copy->compiler.meshdir, folder);
    mjs_setString(copy->compiler.texturedir, folder);
  }
  vector_clear((Vector*)&saving->taken, VECTOR_STRINGS);
  mjModel* m = mj_compile(copy, NULL);
  if (!m) {
    mju_error("%s", mjs_getError(copy));
  }
  int failed = mj_saveXML(copy, saving->path, reason, sizeof(reason));
  mj_deleteModel(m);
  if (failed) {
    mju_error("%s", reason);
  }
}

int cnd_saveAlone(const mjSpec* spec, const char* path, char* error, int error_size) {
  char directory[4096], reason[500] = "";
  if (error && error_size > 0) {
    error[0] = 0;
  }
  if (!spec || !path) {
    return -1;
  }
  snprintf(directory, sizeof(directory), "%.*s", path_dirlength(path), path);
  Saving saving = {.spec = spec, .path = path, .directory = directory};
  saving.copy = mj_copySpec(spec);
  int failed = !saving.copy || error_catch(reason, sizeof(reason), save, &saving);
  if (failed && error && error_size > 0) {
    snprintf(error, (size_t)error_size, "%s", saving.copy ? reason : MEMORY_OUT);
  }
  mj_deleteSpec(saving.copy);
  return failed ? -1 : 0;
}
