// Pixels of generated textures: patterns that can be told by eye, and check sums of the reference's
// pixels.

#include "compile/texture/builtin.h"

#include "support/test.h"

static mjsTexture texture(mjtTexture type, mjtBuiltin builtin, mjtMark mark) {
  mjsTexture spec = {.type = type,
                     .builtin = builtin,
                     .mark = mark,
                     .rgb1 = {0.9, 0.1, 0.3},
                     .rgb2 = {0.05, 0.62, 1},
                     .markrgb = {0.8, 0.7, 0.2},
                     .random = 0.2};
  return spec;
}

// the check sum of PNG and zip files
static uint32_t crc32(const mjtByte* data, size_t size) {
  uint32_t crc = 0xFFFFFFFFu;
  for (size_t i = 0; i < size; i++) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; bit++) {
      crc = crc & 1 ? (crc >> 1) ^ 0xEDB88320u : crc >> 1;
    }
  }
  return ~crc;
}

TEST(a_checker_has_the_first_color_on_its_diagonal) {
  mjsTexture spec = texture(mjTEXTURE_2D, mjBUILTIN_CHECKER, mjMARK_NONE);
  mjtByte rgb[2 * 2 * 3];
  texture_builtin(rgb, &spec, 2, 2);
  const mjtByte expected[12] = {229, 25, 76, 12, 158, 255, 12, 158, 255, 229, 25, 76};
  assert_memory_equal(rgb, expected, sizeof(expected));
}

TEST(only_the_floor_of_a_flat_cube_has_the_second_color) {
  mjsTexture spec = texture(mjTEXTURE_CUBE, mjBUILTIN_FLAT, mjMARK_NONE);
  mjtByte rgb[6 * 3];
  texture_builtin(rgb, &spec, 1, 6);
  for (int face = 0; face < 6; face++) {
    assert_int_equal(rgb[3 * face], face == 3 ? 12 : 229);
  }
}

// The next word of the 64-bit Mersenne twister, one at a time, as its authors give it.
static uint64_t plain_twister(uint64_t word[312], int* next) {
  if (*next == 312) {
    for (int i = 0; i < 312; i++) {
      uint64_t x = (word[i] & 0xFFFFFFFF80000000u) | (word[(i + 1) % 312] & 0x7FFFFFFFu);
      word[i] = word[(i + 156) % 312] ^ (x >> 1) ^ ((x & 1) * 0xB5026F5AA96619E9u);
    }
    *next = 0;
  }
  uint64_t x = word[(*next)++];
  x ^= (x >> 29) & 0x5555555555555555u;
  x ^= (x << 17) & 0x71D67FFFEDA60000u;
  x ^= (x << 37) & 0xFFF7EEE000000000u;
  return x ^ (x >> 43);
}

TEST(random_marks_follow_one_number_per_pixel) {
  enum {
    WIDTH = 101,
    HEIGHT = 97,
  };
  static mjtByte rgb[3 * WIDTH * HEIGHT];
  const double probability[] = {1e-300, 0x1p-64, 1e-4, 0.01, 0.5, 1 - 0x1p-53, 1, 2};
  for (size_t k = 0; k < sizeof(probability) / sizeof(*probability); k++) {
    mjsTexture spec = texture(mjTEXTURE_2D, mjBUILTIN_FLAT, mjMARK_RANDOM);
    spec.random = probability[k];
    texture_builtin(rgb, &spec, WIDTH, HEIGHT);
    uint64_t word[312] = {42};
    int next = 312;
    for (int i = 1; i < 312; i++) {
      word[i] = 6364136223846793005u * (word[i - 1] ^ (word[i - 1] >> 62)) + (uint64_t)i;
    }
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
      int marked = (double)plain_twister(word, &next) * 0x1p-64 < probability[k];
      assert_int_equal(rgb[3 * i], marked ? 204 : 229);
    }
  }
}

