// osmesa.c: contexts of OSMesa, Mesa's software renderer. It draws into memory of the process,
// which serves as the context's window.

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/context/backend.h"

// from GL/osmesa.h, which can't be included beside GL/glcorearb.h and is not always installed
enum {
  OSMESA_FORMAT = 0x22,
  OSMESA_RGBA = 0x1908,
  OSMESA_DEPTH_BITS = 0x30,
  OSMESA_STENCIL_BITS = 0x31,
  OSMESA_PROFILE = 0x33,
  OSMESA_CORE_PROFILE = 0x34,
  OSMESA_CONTEXT_MAJOR_VERSION = 0x36,
  OSMESA_CONTEXT_MINOR_VERSION = 0x37,
  UNSIGNED_BYTE = 0x1401,
};

typedef struct OSMesa_ {
  void* (*make)(const int* attributes, void* shared);
  void (*destroy)(void* context);
  unsigned char (*make_current)(void* context, void* buffer, unsigned int type, int width,
                                int height);
  void* (*get_current)(void);
} OSMesa;

// Memory of the window: at least one pixel, since OSMesa has no contexts without one.
typedef struct OSMesaContext_ {
  void* context;
  void* pixels;
  int width, height;
} OSMesaContext;

// Returns 0 if the library or one of its functions is missing.
static int load(OSMesa* osmesa, int mode) {
  void* library = dlopen("libOSMesa.so.8", RTLD_LAZY | mode);
  if (!library) {
    library = dlopen("libOSMesa.so.6", RTLD_LAZY | mode);
  }
  if (!library) {
    return 0;
  }
  void* found[4] = {dlsym(library, "OSMesaCreateContextAttribs"),
                    dlsym(library, "OSMesaDestroyContext"), dlsym(library, "OSMesaMakeCurrent"),
                    dlsym(library, "OSMesaGetCurrentContext")};
  memcpy(&osmesa->make, &found[0], sizeof(void*));
  memcpy(&osmesa->destroy, &found[1], sizeof(void*));
  memcpy(&osmesa->make_current, &found[2], sizeof(void*));
  memcpy(&osmesa->get_current, &found[3], sizeof(void*));
  return found[0] && found[1] && found[2] && found[3];
}

static void* make(int width, int height, char* error, int size) {
  OSMesa osmesa;
  if (!load(&osmesa, 0)) {
    snprintf(error, (size_t)size, "OSMesa (libOSMesa.so.8) is not installed");
    return NULL;
  }
  OSMesaContext* c = calloc(1, sizeof(*c));
  if (!c) {
    snprintf(error, (size_t)size, "out of memory");
    return NULL;
  }
  c->width = width > 0 ? width : 1;
  c->height = height > 0 ? height : 1;
  c->pixels = calloc((size_t)c->width * (size_t)c->height, 4);
  const int wanted[] = {OSMESA_FORMAT,
                        OSMESA_RGBA,
                        OSMESA_DEPTH_BITS,
                        24,
                        OSMESA_STENCIL_BITS,
                        8,
                        OSMESA_PROFILE,
                        OSMESA_CORE_PROFILE,
                        OSMESA_CONTEXT_MAJOR_VERSION,
                        3,
                        OSMESA_CONTEXT_MINOR_VERSION,
                        3,
                        0};
  c->context = c->pixels ? osmesa.make(wanted, NULL) : NULL;
  if (!c->context) {
    snprintf(error, (size_t)size, "OSMesa can't make a context of OpenGL 3.3");
    free(c->pixels);
    free(c);
    return NULL;
  }
  return c;
}

static int make_current(void* context) {
  OSMesa osmesa;
  const OSMesaContext* c = context;
  if (!load(&osmesa, c ? 0 : RTLD_NOLOAD)) {
    return c != NULL;
  }
  if (c) {
    return !osmesa.make_current(c->context, c->pixels, UNSIGNED_BYTE, c->width, c->height);
  }
  return osmesa.get_current() && !osmesa.make_current(NULL, NULL, UNSIGNED_BYTE, 0, 0);
}

static void end(void* context) {
  OSMesa osmesa;
  OSMesaContext* c = context;
  if (load(&osmesa, 0)) {
    if (osmesa.get_current() == c->context) {
      osmesa.make_current(NULL, NULL, UNSIGNED_BYTE, 0, 0);
    }
    osmesa.destroy(c->context);
  }
  free(c->pixels);
  free(c);
}

const Backend BACKEND_OSMESA = {"osmesa", make, make_current, end};
