// Trees at rest fall asleep, stay where they are, cost nothing, and wake when something acts on
// them, as if they had been awake.                                         theory/time/sleep.md

#include "step/sleep.h"

#include <condyle/batch.h>
#include <condyle/derivative.h>
#include <mujoco/mjbatch.h>

#include "model/data/awake.h"
#include "support/caught.h"
#include "support/load.h"
#include "support/near.h"
#include "support/precision.h"
#include "support/recorded.h"
#include "support/test.h"

#define FLAG "<option><flag sleep='enable'/></option>"
#define PLANE "<geom type='plane' size='9 9 .1'/>"
#define BOX(attributes) "<body " attributes "><freejoint/><geom type='box' size='.1 .1 .1'/></body>"

static const char stack[] = "<mujoco>" FLAG "<worldbody>" PLANE BOX("name='low' pos='0 0 .1'")
    BOX("pos='0 0 .3'") BOX("name='far' pos='3 0 .1'") "</worldbody></mujoco>";

static void steps(const mjModel* m, mjData* d, int n) {
  for (int i = 0; i < n; i++) {
    mj_step(m, d);
  }
}

// Steps until n trees sleep.
static void until_asleep(const mjModel* m, mjData* d, int n) {
  for (int i = 0; i < 1000 && m->ntree - d->ntree_awake < n; i++) {
    mj_step(m, d);
  }
  assert_that(m->ntree - d->ntree_awake, ==, n);
}

static mjData* sleeping(const mjModel* m) {
  mjData* d = test_data(m);
  until_asleep(m, d, m->ntree);
  return d;
}

// falling asleep

TEST(a_pile_falls_asleep_and_never_moves) {
  mjModel* m = test_model(stack);
  mjData* d = sleeping(m);
  mjData* then = test_own_data(mj_copyData(NULL, m, d), m);
  steps(m, d, 500);
  assert_memory_equal(d->qpos, then->qpos, (size_t)m->nq * sizeof(mjtNum));
  assert_memory_equal(d->xpos, then->xpos, 3 * (size_t)m->nbody * sizeof(mjtNum));
  for (int i = 0; i < m->nv; i++) {
    assert_true(d->qvel[i] == 0 && d->qacc[i] == 0);
  }
  assert_that(d->ncon, ==, 0);
  assert_that(d->nefc, ==, 0);
  assert_that(d->nv_awake, ==, 0);
  assert_that(d->nbody_awake, ==, 1);
  assert_that(d->cnd_nrun, ==, 2);
}

TEST(the_stack_sleeps_together_and_the_single_box_alone) {
  mjModel* m = test_model(stack);
  mjData* d = sleeping(m);
  const int cycles[] = {1, 0, 2};
  assert_memory_equal(d->tree_asleep, cycles, sizeof(cycles));
}

TEST(without_the_flag_nothing_sleeps) {
  mjModel* m = test_model(stack);
  m->opt.enableflags = 0;
  mjData* d = test_data(m);
  steps(m, d, 300);
  assert_that(d->ntree_awake, ==, 3);
  assert_that(d->tree_asleep[0], ==, FULLY_AWAKE);
}

TEST(disabled_islands_tell_nobody_who_belongs_together) {
  mjModel* m = test_model(stack);
  m->opt.disableflags |= mjDSBL_ISLAND;
  mjData* d = test_data(m);
  steps(m, d, 300);
  assert_that(d->ntree_awake, ==, 3);
}

TEST(nothing_sleeps_with_a_negative_tolerance) {
  mjModel* m = test_model(stack);
  m->opt.sleep_tolerance = -1;
  mjData* d = test_data(m);
  steps(m, d, 300);
  assert_that(d->ntree_awake, ==, 3);
}

