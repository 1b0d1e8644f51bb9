// Which files a model needs.

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

TEST(a_model_is_parsed_from_its_file) {
  char error[500] = "";
  mjSpec* spec = mj_parseXML(kModel, NULL, error, sizeof error);
  assert_non_null(spec);
  assert_string_equal(mjs_getString(spec->modelname), "include_parts");
  mj_deleteSpec(spec);
  assert_null(mj_parseXML("no_such_file.xml", NULL, error, sizeof error));
  assert_non_null(strstr(error, "no_such_file.xml"));
}
