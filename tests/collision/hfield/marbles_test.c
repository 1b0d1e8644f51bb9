// Solids that fall into a bowl of hills come to rest in it.

#include "base/algebra/vec.h"
#include "support/test.h"

enum {
  STEPS = 10000,
  SPAN = 500,
};

// The energy of a span is never above that of the span before: contacts only take. (What their
// springs hold isn't counted, so single steps may gain a little.)
static void run(int disable) {
  char error[300] = "";
  mjModel* m =
      mj_loadXML(CONDYLE_SOURCE_DIR "/tests/models/hfield_marbles.xml", NULL, error, sizeof error);
  assert_string_equal(error, "");
  assert_non_null(m);
  m->opt.enableflags |= mjENBL_ENERGY;
  m->opt.disableflags |= disable;
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  mjtNum before = d->energy[0] + d->energy[1], start = before, weight = 0;
  for (int i = 1; i < m->nbody; i++) {
    weight += m->body_mass[i];
  }
  for (int i = 0; i < STEPS; i += SPAN) {
    mjtNum mean = 0;
    for (int k = 0; k < SPAN; k++) {
      mj_step(m, d);
      mean += (d->energy[0] + d->energy[1]) / SPAN;
    }
    // a tenth of a millimetre of all of them
    if (!(mean <= before + (mjtNum)9.81 * weight * (mjtNum)1e-4)) {
      fail_msg("energy %.9g after %d steps, %.9g before", (double)mean, i + SPAN, (double)before);
    }
    before = mean;
  }
  for (int i = 0; i < mjNWARNING; i++) {
    assert_int_equal(d->warning[i].number, 0);
  }
  assert_that(before, <, start - (mjtNum)9.81 * weight * (mjtNum)0.1);
  assert_that(d->energy[1], <, (mjtNum)1e-3 * mju_abs(start - before));
  for (int i = 1; i < m->nbody; i++) {
    const mjtNum* x = d->xpos + 3 * i;
    assert_that(mju_abs(x[0]), <, 1);
    assert_that(mju_abs(x[1]), <, (mjtNum)0.8);
    assert_that(x[2], >, 0);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(marbles_come_to_rest) {
  run(0);
}

TEST(marbles_come_to_rest_in_the_legacy_pipeline) {
  run(mjDSBL_NATIVECCD);
}
