// Textures and height fields from files: PNG by hand (stored, not compressed) and the custom
// formats.

#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

// PNG with stored blocks

typedef struct Bytes_ {
  unsigned char data[4000];
  size_t n;
} Bytes;

static void put(Bytes* b, const void* data, size_t n) {
  memcpy(b->data + b->n, data, n);
  b->n += n;
}

static void put32(Bytes* b, uint32_t x) {
  unsigned char big[4] = {(unsigned char)(x >> 24), (unsigned char)(x >> 16),
                          (unsigned char)(x >> 8), (unsigned char)x};
  put(b, big, 4);
}

static uint32_t crc(const unsigned char* p, size_t n) {
  uint32_t c = 0xFFFFFFFFu;
  for (size_t i = 0; i < n; i++) {
    c ^= p[i];
    for (int k = 0; k < 8; k++) {
      c = c & 1 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
    }
  }
  return ~c;
}

static void put_chunk(Bytes* b, const char* type, const void* data, size_t n) {
  put32(b, (uint32_t)n);
  size_t start = b->n;
  put(b, type, 4);
  put(b, data, n);
  put32(b, crc(b->data + start, b->n - start));
}

// 8-bit picture of 1, 3 or 4 channels whose bytes count 0, 10, 20 ...
static Bytes png(int width, int height, int nchannel, int srgb) {
  Bytes b = {.n = 0}, header = {.n = 0}, rows = {.n = 0}, stream = {.n = 0};
  put(&b, "\x89PNG\r\n\x1a\n", 8);
  put32(&header, (uint32_t)width);
  put32(&header, (uint32_t)height);
  unsigned char kind[5] = {8, nchannel == 1 ? 0 : nchannel == 3 ? 2 : 6, 0, 0, 0};
  put(&header, kind, 5);
  put_chunk(&b, "IHDR", header.data, header.n);
  if (srgb) {
    put_chunk(&b, "sRGB", "\0", 1);
  }
  unsigned char value = 0;
  for (int r = 0; r < height; r++) {
    put(&rows, "\0", 1);
    for (int i = 0; i < width * nchannel; i++) {
      put(&rows, &value, 1);
      value = (unsigned char)(value + 10);
    }
  }
  uint32_t s1 = 1, s2 = 0;
  for (size_t i = 0; i < rows.n; i++) {
    s1 = (s1 + rows.data[i]) % 65521;
    s2 = (s2 + s1) % 65521;
  }
  unsigned char block[5] = {1, (unsigned char)rows.n, (unsigned char)(rows.n >> 8),
                            (unsigned char)~rows.n, (unsigned char)(~rows.n >> 8)};
  put(&stream, "\x78\x01", 2);
  put(&stream, block, 5);
  put(&stream, rows.data, rows.n);
  put32(&stream, s2 << 16 | s1);
  put_chunk(&b, "IDAT", stream.data, stream.n);
  put_chunk(&b, "IEND", "", 0);
  return b;
}

// loading

static mjModel* load(const char* asset, const char* name, const void* bytes, size_t size,
                     char error[500]) {
  mjVFS vfs;
  char xml[1000];
  mj_defaultVFS(&vfs);
  if (size) {
    mj_addBufferVFS(&vfs, name, bytes, (int)size);
  }
  snprintf(xml, sizeof(xml), "<mujoco><asset>%s</asset></mujoco>", asset);
  mjSpec* spec = mj_parseXMLString(xml, &vfs, error, 500);
  mjModel* m = spec ? mj_compile(spec, &vfs) : NULL;
  if (spec && !m) {
    snprintf(error, 500, "%s", mjs_getError(spec));
  }
  mj_deleteSpec(spec);
  mj_deleteVFS(&vfs);
  return m ? test_own_model(m) : NULL;
}

static void expect(const mjModel* m, const char* error, int width, int height, int nchannel,
                   const int* pixels, int n) {
  if (!m) {
    fail_msg("%s", error);
  }
  assert_int_equal(m->tex_width[0], width);
  assert_int_equal(m->tex_height[0], height);
  assert_int_equal(m->tex_nchannel[0], nchannel);
  for (int i = 0; i < n; i++) {
    if (m->tex_data[i] != pixels[i]) {
      fail_msg("byte %d is %d, not %d", i, m->tex_data[i], pixels[i]);
    }
  }
}

