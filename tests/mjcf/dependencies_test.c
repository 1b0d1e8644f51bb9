// Which files a model needs.

#define _DEFAULT_SOURCE  // mkdtemp

#include <unistd.h>

#include "spec/vector.h"
#include "support/caught.h"
#include "support/test.h"

static const char kModel[] = CONDYLE_SOURCE_DIR "/tests/models/include_parts.xml";

TEST(included_files_are_listed_after_their_model) {
  Vector list = {.strings = {NULL, 0, 0}};
  mjStringVec* files = &list.strings;
  mju_getXMLDependencies(kModel, files);
  assert_int_equal(files->num, 3);
  assert_string_equal(mjs_getString(files->ptr), kModel);
  int found = 0;
  for (size_t i = 1; i < files->num; i++) {
    const char* name = mjs_getString(files->ptr + i);
    found |= strstr(name, "include_parts_defaults.xml") ? 1 : 0;
    found |= strstr(name, "include_parts_body.xml") ? 2 : 0;
  }
  assert_int_equal(found, 3);
  assert_error(mju_getXMLDependencies("no_such_file.xml", files), "no_such_file.xml");
  vector_clear(&list, VECTOR_STRINGS);
}

static void write_file(const char* folder, const char* name, const void* bytes, size_t size) {
  char path[200];
  snprintf(path, sizeof(path), "%s/%s", folder, name);
  FILE* file = fopen(path, "wb");
  assert_non_null(file);
  fwrite(bytes, 1, size, file);
  fclose(file);
}

TEST(files_that_a_glTF_names_are_listed_with_it) {
  char folder[] = "/tmp/condyle-gltf-XXXXXX", path[200], command[200], glb[400] = "glTF\2";
  static const char json[] =
      "{\"buffers\":[{\"uri\":\"a%20b.bin\"},{\"uri\":\"data:,x\"},{}],"
      "\"images\":[{\"uri\":\"pictures/skin.png\"},{\"bufferView\":1}]}";
  static const char xml[] =
      "<mujoco><compiler meshdir='meshes'/><asset><mesh name='a' file='a.gltf'/><mesh name='b' "
      "file='sub/b.glb'/><mesh name='c' file='broken.gltf'/></asset></mujoco>";
  assert_non_null(mkdtemp(folder));
  snprintf(command, sizeof(command), "mkdir -p %s/meshes/sub", folder);
  assert_int_equal(system(command), 0);
  write_file(folder, "m.xml", xml, strlen(xml));
  write_file(folder, "meshes/a.gltf", json, strlen(json));
  write_file(folder, "meshes/broken.gltf", "{\"buffers\":[{\"uri\":\"x", 21);
  glb[12] = (char)strlen(json);
  memcpy(glb + 16, "JSON", 4);
  memcpy(glb + 20, json, strlen(json));
  write_file(folder, "meshes/sub/b.glb", glb, 20 + strlen(json));
  static const char* const expected[] = {"m.xml",
                                         "meshes/a.gltf",
                                         "meshes/a b.bin",
                                         "meshes/pictures/skin.png",
                                         "meshes/sub/b.glb",
                                         "meshes/sub/a b.bin",
                                         "meshes/sub/pictures/skin.png",
                                         "meshes/broken.gltf"};
  Vector list = {.strings = {NULL, 0, 0}};
  snprintf(path, sizeof(path), "%s/m.xml", folder);
  mju_getXMLDependencies(path, &list.strings);
  snprintf(command, sizeof(command), "rm -r %s", folder);
  assert_int_equal(system(command), 0);
  for (size_t i = 0; i < list.strings.num && i < 8; i++) {
    snprintf(path, sizeof(path), "%s/%s", folder, expected[i]);
    assert_string_equal(mjs_getString(list.strings.ptr + i), path);
  }
  assert_int_equal(list.strings.num, 8);
  vector_clear(&list, VECTOR_STRINGS);
}

TEST(a_model_is_parsed_from_its_file) {
  char error[500] = "";
  mjSpec* spec = mj_parseXML(kModel, NULL, error, sizeof error);
  assert_non_null(spec);
  assert_string_equal(mjs_getString(spec->modelname), "include_parts");
  mj_deleteSpec(spec);
  assert_null(mj_parseXML("no_such_file.xml", NULL, error, sizeof error));
  assert_non_null(strstr(error, "no_such_file.xml"));
}
