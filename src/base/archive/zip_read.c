// zip_read.c: reading zip archives that nobody trusts.

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/archive/zip.h"
#include "base/file.h"
#include "base/memory/memory.h"
#include "base/text/bytes.h"

enum {
  END_BYTES = 22,
  END_MARK = 0x06054b50,
  ENTRY_BYTES = 46,
  ENTRY_MARK = 0x02014b50,
  HEADER_BYTES = 30,
  HEADER_MARK = 0x04034b50,
  COMMENT_MOST = 0xFFFF,
  STORED = 0,
  DEFLATED = 8,
};

static const char cut_off[] = "the archive is cut off, or is no zip archive";
static const char broken[] = "the directory of the archive is broken";

// Copies bytes of an archive. Returns 0 if there are not as many.
static int take(void* out, const ZipBytes* bytes, uint64_t from, size_t count) {
  if (from > bytes->size || count > bytes->size - from) {
    return 0;
  }
  if (bytes->memory) {
    memcpy(out, bytes->memory + from, count);
    return 1;
  }
  return fseek(bytes->file, (long)from, SEEK_SET) == 0 &&
         fread(out, 1, count, bytes->file) == count;
}

size_t zip_filesize(FILE* file) {
  long end = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  return end > 0 ? (size_t)end : 0;
}

static int fail(char* error, int error_size, const char* reason) {
  snprintf(error, (size_t)error_size, "%s", reason);
  return 0;
}

// Where the directory is.
typedef struct Directory_ {
  size_t offset, size;
  int count;
} Directory;

// Finds the end of the archive, behind which only a comment may stand.
static int find_directory(Directory* out, const ZipBytes* bytes, char* error, int error_size) {
  size_t most = END_BYTES + COMMENT_MOST, n = bytes->size < most ? bytes->size : most;
  char* tail = n >= END_BYTES ? heap_try(NULL, n) : NULL;
  if (!tail || !take(tail, bytes, bytes->size - n, n)) {
    heap_free(tail);
    return fail(error, error_size, n >= END_BYTES && !tail ? "out of memory" : cut_off);
  }
  const char* end = NULL;
  for (size_t i = 0; i + END_BYTES <= n && !end; i++) {
    const char* at = tail + n - END_BYTES - i;
    end = bytes_u32(at) == END_MARK && bytes_u16(at + 20) == i ? at : NULL;
  }
  size_t before = end ? bytes->size - n + (size_t)(end - tail) : 0;
  const char* reason = NULL;
  if (!end) {
    reason = cut_off;
  } else {
    *out = (Directory){bytes_u32(end + 16), bytes_u32(end + 12), (int)bytes_u16(end + 10)};
    if (bytes_u16(end + 4) || bytes_u16(end + 6) || bytes_u16(end + 8) != bytes_u16(end + 10)) {
      reason = "the archive has several volumes";
    } else if (out->offset == UINT32_MAX || out->count == 0xFFFF) {
      reason = "archives beyond 4 GB or 65534 files (zip64) can't be read";
    } else if (out->offset > before || out->size > before - out->offset ||
               out->size / ENTRY_BYTES < (size_t)out->count) {
      reason = broken;
    }
  }
  heap_free(tail);
  return reason ? fail(error, error_size, reason) : 1;
}

// Would a file of this name lie outside of the archive?
static int leaves(const char* name) {
  return path_isabsolute(name) || strchr(name, ':') != NULL || strcmp(name, "..") == 0 ||
         strncmp(name, "../", 3) == 0 || !name[0];
}

