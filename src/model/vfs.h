// vfs.h: files in memory that loading looks at before the disk.
//
// A file is found by its base name in lower case first, so that a program may hand over "Arm.STL"
// for "meshes/arm.stl", then by the whole reduced path as it was given.
//                                                                           theory/format.md, Files

#ifndef CONDYLE_MODEL_VFS_H_
#define CONDYLE_MODEL_VFS_H_

#include <mujoco/mjmodel.h>
#include <stddef.h>

// Content of a file, followed by a 0 byte, and its length; NULL if there is none of that name (or
// vfs is NULL). It stays good until the file or the vfs is deleted.
const char* vfs_find(size_t* size, const mjVFS* vfs, const char* name);

#endif  // CONDYLE_MODEL_VFS_H_
