// vfs.h: files in memory, which loaders try before the disk.
//
// A file is found by its base name in lower case first, so that "Arm.STL" serves for
// "meshes/arm.stl". Then it is looked up by the whole reduced path. After cnd_matchLastVFS the path
// comes first, and then the base names of all files, the last first.
//                                                                     theory/model/format.md, Files

#pragma once

#include <mujoco/mjmodel.h>
#include <mujoco/mjplugin.h>
#include <stddef.h>

// Content of a file, followed by a 0 byte, and its size. NULL if there is no such file or vfs is
// NULL. Valid until the file or the vfs is deleted.
const char* vfs_find(size_t* size, const mjVFS* vfs, const char* name);

// The same for a file that is named in a text: by that name, then by the path that it makes.
const char* vfs_findnamed(size_t* size, const mjVFS* vfs, const char* name, const char* path);

// The provider that is mounted at a path or above it, as the resource that it was mounted with;
// NULL if there is none.
const mjResource* vfs_mounted(const mjVFS* vfs, const char* path);

// Are these all files that there are (cnd_sealVFS)?
int vfs_issealed(const mjVFS* vfs);
