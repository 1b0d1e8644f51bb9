// small_data.h: a fixture: m, the model of small_model.h, and d, data of it, new for each test.

#pragma once

#include "support/small_model.h"
#include "support/test.h"

static mjModel* m;
static mjData* d;

BEFORE_EACH() {
  m = small_model();
  d = mj_makeData(m);
}

AFTER_EACH() {
  mj_deleteData(d);
  mj_deleteModel(m);
}
