// types.h: what is read of a picture.

#pragma once

typedef struct ImageFile_ {
  int width, height;
  unsigned char* pixel;  // height x width x 3, the top row first
} ImageFile;
