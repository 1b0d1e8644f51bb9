// memory.h: lists that grow and keep their memory from picture to picture.

#pragma once

#include <stddef.h>

// n bytes are in use. All zero: empty.
typedef struct RenderArray_ {
  void* data;
  size_t n, room;
} RenderArray;

// Space for size more bytes at the end; counts them as used.
void* render_append(RenderArray* array, size_t size);

void render_release(RenderArray* array);
