// context.c: chooses the library that makes a context without a screen.

#include <condyle/render.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/context/backend.h"

static const Backend* const BACKENDS[] = {&BACKEND_EGL, &BACKEND_OSMESA};
enum {
  BACKEND_COUNT = sizeof(BACKENDS) / sizeof(BACKENDS[0])
};

struct cndGL_ {
  const Backend* backend;
  void* context;
};

// Copies a message to the caller's text, if there is one.
static void tell(char* error, int size, const char* text) {
  if (error && size > 0) {
    snprintf(error, (size_t)size, "%s", text);
  }
}

// One context of one library.
static cndGL* make(const Backend* backend, int width, int height, char* error, int size) {
  cndGL* gl = malloc(sizeof(*gl));
  if (!gl) {
    tell(error, size, "out of memory");
    return NULL;
  }
  gl->backend = backend;
  gl->context = backend->make(width, height, error, size);
  if (!gl->context) {
    free(gl);
    return NULL;
  }
  return gl;
}

cndGL* cnd_makeGL(const char* backend, int width, int height, char* error, int size) {
  if (!backend) {
    backend = getenv("MUJOCO_GL");
  }
  if (width < 0 || height < 0) {
    tell(error, size, "the size of a window is negative");
    return NULL;
  }

  // no library was named: take the first that works
  if (!backend || !*backend) {
    char reason[BACKEND_COUNT][200] = {{0}};
    for (int i = 0; i < BACKEND_COUNT; i++) {
      cndGL* gl = make(BACKENDS[i], width, height, reason[i], sizeof(reason[i]));
      if (gl) {
        return gl;
      }
    }
    char text[480];
    snprintf(text, sizeof(text), "no OpenGL without a screen: %s; %s", reason[0], reason[1]);
    tell(error, size, text);
    return NULL;
  }

  for (int i = 0; i < BACKEND_COUNT; i++) {
    if (!strcmp(backend, BACKENDS[i]->name)) {
      char reason[200] = {0};
      cndGL* gl = make(BACKENDS[i], width, height, reason, sizeof(reason));
      if (!gl) {
        tell(error, size, reason);
      }
      return gl;
    }
  }
  char text[200];
  snprintf(text, sizeof(text), "unknown backend '%.40s' of OpenGL: use egl or osmesa", backend);
  tell(error, size, text);
  return NULL;
}

int cnd_currentGL(cndGL* gl, char* error, int size) {
  int failed = 0;
  if (gl) {
    failed = gl->backend->make_current(gl->context);
  } else {
    for (int i = 0; i < BACKEND_COUNT; i++) {
      failed |= BACKENDS[i]->make_current(NULL);
    }
  }
  if (failed) {
    tell(error, size, "the OpenGL context can't be made current; another thread may use it");
  }
  return failed;
}

const char* cnd_backendGL(const cndGL* gl) {
  return gl->backend->name;
}

void cnd_freeGL(cndGL* gl) {
  if (gl) {
    gl->backend->end(gl->context);
    free(gl);
  }
}
