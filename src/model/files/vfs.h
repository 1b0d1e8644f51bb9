// vfs.h: files in memory, which loaders try before the disk.
//
// A file is found by its base name in lower case first, so that "Arm.STL" serves for
// "meshes/arm.stl". Then it is looked up by the whole reduced path.
//                                                                     theory/model/format.md, Files

#pragma once

#include <mujoco/mjmodel.h>
#include <stddef.h>

// Content of a file, followed by a 0 byte, and its size. NULL if there is no such file or vfs is
// NULL. Valid until the file or the vfs is deleted.
const char* vfs_find(size_t* size, const mjVFS* vfs, const char* name);

// Are these all files that there are (cnd_sealVFS)?
int vfs_issealed(const mjVFS* vfs);
