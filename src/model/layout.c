// layout.c: offsets of arrays in one block, with checks for overflow.

#include "model/layout.h"

#include <limits.h>

#include "base/memory/memory.h"

void* layout_add(Layout* layout, int64_t rows, int64_t columns, size_t element) {
  size_t start = 0, count = 0, bytes = 0, end = 0;
  int fits = rows >= 0 && columns >= 0 && size_align(&start, layout->size, MEMORY_ALIGN) &&
             size_multiply(&count, (size_t)rows, (size_t)columns) && count <= INT_MAX &&
             size_multiply(&bytes, count, element) && size_add(&end, start, bytes) &&
             end <= PTRDIFF_MAX;
  if (!fits) {
    layout->overflow = 1;
    return NULL;
  }
  layout->size = end;
  return layout->base ? layout->base + start : NULL;
}

char* layout_base(void* block) {
  uintptr_t address = (uintptr_t)block;
  return (char*)block + (MEMORY_ALIGN - address % MEMORY_ALIGN) % MEMORY_ALIGN;
}
