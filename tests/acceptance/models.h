// models.h: the models that the acceptance tests run on, and both engines' compiled forms of them.
//
// Ours lie in models/; the crowd is written by models/crowd.py; the shared reference humanoid is
// used where it lies beside the source folder. A model that can't be had is NULL: skip the test.

#ifndef CONDYLE_TESTS_ACCEPTANCE_MODELS_H_
#define CONDYLE_TESTS_ACCEPTANCE_MODELS_H_

#include <condyle/condyle.h>
#include <condyle/load.h>

#include "support/bridge.h"
#include "support/bridge_ref.h"
#include "support/test.h"

static const char kHumanoid[] = CONDYLE_SOURCE_DIR "/models/humanoid.xml";
static const char kChain[] = CONDYLE_SOURCE_DIR "/models/chain.xml";
static const char kRubble[] = CONDYLE_SOURCE_DIR "/models/rubble.xml";
static const char kLimits[] = CONDYLE_SOURCE_DIR "/models/limits.xml";
static const char kShared[] =
    CONDYLE_SOURCE_DIR "/../shared/models/reference/humanoid/humanoid.xml";
// a number instead of a path: so many humanoids in one file
static const char kCrowd20[] = "20";

// Everything that a file or a program writes, to be freed; NULL if there is nothing.
static inline char* read_all(FILE* stream) {
  size_t room = 1 << 16, length = 0;
  char* text = malloc(room);
  while (text && stream) {
    length += fread(text + length, 1, room - length - 1, stream);
    if (length < room - 1) {
      break;
    }
    text = realloc(text, room *= 2);
  }
  if (!text || !length) {
    free(text);
    return NULL;
  }
  text[length] = 0;
  return text;
}

// The text of a model: a path, or the size of a crowd. To be freed; NULL if it can't be had.
static inline char* model_text(const char* model) {
  char* text;
  if (model[0] >= '0' && model[0] <= '9') {
    char command[1100];
    snprintf(command, sizeof command, "python3 '%s/models/crowd.py' %s 2>/dev/null",
             CONDYLE_SOURCE_DIR, model);
    FILE* program = popen(command, "r");
    text = read_all(program);
    if (program) {
      pclose(program);
    }
  } else {
    FILE* file = fopen(model, "rb");
    text = read_all(file);
    if (file) {
      fclose(file);
    }
  }
  return text;
}

// A text compiled by us; ends the test if that fails.
static inline mjModel* compile_text(const char* text) {
  cndDiagnostics* problems = cnd_makeDiagnostics();
  mjModel* m = cnd_loadXMLString(text, NULL, problems);
  if (!m) {
    char line[1000] = "no diagnostic";
    if (cnd_diagnostic(problems, 0)) {
      cnd_formatDiagnostic(line, sizeof line, cnd_diagnostic(problems, 0));
    }
    fail_msg("%s", line);
  }
  cnd_deleteDiagnostics(problems);
  return m;
}

// A model compiled by us, NULL if it can't be had.
static inline mjModel* our_model(const char* model) {
  char* text = model_text(model);
  mjModel* m = text ? compile_text(text) : NULL;
  free(text);
  return m;
}

// Both engines' compiled forms: unlike bridge_load, each side reads and compiles the text itself.
static inline Bridge* both_models(const char* model) {
  char* text = bridge_available() ? model_text(model) : NULL;
  Bridge* b = text ? bridge_load_text(text) : NULL;
  if (b) {
    mj_deleteData(b->d);
    mj_deleteModel(b->m);
    b->m = compile_text(text);
    b->d = mj_makeData(b->m);
  }
  free(text);
  return b;
}

// A number of the reference's model, e.g. an option: nothing may be compared in other settings.
static inline void* reference_option(const Bridge* b, const char* name) {
  RefModelField* find;
  void* symbol = bridge_function("bridge_ref_model_field");
  memcpy(&find, &symbol, sizeof symbol);
  RefField field;
  assert_true(find(&field, b->ref_m, name));
  return field.data;
}

// Drives a solver to its minimum: what it finds is then unique.
static inline void tighten(mjModel* m) {
  m->opt.tolerance = 0;
  m->opt.ls_tolerance = (mjtNum)1e-10;
  m->opt.iterations = 200;
  m->opt.ls_iterations = 100;
}

static inline void tighten_both(Bridge* b) {
  tighten(b->m);
  *(double*)reference_option(b, "tolerance") = (double)b->m->opt.tolerance;
  *(double*)reference_option(b, "ls_tolerance") = (double)b->m->opt.ls_tolerance;
  *(int*)reference_option(b, "iterations") = b->m->opt.iterations;
  *(int*)reference_option(b, "ls_iterations") = b->m->opt.ls_iterations;
}

// uniform in (-1, 1), the same everywhere
static inline double uniform(uint64_t* seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

// Instrumented and unoptimised builds do less of what only repeats.
#if defined(NDEBUG) && !defined(CONDYLE_SANITIZED)
enum {
  kThorough = 1
};
#else
enum {
  kThorough = 0
};
#endif

#endif  // CONDYLE_TESTS_ACCEPTANCE_MODELS_H_
