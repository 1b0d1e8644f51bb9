// Textures that stay in their files, and reading them later. Expected numbers are 4.0.0's.

#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

#define FOLDER CONDYLE_SOURCE_DIR "/tests/fuzz/corpus/hfield"

// A texture from a file and a generated one after it.
static mjModel* model_of(const char* compiler, const char* attributes, const char* file,
                         char* error, int error_sz) {
  char xml[2000];
  snprintf(xml, sizeof(xml),
           "<mujoco><compiler texturedir='" FOLDER
           "' %s/><asset><texture name='t' type='2d' "
           "file='%s' %s/><texture name='u' type='2d' builtin='flat' width='2' height='2'/>"
           "</asset></mujoco>",
           compiler, file, attributes);
  mjSpec* s = mj_parseXMLString(xml, NULL, error, error_sz);
  mjModel* m = s ? mj_compile(s, NULL) : NULL;
  if (s && !m) {
    snprintf(error, (size_t)error_sz, "%s", mjs_getError(s));
  }
  mj_deleteSpec(s);
  return m;
}

static const mjModel* model(const char* compiler, const char* attributes, const char* file) {
  char error[500] = "";
  mjModel* m = model_of(compiler, attributes, file, error, sizeof(error));
  if (!m) {
    fail_msg("%s", error);
  }
  return test_own_model(m);
}

static void assert_away(const mjModel* m) {
  assert_int_equal(m->tex_adr[0], -1);
  assert_int_equal(m->tex_width[0], 0);
  assert_int_equal(m->tex_height[0], 0);
  assert_int_equal(m->tex_adr[1], 0);
  assert_int_equal(m->ntexdata, 12);
}

TEST(a_texture_by_reference_has_a_path_and_no_pixels) {
  const mjModel* m = model("", "embed='false'", "srgb.png");
  assert_away(m);
  assert_int_equal(m->tex_nchannel[0], 3);
  assert_int_equal(m->tex_colorspace[0], mjCOLORSPACE_AUTO);
  assert_int_equal(m->tex_contenttypeadr[0], -1);
  assert_string_equal(m->paths + m->tex_pathadr[0], FOLDER "/srgb.png");
}

TEST(the_media_type_of_a_reference_is_kept) {
  const mjModel* m = model(
      "", "embed='false' content_type='image/png' nchannel='4' colorspace='linear'", "srgb.png");
  assert_away(m);
  assert_int_equal(m->tex_nchannel[0], 4);
  assert_int_equal(m->tex_colorspace[0], mjCOLORSPACE_LINEAR);
  assert_string_equal(m->paths + m->tex_contenttypeadr[0], "image/png");
}

TEST(the_compiler_passes_textures_through_that_can_be) {
  const char* textures = "passthrough='textures'";
  assert_away(model(textures, "", "srgb.png"));
  assert_int_equal(model(textures, "embed='true'", "srgb.png")->tex_adr[0], 0);
  assert_int_equal(model(textures, "hflip='true'", "srgb.png")->tex_adr[0], 0);
  assert_int_equal(model("", "", "srgb.png")->tex_adr[0], 0);
}

TEST(what_cannot_stay_in_its_file_is_an_error) {
  char error[500] = "";
  assert_null(model_of("", "embed='false' hflip='true'", "srgb.png", error, sizeof(error)));
  assert_non_null(strstr(error, "embed"));
}

TEST(a_loaded_texture_is_what_compiling_stores) {
  const mjModel *away = model("", "embed='false'", "srgb.png"), *stored = model("", "", "srgb.png");
  for (int id = 0; id < 2; id++) {
    mjtByte* data;
    int width, height, colorspace;
    char error[300] = "none";
    assert_int_equal(
        mj_loadTexture(away, id, &data, &width, &height, &colorspace, error, sizeof(error)), 0);
    assert_string_equal(error, "");
    assert_int_equal(width, stored->tex_width[id]);
    assert_int_equal(height, stored->tex_height[id]);
    assert_int_equal(colorspace, stored->tex_colorspace[id]);
    assert_memory_equal(data, stored->tex_data + stored->tex_adr[id], (size_t)(3 * width * height));
    mju_free(data);
  }
}

TEST(embedding_gives_the_model_that_compiling_gives) {
  const mjModel *away = model("", "embed='false'", "srgb.png"), *stored = model("", "", "srgb.png");
  char error[300] = "";
  const mjModel* m = test_own_model(mj_embedAssets(away, error, sizeof(error)));
  assert_int_equal(m->ntexdata, stored->ntexdata);
  assert_memory_equal(m->tex_data, stored->tex_data, (size_t)m->ntexdata);
  for (int id = 0; id < 2; id++) {
    assert_int_equal(m->tex_adr[id], stored->tex_adr[id]);
    assert_int_equal(m->tex_width[id], stored->tex_width[id]);
    assert_int_equal(m->tex_colorspace[id], stored->tex_colorspace[id]);
  }
  assert_string_equal(mj_id2name(m, mjOBJ_TEXTURE, 1), "u");
}

// The first buffer of past samples is at 0 in mjData.history; -1 would mean that there is none.
TEST(embedding_keeps_histories) {
  const mjModel* away = test_model(
      "<mujoco><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody><actuator>"
      "<motor joint='j' nsample='3' delay='.01'/></actuator></mujoco>");
  char error[300] = "";
  const mjModel* m = test_own_model(mj_embedAssets(away, error, sizeof(error)));
  assert_int_equal(away->actuator_historyadr[0], 0);
  assert_int_equal(m->actuator_historyadr[0], 0);
}

TEST(a_missing_file_is_told_when_it_is_read) {
  const mjModel* m = model("", "embed='false'", "nowhere.png");
  mjtByte* data;
  char error[300] = "";
  assert_int_not_equal(mj_loadTexture(m, 0, &data, NULL, NULL, NULL, error, sizeof(error)), 0);
  assert_null(data);
  assert_non_null(strstr(error, "nowhere.png"));
  error[0] = 0;
  assert_null(mj_embedAssets(m, error, sizeof(error)));
  assert_non_null(strstr(error, "nowhere.png"));
  assert_int_not_equal(mj_loadTexture(m, 7, &data, NULL, NULL, NULL, error, sizeof(error)), 0);
  assert_non_null(strstr(error, "out of range"));
}

TEST(a_binary_model_keeps_references) {
  const mjModel* m = model("", "embed='false' content_type='image/png'", "srgb.png");
  size_t size = (size_t)mj_sizeModel(m);
  void* buffer = malloc(size);
  mj_saveModel(m, NULL, buffer, (int)size);
  const mjModel* again = test_own_model(mj_loadModelBuffer(buffer, size));
  free(buffer);
  assert_away(again);
  assert_string_equal(again->paths + again->tex_contenttypeadr[0], "image/png");
}

TEST(references_are_written_as_such) {
  char xml[1000], text[3000], error[300] = "";
  snprintf(xml, sizeof(xml),
           "<mujoco><compiler passthrough='textures' texturedir='" FOLDER
           "'/><asset>"
           "<texture name='t' type='2d' file='srgb.png'/><texture name='v' type='2d' "
           "file='srgb.png' embed='true'/></asset></mujoco>");
  mjSpec* s = test_spec(xml);
  test_compile(s);
  assert_int_equal(mj_saveXMLString(s, text, sizeof(text), error, sizeof(error)), 0);
  const mjModel* m = test_model(text);
  assert_int_equal(m->tex_adr[0], -1);
  assert_int_equal(m->tex_adr[1], 0);
}
