// mesh_files.c: reads mesh files on several threads, from the store where they are in it.
//
// An entry of the store: the number of other files that the mesh file names, for each the digest of
// its content and its name, then the packed file.

#include "robot/mesh_files.h"

#include <mujoco/api/base.h>
#include <stdint.h>
#include <string.h>

#include "base/memory/error.h"
#include "base/memory/memory.h"
#include "base/parallel.h"
#include "base/store.h"
#include "base/text/text.h"
#include "meshfile/stored.h"
#include "model/files/resource.h"

enum {
  MOST_OTHERS = 100,  // files that one mesh file may name
  MOST_NAME = 1000,   // bytes of such a name in the store
};

// other files of a mesh file

// A file that the mesh file asked for; no bytes if there is none.
typedef struct Other_ {
  char *name, *bytes;
  size_t size;
} Other;

typedef struct Others_ {
  const mjVFS* vfs;
  char* directory;
  Other file[MOST_OTHERS];
  int count;
} Others;

static void load_other(Other* other, const Others* others, const char* name) {
  char reason[200];
  size_t bytes = strlen(name) + 1;
  other->name = memcpy(heap_take(bytes), name, bytes);
  other->bytes =
      resource_read(&other->size, others->vfs, others->directory, name, reason, sizeof(reason));
}

// The reader frees all blocks of its own at its end; these must stay until then, whatever happens.
static int read_other(void* user, const char* name, const void** bytes, size_t* size) {
  Others* others = user;
  if (others->count == MOST_OTHERS) {
    return 0;
  }
  Other* other = &others->file[others->count];
  load_other(other, others, name);
  heap_follow(other->name, others->directory);
  if (other->bytes) {
    heap_follow(other->bytes, others->directory);
  }
  others->count++;
  *bytes = other->bytes;
  *size = other->size;
  return other->bytes != NULL;
}

static void free_others(Others* others) {
  for (int i = 0; i < others->count; i++) {
    heap_free(others->file[i].name);
    heap_free(others->file[i].bytes);
  }
  heap_free(others->directory);
}

// the store

typedef struct OtherHead_ {
  uint64_t digest[2];
  uint64_t name;  // bytes
} OtherHead;

static OtherHead head_of(const Store* store, const Other* other) {
  Digest digest = store_key(store, other->bytes ? "other" : "no other");
  digest_add(&digest, other->bytes ? other->bytes : "", other->bytes ? other->size : 0);
  return (OtherHead){{digest.half[0], digest.half[1]}, strlen(other->name)};
}

static Digest key_of(const Store* store, const char* path, const char* bytes, size_t size) {
  const char* dot = strrchr(path, '.');
  Digest key = store_key(store, "mesh file");
  digest_add(&key, dot ? dot : "", dot ? strlen(dot) : 0);
  digest_add(&key, bytes, size);
  return key;
}

// Is the other file at the front of an entry still the same? Then *at becomes the place behind it.
static int is_same(size_t* at, const Store* store, const Others* others, const char* entry,
                   size_t size) {
  OtherHead head, now;
  char name[MOST_NAME + 1];
  if (size - *at < sizeof(head)) {
    return 0;
  }
  memcpy(&head, entry + *at, sizeof(head));
  size_t start = store_step(*at, sizeof(head));
  if (start > size || head.name > MOST_NAME || head.name > size - start) {
    return 0;
  }
  memcpy(name, entry + start, head.name);
  name[head.name] = 0;
  Other other = {0};
  load_other(&other, others, name);
  now = head_of(store, &other);
  heap_free(other.name);
  heap_free(other.bytes);
  *at = store_step(start, head.name);
  return *at <= size && memcmp(&head, &now, sizeof(head)) == 0;
}

// Takes the file from the store. Returns 0 if it isn't there.
static int fetch(RobotFile* out, Store* store, const Digest* key, const Others* others) {
  size_t size, at = store_step(0, sizeof(uint64_t));
  char* entry = store_read(store, &size, key);
  uint64_t count = MOST_OTHERS + 1;
  if (entry && size >= at) {
    memcpy(&count, entry, sizeof(count));
  }
  int good = count <= MOST_OTHERS;
  for (uint64_t i = 0; i < count && good; i++) {
    good = is_same(&at, store, others, entry, size);
  }
  out->file = good ? meshfile_unpack(entry + at, size - at) : NULL;
  if (out->file) {
    out->packed = entry;
    return 1;
  }
  heap_free(entry);
  return 0;
}

