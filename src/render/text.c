// text.c: fonts on the graphics device, and drawing text.

#include "render/text.h"

#include <limits.h>
#include <mujoco/api/base.h>
#include <mujoco/api/render.h>
#include <mujoco/mjvisualize.h>
#include <string.h>

#include "render/device.h"
#include "render/flat.h"
#include "render/font/font.h"

// pictures of the normal and the big font, by the scale of fonts
static const int PICTURE[6][2] = {{0, 1}, {1, 3}, {2, 5}, {3, 6}, {4, 7}, {5, 8}};

// Both fonts below each other, with a white spot at the end. The texture is as wide as a font.
static void upload(RenderDevice* device, const FontPicture* const picture[2]) {
  const GL* gl = &device->gl;
  int width = picture[0]->width, height = picture[0]->height + picture[1]->height + 4;
  size_t row = (size_t)width;
  unsigned char* gray = mju_malloc(row * (size_t)height);
  int y = 0;
  for (int i = 0; i < 2; i++) {
    RenderFont* font = &device->font[i];
    font->row = picture[i]->row;
    font->top = picture[i]->top;
    for (int c = 0; c < FONT_COUNT; c++) {
      memcpy(&font->glyph[FONT_FIRST + c], picture[i]->glyph[c], sizeof(picture[i]->glyph[c]));
      font->glyph[FONT_FIRST + c].y = (short)(font->glyph[FONT_FIRST + c].y + y);
    }
    memcpy(gray + row * (size_t)y, picture[i]->gray, row * (size_t)picture[i]->height);
    y += picture[i]->height;
  }
  memset(gray + row * (size_t)y, 255, row * 4);
  device->font_size[0] = width;
  device->font_size[1] = height;
  device->white[0] = 0.5f;
  device->white[1] = ((float)y + 2) / (float)height;

  if (!device->font_texture) {
    gl->GenTextures(1, &device->font_texture);
  }
  gl->ActiveTexture(GL_TEXTURE0);
  gl->BindTexture(GL_TEXTURE_2D, device->font_texture);
  gl->PixelStorei(GL_UNPACK_ALIGNMENT, 1);
  gl->PixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  gl->TexImage2D(GL_TEXTURE_2D, 0, GL_R8, width, height, 0, GL_RED, GL_UNSIGNED_BYTE, gray);
  gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  mju_free(gray);
}

void mjr_changeFont(int fontscale, mjrContext* con) {
  RenderDevice* device = render_device(con);
  if (fontscale < 50 || fontscale > 300 || fontscale % 50) {
    mju_error("mjr_changeFont: font scale %d is not one of 50, 100, 150, 200, 250, 300", fontscale);
  }
  const int* chosen = PICTURE[fontscale / 50 - 1];
  const FontPicture* const picture[2] = {FONT_PICTURE + chosen[0], FONT_PICTURE + chosen[1]};
  upload(device, picture);
  con->fontScale = fontscale;
  con->charHeight = device->font[0].row;
  con->charHeightBig = device->font[1].row;
  for (int c = FONT_FIRST; c < FONT_FIRST + FONT_COUNT; c++) {
    con->charWidth[c] = device->font[0].glyph[c].advance;
    con->charWidthBig[c] = device->font[1].glyph[c].advance;
  }
}

void text_free(RenderDevice* device) {
  const GL* gl = &device->gl;
  gl->DeleteTextures(1, &device->font_texture);
  gl->DeleteVertexArrays(1, &device->flat_array);
  gl->DeleteBuffers(1, &device->flat_buffer);
}

// Programs pass the scale of fonts (mjtFontScale) too: what is no mjtFont is the normal one.
static int font_of(int font) {
  return font == mjFONT_SHADOW || font == mjFONT_BIG ? font : mjFONT_NORMAL;
}

void mjr_text(int font, const char* txt, const mjrContext* con, float x, float y, float r, float g,
              float b) {
  RenderDevice* device = render_device(con);
  font = font_of(font);
  if (!txt) {
    return;
  }
  GLint rect[4] = {0};
  device->gl.GetIntegerv(GL_VIEWPORT, rect);
  mjrRect viewport = {rect[0], rect[1], rect[2], rect[3]};
  const float rgba[4] = {r, g, b, 1};
  flat_begin(device, viewport);
  flat_text(device, font, txt, INT_MAX, x * (float)rect[2], y * (float)rect[3], rgba);
  flat_end(device, FLAT_BLEND);
}

