// Every type of sensor against the reference, on one model that has them all.
//
// The model is read and compiled by us; states, integrators and cones vary.

#include "support/models.h"
#include "support/near.h"

static const char kModel[] = CONDYLE_SOURCE_DIR "/tests/models/sensor_all.xml";

static Bridge* load(void) {
  Bridge* b = both_models(kModel);
  tighten_both(b);
  return b;
}

// The same options in both.
static void set_options(Bridge* b, int integrator, int cone, int disable, int enable) {
  mjOption* opt = &b->m->opt;
  *(int*)reference_option(b, "integrator") = opt->integrator = integrator;
  *(int*)reference_option(b, "cone") = opt->cone = cone;
  *(int*)reference_option(b, "disableflags") = opt->disableflags = disable;
  *(int*)reference_option(b, "enableflags") = opt->enableflags = enable;
}

// Nearest points of curved shapes are found by iteration, and only to the root of its tolerance.
static int is_nearest(const mjModel* m, int id) {
  return m->sensor_type[id] >= mjSENS_GEOMDIST && m->sensor_type[id] <= mjSENS_GEOMFROMTO;
}

// Each sensor by itself, relative to the size of its own numbers.
static int sensors_differ(const Bridge* b, mjtNum tolerance, mjtNum solved) {
  const mjModel* m = b->m;
  size_t count;
  const mjtNum* theirs = bridge_ref_data(b, "sensordata", &count);
  assert_int_equal(count, m->nsensordata);
  int differ = 0;
  for (int i = 0; i < m->nsensor; i++) {
    const mjtNum *x = b->d->sensordata + m->sensor_adr[i], *y = theirs + m->sensor_adr[i];
    mjtNum bound = m->sensor_needstage[i] == mjSTAGE_ACC ? solved : tolerance;
    bound = is_nearest(m, i) ? (mjtNum)1e-4 : bound;
    char label[40];
    snprintf(label, sizeof label, "sensor %d of type %d", i, m->sensor_type[i]);
    differ += numbers_differ(label, x, y, m->sensor_dim[i], bound, 1);
  }
  return differ;
}

TEST(compiled_sensors_agree) {
  BRIDGE_OR_SKIP();
  Bridge* b = load();
  assert_int_equal(
      bridge_compare_model(b,
                           "nsensor nsensordata nuser_sensor sensor_type sensor_datatype "
                           "sensor_needstage sensor_objtype sensor_objid sensor_reftype "
                           "sensor_refid sensor_intprm sensor_dim sensor_adr sensor_cutoff "
                           "sensor_noise sensor_user sensor_plugin name_sensoradr",
                           0),
      0);
}

TEST(sensors_agree_in_random_states) {
  BRIDGE_OR_SKIP();
  Bridge* b = load();
  int differ = 0, contacts = 0;
  for (unsigned int seed = 1; seed <= 40; seed++) {
    set_options(b, mjINT_EULER, seed & 1, 0, seed & 2 ? mjENBL_ENERGY : 0);
    bridge_random(b, seed, seed % 3 ? 0.3 : 0.1);
    bridge_run(b, "mj_forward");
    mj_forward(b->m, b->d);
    contacts += b->d->ncon;
    differ += sensors_differ(b, 1e-9, 1e-6);
    differ += bridge_compare(b, "energy", 1e-9);
    differ += bridge_compare(b, "cacc cfrc_int cfrc_ext subtree_linvel subtree_angmom", 1e-6);

    bridge_run(b, "mj_inverse");
    mj_inverse(b->m, b->d);
    differ += sensors_differ(b, 1e-9, 1e-6);
  }
  test_release(b);
  assert_int_equal(differ, 0);
  assert_that(contacts, >, 100);
}

TEST(sensors_agree_along_a_trajectory) {
  BRIDGE_OR_SKIP();
  const int integrator[] = {mjINT_EULER, mjINT_RK4, mjINT_IMPLICIT, mjINT_IMPLICITFAST};
  int differ = 0;
  for (int n = 0; n < 4; n++) {
    Bridge* b = load();
    set_options(b, integrator[n], n & 1, 0, 0);
    bridge_random(b, n + 1, 0.1);
    for (int step = 0; step < 100 && !differ; step++) {
      bridge_run(b, "mj_step");
      mj_step(b->m, b->d);
      differ += sensors_differ(b, 1e-7, 1e-5);
    }
    test_release(b);
  }
  assert_int_equal(differ, 0);
}
