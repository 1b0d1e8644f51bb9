// write.c: mju_writeResource, which hands bytes to the provider of a name or writes them to disk.

#include <condyle/output.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory/check.h"
#include "base/memory/memory.h"
#include "model/files/vfs.h"

// Writes to a provider, mounted around it unless it is mounted already.
static int64_t write_provided(const mjpResourceProvider* provider, const mjResource* mounted,
                              char* path, const mjVFS* vfs, const void* buffer, mjtSize nbytes) {
  mjResource file = {.name = path, .provider = provider, .vfs = (mjVFS*)(size_t)vfs};
  mjResource mount = {.name = (char*)(size_t)provider->prefix, .provider = provider};
  int mounts = !mounted && provider->mount;
  if (!provider->write || (mounts && !provider->mount(&mount))) {
    return -1;
  }
  file.data = mounted ? mounted->data : mount.data;
  int64_t written = (int64_t)provider->write(&file, buffer, nbytes);
  if (mounts && provider->unmount) {
    provider->unmount(&mount);
  }
  return written < 0 ? -1 : written;
}

static int64_t write_disk(const char* path, const void* buffer, mjtSize nbytes, char* reason,
                          size_t size) {
  cndOutput out;
  int whole = cnd_openOutput(&out, path) &&
              (!nbytes || fwrite(buffer, 1, (size_t)nbytes, out.file) == (size_t)nbytes);
  if (!cnd_closeOutput(&out, whole) || !whole) {
    snprintf(reason, size, ": %s", strerror(out.reason));
    return -1;
  }
  return (int64_t)nbytes;
}

int64_t mju_writeResource(const char* name, const void* buffer, mjtSize nbytes, const mjVFS* vfs,
                          char* error, size_t nerror) {
  check_given(name);
  check_arrays(nbytes != 0, buffer);
  if (nbytes > INT64_MAX) {
    mju_error("mju_writeResource: nbytes is %llu", (unsigned long long)nbytes);
  }
  char* path = path_join("", name);
  char reason[200], shown[PATH_SHOWN];
  snprintf(reason, sizeof(reason), "%s", path ? "" : ": " MEMORY_OUT);
  int64_t written = -1;
  if (path) {
    const mjResource* mounted = vfs_mounted(vfs, path);
    const mjpResourceProvider* provider = mounted ? mounted->provider : mjp_findProvider(path);
    written = provider ? write_provided(provider, mounted, path, vfs, buffer, nbytes)
                       : write_disk(name, buffer, nbytes, reason, sizeof(reason));
  }
  if (written < 0 && error && nerror) {
    snprintf(error, nerror, "Error writing resource '%s'%s", path_show(shown, name), reason);
  }
  heap_free(path);
  return written;
}
