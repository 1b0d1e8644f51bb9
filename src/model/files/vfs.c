// vfs.c: a list of named files in memory, searched by base name and by path.

#include "model/files/vfs.h"

#include <ctype.h>
#include <mujoco/api/model.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/memory/check.h"
#include "base/memory/memory.h"

enum {
  ADDED = 0,
  FAILED = -1,
  REPEATED = 2,
};

typedef struct VfsFile_ {
  char* name;   // reduced
  char* given;  // as it was added
  char* content;
  size_t size;
  mjResource* mounted;  // not NULL: here files are a provider's
} VfsFile;

// The list that mjVFS.impl_ points to.
typedef struct VfsFiles_ {
  VfsFile* file;
  int count;
  int capacity;
  int sealed;      // there are no files beside these
  int match_last;  // the path comes first, then all base names, the last first
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

static int index_given(const VfsFiles* files, const char* given) {
  for (int i = 0; i < files->count; i++) {
    if (strcmp(files->file[i].given, given) == 0) {
      return i;
    }
  }
  return -1;
}

// Index of a file by its whole path, else of the last one by base name; -1 if there is none.
static int search_last(const VfsFiles* files, const char* path) {
  char* whole = path_join("", path);
  int i = whole ? index_of(files, whole) : -1;
  if (i < 0 && whole) {
    const char* base = whole + path_dirlength(whole);
    for (i = files->count - 1; i >= 0; i--) {
      const char* name = files->file[i].name;
      if (!files->file[i].mounted && strcasecmp(name + path_dirlength(name), base) == 0) {
        break;
      }
    }
  }
  heap_free(whole);
  return i;
}

// Index of a file by base name, else by path; -1 if there is none.
static int search(const VfsFiles* files, const char* path) {
  if (files->match_last) {
    return search_last(files, path);
  }
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

static void free_file(VfsFile* file) {
  if (file->mounted) {
    const mjpResourceProvider* provider = file->mounted->provider;
    if (provider->unmount) {
      provider->unmount(file->mounted);
    }
    heap_free(file->mounted->name);
    heap_free(file->mounted);
  }
  heap_free(file->name);
  heap_free(file->given);
  heap_free(file->content);
}

// Is the name of a file taken?
static int is_taken(const VfsFiles* files, const VfsFile* file) {
  return files->match_last ? index_given(files, file->given) >= 0
                           : index_of(files, file->name) >= 0;
}

// Adds a file and takes ownership of what it has. Names and, unless it is mounted, content may be
// NULL, which fails.
static int add(VfsFiles* files, VfsFile file) {
  int complete = files && file.name && file.given && (file.content || file.mounted);
  int status = !complete ? FAILED : is_taken(files, &file) ? REPEATED : ADDED;
  if (status == ADDED && !reserve(files)) {
    status = FAILED;
  }
  if (status != ADDED) {
    free_file(&file);
    return status;
  }
  files->file[files->count++] = file;
  return ADDED;
}

static void drop(VfsFiles* files, int i) {
  VfsFile file = files->file[i];
  memmove(files->file + i, files->file + i + 1, (size_t)(files->count - i - 1) * sizeof(VfsFile));
  files->count--;
  free_file(&file);
}

const char* vfs_find(size_t* size, const mjVFS* vfs, const char* name) {
  const VfsFiles* files = vfs ? vfs->impl_ : NULL;
  int i = files ? search(files, name) : -1;
  if (i < 0 || files->file[i].mounted) {
    return NULL;
  }
  *size = files->file[i].size;
  return files->file[i].content;
}

const char* vfs_findnamed(size_t* size, const mjVFS* vfs, const char* name, const char* path) {
  const VfsFiles* files = vfs ? vfs->impl_ : NULL;
  const char* content = files && !files->match_last ? vfs_find(size, vfs, name) : NULL;
  return content || !files ? content : vfs_find(size, vfs, path);
}

const mjResource* vfs_mounted(const mjVFS* vfs, const char* path) {
  const VfsFiles* files = vfs ? vfs->impl_ : NULL;
  const VfsFile* found = NULL;
  size_t most = 0;
  for (int i = 0; files && i < files->count; i++) {
    const VfsFile* file = files->file + i;
    size_t length = file->mounted ? strlen(file->name) : 0;
    int covers = length && strncmp(file->name, path, length) == 0 &&
                 (path[length] == 0 || path[length] == '/');
    if (covers && length > most) {
      found = file;
      most = length;
    }
  }
  return found ? found->mounted : NULL;
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

void cnd_matchLastVFS(mjVFS* vfs) {
  check_given(vfs);
  VfsFiles* files = vfs->impl_;
  if (files) {
    files->match_last = 1;
  }
}

void mj_defaultVFS(mjVFS* vfs) {
  check_given(vfs);
  vfs->impl_ = heap_zero(1, sizeof(VfsFiles));
}

static char* copy_text(const char* text) {
  size_t bytes = strlen(text) + 1;
  char* copy = heap_take(bytes);
  return copy ? memcpy(copy, text, bytes) : NULL;
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
  return add(
      vfs->impl_,
      (VfsFile){
          .name = name, .given = name ? copy_text(name) : NULL, .content = content, .size = size});
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
  return add(
      vfs->impl_,
      (VfsFile){
          .name = path_join("", name), .given = copy_text(name), .content = content, .size = size});
}

int mj_deleteFileVFS(mjVFS* vfs, const char* filename) {
  check_given(vfs);
  VfsFiles* files = vfs->impl_;
  int i = !files || !filename ? -1
          : files->match_last ? index_given(files, filename)
                              : search(files, filename);
  if (i < 0) {
    return FAILED;
  }
  drop(files, i);
  return 0;
}

int mj_containsBufferVFS(mjVFS* vfs, const char* name) {
  check_given(vfs, name);
  return vfs->impl_ && index_given(vfs->impl_, name) >= 0;
}

int mj_containsFileVFS(mjVFS* vfs, const char* directory, const char* filename) {
  check_given(vfs, filename);
  (void)directory;  // files are kept under their base names
  char* name = vfs->impl_ ? plain_name(filename) : NULL;
  int contains = name && index_given(vfs->impl_, name) >= 0;
  heap_free(name);
  return contains;
}

int mj_mountVFS(mjVFS* vfs, const char* filepath, const mjpResourceProvider* provider) {
  check_given(vfs);
  if (!vfs->impl_ || !filepath || !provider || !provider->open || !provider->read ||
      !provider->close) {
    return FAILED;
  }
  VfsFile file = {.name = path_join("", filepath), .given = copy_text(filepath)};
  mjResource* resource = heap_zero(1, sizeof(mjResource));
  char* name = copy_text(file.name ? file.name : "");
  int status = !file.name || !file.given || !resource || !name ? FAILED
               : is_taken(vfs->impl_, &file)                   ? REPEATED
                                                               : ADDED;
  if (status == ADDED) {
    *resource = (mjResource){.name = name, .vfs = vfs, .provider = provider};
    status = !provider->mount || provider->mount(resource) ? ADDED : FAILED;
  }
  if (status != ADDED) {
    heap_free(name);
    heap_free(resource);
    free_file(&file);
    return status;
  }
  file.mounted = resource;
  return add(vfs->impl_, file);
}

int mj_unmountVFS(mjVFS* vfs, const char* filename) {
  check_given(vfs);
  VfsFiles* files = vfs->impl_;
  int i = files && filename ? index_given(files, filename) : -1;
  if (i < 0) {
    return FAILED;
  }
  drop(files, i);
  return 0;
}

void mj_deleteVFS(mjVFS* vfs) {
  VfsFiles* files = vfs ? vfs->impl_ : NULL;
  if (!files) {
    return;
  }
  while (files->count) {
    drop(files, files->count - 1);
  }
  heap_free(files->file);
  heap_free(files);
  vfs->impl_ = NULL;
}
