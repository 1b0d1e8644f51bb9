// What sensors measure, against direct computation; when they are evaluated; who computes for them.

#include <condyle/load.h>

#include "base/algebra/vec.h"
#include "support/caught.h"
#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

static mjModel* load(const char* xml) {
  cndDiagnostics* problems = cnd_makeDiagnostics();
  mjModel* m = cnd_loadXMLString(xml, NULL, problems);
  if (!m) {
    fail_msg("%s", cnd_diagnostic(problems, 0)->message);
  }
  cnd_deleteDiagnostics(problems);
  return m;
}

static const mjtNum* reading(const mjModel* m, const mjData* d, const char* name) {
  int id = mj_name2id(m, mjOBJ_SENSOR, name);
  assert_that(id, >=, 0);
  return d->sensordata + m->sensor_adr[id];
}

// a double pendulum on a free base, in free fall
static const char flyer[] =
    "<mujoco><option timestep='1e-4' integrator='RK4'/><worldbody>"
    "<site name='ground' pos='1 2 0' euler='10 20 30'/>"
    "<body name='base' pos='0 0 5'><freejoint/><geom type='box' size='.1 .2 .3'/>"
    "<site name='imu' pos='.1 .2 .05' euler='30 40 50'/>"
    "<body name='arm' pos='.3 0 0'><joint type='ball'/>"
    "<geom type='capsule' size='.05 .2' pos='0 0 -.2'/>"
    "<body name='hand' pos='0 0 -.4'><joint axis='1 1 0'/>"
    "<geom name='palm' type='box' size='.05 .1 .02' pos='.1 0 0'/><site name='tip' pos='.2 0 0'/>"
    "</body></body></body></worldbody><sensor>"
    "<framepos name='pos' objtype='site' objname='tip'/>"
    "<framepos name='rel' objtype='site' objname='tip' reftype='site' refname='imu'/>"
    "<framelinvel name='vel' objtype='site' objname='tip'/>"
    "<framelinvel name='relvel' objtype='site' objname='tip' reftype='site' refname='imu'/>"
    "<framelinacc name='acc' objtype='site' objname='tip'/>"
    "<framequat name='quat' objtype='site' objname='imu'/>"
    "<frameangvel name='angvel' objtype='site' objname='imu'/>"
    "<frameangacc name='angacc' objtype='site' objname='imu'/>"
    "<frameangvel name='relangvel' objtype='geom' objname='palm' reftype='site' refname='imu'/>"
    "<velocimeter name='velocimeter' site='imu'/><gyro name='gyro' site='imu'/>"
    "<accelerometer name='accelerometer' site='imu'/>"
    "<framelinvel name='imuvel' objtype='site' objname='imu'/>"
    "<subtreecom name='com' body='base'/><subtreelinvel name='comvel' body='base'/>"
    "<subtreeangmom name='spin' body='base'/><subtreelinvel name='handvel' body='hand'/>"
    "<subtreecom name='hand' body='hand'/><force name='force' site='imu'/>"
    "<e_kinetic name='kinetic'/><e_potential name='potential'/>"
    "</sensor></mujoco>";

static void set_in_motion(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->nv; i++) {
    d->qvel[i] = (mjtNum)sin(1.7 * i + 0.3);
  }
}

// Central difference of a position reading over two steps against a velocity reading between them.
static void check_rate(const mjModel* m, const mjData* const frame[3], const char* position,
                       const char* velocity) {
  mjtNum rate[3];
  v3_sub(rate, reading(m, frame[2], position), reading(m, frame[0], position));
  v3_scl(rate, rate, 1 / (2 * m->opt.timestep));
  assert_close(rate, reading(m, frame[1], velocity), 3, 1e-5);
}

