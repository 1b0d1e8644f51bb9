// egl.c: contexts of EGL, on a device of its list, on Mesa's surfaceless platform, or on the
// default display, whichever works first. Displays are never closed, because contexts of other
// libraries may live on the same one.

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/context/backend.h"

// EGL's functions, found once per call: the library is never closed.
#define EGL_FUNCTIONS(F)                                     \
  F(eglGetProcAddress, PFNEGLGETPROCADDRESSPROC)             \
  F(eglBindAPI, PFNEGLBINDAPIPROC)                           \
  F(eglQueryAPI, PFNEGLQUERYAPIPROC)                         \
  F(eglChooseConfig, PFNEGLCHOOSECONFIGPROC)                 \
  F(eglCreateContext, PFNEGLCREATECONTEXTPROC)               \
  F(eglCreatePbufferSurface, PFNEGLCREATEPBUFFERSURFACEPROC) \
  F(eglDestroyContext, PFNEGLDESTROYCONTEXTPROC)             \
  F(eglDestroySurface, PFNEGLDESTROYSURFACEPROC)             \
  F(eglGetCurrentContext, PFNEGLGETCURRENTCONTEXTPROC)       \
  F(eglGetCurrentDisplay, PFNEGLGETCURRENTDISPLAYPROC)       \
  F(eglGetDisplay, PFNEGLGETDISPLAYPROC)                     \
  F(eglInitialize, PFNEGLINITIALIZEPROC)                     \
  F(eglMakeCurrent, PFNEGLMAKECURRENTPROC)                   \
  F(eglQueryString, PFNEGLQUERYSTRINGPROC)

typedef struct Egl_ {
#define FIELD(name, type) type name;
  EGL_FUNCTIONS(FIELD)
#undef FIELD
} Egl;

typedef struct EglContext_ {
  EGLDisplay display;
  EGLContext context;
  EGLSurface surface;
} EglContext;

// Returns 0 if the library or one of its functions is missing.
static int load(Egl* egl, int mode) {
  void* library = dlopen("libEGL.so.1", RTLD_LAZY | mode);
  if (!library) {
    return 0;
  }
  int missing = 0;
  void* found;
#define FIND(name, type)         \
  found = dlsym(library, #name); \
  missing += !found;             \
  memcpy(&egl->name, &found, sizeof(found));
  EGL_FUNCTIONS(FIND)
#undef FIND
  return !missing;
}

static EGLDisplay initialized(const Egl* egl, EGLDisplay display) {
  if (display != EGL_NO_DISPLAY && egl->eglInitialize(display, NULL, NULL)) {
    return display;
  }
  return EGL_NO_DISPLAY;
}

// An extension's function; NULL if there is none.
static void find_extension(const Egl* egl, void* out, const char* name) {
  __eglMustCastToProperFunctionPointerType found = egl->eglGetProcAddress(name);
  memcpy(out, &found, sizeof(found));
}

// A display on one of the devices: the one that MUJOCO_EGL_DEVICE_ID says, else the first that
// works.
static EGLDisplay device_display(const Egl* egl, char* error, int size) {
  PFNEGLQUERYDEVICESEXTPROC query;
  PFNEGLGETPLATFORMDISPLAYEXTPROC get;
  find_extension(egl, &query, "eglQueryDevicesEXT");
  find_extension(egl, &get, "eglGetPlatformDisplayEXT");
  EGLDeviceEXT device[32];
  EGLint count = 0;
  if (!query || !get || !query(32, device, &count)) {
    return EGL_NO_DISPLAY;
  }
  const char* chosen = getenv("MUJOCO_EGL_DEVICE_ID");
  int first = 0, end = (int)count;
  if (chosen && *chosen) {
    char* rest;
    long id = strtol(chosen, &rest, 10);
    if (*rest || id < 0 || id >= count) {
      snprintf(error, (size_t)size, "MUJOCO_EGL_DEVICE_ID is '%.20s', but EGL has %d devices",
               chosen, (int)count);
      return EGL_NO_DISPLAY;
    }
    first = (int)id;
    end = first + 1;
  }
  for (int i = first; i < end; i++) {
    EGLDisplay display = initialized(egl, get(EGL_PLATFORM_DEVICE_EXT, device[i], NULL));
    if (display != EGL_NO_DISPLAY) {
      return display;
    }
  }
  return EGL_NO_DISPLAY;
}

static EGLDisplay find_display(const Egl* egl, char* error, int size) {
  EGLDisplay display = device_display(egl, error, size);
  if (display != EGL_NO_DISPLAY || *error) {
    return display;
  }
  PFNEGLGETPLATFORMDISPLAYEXTPROC get;
  find_extension(egl, &get, "eglGetPlatformDisplayEXT");
  const char* extensions = egl->eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  if (get && extensions && strstr(extensions, "EGL_MESA_platform_surfaceless")) {
    display = initialized(egl, get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL));
  }
  if (display == EGL_NO_DISPLAY) {
    display = initialized(egl, egl->eglGetDisplay(EGL_DEFAULT_DISPLAY));
  }
  return display;
}

