// archive.c: the provider of files in zip archives.

#include "model/files/archive.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/archive/zip.h"
#include "base/file.h"
#include "base/memory/memory.h"
#include "base/system/files.h"
#include "model/files/vfs.h"

// An archive that is mounted. Its bytes are looked up when they are needed.
typedef struct Archive_ {
  Zip zip;
  size_t name_length;
  char name[];
} Archive;

// A file of an archive, unpacked.
typedef struct Unpacked_ {
  char* content;
  size_t size;
} Unpacked;

static _Thread_local char reason[300];

const char* archive_reason(void) {
  return reason;
}

// Opens the bytes of an archive: a virtual file, or a regular file on disk.
static int open_bytes(ZipBytes* out, const mjVFS* vfs, const char* name) {
  *out = (ZipBytes){0};
  out->memory = vfs_find(&out->size, vfs, name);
  if (out->memory || vfs_issealed(vfs)) {
    snprintf(reason, sizeof(reason), "it is not among the given files");
    return out->memory != NULL;
  }
  out->file = system_openregular(NULL, name);
  if (!out->file) {
    snprintf(reason, sizeof(reason), "%s", errno ? strerror(errno) : "not a regular file");
    return 0;
  }
  out->size = zip_filesize(out->file);
  return 1;
}

static void close_bytes(ZipBytes* bytes) {
  if (bytes->file) {
    fclose(bytes->file);
  }
}

static int mount_archive(mjResource* resource) {
  size_t length = strlen(resource->name);
  Archive* archive = heap_try(NULL, sizeof(Archive) + length + 1);
  ZipBytes bytes;
  if (!archive) {
    snprintf(reason, sizeof(reason), "out of memory");
    return 0;
  }
  archive->name_length = length;
  memcpy(archive->name, resource->name, length + 1);
  int opened = open_bytes(&bytes, resource->vfs, resource->name);
  if (opened) {
    opened = zip_open(&archive->zip, &bytes, reason, sizeof(reason));
    close_bytes(&bytes);
  }
  if (!opened) {
    heap_free(archive);
    return 0;
  }
  resource->data = archive;
  return 1;
}

static int unmount_archive(mjResource* resource) {
  Archive* archive = resource->data;
  if (archive) {
    zip_close(&archive->zip);
    heap_free(archive);
  }
  resource->data = NULL;
  return 1;
}

static int open_inside(mjResource* resource) {
  const Archive* archive = resource->data;
  if (!archive) {
    snprintf(reason, sizeof(reason), "its archive is not mounted");
    return 0;
  }
  const char* inside = resource->name + archive->name_length;
  int i = zip_find(&archive->zip, inside + strspn(inside, "/"));
  ZipBytes bytes;
  if (i < 0) {
    snprintf(reason, sizeof(reason), "no such file in the archive");
    return 0;
  }
  if (!open_bytes(&bytes, resource->vfs, archive->name)) {
    return 0;
  }
  Unpacked* file = heap_try(NULL, sizeof(Unpacked));
  char* content = NULL;
  if (file) {
    content = zip_read(&file->size, &archive->zip, &bytes, i, reason, sizeof(reason));
    file->content = content;
  }
  close_bytes(&bytes);
  if (!content) {
    heap_free(file);
    return 0;
  }
  resource->data = file;
  return 1;
}

static int read_inside(mjResource* resource, const void** buffer) {
  const Unpacked* file = resource->data;
  *buffer = file->content;
  return (int)file->size;
}

static void close_inside(mjResource* resource) {
  Unpacked* file = resource->data;
  heap_free(file->content);
  heap_free(file);
  resource->data = NULL;
}

#define ARCHIVE(extension)                                                                  \
  {                                                                                         \
    .prefix = (extension), .open = open_inside, .read = read_inside, .close = close_inside, \
    .mount = mount_archive, .unmount = unmount_archive                                      \
  }
const mjpResourceProvider archive_mjz = ARCHIVE(".mjz");
const mjpResourceProvider archive_zip = ARCHIVE(".zip");
