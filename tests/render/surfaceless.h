// surfaceless.h: a current context of OpenGL without a screen, made by EGL alone, for programs that
// are compiled against either engine.

#pragma once

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <stddef.h>

// 1 if the context is current, 0 where there is no EGL, -1 if it makes no context.
static inline int surfaceless_context(void) {
  PFNEGLGETPLATFORMDISPLAYEXTPROC get =
      (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
  EGLDisplay display =
      get ? get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL) : EGL_NO_DISPLAY;
  if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL) ||
      !eglBindAPI(EGL_OPENGL_API)) {
    return 0;
  }
  const EGLint wanted[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
  EGLConfig config;
  EGLint n = 0;
  eglChooseConfig(display, wanted, &config, 1, &n);
  EGLContext context = n ? eglCreateContext(display, config, EGL_NO_CONTEXT, NULL) : EGL_NO_CONTEXT;
  return context != EGL_NO_CONTEXT &&
                 eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)
             ? 1
             : -1;
}
