// font.h: characters as pictures of gray, made from an outline font when the library is built
// (bake.c).

#pragma once

enum {
  FONT_FIRST = 32,   // characters from the space
  FONT_COUNT = 95,   // to the tilde
  FONT_HEIGHTS = 9,  // pictures of each
};

// One height. A glyph has seven numbers: x, y (from the top), width and height in the picture;
// offset of its corner from the pen, left and up; advance of the pen.
typedef struct FontPicture_ {
  int row;  // height of a line
  int top;  // from its top to the base line
  int width, height;
  const unsigned char* gray;  // rows downwards
  short glyph[FONT_COUNT][7];
} FontPicture;

extern const FontPicture FONT_PICTURE[FONT_HEIGHTS];
