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

// read_file reads what is on the disk.
static char* read_resource(ReadFile* read_file, size_t* size, const mjVFS* vfs,
                           const char* directory, const char* name, char* error, int error_size) {
  Located located;
  Opened opened;
  char* copy = NULL;
  locate(&located, vfs, directory, name);
  if (opened_open(&opened, &located, vfs, read_file, error, error_size)) {
    const void* content = NULL;
    int count = opened_read(&opened, &content);
    copy = count >= 0 ? heap_try(NULL, (size_t)count + 1) : NULL;
    if (copy) {
      if (count) {
        memcpy(copy, content, (size_t)count);
      }
      copy[count] = 0;
      *size = (size_t)count;
    } else {
      snprintf(error, (size_t)error_size, "%s",
               count < 0 ? "the provider could not read it" : MEMORY_OUT);
    }
    opened_close(&opened);
  }
  located_free(&located);
  return copy;
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
  const mjpResourceProvider* provider = mjp_findProvider(path);
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