// The numbers of the release that brought sleep, in which a ball wakes a pile, and a push a box.
TEST(sleep_and_waking_are_recorded) {
  DOUBLE_ONLY();
  enum {
    STEPS = 900
  };
  static mjtNum counters[5 * STEPS], sizes[5 * STEPS];
  mjModel* m = test_model_file("tests/models/since/sleep_logs.xml");
  mjData* d = test_data(m);
  assert_recorded("sleep_dof_length", m->dof_length, (size_t)m->nv);
  for (int i = 0; i < STEPS; i++) {
    if (i == 300) {
      d->qvel[24] = 5;
    }
    d->xfrc_applied[24] = i >= 700 && i < 710 ? 20 : 0;
    mj_step(m, d);
    const int size[] = {d->ncon, d->nefc, d->nv_awake, d->nbody_awake, d->nparent_awake};
    for (int k = 0; k < 5; k++) {
      counters[5 * i + k] = d->tree_asleep[k];
      sizes[5 * i + k] = size[k];
    }
  }
  assert_recorded("sleep_counters", counters, sizeof(counters) / sizeof(mjtNum));
  assert_recorded("sleep_sizes", sizes, sizeof(sizes) / sizeof(mjtNum));
  mjtNum state[100];
  mju_copy(state, d->qpos, m->nq);
  mju_copy(state + m->nq, d->qvel, m->nv);
  mju_copy(state + m->nq + m->nv, d->sensordata, m->nsensordata);
  assert_recorded("sleep_state", state, (size_t)(m->nq + m->nv + m->nsensordata));
}

// waking

// The box alone, and the stack whose lower box something touches, have to wake.
static void assert_wakes(const mjModel* m, mjData* d) {
  mj_forward(m, d);
  const int awake[] = {1, 1, 0};
  assert_memory_equal(d->tree_awake, awake, sizeof(awake));
  assert_that(d->nv_awake, ==, 12);
  assert_that(d->ncon, ==, 8);
}

TEST(a_force_on_a_body_wakes_its_pile) {
  mjModel* m = test_model(stack);
  mjData* d = sleeping(m);
  d->xfrc_applied[6] = 1;
  assert_wakes(m, d);
}

TEST(a_generalized_force_wakes) {
  mjModel* m = test_model(stack);
  mjData* d = sleeping(m);
  d->qfrc_applied[7] = 1;
  assert_wakes(m, d);
}

TEST(minus_zero_wakes) {
  mjModel* m = test_model(stack);
  mjData* d = sleeping(m);
  d->qvel[0] = -(mjtNum)0;
  assert_wakes(m, d);
}

TEST(a_new_position_wakes) {
  mjModel* m = test_model(stack);
  mjData* d = sleeping(m);
  d->qpos[7] += (mjtNum)1e-3;
  assert_wakes(m, d);
}

TEST(a_policy_wakes) {
  mjModel* m = test_model(stack);
  mjData* d = sleeping(m);
  m->tree_sleep_policy[1] = mjSLEEP_NEVER;
  assert_wakes(m, d);
}

TEST(the_flag_wakes_all) {
  mjModel* m = test_model(stack);
  mjData* d = sleeping(m);
  m->opt.enableflags = 0;
  mj_forward(m, d);
  assert_that(d->ntree_awake, ==, 3);
  assert_that(d->ncon, ==, 12);
}

TEST(a_state_that_moves_a_tree_wakes_it) {
  mjModel* m = test_model(stack);
  mjData *d = test_data(m), *then = test_data(m);
  steps(m, d, 3);
  until_asleep(m, then, 3);
  mjtNum state[100];
  assert_that(mj_stateSize(m, mjSTATE_INTEGRATION), <=, 100);
  mj_getState(m, then, state, mjSTATE_INTEGRATION);
  mj_setState(m, then, state, mjSTATE_INTEGRATION);
  mj_forward(m, then);
  assert_that(then->ntree_awake, ==, 0);
  mj_getState(m, d, state, mjSTATE_INTEGRATION);
  mj_setState(m, then, state, mjSTATE_INTEGRATION);
  mj_forward(m, then);
  assert_that(then->ntree_awake, ==, 3);
}

