// file.h: reading whole files into memory, and paths.
//
// Loaders work on text in memory, so a file, a virtual file and a string are the same to them. A
// directory, an endless device or a huge file gives an error message, not a hang.

#pragma once

#include <stddef.h>

enum {
  FILE_MAX_BYTES = 1 << 29,  // larger files are refused
  PATH_SHOWN = 160,          // bytes of a path in a message, terminator included
};

// Reads a regular file. The result ends with a 0 behind its last byte; the caller frees it
// (heap_free). Returns NULL with the reason in error if the file can't be read, or is a pipe or a
// device: a model decides which files are read, and must not make its reader wait.
char* file_read(size_t* size, const char* path, char* error, int error_size);

// The same for files that the user names: pipes and devices are read up to their end, as
// `condyle compile /dev/stdin` needs.
char* file_readstream(size_t* size, const char* path, char* error, int error_size);

// May the file be read?
int file_exists(const char* path);

// 1 if a path starts with a separator or contains ":/" or ":\".
int path_isabsolute(const char* path);

// Length of the directory part, up to and including the last '/' or '\'; 0 if there is none.
int path_dirlength(const char* path);

// Writes a path for a message: a long path is cut to "..." and its end. Returns out.
char* path_show(char out[PATH_SHOWN], const char* path);

// Joins directory and name (name alone if it is absolute), reduces "." and "..", and makes every
// separator '/'. The caller frees the result; NULL if memory runs out.
char* path_join(const char* directory, const char* name);
