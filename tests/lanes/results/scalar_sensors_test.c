// Sensors that the scalar engine reads from the poses and contacts of a lane: their readings are
// those of mj_step.

#include "lanes/alike.h"
#include "lanes/setup/why.h"

#define SENSED(option)                                                                            \
  "<mujoco><option tolerance='1e-12' " option                                                     \
  "/><worldbody><geom name='floor' type='plane' size='5 5 1'/><camera name='eye' pos='0 -2 1'"    \
  " xyaxes='1 0 0 0 .4 1' resolution='64 48' fovy='50'/><site name='room' type='box' size='.3 "   \
  ".3 .3'/><geom name='wall' type='box' size='.1 1 1' pos='1.5 0 .5'/>"                           \
  "<body name='a' pos='0 0 .12' euler='5 10 0'><freejoint/>"                                      \
  "<geom name='ga' type='box' size='.2 .1 .06'/><site name='look' pos='.25 0 0' euler='0 90 0'/>" \
  "<body name='b' pos='.15 .1 0'><joint axis='0 1 .2' range='-30 30' limited='true'/>"            \
  "<geom name='gb' type='capsule' fromto='0 0 0 .1 .2 -.05' size='.04'/></body></body>"           \
  "<body name='c' pos='-.5 0 .1'><freejoint/><geom name='gc' size='.11' condim='6'/></body>"      \
  "</worldbody><sensor><rangefinder site='look'/><rangefinder site='look' cutoff='.2'/>"          \
  "<camprojection site='look' camera='eye'/><distance geom1='ga' geom2='gc' cutoff='2'/>"         \
  "<normal geom1='gb' geom2='gc' cutoff='2'/><fromto geom1='ga' geom2='wall' cutoff='3'/>"        \
  "<distance body1='a' body2='c' cutoff='.1'/><insidesite objtype='body' objname='c' "            \
  "site='room'/>"                                                                                 \
  "<contact geom1='floor' num='3' data='found force torque dist pos normal tangent'/>"            \
  "<contact body1='c' num='1' data='found force torque'/>"                                        \
  "<contact subtree1='a' geom2='floor' reduce='maxforce' num='2' data='force pos'/>"              \
  "<contact subtree1='a' reduce='netforce' data='found force torque pos'/>"                       \
  "<contact site='room' reduce='mindist' num='2' data='found dist'/>"                             \
  "<gyro site='look'/></sensor></mujoco>"

static void sense(const char* xml, int steps) {
  DOUBLE_ONLY();
  const mjModel* m = test_model(xml);
  enum {
    N = 5
  };
  mjData* d[N];
  cndBatch* batch = cnd_makeBatch(m, N, 0);
  const unsigned spec = mjSTATE_INTEGRATION;
  size_t size = (size_t)mj_stateSize(m, spec), where;
  mjtNum* state = mju_malloc(N * size * sizeof(mjtNum));
  cndArray array;
  uint64_t seed = 3;
  int contacts = 0;
  cnd_batchExpose(&array, batch, "sensordata");
  assert_null(cnd_batchWhy(batch));
  for (int i = 0; i < N; i++) {
    d[i] = test_data(m);
    lane_state(d[i], m, &seed, 0.02, 0.2);
  }
  for (int t = 0; t < 20; t++) {
    for (int i = 0; i < N; i++) {
      mj_getState(m, d[i], state + (size_t)i * size, spec);
    }
    cnd_batchSetState(batch, NULL, state, spec);
    assert_int_equal(cnd_batchStep(batch, NULL, NULL, steps), cndRUN_DONE);
    assert_int_equal(cnd_batchLeft(batch), 0);
    const mjtNum* readings = array.data;
    for (int i = 0; i < N; i++, readings += m->nsensordata) {
      for (int k = 0; k < steps; k++) {
        mj_step(m, d[i]);
      }
      contacts += d[i]->ncon;
      for (int s = 0; s < m->nsensor; s++) {
        int at = m->sensor_adr[s];
        if (!(relative_error(&where, readings + at, d[i]->sensordata + at, m->sensor_dim[s], 1.0) <=
              1e-7)) {
          fail_msg("step %d, world %d, sensor %d, number %d: %g beside %g", t, i, s, (int)where,
                   (double)readings[at + (int)where], (double)d[i]->sensordata[at + (int)where]);
        }
      }
    }
  }
  assert_true(contacts > 10);
  for (int i = 0; i < N; i++) {
    test_release(d[i]);
  }
  cnd_deleteBatch(batch);
  mju_free(state);
}

TEST(pyramids) {
  sense(SENSED(""), 1);
}

TEST(cones) {
  sense(SENSED("cone='elliptic' impratio='2'"), 2);
}

TEST(noslip) {
  sense(SENSED("cone='elliptic' noslip_iterations='3'"), 1);
}

TEST(sweeps) {
  sense(SENSED("solver='PGS'"), 1);
}

// Their models are shared, so parameters that vary leave them to mj_step.
TEST(varied) {
  const mjModel* m = test_model(SENSED(""));
  cndBatch* batch = cnd_makeBatch(m, 2, 0);
  cnd_batchLanes(batch, cndLANES_DOUBLE);
  cndArray array;
  cnd_batchExpose(&array, batch, "sensordata");
  assert_null(cnd_batchWhy(batch));
  cnd_batchVary(&array, batch, "geom_friction");
  assert_non_null(cnd_batchWhy(batch));
  cnd_deleteBatch(batch);
}

// Places and axes of cameras that follow something, and of what is seen from them.
#define FOLLOWED                                                                                \
  "<mujoco><worldbody><geom type='plane' size='5 5 1'/><camera name='stand' mode='targetbody' " \
  "target='b' pos='0 -2 1'/><camera name='gaze' mode='targetbodycom' target='a' pos='1 -2 1'/>" \
  "<body name='a' pos='0 0 .12' euler='5 10 0'><freejoint/><geom type='box' size='.2 .1 .06'/>" \
  "<camera name='track' mode='track' pos='0 -1 .5'/><camera name='com' mode='trackcom' "        \
  "pos='0 -1 .5'/><camera name='own' pos='0 .1 0'/><body name='b' pos='.15 .1 0'>"              \
  "<joint axis='0 1 .2'/><geom type='capsule' fromto='0 0 0 .1 .2 -.05' size='.04'/>"           \
  "<site name='s'/></body></body></worldbody><sensor>"                                          \
  "<framepos objtype='camera' objname='track'/><framequat objtype='camera' objname='com'/>"     \
  "<framezaxis objtype='camera' objname='stand'/><framexaxis objtype='camera' objname='gaze'/>" \
  "<framepos objtype='site' objname='s' reftype='camera' refname='com'/>"                       \
  "<frameyaxis objtype='camera' objname='own' reftype='camera' refname='gaze'/>"                \
  "<framepos objtype='camera' objname='own'/><framelinvel objtype='camera' objname='own'/>"     \
  "%s</sensor></mujoco>"

TEST(cameras_that_follow) {
  char xml[3000], text[200];
  snprintf(xml, sizeof(xml), FOLLOWED, "");
  sense(xml, 1);
  sense(xml, 3);
  snprintf(xml, sizeof(xml), FOLLOWED, "<framelinvel name='v' objtype='camera' objname='track'/>");
  assert_int_equal(why_sensors(text, sizeof(text), test_model(xml)), 1);
  assert_string_equal(text, "the sensor 'v' tells how a camera moves that follows something");
}
