// Controllers, orientations and motors: numbers of the newest release, and what they are by
// definition.

#include <condyle/diagnostic.h>

#include "support/load.h"
#include "support/near.h"
#include "support/precision.h"
#include "support/recorded.h"
#include "support/test.h"

static const char* const inputs = "tests/models/since/inputs.xml";

// numbers of the newest release

static void assert_ints(const char* name, const int* x, size_t n) {
  mjtNum* expected = recorded(name, n);
  for (size_t i = 0; i < n; i++) {
    if (x[i] != (int)expected[i]) {
      fail_msg("%s[%zu] is %d, recorded %d", name, i, x[i], (int)expected[i]);
    }
  }
  free(expected);
}

TEST(sizes_and_parameters_are_those_of_the_newest_release) {
  DOUBLE_ONLY();
  mjModel* m = test_model_file("%s", inputs);
  int sizes[4] = {(int)m->nactuator, (int)m->nu, (int)m->nout, (int)m->na};
  size_t n = (size_t)m->nactuator, nu = (size_t)m->nu, nout = (size_t)m->nout;
  assert_ints("inputs_sizes", sizes, 4);
  assert_ints("inputs_ctrladr", m->actuator_ctrladr, n);
  assert_ints("inputs_ctrlnum", m->actuator_ctrlnum, n);
  assert_ints("inputs_outadr", m->actuator_outadr, n);
  assert_ints("inputs_actnum", m->actuator_actnum, n);
  assert_recorded("inputs_gainprm", m->actuator_gainprm, n * mjNGAIN);
  assert_recorded("inputs_biasprm", m->actuator_biasprm, n * mjNBIAS);
  assert_recorded("inputs_dynprm", m->actuator_dynprm, n * mjNDYN);
  assert_recorded("inputs_ctrlrange", m->actuator_ctrlrange, nu * 2);
  assert_recorded("inputs_forcerange", m->actuator_forcerange, n * 2);
  assert_recorded("inputs_acc0", m->actuator_acc0, nout);
  assert_recorded("inputs_gear", m->actuator_gear, nout * 6);
}

static void integrator_moves_alike(int integrator) {
  DOUBLE_ONLY();
  mjModel* m = test_model_file("%s", inputs);
  m->opt.integrator = integrator;
  mjData* d = test_data(m);
  for (int i = 0; i < 200; i++) {
    for (int k = 0; k < m->nu; k++) {
      d->ctrl[k] = mju_sin((mjtNum)0.1 * i + k);
    }
    mj_step(m, d);
  }
  const struct {
    const mjtNum* x;
    int n;
  } parts[] = {{d->qpos, (int)m->nq},
               {d->qvel, (int)m->nv},
               {d->act, (int)m->na},
               {d->actuator_length, (int)m->nout},
               {d->actuator_force, (int)m->nout},
               {d->sensordata, (int)m->nsensordata},
               {d->history, (int)m->nhistory}};
  mjtNum all[400];
  int total = 0;
  for (size_t k = 0; k < sizeof(parts) / sizeof(parts[0]); k++) {
    mju_copy(all + total, parts[k].x, parts[k].n);
    total += parts[k].n;
  }
  char name[40];
  snprintf(name, sizeof(name), "inputs_steps_%d", integrator);
  assert_recorded(name, all, (size_t)total);
}

TEST(steps_of_euler_are_those_of_the_newest_release) {
  integrator_moves_alike(mjINT_EULER);
}

#define SWING(options, actuator)                                                            \
  "<mujoco><option " options                                                                \
  "/><worldbody><body><joint name='j' axis='0 1 0'/><geom "                                 \
  "type='capsule' fromto='0 0 0 0 0 .5' size='.05'/></body></worldbody><actuator>" actuator \
  "</actuator></mujoco>"

TEST(a_controller_with_everything_moves_as_that_of_the_newest_release) {
  DOUBLE_ONLY();
  mjModel* m =
      test_model(SWING("timestep='.01'",
                       "<pid joint='j' kp='20' kv='2' ki='5' imax='.05' slewmax='1.5' "
                       "input='pos vel ff' posrange='-3 3' velrange='-1 1' ffrange='-2 2'/>"));
  mjData* d = test_data(m);
  for (int i = 0; i < 200; i++) {
    d->ctrl[0] = 4 * mju_sin((mjtNum)i / 30);
    d->ctrl[1] = 2 * mju_cos((mjtNum)i / 20);
    d->ctrl[2] = 3 * mju_sin((mjtNum)i / 7);
    mj_step(m, d);
  }
  assert_near(d->qpos[0], -.41959429521, 1e-10);
  assert_near(d->act[0], -.075, 1e-10);
  assert_near(d->act[1], -.0354106838416, 1e-10);
  assert_near(d->actuator_force[0], 8.30541770022, 1e-10);
}

