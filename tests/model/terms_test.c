// Springs and dampers as polynomials, and what actuators add to joints and tendons: the numbers of
// the newest release, and energy by work.

#include "support/load.h"
#include "support/near.h"
#include "support/precision.h"
#include "support/recorded.h"
#include "support/test.h"

static mjData* at_state(const mjModel* m) {
  static const mjtNum qpos[] = {0.7, 0.1, 0.9, 0.2, -0.3, 0.1, 1.2, 0.1, 0.8, 0.8, 0.1, 0.4, -0.2};
  mjData* d = test_data(m);
  mju_copy(d->qpos, qpos, m->nq);
  mj_normalizeQuat(m, d->qpos);
  for (int i = 0; i < m->nv; i++) {
    d->qvel[i] = 2 * mju_sin((mjtNum)(1 + i));
  }
  for (int i = 0; i < m->nu; i++) {
    d->ctrl[i] = (mjtNum)0.1 * i;
  }
  return d;
}

TEST(forces_inertia_and_energy_are_those_of_the_newest_release) {
  DOUBLE_ONLY();
  mjModel* m = test_model_file("tests/models/since/terms.xml");
  mjData* d = at_state(m);
  mj_forward(m, d);
  mjtNum* id = recorded("terms_jnt_actuatorid", (size_t)m->njnt);
  for (int i = 0; i < m->njnt; i++) {
    assert_that(m->jnt_actuatorid[i], ==, (int)id[i]);
  }
  free(id);
  assert_that(m->tendon_actuatorid[0], ==, 3);
  assert_that(m->tendon_actuatorid[1], ==, -2);
  size_t nv = (size_t)m->nv;
  assert_recorded("terms_dof_M0", m->dof_M0, nv);
  assert_recorded("terms_dof_invweight0", m->dof_invweight0, nv);
  assert_recorded("terms_tendon_invweight0", m->tendon_invweight0, 2);
  assert_recorded("terms_qfrc_spring", d->qfrc_spring, nv);
  assert_recorded("terms_qfrc_damper", d->qfrc_damper, nv);
  assert_recorded("terms_qfrc_passive", d->qfrc_passive, nv);
  assert_recorded("terms_energy", d->energy, 2);
  assert_recorded("terms_M", d->M, (size_t)m->nC);
  assert_recorded("terms_qfrc_bias", d->qfrc_bias, nv);
}

static void integrator_moves_alike(int integrator) {
  mjModel* m = test_model_file("tests/models/since/terms.xml");
  m->opt.integrator = integrator;
  mjData* d = at_state(m);
  for (int i = 0; i < 50; i++) {
    mj_step(m, d);
  }
  mjtNum state[64];
  mju_copy(state, d->qpos, m->nq);
  mju_copy(state + m->nq, d->qvel, m->nv);
  char name[40];
  snprintf(name, sizeof(name), "terms_steps_%d", integrator);
  assert_recorded(name, state, (size_t)(m->nq + m->nv));
}

TEST(steps_of_euler_are_those_of_the_newest_release) {
  DOUBLE_ONLY();
  integrator_moves_alike(mjINT_EULER);
}

TEST(steps_of_implicit_are_those_of_the_newest_release) {
  DOUBLE_ONLY();
  integrator_moves_alike(mjINT_IMPLICIT);
}

static const char swing[] =
    "<mujoco><option timestep='.005'><flag energy='enable'/></option><worldbody><body>"
    "<joint name='j' axis='0 1 0' stiffness='2 .5 .3' damping='.1 .2 .3' springref='10' "
    "armature='.01'/><geom type='capsule' fromto='0 0 0 0 0 .5' size='.05'/></body></worldbody>"
    "<actuator><motor joint='j' gear='3' damping='.01 .02 .03' armature='.002'/>"
    "<motor joint='j' gear='2' damping='.1' armature='.001'/></actuator></mujoco>";

TEST(a_hinge_swings_like_that_of_the_newest_release) {
  DOUBLE_ONLY();
  for (int integrator = 0; integrator < 4; integrator++) {
    mjModel* m = test_model(swing);
    m->opt.integrator = integrator;
    mjData* d = test_data(m);
    d->qpos[0] = 1;
    d->qvel[0] = -3;
    mj_forward(m, d);
    assert_near(d->qfrc_spring[0], -2.16037305741, 1e-10);
    assert_near(d->qfrc_damper[0], 20.58, 1e-10);
    assert_near(d->M[0], 0.432585788256, 1e-10);
    assert_near(d->energy[0], 6.70740141451, 1e-10);
    assert_near(d->energy[1], 1.94663604715, 1e-10);
    for (int i = 0; i < 100; i++) {
      mj_step(m, d);
    }
    char name[40];
    snprintf(name, sizeof(name), "terms_swing_%d", integrator);
    assert_recorded(name, (mjtNum[2]){d->qpos[0], d->qvel[0]}, 2);
  }
}