TEST(pixels_are_those_of_the_reference) {
  static const struct {
    mjtTexture type;
    mjtBuiltin builtin;
    mjtMark mark;
    int width;
    int height;
    uint32_t crc;
  } recorded[] = {
      {mjTEXTURE_2D, mjBUILTIN_GRADIENT, mjMARK_NONE, 33, 17, 365367860u},
      {mjTEXTURE_2D, mjBUILTIN_GRADIENT, mjMARK_EDGE, 33, 17, 570144891u},
      {mjTEXTURE_2D, mjBUILTIN_GRADIENT, mjMARK_CROSS, 33, 17, 3207011885u},
      {mjTEXTURE_2D, mjBUILTIN_GRADIENT, mjMARK_RANDOM, 33, 17, 1623836772u},
      {mjTEXTURE_2D, mjBUILTIN_CHECKER, mjMARK_NONE, 33, 17, 1385014503u},
      {mjTEXTURE_2D, mjBUILTIN_CHECKER, mjMARK_EDGE, 33, 17, 2803281145u},
      {mjTEXTURE_2D, mjBUILTIN_CHECKER, mjMARK_CROSS, 33, 17, 3902417912u},
      {mjTEXTURE_2D, mjBUILTIN_CHECKER, mjMARK_RANDOM, 33, 17, 2548832401u},
      {mjTEXTURE_2D, mjBUILTIN_FLAT, mjMARK_NONE, 33, 17, 2311276968u},
      {mjTEXTURE_2D, mjBUILTIN_FLAT, mjMARK_EDGE, 33, 17, 3783792105u},
      {mjTEXTURE_2D, mjBUILTIN_FLAT, mjMARK_CROSS, 33, 17, 1602672320u},
      {mjTEXTURE_2D, mjBUILTIN_FLAT, mjMARK_RANDOM, 33, 17, 1767934581u},
      {mjTEXTURE_CUBE, mjBUILTIN_GRADIENT, mjMARK_NONE, 33, 198, 653326051u},
      {mjTEXTURE_CUBE, mjBUILTIN_GRADIENT, mjMARK_EDGE, 33, 198, 1386829580u},
      {mjTEXTURE_CUBE, mjBUILTIN_GRADIENT, mjMARK_CROSS, 33, 198, 4004069647u},
      {mjTEXTURE_CUBE, mjBUILTIN_GRADIENT, mjMARK_RANDOM, 33, 198, 2101138096u},
      {mjTEXTURE_CUBE, mjBUILTIN_CHECKER, mjMARK_NONE, 33, 198, 3244294045u},
      {mjTEXTURE_CUBE, mjBUILTIN_CHECKER, mjMARK_EDGE, 33, 198, 1212559344u},
      {mjTEXTURE_CUBE, mjBUILTIN_CHECKER, mjMARK_CROSS, 33, 198, 898441423u},
      {mjTEXTURE_CUBE, mjBUILTIN_CHECKER, mjMARK_RANDOM, 33, 198, 4207819379u},
      {mjTEXTURE_CUBE, mjBUILTIN_FLAT, mjMARK_NONE, 33, 198, 3799407071u},
      {mjTEXTURE_CUBE, mjBUILTIN_FLAT, mjMARK_EDGE, 33, 198, 1234097314u},
      {mjTEXTURE_CUBE, mjBUILTIN_FLAT, mjMARK_CROSS, 33, 198, 2211728084u},
      {mjTEXTURE_CUBE, mjBUILTIN_FLAT, mjMARK_RANDOM, 33, 198, 3367961652u},
      {mjTEXTURE_SKYBOX, mjBUILTIN_GRADIENT, mjMARK_RANDOM, 8, 48, 2057818188u},
      {mjTEXTURE_SKYBOX, mjBUILTIN_CHECKER, mjMARK_RANDOM, 8, 48, 1665825881u},
      {mjTEXTURE_SKYBOX, mjBUILTIN_FLAT, mjMARK_RANDOM, 8, 48, 4187996677u},
      {mjTEXTURE_2D, mjBUILTIN_GRADIENT, mjMARK_NONE, 128, 97, 3954450602u},
      {mjTEXTURE_CUBE, mjBUILTIN_GRADIENT, mjMARK_NONE, 65, 390, 3273214720u},
      {mjTEXTURE_SKYBOX, mjBUILTIN_GRADIENT, mjMARK_NONE, 120, 720, 200501929u},
  };
  for (size_t k = 0; k < sizeof(recorded) / sizeof(recorded[0]); k++) {
    mjsTexture spec = texture(recorded[k].type, recorded[k].builtin, recorded[k].mark);
    size_t bytes = 3 * (size_t)recorded[k].width * (size_t)recorded[k].height;
    mjtByte* rgb = malloc(bytes);
    texture_builtin(rgb, &spec, recorded[k].width, recorded[k].height);
    uint32_t crc = crc32(rgb, bytes);
    free(rgb);
    if (crc != recorded[k].crc) {
      fail_msg("texture %zu: check sum %u, expected %u", k, crc, recorded[k].crc);
    }
  }
}

