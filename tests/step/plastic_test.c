// Springs that yield: the numbers of the release that brought them, and what of them is kept.

#include "step/plastic.h"

#include <condyle/derivative.h>

#include "model/field.h"
#include "model/model.h"
#include "support/caught.h"
#include "support/load.h"
#include "support/near.h"
#include "support/precision.h"
#include "support/recorded.h"
#include "support/test.h"

enum {
  NPLASTIC = 13
};

static mjModel* plastic_model(void) {
  return test_model_file("tests/models/since/plastic.xml");
}

// Positions, perhaps velocities, and rests.
static void assert_state(const char* name, const mjModel* m, const mjData* d, int velocities) {
  mjtNum state[64];
  int nv = velocities ? m->nv : 0;
  mju_copy(state, d->qpos, m->nq);
  mju_copy(state + m->nq, d->qvel, nv);
  mju_copy(state + m->nq + nv, d->plastic, (int)m->nplastic);
  assert_recorded(name, state, (size_t)(m->nq + nv) + m->nplastic);
}

TEST(models_and_keyframes_hold_yields_and_rests) {
  DOUBLE_ONLY();
  mjModel* m = plastic_model();
  assert_that((int)m->nplastic, ==, NPLASTIC);
  assert_recorded("plastic_jnt_springyield", m->jnt_springyield, (size_t)m->njnt);
  assert_recorded("plastic_tendon_springyield", m->tendon_springyield, (size_t)m->ntendon);
  assert_recorded("plastic_key_plastic", m->key_plastic, 2 * NPLASTIC);
  const int joint[] = {0, 1, 2, -1, 6}, tendon[] = {7, 9, 11, -1};
  assert_memory_equal(m->jnt_plasticadr, joint, sizeof(joint));
  assert_memory_equal(m->tendon_plasticadr, tendon, sizeof(tendon));
  assert_recorded("plastic_reset", test_data(m)->plastic, NPLASTIC);
}

static void steps_are_recorded(int integrator, const char* name) {
  DOUBLE_ONLY();
  mjModel* m = plastic_model();
  m->opt.integrator = integrator;
  mjData* d = test_data(m);
  for (int i = 0; i < m->nv; i++) {
    d->qvel[i] = 3 * mju_sin((mjtNum)(1 + i));
  }
  for (int i = 0; i < 100; i++) {
    mj_step(m, d);
  }
  assert_state(name, m, d, 1);
}

TEST(springs_yield_in_steps_of_euler) {
  steps_are_recorded(mjINT_EULER, "plastic_steps_0");
}

TEST(springs_yield_in_implicit_steps) {
  steps_are_recorded(mjINT_IMPLICIT, "plastic_steps_2");
}

// The text is that of tests/reference/since/record.py.
static const char yielding[] =
    "<mujoco><option timestep='.005'/><compiler angle='radian'/><worldbody>"
    "<site name='hook' pos='1 0 .5'/><body>"
    "<joint name='j' axis='0 1 0' stiffness='20 4' springref='.2' springyield='.3'/>"
    "<geom size='.1' pos='0 0 .2'/><site name='hand' pos='.3 0 .2'/><body pos='.3 0 0'>"
    "<joint name='s' type='slide' axis='1 0 0' stiffness='90' damping='.2' springyield='.03'/>"
    "<geom size='.05' mass='.5'/></body></body></worldbody><tendon>"
    "<spatial stiffness='30' springlength='.3 .5' springyield='.02'><site site='hook'/>"
    "<site site='hand'/></spatial><fixed stiffness='50' springlength='0 .05' springyield='.02'>"
    "<joint joint='s' coef='1'/><joint joint='j' coef='.5'/></fixed></tendon></mujoco>";