TEST(a_flying_box_wakes_what_it_hits) {
  mjModel* m = test_model("<mujoco>" FLAG "<worldbody>" PLANE BOX("pos='0 0 .1'") BOX(
      "pos='0 0 .3'") "<body pos='-2 0 .15'><joint name='x' type='slide' axis='1 0 0'/>"
                      "<geom size='.1'/></body></worldbody></mujoco>");
  mjData* d = sleeping(m);
  d->qvel[12] = 2;
  mj_step(m, d);
  assert_that(d->ntree_awake, ==, 1);
  int hit = 0;
  for (int i = 0; i < 1000 && !hit; i++) {
    mj_step(m, d);
    hit = d->ntree_awake == 3;
    assert_true(hit || (d->ncon == 0 && d->qpos[0] == d->cnd_qpos_asleep[0]));
  }
  assert_true(hit);
  // the contacts inside of the stack and with the floor are there at once
  assert_that(d->ncon, >=, 9);
  steps(m, d, 50);
  assert_that(d->qpos[0], >, (mjtNum)1e-3);
}

TEST(mocap_bodies_wake_what_they_touch_and_carry) {
  mjModel* m = test_model("<mujoco>" FLAG "<worldbody>" PLANE BOX(
      "pos='0 0 .1'") "<body mocap='true' pos='2 0 .1'><geom type='box' size='.1 .1 .1'/><body "
                      "pos='0 0 1'>"
                      "<joint axis='1 0 0' damping='1'/><geom size='.05' pos='0 0 "
                      "-.2'/></body></body>"
                      "</worldbody></mujoco>");
  mjData* d = sleeping(m);
  d->mocap_pos[1] = (mjtNum).01;
  mj_forward(m, d);
  assert_that(d->tree_awake[0], ==, 0);
  assert_that(d->tree_awake[1], ==, 1);
  until_asleep(m, d, 2);
  d->mocap_pos[0] = (mjtNum).19;
  mj_forward(m, d);
  assert_that(d->tree_awake[0], ==, 1);
}

TEST(an_equality_wakes_both_ends) {
  mjModel* m = test_model("<mujoco>" FLAG "<worldbody>" PLANE BOX("name='a' pos='0 0 .1'") BOX(
      "name='b' pos='1 0 .1'") "</worldbody><equality>"
                               "<connect active='false' body1='a' body2='b' anchor='.5 0 0'/>"
                               "</equality></mujoco>");
  mjData* d = sleeping(m);
  mj_forward(m, d);
  assert_that(d->ntree_awake, ==, 0);
  d->eq_active[0] = 1;
  mj_forward(m, d);
  assert_that(d->ntree_awake, ==, 2);
  assert_that(d->ne, ==, 3);

  // then they sleep together
  until_asleep(m, d, 2);
  assert_that(d->tree_asleep[0], ==, 1);
  steps(m, d, 20);
  assert_that(d->ntree_awake, ==, 0);
}

TEST(a_tendon_at_its_limit_wakes) {
  mjModel* m = test_model(
      "<mujoco>" FLAG "<worldbody>" PLANE
      "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/><site name='a'/></body>"
      "<body pos='1 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/><site name='b'/></body>"
      "</worldbody><tendon><spatial limited='true' range='0 1.1'><site site='a'/>"
      "<site site='b'/></spatial></tendon></mujoco>");
  mjData* d = sleeping(m);
  d->qpos[0] = (mjtNum)-.05;
  mj_forward(m, d);
  assert_that(d->ntree_awake, ==, 1);
  d->qpos[0] = (mjtNum)-.2;
  mj_forward(m, d);
  assert_that(d->ntree_awake, ==, 2);
  assert_that(d->nl, ==, 1);
}

// Woken trees go on like trees that have always been awake, with zero velocity there.
TEST(woken_trees_move_bit_for_bit_as_if_awake) {
  mjModel* m = test_model(stack);
  mjData* d = sleeping(m);
  mjData* never = test_own_data(mj_copyData(NULL, m, d), m);
  steps(m, d, 100);
  awake_wake_all(m, never);
  d->xfrc_applied[6] = never->xfrc_applied[6] = 150;
  d->xfrc_applied[18] = never->xfrc_applied[18] = 150;
  for (int i = 0; i < 100; i++) {
    mj_step(m, d);
    mj_step(m, never);
    assert_memory_equal(d->qpos, never->qpos, (size_t)m->nq * sizeof(mjtNum));
    assert_memory_equal(d->qvel, never->qvel, (size_t)m->nv * sizeof(mjtNum));
    assert_memory_equal(d->qacc, never->qacc, (size_t)m->nv * sizeof(mjtNum));
    assert_memory_equal(d->cvel, never->cvel, 6 * (size_t)m->nbody * sizeof(mjtNum));
  }
  assert_that(d->qpos[0], >, (mjtNum)1e-3);
}