// Reads one entry of the directory. Returns 0 with the reason in error.
static int read_entry(Zip* out, const char* at, size_t length, char* error, int error_size) {
  ZipEntry entry = {.offset = bytes_u32(at + 42),
                    .packed = bytes_u32(at + 20),
                    .size = bytes_u32(at + 24),
                    .sum = bytes_u32(at + 16),
                    .method = (int)bytes_u16(at + 10),
                    .encrypted = bytes_u16(at + 8) & 1};
  const char* name = at + ENTRY_BYTES;
  int is_folder = length && (name[length - 1] == '/' || name[length - 1] == '\\');
  char* given = heap_try(NULL, length + 1);
  if (!given) {
    return fail(error, error_size, "out of memory");
  }
  memcpy(given, name, length);
  given[length] = 0;
  int is_text = strlen(given) == length;
  char* reduced = is_text ? path_join("", given) : NULL;
  char shown[PATH_SHOWN];
  path_show(shown, given);
  if (is_text && !reduced) {
    heap_free(given);
    return fail(error, error_size, "out of memory");
  }
  int bad = !reduced || leaves(reduced);
  if (bad) {
    snprintf(error, (size_t)error_size,
             "the archive has a file '%s', which would lie outside of it", shown);
  } else if (!is_folder && (entry.size > FILE_MAX_BYTES || entry.packed > FILE_MAX_BYTES)) {
    snprintf(error, (size_t)error_size, "the file '%s' in the archive is too large", shown);
    bad = 1;
  }
  heap_free(given);
  if (bad || is_folder) {
    heap_free(reduced);
    return !bad;
  }
  entry.name = reduced;
  out->entry[out->count++] = entry;
  return 1;
}

static int by_name(const void* a, const void* b) {
  const ZipEntry *x = a, *y = b;
  return strcmp(x->name, y->name);
}

static int by_offset(const void* a, const void* b) {
  const ZipEntry *x = a, *y = b;
  return x->offset < y->offset ? -1 : x->offset > y->offset;
}

// Refuses data that lie over each other, of which a small archive can make files without end, and
// names that stand there twice. Leaves the entries in the order of their names.
static int check_entries(Zip* zip, size_t end, char* error, int error_size) {
  char shown[PATH_SHOWN];
  uint64_t total = 0;
  size_t n = (size_t)zip->count;
  if (!n) {
    return 1;
  }
  qsort(zip->entry, n, sizeof(ZipEntry), by_offset);
  for (size_t i = 0; i < n; i++) {
    const ZipEntry* entry = zip->entry + i;
    uint64_t next = i + 1 < n ? entry[1].offset : end;
    if (entry->offset > next || entry->packed + HEADER_BYTES > next - entry->offset) {
      snprintf(error, (size_t)error_size, "the file '%s' in the archive lies over another one",
               path_show(shown, entry->name));
      return 0;
    }
    total += entry->size;
  }
  if (total > FILE_MAX_BYTES) {
    return fail(error, error_size, "the archive unpacks to more than 512 MB");
  }
  qsort(zip->entry, n, sizeof(ZipEntry), by_name);
  for (size_t i = 0; i + 1 < n; i++) {
    if (strcmp(zip->entry[i].name, zip->entry[i + 1].name) == 0) {
      snprintf(error, (size_t)error_size, "the archive has two files '%s'",
               path_show(shown, zip->entry[i].name));
      return 0;
    }
  }
  return 1;
}

int zip_open(Zip* out, const ZipBytes* bytes, char* error, int error_size) {
  Directory directory;
  *out = (Zip){NULL, 0};
  if (!find_directory(&directory, bytes, error, error_size)) {
    return 0;
  }
  char* text = heap_try(NULL, directory.size);
  out->entry = heap_try(NULL, (size_t)directory.count * sizeof(ZipEntry));
  int good = text && out->entry && take(text, bytes, directory.offset, directory.size);
  if (!good) {
    fail(error, error_size, text && out->entry ? cut_off : "out of memory");
  }
  size_t at = 0;
  for (int i = 0; good && i < directory.count; i++) {
    size_t left = directory.size - at, name = 0, extra = 0;
    if (left >= ENTRY_BYTES && bytes_u32(text + at) == ENTRY_MARK) {
      name = bytes_u16(text + at + 28);
      extra = (size_t)bytes_u16(text + at + 30) + bytes_u16(text + at + 32);
    }
    good = name && name + extra <= left - ENTRY_BYTES ? 1 : fail(error, error_size, broken);
    good = good && read_entry(out, text + at, name, error, error_size);
    at += ENTRY_BYTES + name + extra;
  }
  heap_free(text);
  good = good && check_entries(out, directory.offset, error, error_size);
  if (!good) {
    zip_close(out);
  }
  return good;
}

