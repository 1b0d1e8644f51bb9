// formats.h: the readers, one for each format. They set the file of `build`, or end in an error.

#pragma once

#include "imagefile/context.h"

void jpeg_read(ImageBuild* build);
void bmp_read(ImageBuild* build);
void tga_read(ImageBuild* build);
