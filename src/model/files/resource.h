// resource.h: the bytes of a named file from memory, a provider or the disk.
//
// All loaders read through here, in the order of locate.h. If a provider fails, the disk is not
// tried.                                                              theory/model/format.md, Files

#pragma once

#include <mujoco/mjmodel.h>
#include <stddef.h>

// Reads name, relative to directory ("" or NULL for the working directory). The result ends with a
// 0 behind its last byte; the caller frees it. Returns NULL with the reason in error ("No such file
// or directory") if the file can't be read. vfs may be NULL. On the disk only regular files count.
char* resource_read(size_t* size, const mjVFS* vfs, const char* directory, const char* name,
                    char* error, int error_size);

// The same for a file that names others. If a provider has it, inside gets their directory, which
// it tells while the file is open; the caller frees it. Else NULL: resource_directory knows it.
char* resource_readtext(size_t* size, char** inside, const mjVFS* vfs, const char* directory,
                        const char* name, char* error, int error_size);

// The same for the model itself, which may come through a pipe.
char* resource_readmodel(size_t* size, char** inside, const mjVFS* vfs, const char* directory,
                         const char* name, char* error, int error_size);

// Could resource_read open the file?
int resource_exists(const mjVFS* vfs, const char* directory, const char* name);

// Joins directory and name (name alone if it is absolute or belongs to a provider) and reduces the
// path. The caller frees the result. NULL if memory runs out.
char* resource_path(const char* directory, const char* name);

// Directory of the names that a file mentions. A provider gives it ("" if it does not); for a file
// on disk it is the part up to and including the last separator. The caller frees it. NULL if
// memory runs out.
char* resource_directory(const char* path);
