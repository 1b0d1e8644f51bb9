// models.h: the models that tests share, by path, by folder, and in both engines.
//
// Ours lie in models/, those of the tests in tests/models; the crowd is written by models/crowd.py.
// The shared humanoid is used where it lies beside the source folder, which skips the test
// otherwise; whatever else can't be had fails it.

#pragma once

#include <condyle/condyle.h>
#include <condyle/load.h>

#include "support/bridge.h"
#include "support/load.h"
#include "support/random.h"
#include "support/test.h"

#define MODELS CONDYLE_SOURCE_DIR "/models/"
#define TEST_MODELS CONDYLE_SOURCE_DIR "/tests/models/"
#define SHARED_MODELS CONDYLE_SOURCE_DIR "/../shared/models/reference/"

static const char kHumanoid[] = MODELS "humanoid.xml";
static const char kChain[] = MODELS "chain.xml";
static const char kRubble[] = MODELS "rubble.xml";
static const char kLimits[] = MODELS "limits.xml";
static const char kShared[] = SHARED_MODELS "humanoid/humanoid.xml";
// a number instead of a path: so many humanoids in one file
static const char kCrowd20[] = "20";

// Skips the test where the shared models aren't.
void shared_or_skip(void);

// The text of a model, a path or the size of a crowd, or what a shell command writes; to be freed.
char* model_text(const char* model);
char* model_output(const char* command);

// A model compiled by us from its text; the test owns it.
mjModel* our_model(const char* model);

// Both engines' compiled forms: unlike bridge_load, each side reads and compiles the text itself.
Bridge* both_models(const char* model);

// Calls visit with the path of every file that fits a pattern, or with every model of tests/models
// that begins with a prefix. None fails the test; what a visit makes is freed after it.
void models_matching(const char* pattern, void (*visit)(const char* path));
void models_each(const char* prefix, void (*visit)(const char* path));

// A number of the reference's model, e.g. an option: nothing may be compared in other settings.
void* reference_option(const Bridge* b, const char* name);

// Drives a solver to its minimum: what it finds is then unique.
void tighten(mjModel* m);
void tighten_both(Bridge* b);

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