TEST(velocities_are_rates_of_positions) {
  DOUBLE_ONLY();
  mjModel* m = load(flyer);
  mjData* d[3] = {mj_makeData(m), mj_makeData(m), mj_makeData(m)};
  set_in_motion(m, d[0]);
  mj_step(m, d[0]);
  for (int k = 1; k < 3; k++) {
    mj_copyData(d[k], m, d[k - 1]);
    mj_step(m, d[k]);
  }
  const mjData* frame[3] = {d[0], d[1], d[2]};
  check_rate(m, frame, "pos", "vel");
  check_rate(m, frame, "rel", "relvel");
  check_rate(m, frame, "com", "comvel");
  check_rate(m, frame, "hand", "handvel");
  check_rate(m, frame, "angvel", "angacc");

  // an accelerometer misses gravity
  mjtNum acceleration[3];
  v3_sub(acceleration, reading(m, d[2], "vel"), reading(m, d[0], "vel"));
  v3_scl(acceleration, acceleration, 1 / (2 * m->opt.timestep));
  v3_subfrom(acceleration, m->opt.gravity);
  assert_close(acceleration, reading(m, d[1], "acc"), 3, 1e-4);

  v3_sub(acceleration, reading(m, d[2], "imuvel"), reading(m, d[0], "imuvel"));
  v3_scl(acceleration, acceleration, 1 / (2 * m->opt.timestep));
  v3_subfrom(acceleration, m->opt.gravity);
  mjtNum inverse[4], local[3];
  q_conj(inverse, reading(m, d[1], "quat"));
  q_rotate(local, acceleration, inverse);
  assert_close(local, reading(m, d[1], "accelerometer"), 3, 1e-4);
  q_rotate(local, reading(m, d[1], "imuvel"), inverse);
  assert_close(local, reading(m, d[1], "velocimeter"), 3, 1e-12);
  q_rotate(local, reading(m, d[1], "angvel"), inverse);
  assert_close(local, reading(m, d[1], "gyro"), 3, 1e-12);
  for (int k = 0; k < 3; k++) {
    mj_deleteData(d[k]);
  }
  mj_deleteModel(m);
}

TEST(momentum_and_energy_are_constant_in_free_flight) {
  mjModel* m = load(flyer);
  mjData* d = test_data(m);
  m->opt.timestep = (mjtNum)1e-3;
  set_in_motion(m, d);
  mj_forward(m, d);
  mjtNum velocity[3], spin[3], energy, fall[3];
  v3_copy(velocity, reading(m, d, "comvel"));
  v3_copy(spin, reading(m, d, "spin"));
  energy = *reading(m, d, "kinetic") + *reading(m, d, "potential");
  for (int step = 0; step < 500; step++) {
    mj_step(m, d);
  }
  mj_forward(m, d);
  v3_addscl(fall, velocity, m->opt.gravity, d->time);
  assert_close(reading(m, d, "comvel"), fall, 3, 1e-7);
  assert_close(reading(m, d, "spin"), spin, 3, 1e-7);
  mjtNum now = *reading(m, d, "kinetic") + *reading(m, d, "potential");
  assert_close(&now, &energy, 1, 1e-7);
  // nothing holds the base
  const mjtNum none[3] = {0, 0, 0};
  assert_close(reading(m, d, "force"), none, 3, 1e-9);
  mj_deleteModel(m);
}

// a brick that lies on the floor, and a lamp on an arm
static const char still[] =
    "<mujoco><option solver='Newton' tolerance='0' iterations='100'/><worldbody>"
    "<geom name='floor' type='plane' size='2 2 1'/><site name='wall' pos='0 0 1'/>"
    "<body name='brick' pos='0 0 .1'><freejoint/><geom name='brick' type='box' size='.2 .1 .1'"
    " mass='2'/><site name='under' pos='0 0 -.1' type='box' size='.3 .3 .05'/>"
    "<site name='left' pos='-.2 0 -.1' type='box' size='.1 .3 .05'/>"
    "<site name='aside' pos='2 0 0' size='.1'/><site name='middle'/></body>"
    "<body name='lamp' pos='1 0 1'><geom type='sphere' size='.1' mass='3'/>"
    "<site name='bracket' pos='-.2 0 0' euler='0 90 0'/></body></worldbody><sensor>"
    "<touch name='all' site='under'/><touch name='half' site='left'/>"
    "<touch name='none' site='aside'/><accelerometer name='acc' site='middle'/>"
    "<accelerometer name='wall' site='wall'/><force name='force' site='bracket'/>"
    "<torque name='torque' site='bracket'/>"
    "<contact name='net' geom1='floor' reduce='netforce' data='found force torque pos'/>"
    "<contact name='reverse' geom2='floor' reduce='netforce' data='found force torque pos'/>"
    "<contact name='each' body1='brick' data='force' num='4'/>"
    "<contact name='inside' site='under' subtree2='brick' num='6'/>"
    "<contact name='apart' geom1='brick' geom2='brick'/>"
    "<rangefinder name='range' site='wall'/></sensor></mujoco>";

