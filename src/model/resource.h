// resource.h: the bytes of a named file, wherever they come from.
//
// All loaders read through here: a virtual file first, then whoever provides names of the form
// "scheme:...", then the disk. The name is looked up in the virtual files as it was written, then
// with its directory; everywhere else with its directory. A provider that fails is not followed by
// the disk.                                                                 theory/format.md, Files

#ifndef CONDYLE_MODEL_RESOURCE_H_
#define CONDYLE_MODEL_RESOURCE_H_

#include <mujoco/mjmodel.h>
#include <stddef.h>

// Reads name, relative to directory ("" or NULL: to the working directory). The caller frees the
// result, which has a 0 behind its last byte. NULL, with the reason in error ("No such file or
// directory"), if it can't. vfs may be NULL.
char* resource_read(size_t* size, const mjVFS* vfs, const char* directory, const char* name,
                    char* error, int error_size);

// Could it be read?
int resource_exists(const mjVFS* vfs, const char* directory, const char* name);

// directory + name, reduced; name alone if it is absolute or belongs to a provider. The caller
// frees the result; NULL if memory is out.
char* resource_path(const char* directory, const char* name);

// Where names in a file are looked for: what its provider answers, "" if it says nothing; of a file
// on disk the part up to and including the last separator. The caller frees it; NULL if memory is
// out.
char* resource_directory(const char* path);

#endif  // CONDYLE_MODEL_RESOURCE_H_