TEST(springs_yield_alike_with_each_integrator) {
  DOUBLE_ONLY();
  mjModel* m = test_model(yielding);
  for (int integrator = 0; integrator < 4; integrator++) {
    m->opt.integrator = integrator;
    mjData* d = test_data(m);
    d->qvel[0] = 4;
    d->qvel[1] = -2;
    for (int i = 0; i < 150; i++) {
      mj_step(m, d);
    }
    char name[32];
    snprintf(name, sizeof(name), "plastic_yielding_%d", integrator);
    assert_state(name, m, d, 1);
  }
}

TEST(steps_go_on_from_the_rests_of_a_keyframe) {
  DOUBLE_ONLY();
  mjModel* m = plastic_model();
  mjData* d = test_data(m);
  m->opt.enableflags |= mjENBL_ENERGY;
  mj_resetDataKeyframe(m, d, 0);
  mj_forward(m, d);
  mjtNum forces[16];
  mju_copy(forces, d->qfrc_spring, m->nv);
  forces[m->nv] = d->energy[0];
  assert_recorded("plastic_key_forces", forces, (size_t)m->nv + 1);
  for (int i = 0; i < 30; i++) {
    mj_step(m, d);
  }
  assert_state("plastic_key_steps", m, d, 0);
}

TEST(a_pendulum_a_ball_and_a_string_yield_as_the_manual_says) {
  DOUBLE_ONLY();
  mjModel* m = test_model(
      "<mujoco><option timestep='.005' gravity='0 0 0'/><compiler angle='radian'/><worldbody>"
      "<site name='w' pos='1 0 .5'/><body>"
      "<joint axis='0 1 0' stiffness='20' springref='.2' springyield='.3'/>"
      "<geom size='.1' pos='0 0 .2'/><site name='s' pos='.3 0 .2'/></body><body pos='1 0 0'>"
      "<joint type='ball' stiffness='5' springyield='.4'/>"
      "<geom type='capsule' size='.1 .2' pos='0 .1 .2'/></body></worldbody><tendon>"
      "<spatial stiffness='30' springlength='.3 .5' springyield='.02'><site site='w'/>"
      "<site site='s'/></spatial></tendon></mujoco>");
  mjData* d = test_data(m);
  const mjtNum qvel[] = {5, 1, 2, 3};
  mju_copy(d->qvel, qvel, 4);
  for (int i = 0; i < 200; i++) {
    mj_step(m, d);
  }
  const mjtNum rest[] = {.499716209898,  .95858511306,  .208943388403, .177813330276,
                         .0764176749048, .646752390736, .846752390736};
  assert_close(d->plastic, rest, 7, 1e-9);
}

TEST(nothing_yields_without_springs) {
  mjModel* m = test_model(yielding);
  mjData* d = test_data(m);
  m->opt.disableflags |= mjDSBL_SPRING;
  d->qvel[0] = 4;
  mj_step(m, d);
  mj_step(m, d);
  assert_near(d->plastic[0], (mjtNum).2, 0);
}

TEST(a_yield_of_nothing_follows_exactly) {
  mjModel* m = test_model(yielding);
  mjData* d = test_data(m);
  m->jnt_springyield[0] = 0;
  d->qvel[0] = 4;
  for (int i = 0; i < 10; i++) {
    mj_step(m, d);
  }
  assert_near(d->plastic[0], d->qpos[0], 0);
}

TEST(states_and_keyframes_store_rests) {
  mjModel* m = plastic_model();
  mjData* d = test_data(m);
  assert_int_equal(mj_stateSize(m, mjSTATE_PLASTIC), NPLASTIC);
  mjtNum state[NPLASTIC];
  for (int i = 0; i < NPLASTIC; i++) {
    state[i] = i;
  }
  mj_setState(m, d, state, mjSTATE_PLASTIC);
  assert_near(d->plastic[4], 4, 0);
  mj_setKeyframe(m, d, 1);
  mj_resetData(m, d);
  assert_near(d->plastic[12], .05, 1e-6);
  mj_resetDataKeyframe(m, d, 1);
  mjtNum again[NPLASTIC];
  mj_getState(m, d, again, mjSTATE_PLASTIC);
  assert_close(again, state, NPLASTIC, 0);
}

