// Pixels of generated textures: patterns that can be told by eye, and check sums of the reference's
// pixels.

#include "compile/texture_builtin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

static void a_checker_has_the_first_color_on_its_diagonal(void** state) {
  (void)state;
  mjsTexture spec = texture(mjTEXTURE_2D, mjBUILTIN_CHECKER, mjMARK_NONE);
  mjtByte rgb[2 * 2 * 3];
  texture_builtin(rgb, &spec, 2, 2);
  const mjtByte expected[12] = {229, 25, 76, 12, 158, 255, 12, 158, 255, 229, 25, 76};
  assert_memory_equal(rgb, expected, sizeof(expected));
}

static void only_the_floor_of_a_flat_cube_has_the_second_color(void** state) {
  (void)state;
  mjsTexture spec = texture(mjTEXTURE_CUBE, mjBUILTIN_FLAT, mjMARK_NONE);
  mjtByte rgb[6 * 3];
  texture_builtin(rgb, &spec, 1, 6);
  for (int face = 0; face < 6; face++) {
    assert_int_equal(rgb[3 * face], face == 3 ? 12 : 229);
  }
}

static void pixels_are_those_of_the_reference(void** state) {
  (void)state;
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_checker_has_the_first_color_on_its_diagonal),
      cmocka_unit_test(only_the_floor_of_a_flat_cube_has_the_second_color),
      cmocka_unit_test(pixels_are_those_of_the_reference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
