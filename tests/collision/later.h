// later.h: models under the rules of release 4.0, and the random numbers of its recordings.

#pragma once

#include <condyle/condyle.h>

#include "support/load.h"
#include "support/test.h"

static inline mjModel* later_model(const char* scene) {
  cnd_setDefaultDialect(400);
  mjModel* m = test_model(scene);
  cnd_setDefaultDialect(303);
  return m;
}

// The last number: as Draw in tests/reference/since/record.py.
static uint32_t drawn;

static inline mjtNum draw(double low, double high) {
  drawn = 1664525u * drawn + 1013904223u;
  return (mjtNum)(low + (high - low) * (drawn / 4294967296.0));
}
