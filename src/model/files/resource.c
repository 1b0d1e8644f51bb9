// resource.c: reading a named file from the virtual files, a resource provider or the disk.

#include "model/files/resource.h"

#include <mujoco/api/model.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory/memory.h"
#include "model/files/opened.h"

char* resource_path(const char* directory, const char* name) {
  return path_join(mjp_findProvider(name) ? "" : directory, name);
}

// The directory of the names in a file, "" if nobody tells it. NULL if memory runs out.
static char* directory_of(mjResource* resource, const char* path) {
  const mjpResourceProvider* provider = resource->provider;
  const char* directory = path;
  int length = provider ? 0 : path_dirlength(path);
  if (provider && provider->getdir) {
    Heap* heap = heap_pause();
    provider->getdir(resource, &directory, &length);
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

// Copies what is in an open file, with a 0 behind it.
static char* read_opened(Opened* opened, size_t* size, char* error, int error_size) {
  const void* content = NULL;
  int count = opened_read(opened, &content);
  char* copy = count >= 0 ? heap_try(NULL, (size_t)count + 1) : NULL;
  if (!copy) {
    snprintf(error, (size_t)error_size, "%s",
             count < 0 ? "the provider could not read it" : MEMORY_OUT);
    return NULL;
  }
  if (count) {
    memcpy(copy, content, (size_t)count);
  }
  copy[count] = 0;
  *size = (size_t)count;
  return copy;
}

// read_file reads what is on the disk. inside may be NULL.
static char* read_resource(ReadFile* read_file, size_t* size, char** inside, const mjVFS* vfs,
                           const char* directory, const char* name, char* error, int error_size) {
  Located located;
  Opened opened;
  char* copy = NULL;
  locate(&located, vfs, directory, name);
  if (inside) {
    *inside = NULL;
  }
  if (opened_open(&opened, &located, vfs, read_file, error, error_size)) {
    copy = read_opened(&opened, size, error, error_size);
    if (copy && inside && located.kind == LOCATED_PROVIDER && !located.provider->mount) {
      *inside = directory_of(&opened.file, located.path);
    }
    opened_close(&opened);
  }
  located_free(&located);
  return copy;
}

char* resource_read(size_t* size, const mjVFS* vfs, const char* directory, const char* name,
                    char* error, int error_size) {
  return read_resource(file_read, size, NULL, vfs, directory, name, error, error_size);
}

char* resource_readtext(size_t* size, char** inside, const mjVFS* vfs, const char* directory,
                        const char* name, char* error, int error_size) {
  return read_resource(file_read, size, inside, vfs, directory, name, error, error_size);
}

char* resource_readmodel(size_t* size, char** inside, const mjVFS* vfs, const char* directory,
                         const char* name, char* error, int error_size) {
  return read_resource(file_readstream, size, inside, vfs, directory, name, error, error_size);
}

int resource_exists(const mjVFS* vfs, const char* directory, const char* name) {
  Located located;
  Opened opened;
  char error[300];
  locate(&located, vfs, directory, name);
  int exists =
      located.kind == LOCATED_MEMORY || (located.kind == LOCATED_DISK && file_exists(located.path));
  if (located.kind == LOCATED_PROVIDER) {
    exists = opened_open(&opened, &located, vfs, file_read, error, sizeof(error));
    if (exists) {
      opened_close(&opened);
    }
  }
  located_free(&located);
  return exists;
}

char* resource_directory(const char* path) {
  mjResource resource = {.name = (char*)(size_t)path, .provider = mjp_findProvider(path)};
  return directory_of(&resource, path);
}
