// vfs.c: a list of named files in memory, searched by base name and by path.

#include "model/files/vfs.h"

#include <condyle/load.h>
#include <ctype.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/file.h"
#include "base/memory/check.h"
#include "base/memory/memory.h"

enum {
  ADDED = 0,
  FAILED = -1,
  REPEATED = 2,
};

typedef struct VfsFile_ {
  char* name;
  char* content;
  size_t size;
} VfsFile;

// The list that mjVFS.impl_ points to.
typedef struct VfsFiles_ {
  VfsFile* file;
  int count;
  int capacity;
  int sealed;  // there are no files beside these
} VfsFiles;

static int index_of(const VfsFiles* files, const char* name) {
  for (int i = 0; i < files->count; i++) {
    if (strcmp(files->file[i].name, name) == 0) {
      return i;
    }
  }
  return -1;
}

// The base name in lower case. The caller frees it. NULL if memory runs out.
static char* plain_name(const char* path) {
  char* name = path_join("", path + path_dirlength(path));
  for (char* c = name; c && *c; c++) {
    *c = (char)tolower((unsigned char)*c);
  }
  return name;
}

// Index of a file by base name, else by path; -1 if there is none.
static int search(const VfsFiles* files, const char* path) {
  char *plain = plain_name(path), *whole = path_join("", path);
  int i = plain ? index_of(files, plain) : -1;
  if (i < 0 && whole) {
    i = index_of(files, whole);
  }
  heap_free(plain);
  heap_free(whole);
  return i;
}

static int reserve(VfsFiles* files) {
  if (files->count < files->capacity) {
    return 1;
  }
  int capacity = files->capacity ? 2 * files->capacity : 16;
  VfsFile* moved = heap_resize(files->file, (size_t)capacity * sizeof(VfsFile));
  if (!moved) {
    return 0;
  }
  files->file = moved;
  files->capacity = capacity;
  return 1;
}

// Adds a file and takes ownership of its name and content, which ends with a 0. Either may be NULL,
// which fails.
static int add(VfsFiles* files, char* name, char* content, size_t size) {
  int status = !files || !name || !content ? FAILED : index_of(files, name) >= 0 ? REPEATED : ADDED;
  if (status == ADDED && !reserve(files)) {
    status = FAILED;
  }
  if (status != ADDED) {
    heap_free(name);
    heap_free(content);
    return status;
  }
  files->file[files->count++] = (VfsFile){name, content, size};
  return ADDED;
}

const char* vfs_find(size_t* size, const mjVFS* vfs, const char* name) {
  const VfsFiles* files = vfs ? vfs->impl_ : NULL;
  int i = files ? search(files, name) : -1;
  if (i < 0) {
    return NULL;
  }
  *size = files->file[i].size;
  return files->file[i].content;
}

int vfs_issealed(const mjVFS* vfs) {
  const VfsFiles* files = vfs ? vfs->impl_ : NULL;
  return files && files->sealed;
}

void cnd_sealVFS(mjVFS* vfs) {
  check_given(vfs);
  VfsFiles* files = vfs->impl_;
  if (files) {
    files->sealed = 1;
  }
}

void mj_defaultVFS(mjVFS* vfs) {
  check_given(vfs);
  vfs->impl_ = heap_zero(1, sizeof(VfsFiles));
}

int mj_addFileVFS(mjVFS* vfs, const char* directory, const char* filename) {
  check_given(vfs);
  if (!vfs->impl_ || !filename) {
    return FAILED;
  }
  char* name = plain_name(filename);
  if (name && index_of(vfs->impl_, name) >= 0) {
    heap_free(name);
    return REPEATED;
  }
  char *path = path_join(directory, filename), error[100];
  size_t size = 0;
  char* content = path ? file_read(&size, path, error, sizeof(error)) : NULL;
  heap_free(path);
  if (content && size == 0) {
    heap_free(content);
    content = NULL;
  }
  return add(vfs->impl_, name, content, size);
}

int mj_addBufferVFS(mjVFS* vfs, const char* name, const void* buffer, int nbuffer) {
  check_given(vfs);
  if (!vfs->impl_ || !name || nbuffer < 0 || (nbuffer && !buffer)) {
    return FAILED;
  }
  size_t size = (size_t)nbuffer;
  char* content = heap_take(size + 1);
  if (content) {
    if (size) {
      memcpy(content, buffer, size);
    }
    content[size] = 0;
  }
  return add(vfs->impl_, path_join("", name), content, size);
}

int mj_deleteFileVFS(mjVFS* vfs, const char* filename) {
  check_given(vfs);
  VfsFiles* files = vfs->impl_;
  int i = files && filename ? search(files, filename) : -1;
  if (i < 0) {
    return FAILED;
  }
  heap_free(files->file[i].name);
  heap_free(files->file[i].content);
  memmove(files->file + i, files->file + i + 1, (size_t)(files->count - i - 1) * sizeof(VfsFile));
  files->count--;
  return 0;
}

void mj_deleteVFS(mjVFS* vfs) {
  VfsFiles* files = vfs ? vfs->impl_ : NULL;
  if (!files) {
    return;
  }
  for (int i = 0; i < files->count; i++) {
    heap_free(files->file[i].name);
    heap_free(files->file[i].content);
  }
  heap_free(files->file);
  heap_free(files);
  vfs->impl_ = NULL;
}