// A static body with two chains, whose common reference point one of them moves.
TEST(chains_on_one_static_body_wake_with_true_jacobians) {
  mjModel* m = test_model(
      "<mujoco>" FLAG
      "<worldbody><body name='wall'><geom size='.01' pos='0 9 0'/>"
      "<body pos='0 0 0'><joint axis='0 1 0' damping='2'/><geom size='.1' pos='0 0 -.5'/></body>"
      "<body pos='.4 0 0'><joint name='swing' axis='0 1 0'/><geom size='.1' pos='0 0 -.5'/></body>"
      "</body></worldbody></mujoco>");
  mjData *d = test_data(m), *never = test_data(m);
  d->qpos[1] = never->qpos[1] = (mjtNum)-.5;
  until_asleep(m, d, 1);
  int hit = 0;
  for (int i = 0; i < 2000 && !hit; i++) {
    mj_step(m, d);
    hit = d->ntree_awake == 2;
  }
  assert_true(hit);
  mju_copy(never->qpos, d->qpos, m->nq);
  mju_copy(never->qvel, d->qvel, m->nv);
  mj_forward(m, d);
  mj_forward(m, never);
  assert_that(d->nefc, >, 0);
  assert_that(d->nefc, ==, never->nefc);
  assert_memory_equal(d->cdof, never->cdof, 6 * (size_t)m->nv * sizeof(mjtNum));
  assert_memory_equal(d->efc_J, never->efc_J, (size_t)(d->nefc * m->nv) * sizeof(mjtNum));
}

// others

TEST(others_do_not_notice) {
  static const char robot[] =
      "<mujoco>" FLAG "<worldbody>" PLANE BOX("pos='0 0 .1'") "<body pos='0 2 1'>"
      "<joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .4 0 0' size='.04'/>"
      "<body pos='.4 0 0'><joint axis='0 1 0' damping='.1'/>"
      "<geom type='capsule' fromto='0 0 0 .4 0 0' size='.04'/></body></body>" BOX(
          "pos='1 0 .1'") "</worldbody></mujoco>";
  static const int integrators[] = {mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST, mjINT_RK4,
                                    mjINT_DISCRETE};
  for (int k = 0; k < 5; k++) {
    mjModel* m = test_model(robot);
    m->opt.integrator = integrators[k];
    mjData *d = test_data(m), *awake = test_data(m);
    for (int i = 0; i < 300; i++) {
      mj_step(m, d);
      m->opt.enableflags = 0;
      mj_step(m, awake);
      m->opt.enableflags = mjENBL_SLEEP;
      assert_close(d->qpos + 7, awake->qpos + 7, 2, 1e-13);
      assert_close(d->qvel + 6, awake->qvel + 6, 2, 1e-12);
    }
    assert_that(d->ntree_awake, ==, 1);
  }
}

TEST(copies_sleep_on) {
  mjModel* m = test_model(stack);
  mjData* d = sleeping(m);
  mjData* copy = test_own_data(mj_copyData(NULL, m, d), m);
  d->xfrc_applied[18] = copy->xfrc_applied[18] = 5;
  for (int i = 0; i < 50; i++) {
    mj_step(m, d);
    mj_step(m, copy);
    assert_memory_equal(d->qpos, copy->qpos, (size_t)m->nq * sizeof(mjtNum));
    assert_memory_equal(d->tree_asleep, copy->tree_asleep, 3 * sizeof(int));
  }
  assert_that(copy->ntree_awake, ==, 1);
  mj_resetData(m, copy);
  assert_that(copy->ntree_awake, ==, 3);
}

