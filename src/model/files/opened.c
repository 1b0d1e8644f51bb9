// opened.c: opening files, and the public functions for them.

#include "model/files/opened.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory/check.h"
#include "base/memory/memory.h"
#include "base/system/files.h"
#include "model/files/archive.h"

static char* copy_text(const char* text, size_t length) {
  char* copy = heap_try(NULL, length + 1);
  if (copy) {
    memcpy(copy, text, length);
    copy[length] = 0;
  }
  return copy;
}

// Which version of a file on disk it is: when it was written last.
static void stamp_disk(char out[], size_t size, const char* path) {
  FileState s;
  if (system_state(&s, path)) {
    snprintf(out, size, "%lld.%09ld", (long long)s.written[0], (long)s.written[1]);
  }
}

// Which version of a file in memory it is: a hash of its bytes (FNV-1a).
static void stamp_memory(char out[], size_t size, const char* content, size_t count) {
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < count; i++) {
    hash = (hash ^ (unsigned char)content[i]) * 1099511628211u;
  }
  snprintf(out, size, "%016llx", (unsigned long long)hash);
}

// Files in memory and on disk are opened here and read like a provider's.
static int open_never(mjResource* resource) {
  (void)resource;
  return 0;
}

static int read_own(mjResource* resource, const void** buffer) {
  const Opened* opened = resource->data;
  *buffer = opened->memory;
  return (int)opened->size;
}

static void close_own(mjResource* resource) {
  Opened* opened = resource->data;
  heap_free(opened->owned);
}

static const mjpResourceProvider own_provider = {
    .prefix = "", .open = open_never, .read = read_own, .close = close_own};

static void unmount(Opened* opened) {
  const mjpResourceProvider* provider = opened->mount.provider;
  if (opened->mounted && provider->unmount) {
    provider->unmount(&opened->mount);
  }
  opened->mounted = 0;
  heap_free(opened->mount.name);
}

// Mounts the provider for this file, if it wants that. Returns 0 on failure.
static int mount(Opened* out, const Located* located) {
  const mjpResourceProvider* provider = located->provider;
  if (located->mounted) {
    out->file.data = located->mounted->data;
    return 1;
  }
  if (!provider->mount) {
    return 1;
  }
  char* name = located->mount_length <= strlen(located->path)
                   ? copy_text(located->path, located->mount_length)
                   : NULL;
  out->mount = (mjResource){.name = name, .vfs = out->file.vfs, .provider = provider};
  out->mounted = name && provider->mount(&out->mount);
  out->file.data = out->mount.data;
  return out->mounted;
}

static int open_provided(Opened* out, const Located* located, char* error, int error_size) {
  const mjpResourceProvider* provider = located->provider;
  out->file.provider = provider;
  int is_mounted = mount(out, located);
  if (is_mounted && provider->open(&out->file) != 0) {
    return 1;
  }
  if (!provider->mount) {
    provider->close(&out->file);  // as in 3.3.7, where every open has its close
  }
  int starved = !is_mounted && provider->mount && !out->mount.name && !located->mounted;
  unmount(out);
  if (starved) {
    snprintf(error, (size_t)error_size, "%s", MEMORY_OUT);
  } else if (provider == &archive_mjz || provider == &archive_zip ||
             provider->open == archive_zip.open) {
    snprintf(error, (size_t)error_size, "%s", archive_reason());
  } else {
    snprintf(error, (size_t)error_size, "the provider of '%s%s' could not open it",
             provider->prefix ? provider->prefix : "mounted files",
             provider->prefix && provider->prefix[0] != '.' ? ":" : "");
  }
  return 0;
}

static int open_own(Opened* out, const Located* located, ReadFile* read_file, char* error,
                    int error_size) {
  out->memory = located->content;
  out->size = located->size;
  if (located->kind == LOCATED_DISK) {
    out->owned = read_file(&out->size, located->path, error, error_size);
    out->memory = out->owned;
  }
  out->file.data = out;
  out->file.provider = &own_provider;
  return out->memory != NULL;
}