TEST(channels_are_converted) {
  char error[500];
  Bytes b = png(2, 1, 3, 0);
  mjModel* m = load("<texture name='t' type='2d' file='a.png'/>", "a.png", b.data, b.n, error);
  expect(m, error, 2, 1, 3, (int[]){0, 10, 20, 30, 40, 50}, 6);
  assert_int_equal(m->tex_colorspace[0], mjCOLORSPACE_LINEAR);
  assert_string_equal(m->paths + m->tex_pathadr[0], "a.png");
  m = load("<texture name='t' type='2d' file='a.png' nchannel='1'/>", "a.png", b.data, b.n, error);
  expect(m, error, 2, 1, 1, (int[]){0, 30}, 2);
  m = load("<texture name='t' type='2d' file='a.png' nchannel='4'/>", "a.png", b.data, b.n, error);
  expect(m, error, 2, 1, 4, (int[]){0, 10, 20, 255, 30, 40, 50, 255}, 8);
  b = png(2, 1, 1, 1);
  m = load("<texture name='t' type='2d' file='a.png'/>", "a.png", b.data, b.n, error);
  expect(m, error, 2, 1, 3, (int[]){0, 0, 0, 10, 10, 10}, 6);
  assert_int_equal(m->tex_colorspace[0], mjCOLORSPACE_SRGB);
}

TEST(pictures_are_turned_over) {
  char error[500];
  Bytes b = png(2, 2, 1, 0);
  mjModel* m = load("<texture name='t' type='2d' file='a.png' nchannel='1' hflip='true'/>", "a.png",
                    b.data, b.n, error);
  expect(m, error, 2, 2, 1, (int[]){10, 0, 30, 20}, 4);
  m = load("<texture name='t' type='2d' file='a.png' nchannel='1' vflip='true'/>", "a.png", b.data,
           b.n, error);
  expect(m, error, 2, 2, 1, (int[]){20, 30, 0, 10}, 4);
}

