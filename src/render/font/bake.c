// bake.c: a build tool. It draws the characters of an outline font in all heights that the renderer
// uses, and writes them as a C source.    bake FONT.ttf OUT.c

#include <ft2build.h>
#include FT_FREETYPE_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/font/font.h"

static const int HEIGHT[FONT_HEIGHTS] = {11, 18, 28, 37, 45, 54, 71, 89, 106};
enum {
  ATLAS_WIDTH = 1024,
};

// The largest size whose lines are no higher than row.
static int choose_size(FT_Face face, int row) {
  int size = row;
  for (; size > 1; size--) {
    FT_Set_Pixel_Sizes(face, 0, (FT_UInt)size);
    long height = (face->size->metrics.ascender - face->size->metrics.descender + 63) >> 6;
    if (height <= row) {
      break;
    }
  }
  return size;
}

// Puts the characters side by side into rows of the picture. Returns its height.
static int draw_characters(unsigned char* gray, short glyph[][7], FT_Face face, int row) {
  int x = 1, y = 1;
  for (int i = 0; i < FONT_COUNT; i++) {
    if (FT_Load_Char(face, FONT_FIRST + (FT_ULong)i, FT_LOAD_RENDER)) {
      fprintf(stderr, "bake: the font has no character %d\n", FONT_FIRST + i);
      exit(1);
    }
    FT_GlyphSlot slot = face->glyph;
    int width = (int)slot->bitmap.width, height = (int)slot->bitmap.rows;
    if (x + width + 1 > ATLAS_WIDTH) {
      x = 1;
      y += row + 4;
    }
    for (int r = 0; r < height; r++) {
      memcpy(gray + (size_t)(y + r) * ATLAS_WIDTH + x, slot->bitmap.buffer + r * slot->bitmap.pitch,
             (size_t)width);
    }
    const short entry[7] = {(short)x,
                            (short)y,
                            (short)width,
                            (short)height,
                            (short)slot->bitmap_left,
                            (short)slot->bitmap_top,
                            (short)(slot->advance.x >> 6)};
    memcpy(glyph[i], entry, sizeof(entry));
    x += width + 2;
  }
  return y + row + 4;
}

static void write_gray(FILE* out, int k, const unsigned char* gray, size_t n) {
  fprintf(out, "static const unsigned char GRAY%d[] = {", k);
  for (size_t i = 0; i < n; i++) {
    fprintf(out, i % 32 ? "%d," : "\n%d,", gray[i]);
  }
  fprintf(out, "};\n");
}

int main(int argc, char** argv) {
  FT_Library library;
  FT_Face face;
  if (argc != 3 || FT_Init_FreeType(&library) || FT_New_Face(library, argv[1], 0, &face)) {
    fprintf(stderr, "usage: bake FONT.ttf OUT.c\n");
    return 1;
  }
  FILE* out = fopen(argv[2], "w");
  if (!out) {
    perror(argv[2]);
    return 1;
  }
  // as narrow as fonts of panels are
  FT_Matrix narrow = {0x10000 * 9 / 10, 0, 0, 0x10000};
  FT_Set_Transform(face, &narrow, NULL);
  fprintf(out, "// made by src/render/font/bake.c\n\n#include \"render/font/font.h\"\n\n");
  static unsigned char gray[ATLAS_WIDTH * 2048];
  static short glyph[FONT_HEIGHTS][FONT_COUNT][7];
  int height[FONT_HEIGHTS], top[FONT_HEIGHTS];
  for (int k = 0; k < FONT_HEIGHTS; k++) {
    FT_Set_Pixel_Sizes(face, 0, (FT_UInt)choose_size(face, HEIGHT[k]));
    memset(gray, 0, sizeof(gray));
    height[k] = draw_characters(gray, glyph[k], face, HEIGHT[k]);
    top[k] = (int)((face->size->metrics.ascender + 32) >> 6);
    write_gray(out, k, gray, (size_t)height[k] * ATLAS_WIDTH);
  }
  fprintf(out, "\nconst FontPicture FONT_PICTURE[FONT_HEIGHTS] = {\n");
  for (int k = 0; k < FONT_HEIGHTS; k++) {
    fprintf(out, "{%d, %d, %d, %d, GRAY%d, {", HEIGHT[k], top[k], ATLAS_WIDTH, height[k], k);
    for (int i = 0; i < FONT_COUNT; i++) {
      const short* g = glyph[k][i];
      fprintf(out, "{%d,%d,%d,%d,%d,%d,%d},", g[0], g[1], g[2], g[3], g[4], g[5], g[6]);
    }
    fprintf(out, "}},\n");
  }
  fprintf(out, "};\n");
  FT_Done_Face(face);
  FT_Done_FreeType(library);
  return fclose(out) ? 1 : 0;
}
