// beside.h: a variant of the code in lanes, with an mjData for each lane.

#pragma once

#include "base/memory/memory.h"
#include "lanes/choice.h"
#include "lanes/models.h"

typedef struct Beside {
  const LaneVariant* variant;
  LaneStructure* s;
  void* work;
  mjData* d[LANES_MOST];
} Beside;

static inline Beside make_beside(const mjModel* m, const LaneVariant* variant) {
  Beside b = {.variant = variant, .s = structure_make(m)};
  assert_non_null(b.s);
  assert_string_equal(b.s->why, "");
  assert_that(structure_hulls(b.s), ==, 1);
  size_t bytes = variant->size(b.s);
  b.work = memory_take(bytes);
  memset(b.work, 0, bytes);
  variant->make(b.work, b.s, test_data(m));
  for (int l = 0; l < variant->lanes; l++) {
    variant->constants(b.work, l, m);
    b.d[l] = test_data(m);
  }
  return b;
}

static inline void free_beside(Beside* b) {
  for (int l = 0; l < b->variant->lanes; l++) {
    test_release(b->d[l]);
  }
  mju_free(b->work);
  structure_free(b->s);
}

static inline LaneRow row_of(mjData* d) {
  return (LaneRow){&d->time,
                   d->qpos,
                   d->qvel,
                   d->act,
                   d->qacc_warmstart,
                   d->ctrl,
                   d->qfrc_applied,
                   d->xfrc_applied,
                   d->eq_active,
                   d->mocap_pos,
                   d->mocap_quat,
                   NULL,
                   NULL,
                   NULL};
}
