// file.c: measures textures from files and composes their pixels from pictures.

#include "compile/texture/file.h"

#include <mujoco/mjspec.h>
#include <string.h>

#include "compile/texture/gradient.h"

enum {
  MAX_CELLS = 12,
};

static Image** pictures(const Compile* c, const SpecObject* object) {
  return c->assets->image + (size_t)object->id * CUBE_FACES;
}

static int is_single(const mjsTexture* spec) {
  return !string_empty(spec->file);
}

// Does the picture hold faces in a grid, not one whole texture?
static int is_grid(const mjsTexture* spec) {
  return spec->type != mjTEXTURE_2D && (spec->gridsize[0] != 1 || spec->gridsize[1] != 1);
}

// Face of a symbol of the layout; -1 for no face, -2 if there is no such symbol.
static int face_of(char symbol) {
  static const char symbols[] = "RLUDFB";
  const char* at = symbol ? strchr(symbols, symbol) : NULL;
  return at ? (int)(at - symbols) : symbol == '.' ? -1 : -2;
}

static int check_grid(Compile* c, const SpecObject* object, const Image* image) {
  const mjsTexture* spec = &object->as.texture;
  int rows = spec->gridsize[0], columns = spec->gridsize[1];
  if (rows < 1 || columns < 1 || rows > MAX_CELLS || columns > MAX_CELLS ||
      rows * columns > MAX_CELLS) {
    compile_error(c, object, "gridsize must be non-zero and no more than 12 squares in texture");
    return 0;
  }
  if (image->width % columns || image->height % rows ||
      image->width / columns != image->height / rows) {
    compile_error(c, object,
                  "PNG size must be integer multiple of gridsize in texture '%s' (id %d)",
                  string_text(spec->file), object->id);
    return 0;
  }
  for (int i = 0; is_grid(spec) && i < rows * columns; i++) {
    if (face_of(spec->gridlayout[i]) == -2) {
      compile_error(c, object, "gridlayout symbol is not among '.RLUDFB' in texture");
      return 0;
    }
  }
  return 1;
}

static int measure_faces(int* width, Compile* c, const SpecObject* object) {
  const mjsTexture* spec = &object->as.texture;
  Image** image = pictures(c, object);
  *width = 0;
  for (size_t k = 0; k < CUBE_FACES; k++) {
    const char* file = image[k] ? string_text(&spec->cubefiles->ptr[k]) : "";
    if (image[k] && image[k]->width != image[k]->height) {
      compile_error(c, object, "Non-square PNG file '%s' in cube or skybox id %d", file,
                    object->id);
      return 0;
    }
    if (image[k] && *width && image[k]->width != *width) {
      compile_error(c, object, "PNG file '%s' has incompatible size in texture id %d", file,
                    object->id);
      return 0;
    }
    *width = image[k] ? image[k]->width : *width;
  }
  return 1;
}

int texture_measure(int* width, int* height, int* srgb, Compile* c, const SpecObject* object) {
  const mjsTexture* spec = &object->as.texture;
  Image** image = pictures(c, object);
  *srgb = 0;
  for (size_t k = 0; k < CUBE_FACES; k++) {
    *srgb |= image[k] && image[k]->srgb;
  }
  if (!is_single(spec)) {
    int good = measure_faces(width, c, object);
    *height = CUBE_FACES * *width;
    return good;
  }
  if (spec->type != mjTEXTURE_2D && !check_grid(c, object, image[0])) {
    return 0;
  }
  *width = image[0]->width;
  *height = image[0]->height;
  if (is_grid(spec)) {
    *width /= spec->gridsize[1];
    *height = CUBE_FACES * *width;
  }
  return 1;
}

// Fills all faces with a color.
static void fill(mjtByte* out, size_t pixels, int nchannel, const double rgb[3]) {
  mjtByte colour[4] = {0, 0, 0, 255};
  color_bytes(colour, rgb);
  size_t n = (size_t)nchannel;
  for (size_t i = 0; i < pixels; i++) {
    memcpy(out + i * n, colour, n);
  }
}

// Copies a square of a picture with its upper left pixel at (row, column) to a face.
static void copy_face(mjtByte* out, int face, const Image* image, int side, int row, int column) {
  size_t line = (size_t)side * (size_t)image->nchannel;
  size_t stride = (size_t)image->width * (size_t)image->nchannel;
  mjtByte* to = out + (size_t)face * line * (size_t)side;
  const mjtByte* from =
      image->pixel + (size_t)row * stride + (size_t)column * (size_t)image->nchannel;
  for (size_t i = 0; i < (size_t)side; i++) {
    memcpy(to + i * line, from + i * stride, line);
  }
}

void texture_compose(mjtByte* out, const Compile* c, const SpecObject* object) {
  const mjsTexture* spec = &object->as.texture;
  Image** image = pictures(c, object);
  const Image* first = image[0];
  if (is_single(spec) && !is_grid(spec)) {
    memcpy(out, first->pixel,
           (size_t)first->width * (size_t)first->height * (size_t)first->nchannel);
    return;
  }
  int side = c->m->tex_width[object->id];
  fill(out, CUBE_FACES * (size_t)side * (size_t)side, spec->nchannel, spec->rgb1);
  for (int k = 0; !is_single(spec) && k < CUBE_FACES; k++) {
    if (image[k]) {
      copy_face(out, k, image[k], side, 0, 0);
    }
  }
  int columns = spec->gridsize[1];
  for (int i = 0; is_single(spec) && i < spec->gridsize[0] * columns; i++) {
    int face = face_of(spec->gridlayout[i]);
    if (face >= 0) {
      copy_face(out, face, first, side, i / columns * side, i % columns * side);
    }
  }
}
