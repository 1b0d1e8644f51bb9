#define _POSIX_C_SOURCE 200809L

#include "compile/asset/file.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/mjspec.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/file.h"
#include "base/memory.h"
#include "model/resource.h"

// remembered digests

enum {
  NMEMO = 4096,  // a newer file takes the place of an older one
};

// A file as the system sees it, and what was in it.
typedef struct Memo_ {
  int used;
  dev_t device;
  ino_t file;
  off_t size;
  struct timespec changed;
  AssetKey digest;
} Memo;

static Memo memo[NMEMO];
static pthread_mutex_t memo_lock = PTHREAD_MUTEX_INITIALIZER;

static Memo* memo_place(const struct stat* s) {
  uint64_t h = ((uint64_t)s->st_ino ^ (uint64_t)s->st_dev << 40) * 0x9E3779B97F4A7C15u;
  return &memo[(h >> 40) % NMEMO];
}

static int memo_find(AssetKey* digest, const struct stat* s) {
  pthread_mutex_lock(&memo_lock);
  const Memo* m = memo_place(s);
  int found = m->used && m->device == s->st_dev && m->file == s->st_ino && m->size == s->st_size &&
              m->changed.tv_sec == s->st_ctim.tv_sec && m->changed.tv_nsec == s->st_ctim.tv_nsec;
  if (found) {
    *digest = m->digest;
  }
  pthread_mutex_unlock(&memo_lock);
  return found;
}

// Remembers what was read between two looks at the file, if nothing can have changed it since
// without being seen: clocks of file systems are coarse.
static void memo_store(const AssetKey* digest, const struct stat* before, const char* path) {
  struct stat after;
  struct timespec now;
  if (stat(path, &after) != 0 || clock_gettime(CLOCK_REALTIME, &now) != 0 ||
      after.st_ino != before->st_ino || after.st_size != before->st_size ||
      after.st_ctim.tv_sec != before->st_ctim.tv_sec ||
      after.st_ctim.tv_nsec != before->st_ctim.tv_nsec || now.tv_sec - after.st_ctim.tv_sec < 3) {
    return;
  }
  pthread_mutex_lock(&memo_lock);
  *memo_place(before) =
      (Memo){1, before->st_dev, before->st_ino, before->st_size, before->st_ctim, *digest};
  pthread_mutex_unlock(&memo_lock);
}

// files

void asset_locate(AssetFile* out, const Compile* c, const SpecObject* object, const char* name) {
  const mjsCompiler* options = compile_options(object);
  const SpecTree* tree = object->origin ? object->origin : object->tree;
  const mjString* folder =
      object->element.elemtype == mjOBJ_TEXTURE ? options->texturedir : options->meshdir;
  if (c->tree->spec.strippath) {
    name += path_dirlength(name);
  }
  memset(out, 0, sizeof(*out));
  out->directory = string_text(tree->spec.modelfiledir);
  out->vfs = c->vfs;
  out->name = resource_path(string_text(folder), name);
  out->path = resource_path(out->directory, out->name);
}

void asset_load(AssetFile* file) {
  char reason[200] = "";
  if (file->bytes) {
    return;
  }
  file->bytes =
      resource_read(&file->size, file->vfs, file->directory, file->name, reason, sizeof(reason));
  if (!file->bytes) {
    mju_error("Error opening file '%.150s': %.100s", file->path, reason);
  }
  file->digest = asset_key("file");
  asset_keyadd(&file->digest, file->bytes, file->size);
}

void asset_digest(AssetFile* file) {
  // only the disk tells whether a file has changed
  struct stat before;
  int ondisk = !file->vfs && !mjp_getResourceProvider(file->path) &&
               stat(file->path, &before) == 0 && S_ISREG(before.st_mode);
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

static char lower(char c) {
  return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

int asset_type(char out[64], const mjString* content_type, const char* file) {
  static const struct {
    const char *extension, *type;
  } known[] = {
      {"stl", "model/stl"}, {"obj", "model/obj"}, {"msh", "model/vnd.mujoco.msh"},
      {"ply", "model/ply"}, {"png", "image/png"}, {"ktx", "image/ktx"},
  };
  out[0] = 0;
  const char* given = string_text(content_type);
  if (given[0]) {
    size_t length = strcspn(given, ";");
    const char* slash = memchr(given, '/', length);
    if (!slash || slash == given || slash == given + length - 1 || length >= 64) {
      return 0;
    }
    for (size_t i = 0; i < length; i++) {
      out[i] = given[i];
    }
    out[length] = 0;
    return 1;
  }
  const char* dot = strrchr(file, '.');
  for (size_t k = 0; dot && k < sizeof(known) / sizeof(known[0]); k++) {
    size_t i = 0;
    while (dot[1 + i] && lower(dot[1 + i]) == known[k].extension[i]) {
      i++;
    }
    if (!dot[1 + i] && !known[k].extension[i]) {
      snprintf(out, 64, "%s", known[k].type);
    }
  }
  return 1;
}
