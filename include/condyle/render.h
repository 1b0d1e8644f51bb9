// render.h: contexts of OpenGL without a screen, for the functions of mujoco/api/render.h, which
// draw into whatever context is current. In the library condyle_render.
//
//   char error[256];
//   cndGL* gl = cnd_makeGL(NULL, 0, 0, error, sizeof(error));
//   if (!gl || cnd_currentGL(gl, error, sizeof(error))) {
//     fail(error);
//   }
//   mjr_makeContext(m, &con, mjFONTSCALE_150);
//   ...
//   mjr_freeContext(&con);
//   cnd_freeGL(gl);

#ifndef CONDYLE_RENDER_H_
#define CONDYLE_RENDER_H_

#include <mujoco/mjexport.h>

#ifdef __cplusplus
extern "C" {
#endif

// A context, and the library that made it.
typedef struct cndGL_ cndGL;

// Makes a context of OpenGL 3.3 or later. backend is "egl" (a graphics card, or Mesa's software) or
// "osmesa" (software in memory); NULL: what the environment's MUJOCO_GL says, and if it is not set
// the first that works. The variable MUJOCO_EGL_DEVICE_ID chooses one of EGL's devices by number.
// width and height are the pixels of the context's own window, mjFB_WINDOW; 0: it has none, and
// pictures are drawn in mjFB_OFFSCREEN. The libraries are loaded here, not before.
//
// Returns NULL with the reason in error, cut to size bytes, if there is none; error may be NULL.
// The context is not current yet.
MJAPI cndGL* cnd_makeGL(const char* backend, int width, int height, char* error, int size);

// Makes the context current in this thread; NULL: none is. A context is current in one thread at a
// time. Returns 0, or 1 with the reason in error, which may be NULL.
MJAPI int cnd_currentGL(cndGL* gl, char* error, int size);

// The library that made the context: "egl" or "osmesa".
MJAPI const char* cnd_backendGL(const cndGL* gl);

// Ends a context; NULL does nothing. What was made in it (mjr_freeContext) has to be freed before.
MJAPI void cnd_freeGL(cndGL* gl);

#ifdef __cplusplus
}
#endif

#endif  // CONDYLE_RENDER_H_