// The force of springs is minus the slope of their energy along any velocity.
TEST(springs_push_down_the_slope_of_their_energy) {
  DOUBLE_ONLY();
  mjModel* m = test_model_file("tests/models/since/terms.xml");
  m->opt.disableflags |= mjDSBL_GRAVITY;
  mjData* d = at_state(m);
  mj_forward(m, d);
  mjtNum power = mju_dot(d->qfrc_spring, d->qvel, m->nv), energy[2], h = 1e-5;
  mjtNum start[13];
  mju_copy(start, d->qpos, m->nq);
  for (int k = 0; k < 2; k++) {
    mju_copy(d->qpos, start, m->nq);
    mj_integratePos(m, d->qpos, d->qvel, k ? h : -h);
    mj_forward(m, d);
    energy[k] = d->energy[0];
  }
  assert_near((energy[0] - energy[1]) / (2 * h), power, 1e-5);
}

// The discrete inverse finds the force that a step has applied, with the slopes of its dampers.
static void inverse_finds_the_force(int integrator) {
  mjModel* m = test_model_file("tests/models/since/terms.xml");
  m->opt.integrator = integrator;
  m->opt.enableflags |= mjENBL_INVDISCRETE;
  mjData *d = at_state(m), *next = at_state(m);
  d->qfrc_applied[1] = next->qfrc_applied[1] = 2;
  mj_forward(m, d);
  mj_step(m, next);
  for (int i = 0; i < m->nv; i++) {
    d->qacc[i] = (next->qvel[i] - d->qvel[i]) / m->opt.timestep;
  }
  mj_inverse(m, d);
  for (int i = 0; i < m->nv; i++) {
    assert_near(d->qfrc_inverse[i], d->qfrc_applied[i] + d->qfrc_actuator[i], 1e-8);
  }
}

TEST(the_discrete_inverse_of_euler_finds_the_force) {
  DOUBLE_ONLY();
  inverse_finds_the_force(mjINT_EULER);
}

TEST(the_discrete_inverse_of_implicitfast_finds_the_force) {
  DOUBLE_ONLY();
  inverse_finds_the_force(mjINT_IMPLICITFAST);
}

#define SWING(actuator)                                                                         \
  "<mujoco><worldbody><geom name='g' size='.1'/><site name='w' pos='0 0 1'/><body pos='1 0 0'>" \
  "<joint name='j'/><geom size='.1'/><site name='s'/></body></worldbody><tendon>"               \
  "<spatial name='t'><site site='w'/><geom geom='g'/><site "                                    \
  "site='s'/></spatial></tendon><actuator>" actuator "</actuator></mujoco>"

TEST(damping_and_armature_need_something_to_add_to) {
  static const char* const cases[][2] = {
      {SWING("<motor site='s' damping='1'/>"), "damping requires joint or tendon transmission"},
      {SWING("<motor site='s' armature='1'/>"), "armature requires joint or tendon transmission"},
      {SWING("<motor tendon='t' armature='1'/>"), "wraps no geoms, and 't' does"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    mjSpec* spec = test_spec(cases[i][0]);
    assert_null(mj_compile(spec, NULL));
    if (!strstr(mjs_getError(spec), cases[i][1])) {
      fail_msg("'%s' does not say '%s'", mjs_getError(spec), cases[i][1]);
    }
  }
}

TEST(a_model_without_terms_is_not_marked_and_one_with_them_is) {
  mjModel *plain = test_model(SWING("<motor joint='j'/>")),
          *heavy = test_model(SWING("<motor joint='j' armature='1' gear='2'/>"));
  assert_that(plain->cnd_has_terms, ==, 0);
  assert_that(heavy->cnd_has_terms, ==, 1);
  assert_near(heavy->dof_M0[0], plain->dof_M0[0] + 4, 1e-12);
  heavy->actuator_armature[0] = 0;
  mj_setConst(heavy, test_data(heavy));
  assert_that(heavy->cnd_has_terms, ==, 0);
  assert_that(heavy->jnt_actuatorid[0], ==, -1);
  assert_near(heavy->dof_M0[0], plain->dof_M0[0], 1e-12);
}
