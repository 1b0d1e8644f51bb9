// resource.c: reading a named file from the virtual files, a resource provider or the disk.

#include "model/files/resource.h"

#include <mujoco/api/model.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory/memory.h"
#include "model/files/vfs.h"

char* resource_path(const char* directory, const char* name) {
  return path_join(mjp_getResourceProvider(name) ? "" : directory, name);
}

// Opens a path of a provider. Returns 0 if the provider has no such file. Blocks that the provider
// takes belong to no heap.
static int open_provided(mjResource* resource, const mjpResourceProvider* provider, char* path) {
  Heap* heap = heap_pause();
  *resource = (mjResource){.name = path, .provider = provider};
  int opened = provider->open(resource) != 0;
  heap_resume(heap);
  return opened;
}

static char* read_provided(size_t* size, const mjpResourceProvider* provider, char* path,
                           char* error, int error_size) {
  mjResource resource;
  if (!open_provided(&resource, provider, path)) {
    snprintf(error, (size_t)error_size, "the provider of '%s:' could not open it",
             provider->prefix);
    return NULL;
  }
  const void* buffer = NULL;
  Heap* heap = heap_pause();
  int count = provider->read(&resource, &buffer);
  heap_resume(heap);
  char* content = count >= 0 && (buffer || !count) ? heap_try(NULL, (size_t)count + 1) : NULL;
  if (content) {
    if (count) {
      memcpy(content, buffer, (size_t)count);
    }
    content[count] = 0;
    *size = (size_t)count;
  } else {
    snprintf(error, (size_t)error_size, "%s",
             count < 0 ? "the provider could not read it" : "out of memory");
  }
  provider->close(&resource);
  return content;
}

static const char* find_virtual(size_t* size, const mjVFS* vfs, const char* path,
                                const char* name) {
  const char* content = vfs_find(size, vfs, name);
  return content || !vfs ? content : vfs_find(size, vfs, path);
}

typedef char* ReadFile(size_t* size, const char* path, char* error, int error_size);

// read_file reads what is on the disk.
static char* read_resource(ReadFile* read_file, size_t* size, const mjVFS* vfs,
                           const char* directory, const char* name, char* error, int error_size) {
  char* path = resource_path(directory, name);
  if (!path) {
    snprintf(error, (size_t)error_size, "out of memory");
    return NULL;
  }
  char* content = NULL;
  const char* kept = find_virtual(size, vfs, path, name);
  const mjpResourceProvider* provider = mjp_getResourceProvider(path);
  if (kept) {
    content = heap_take(*size + 1);
    if (content) {
      memcpy(content, kept, *size + 1);
    } else {
      snprintf(error, (size_t)error_size, "out of memory");
    }
  } else if (vfs_issealed(vfs)) {
    snprintf(error, (size_t)error_size, "it is not among the given files");
  } else if (provider) {
    content = read_provided(size, provider, path, error, error_size);
  } else {
    content = read_file(size, path, error, error_size);
  }
  heap_free(path);
  return content;
}

char* resource_read(size_t* size, const mjVFS* vfs, const char* directory, const char* name,
                    char* error, int error_size) {
  return read_resource(file_read, size, vfs, directory, name, error, error_size);
}

char* resource_readmodel(size_t* size, const mjVFS* vfs, const char* directory, const char* name,
                         char* error, int error_size) {
  return read_resource(file_readstream, size, vfs, directory, name, error, error_size);
}

int resource_exists(const mjVFS* vfs, const char* directory, const char* name) {
  char* path = resource_path(directory, name);
  if (!path) {
    return 0;
  }
  size_t size;
  const mjpResourceProvider* provider = mjp_getResourceProvider(path);
  int exists = find_virtual(&size, vfs, path, name) != NULL;
  if (exists || vfs_issealed(vfs)) {
    heap_free(path);
    return exists;
  }
  if (provider) {
    mjResource resource;
    exists = open_provided(&resource, provider, path);
    if (exists) {
      provider->close(&resource);
    }
  } else {
    exists = file_exists(path);
  }
  heap_free(path);
  return exists;
}

char* resource_directory(const char* path) {
  const mjpResourceProvider* provider = mjp_getResourceProvider(path);
  mjResource resource = {.name = (char*)(size_t)path, .provider = provider};
  const char* directory = path;
  int length = provider ? 0 : path_dirlength(path);
  if (provider && provider->getdir) {
    Heap* heap = heap_pause();
    provider->getdir(&resource, &directory, &length);
    heap_resume(heap);
  }
  size_t bytes = directory && length > 0 ? strnlen(directory, (size_t)length) : 0;
  char* copy = heap_take(bytes + 1);
  if (copy) {
    memcpy(copy, directory ? directory : "", bytes);
    copy[bytes] = 0;
  }
  return copy;
}