// The window is a surface in memory with depth and stencil.
static int make_context(const Egl* egl, EglContext* made, int width, int height) {
  int has_window = width > 0 && height > 0;
  const EGLint wanted[] = {EGL_RED_SIZE,
                           8,
                           EGL_GREEN_SIZE,
                           8,
                           EGL_BLUE_SIZE,
                           8,
                           EGL_ALPHA_SIZE,
                           8,
                           EGL_DEPTH_SIZE,
                           24,
                           EGL_STENCIL_SIZE,
                           8,
                           EGL_SURFACE_TYPE,
                           has_window ? EGL_PBUFFER_BIT : 0,
                           EGL_RENDERABLE_TYPE,
                           EGL_OPENGL_BIT,
                           EGL_NONE};
  EGLConfig config;
  EGLint count = 0;
  if (!egl->eglChooseConfig(made->display, wanted, &config, 1, &count) || count < 1) {
    return 0;
  }
  const EGLint core[] = {EGL_CONTEXT_MAJOR_VERSION,
                         3,
                         EGL_CONTEXT_MINOR_VERSION,
                         3,
                         EGL_CONTEXT_OPENGL_PROFILE_MASK,
                         EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                         EGL_NONE};
  made->context = egl->eglCreateContext(made->display, config, EGL_NO_CONTEXT, core);
  if (made->context == EGL_NO_CONTEXT) {
    return 0;
  }
  made->surface = EGL_NO_SURFACE;
  if (has_window) {
    const EGLint size[] = {EGL_WIDTH, width, EGL_HEIGHT, height, EGL_NONE};
    made->surface = egl->eglCreatePbufferSurface(made->display, config, size);
    if (made->surface == EGL_NO_SURFACE) {
      egl->eglDestroyContext(made->display, made->context);
      return 0;
    }
  }
  return 1;
}

static void* make(int width, int height, char* error, int size) {
  Egl egl;
  if (!load(&egl, 0)) {
    snprintf(error, (size_t)size, "EGL (libEGL.so.1) is not installed");
    return NULL;
  }
  EglContext made = {EGL_NO_DISPLAY, EGL_NO_CONTEXT, EGL_NO_SURFACE};
  error[0] = 0;
  made.display = find_display(&egl, error, size);
  if (made.display == EGL_NO_DISPLAY) {
    if (!error[0]) {
      snprintf(error, (size_t)size, "EGL has no display that works");
    }
    return NULL;
  }

  // restore the interface that the caller has chosen in this thread
  EGLenum before = egl.eglQueryAPI();
  EglContext* context = NULL;
  if (egl.eglBindAPI(EGL_OPENGL_API) && make_context(&egl, &made, width, height)) {
    context = malloc(sizeof(*context));
  }
  egl.eglBindAPI(before);
  if (!context) {
    snprintf(error, (size_t)size, "EGL can't make a context of OpenGL 3.3");
    return NULL;
  }
  *context = made;
  return context;
}

static int make_current(void* context) {
  Egl egl;
  const EglContext* c = context;
  if (!load(&egl, c ? 0 : RTLD_NOLOAD)) {
    return c != NULL;
  }
  egl.eglBindAPI(EGL_OPENGL_API);
  if (c) {
    return !egl.eglMakeCurrent(c->display, c->surface, c->surface, c->context);
  }
  EGLDisplay display = egl.eglGetCurrentDisplay();
  return display != EGL_NO_DISPLAY &&
         !egl.eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

static void end(void* context) {
  Egl egl;
  EglContext* c = context;
  if (load(&egl, 0)) {
    egl.eglBindAPI(EGL_OPENGL_API);
    if (egl.eglGetCurrentContext() == c->context) {
      egl.eglMakeCurrent(c->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    }
    if (c->surface != EGL_NO_SURFACE) {
      egl.eglDestroySurface(c->display, c->surface);
    }
    egl.eglDestroyContext(c->display, c->context);
  }
  free(c);
}

const Backend BACKEND_EGL = {"egl", make, make_current, end};