static void keep(Store* store, const Digest* key, const MeshFile* file, const Others* others) {
  size_t bytes, size = store_step(0, sizeof(uint64_t));
  for (int i = 0; i < others->count; i++) {
    size_t length = strlen(others->file[i].name);
    size = store_step(store_step(size, sizeof(OtherHead)), length);
    if (length > MOST_NAME) {
      return;
    }
  }
  char* content = meshfile_pack(&bytes, file);
  char* packed = store_pack(size + bytes);
  if (packed) {
    uint64_t count = (uint64_t)others->count;
    size_t at = store_step(0, sizeof(count));
    memset(packed, 0, size);
    memcpy(packed, &count, sizeof(count));
    for (int i = 0; i < others->count; i++) {
      OtherHead head = head_of(store, &others->file[i]);
      memcpy(packed + at, &head, sizeof(head));
      at = store_step(at, sizeof(head));
      memcpy(packed + at, others->file[i].name, head.name);
      at = store_step(at, head.name);
    }
    memcpy(packed + at, content, bytes);
    store_write(store, key, packed, size + bytes);
  }
  heap_free(packed);
  heap_free(content);
}

// reading

typedef struct Reading_ {
  RobotFile* files;
  const cndRobotOptions* options;
  Store* store;
  RobotFile* file;  // of a thread: the one that it reads
} Reading;

static void read_content(RobotFile* out, Others* others, Store* store, const char* bytes,
                         size_t size) {
  Digest key;
  if (store) {
    key = key_of(store, out->path, bytes, size);
    if (fetch(out, store, &key, others)) {
      return;
    }
  }
  const MeshFileAccess access = {read_other, others};
  out->file = meshfile_read(out->path, bytes, size, &access, out->problem, sizeof(out->problem));
  if (out->file && store) {
    keep(store, &key, out->file, others);
  }
}

static void read_file(void* argument) {
  const Reading* reading = argument;
  RobotFile* out = reading->file;
  size_t size;
  const mjVFS* vfs = reading->options->vfs;
  char* bytes = resource_read(&size, vfs, "", out->path, out->problem, sizeof(out->problem));
  if (bytes) {
    Others* others = heap_zero(1, sizeof(Others));
    others->vfs = vfs;
    others->directory = resource_directory(out->path);
    read_content(out, others, reading->store, bytes, size);
    free_others(others);
    heap_free(others);
    heap_free(bytes);
  }
}

// What was read belongs to no call until all threads are done.
static void read_caught(void* argument, int i) {
  Reading reading = *(const Reading*)argument;
  reading.file = &reading.files[i];
  char problem[sizeof(reading.file->problem)];
  Heap* heap = heap_pause();
  if (error_catch(problem, sizeof(problem), read_file, &reading)) {
    reading.file->file = NULL;
    reading.file->packed = NULL;
    memcpy(reading.file->problem, problem, sizeof(problem));
  }
  heap_resume(heap);
}

void robot_readfiles(RobotFile* files, int count, const cndRobotOptions* options) {
  Reading reading = {files, options, options->cache && count ? store_open() : NULL, NULL};
  parallel_for(count, 0, read_caught, &reading);
  store_close(reading.store);
  int is_starved = 0;
  for (int i = 0; i < count; i++) {
    if (files[i].file) {
      meshfile_follow(files[i].file, files);
    }
    if (files[i].packed) {
      heap_follow(files[i].packed, files);
    }
    is_starved |= !files[i].file && text_equal(files[i].problem, MEMORY_OUT);
  }
  if (is_starved) {
    mju_error(MEMORY_OUT);
  }
}

void robot_freefiles(RobotFile* files, int count) {
  for (int i = 0; i < count; i++) {
    meshfile_free(files[i].file);
    heap_free(files[i].packed);
  }
  heap_free(files);
}
