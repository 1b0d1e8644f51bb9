// imagefile.c: tells formats, chooses the reader and catches its errors.

#include "imagefile/imagefile.h"

#include <mujoco/api/base.h>
#include <string.h>
#include <strings.h>

#include "base/memory/error.h"
#include "base/memory/memory.h"
#include "imagefile/formats.h"

static int begins(const void* bytes, size_t size, const char* mark, size_t length) {
  return size >= length && memcmp(bytes, mark, length) == 0;
}

ImageFileKind imagefile_kind(const char* name, const void* bytes, size_t size) {
  const char* dot = strrchr(name, '.');
  return begins(bytes, size, "\x89PNG\r\n\x1A\n", 8) ? IMAGEFILE_PNG
         : begins(bytes, size, "\xFF\xD8\xFF", 3)    ? IMAGEFILE_JPEG
         : begins(bytes, size, "BM", 2)              ? IMAGEFILE_BMP
         : dot && strcasecmp(dot, ".tga") == 0       ? IMAGEFILE_TGA
                                                     : IMAGEFILE_UNKNOWN;
}

typedef struct Request_ {
  ImageBuild build;
  ImageFileKind kind;
} Request;

static void read_kind(void* argument) {
  Request* request = argument;
  ImageBuild* build = &request->build;
  build->file = heap_zero(1, sizeof(ImageFile));
  switch (request->kind) {
    case IMAGEFILE_JPEG:
      jpeg_read(build);
      break;
    case IMAGEFILE_BMP:
      bmp_read(build);
      break;
    case IMAGEFILE_TGA:
      tga_read(build);
      break;
    case IMAGEFILE_PNG:
    case IMAGEFILE_UNKNOWN:
      mju_error("only PNG, JPEG, BMP and TGA can be read");
  }
}

ImageFile* imagefile_read(const char* name, const void* bytes, size_t size, char* error,
                          int error_size) {
  Request request = {{bytes, size, NULL}, imagefile_kind(name, bytes, size)};
  return error_catch(error, error_size, read_kind, &request) ? NULL : request.build.file;
}

void imagefile_free(ImageFile* file) {
  if (file) {
    heap_free(file->pixel);
    heap_free(file);
  }
}
