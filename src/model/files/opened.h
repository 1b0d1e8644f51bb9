// opened.h: a file that is open, wherever it is: what programs hold as mjResource.

#pragma once

#include <mujoco/mjplugin.h>
#include <stddef.h>

#include "model/files/locate.h"

typedef struct Opened_ {
  mjResource file;     // first, so that its address is this one's; the name is ours
  mjResource mount;    // what its provider is mounted as for this file
  int mounted;         // 1 if that must be undone
  char* owned;         // content read from disk
  const char* memory;  // content, unless a provider has it; a virtual file's is its own
  size_t size;
} Opened;

// Reads a file of the disk.
typedef char* ReadFile(size_t* size, const char* path, char* error, int error_size);

// Opens what was located; files on disk are read at once. Returns 1, or 0 with the reason in error.
// The provider's functions run without a heap, since what they take outlives the call.
int opened_open(Opened* out, const Located* located, const mjVFS* vfs, ReadFile* read_file,
                char* error, int error_size);

// Points content at what is in the file and returns its length, negative on failure.
int opened_read(Opened* opened, const void** content);

void opened_close(Opened* opened);
