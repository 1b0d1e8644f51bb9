// Where the file of an asset is looked for: directories of the compiler, strippath, absolute names.
// Expectations were recorded from the reference.

#include "support/test.h"

typedef enum Kind_ {
  MESH,
  HFIELD,
  TEXTURE,
} Kind;

static const char tetrahedron[] =
    "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

// two by two heights: rows, columns, numbers
static const struct {
  int32_t nrow, ncol;
  float height[4];
} heights = {2, 2, {0, 1, 2, 3}};

// two by two pixels
static const unsigned char picture[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44,
    0x52, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x02, 0x08, 0x02, 0x00, 0x00, 0x00, 0xfd,
    0xd4, 0x9a, 0x73, 0x00, 0x00, 0x00, 0x10, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0xe0,
    0x12, 0x91, 0x03, 0x22, 0x06, 0x08, 0x05, 0x00, 0x06, 0x4e, 0x00, 0xf1, 0x38, 0x63, 0x32,
    0x81, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

static const struct {
  const char* element;
  const void* bytes;
  int size;
} assets[] = {
    [MESH] = {"<mesh name='m' file='%s'/>", tetrahedron, sizeof(tetrahedron) - 1},
    [HFIELD] = {"<hfield name='h' file='%s' size='1 1 1 1'/>", &heights, sizeof(heights)},
    [TEXTURE] = {"<texture name='t' type='2d' file='%s'/>", picture, sizeof(picture)},
};

// A model with one asset, when there is one file. NULL if it isn't found.
static mjModel* load(char error[500], const char* compiler, Kind kind, const char* file,
                     const char* stored) {
  char xml[500], asset[200];
  mjVFS vfs;
  mj_defaultVFS(&vfs);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  snprintf(asset, sizeof(asset), assets[kind].element, file);
#pragma GCC diagnostic pop
  int n = snprintf(xml, sizeof(xml), "<mujoco><compiler %s/><asset>%s</asset></mujoco>", compiler,
                   asset);
  assert_int_equal(mj_addBufferVFS(&vfs, "model.xml", xml, n), 0);
  assert_int_equal(mj_addBufferVFS(&vfs, stored, assets[kind].bytes, assets[kind].size), 0);
  mjModel* m = mj_loadXML("model.xml", &vfs, error, 500);
  mj_deleteVFS(&vfs);
  return m;
}

TEST(files_are_looked_for_in_their_directory) {
  static const struct {
    const char* compiler;
    Kind kind;
    const char *file, *stored, *path;  // as written, where it is, in mjModel
  } cases[] = {
      {"", MESH, "a.obj", "a.obj", "a.obj"},
      {"meshdir='d'", MESH, "a.obj", "d/a.obj", "a.obj"},
      {"meshdir='d/'", MESH, "a.obj", "d/a.obj", "a.obj"},
      {"meshdir='d'", MESH, "s/a.obj", "d/s/a.obj", "s/a.obj"},
      {"meshdir='d'", MESH, "../a.obj", "a.obj", "../a.obj"},
      {"meshdir='d'", MESH, "./x/../a.obj", "d/a.obj", "a.obj"},
      {"meshdir='d'", MESH, "/abs/a.obj", "/abs/a.obj", "/abs/a.obj"},
      {"meshdir='d' strippath='true'", MESH, "s/a.obj", "d/a.obj", "a.obj"},
      {"strippath='true'", MESH, "/abs/s/a.obj", "a.obj", "a.obj"},
      {"texturedir='d'", MESH, "a.obj", "a.obj", "a.obj"},
      {"assetdir='z'", MESH, "a.obj", "z/a.obj", "a.obj"},
      {"assetdir='z' meshdir='d'", MESH, "a.obj", "d/a.obj", "a.obj"},
      {"assetdir='z' meshdir='d'", TEXTURE, "a.png", "z/a.png", "a.png"},
      {"assetdir='z'", TEXTURE, "a.png", "z/a.png", "a.png"},
      {"meshdir='d' texturedir='e'", TEXTURE, "a.png", "e/a.png", "a.png"},
      {"strippath='true' texturedir='e'", TEXTURE, "s/a.png", "e/a.png", "a.png"},
      {"meshdir='d' texturedir='e'", HFIELD, "a.bin", "d/a.bin", "a.bin"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char error[500] = "";
    mjModel* m = load(error, cases[i].compiler, cases[i].kind, cases[i].file, cases[i].stored);
    if (!m) {
      fail_msg("<compiler %s/>, %s: %s", cases[i].compiler, cases[i].file, error);
    }
    assert_string_equal(m->paths, cases[i].path);
    mj_deleteModel(m);
  }
}

TEST(files_elsewhere_are_not_found) {
  static const struct {
    const char* compiler;
    Kind kind;
    const char *file, *stored;
  } cases[] = {
      {"", MESH, "a.obj", "d/a.obj"},
      {"meshdir='d'", MESH, "a.obj", "e/a.obj"},
      {"meshdir='d'", MESH, "s/a.obj", "d/a.obj"},
      {"meshdir='d' texturedir='e'", HFIELD, "a.bin", "e/a.bin"},
      {"meshdir='d' texturedir='e'", TEXTURE, "a.png", "d/a.png"},
      {"meshdir='d' strippath='true'", MESH, "s/a.obj", "d/s/a.obj"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char error[500] = "";
    mjModel* m = load(error, cases[i].compiler, cases[i].kind, cases[i].file, cases[i].stored);
    if (m) {
      fail_msg("<compiler %s/>: %s was read from %s", cases[i].compiler, cases[i].file,
               cases[i].stored);
    }
    assert_non_null(strstr(error, "Error opening file"));
  }
}

// Loads a mesh that an included file names "own/a.obj", from up to two places; NULL if not found.
static mjModel* load_included(const char* folder, const char* compiler, const char* stored[2]) {
  char name[100], xml[300], error[500];
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  int n = snprintf(xml, sizeof(xml),
                   "<mujoco><compiler %s/><include file='sub/part.xml'/></mujoco>", compiler);
  snprintf(name, sizeof(name), "%smodel.xml", folder);
  assert_int_equal(mj_addBufferVFS(&vfs, name, xml, n), 0);
  static const char part[] = "<mujoco><asset><mesh file='own/a.obj'/></asset></mujoco>";
  snprintf(name, sizeof(name), "%ssub/part.xml", folder);
  assert_int_equal(mj_addBufferVFS(&vfs, name, part, sizeof(part) - 1), 0);
  for (int i = 0; i < 2 && stored[i]; i++) {
    assert_int_equal(mj_addBufferVFS(&vfs, stored[i], assets[MESH].bytes, assets[MESH].size), 0);
  }
  snprintf(name, sizeof(name), "%smodel.xml", folder);
  mjModel* m = mj_loadXML(name, &vfs, error, sizeof(error));
  mj_deleteVFS(&vfs);
  return m;
}

TEST(files_named_by_an_include_are_found_beside_it) {
  static const struct {
    const char *folder, *compiler, *stored[2], *path;  // path in mjModel; NULL: not found
  } cases[] = {
      {"/m/", "", {"/m/sub/own/a.obj"}, "sub/own/a.obj"},
      {"/m/", "meshdir='d'", {"/m/sub/own/a.obj"}, "/m/sub/own/a.obj"},
      {"/m/", "meshdir='/d'", {"/m/sub/own/a.obj"}, "/m/sub/own/a.obj"},
      {"/m/", "meshdir='d'", {"/m/sub/own/a.obj", "/m/d/sub/own/a.obj"}, "/m/sub/own/a.obj"},
      {"/m/", "meshdir='d'", {"/m/sub/own/a.obj", "/m/d/own/a.obj"}, "own/a.obj"},
      {"/m/", "meshdir='d'", {"/m/d/sub/own/a.obj"}, "sub/own/a.obj"},
      {"", "", {"sub/own/a.obj"}, "sub/own/a.obj"},
      {"", "meshdir='d'", {"d/sub/own/a.obj", "sub/own/a.obj"}, "sub/own/a.obj"},
      {"", "meshdir='d'", {"sub/own/a.obj"}, NULL},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    const char* stored[2] = {cases[i].stored[0], cases[i].stored[1]};
    mjModel* m = load_included(cases[i].folder, cases[i].compiler, stored);
    if ((m != NULL) != (cases[i].path != NULL)) {
      fail_msg("case %zu: %s", i, m ? "found" : "not found");
    }
    if (m) {
      assert_string_equal(m->paths, cases[i].path);
    }
    mj_deleteModel(m);
  }
}

TEST(meshes_that_stay_keep_their_texture_coordinates) {
  for (int discard = 0; discard < 2; discard++) {
    char error[500] = "", xml[500];
    snprintf(xml, sizeof(xml),
             "<mujoco><compiler discardvisual='%s'/><asset><mesh name='m' vertex='0 0 0 1 0 0 0 2 "
             "0 0 0 3' texcoord='0 0 1 0 0 1 1 1'/></asset><worldbody><geom type='mesh' "
             "mesh='m'/></worldbody></mujoco>",
             discard ? "true" : "false");
    mjSpec* spec = mj_parseXMLString(xml, NULL, error, sizeof(error));
    mjModel* m = mj_compile(spec, NULL);
    assert_non_null(m);
    assert_int_equal(m->nmeshtexcoord, 4);
    assert_int_equal(m->mesh_texcoordadr[0], 0);
    assert_int_equal(m->nmeshvert, 4);
    mj_deleteModel(m);
    mj_deleteSpec(spec);
  }
}
