// zip.h: zip archives, read file by file and written as a whole.
//
//   header, data | header, data | ... | directory: an entry per file | end: where the directory is
//
// Archives come from strangers. Opening one reads its directory alone and refuses it whole if it is
// cut off, names a file twice, names one outside of itself ("../x", "/x"), or has files that lie
// over each other or unpack to more than FILE_MAX_BYTES. Reading a file makes no more of it than
// its entry says, and compares its sum. Data are stored or deflated; encrypted files, archives of
// several volumes and those beyond 4 GB (zip64) can't be read.
//                                                                  theory/model/format.md, Archives

#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// The bytes of an archive: in memory, or in an open file if memory is NULL.
typedef struct ZipBytes_ {
  const char* memory;
  FILE* file;
  size_t size;
} ZipBytes;

typedef struct ZipEntry_ {
  char* name;       // reduced, with '/'
  uint64_t offset;  // of its header
  size_t packed;    // bytes in the archive
  size_t size;      // bytes of the file
  uint32_t sum;     // CRC-32 of the file
  int method;       // 0 stored, 8 deflated
  int encrypted;
} ZipEntry;

// The directory of an archive, without folders.
typedef struct Zip_ {
  ZipEntry* entry;
  int count;
} Zip;

// Reads the directory. Returns 1, or 0 with the reason in error. Free with zip_close.
int zip_open(Zip* out, const ZipBytes* bytes, char* error, int error_size);
void zip_close(Zip* zip);

// Index of a file by its reduced name, -1 if there is none.
int zip_find(const Zip* zip, const char* name);

// Unpacks a file. The result ends with a 0 behind its last byte; the caller frees it (heap_free).
// NULL with the reason in error if it can't be.
char* zip_read(size_t* size, const Zip* zip, const ZipBytes* bytes, int i, char* error,
               int error_size);

// The size of an open file, which ZipBytes needs; 0 if it is too large.
size_t zip_filesize(FILE* file);

// An archive that is being made. Start with zeros.
typedef struct ZipMaker_ {
  char* text;  // all so far; at the end the archive, which the caller frees (heap_free)
  size_t size, capacity;
  char* directory;  // entries of the files so far
  size_t directory_size, directory_capacity;
  int count;
} ZipMaker;

// Adds a file; ends the archive. Files have no times, so equal contents make equal archives. Both
// end in mju_error if there is too much.
void zip_add(ZipMaker* maker, const char* name, const void* content, size_t size);
void zip_end(ZipMaker* maker);
