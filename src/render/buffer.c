// buffer.c: the window, the offscreen buffer and auxiliary ones. If a buffer has several samples
// per pixel, it is drawn into, and read through a second one with one sample (suffix _r).

#include "render/buffer.h"

#include <mujoco/api/base.h>
#include <mujoco/api/render.h>
#include <string.h>

#include "render/device.h"

void buffer_find_window(RenderDevice* device, mjrContext* con) {
  const GL* gl = &device->gl;
  con->windowAvailable = con->windowSamples = con->windowStereo = con->windowDoublebuffer = 0;
  gl->BindFramebuffer(GL_FRAMEBUFFER, 0);
  if (gl->CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
    return;
  }
  con->windowAvailable = 1;
  GLint samples = 0;
  GLboolean stereo = 0, is_double = 0;
  gl->GetIntegerv(GL_SAMPLES, &samples);
  gl->GetBooleanv(GL_STEREO, &stereo);
  gl->GetBooleanv(GL_DOUBLEBUFFER, &is_double);
  con->windowSamples = samples;
  con->windowStereo = stereo;
  con->windowDoublebuffer = is_double;
}

static int cut_samples(const GL* gl, int samples) {
  GLint most = 0;
  gl->GetIntegerv(GL_MAX_SAMPLES, &most);
  return samples < 0 ? 0 : samples > most ? (int)most : samples;
}

static void check_size(const GL* gl, const char* what, int width, int height) {
  GLint most = 0;
  gl->GetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &most);
  if (width > most || height > most) {
    mju_error("%s of %d x %d pixels is too large: the graphics device has %d", what, width, height,
              (int)most);
  }
}

// A framebuffer of colors, and of depths if depth is not NULL.
static void make_frame(const GL* gl, unsigned int* frame, unsigned int* color, unsigned int* depth,
                       int width, int height, int samples) {
  gl->GenFramebuffers(1, frame);
  gl->BindFramebuffer(GL_FRAMEBUFFER, *frame);
  gl->GenRenderbuffers(1, color);
  gl->BindRenderbuffer(GL_RENDERBUFFER, *color);
  gl->RenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA8, width, height);
  gl->FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, *color);
  if (depth) {
    gl->GenRenderbuffers(1, depth);
    gl->BindRenderbuffer(GL_RENDERBUFFER, *depth);
    gl->RenderbufferStorageMultisample(GL_RENDERBUFFER, samples,
                                       gl->ClipControl ? GL_DEPTH32F_STENCIL8 : GL_DEPTH24_STENCIL8,
                                       width, height);
    gl->FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
                                *depth);
  }
  gl->BindRenderbuffer(GL_RENDERBUFFER, 0);
  if (gl->CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
    mju_error("OpenGL can't make a buffer of %d x %d pixels with %d samples", width, height,
              samples);
  }
}

static void free_frame(const GL* gl, unsigned int* frame, unsigned int* color,
                       unsigned int* depth) {
  gl->DeleteFramebuffers(1, frame);
  gl->DeleteRenderbuffers(1, color);
  *frame = *color = 0;
  if (depth) {
    gl->DeleteRenderbuffers(1, depth);
    *depth = 0;
  }
}

void buffer_make_offscreen(RenderDevice* device, mjrContext* con) {
  const GL* gl = &device->gl;
  free_frame(gl, &con->offFBO, &con->offColor, &con->offDepthStencil);
  free_frame(gl, &con->offFBO_r, &con->offColor_r, &con->offDepthStencil_r);
  if (con->offWidth < 1 || con->offHeight < 1) {
    return;
  }
  check_size(gl, "an offscreen buffer", con->offWidth, con->offHeight);
  con->offSamples = cut_samples(gl, con->offSamples);
  make_frame(gl, &con->offFBO, &con->offColor, &con->offDepthStencil, con->offWidth, con->offHeight,
             con->offSamples);
  if (con->offSamples) {
    GLint samples = 0;
    gl->GetIntegerv(GL_SAMPLES, &samples);
    con->offSamples = samples;
    make_frame(gl, &con->offFBO_r, &con->offColor_r, &con->offDepthStencil_r, con->offWidth,
               con->offHeight, 0);
  }
}

static void free_aux(const GL* gl, mjrContext* con, int i) {
  free_frame(gl, &con->auxFBO[i], &con->auxColor[i], NULL);
  free_frame(gl, &con->auxFBO_r[i], &con->auxColor_r[i], NULL);
  con->auxWidth[i] = con->auxHeight[i] = con->auxSamples[i] = 0;
}

void buffer_free_all(RenderDevice* device, mjrContext* con) {
  const GL* gl = &device->gl;
  free_frame(gl, &con->offFBO, &con->offColor, &con->offDepthStencil);
  free_frame(gl, &con->offFBO_r, &con->offColor_r, &con->offDepthStencil_r);
  for (int i = 0; i < mjNAUX; i++) {
    free_aux(gl, con, i);
  }
}

