// reset.c: data in their initial state, in which trees may sleep. Whether they can follows from a
// forward pass, so that these functions stand above the stages.
//                                                       theory/time/sleep.md, Asleep from the start

#include <mujoco/api/step.h>

#include "base/memory/check.h"
#include "model/checks/pair.h"
#include "model/data/data.h"
#include "step/sleep.h"

mjData* mj_makeData(const mjModel* m) {
  check_given(m);
  mjData* d = data_make(m);
  if (d) {
    sleep_begin(m, d);
  }
  return d;
}

static void reset(const mjModel* m, mjData* d, unsigned char value) {
  data_reset(m, d, value);
  sleep_begin(m, d);
}

void mj_resetData(const mjModel* m, mjData* d) {
  check_pair(m, d);
  reset(m, d, 0);
}

void mj_resetDataDebug(const mjModel* m, mjData* d, unsigned char debug_value) {
  check_pair(m, d);
  reset(m, d, debug_value);
}

void mj_resetDataKeyframe(const mjModel* m, mjData* d, int key) {
  check_pair(m, d);
  reset(m, d, 0);
  if (key >= 0 && key < m->nkey) {
    data_load_key(m, d, key);
  }
}