TEST(forces_at_rest_carry_the_weight) {
  mjModel* m = load(still);
  mjData* d = test_data(m);
  mj_resetData(m, d);
  for (int step = 0; step < 3000; step++) {
    mj_step(m, d);
  }
  mj_forward(m, d);
  const mjtNum g = (mjtNum)9.81, weight = 2 * g, half = g, zero[3] = {0, 0, 0};
  assert_close(reading(m, d, "all"), &weight, 1, 1e-5);
  assert_close(reading(m, d, "half"), &half, 1, 1e-4);
  assert_close(reading(m, d, "none"), zero, 1, 0);

  // the first object is the floor: forces act on the brick
  const mjtNum *net = reading(m, d, "net"), *reverse = reading(m, d, "reverse");
  const mjtNum up[3] = {0, 0, weight};
  mjtNum down[3], other[3];
  v3_scl(down, up, -1);
  assert_that(net[0], ==, 4);
  assert_that(reverse[0], ==, 4);
  assert_close(net + 1, up, 3, 1e-5);
  assert_close(reverse + 1, down, 3, 1e-5);
  v3_scl(other, net + 4, -1);
  assert_close(reverse + 4, other, 3, 1e-9);
  assert_close(net + 7, reverse + 7, 3, 1e-12);
  mjtNum sum = 0;
  for (int k = 0; k < 4; k++) {
    sum += reading(m, d, "each")[3 * k];
  }
  assert_close(&sum, &weight, 1, 1e-5);
  assert_that(*reading(m, d, "inside"), ==, 4);
  assert_that(*reading(m, d, "apart"), ==, 0);

  // an accelerometer at rest feels the floor's push; on a fixed body it is dead
  const mjtNum lift[3] = {0, 0, g};
  assert_close(reading(m, d, "acc"), lift, 3, 1e-6);
  assert_close(reading(m, d, "wall"), zero, 3, 0);

  // the bracket holds the lamp: 3 g along the world's z, and its moment at 0.2 m
  mjtNum held[3] = {-3 * g, 0, 0}, moment[3] = {0, (mjtNum)-0.2 * 3 * g, 0};
  assert_close(reading(m, d, "force"), held, 3, 1e-9);
  assert_close(reading(m, d, "torque"), moment, 3, 1e-9);
  assert_close(reading(m, d, "range"), &(mjtNum){-1}, 1, 0);
  mj_deleteModel(m);
}

TEST(flag_keeps_old_readings) {
  mjModel* m = load("<mujoco><worldbody/><sensor><clock/></sensor></mujoco>");
  mjData* d = test_data(m);
  mj_step(m, d);
  mj_step(m, d);
  // the time of the state, not of what follows from it
  assert_that(d->sensordata[0], ==, m->opt.timestep);
  m->opt.disableflags |= mjDSBL_SENSOR;
  mj_step(m, d);
  assert_that(d->sensordata[0], ==, m->opt.timestep);
  m->opt.disableflags = 0;
  mj_forwardSkip(m, d, mjSTAGE_NONE, 1);
  assert_that(d->sensordata[0], ==, m->opt.timestep);
  mj_forwardSkip(m, d, mjSTAGE_POS, 0);
  assert_that(d->sensordata[0], ==, m->opt.timestep);
  mj_forward(m, d);
  assert_that(d->sensordata[0], ==, d->time);
  mj_resetData(m, d);
  assert_that(d->sensordata[0], ==, 0);
  mj_deleteModel(m);
}

static int calls[4];

