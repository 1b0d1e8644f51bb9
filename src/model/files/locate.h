// locate.h: where a file of a name is, without opening it.
//
// All loaders find files by this order: providers that are mounted in the virtual files; archives
// that the path goes through; virtual files, by the name as written, then by directory + name;
// providers of "scheme:..." names; the disk. A file that a model in an archive names relative to
// itself must be in that archive, too. Beside sealed virtual files (cnd_sealVFS) there are none.
//                                                                     theory/model/format.md, Files

#pragma once

#include <mujoco/mjplugin.h>
#include <stddef.h>

typedef enum LocatedKind_ {
  LOCATED_NOWHERE,
  LOCATED_MEMORY,
  LOCATED_PROVIDER,
  LOCATED_DISK,
} LocatedKind;

typedef struct Located_ {
  LocatedKind kind;
  char* path;           // directory and name, reduced
  const char* reason;   // why it is nowhere
  const char* content;  // in memory, followed by a 0
  size_t size;          // of content
  const mjpResourceProvider* provider;
  size_t mount_length;        // how much of the path the provider is to be mounted at
  const mjResource* mounted;  // not NULL if it is mounted already
} Located;

// Finds a file. Free with located_free.
void locate(Located* out, const mjVFS* vfs, const char* directory, const char* name);
void located_free(Located* located);

// Is the directory in an archive, and the path not in the same one?
int archive_left(const mjVFS* vfs, const char* directory, const char* path);

// How much of a path is the name of an archive that it goes through; 0 if there is none.
size_t archive_length(const mjVFS* vfs, const char* path);