void mjr_resizeOffscreen(int width, int height, mjrContext* con) {
  RenderDevice* device = render_device(con);
  if (width < 0 || height < 0) {
    mju_error("mjr_resizeOffscreen: the size %d x %d is negative", width, height);
  }
  if (width == con->offWidth && height == con->offHeight) {
    return;
  }
  con->offWidth = width;
  con->offHeight = height;
  buffer_make_offscreen(device, con);
  mjr_restoreBuffer(con);
}

static void check_aux(const char* caller, int index) {
  if (index < 0 || index >= mjNAUX) {
    mju_error("%s: auxiliary buffer %d does not exist: there are %d", caller, index, mjNAUX);
  }
}

void mjr_addAux(int index, int width, int height, int samples, mjrContext* con) {
  RenderDevice* device = render_device(con);
  const GL* gl = &device->gl;
  check_aux(__func__, index);
  free_aux(gl, con, index);
  if (width >= 1 && height >= 1) {
    check_size(gl, "an auxiliary buffer", width, height);
    con->auxWidth[index] = width;
    con->auxHeight[index] = height;
    con->auxSamples[index] = cut_samples(gl, samples);
    make_frame(gl, &con->auxFBO[index], &con->auxColor[index], NULL, width, height,
               con->auxSamples[index]);
    make_frame(gl, &con->auxFBO_r[index], &con->auxColor_r[index], NULL, width, height, 0);
  }
  mjr_restoreBuffer(con);
}

void mjr_setAux(int index, const mjrContext* con) {
  RenderDevice* device = render_device(con);
  const GL* gl = &device->gl;
  check_aux(__func__, index);
  if (!con->auxFBO[index]) {
    mju_error("mjr_setAux: auxiliary buffer %d was not made: call mjr_addAux", index);
  }
  gl->BindFramebuffer(GL_FRAMEBUFFER, con->auxFBO[index]);
  gl->DrawBuffer(GL_COLOR_ATTACHMENT0);
  gl->ReadBuffer(GL_COLOR_ATTACHMENT0);
}

static GLenum window_side(const mjrContext* con) {
  return con->windowDoublebuffer ? GL_BACK : GL_FRONT;
}

void mjr_restoreBuffer(const mjrContext* con) {
  RenderDevice* device = render_device(con);
  const GL* gl = &device->gl;
  int is_window = con->currentBuffer == mjFB_WINDOW;
  GLuint frame = is_window ? 0 : con->offFBO;
  if (is_window ? !con->windowAvailable : !frame) {
    return;
  }
  gl->BindFramebuffer(GL_FRAMEBUFFER, frame);
  gl->DrawBuffer(is_window ? window_side(con) : GL_COLOR_ATTACHMENT0);
  gl->ReadBuffer(is_window ? window_side(con) : GL_COLOR_ATTACHMENT0);
}

void mjr_setBuffer(int framebuffer, mjrContext* con) {
  render_device(con);
  if (framebuffer != mjFB_WINDOW && framebuffer != mjFB_OFFSCREEN) {
    mju_error("mjr_setBuffer: framebuffer %d is neither mjFB_WINDOW nor mjFB_OFFSCREEN",
              framebuffer);
  }
  if (!con->windowAvailable && !con->offFBO) {
    mju_error("mjr_setBuffer: there is neither a window nor an offscreen buffer");
  }
  con->currentBuffer = !con->windowAvailable ? mjFB_OFFSCREEN
                       : !con->offFBO        ? mjFB_WINDOW
                                             : framebuffer;
  mjr_restoreBuffer(con);
}

mjrRect mjr_maxViewport(const mjrContext* con) {
  RenderDevice* device = render_device(con);
  mjrRect rect = {0, 0, con->offWidth, con->offHeight};
  if (con->currentBuffer == mjFB_WINDOW) {
    GLint box[4] = {0};
    device->gl.GetIntegerv(GL_SCISSOR_BOX, box);
    rect.width = box[2];
    rect.height = box[3];
  }
  return rect;
}

// Copies a rectangle from the buffer with samples to the one that is read, and binds the latter for
// reading. Returns the frame that was bound before, so that the caller can restore it.
static void resolve(const GL* gl, GLuint from, GLuint to, mjrRect r, GLbitfield what) {
  gl->BindFramebuffer(GL_READ_FRAMEBUFFER, from);
  gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
  gl->Disable(GL_SCISSOR_TEST);
  gl->BlitFramebuffer(r.left, r.bottom, r.left + r.width, r.bottom + r.height, r.left, r.bottom,
                      r.left + r.width, r.bottom + r.height, what, GL_NEAREST);
  gl->BindFramebuffer(GL_READ_FRAMEBUFFER, to);
  gl->ReadBuffer(GL_COLOR_ATTACHMENT0);
}