TEST(numbers_that_lead_nowhere_do_no_harm) {
  mjModel* m = test_model(stack);
  mjData* d = sleeping(m);
  d->tree_asleep[0] = 1000000;
  d->tree_asleep[1] = 2;
  d->xfrc_applied[6] = d->xfrc_applied[12] = 1;
  steps(m, d, 3);
  mj_resetData(m, d);
  for (int t = 0; t < 3; t++) {
    d->tree_asleep[t] = 7 * t;
  }
  steps(m, d, 3);
  assert_that(d->ntree_awake, ==, 3);
}

// policies

TEST(authors_and_the_compiler_decide_who_may_sleep) {
  mjModel* m = test_model(
      "<mujoco><worldbody>" BOX("pos='0 0 5' sleep='init'") BOX("pos='1 0 5' sleep='never'")
          "<body sleep='allowed'><joint name='a'/><geom size='.1'/></body>"
          "<body pos='3 0 0'><joint name='b'/><geom size='.1'/></body>"
          "<body pos='4 0 0'><joint name='c'/><geom size='.1'/></body>"
          "<body pos='5 0 0'><joint name='d'/><geom size='.1'/></body>"
          "<body pos='6 0 0'><joint name='e'/><geom size='.1'/></body></worldbody>"
          "<tendon><fixed stiffness='1'><joint joint='c' coef='1'/><joint joint='d' coef='1'/>"
          "</fixed></tendon><actuator><motor joint='a'/><motor joint='b'/></actuator></mujoco>");
  const int policy[] = {mjSLEEP_INIT,        mjSLEEP_NEVER,      mjSLEEP_ALLOWED,
                        mjSLEEP_AUTO_NEVER,  mjSLEEP_AUTO_NEVER, mjSLEEP_AUTO_NEVER,
                        mjSLEEP_AUTO_ALLOWED};
  assert_memory_equal(m->tree_sleep_policy, policy, sizeof(policy));

  // what authors have said is in binary models
  char buffer[100000];
  assert_that(mj_sizeModel(m), <=, (int)sizeof(buffer));
  mj_saveModel(m, NULL, buffer, sizeof(buffer));
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "m.mjb", buffer, mj_sizeModel(m));
  mjModel* read = test_own_model(mj_loadModel("m.mjb", &vfs));
  mj_deleteVFS(&vfs);
  assert_memory_equal(read->tree_sleep_policy, policy, sizeof(policy));
  assert_memory_equal(read->dof_length, m->dof_length, (size_t)m->nv * sizeof(mjtNum));
  assert_memory_equal(read->tree_bodyadr, m->tree_bodyadr, (size_t)m->ntree * sizeof(int));

  // a spring that a program adds keeps its trees awake
  m->tendon_stiffness[0] = 0;
  mjData* d = test_data(m);
  mj_setConst(m, d);
  assert_that(m->tree_sleep_policy[4], ==, mjSLEEP_AUTO_ALLOWED);
}

static void refuse(const char* xml, const char* text) {
  mjSpec* spec = test_spec(xml);
  assert_null(mj_compile(spec, NULL));
  assert_non_null(strstr(mjs_getError(spec), text));
}

TEST(what_can_not_sleep_is_refused) {
  refuse(
      "<mujoco><worldbody><body name='b' sleep='never'><geom size='.1'/></body></worldbody>"
      "</mujoco>",
      "body 'b' has the attribute sleep");
  refuse(
      "<mujoco><worldbody><body sleep='init'><joint name='a'/><geom size='.1'/></body>"
      "<body><joint name='b'/><geom size='.1'/></body></worldbody><tendon><fixed damping='1'>"
      "<joint joint='a' coef='1'/><joint joint='b' coef='1'/></fixed></tendon></mujoco>",
      "another tree by a spring or damper");
  refuse("<mujoco>" FLAG
         "<custom><text name='condyle.contact' data='hard'/></custom>"
         "<worldbody>" BOX("") "</worldbody></mujoco>",
         "hard contacts");
}

