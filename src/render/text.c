// text.c: fonts on the graphics device, and drawing text.

#include "render/text.h"

#include <mujoco/api/base.h>
#include <mujoco/api/render.h>
#include <string.h>

#include "render/device.h"
#include "render/font/font.h"

// pictures of the normal and the big font, by the scale of fonts
static const int PICTURE[6][2] = {{0, 1}, {1, 3}, {2, 5}, {3, 6}, {4, 7}, {5, 8}};

static void upload(const GL* gl, RenderFont* font, const FontPicture* picture) {
  font->width = picture->width;
  font->height = picture->height;
  font->row = picture->row;
  font->top = picture->top;
  for (int i = 0; i < FONT_COUNT; i++) {
    memcpy(&font->glyph[FONT_FIRST + i], picture->glyph[i], sizeof(picture->glyph[i]));
  }
  if (!font->texture) {
    gl->GenTextures(1, &font->texture);
  }
  gl->ActiveTexture(GL_TEXTURE0);
  gl->BindTexture(GL_TEXTURE_2D, font->texture);
  gl->PixelStorei(GL_UNPACK_ALIGNMENT, 1);
  gl->TexImage2D(GL_TEXTURE_2D, 0, GL_R8, font->width, font->height, 0, GL_RED, GL_UNSIGNED_BYTE,
                 picture->gray);
  gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
}

void mjr_changeFont(int fontscale, mjrContext* con) {
  RenderDevice* device = render_device(con);
  if (fontscale < 50 || fontscale > 300 || fontscale % 50) {
    mju_error("mjr_changeFont: font scale %d is not one of 50, 100, 150, 200, 250, 300", fontscale);
  }
  for (int i = 0; i < 2; i++) {
    upload(&device->gl, &device->font[i], &FONT_PICTURE[PICTURE[fontscale / 50 - 1][i]]);
  }
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
  gl->DeleteTextures(1, &device->font[0].texture);
  gl->DeleteTextures(1, &device->font[1].texture);
  gl->DeleteVertexArrays(1, &device->flat_array);
  gl->DeleteBuffers(1, &device->flat_buffer);
}