// Colours as they are written, as they fall on bytes, and any others; often one like the other.
static double channel(unsigned* seed) {
  *seed = *seed * 1103515245u + 12345u;
  unsigned kind = *seed >> 16 & 3, number = *seed >> 18;
  return kind == 0   ? number % 2
         : kind == 1 ? number % 11 * 0.1
         : kind == 2 ? number % 256 / 255.0
                     : number % 16384 / 16384.0;
}

// Position of a pixel by the formula, in [-1, 1] or more.
static double position(int type, int face, double x, double y) {
  if (type == mjTEXTURE_2D) {
    return 2 * sqrt(x * x + y * y) - 1;
  }
  double length = sqrt(1 + x * x + y * y);
  double top = 1 - acos(1 / length) / (0.5 * mjPI);
  return face == 2 ? top : face == 3 ? -top : asin(y / length) / (0.5 * mjPI);
}

TEST(every_pixel_of_a_gradient_has_the_bytes_of_the_formula) {
  unsigned seed = 1;
  for (int trial = 0; trial < 60; trial++) {
    mjtTexture type = trial % 2 ? mjTEXTURE_CUBE : mjTEXTURE_2D;
    mjsTexture spec = texture(type, mjBUILTIN_GRADIENT, mjMARK_NONE);
    for (int i = 0; i < 3; i++) {
      spec.rgb1[i] = channel(&seed);
      spec.rgb2[i] = trial % 3 == i ? spec.rgb1[i] : channel(&seed);
    }
    spec.rgb2[0] += trial % 10 == 0 ? 1e-8 : trial % 10 == 1 ? 1.5 : 0;
    int width = 1 + 3 * trial, height = type == mjTEXTURE_2D ? 150 - 2 * trial : width;
    int nface = type == mjTEXTURE_2D ? 1 : 6;
    mjtByte* rgb = malloc(3 * (size_t)width * (size_t)height * (size_t)nface);
    texture_builtin(rgb, &spec, width, nface * height);
    const mjtByte* pixel = rgb;
    for (int row = 0; row < nface * height; row++) {
      for (int column = 0; column < width; column++, pixel += 3) {
        double x = 2.0 * column / (width - 1) - 1, y = 1 - 2.0 * (row % height) / (height - 1);
        double p = position(type, row / height, x, y);
        double weight = fmin(fmax(0.5 * (1 + sqrt(2) * p / sqrt(1 + p * p)), 0), 1);
        for (int i = 0; i < 3; i++) {
          double one = type == mjTEXTURE_2D ? spec.rgb2[i] : spec.rgb1[i];
          double zero = type == mjTEXTURE_2D ? spec.rgb1[i] : spec.rgb2[i];
          int expected = (int)(255 * (weight * one + (1 - weight) * zero)) % 256;
          if (pixel[i] != expected) {
            fail_msg("trial %d, row %d, column %d, channel %d: %d, expected %d", trial, row, column,
                     i, pixel[i], expected);
          }
        }
      }
    }
    free(rgb);
  }
}
