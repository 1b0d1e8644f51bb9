// Same state, same bits: on every run, in any thread, from a copy, after a reset, and whatever was
// computed before.

#include <pthread.h>

#include "support/models.h"

// A trajectory as its final integration state, and a hash of everything computed on the way.
typedef struct Run_ {
  const mjModel* m;
  mjData* d;
  int steps;
  uint64_t hash;
  int done;
} Run;

static uint64_t hash_bytes(uint64_t hash, const void* data, size_t bytes) {
  const unsigned char* byte = data;
  for (size_t i = 0; i < bytes; i++) {
    hash = (hash ^ byte[i]) * 1099511628211u;
  }
  return hash;
}

#define HASH(field, n) hash = hash_bytes(hash, d->field, sizeof *d->field * (size_t)(n))
static uint64_t hash_data(uint64_t hash, const mjModel* m, const mjData* d) {
  HASH(qpos, m->nq);
  HASH(qvel, m->nv);
  HASH(act, m->na);
  HASH(qacc, m->nv);
  HASH(qacc_warmstart, m->nv);
  HASH(qfrc_constraint, m->nv);
  HASH(cvel, 6 * m->nbody);
  HASH(efc_force, d->nefc);
  HASH(efc_aref, d->nefc);
  HASH(efc_type, d->nefc);
  for (int i = 0; i < d->ncon; i++) {
    HASH(contact[i].pos, 3);
    HASH(contact[i].frame, 9);
  }
  return hash;
}

static void* run(void* argument) {
  Run* r = argument;
  mj_resetData(r->m, r->d);
  uint64_t seed = 1;
  r->hash = 14695981039346656037u;
  for (int i = 0; i < r->steps; i++) {
    for (int k = 0; k < r->m->nu; k++) {
      r->d->ctrl[k] = (mjtNum)(0.5 * uniform_random(&seed));
    }
    mj_step(r->m, r->d);
    r->hash = hash_data(r->hash, r->m, r->d);
  }
  return NULL;
}

static void same_bits(const char* model, int steps) {
  mjModel* m = our_model(model);
  mjModel* copy = mj_copyModel(NULL, m);
  Run first = {.m = m, .d = mj_makeData(m), .steps = steps}, again = first;
  run(&first);

  // the same data again, then another, then the model's copy
  run(&again);
  assert_that(again.hash, ==, first.hash);
  Run other = {.m = copy, .d = mj_makeData(copy), .steps = steps};
  run(&other);
  assert_that(other.hash, ==, first.hash);

  // two threads at once share a model
  pthread_t threads[2];
  Run both[2];
  for (int i = 0; i < 2; i++) {
    both[i] = (Run){.m = m, .d = mj_makeData(m), .steps = steps};
    assert_int_equal(pthread_create(&threads[i], NULL, run, &both[i]), 0);
  }
  for (int i = 0; i < 2; i++) {
    pthread_join(threads[i], NULL);
    assert_that(both[i].hash, ==, first.hash);
    mj_deleteData(both[i].d);
  }
  mj_deleteData(first.d);
  mj_deleteData(other.d);
  mj_deleteModel(copy);
  test_release(m);
}

TEST(humanoid_has_the_same_bits) {
  same_bits(kHumanoid, kThorough ? 3000 : 300);
}

TEST(chain_has_the_same_bits) {
  same_bits(kChain, kThorough ? 3000 : 300);
}

TEST(rubble_has_the_same_bits) {
  same_bits(kRubble, kThorough ? 3000 : 300);
}

TEST(limits_have_the_same_bits) {
  same_bits(kLimits, kThorough ? 3000 : 300);
}

TEST(crowd_has_the_same_bits) {
  same_bits(kCrowd20, kThorough ? 300 : 10);
}

// mj_step is a function of the integration state: what else lies in the data has no influence.
TEST(the_integration_state_decides_alone) {
  const char* const models[] = {kHumanoid, kRubble, kLimits, kChain};
  for (int k = 0; k < 4; k++) {
    mjModel* m = our_model(models[k]);
    mjData *d = mj_makeData(m), *stale = mj_makeData(m);
    for (int i = 0; i < 500; i++) {
      mj_step(m, d);
    }

    // leftovers of another life
    for (int i = 0; i < m->nv; i++) {
      stale->qvel[i] = (mjtNum)(1 + 0.1 * i);
    }
    for (int i = 0; i < 40; i++) {
      mj_step(m, stale);
    }
    int n = mj_stateSize(m, mjSTATE_INTEGRATION);
    mjtNum* numbers = malloc(sizeof(mjtNum) * (size_t)n);
    assert_non_null(numbers);
    mj_getState(m, d, numbers, mjSTATE_INTEGRATION);
    mj_setState(m, stale, numbers, mjSTATE_INTEGRATION);
    for (int i = 0; i < 50; i++) {
      mj_step(m, d);
      mj_step(m, stale);
      assert_that(hash_data(1, m, d), ==, hash_data(1, m, stale));
    }
    free(numbers);
    mj_deleteData(d);
    mj_deleteData(stale);
    test_release(m);
  }
}

// A text compiles to the same bits every time.
TEST(compiling_gives_the_same_bits) {
  const char* const models[] = {kHumanoid, kRubble, kLimits, kChain, kCrowd20};
  for (int k = 0; k < 5; k++) {
    mjModel *m = our_model(models[k]), *again = our_model(models[k]);
    if (m && again) {
      assert_int_equal(m->nbuffer, again->nbuffer);
      for (int i = 0; cnd_modelField(i); i++) {
        cndArray one, two;
        cnd_modelArray(&one, m, cnd_modelField(i)->name);
        cnd_modelArray(&two, again, cnd_modelField(i)->name);
        size_t bytes = one.rows * one.columns * one.field->size;
        assert_int_equal(bytes, two.rows * two.columns * two.field->size);
        if (bytes && memcmp(one.data, two.data, bytes)) {
          fail_msg("%s: %s differs between two compilations", models[k], one.field->name);
        }
      }
    }
    test_release(m);
    test_release(again);
  }
}
