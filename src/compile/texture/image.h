// image.h: pictures from files, as rows of pixels of 8-bit channels, the top row first.
//
// PNG is converted to 1, 3 or 4 channels. (Grey is the red channel of a color picture; alpha is 255
// without transparency.) The custom format is int32 width, int32 height, then three bytes per
// pixel. KTX is kept as it is, for programs that draw.      theory/model/textures.md, Texture files

#pragma once

#include <mujoco/mjtnum.h>

#include "compile/asset_cache.h"
#include "compile/asset_file.h"

typedef enum ImageFormat_ {
  IMAGE_PNG,
  IMAGE_KTX,
  IMAGE_CUSTOM,
} ImageFormat;

typedef struct ImageRequest_ {
  ImageFormat format;
  const AssetFile* file;
  int nchannel;
  int hflip;  // mirror left to right
  int vflip;  // mirror top to bottom
} ImageRequest;

typedef struct Image_ {
  AssetShared shared;  // first member: an image is kept in the cache
  int width, height, nchannel;
  int srgb;  // 1 if the file marks its colors as sRGB
  mjtByte* pixel;
} Image;

// Reads the requested picture. Ends in mju_error, to be caught, if it can't. Release it with
// asset_release.
Image* image_make(const ImageRequest* request);

// Flips the pixels of a picture.
void image_flip(mjtByte* pixel, int width, int height, int nchannel, int hflip, int vflip);

Digest image_key(const ImageRequest* request);
