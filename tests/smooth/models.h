// models.h: the models of tests/models by the beginning of their names.

#ifndef CONDYLE_TESTS_SMOOTH_MODELS_H_
#define CONDYLE_TESTS_SMOOTH_MODELS_H_

#include <condyle/condyle.h>
#include <condyle/load.h>
#include <glob.h>

#include "smooth/zoo.h"

static inline mjModel* model_load(const char* path) {
  char error[1000] = "";
  mjModel* m = mj_loadXML(path, NULL, error, sizeof error);
  if (!m) {
    fail_msg("%s", error);
  }
  return m;
}

// Calls visit with the path of every model that begins with the prefix; there is at least one.
static inline void models_each(const char* prefix, void (*visit)(const char* path)) {
  char pattern[1000];
  glob_t found;
  snprintf(pattern, sizeof pattern, "%s/tests/models/%s*.xml", CONDYLE_SOURCE_DIR, prefix);
  assert_int_equal(glob(pattern, 0, NULL, &found), 0);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    visit(found.gl_pathv[i]);
  }
  globfree(&found);
}

#endif  // CONDYLE_TESTS_SMOOTH_MODELS_H_
