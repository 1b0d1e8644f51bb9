// zip_write.c: making zip archives.

#include <mujoco/api/base.h>
#include <string.h>
#include <zlib.h>

#include "base/archive/zip.h"
#include "base/memory/memory.h"

enum {
  VERSION = 20,  // of the format that a reader must know: deflate and folders
  DEFLATED = 8,
  UTF8_NAMES = 0x800,
  FIRST_DAY = 0x21,  // the first of January 1980
  NOTE_BYTES = 26,   // of a header and an entry, which say the same of a file
};

static char* put(char* out, uint32_t value, int count) {
  for (int i = 0; i < count; i++) {
    *out++ = (char)(value >> 8 * i);
  }
  return out;
}

// Makes room for more bytes and returns where they go.
static char* reserve(char** text, size_t* size, size_t* capacity, size_t more) {
  size_t need;
  if (!size_add(&need, *size, more) || need > UINT32_MAX) {
    mju_error("the archive would have more than 4 GB");
  }
  if (need > *capacity) {
    *capacity = need < *capacity * 2 ? *capacity * 2 : need;
    *text = heap_resize(*text, *capacity);
  }
  char* at = *text + *size;
  *size = need;
  return at;
}

// What the header and the entry of a file have in common.
static char* put_note(char* out, uint32_t sum, size_t packed, size_t size, size_t name) {
  out = put(out, VERSION, 2);
  out = put(out, UTF8_NAMES, 2);
  out = put(out, DEFLATED, 2);
  out = put(out, 0, 2);
  out = put(out, FIRST_DAY, 2);
  out = put(out, sum, 4);
  out = put(out, (uint32_t)packed, 4);
  out = put(out, (uint32_t)size, 4);
  out = put(out, (uint32_t)name, 2);
  return put(out, 0, 2);
}

// Deflates to memory that is large enough. Returns the length.
static size_t deflate_whole(char* out, size_t room, const void* content, size_t size) {
  z_stream stream = {0};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    mju_error(MEMORY_OUT);
  }
  stream.next_in = (Bytef*)(size_t)content;
  stream.avail_in = (uInt)size;
  stream.next_out = (Bytef*)out;
  stream.avail_out = (uInt)room;
  int ended = deflate(&stream, Z_FINISH);
  size_t length = stream.total_out;
  deflateEnd(&stream);
  if (ended != Z_STREAM_END) {
    mju_error("a file of the archive can't be packed");
  }
  return length;
}

void zip_add(ZipMaker* maker, const char* name, const void* content, size_t size) {
  size_t length = strlen(name);
  if (length > 0xFFFF || maker->count >= 0xFFFE || size > UINT32_MAX / 2) {
    mju_error("the archive would have too many files, or too large ones");
  }
  uint32_t sum = (uint32_t)crc32(crc32(0, NULL, 0), content, (uInt)size), mark = 0x04034b50;
  size_t room = compressBound((uLong)size) + 16, offset = maker->size;
  char* packed = heap_take(room);
  size_t count = deflate_whole(packed, room, size ? content : "", size);

  char* at = reserve(&maker->text, &maker->size, &maker->capacity, 4 + NOTE_BYTES + length + count);
  at = put_note(put(at, mark, 4), sum, count, size, length);
  memcpy(at, name, length);
  memcpy(at + length, packed, count);
  heap_free(packed);

  at = reserve(&maker->directory, &maker->directory_size, &maker->directory_capacity,
               6 + NOTE_BYTES + 14 + length);
  at = put_note(put(put(at, 0x02014b50, 4), VERSION, 2), sum, count, size, length);
  memset(at, 0, 10);  // no comment, first volume, no attributes
  at = put(at + 10, (uint32_t)offset, 4);
  memcpy(at, name, length);
  maker->count++;
}

void zip_end(ZipMaker* maker) {
  size_t offset = maker->size, size = maker->directory_size;
  char* at = reserve(&maker->text, &maker->size, &maker->capacity, size + 22);
  if (size) {
    memcpy(at, maker->directory, size);
  }
  at = put(put(at + size, 0x06054b50, 4), 0, 4);
  at = put(put(at, (uint32_t)maker->count, 2), (uint32_t)maker->count, 2);
  put(put(put(at, (uint32_t)size, 4), (uint32_t)offset, 4), 0, 2);
  heap_free(maker->directory);
  maker->directory = NULL;
}