// However often it is compiled; cubes as a whole.
TEST(pixels_of_programs_are_turned_over) {
  static const mjtByte pixels[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  static const struct {
    int type, height, hflip, vflip;
    int pixels[12];
  } cases[] = {
      {mjTEXTURE_2D, 6, 0, 0, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
      {mjTEXTURE_2D, 6, 1, 0, {2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11}},
      {mjTEXTURE_2D, 6, 0, 1, {11, 12, 9, 10, 7, 8, 5, 6, 3, 4, 1, 2}},
      {mjTEXTURE_2D, 6, 1, 1, {12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1}},
      {mjTEXTURE_CUBE, 6, 0, 1, {11, 12, 9, 10, 7, 8, 5, 6, 3, 4, 1, 2}},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    mjSpec* spec = mj_makeSpec();
    mjsTexture* texture = mjs_addTexture(spec);
    mjs_setName(texture->element, "t");
    texture->type = (mjtTexture)cases[i].type;
    texture->width = 2;
    texture->height = cases[i].height;
    texture->nchannel = 1;
    texture->hflip = (mjtByte)cases[i].hflip;
    texture->vflip = (mjtByte)cases[i].vflip;
    mjs_setBuffer(texture->data, pixels, 12);
    for (int again = 0; again < 2; again++) {
      mjModel* m = mj_compile(spec, NULL);
      expect(m, mjs_getError(spec), 2, 6, 1, cases[i].pixels, 12);
      mj_deleteModel(m);
    }
    mj_deleteSpec(spec);
  }
}

TEST(cubes_come_from_grids_and_from_faces) {
  char error[500];
  Bytes b = png(3, 2, 1, 0);
  mjModel* m = load(
      "<texture name='t' file='a.png' nchannel='1' gridsize='2 3' "
      "gridlayout='.U..LF' rgb1='1 0 0'/>",
      "a.png", b.data, b.n, error);
  expect(m, error, 1, 6, 1, (int[]){255, 40, 10, 255, 50, 255}, 6);
  b = png(1, 1, 1, 0);
  m = load("<texture name='t' fileright='a.png' filedown='a.png' nchannel='1' rgb1='1 0 0'/>",
           "a.png", b.data, b.n, error);
  expect(m, error, 1, 6, 1, (int[]){0, 255, 255, 0, 255, 255}, 6);
  assert_int_equal(m->tex_pathadr[0], -1);
}

TEST(what_is_no_texture_is_refused_with_its_reason) {
  Bytes b = png(3, 2, 3, 0), damaged = b;
  damaged.data[50] ^= 1;
  Bytes badend = b;
  badend.data[b.n - 1] ^= 1;
  const struct {
    const char *attributes, *name;
    const void* bytes;
    size_t size;
    const char* reason;
  } cases[] = {
      {"type='2d' file='a.png'", "a.png", "", 0, "Error opening file"},
      {"type='2d' file='a.png'", "a.png", "abc", 3, "error decoding PNG file"},
      {"type='2d' file='a.png'", "a.png", b.data, 60, "error decoding PNG file"},
      {"type='2d' file='a.png'", "a.png", damaged.data, b.n, "error decoding PNG file"},
      {"type='2d' file='a.png'", "a.png", b.data, b.n - 12, "error decoding PNG file"},
      {"type='2d' file='a.png'", "a.png", badend.data, b.n, "error decoding PNG file"},
      {"type='2d' file='a.png' nchannel='2'", "a.png", b.data, b.n,
       "Unsupported number of channels: 2"},
      {"file='a.png'", "a.png", b.data, b.n, "PNG size must be integer multiple of gridsize"},
      {"file='a.png' gridsize='2 3' gridlayout='XRRRRR'", "a.png", b.data, b.n,
       "gridlayout symbol is not among '.RLUDFB' in texture"},
      {"file='a.png' gridsize='5 3'", "a.png", b.data, b.n, "gridsize must be non-zero"},
      {"fileright='a.png'", "a.png", b.data, b.n, "Non-square PNG file 'a.png'"},
      {"type='2d' fileright='a.png'", "a.png", b.data, b.n,
       "Cannot load 2D texture from separate files"},
      {"type='2d' file='a.foo'", "a.foo", "\2\0\0\0\1\0\0\0", 8, "unexpected file size"},
      {"type='2d' file='a.foo'", "a.foo", "\0\0\0\0\1\0\0\0", 8, "non-positive texture dimensions"},
      {"type='2d' file='a.foo' content_type='image/jpeg'", "a.foo", "a", 1,
       "unsupported content type: 'image/jpeg'"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char asset[300], error[500] = "";
    snprintf(asset, sizeof(asset), "<texture name='t' %s/>", cases[i].attributes);
    mjModel* m = load(asset, cases[i].name, cases[i].bytes, cases[i].size, error);
    if (m || !strstr(error, cases[i].reason)) {
      fail_msg("%s: '%s' is not in '%s'", cases[i].attributes, cases[i].reason, error);
    }
  }
}

// height fields

static void expect_heights(const mjModel* m, const char* error, int nrow, int ncol,
                           const double* heights) {
  if (!m) {
    fail_msg("%s", error);
  }
  assert_int_equal(m->hfield_nrow[0], nrow);
  assert_int_equal(m->hfield_ncol[0], ncol);
  assert_numbers(m->hfield_data, heights, nrow * ncol, 1e-7, 1);
}

#define HFIELD "<hfield name='h' size='1 2 3 4' "

TEST(height_fields_begin_at_the_bottom) {
  char error[500];
  mjModel* m = load(HFIELD "nrow='2' ncol='3' elevation='1 2 3 4 5 7'/>", "", "", 0, error);
  expect_heights(m, error, 2, 3, (double[]){0.5, 2 / 3.0, 1, 0, 1 / 6.0, 1 / 3.0});
  m = load(HFIELD "nrow='2' ncol='2'/>", "", "", 0, error);
  expect_heights(m, error, 2, 2, (double[]){0, 0, 0, 0});
  Bytes b = png(2, 2, 1, 0);
  m = load(HFIELD "file='a.png'/>", "a.png", b.data, b.n, error);
  expect_heights(m, error, 2, 2, (double[]){2 / 3.0, 1, 0, 1 / 3.0});
  struct {
    int32_t side[2];
    float height[4];
  } custom = {{2, 2}, {1, 2, 3, 5}};
  m = load(HFIELD "file='a.bin'/>", "a.bin", &custom, sizeof(custom), error);
  expect_heights(m, error, 2, 2, (double[]){0, 0.25, 0.5, 1});
}

TEST(what_is_no_height_field_is_refused_with_its_reason) {
  const struct {
    const char* attributes;
    const void* bytes;
    size_t size;
    const char* reason;
  } cases[] = {
      {"size='1 2 3 4'", "", 0, "hfield not specified"},
      {"size='1 0 3 4' nrow='2' ncol='2'", "", 0, "size parameter is not positive in hfield"},
      {"size='1 2 3 4' nrow='2' ncol='2' elevation='1 2'", "", 0,
       "elevation data length must match nrow*ncol: "},
      {"size='1 2 3 4' nrow='100000' ncol='100000'", "", 0, "too large"},
      {"size='1 2 3 4' file='a.bin'", "abc", 3, "hfield missing header"},
      {"size='1 2 3 4' file='a.bin'", "\2\0\0\0\2\0\0\0", 8, "unexpected file size"},
      {"size='1 2 3 4' file='a.bin'", "\0\0\0\0\2\0\0\0", 8, "non-positive hfield dimensions"},
      {"size='1 2 3 4' file='a.bin'", "\1\0\0\0\2\0\0\0\0\0\0\0\0\0\x80\xff", 16,
       "height in row 0, column 1 of hfield 'h' is -inf, must be finite"},
      {"size='1 2 3 4' file='a.bin'", "\1\0\0\0\2\0\0\0\xff\xff\x7f\xff\xff\xff\x7f\x7f", 16,
       "heights of hfield 'h' are from -3.40282e+38 to 3.40282e+38, must differ by at most"},
      {"size='1 2 3 4' file='a.bin' content_type='image/jpeg'", "a", 1,
       "unsupported content type: 'image/jpeg'"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char asset[300], error[500] = "";
    snprintf(asset, sizeof(asset), "<hfield name='h' %s/>", cases[i].attributes);
    mjModel* m = load(asset, "a.bin", cases[i].bytes, cases[i].size, error);
    if (m || !strstr(error, cases[i].reason)) {
      fail_msg("%s: '%s' is not in '%s'", cases[i].attributes, cases[i].reason, error);
    }
  }
}
