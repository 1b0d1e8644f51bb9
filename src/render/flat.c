// flat.c: rectangles, lines and text are collected in one list of triangles. Both fonts are in one
// texture with a white spot for plain colors, so a picture is one draw call.

#include "render/flat.h"

#include <limits.h>
#include <math.h>
#include <mujoco/api/base.h>
#include <stddef.h>

#include "render/device.h"
#include "render/program.h"

void flat_begin(RenderDevice* device, mjrRect rect) {
  device->flat_rect = rect;
  device->flat_vertices.n = 0;
}

static void put(RenderDevice* device, float x, float y, float u, float v, const float rgba[4]) {
  RenderFlatVertex* out = render_append(&device->flat_vertices, sizeof(*out));
  RenderFlatVertex vertex = {{x, y}, {u, v}, {rgba[0], rgba[1], rgba[2], rgba[3]}};
  *out = vertex;
}

void flat_polygon(RenderDevice* device, const float (*corner)[2], const float (*rgba)[4], int n) {
  for (int i = 1; i + 1 < n; i++) {
    const int index[3] = {0, i, i + 1};
    for (int k = 0; k < 3; k++) {
      const float* at = corner[index[k]];
      put(device, at[0], at[1], device->white[0], device->white[1], rgba[index[k]]);
    }
  }
}

void flat_rectangle(RenderDevice* device, float left, float bottom, float width, float height,
                    const float rgba[4]) {
  const float corner[4][2] = {{left, bottom},
                              {left + width, bottom},
                              {left + width, bottom + height},
                              {left, bottom + height}};
  float color[4][4];
  for (int i = 0; i < 16; i++) {
    color[i / 4][i % 4] = rgba[i % 4];
  }
  flat_polygon(device, corner, (const float(*)[4])color, 4);
}

void flat_line(RenderDevice* device, const float a[2], const float b[2], float width,
               const float rgba[4]) {
  float x = b[0] - a[0], y = b[1] - a[1], length = sqrtf(x * x + y * y);
  if (length <= 0) {
    return;
  }
  float u = -y / length * width / 2, v = x / length * width / 2;
  const float corner[4][2] = {
      {a[0] + u, a[1] + v}, {a[0] - u, a[1] - v}, {b[0] - u, b[1] - v}, {b[0] + u, b[1] + v}};
  float color[4][4];
  for (int i = 0; i < 16; i++) {
    color[i / 4][i % 4] = rgba[i % 4];
  }
  flat_polygon(device, corner, (const float(*)[4])color, 4);
}

static const RenderFont* font_of(const RenderDevice* device, int font) {
  return &device->font[font == mjFONT_BIG];
}

// Characters without a picture are shown as a question mark.
static int character(char c) {
  return c >= 32 && c < 127 ? c : '?';
}

int flat_text_width(const RenderDevice* device, int font, const char* text, int n) {
  int width = 0;
  for (int i = 0; i < n && text[i]; i++) {
    width += font_of(device, font)->glyph[character(text[i])].advance;
  }
  return width;
}

int flat_text_height(const RenderDevice* device, int font) {
  return font_of(device, font)->row;
}

static float put_text(RenderDevice* device, const RenderFont* font, const char* text, int n,
                      float x, float y, const float rgba[4]) {
  static const int ROUND[6][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}};
  float start = x, size[2] = {(float)device->font_size[0], (float)device->font_size[1]};
  float base = y + (float)(font->row - font->top);
  for (int i = 0; i < n && text[i]; i++) {
    int c = character(text[i]);
    float left = x + font->glyph[c].left, top = base + font->glyph[c].up;
    float width = font->glyph[c].width, height = font->glyph[c].height;
    for (int k = 0; k < 6 && width > 0; k++) {
      float a = (float)ROUND[k][0], b = (float)ROUND[k][1];
      put(device, left + a * width, top - b * height, (font->glyph[c].x + a * width) / size[0],
          (font->glyph[c].y + b * height) / size[1], rgba);
    }
    x += font->glyph[c].advance;
  }
  return x - start;
}

float flat_text(RenderDevice* device, int font, const char* text, int n, float x, float y,
                const float rgba[4]) {
  x = roundf(x);
  y = roundf(y);
  const RenderFont* f = font_of(device, font);
  if (font == mjFONT_SHADOW) {
    const float shade[4] = {0, 0, 0, 0.5f * rgba[3]};
    for (int i = -1; i <= 1; i++) {
      for (int j = -1; j <= 1; j++) {
        put_text(device, f, text, n, x + (float)i, y + (float)j, shade);
      }
    }
  }
  return put_text(device, f, text, n, x, y, rgba);
}

static void bind(RenderDevice* device) {
  const GL* gl = &device->gl;
  static const struct {
    GLint n;
    size_t offset;
  } field[] = {{2, offsetof(RenderFlatVertex, position)},
               {2, offsetof(RenderFlatVertex, coord)},
               {4, offsetof(RenderFlatVertex, rgba)}};
  if (!device->flat_array) {
    gl->GenVertexArrays(1, &device->flat_array);
    gl->GenBuffers(1, &device->flat_buffer);
    gl->BindVertexArray(device->flat_array);
    gl->BindBuffer(GL_ARRAY_BUFFER, device->flat_buffer);
    for (GLuint i = 0; i < 3; i++) {
      gl->EnableVertexAttribArray(i);
      gl->VertexAttribPointer(i, field[i].n, GL_FLOAT, GL_FALSE, sizeof(RenderFlatVertex),
                              (const void*)field[i].offset);
    }
  }
  gl->BindVertexArray(device->flat_array);
  gl->BindBuffer(GL_ARRAY_BUFFER, device->flat_buffer);
}

void flat_end(RenderDevice* device, RenderFlatMode mode) {
  const GL* gl = &device->gl;
  size_t n = device->flat_vertices.n / sizeof(RenderFlatVertex);
  mjrRect rect = device->flat_rect;
  if (!n || n > INT_MAX) {
    return;
  }
  bind(device);
  gl->BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)device->flat_vertices.n, device->flat_vertices.data,
                 GL_STREAM_DRAW);
  gl->Viewport(rect.left, rect.bottom, rect.width, rect.height);
  gl->ActiveTexture(GL_TEXTURE0);
  gl->BindTexture(GL_TEXTURE_2D, device->font_texture);
  const RenderProgram* p = program_use_flat(device);
  gl->Uniform2f(p->pixels, (float)rect.width, (float)rect.height);
  gl->PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  gl->Disable(GL_DEPTH_TEST);
  gl->Disable(GL_CULL_FACE);
  gl->Enable(GL_BLEND);
  if (mode == FLAT_MULTIPLY) {
    gl->BlendFunc(GL_ZERO, GL_SRC_COLOR);
  } else {
    gl->BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  }
  gl->DrawArrays(GL_TRIANGLES, 0, (GLsizei)n);
  gl->Disable(GL_BLEND);
  gl->BindVertexArray(0);
  gl->UseProgram(0);
}
