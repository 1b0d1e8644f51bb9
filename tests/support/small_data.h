// small_data.h: a fixture: m, the model of small_model.h, and d, data of it, new for each test.

#ifndef CONDYLE_TESTS_SUPPORT_SMALL_DATA_H_
#define CONDYLE_TESTS_SUPPORT_SMALL_DATA_H_

#include "support/small_model.h"

static mjModel* m;
static mjData* d;

static int setup(void** state) {
  (void)state;
  m = small_model();
  d = mj_makeData(m);
  return 0;
}

static int teardown(void** state) {
  (void)state;
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}

#endif  // CONDYLE_TESTS_SUPPORT_SMALL_DATA_H_
