// files.h: what systems do differently with files and folders.
//
// Paths are UTF-8 everywhere; '/' separates on every system, '\' on Windows as well. Functions that
// fail leave the reason in errno.

#pragma once

#include <stdint.h>
#include <stdio.h>

typedef enum FileKind_ {
  FILE_REGULAR,
  FILE_FOLDER,
  FILE_OTHER,  // a device, a pipe, a link that is not followed
} FileKind;

// What the system knows of a file. Times are seconds since 1970 and nanoseconds.
typedef struct FileState_ {
  FileKind kind;
  int own;  // is it this user's, and can nobody else write to it? On Windows its folder decides: 1
  uint32_t rights;          // of POSIX, 0 on Windows
  uint64_t device, number;  // together they tell files apart
  uint64_t size;            // bytes
  int64_t written[2];       // content
  int64_t changed[2];       // content or name or rights; on Windows content alone
} FileState;

// States. They return 0 if there is no such file.
int system_state(FileState* out, const char* path);
int system_linkstate(FileState* out, const char* path);  // of a link itself
int system_stateof(FileState* out, FILE* file);

// fopen; mode as there.
FILE* system_open(const char* path, const char* mode);

// Opens a file for reading that must be regular, without waiting for the other end of a pipe. NULL
// with errno set, 0 if it is of another kind. The state may be NULL.
FILE* system_openregular(FileState* out, const char* path);

// The same for a file that is this user's alone, and no link.
FILE* system_openown(FileState* out, const char* path);

// Makes a new file for writing. Rights are those of POSIX before the user's mask. NULL if there is
// one, errno EEXIST.
FILE* system_create(const char* path, uint32_t rights);

// Gives an open file exactly these rights; nothing to do on Windows. Returns 0 on failure.
int system_setrights(FILE* file, uint32_t rights);

// Marks an open file as just written.
void system_touch(FILE* file);

// May a file be read, written?
int system_readable(const char* path);
int system_writable(const char* path);

// These return 0 on failure. A link is a second name of a file; renaming replaces.
int system_makefolder(const char* path, uint32_t rights);
int system_link(const char* from, const char* to);
int system_rename(const char* from, const char* to);
int system_remove(const char* path);
int system_removefolder(const char* path);

// Makes a new folder for this user alone, among those for files that nobody keeps. Brief: for a
// small file that lives while the user's session does. Its path comes out. Returns 0 on failure.
int system_maketemporary(char* out, size_t size, int brief);

// The path without links, and the folder the program is in. The caller frees them (free).
char* system_realpath(const char* path);
char* system_here(void);

// Names in a folder, without "." and "..", in the system's order. A name lives until the next call.
typedef struct Folder_ Folder;
Folder* folder_open(const char* path);
const char* folder_next(Folder* folder);
void folder_close(Folder* folder);

// Where this user's programs keep what can be made anew, in a folder "condyle"; "" if there is no
// such place. Returns 0 if it doesn't fit.
int system_cachefolder(char* out, size_t size);

// A file whose content is wanted as a text. Returns 0 if there is no memory or place for it.
typedef struct TextFile_ {
  FILE* file;
  char* text;  // ended by 0, when it is closed; the caller frees it (free). NULL on failure
  size_t size;
} TextFile;
int system_opentext(TextFile* out);
void system_closetext(TextFile* it);