void mjr_rectangle(mjrRect viewport, float r, float g, float b, float a) {
  RenderDevice* device = render_device_current();
  if (!device) {
    mju_error("mjr_rectangle: no mjrContext was made in the current OpenGL context");
  }
  if (viewport.width < 1 || viewport.height < 1) {
    return;
  }
  const float rgba[4] = {r, g, b, a};
  flat_begin(device, viewport);
  flat_rectangle(device, 0, 0, (float)viewport.width, (float)viewport.height, rgba);
  flat_end(device, FLAT_BLEND);
}

void mjr_label(mjrRect viewport, int font, const char* txt, float r, float g, float b, float a,
               float rt, float gt, float bt, const mjrContext* con) {
  RenderDevice* device = render_device(con);
  font = font_of(font);
  if (viewport.width < 1 || viewport.height < 1) {
    return;
  }
  const float ground[4] = {r, g, b, a}, ink[4] = {rt, gt, bt, 1};
  float width = (float)viewport.width, height = (float)viewport.height;
  flat_begin(device, viewport);
  flat_rectangle(device, 0, 0, width, height, ground);
  if (txt) {
    float room = width - (float)flat_text_width(device, font, txt, INT_MAX);
    flat_text(device, font, txt, INT_MAX, room / 2,
              (height - (float)flat_text_height(device, font)) / 2, ink);
  }
  flat_end(device, FLAT_BLEND);
}

// Columns of text: lines end at '\n', at most mjMAXOVERLAY characters count.
typedef struct Column_ {
  const char* text;
  int n;  // characters
  int lines, width;
} Column;

static int line_length(const Column* c, int from) {
  int n = 0;
  while (from + n < c->n && c->text[from + n] != '\n') {
    n++;
  }
  return n;
}

static Column measure(const RenderDevice* device, int font, const char* text) {
  Column c = {text, 0, 0, 0};
  while (text && c.n < mjMAXOVERLAY && text[c.n]) {
    c.n++;
  }
  for (int i = 0; i < c.n; i += line_length(&c, i) + 1) {
    int width = flat_text_width(device, font, text + i, line_length(&c, i));
    c.width = width > c.width ? width : c.width;
    c.lines++;
  }
  return c;
}

static void put_column(RenderDevice* device, int font, const Column* c, float x, float top,
                       const float rgba[4]) {
  float row = (float)flat_text_height(device, font);
  for (int i = 0; i < c->n; i += line_length(c, i) + 1) {
    top -= row;
    flat_text(device, font, c->text + i, line_length(c, i), x, top, rgba);
  }
}

// Where a box of size stands in a viewport.
static void grid_place(int* out_x, int* out_y, int gridpos, mjrRect viewport, int width,
                       int height) {
  int right = viewport.width - width, top = viewport.height - height;
  const int place[8][2] = {{0, top},         {right, top},   {0, 0},       {right, 0},
                           {right / 2, top}, {right / 2, 0}, {0, top / 2}, {right, top / 2}};
  *out_x = place[gridpos][0];
  *out_y = place[gridpos][1];
}

void mjr_overlay(int font, int gridpos, mjrRect viewport, const char* overlay, const char* overlay2,
                 const mjrContext* con) {
  RenderDevice* device = render_device(con);
  font = font_of(font);
  if (gridpos < mjGRID_TOPLEFT || gridpos > mjGRID_RIGHT) {
    mju_error("mjr_overlay: gridpos %d is not one of mjtGridPos", gridpos);
  }
  Column first = measure(device, font, overlay), second = measure(device, font, overlay2);
  if (viewport.width < 1 || viewport.height < 1 || (!first.n && !second.n)) {
    return;
  }
  int gap = flat_text_height(device, font) / 2;
  int lines = first.lines > second.lines ? first.lines : second.lines;
  int width = first.width + second.width + (overlay2 ? 3 : 2) * gap;
  int height = lines * flat_text_height(device, font) + gap;
  int x, y;
  grid_place(&x, &y, gridpos, viewport, width, height);
  const float ground[4] = {0, 0, 0, 0.5f}, names[4] = {0.7f, 0.7f, 0.7f, 1},
              white[4] = {1, 1, 1, 1};
  flat_begin(device, viewport);
  flat_rectangle(device, (float)x, (float)y, (float)width, (float)height, ground);
  float top = (float)(y + height) - (float)gap / 2;
  put_column(device, font, &first, (float)(x + gap), top, overlay2 ? names : white);
  put_column(device, font, &second, (float)(x + 2 * gap + first.width), top, white);
  flat_end(device, FLAT_BLEND);
}
