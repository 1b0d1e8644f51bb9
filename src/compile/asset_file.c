// asset_file.c: locating, digesting and loading the files of assets, with a table of digests of
// unchanged files.

#define _POSIX_C_SOURCE 200809L

#include "compile/asset_file.h"

#include <mujoco/api/base.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/memory/memory.h"
#include "base/system/files.h"
#include "model/files/locate.h"
#include "model/files/resource.h"

// remembered digests

enum {
  NMEMO = 4096,  // a newer file replaces an older one
};

// The state of a file on disk, and the digest of its content.
typedef struct Memo_ {
  int used;
  FileState file;
  Digest digest;
} Memo;

static Memo memo[NMEMO];
static pthread_mutex_t memo_lock = PTHREAD_MUTEX_INITIALIZER;

static Memo* memo_place(const FileState* s) {
  uint64_t h = (s->number ^ s->device << 40) * 0x9E3779B97F4A7C15u;
  return &memo[(h >> 40) % NMEMO];
}

// Is it the same file, not written in between?
static int unchanged(const FileState* a, const FileState* b) {
  return a->device == b->device && a->number == b->number && a->size == b->size &&
         a->changed[0] == b->changed[0] && a->changed[1] == b->changed[1];
}

static int memo_find(Digest* digest, const FileState* s) {
  pthread_mutex_lock(&memo_lock);
  const Memo* m = memo_place(s);
  int found = m->used && unchanged(&m->file, s);
  if (found) {
    *digest = m->digest;
  }
  pthread_mutex_unlock(&memo_lock);
  return found;
}

// Remembers a digest if the file was the same before and after reading. The time of its last change
// must be past, because clocks of file systems are coarse and a change right now would not be seen.
static void memo_store(const Digest* digest, const FileState* before, const char* path) {
  FileState after;
  struct timespec now;
  if (!system_state(&after, path) || clock_gettime(CLOCK_REALTIME, &now) != 0 ||
      !unchanged(&after, before) || now.tv_sec - after.changed[0] < 3) {
    return;
  }
  pthread_mutex_lock(&memo_lock);
  *memo_place(before) = (Memo){1, *before, *digest};
  pthread_mutex_unlock(&memo_lock);
}

// files

void asset_place(AssetFile* out, const SpecTree* whole, const mjVFS* vfs, const SpecObject* object,
                 const char* name) {
  const mjsCompiler* options = compile_options(object);
  const SpecTree* tree = object->origin ? object->origin : object->tree;
  const mjString* folder =
      object->element.elemtype == mjOBJ_TEXTURE ? options->texturedir : options->meshdir;
  if (whole->spec.strippath) {
    name += path_dirlength(name);
  }
  memset(out, 0, sizeof(*out));
  out->directory = string_text(tree->spec.modelfiledir);
  out->vfs = vfs;
  out->name = resource_path(string_text(folder), name);
  out->path = resource_path(out->directory, out->name);
  path_show(out->shown, out->path ? out->path : out->name ? out->name : "");
}

void asset_locate(AssetFile* out, const Compile* c, const SpecObject* object, const char* name) {
  asset_place(out, c->tree, c->vfs, object, name);
}

void asset_load(AssetFile* file) {
  char reason[200] = "";
  if (file->bytes) {
    return;
  }
  file->bytes =
      resource_read(&file->size, file->vfs, file->directory, file->name, reason, sizeof(reason));
  if (!file->bytes) {
    mju_error("Error opening file '%s': %s", file->shown, reason);
  }
  file->digest = asset_key("file");
  digest_add(&file->digest, file->bytes, file->size);
}

// Is it a file on disk? Then out receives its state.
static int is_ondisk(FileState* out, const AssetFile* file) {
  Located located;
  if (file->vfs) {
    return 0;
  }
  locate(&located, NULL, file->directory, file->name);
  int found =
      located.kind == LOCATED_DISK && system_state(out, file->path) && out->kind == FILE_REGULAR;
  located_free(&located);
  return found;
}

size_t asset_size(const AssetFile* file) {
  FileState state;
  return is_ondisk(&state, file) ? (size_t)state.size : 0;
}

void asset_digest(AssetFile* file) {
  // only for files on disk can a change be detected
  FileState before;
  int ondisk = is_ondisk(&before, file);
  if (ondisk && memo_find(&file->digest, &before)) {
    return;
  }
  asset_load(file);
  if (ondisk) {
    memo_store(&file->digest, &before, file->path);
  }
}

void asset_closefile(AssetFile* file) {
  heap_free(file->name);
  heap_free(file->path);
  heap_free(file->bytes);
  file->name = file->path = file->bytes = NULL;
}

int asset_type(char out[64], const mjString* content_type, const char* file) {
  static const struct {
    const char *extension, *type;
  } known[] = {
      {"stl", "model/stl"},
      {"obj", "model/obj"},
      {"msh", "model/vnd.mujoco.msh"},
      {"ply", "model/ply"},
      {"dae", "model/vnd.collada+xml"},
      {"gltf", "model/gltf+json"},
      {"glb", "model/gltf-binary"},
      {"png", "image/png"},
      {"ktx", "image/ktx"},
  };
  out[0] = 0;
  const char* given = string_text(content_type);
  if (given[0]) {
    size_t length = strcspn(given, ";");
    const char* slash = memchr(given, '/', length);
    if (!slash || slash == given || slash == given + length - 1 || length >= 64) {
      return 0;
    }
    snprintf(out, 64, "%.*s", (int)length, given);
    return 1;
  }
  const char* dot = strrchr(file, '.');
  for (size_t k = 0; dot && k < sizeof(known) / sizeof(known[0]); k++) {
    if (strcasecmp(dot + 1, known[k].extension) == 0) {
      snprintf(out, 64, "%s", known[k].type);
    }
  }
  return 1;
}
