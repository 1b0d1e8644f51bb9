// imagefile.h: pictures as other tools write them: JPEG, BMP and TGA, as rows of red, green and
// blue.
//
// Textures of robots come in these formats, besides PNG (compile/texture/image.h), which models
// have. BMP and TGA are read here; JPEG by libjpeg, where the engine was built with it.
//
// Files are hostile: a picture is at most 2^28 pixels, and never so large that its file could not
// hold it.

#pragma once

#include <stddef.h>

#include "imagefile/types.h"

typedef enum ImageFileKind_ {
  IMAGEFILE_UNKNOWN,
  IMAGEFILE_PNG,  // told, but not read here
  IMAGEFILE_JPEG,
  IMAGEFILE_BMP,
  IMAGEFILE_TGA,
} ImageFileKind;

// The format of a picture: by its first bytes, of TGA, which has no mark, by the ending of its
// name.
ImageFileKind imagefile_kind(const char* name, const void* bytes, size_t size);

// Reads a picture. Returns NULL with a sentence in `error` that says what is wrong. The caller
// frees the result with imagefile_free.
ImageFile* imagefile_read(const char* name, const void* bytes, size_t size, char* error,
                          int error_size);

void imagefile_free(ImageFile* file);
