// All sensors of a model: rows with the change of accelerations in them, and what is cut off.

#include "derivative/sensor/sensors.h"

#include "derivative/sensor/sensed.h"
#include "support/caught.h"

static const char kSensed[] =
    "<mujoco>" ZOO_NOCONTACT ZOO_WORLD ZOO_ACTUATORS
    "<sensor><jointpos joint='twist'/><jointvel joint='hip'/><ballquat joint='shoulder'/>"
    "<ballangvel joint='shoulder'/><tendonpos tendon='cord'/><tendonvel tendon='cord'/>"
    "<actuatorpos actuator='servo'/><actuatorvel actuator='hold'/><actuatorfrc actuator='lag'/>"
    "<jointactuatorfrc joint='hip'/><tendonactuatorfrc tendon='cord'/><subtreecom body='arm'/>"
    "<subtreelinvel body='base'/><subtreeangmom body='arm'/><e_potential/><e_kinetic/><clock/>"
    "<accelerometer site='tip'/></sensor></mujoco>";

// the readings of forward dynamics
static void forward(mjtNum* y, const mjModel* m, mjData* d, void* of) {
  (void)of;
  mj_forward(m, d);
  mju_copy(y, d->sensordata, m->nsensordata);
}

TEST(readings_of_a_state_change_as_differences_say) {
  DOUBLE_ONLY();
  Scene s = scene_make(kSensed, 0.3);
  int kinks = 0, rows = s.m->nsensordata;
  StateColumns c = state_columns(s.m);
  System system = system_make(s.m, s.d, s.d->qacc, (ForceParts){1, 1, NULL, "test"});
  const mjtNum* dx = system_solve(&system, c);
  const mjtNum* out = sensors_derivative(&kinks, &system, dx, c);
  const int first[NFORWARD] = {c.q, c.v, c.act, c.ctrl};
  assert_int_equal(kinks, 0);
  for (int by = 0; by < NFORWARD; by++) {
    int columns = scene_input(s.m, s.d, by).n;
    const mjtNum* J = scene_differences(&s, forward, NULL, rows, by);
    for (int i = 0; i < rows; i++) {
      assert_numbers(out + i * c.ld + first[by], J + i * columns, columns, 1e-6,
                     largest_of(J + i * columns, columns) + 1);
    }
  }
  scene_free(&s);
}

TEST(a_reading_at_its_cutoff_answers_to_nothing) {
  Scene s = scene_make(kSensed, 0.3);
  int kinks = 0;
  StateColumns c = state_columns(s.m);
  s.m->sensor_cutoff[0] = (mjtNum)1e-3;
  mj_forward(s.m, s.d);
  System system = system_make(s.m, s.d, s.d->qacc, (ForceParts){1, 1, NULL, "test"});
  const mjtNum* dx = system_solve(&system, c);
  const mjtNum* out = sensors_derivative(&kinks, &system, dx, c);
  assert_near(mju_abs(s.d->sensordata[0]), s.m->sensor_cutoff[0], 0);
  assert_near(largest_of(out, c.n), 0, 0);
  assert_near(largest_of(out + c.ld, c.n), 1, 1e-9);
  scene_free(&s);
}

// What is never negative is cut off above alone.
TEST(touch_at_its_cutoff_answers_to_nothing) {
  Scene s = scene_make(
      "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .09'>"
      "<freejoint/><geom size='.1'/><site name='s' size='.2'/></body></worldbody>"
      "<sensor><touch site='s' cutoff='1e-3'/><touch site='s'/></sensor></mujoco>",
      0);
  int kinks = 0;
  StateColumns c = state_columns(s.m);
  System system = system_make(s.m, s.d, s.d->qacc, (ForceParts){1, 1, NULL, "test"});
  const mjtNum* dx = system_solve(&system, c);
  const mjtNum* out = sensors_derivative(&kinks, &system, dx, c);
  assert_that(s.d->sensordata[1], >, 1);
  assert_near(largest_of(out, c.n), 0, 0);
  assert_that(largest_of(out + c.ld, c.n), >, 1);
  scene_free(&s);
}

TEST(sensors_that_others_compute_are_refused_by_name) {
  Scene s = scene_make(
      "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody>"
      "<sensor><user name='mine' dim='2'/></sensor></mujoco>",
      0);
  int kinks = 0;
  StateColumns c = state_columns(s.m);
  System system = system_make(s.m, s.d, s.d->qacc, (ForceParts){1, 1, NULL, "test"});
  const mjtNum* dx = system_solve(&system, c);
  assert_error(sensors_derivative(&kinks, &system, dx, c), "test: sensor 0 (mine)");
  scene_free(&s);
}
