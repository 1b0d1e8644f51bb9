// gl.c: finds the library of the current context among those that are loaded.

#include "render/gl.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

// A library that makes contexts, and its two functions that matter here.
typedef struct Provider_ {
  const char* library;
  const char* get_current;
  const char* get_function;
} Provider;

static const Provider PROVIDERS[] = {
    {"libEGL.so.1", "eglGetCurrentContext", "eglGetProcAddress"},
    {"libGLX.so.0", "glXGetCurrentContext", "glXGetProcAddressARB"},
    {"libGL.so.1", "glXGetCurrentContext", "glXGetProcAddressARB"},
    {"libOSMesa.so.8", "OSMesaGetCurrentContext", "OSMesaGetProcAddress"},
    {"libOSMesa.so.6", "OSMesaGetCurrentContext", "OSMesaGetProcAddress"},
};
enum {
  PROVIDER_COUNT = sizeof(PROVIDERS) / sizeof(PROVIDERS[0])
};

// Function pointers and data pointers have one size wherever there is dlsym.
typedef union Symbol_ {
  void* data;
  void* (*get_current)(void);
  void* (*get_function)(const char*);
} Symbol;

// Finds the library that has a current context. It must be loaded already, so none is loaded here.
// Returns its handle, which the caller closes, and the context.
static void* find_provider(const Provider** out_provider, void** out_context) {
  for (int i = 0; i < PROVIDER_COUNT; i++) {
    void* library = dlopen(PROVIDERS[i].library, RTLD_LAZY | RTLD_NOLOAD);
    if (!library) {
      continue;
    }
    Symbol current = {dlsym(library, PROVIDERS[i].get_current)};
    void* context = current.data ? current.get_current() : NULL;
    if (context) {
      *out_provider = &PROVIDERS[i];
      *out_context = context;
      return library;
    }
    dlclose(library);
  }
  *out_context = NULL;
  return NULL;
}

void* gl_current(void) {
  const Provider* provider;
  void* context;
  void* library = find_provider(&provider, &context);
  if (library) {
    dlclose(library);
  }
  return context;
}

// The address of a function. GLX and EGL return one even for functions that don't exist, so whether
// a function may be called is decided by version and extensions (has_clip_control).
static void* function_of(void* library, const Provider* provider, const char* name) {
  Symbol get = {dlsym(library, provider->get_function)};
  void* found = get.data ? get.get_function(name) : NULL;
  return found ? found : dlsym(library, name);
}

void* gl_function(const char* name) {
  const Provider* provider;
  void* context;
  void* library = find_provider(&provider, &context);
  if (!library) {
    return NULL;
  }
  void* found = function_of(library, provider, name);
  dlclose(library);
  return found;
}

// Whether clip space can have depths from 0 to 1: in OpenGL 4.5, or by an extension.
static int has_clip_control(const GL* gl, int version) {
  if (version >= 45) {
    return 1;
  }
  GLint count = 0;
  gl->GetIntegerv(GL_NUM_EXTENSIONS, &count);
  for (GLint i = 0; i < count; i++) {
    const char* name = (const char*)gl->GetStringi(GL_EXTENSIONS, (GLuint)i);
    if (name && !strcmp(name, "GL_ARB_clip_control")) {
      return 1;
    }
  }
  return 0;
}

const char* gl_load(GL* gl) {
  memset(gl, 0, sizeof(*gl));
  const Provider* provider;
  void* context;
  void* library = find_provider(&provider, &context);
  if (!library) {
    return "no OpenGL context is current in this thread";
  }
  int missing = 0;
  void* found;
#define FIND(name, NAME)                              \
  found = function_of(library, provider, "gl" #name); \
  missing += !found;                                  \
  memcpy(&gl->name, &found, sizeof(found));
  GL_FUNCTIONS(FIND)
#undef FIND
  dlclose(library);

  missing -= !gl->ClipControl;
  GLint major = 0, minor = 0;
  if (gl->GetIntegerv) {
    gl->GetIntegerv(GL_MAJOR_VERSION, &major);
    gl->GetIntegerv(GL_MINOR_VERSION, &minor);
  }
  int version = 10 * (int)major + (int)minor;
  if (missing || version < 33) {
    return "the current OpenGL context is older than 3.3";
  }
  if (!has_clip_control(gl, version)) {
    gl->ClipControl = NULL;
  }
  return NULL;
}
