// load.c: a stack of what the running test owns, of fixed size: tests count what the heap is asked.

#include "support/load.h"

#include <condyle/load.h>

#include "support/test.h"

enum {
  MOST_OWNED = 2000
};

static struct {
  void* thing;
  void (*release)(void* thing);
  const void* of;  // a data's model
} owned[MOST_OWNED];
static int num;

int test_owned(void) {
  return num;
}

void test_release_down_to(int number) {
  while (num > number) {
    num--;
    owned[num].release(owned[num].thing);
  }
}

static void* own(void* thing, void (*release)(void*), const void* of, const char* what) {
  if (!thing) {
    fail_msg("no %s", what);
  }
  if (num == MOST_OWNED) {
    release(thing);
    fail_msg("more than %d things: free in the loop what it makes", MOST_OWNED);
  }
  owned[num].thing = thing;
  owned[num].release = release;
  owned[num++].of = of;
  return thing;
}

// Releases what a choice says, keeps the order of the rest; how many there were.
static int release_those(int (*is_chosen)(int i, const void* thing), const void* thing) {
  int kept = 0, before = num;
  for (int i = 0; i < before; i++) {
    if (is_chosen(i, thing)) {
      owned[i].release(owned[i].thing);
    } else {
      owned[kept++] = owned[i];
    }
  }
  num = kept;
  return before - kept;
}

static int is_of(int i, const void* thing) {
  return owned[i].of == thing;
}

static int is_it(int i, const void* thing) {
  return owned[i].thing == thing;
}

void test_release(const void* thing) {
  if (thing == NULL || release_those(is_of, thing) + release_those(is_it, thing) == 0) {
    fail_msg("the test frees what it doesn't own");
  }
}

static void release_model(void* m) {
  mj_deleteModel(m);
}

static void release_spec(void* spec) {
  mj_deleteSpec(spec);
}

static void release_data(void* d) {
  mj_deleteData(d);
}

static void release_bridge(void* b) {
  bridge_free(b);
}

mjModel* test_own_model(mjModel* m) {
  return own(m, release_model, NULL, "model");
}

mjSpec* test_own_spec(mjSpec* spec) {
  return own(spec, release_spec, NULL, "spec");
}

mjData* test_own_data(mjData* d, const mjModel* m) {
  return own(d, release_data, m, "data");
}

Bridge* test_own_bridge(Bridge* b) {
  return own(b, release_bridge, NULL, "model of the reference's");
}

// The model that was read, or a failure with the first problem.
static mjModel* read_model(mjModel* m, cndDiagnostics* problems) {
  char line[1000] = "no diagnostic";
  if (cnd_diagnostic(problems, 0)) {
    cnd_formatDiagnostic(line, sizeof line, cnd_diagnostic(problems, 0));
  }
  cnd_deleteDiagnostics(problems);
  if (!m) {
    fail_msg("%s", line);
  }
  return test_own_model(m);
}

mjModel* test_model(const char* xml) {
  cndDiagnostics* problems = cnd_makeDiagnostics();
  return read_model(cnd_loadXMLString(xml, NULL, problems), problems);
}

mjModel* test_model_file(const char* path, ...) {
  char name[1000], full[1200];
  va_list list;
  va_start(list, path);
  vsnprintf(name, sizeof name, path, list);
  va_end(list);
  snprintf(full, sizeof full, "%s%s", name[0] == '/' ? "" : CONDYLE_SOURCE_DIR "/", name);
  cndDiagnostics* problems = cnd_makeDiagnostics();
  return read_model(cnd_loadXML(full, NULL, problems), problems);
}

mjSpec* test_spec(const char* xml) {
  char error[1000] = "";
  mjSpec* spec = mj_parseXMLString(xml, NULL, error, sizeof error);
  if (!spec) {
    fail_msg("%s", error);
  }
  return test_own_spec(spec);
}

mjModel* test_compile(mjSpec* spec) {
  mjModel* m = mj_compile(spec, NULL);
  if (!m) {
    fail_msg("%s", mjs_getError(spec));
  }
  return test_own_model(m);
}

mjData* test_data(const mjModel* m) {
  return test_own_data(mj_makeData(m), m);
}

Bridge* test_bridge(const char* xml) {
  BRIDGE_OR_SKIP();
  return test_own_bridge(bridge_load_text(xml));
}

void test_refused(const char* xml, const char* message) {
  char error[1000] = "";
  mjSpec* spec = mj_parseXMLString(xml, NULL, error, sizeof(error));
  assert_null(spec ? mj_compile(test_own_spec(spec), NULL) : NULL);
  const char* found = spec ? mjs_getError(spec) : error;
  if (!strstr(found, message)) {
    fail_msg("\"%s\" lacks \"%s\"", found, message);
  }
}