static int is_resolved(const mjrContext* con) {
  return con->currentBuffer == mjFB_OFFSCREEN && con->offSamples > 0;
}

void mjr_readPixels(unsigned char* rgb, float* depth, mjrRect viewport, const mjrContext* con) {
  RenderDevice* device = render_device(con);
  const GL* gl = &device->gl;
  if (viewport.width < 1 || viewport.height < 1) {
    return;
  }
  mjr_restoreBuffer(con);
  if (is_resolved(con)) {
    resolve(gl, con->offFBO, con->offFBO_r, viewport,
            (rgb ? GL_COLOR_BUFFER_BIT : 0) | (depth ? GL_DEPTH_BUFFER_BIT : 0));
  }
  gl->PixelStorei(GL_PACK_ALIGNMENT, 1);
  gl->PixelStorei(GL_PACK_ROW_LENGTH, 0);
  if (rgb) {
    int is_chosen = con->currentBuffer == mjFB_OFFSCREEN && con->readPixelFormat;
    gl->ReadPixels(viewport.left, viewport.bottom, viewport.width, viewport.height,
                   is_chosen ? (GLenum)con->readPixelFormat : GL_RGB, GL_UNSIGNED_BYTE, rgb);
  }
  if (depth) {
    gl->ReadPixels(viewport.left, viewport.bottom, viewport.width, viewport.height,
                   GL_DEPTH_COMPONENT, GL_FLOAT, depth);
    if (con->readDepthMap == mjDEPTH_ZERONEAR) {
      size_t n = (size_t)viewport.width * (size_t)viewport.height;
      for (size_t i = 0; i < n; i++) {
        depth[i] = 1 - depth[i];
      }
    }
  }
  mjr_restoreBuffer(con);
}

void mjr_blitBuffer(mjrRect src, mjrRect dst, int flg_color, int flg_depth, const mjrContext* con) {
  RenderDevice* device = render_device(con);
  const GL* gl = &device->gl;
  if (!con->windowAvailable || !con->offFBO || (!flg_color && !flg_depth) || src.width < 1 ||
      src.height < 1 || dst.width < 1 || dst.height < 1) {
    return;
  }
  GLbitfield what = (flg_color ? GL_COLOR_BUFFER_BIT : 0u) | (flg_depth ? GL_DEPTH_BUFFER_BIT : 0u);
  int from_window = con->currentBuffer == mjFB_WINDOW;
  mjr_restoreBuffer(con);
  if (is_resolved(con)) {
    resolve(gl, con->offFBO, con->offFBO_r, src, what);
  } else {
    gl->BindFramebuffer(GL_READ_FRAMEBUFFER, from_window ? 0 : con->offFBO);
  }
  gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, from_window ? con->offFBO : 0);
  gl->DrawBuffer(from_window ? GL_COLOR_ATTACHMENT0 : window_side(con));
  gl->Disable(GL_SCISSOR_TEST);
  int is_scaled = src.width != dst.width || src.height != dst.height;
  gl->BlitFramebuffer(src.left, src.bottom, src.left + src.width, src.bottom + src.height, dst.left,
                      dst.bottom, dst.left + dst.width, dst.bottom + dst.height, what,
                      is_scaled && !flg_depth ? GL_LINEAR : GL_NEAREST);
  mjr_restoreBuffer(con);
}

void mjr_blitAux(int index, mjrRect src, int left, int bottom, const mjrContext* con) {
  RenderDevice* device = render_device(con);
  const GL* gl = &device->gl;
  check_aux(__func__, index);
  if (!con->auxFBO[index] || src.width < 1 || src.height < 1) {
    return;
  }
  resolve(gl, con->auxFBO[index], con->auxFBO_r[index], src, GL_COLOR_BUFFER_BIT);
  int is_window = con->currentBuffer == mjFB_WINDOW;
  gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, is_window ? 0 : con->offFBO);
  gl->DrawBuffer(is_window ? window_side(con) : GL_COLOR_ATTACHMENT0);
  gl->BlitFramebuffer(src.left, src.bottom, src.left + src.width, src.bottom + src.height, left,
                      bottom, left + src.width, bottom + src.height, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
  mjr_restoreBuffer(con);
}

void mjr_finish(void) {
  PFNGLFINISHPROC finish;
  void* found = gl_function("glFinish");
  memcpy(&finish, &found, sizeof(found));
  if (finish) {
    finish();
  }
}

int mjr_getError(void) {
  PFNGLGETERRORPROC get;
  void* found = gl_function("glGetError");
  memcpy(&get, &found, sizeof(found));
  return get ? (int)get() : 0;
}

int mjr_findRect(int x, int y, int nrect, const mjrRect* rect) {
  for (int i = 0; i < nrect; i++) {
    if (x >= rect[i].left && x < rect[i].left + rect[i].width && y >= rect[i].bottom &&
        y < rect[i].bottom + rect[i].height) {
      return i;
    }
  }
  return -1;
}