void zip_close(Zip* zip) {
  for (int i = 0; i < zip->count; i++) {
    heap_free(zip->entry[i].name);
  }
  heap_free(zip->entry);
  *zip = (Zip){NULL, 0};
}

int zip_find(const Zip* zip, const char* name) {
  ZipEntry key = {.name = (char*)(size_t)name};
  const ZipEntry* found =
      zip->count ? bsearch(&key, zip->entry, (size_t)zip->count, sizeof(ZipEntry), by_name) : NULL;
  return found ? (int)(found - zip->entry) : -1;
}

// Unpacks deflated data to exactly `size` bytes. Returns why it can't, else NULL.
static const char* inflate_whole(char* out, size_t size, const char* packed, size_t count) {
  z_stream stream = {0};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) {
    return "out of memory";
  }
  stream.next_in = (Bytef*)(size_t)packed;
  stream.avail_in = (uInt)count;
  stream.next_out = (Bytef*)out;
  stream.avail_out = (uInt)size;
  int outcome = inflate(&stream, Z_FINISH);
  int whole = outcome == Z_STREAM_END && stream.total_out == size;
  inflateEnd(&stream);
  return whole ? NULL : outcome == Z_MEM_ERROR ? "out of memory" : "its data are broken";
}

// Where the data of an entry begin, behind the header; 0 if there is none.
static uint64_t data_offset(const ZipEntry* entry, const ZipBytes* bytes) {
  char header[HEADER_BYTES];
  if (!take(header, bytes, entry->offset, sizeof(header)) || bytes_u32(header) != HEADER_MARK) {
    return 0;
  }
  return entry->offset + HEADER_BYTES + bytes_u16(header + 26) + bytes_u16(header + 28);
}

char* zip_read(size_t* size, const Zip* zip, const ZipBytes* bytes, int i, char* error,
               int error_size) {
  const ZipEntry* entry = zip->entry + i;
  const char* reason = entry->encrypted ? "it is encrypted" : NULL;
  if (!reason && entry->method != STORED && entry->method != DEFLATED) {
    reason = "it is packed by a method other than deflate";
  } else if (!reason && entry->method == STORED && entry->packed != entry->size) {
    reason = "the archive says two sizes of it";
  } else if (!reason && entry->size / 1032 > entry->packed) {
    reason = "it can't be as large as the archive says";  // deflate makes at most 1032 bytes of one
  }
  if (reason) {
    fail(error, error_size, reason);
    return NULL;
  }
  uint64_t from = data_offset(entry, bytes);
  char* packed = heap_try(NULL, entry->packed + 1);
  char* content = entry->method == STORED ? packed : heap_try(NULL, entry->size + 1);
  if (!packed || !content) {
    reason = "out of memory";
  } else if (!from) {
    reason = broken;
  } else if (!take(packed, bytes, from, entry->packed)) {
    reason = cut_off;
  } else if (entry->method == DEFLATED) {
    reason = inflate_whole(content, entry->size, packed, entry->packed);
  }
  if (!reason && crc32(crc32(0, NULL, 0), (const Bytef*)content, (uInt)entry->size) != entry->sum) {
    reason = "its data are broken: the sum is wrong";
  }
  if (packed != content) {
    heap_free(packed);
  }
  if (reason) {
    heap_free(content);
    fail(error, error_size, reason);
    return NULL;
  }
  content[entry->size] = 0;
  *size = entry->size;
  return content;
}