TEST(written_models_keep_yields_and_rests) {
  mjSpec* spec = mj_parseXML(CONDYLE_SOURCE_DIR "/tests/models/since/plastic.xml", NULL, NULL, 0);
  spec = test_own_spec(spec);
  mjModel* m = test_compile(spec);
  char* xml = malloc(1 << 16);
  assert_int_equal(mj_saveXMLString(spec, xml, 1 << 16, NULL, 0), 0);
  mjModel* again = test_model(xml);
  free(xml);
  assert_that((int)again->nplastic, ==, NPLASTIC);
  assert_close(again->jnt_springyield, m->jnt_springyield, m->njnt, 1e-12);
  assert_close(again->tendon_springyield, m->tendon_springyield, m->ntendon, 1e-12);
  assert_close(again->key_plastic, m->key_plastic, 2 * NPLASTIC, 1e-9);
}

TEST(attached_keyframes_leave_rests_of_others_as_they_are) {
  mjSpec* child = test_spec(
      "<mujoco><worldbody><body name='b'><joint type='slide' stiffness='1' springyield='1'/>"
      "<geom size='.1'/></body></worldbody><keyframe><key name='k' qpos='1' plastic='.5'/>"
      "</keyframe></mujoco>");
  mjSpec* parent = test_spec(
      "<mujoco><worldbody><body><joint type='slide' springref='.3' stiffness='1' "
      "springyield='1'/><geom size='.1'/></body><frame name='f'/></worldbody></mujoco>");
  mjsFrame* frame = mjs_asFrame(mjs_findElement(parent, mjOBJ_FRAME, "f"));
  assert_non_null(mjs_attach(frame->element, mjs_findBody(child, "b")->element, "c_", ""));
  mjModel* m = test_compile(parent);
  const mjtNum expected[] = {.3, .5};
  assert_that(m->nkey, ==, 1);
  assert_close(m->key_plastic, expected, 2, 1e-12);
}

TEST(free_joints_and_negative_yields_are_refused) {
  char error[300] = "";
  const struct {
    const char *xml, *text;
  } refused[] = {
      {"<mujoco><worldbody><body><joint type='free' springyield='1'/><geom size='1'/></body>"
       "</worldbody></mujoco>",
       "springyield should not be defined in free joint"},
      {"<mujoco><worldbody><body><joint springyield='-1'/><geom size='1'/></body></worldbody>"
       "</mujoco>",
       "springyield cannot be negative in joint"},
      {"<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody><tendon>"
       "<fixed springyield='-1'><joint joint='j' coef='1'/></fixed></tendon></mujoco>",
       "springyield cannot be negative in tendon"},
  };
  for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
    mjSpec* spec = test_own_spec(mj_parseXMLString(refused[i].xml, NULL, error, sizeof(error)));
    assert_null(mj_compile(spec, NULL));
    assert_non_null(strstr(mjs_getError(spec), refused[i].text));
  }
}

TEST(models_whose_rests_lie_elsewhere_are_invalid) {
  mjModel* m = plastic_model();
  assert_null(model_validate(m));
  m->jnt_plasticadr[2] = NPLASTIC - 3;  // of a ball
  assert_non_null(model_validate(m));
  m->jnt_plasticadr[2] = NPLASTIC + 100;
  assert_non_null(model_validate(m));
  m->jnt_plasticadr[2] = 2;
  m->tendon_plasticadr[0] = -2;
  assert_non_null(model_validate(m));
}

TEST(exact_derivatives_refuse_springs_that_yield_by_name) {
  mjModel* m = test_model(yielding);
  mju_zero(m->jnt_stiffnesspoly, mjNPOLY * m->njnt);
  assert_string_equal(field_later(m), "jnt_plasticadr");
  mjData* d = test_data(m);
  mj_forward(m, d);
  assert_error(cnd_transitionExact(m, d, NULL, NULL, NULL, NULL), "jnt_plasticadr");
}
