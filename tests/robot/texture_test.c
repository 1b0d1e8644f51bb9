// Textures of robots: pictures of all kinds, beside their meshes and inside of them.

#define _DEFAULT_SOURCE  // mkdtemp

#include <condyle/robot.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory/memory.h"
#include "support/load.h"
#include "support/test.h"

#define OBJ                                                                                   \
  "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl skin\nf " \
  "1/1 3/2 2/3\nf 1/1 2/2 4/3\nf 1/1 4/2 3/3\nf 2/1 3/2 4/3\n"
#define ROBOT(mesh)                                                                        \
  "<robot name='r'><link name='base'><inertial><mass value='1'/><inertia ixx='1' iyy='1' " \
  "izz='1' ixy='0' ixz='0' iyz='0'/></inertial><visual><geometry><mesh filename='" mesh    \
  "'/></geometry></visual></link></robot>"

static mjVFS vfs;
static char told[4000];

BEFORE_EACH() {
  mj_defaultVFS(&vfs);
}

AFTER_EACH() {
  mj_deleteVFS(&vfs);
}

static void add_text(const char* name, const char* text) {
  assert_int_equal(mj_addBufferVFS(&vfs, name, text, (int)strlen(text)), 0);
}

static char* read_seed(size_t* size, const char* name) {
  char path[300], error[200];
  snprintf(path, sizeof(path), "%s/tests/fuzz/corpus/%s", CONDYLE_SOURCE_DIR, name);
  char* bytes = file_read(size, path, error, sizeof(error));
  assert_non_null(bytes);
  return bytes;
}

static void add_seed(const char* name, const char* seed) {
  size_t size;
  char* bytes = read_seed(&size, seed);
  assert_int_equal(mj_addBufferVFS(&vfs, name, bytes, (int)size), 0);
  heap_free(bytes);
}

static mjSpec* parse(const char* mesh) {
  char xml[1000];
  cndRobotOptions options;
  cndDiagnostics* list = cnd_makeDiagnostics();
  snprintf(xml, sizeof(xml), ROBOT("%s"), mesh);
  add_text("r.urdf", xml);
  cnd_defaultRobotOptions(&options);
  options.vfs = &vfs;
  mjSpec* spec = cnd_parseRobot("r.urdf", &options, list);
  told[0] = 0;
  for (int i = 0; i < cnd_diagnosticCount(list, cndSEVERITY_WARNING); i++) {
    snprintf(told + strlen(told), sizeof(told) - strlen(told), "%s\n",
             cnd_diagnostic(list, i)->message);
  }
  cnd_deleteDiagnostics(list);
  return test_own_spec(spec);
}

static mjModel* compile(mjSpec* spec) {
  mjModel* m = mj_compile(spec, &vfs);
  if (!m) {
    fail_msg("%s", mjs_getError(spec));
  }
  return test_own_model(m);
}

// A robot whose mesh has a picture, a file of the corpora under a name.
static mjModel* load_with(const char* name, const char* seed) {
  char mtl[200];
  snprintf(mtl, sizeof(mtl), "newmtl skin\nKd 1 1 1\nmap_Kd %s\n", name);
  add_text("a.obj", OBJ);
  add_text("a.mtl", mtl);
  if (seed) {
    add_seed(name, seed);
  }
  mjModel* m = compile(parse("a.obj"));
  if (strstr(told, "JPEG was not found")) {
    test_skip("built without libjpeg");
  }
  return m;
}

// The picture of the corpora: red grows to the right, green downwards.
static void assert_texture(const mjModel* m, int tolerance) {
  if (m->ntex != 1) {
    fail_msg("there are %d textures: %s", (int)m->ntex, told);
  }
  assert_int_equal(m->tex_width[0], 12);
  assert_int_equal(m->tex_height[0], 9);
  assert_int_equal(m->tex_nchannel[0], 3);
  for (int i = 0; i < 12 * 9; i++) {
    const int drawn[3] = {i % 12 * 255 / 11, i / 12 * 255 / 8, 128};
    for (int k = 0; k < 3; k++) {
      assert_that(abs(m->tex_data[3 * i + k] - drawn[k]), <=, tolerance);
    }
  }
  assert_int_equal(m->mat_texid[mjTEXROLE_RGB], 0);
  assert_int_equal(m->geom_matid[0], 0);
}

TEST(a_texture_in_JPEG_is_read) {
  assert_texture(load_with("skin.jpg", "jpeg/rgb.jpg"), 8);
}

TEST(a_texture_in_BMP_is_read) {
  assert_texture(load_with("skin.bmp", "bmp/rgb24.bmp"), 0);
}

TEST(a_texture_in_TGA_is_read) {
  assert_texture(load_with("skin.tga", "tga/runs.tga"), 0);
}

TEST(a_picture_is_what_it_holds_not_what_it_is_called) {
  assert_texture(load_with("skin.png", "bmp/rgb24.bmp"), 0);
}

TEST(a_PNG_stays_a_file_of_the_model) {
  add_text("a.obj", OBJ);
  add_text("a.mtl", "newmtl skin\nmap_Kd skin.png\n");
  add_seed("skin.png", "texture/rgb.png");
  mjSpec* spec = parse("a.obj");
  const mjsTexture* texture = mjs_asTexture(mjs_firstElement(spec, mjOBJ_TEXTURE));
  assert_string_equal(mjs_getString(texture->file), "skin.png");
  assert_int_equal(compile(spec)->ntex, 1);
}

