// text.c: fonts on the graphics device, and drawing text.

#include "render/text.h"

#include <mujoco/api/base.h>
#include <mujoco/api/render.h>
#include <string.h>

#include "render/device.h"
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