static void read_user(const mjModel* m, mjData* d, int stage) {
  calls[stage]++;
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_type[i] == mjSENS_USER && m->sensor_needstage[i] == stage) {
      for (int k = 0; k < m->sensor_dim[i]; k++) {
        d->sensordata[m->sensor_adr[i] + k] = (mjtNum)(10 * stage - 25);
      }
    }
  }
}

TEST(users_sensors_are_read_once_a_stage_and_cut_off) {
  mjModel* m = load(
      "<mujoco><worldbody/><sensor><user dim='2' needstage='pos'/><user dim='1' needstage='pos'"
      " datatype='positive' cutoff='3'/><user dim='1' cutoff='3'/><user dim='3' datatype='axis'/>"
      "<user dim='1' needstage='none'/></sensor></mujoco>");
  mjData* d = test_data(m);
  mj_forward(m, d);
  assert_int_equal(calls[1] + calls[2] + calls[3], 0);
  mjcb_sensor = read_user;
  mj_forward(m, d);
  mjcb_sensor = NULL;
  assert_int_equal(calls[0], 0);
  assert_int_equal(calls[1], 1);
  assert_int_equal(calls[2], 0);
  assert_int_equal(calls[3], 1);
  const mjtNum expected[] = {-15, -15, -15, 3, 5, 5, 5, 0};
  assert_close(d->sensordata, expected, 8, 0);
  mj_deleteModel(m);
}

// 1 for subtree velocities, 2 for body forces: what a model with one sensor computes in a step.
static int computed_for(const char* sensor) {
  char xml[600];
  snprintf(xml, sizeof(xml),
           "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body name='b' pos='0 0 .09'>"
           "<freejoint/><geom size='.1'/><site name='s'/></body></worldbody>"
           "<sensor>%s</sensor></mujoco>",
           sensor);
  mjModel* m = load(xml);
  mjData* d = mj_makeData(m);
  d->qvel[0] = 1;
  mj_forward(m, d);
  int result = (d->subtree_linvel[3] != 0) + 2 * (d->cacc[5] != 0);
  mj_deleteData(d);
  mj_deleteModel(m);
  return result;
}

TEST(nothing_is_computed_that_no_sensor_needs) {
  assert_int_equal(computed_for(""), 0);
  assert_int_equal(computed_for("<touch site='s'/>"), 0);
  assert_int_equal(computed_for("<contact data='force'/>"), 0);
  assert_int_equal(computed_for("<velocimeter site='s'/>"), 0);
  assert_int_equal(computed_for("<framelinvel objtype='site' objname='s'/>"), 0);
  assert_int_equal(computed_for("<subtreecom body='b'/>"), 0);
  assert_int_equal(computed_for("<subtreelinvel body='b'/>"), 1);
  assert_int_equal(computed_for("<subtreeangmom body='b'/>"), 1);
  assert_int_equal(computed_for("<accelerometer site='s'/>"), 2);
  assert_int_equal(computed_for("<force site='s'/>"), 2);
  assert_int_equal(computed_for("<torque site='s'/>"), 2);
  assert_int_equal(computed_for("<framelinacc objtype='site' objname='s'/>"), 2);
  assert_int_equal(computed_for("<frameangacc objtype='site' objname='s'/>"), 2);
  assert_int_equal(computed_for("<user dim='1' needstage='pos'/>"), 0);
  assert_int_equal(computed_for("<user dim='1' needstage='vel'/>"), 1);
  assert_int_equal(computed_for("<user dim='1' needstage='acc'/>"), 2);
}

