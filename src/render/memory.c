// memory.c: lists that grow.

#include "render/memory.h"

#include <mujoco/api/base.h>
#include <string.h>

void* render_append(RenderArray* array, size_t size) {
  if (array->n + size > array->room) {
    size_t room = 2 * (array->n + size) + 4096;
    void* data = mju_malloc(room);
    if (array->n) {
      memcpy(data, array->data, array->n);
    }
    mju_free(array->data);
    array->data = data;
    array->room = room;
  }
  void* end = (char*)array->data + array->n;
  array->n += size;
  return end;
}

void render_release(RenderArray* array) {
  mju_free(array->data);
  memset(array, 0, sizeof(*array));
}