TEST(a_motor_with_everything_moves_as_that_of_the_newest_release) {
  DOUBLE_ONLY();
  mjModel* m = test_model(
      SWING("timestep='.002'",
            "<dcmotor joint='j' gear='3' motorconst='.05 .06' resistance='.8' inductance='.002' "
            "thermal='2 0 10 .004 25 20' cogging='.01 6 .3' lugre='50 .2 .02 .03 .1' "
            "controller='2 5 .1 20 .02 12' saturation='0 6 3000' input='pos vel ff voltage' "
            "damping='.001'/>"));
  mjData* d = test_data(m);
  for (int i = 0; i < 400; i++) {
    d->ctrl[0] = (mjtNum)1.5 * mju_sin((mjtNum)i / 60);
    d->ctrl[1] = (mjtNum).5 * mju_cos((mjtNum)i / 20);
    d->ctrl[2] = (mjtNum).05 * mju_sin((mjtNum)i / 15);
    d->ctrl[3] = (mjtNum).4 * mju_sin((mjtNum)i / 33);
    mj_step(m, d);
  }
  assert_near(d->qpos[0], 1.62070226592, 1e-9);
  assert_near(d->act[0], .537965780239, 1e-9);
  assert_near(d->act[1], -.02, 1e-9);
  assert_near(d->act[2], 26.357020596, 1e-7);
  assert_near(d->act[3], .0004, 1e-9);
  assert_near(d->act[4], -15.3647219353, 1e-7);
  assert_near(d->actuator_force[0], -.356736363803, 1e-9);
}

TEST(servos_of_orientations_move_as_those_of_the_newest_release) {
  DOUBLE_ONLY();
  static const mjtNum ctrl[] = {1, -2, .5, .2, .4, -.6, 1};
  static const mjtNum qpos[] = {-.194402557165, -.577901242057, .767455486055, -.198115817442};
  static const mjtNum force[] = {-.56780069549, .812174262115,  .134072137891,
                                 1.73823981634, -.345111470006, 2.08901497139};
  mjModel* m = test_model(
      "<mujoco><option timestep='.005'/><worldbody><site name='w' euler='10 20 30'/><body><joint "
      "name='b' type='ball'/><geom type='box' size='.1 .2 .3' mass='1'/><site name='s' euler='40 "
      "50 "
      "-60'/></body></worldbody><actuator><orientation joint='b' kp='3' kv='.4' forcerange='0 1'/>"
      "<orientation site='s' refsite='w' kp='2' kv='.1' input='quat'/></actuator></mujoco>");
  mjData* d = test_data(m);
  mju_copy(d->ctrl, ctrl, 7);
  for (int i = 0; i < 100; i++) {
    mj_step(m, d);
  }
  for (int k = 0; k < 4; k++) {
    assert_near(d->qpos[k], qpos[k], 1e-9);
  }
  for (int k = 0; k < 6; k++) {
    assert_near(d->actuator_force[k], force[k], 1e-9);
  }
}

TEST(all_controls_of_a_controller_are_kept_in_its_history) {
  static const mjtNum expected[] = {0, 0, .03, .01, .02, 4, 40, 2, 20, 3, 30};
  mjModel* m = test_model(SWING("timestep='.01'", "<pid joint='j' nsample='3' delay='.02'/>"));
  mjData* d = test_data(m);
  for (int i = 0; i < 4; i++) {
    d->ctrl[0] = i + 1;
    d->ctrl[1] = 10 * (mjtNum)(i + 1);
    mj_step(m, d);
  }
  assert_that((int)m->nhistory, ==, 11);
  for (int k = 0; k < 11; k++) {
    assert_near(d->history[k], expected[k], 1e-6);
  }
}

// what they are by definition

TEST(a_reset_leaves_quaternions_of_controls_that_turn_nothing) {
  mjModel* m = test_model_file("%s", inputs);
  mjData* d = test_data(m);
  int control = m->actuator_ctrladr[mj_name2id(m, mjOBJ_ACTUATOR, "turn")];
  assert_near(d->ctrl[control], 1, 0);
  d->ctrl[control] = 0.3;
  mj_resetCtrl(m, d);
  assert_near(d->ctrl[control], 1, 0);
  mj_resetDataKeyframe(m, d, 0);
  assert_near(d->ctrl[control], 0, 0);
  assert_string_equal(mj_actuatorInputName(m, 6, 0), "qw");
  assert_string_equal(mj_actuatorInputName(m, 0, 2), "ff");
  assert_null(mj_actuatorInputName(m, 0, 3));
}

TEST(a_saved_model_of_several_inputs_is_the_same_when_it_is_read_again) {
  DOUBLE_ONLY();
  mjModel* m = test_model_file("%s", inputs);
  int bytes = mj_sizeModel(m);
  char* buffer = malloc((size_t)bytes);
  mj_saveModel(m, NULL, buffer, bytes);
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "a.mjb", buffer, bytes);
  mjModel* other = test_own_model(mj_loadModel("a.mjb", &vfs));
  mj_deleteVFS(&vfs);
  free(buffer);
  for (int i = 0; i < (int)m->nactuator; i++) {
    assert_that(other->actuator_ctrlspec[i], ==, m->actuator_ctrlspec[i]);
    assert_that(other->actuator_ctrladr[i], ==, m->actuator_ctrladr[i]);
    assert_that(other->actuator_outadr[i], ==, m->actuator_outadr[i]);
  }
}
