// Every model of tests/models/since, which together have all words of later releases
// (coverage_test), is the same model after it was saved as text, in each of the ways, and as bytes.

#include <dirent.h>
#include <stdio.h>

#include "support/bridge.h"
#include "support/load.h"
#include "support/precision.h"
#include "support/test.h"

#define FOLDER CONDYLE_SOURCE_DIR "/tests/models/since"

enum {
  ROOM = 1 << 21
};

static char error[1000];

static int is_model(const struct dirent* entry) {
  const char* dot = strrchr(entry->d_name, '.');
  return dot && strcmp(dot, ".xml") == 0;
}

static void visit(void (*check)(const char* name, mjSpec* spec, const mjModel* m)) {
  struct dirent** list;
  int count = scandir(FOLDER, &list, is_model, alphasort);
  assert_that(count, >, 20);
  for (int i = 0; i < count; i++) {
    char path[500];
    snprintf(path, sizeof(path), FOLDER "/%s", list[i]->d_name);
    mjSpec* spec = mj_parseXML(path, NULL, error, sizeof(error));
    mjModel* m = spec ? mj_compile(spec, NULL) : NULL;
    if (!m) {
      fail_msg("%s: %s", list[i]->d_name, spec ? mjs_getError(spec) : error);
    }
    check(list[i]->d_name, spec, m);
    mj_deleteModel(m);
    mj_deleteSpec(spec);
    free(list[i]);
  }
  free(list);
}

static void check_bytes(const char* name, mjSpec* spec, const mjModel* m) {
  (void)spec;
  int size = mj_sizeModel(m);
  char *bytes = malloc((size_t)size), *again = malloc((size_t)size);
  mj_saveModel(m, NULL, bytes, size);
  mjModel* back = mj_loadModelBuffer(bytes, size);
  if (!back) {
    fail_msg("%s: its bytes can't be read", name);
  }
  assert_int_equal(mj_sizeModel(back), size);
  mj_saveModel(back, NULL, again, size);
  if (memcmp(bytes, again, (size_t)size) != 0) {
    fail_msg("%s: other bytes after they were read", name);
  }
  mj_deleteModel(back);
  free(bytes);
  free(again);
}

TEST(bytes_of_models_are_read_back) {
  visit(check_bytes);
}

// Saved with two flags: whether compiled values are written, and whether in the usual units.
static void check_text(const char* name, mjSpec* spec, const mjModel* m, int compiled,
                       int canonical) {
  spec->compiler.savecompiled = (mjtByte)compiled;
  spec->compiler.savecanonical = (mjtByte)canonical;
  char* text = malloc(ROOM);
  if (mj_saveXMLString(spec, text, ROOM, error, sizeof(error))) {
    fail_msg("%s: %s", name, error);
  }
  mjSpec* read = mj_parseXMLString(text, NULL, error, sizeof(error));
  if (read) {
    mjs_setString(read->modelfiledir, FOLDER);
  }
  mjModel* back = read ? mj_compile(read, NULL) : NULL;
  if (!back) {
    fail_msg("%s, compiled %d, canonical %d: %s\n%.3000s", name, compiled, canonical,
             read ? mjs_getError(read) : error, text);
  }
  for (int i = 0; i < m->ntendon; i++) {
    // the format has no width of fixed tendons, which frames may scale all the same
    if (m->wrap_type[m->tendon_adr[i]] == mjWRAP_JOINT) {
      back->tendon_width[i] = m->tendon_width[i];
    }
  }
  if (bridge_compare_models(m, back, NULL, 1e-9)) {
    fail_msg("%s, compiled %d, canonical %d: saved is another model:\n%.3000s", name, compiled,
             canonical, text);
  }
  mj_deleteModel(back);
  mj_deleteSpec(read);
  free(text);
}

static void check_texts(const char* name, mjSpec* spec, const mjModel* m) {
  check_text(name, spec, m, 1, 1);
  check_text(name, spec, m, 0, 1);
  check_text(name, spec, m, 0, 0);
}

TEST(texts_of_models_are_read_back) {
  DOUBLE_ONLY();
  visit(check_texts);
}
