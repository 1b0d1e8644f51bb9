// pixels.c: writing pixels. They can't be copied into buffers with several samples, so they are
// drawn.

#include <mujoco/api/base.h>
#include <mujoco/api/render.h>

#include "render/device.h"
#include "render/program.h"

// A texture over the viewport, as colors or as depths.
static void draw_texture(RenderDevice* device, mjrRect rect, int is_depth) {
  const GL* gl = &device->gl;
  const RenderProgram* p = program_use_pixels(device);
  gl->Uniform4f(p->range, (float)rect.left, (float)rect.bottom, 0, 0);
  gl->Viewport(rect.left, rect.bottom, rect.width, rect.height);
  GLboolean has_color = !is_depth;
  gl->ColorMask(has_color, has_color, has_color, has_color);
  (is_depth ? gl->Enable : gl->Disable)(GL_DEPTH_TEST);
  gl->DepthFunc(GL_ALWAYS);
  gl->DepthMask(GL_TRUE);
  gl->Disable(GL_BLEND);
  gl->Disable(GL_CULL_FACE);
  gl->BindVertexArray(device->empty_array);
  gl->DrawArrays(GL_TRIANGLES, 0, 3);
  gl->BindVertexArray(0);
  gl->ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  gl->Disable(GL_DEPTH_TEST);
  gl->DepthFunc(GL_LESS);
  gl->UseProgram(0);
}

static void draw_data(RenderDevice* device, mjrRect rect, GLint stored, GLenum given, GLenum type,
                      const void* data) {
  const GL* gl = &device->gl;
  GLuint texture;
  gl->GenTextures(1, &texture);
  gl->ActiveTexture(GL_TEXTURE0);
  gl->BindTexture(GL_TEXTURE_2D, texture);
  gl->PixelStorei(GL_UNPACK_ALIGNMENT, 1);
  gl->PixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  gl->TexImage2D(GL_TEXTURE_2D, 0, stored, rect.width, rect.height, 0, given, type, data);
  draw_texture(device, rect, type == GL_FLOAT);
  gl->DeleteTextures(1, &texture);
}

void mjr_drawPixels(const unsigned char* rgb, const float* depth, mjrRect viewport,
                    const mjrContext* con) {
  RenderDevice* device = render_device(con);
  if (viewport.width < 1 || viewport.height < 1) {
    return;
  }
  if (rgb) {
    draw_data(device, viewport, GL_RGB8, GL_RGB, GL_UNSIGNED_BYTE, rgb);
  }
  if (depth) {
    draw_data(device, viewport, GL_R32F, GL_RED, GL_FLOAT, depth);
  }
}
