// load.h: models, specs and datas that belong to the running test.
//
//   mjModel* m = test_model("<mujoco>...</mujoco>");
//   mjData* d = test_data(m);
//
// They are there, or the test fails with the message of who couldn't make them. They are freed when
// the test ends, also when it fails; a loop that makes many frees them itself. What BEFORE_ALL
// makes stays until the program ends.

#pragma once

#include <mujoco/mujoco.h>

#include "support/bridge.h"

// Reads and compiles a text, or a file whose path is printed: within the source folder, if it
// doesn't begin with a slash.
mjModel* test_model(const char* xml);
__attribute__((format(printf, 1, 2))) mjModel* test_model_file(const char* path, ...);

// Reads a text, compiles a spec, makes data of a model.
mjSpec* test_spec(const char* xml);
mjModel* test_compile(mjSpec* spec);
mjData* test_data(const mjModel* m);

// The reference's model and data of a text beside copies of ours; skips the test without it.
Bridge* test_bridge(const char* xml);

// Gives a thing that somebody else has made to the test; NULL fails it.
mjModel* test_own_model(mjModel* m);
mjSpec* test_own_spec(mjSpec* spec);

// Fails unless a model of this text can't be compiled, with an error that has the message.
void test_refused(const char* xml, const char* message);
mjData* test_own_data(mjData* d, const mjModel* m);
Bridge* test_own_bridge(Bridge* b);

// Frees such a thing now, a model with its datas.
void test_release(const void* thing);

// How many things there are, and freeing those above a number: what test.c does around a test.
int test_owned(void);
void test_release_down_to(int number);
