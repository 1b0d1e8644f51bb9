// locate.c: the order in which files are looked for.

#include "model/files/locate.h"

#include <mujoco/api/model.h>
#include <string.h>

#include "base/file.h"
#include "base/memory/memory.h"
#include "base/system/files.h"
#include "model/files/provider.h"
#include "model/files/vfs.h"

static int is_folder(const char* path) {
  FileState s;
  return system_state(&s, path) && s.kind == FILE_FOLDER;
}

// Is there an archive of this name, and not a folder that is called like one?
static int is_archive(const mjVFS* vfs, const char* path, size_t length) {
  size_t size;
  char* name = heap_take(length + 1);
  if (!name) {
    return 0;
  }
  memcpy(name, path, length);
  name[length] = 0;
  int found = vfs_find(&size, vfs, name) != NULL || (!vfs_issealed(vfs) && !is_folder(name));
  heap_free(name);
  return found;
}

size_t archive_length(const mjVFS* vfs, const char* path) {
  if (mjp_findProvider(path)) {
    return 0;
  }
  for (const char* end = path; (end = strchr(end, '/')); end++) {
    size_t length = (size_t)(end - path);
    if (archive_provider(path, length) && is_archive(vfs, path, length)) {
      return length;
    }
  }
  return 0;
}

int archive_left(const mjVFS* vfs, const char* directory, const char* path) {
  if (!directory || !directory[0]) {
    return 0;
  }
  char* whole = path_join("", directory);
  size_t length = whole ? strlen(whole) : 0;
  if (!length) {
    heap_free(whole);
    return 0;
  }
  while (length && whole[length - 1] == '/') {
    length--;
  }
  whole[length] = '/';  // joining leaves room for a separator
  whole[length + 1] = 0;
  size_t archive = archive_length(vfs, whole);
  int left = archive && (strncmp(path, whole, archive) != 0 || path[archive] != '/');
  heap_free(whole);
  return left;
}

void locate(Located* out, const mjVFS* vfs, const char* directory, const char* name) {
  const mjpResourceProvider* scheme = mjp_findProvider(name);
  *out = (Located){.kind = LOCATED_NOWHERE, .path = path_join(scheme ? "" : directory, name)};
  const char* path = out->path;
  if (!path) {
    out->reason = MEMORY_OUT;
    return;
  }
  scheme = mjp_findProvider(path);
  out->mounted = vfs_mounted(vfs, path);
  size_t archive = out->mounted ? 0 : archive_length(vfs, path);
  if (out->mounted) {
    out->kind = LOCATED_PROVIDER;
    out->provider = out->mounted->provider;
  } else if (archive) {
    out->kind = LOCATED_PROVIDER;
    out->provider = archive_provider(path, archive);
    out->mount_length = archive;
  } else if ((out->content = vfs_findnamed(&out->size, vfs, name, path))) {
    out->kind = LOCATED_MEMORY;
  } else if (vfs_issealed(vfs)) {
    out->reason = "it is not among the given files";
  } else if (!path_isabsolute(name) && !scheme && archive_left(vfs, directory, path)) {
    out->reason = "it would lie outside of the archive";
  } else if (scheme) {
    out->kind = LOCATED_PROVIDER;
    out->provider = scheme;
    out->mount_length = strlen(scheme->prefix);
  } else {
    out->kind = LOCATED_DISK;
  }
}

void located_free(Located* located) {
  heap_free(located->path);
  located->path = NULL;
}
