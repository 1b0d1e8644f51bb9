// image.h: files and terminals that show pixels: rows from the top, 3 bytes to a pixel (red, green,
// blue), or 2 of a number, most significant first.

#pragma once

#include <stddef.h>

// Pixels as PNG in memory, which the caller frees; numbers as shades of gray of 16 bits. NULL if
// memory runs out.
void* image_encode(size_t* length, const unsigned char* pixels, int width, int height,
                   int is_depth);

// Writes pixels as PNG; numbers as shades of gray of 16 bits. Returns a status, after a message if
// it failed, which calls the file `shown`.
int image_save(const char* path, const char* shown, const unsigned char* pixels, int width,
               int height, int is_depth);

// Prints colors on the standard output, two pixels to a block character of 24-bit colors.
void image_print_blocks(const unsigned char* pixels, int width, int height);

// Prints colors as sixels (DEC VT340), with the nearest of 216 colors.
void image_print_sixels(const unsigned char* pixels, int width, int height);
