// Capsules beside each other, by the rule of later releases.

#include <condyle/behaviour.h>

#include "support/load.h"
#include "support/near.h"
#include "support/precision.h"
#include "support/recorded.h"
#include "support/test.h"

static const char pair[] =
    "<mujoco><worldbody><geom type='capsule' size='.1 .5'/><body><freejoint/><geom type='capsule' "
    "size='.1 .5'/></body></worldbody></mujoco>";

static mjModel* later_model(void) {
  mjModel* m = test_model(pair);
  m->opt.behaviour = 1 << cndBEHAVIOUR_capsules;
  return m;
}

// as Draw in tests/reference/since/record.py
static uint32_t drawn;

static double draw(double low, double high) {
  drawn = 1664525u * drawn + 1013904223u;
  return low + (high - low) * (drawn / 4294967296.0);
}

static void recorded_state(mjModel* m, mjData* d, int number) {
  static const double angles[] = {0, 1e-9, 1e-6, 1e-5, 9e-5, 1.1e-4, 1e-3, 0.3};
  mjtNum* size = m->geom_size;
  drawn = 12345u + 1000003u * (uint32_t)number;
  for (int g = 0; g < 2; g++) {
    size[3 * g] = (mjtNum)draw(0.02, 0.2);
    size[3 * g + 1] = (mjtNum)draw(0.02, 1);
    m->geom_rbound[g] = size[3 * g] + size[3 * g + 1];
  }
  d->qpos[0] = (mjtNum)draw(-0.1, 0.1);
  d->qpos[1] = (size[0] + size[3]) * (mjtNum)draw(0.8, 0.98);
  d->qpos[2] = (mjtNum)draw(-1.1, 1.1) * (size[1] + size[4]);
  d->qpos[3] = (mjtNum)(number % 3 ? 1 : angles[number % 8]);
  d->qpos[4] = (mjtNum)(number % 3 ? angles[number % 8] : 1);
  d->qpos[5] = d->qpos[6] = 0;
}

TEST(contacts_of_capsules_are_recorded) {
  DOUBLE_ONLY();
  enum {
    CASES = 240
  };
  mjModel* m = later_model();
  mjData* d = test_data(m);
  mjtNum counts[CASES], numbers[14 * CASES];
  size_t n = 0;
  for (int i = 0; i < CASES; i++) {
    recorded_state(m, d, i);
    mj_forward(m, d);
    counts[i] = d->ncon;
    for (int k = 0; k < d->ncon; k++) {
      numbers[n++] = d->contact[k].dist;
      mju_copy3(numbers + n, d->contact[k].pos);
      mju_copy3(numbers + n + 3, d->contact[k].frame);
      n += 6;
    }
  }
  assert_recorded("capsules_counts", counts, CASES);
  assert_recorded("capsules_numbers", numbers, n);
}

// Tilted by less than 1e-4, capsules of any size have two contacts, at the ends of their overlap;
// by the rule of 3.3.7 only small ones do.
TEST(whether_capsules_are_parallel_does_not_depend_on_their_lengths) {
  mjModel* m = later_model();
  const mjtNum scale[] = {(mjtNum)0.01, 1, 100};
  for (int i = 0; i < 3; i++) {
    for (int tilted = 0; tilted < 2; tilted++) {
      mjData* d = test_data(m);
      mjtNum size[] = {(mjtNum)0.1 * scale[i], (mjtNum)0.5 * scale[i]};
      for (int g = 0; g < 2; g++) {
        m->geom_size[3 * g] = size[0];
        m->geom_size[3 * g + 1] = size[1];
        m->geom_rbound[g] = size[0] + size[1];
      }
      d->qpos[1] = (mjtNum)1.8 * size[0];
      d->qpos[2] = (mjtNum)0.4 * size[1];
      d->qpos[4] = (mjtNum)(tilted ? 0.55e-4 : 0.45e-4);
      mj_forward(m, d);
      assert_that(d->ncon, ==, tilted ? 1 : 2);
      if (!tilted) {
        assert_near(d->contact[0].pos[2] / size[1], -0.6, 1e-3);
        assert_near(d->contact[1].pos[2] / size[1], 1, 1e-3);
      }
    }
  }
}

TEST(the_rule_matters_where_there_are_two_capsules) {
  assert_int_equal(cnd_behaviourMatters(later_model(), cndBEHAVIOUR_capsules), 1);
  assert_int_equal(
      cnd_behaviourMatters(test_model("<mujoco><worldbody><geom type='capsule' size='.1 .5'/><body>"
                                      "<freejoint/><geom size='.1'/></body></worldbody></mujoco>"),
                           cndBEHAVIOUR_capsules),
      0);
}
