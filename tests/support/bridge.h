// bridge.h: the reference engine in the same process, for comparing it with ours array by array.
//
// The reference loads and compiles a model; its mjModel and mjData are copied into ours by field
// name, so a stage of ours can be tested before the reader and the compiler exist, and on any
// model.
//
//   Bridge* b = bridge_load("humanoid.xml");            // both models, both datas
//   bridge_random(b, 1, 0.5);                           // the same random state and inputs in both
//   bridge_run(b, "mj_forward");                        // the reference computes everything
//   bridge_pull(b, NULL);                               // ... and we get every field
//   mju_zero(b->d->qM, b->m->nM);
//   mj_crb(b->m, b->d);                                 // our stage on the same inputs
//   assert_int_equal(bridge_compare(b, "crb qM", 1e-9), 0);
//   bridge_free(b);
//
// Lists of fields are names with spaces between them. A failed comparison prints, for each field
// that differs, its worst element and both numbers. Without the reference bridge_load returns NULL:
// begin a test with BRIDGE_OR_SKIP. CONDYLE_BRIDGE_REF (a macro or an environment variable) is the
// path of the library made from bridge_ref.c.

#pragma once

#include <mujoco/mujoco.h>

#include "support/test.h"

// A model and its data on both sides.
typedef struct Bridge_ {
  mjModel* m;   // ours
  mjData* d;    // ours
  void* ref_m;  // the reference's, to be passed to its functions only
  void* ref_d;
} Bridge;

// Skips the running test if there is no reference, and in single precision, which it hasn't.
#define BRIDGE_OR_SKIP()           \
  do {                             \
    if (!bridge_available()) {     \
      test_skip(bridge_why_not()); \
    }                              \
  } while (0)

// 1 if the reference can be used, and why it can't. One that is there but can't be loaded ends the
// program.
int bridge_available(void);
const char* bridge_why_not(void);

// Loads a model from a file (XML, or bytes in .mjb) or a text with the reference and copies it to
// our side; datas are in the state after a reset. NULL, with a message on stderr, if that fails.
// Free with bridge_free.
Bridge* bridge_load(const char* filename);
Bridge* bridge_load_text(const char* xml);
void bridge_free(Bridge* b);

// A function of the reference by name, NULL if it has none; cast it to its type in mujoco.h.
void* bridge_function(const char* name);

// The contacts of geoms g1 and g2 by the reference's collider of two types of geoms; returns their
// number, at most mjMAXCONPAIR.
int bridge_collide(mjContact* out, const Bridge* b, int type1, int type2, int g1, int g2,
                   mjtNum margin);

// Runs a function (model, data) of the reference, e.g. "mj_forward", on its own data.
void bridge_run(Bridge* b, const char* function);

// Sets the same state in both; sig combines bits of mjtState.
void bridge_set_state(Bridge* b, const mjtNum* state, unsigned int sig);

// Sets the same random state in both, reproducible by seed: a configuration within scale (m, rad)
// of qpos0, velocities and controls of that size, applied forces, the rest as after a reset.
void bridge_random(Bridge* b, unsigned int seed, double scale);

// Copies model arrays, options, vis and stat from the reference to ours again, after its functions
// have changed its model.
void bridge_pull_model(Bridge* b);

// Copies fields of the reference's data to ours. NULL is all of them: counts, arrays of the buffer
// and of the arena, contacts included.
void bridge_pull(Bridge* b, const char* fields);

// Copies fields of our data to the reference's: numbers in the struct and arrays of the buffer.
void bridge_push(Bridge* b, const char* fields);

// The same for arrays of the model.
void bridge_push_model(Bridge* b, const char* fields);

// Compares fields of both datas (both models). Numbers may differ by tolerance times the largest of
// their field; integers are exact. NULL is all but bookkeeping of memory, time and solver. Returns
// how many fields differ.
int bridge_compare(const Bridge* b, const char* fields, double tolerance);
int bridge_compare_model(const Bridge* b, const char* fields, double tolerance);

// The same between two of our own models, or datas of models with the same sizes.
int bridge_compare_models(const mjModel* ours, const mjModel* other, const char* fields,
                          double tolerance);
int bridge_compare_datas(const mjModel* m, const mjData* ours, const mjData* other,
                         const char* fields, double tolerance);

// Where a field of the reference's data is, and how many elements it has; NULL if there are none.
const void* bridge_ref_data(const Bridge* b, const char* field, size_t* count);