TEST(who_can_not_know_of_sleep_refuses_it) {
  mjModel* m = test_model(stack);
  mjData* d = test_data(m);
  mjtNum A[36 * 36];
  assert_error(cnd_makeBatch(m, 2, 1), "flag sleep");
  assert_error(mjd_transitionFD(m, d, 1e-6, 0, A, NULL, NULL, NULL), "flag sleep");
  assert_error(cnd_transitionExact(m, d, A, NULL, NULL, NULL), "flag sleep");
}

TEST(persistent_simulations_sleep_as_a_loop_does) {
  mjModel* m = test_model(stack);
  char error[200] = "";
  mjBatchConfig config;
  mjb_defaultConfig(&config);
  assert_null(mjb_makeBatch(m, 2, &config, error, sizeof(error)));
  assert_non_null(strstr(error, "sleep and IPC require a persistent batch"));
  config.persistent = 1;
  mjBatch* b = mjb_makeBatch(m, 2, &config, error, sizeof(error));
  assert_non_null(b);
  mjData* d = test_data(m);
  for (int i = 0; i < 300; i++) {
    assert_that(mjb_step(b, NULL, 0, 1, mjSTAGE_ACC), ==, 0);
    mj_step(m, d);
  }
  assert_that(d->ntree_awake, ==, 0);
  assert_memory_equal(mjb_state(b) + 1, d->qpos, (size_t)m->nq * sizeof(mjtNum));
  mjb_deleteBatch(b);
}

// asleep from the start

TEST(trees_begin_asleep_where_nothing_holds_them) {
  mjModel* m = test_model("<mujoco>" FLAG "<worldbody>" PLANE BOX("pos='0 0 1' sleep='init'")
                              BOX("pos='0 0 1.15' sleep='init'") BOX("pos='0 .02 3'")
                                  "</worldbody><keyframe><key qpos='0 0 2 1 0 0 0 0 0 2.15 1 0 0 0 "
                                  "0 .02 3 1 0 0 0'/></keyframe></mujoco>");
  mjData* d = test_data(m);
  const int cycles[] = {1, 0};
  assert_memory_equal(d->tree_asleep, cycles, sizeof(cycles));
  assert_that(d->tree_asleep[2], <, 0);
  assert_that(d->ncon, ==, 0);
  mjtNum height = d->qpos[2];
  for (int i = 0; i < 1000 && d->ntree_awake == 1; i++) {
    assert_that(d->qpos[2], ==, height);
    mj_step(m, d);
  }
  assert_that(d->ntree_awake, ==, 3);
  steps(m, d, 50);
  assert_that(d->qpos[2], <, height);

  mj_resetDataKeyframe(m, d, 0);
  mj_forward(m, d);
  assert_that(d->ntree_awake, ==, 3);
}

TEST(trees_that_touch_others_do_not_begin_asleep) {
  mjModel* m = test_model("<mujoco>" FLAG "<worldbody>" BOX("name='held' pos='0 0 1' sleep='init'")
                              BOX("pos='0 0 1.15'") "</worldbody></mujoco>");
  mju_user_warning = keep_warning;
  mjData* d = test_data(m);
  mju_user_warning = NULL;
  assert_that(d->ntree_awake, ==, 2);
  assert_non_null(strstr(warning_text, "'held'"));
}

// what is measured

TEST(sensors_keep_what_they_measured) {
  mjModel* m = test_model(
      "<mujoco>" FLAG "<worldbody>" PLANE
      "<body name='b' pos='0 0 .1'><freejoint/>"
      "<geom type='box' size='.1 .1 .1'/><site name='s' type='box' size='.2 .2 .2'/></body>"
      "<site name='eye' pos='0 0 2' zaxis='0 0 -1'/></worldbody><sensor><touch site='s'/>"
      "<framelinvel objtype='body' objname='b'/><rangefinder "
      "site='eye'/><clock/></sensor></mujoco>");
  mjData* d = sleeping(m);
  mjtNum touch = d->sensordata[0], time = d->sensordata[5];
  assert_that(touch, >, 1);
  assert_that(d->sensordata[3], ==, 0);
  steps(m, d, 20);
  assert_that(d->sensordata[0], ==, touch);
  assert_close(d->sensordata + 4, &(mjtNum){1.8}, 1, 1e-4);
  assert_that(d->sensordata[5], >, time);
}
