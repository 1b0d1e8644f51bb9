// pack.h: a model and all files that it needs in one archive.
//
// The text is "model.xml"; the files stand where it names them. Names that lead out of the archive,
// or to another file of the same name, are written anew.          theory/model/format.md, Archives

#pragma once

#include <mujoco/mjmodel.h>
#include <mujoco/mjspec.h>
#include <stddef.h>

// Makes the archive of a compiled spec, which the caller frees (heap_free). vfs may be NULL. NULL
// with the reason in error if that fails.
char* pack_spec(size_t* size, const mjSpec* s, const mjVFS* vfs, char* error, int error_sz);