int opened_open(Opened* out, const Located* located, const mjVFS* vfs, ReadFile* read_file,
                char* error, int error_size) {
  memset(out, 0, sizeof(*out));
  Heap* heap = heap_pause();
  int opened = 0;
  out->file.vfs = (mjVFS*)(size_t)vfs;
  out->file.name = located->path ? copy_text(located->path, strlen(located->path)) : NULL;
  if (!out->file.name || located->kind == LOCATED_NOWHERE) {
    snprintf(error, (size_t)error_size, "%s", located->reason ? located->reason : MEMORY_OUT);
  } else if (located->kind == LOCATED_PROVIDER) {
    opened = open_provided(out, located, error, error_size);
  } else {
    opened = open_own(out, located, read_file, error, error_size);
  }
  if (!opened) {
    heap_free(out->file.name);
    out->file.name = NULL;
  }
  heap_resume(heap);
  return opened;
}

int opened_read(Opened* opened, const void** content) {
  Heap* heap = heap_pause();
  int count = mju_readResource(&opened->file, content);
  heap_resume(heap);
  return count;
}

void opened_close(Opened* opened) {
  Heap* heap = heap_pause();
  opened->file.provider->close(&opened->file);
  unmount(opened);
  heap_free(opened->file.name);
  heap_resume(heap);
}

// public functions

static void set_error(char* error, size_t size, const char* what, const char* name,
                      const char* reason) {
  char shown[PATH_SHOWN];
  if (error && size) {
    snprintf(error, size, "Error %s '%s'%s%s", what, path_show(shown, name), reason[0] ? ": " : "",
             reason);
  }
}

mjResource* mju_openResource(const char* dir, const char* name, const mjVFS* vfs, char* error,
                             size_t nerror) {
  check_given(name);
  char reason[300] = "";
  Located located;
  Opened* opened = heap_try(NULL, sizeof(Opened));
  locate(&located, vfs, dir, name);
  if (!opened) {
    snprintf(reason, sizeof(reason), "%s", MEMORY_OUT);
  } else if (!opened_open(opened, &located, vfs, file_read, reason, sizeof(reason))) {
    heap_free(opened);
    opened = NULL;
  }
  if (!opened) {
    set_error(error, nerror, "opening file", located.path ? located.path : name, reason);
  } else if (located.kind == LOCATED_MEMORY) {
    stamp_memory(opened->file.timestamp, sizeof(opened->file.timestamp), opened->memory,
                 opened->size);
  } else if (located.kind == LOCATED_DISK) {
    stamp_disk(opened->file.timestamp, sizeof(opened->file.timestamp), located.path);
  }
  located_free(&located);
  return opened ? &opened->file : NULL;
}

void mju_closeResource(mjResource* resource) {
  if (resource) {
    opened_close((Opened*)resource);
    heap_free(resource);
  }
}

int mju_readResource(mjResource* resource, const void** buffer) {
  check_given(resource, buffer);
  *buffer = NULL;
  const mjpResourceProvider* provider = resource->provider;
  int count = provider && provider->read ? provider->read(resource, buffer) : -1;
  return count > 0 && !*buffer ? -1 : count;
}

void mju_getResourceDir(mjResource* resource, const char** dir, int* ndir) {
  check_given(resource, dir, ndir);
  *dir = resource->name ? resource->name : "";
  *ndir = path_dirlength(*dir);
  if (resource->provider && resource->provider->getdir) {
    resource->provider->getdir(resource, dir, ndir);
  }
}

int mju_isModifiedResource(const mjResource* resource, const char* timestamp) {
  check_given(resource, timestamp);
  if (resource->provider && resource->provider->modified) {
    return resource->provider->modified(resource, timestamp);
  }
  return strcmp(resource->timestamp, timestamp) != 0;
}