TEST(a_texture_that_can_not_be_read_is_left_out_with_its_reason) {
  const mjModel* m = load_with("skin.gif", NULL);
  assert_int_equal(m->ntex, 0);
  assert_int_equal(m->ngeom, 1);
  assert_has(told, "the texture 'skin.gif' is left out: No such file");
}

TEST(a_texture_of_another_kind_is_left_out) {
  add_text("skin.gif", "GIF89a");
  assert_int_equal(load_with("skin.gif", NULL)->ntex, 0);
  assert_has(told, "only PNG, JPEG, BMP and TGA can be read");
}

// Writes bytes as base64 behind the end of a text.
static void append_base64(char* text, const void* bytes, size_t size) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const unsigned char* b = bytes;
  char* to = text + strlen(text);
  for (size_t i = 0; i < size; i += 3) {
    unsigned word = (unsigned)b[i] << 16;
    word |= i + 1 < size ? (unsigned)b[i + 1] << 8 : 0;
    word |= i + 2 < size ? b[i + 2] : 0;
    for (size_t k = 0; k < 4; k++) {
      *to++ = i + k <= size ? digits[word >> (18 - 6 * k) & 63] : '=';
    }
  }
  *to = 0;
}

// A glTF of one triangle and its picture, which lies behind the numbers in the buffer, or in a
// link of its own.
static mjModel* load_gltf(const char* seed, int is_link) {
  static char text[10000], link[5000];
  size_t size;
  char* image = read_seed(&size, seed);
  const float numbers[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1};
  char buffer[3000];
  assert_that((int)size, <, 2000);
  memcpy(buffer, numbers, sizeof(numbers));
  memcpy(buffer + sizeof(numbers), image, size);
  heap_free(image);
  snprintf(link, sizeof(link), "%s", is_link ? "'uri':'data:image/x;base64," : "'bufferView':2");
  if (is_link) {
    append_base64(link, buffer + sizeof(numbers), size);
    strcat(link, "'");
  }
  snprintf(text, sizeof(text),
           "{'asset':{'version':'2.0'},'scenes':[{'nodes':[0]}],'nodes':[{'mesh':0}],"
           "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'TEXCOORD_0':1},'material':0}]}],"
           "'materials':[{'name':'skin','pbrMetallicRoughness':{'baseColorTexture':{'index':0}}}],"
           "'textures':[{'source':0}],'images':[{'mimeType':'image/x',%s}],"
           "'accessors':[{'bufferView':0,'componentType':5126,'count':3,'type':'VEC3'},"
           "{'bufferView':1,'componentType':5126,'count':3,'type':'VEC2'}],"
           "'bufferViews':[{'buffer':0,'byteLength':36},{'buffer':0,'byteOffset':36,"
           "'byteLength':24},{'buffer':0,'byteOffset':60,'byteLength':%zu}],"
           "'buffers':[{'byteLength':%zu,'uri':'data:application/octet-stream;base64,",
           link, size, size + 60);
  append_base64(text, buffer, size + 60);
  strcat(text, "'}]}");
  for (char* at = text; *at; at++) {
    *at = *at == '\'' ? '"' : *at;
  }
  add_text("a.gltf", text);
  mjModel* m = compile(parse("a.gltf"));
  if (strstr(told, "JPEG was not found")) {
    test_skip("built without libjpeg");
  }
  return m;
}

TEST(a_JPEG_in_the_buffer_of_a_glTF_is_read) {
  assert_texture(load_gltf("jpeg/rgb.jpg", 0), 8);
}

TEST(a_JPEG_in_a_link_of_a_glTF_is_read) {
  assert_texture(load_gltf("jpeg/rgb.jpg", 1), 8);
}

TEST(a_PNG_in_a_glTF_is_read) {
  for (int is_link = 0; is_link < 2; is_link++) {
    const mjModel* m = load_gltf("texture/rgb.png", is_link);
    assert_int_equal(m->ntex, 1);
    assert_int_equal(m->geom_matid[0], 0);
    mj_deleteVFS(&vfs);
    mj_defaultVFS(&vfs);
  }
}

TEST(a_damaged_picture_in_a_glTF_is_left_out) {
  const mjModel* m = load_gltf("ktx/small.ktx", 0);
  assert_int_equal(m->ntex, 0);
  assert_has(told, "the texture 'a.gltf#0' is left out: only PNG, JPEG");
}

TEST(a_model_saved_alone_has_the_same_pixels) {
  const mjModel* m = load_with("skin.tga", "tga/rgb.tga");
  char folder[] = "/tmp/condyle-alone-XXXXXX", path[100], error[500] = "", command[100];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof(path), "%s/r.xml", folder);
  mj_deleteVFS(&vfs);
  mj_defaultVFS(&vfs);
  add_text("a.obj", OBJ);
  add_text("a.mtl", "newmtl skin\nKd 1 1 1\nmap_Kd skin.tga\n");
  add_seed("skin.tga", "tga/rgb.tga");
  int failed = cnd_saveAlone(parse("a.obj"), path, error, sizeof(error));
  mjModel* back = failed ? NULL : mj_loadXML(path, NULL, error, sizeof(error));
  snprintf(command, sizeof(command), "rm -r %s", folder);
  assert_int_equal(system(command), 0);
  if (!back) {
    fail_msg("%s", error);
  }
  test_own_model(back);
  assert_texture(back, 0);
  assert_int_equal(back->tex_colorspace[0], m->tex_colorspace[0]);
}