// Energies after a forward pass, with 7 in both before it.
static void energies(mjtNum out[2], const char* sensors, int enable, int disable) {
  char xml[400];
  snprintf(xml, sizeof(xml),
           "<mujoco><worldbody><body><freejoint/><geom size='.1' mass='2'/></body></worldbody>"
           "<sensor>%s</sensor></mujoco>",
           sensors);
  mjModel* m = load(xml);
  mjData* d = mj_makeData(m);
  m->opt.enableflags = enable;
  m->opt.disableflags = disable;
  d->qpos[2] = d->qvel[0] = 1;
  d->energy[0] = d->energy[1] = 7;
  mj_forward(m, d);
  memcpy(out, d->energy, sizeof(d->energy));
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(energies_are_there_if_somebody_asked) {
  const mjtNum zero[2] = {0, 0}, both[2] = {(mjtNum)19.62, 1}, stale[2] = {(mjtNum)19.62, 7};
  mjtNum energy[2];
  energies(energy, "", 0, 0);
  assert_close(energy, zero, 2, 0);
  energies(energy, "", mjENBL_ENERGY, 0);
  assert_close(energy, both, 2, 1e-12);
  energies(energy, "<e_potential/><e_kinetic/>", 0, 0);
  assert_close(energy, both, 2, 1e-12);
  energies(energy, "<e_potential/>", 0, 0);
  assert_close(energy, stale, 2, 1e-12);
  energies(energy, "<e_kinetic/>", 0, 0);
  assert_close(energy, zero, 2, 0);
  energies(energy, "<e_kinetic/>", mjENBL_ENERGY, 0);
  assert_close(energy, both, 2, 1e-12);
  energies(energy, "<e_potential/><e_kinetic/>", mjENBL_ENERGY, mjDSBL_SENSOR);
  assert_close(energy, both, 2, 1e-12);
}

TEST(reduced_contacts_are_the_best_in_order) {
  mjModel* m = load(
      "<mujoco><worldbody><geom type='plane' size='2 2 1'/>"
      "<body pos='0 0 .09'><freejoint/><geom size='.1'/></body>"
      "<body pos='1 0 .07'><freejoint/><geom size='.1'/></body>"
      "<body pos='-1 0 .08'><freejoint/><geom size='.1'/></body>"
      "<body pos='0 1 .07'><freejoint/><geom size='.1'/></body></worldbody><sensor>"
      "<contact name='first' data='found dist' num='3'/>"
      "<contact name='near' data='found dist pos' reduce='mindist' num='3'/>"
      "<contact name='hard' data='force' reduce='maxforce' num='9'/></sensor></mujoco>");
  mjData* d = test_data(m);
  mj_forward(m, d);
  const mjtNum first[6] = {4, (mjtNum)-0.01, 4, (mjtNum)-0.03, 4, (mjtNum)-0.02};
  assert_close(reading(m, d, "first"), first, 6, 1e-12);
  const mjtNum* near = reading(m, d, "near");
  const mjtNum depth[3] = {(mjtNum)-0.03, (mjtNum)-0.03, (mjtNum)-0.02};
  for (int k = 0; k < 3; k++) {
    assert_that(near[5 * k], ==, 4);
    assert_close(near + 5 * k + 1, depth + k, 1, 1e-12);
  }
  // equally deep: as they come
  assert_that(near[2], ==, 1);
  assert_that(near[5 + 2], ==, 0);
  const mjtNum* hard = reading(m, d, "hard");
  assert_that(hard[0], >=, hard[3]);
  assert_that(hard[3], >=, hard[6]);
  assert_that(hard[6], >=, hard[9]);
  assert_that(hard[9], >, 0);
  for (int k = 12; k < 27; k++) {
    assert_that(hard[k], ==, 0);
  }
  mj_deleteModel(m);
}

TEST(sites_contain_what_is_inside_their_shape) {
  mjModel* m = test_model(
      "<mujoco><worldbody><site type='sphere' size='.2' pos='1 0 0'/><site type='box' "
      "size='.1 .2 .3' pos='1 0 0' euler='0 0 90'/></worldbody></mujoco>");
  mjData* d = test_data(m);
  mj_forward(m, d);
  const mjtNum center[3] = {1, 0, 0}, right[3] = {(mjtNum)1.15, 0, 0}, on[3] = {(mjtNum)1.25, 0, 0};
  for (int site = 0; site < 2; site++) {
    assert_int_equal(mj_insideSite(m, d, site, center), 1);
    assert_int_equal(mj_insideSite(m, d, site, right), 1);
    assert_int_equal(mj_insideSite(m, d, site, on), 0);
  }
  assert_error(mj_insideSite(m, d, 2, center), "mj_insideSite: site 2");
}
