// backend.h: what a library that makes contexts has to do.

#pragma once

// One library. Contexts are its own structures.
typedef struct Backend_ {
  const char* name;

  // A new context with a window of width x height pixels, none if 0. NULL with a text in error.
  void* (*make)(int width, int height, char* error, int size);

  // 0 if it is current now in this thread. NULL: lets go of the current one of this library.
  int (*make_current)(void* context);

  void (*end)(void* context);
} Backend;

extern const Backend BACKEND_EGL;
extern const Backend BACKEND_OSMESA;
