// image.h: pictures from files, as rows of pixels of 8-bit channels, the top row first.
//
// PNG comes as 1, 3 or 4 channels (grey is the red channel of a picture in colour; without
// transparency alpha is 255). The custom format is int32 width, int32 height, then three bytes per
// pixel. KTX is kept as it is, for programs that draw.            theory/textures.md, Texture files

#ifndef CONDYLE_COMPILE_TEXTURE_IMAGE_H_
#define CONDYLE_COMPILE_TEXTURE_IMAGE_H_

#include <mujoco/mjtnum.h>

#include "compile/asset/cache.h"
#include "compile/asset/file.h"

typedef enum ImageFormat_ {
  IMAGE_PNG,
  IMAGE_KTX,
  IMAGE_CUSTOM,
} ImageFormat;

typedef struct ImageRequest_ {
  ImageFormat format;
  const AssetFile* file;
  int nchannel;
  int hflip;  // left to right
  int vflip;  // top to bottom
} ImageRequest;

typedef struct Image_ {
  AssetShared shared;  // first member: an image is kept in the cache
  int width, height, nchannel;
  int srgb;  // the file says that its colours are sRGB
  mjtByte* pixel;
} Image;

// The picture that was asked for. If it can't be read, that is an error (mju_error), to be caught.
// Give it back with asset_release.
Image* image_make(const ImageRequest* request);

// Turns the pixels of a picture over.
void image_flip(mjtByte* pixel, int width, int height, int nchannel, int hflip, int vflip);

AssetKey image_key(const ImageRequest* request);

#endif  // CONDYLE_COMPILE_TEXTURE_IMAGE_H_
