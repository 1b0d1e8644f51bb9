// file.h: whole files into memory, and paths.
//
// Loaders work on text in memory, so that a file, a virtual file and a string are the same to them.
// Nothing is trusted: a directory, a device without end or a huge file ends in a message, not in a
// hang.

#ifndef CONDYLE_BASE_FILE_H_
#define CONDYLE_BASE_FILE_H_

#include <stddef.h>

enum {
  FILE_MAX_BYTES = 1 << 29,  // larger files are refused
  PATH_SHOWN = 160,          // bytes of a path in a message, with a 0
};

// Reads a file; the caller frees the result, which has a 0 behind its last byte. NULL, with the
// reason in error, if it can't.
char* file_read(size_t* size, const char* path, char* error, int error_size);

// Can the file be opened for reading?
int file_exists(const char* path);

// Length of the directory part, up to and including the last '/' or '\'; 0 if there is none.
int path_dirlength(const char* path);

// A path for a message, in the caller's buffer: where it is long, "..." and its end.
char* path_show(char out[PATH_SHOWN], const char* path);

// directory + name with "." and ".." reduced and '/' for every separator; name alone if it is
// absolute. The caller frees the result; NULL if memory is out.
char* path_join(const char* directory, const char* name);

#endif  // CONDYLE_BASE_FILE_H_
