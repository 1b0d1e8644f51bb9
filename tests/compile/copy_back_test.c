// Numbers of a changed model in the elements of its spec. Expected numbers are 4.0.0's.

#include <condyle/spec.h>

#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

static const char text[] =
    "<mujoco><option timestep='.01'/><worldbody><geom name='f' type='plane' size='1 1 .1'/>"
    "<light pos='1 2 3'/><body name='b' pos='0 0 1' euler='10 0 0'><joint name='j' axis='0 1 0' "
    "damping='.1' range='-10 20' stiffness='3' springref='5'/><geom name='g' type='capsule' "
    "fromto='0 0 0 0 0 .5' size='.05' rgba='1 0 0 1'/><site name='s' pos='0 0 .5'/>"
    "<frame pos='1 0 0' euler='0 0 90'><geom name='fg' size='.1'/><body name='c' pos='0 1 0'>"
    "<joint axis='1 0 0'/><geom size='.1'/></body></frame></body><body name='e' pos='5 0 0'>"
    "<joint type='slide' range='-1 1'/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></body>"
    "</worldbody><actuator><position name='a' joint='j' kp='3'/></actuator><custom>"
    "<numeric name='n' data='1 2'/></custom><keyframe><key qpos='.3 .2 .1'/></keyframe></mujoco>";

TEST(what_was_changed_is_in_the_model_that_is_compiled_next) {
  mjSpec* s = test_spec(text);
  mjModel* m = test_compile(s);
  m->body_pos[3] = 0.25;
  m->geom_size[3] = 0.07;
  m->geom_pos[6] = 3;   // of the frame's geom
  m->body_pos[6] += 1;  // of the frame's body
  m->jnt_range[1] = 0.5;
  m->jnt_axis[3] = 0;
  m->jnt_axis[4] = 0;
  m->jnt_axis[5] = 1;
  m->qpos_spring[0] = 0.2;
  m->dof_damping[0] = 0.7;
  m->actuator_gainprm[0] = 9;
  m->numeric_data[1] = 8;
  m->key_qpos[1] = 7;
  m->light_pos[0] = 6;
  m->geom_rgba[4] = 0.5f;
  m->opt.timestep = 0.5;
  m->stat.extent = 4;
  m->body_mass[3] = 2;
  assert_int_equal(cnd_copyBack(s, m), 1);
  const mjsGeom* g = mjs_asGeom(mjs_findElement(s, mjOBJ_GEOM, "g"));
  assert_that(g->size[0], ==, (mjtNum)0.07);
  assert_that(g->fromto[5], ==, 0.5);
  assert_near(mjs_asJoint(mjs_findElement(s, mjOBJ_JOINT, "j"))->springref, 11.459155902616466,
              1e-6);
  const mjModel* now = test_compile(s);
  assert_close(now->body_pos, m->body_pos, 3 * m->nbody, 1e-7);
  assert_close(now->body_quat, m->body_quat, 4 * m->nbody, 1e-7);
  assert_close(now->geom_pos, m->geom_pos, 3 * m->ngeom, 1e-7);
  assert_close(now->geom_size, m->geom_size, 3 * m->ngeom, 1e-7);
  assert_close(now->jnt_range, m->jnt_range, 2 * m->njnt, 1e-7);
  assert_close(now->jnt_axis, m->jnt_axis, 3 * m->njnt, 1e-7);
  assert_close(now->qpos_spring, m->qpos_spring, m->nq, 1e-7);
  assert_close(now->dof_damping, m->dof_damping, m->nv, 1e-7);
  assert_close(now->actuator_gainprm, m->actuator_gainprm, mjNGAIN, 0);
  assert_close(now->numeric_data, m->numeric_data, 2, 0);
  assert_close(now->key_qpos, m->key_qpos, m->nq, 0);
  assert_close(now->light_pos, m->light_pos, 3, 0);
  assert_that(now->geom_rgba[4], ==, 0.5f);
  assert_that(now->opt.timestep, ==, 0.5);
  assert_that(now->stat.extent, ==, 4);
  assert_that(now->body_mass[3], ==, 2);

  // what nobody changed is as it was written
  assert_int_equal(mjs_findBody(s, "b")->explicitinertial, 0);
  assert_int_equal(mjs_findBody(s, "c")->alt.type, mjORIENTATION_QUAT);
}

TEST(ends_are_forgotten_where_they_no_longer_hold) {
  mjSpec* s = test_spec(text);
  mjModel* m = test_compile(s);
  m->geom_size[4] = 0.5;
  assert_int_equal(cnd_copyBack(s, m), 1);
  const mjsGeom* g = mjs_asGeom(mjs_findElement(s, mjOBJ_GEOM, "g"));
  assert_that(g->fromto[0], !=, g->fromto[0]);
  assert_that(g->size[1], ==, 0.5);
  assert_near(g->pos[2], 0.25, 1e-7);
}

TEST(an_inferred_mass_becomes_explicit) {
  mjSpec* s = test_spec(text);
  mjModel* m = test_compile(s);
  m->body_mass[1] = 3;
  assert_int_equal(cnd_copyBack(s, m), 1);
  assert_int_equal(mjs_findBody(s, "b")->explicitinertial, 1);
  const mjModel* now = test_compile(s);
  assert_that(now->body_mass[1], ==, 3);
  assert_close(now->body_inertia, m->body_inertia, 3 * m->nbody, 1e-7);
}

TEST(what_cannot_be_written_changes_nothing) {
  mjSpec* s = test_spec(text);
  assert_int_equal(cnd_copyBack(s, test_model("<mujoco/>")), 0);
  assert_non_null(strstr(mjs_getError(s), "has not been compiled in CopyBack"));
  mjModel* m = test_compile(s);
  assert_int_equal(cnd_copyBack(s, test_model("<mujoco/>")), 0);
  assert_non_null(strstr(mjs_getError(s), "incompatible models in CopyBack"));
  m->body_pos[0] = 1;
  m->geom_size[3] = 0.07;
  assert_int_equal(cnd_copyBack(s, m), 0);
  assert_non_null(strstr(mjs_getError(s), "the world has no pose"));
  assert_that(mjs_asGeom(mjs_findElement(s, mjOBJ_GEOM, "g"))->size[0], ==, 0.05);

  static const char* const texts[] = {
      "<mujoco><compiler inertiafromgeom='true'/><worldbody><body><joint/><geom size='.1'/></body>"
      "</worldbody></mujoco>",
      "<mujoco><compiler settotalmass='2'/><worldbody><body><joint/><geom size='.1'/></body>"
      "</worldbody></mujoco>",
      "<mujoco><compiler alignfree='true'/><worldbody><body><freejoint/><geom size='.1' pos='1 0 "
      "0'/></body></worldbody></mujoco>",
  };
  for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
    mjSpec* spec = test_spec(texts[i]);
    mjModel* model = test_compile(spec);
    model->body_mass[1] += 1;
    assert_int_equal(cnd_copyBack(spec, model), 0);
    assert_non_null(strstr(mjs_getError(spec), "can't be written to its spec"));
  }
  mjSpec* scaled = test_spec(
      "<mujoco><worldbody><frame scale='2'><geom size='.1'/></frame></worldbody></mujoco>");
  mjModel* larger = test_compile(scaled);
  larger->geom_size[0] = 1;
  assert_int_equal(cnd_copyBack(scaled, larger), 0);
  assert_non_null(strstr(mjs_getError(scaled), "a frame scales what is inside"));
  mjSpec* ball = test_spec(
      "<mujoco><worldbody><body><joint type='ball'/><geom size='.1'/></body></worldbody></mujoco>");
  mjModel* model = test_compile(ball);
  model->dof_damping[1] = 1;
  assert_int_equal(cnd_copyBack(ball, model), 0);
}

// A mesh geom has the pose of its mesh's frame.
TEST(a_geom_of_a_mesh_may_be_moved) {
  mjSpec* s = test_spec(
      "<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 2'/></asset><worldbody>"
      "<geom type='mesh' mesh='m' pos='1 2 3' euler='10 20 30'/></worldbody></mujoco>");
  mjModel* m = test_compile(s);
  m->geom_pos[1] += 0.5;
  assert_int_equal(cnd_copyBack(s, m), 1);
  const mjModel* now = test_compile(s);
  assert_close(now->geom_pos, m->geom_pos, 3, 1e-6);
  assert_close(now->geom_quat, m->geom_quat, 4, 1e-6);
  m->geom_size[0] = 3;
  assert_int_equal(cnd_copyBack(s, m), 0);
}

// An orientation's three forces and a pid's controls come from one element each.
TEST(rows_of_controls_and_forces_go_to_their_actuator) {
  mjSpec* s = test_spec(
      "<mujoco><worldbody><body><joint name='b' type='ball'/><geom size='.1'/></body><body "
      "pos='1 0 0'><joint name='j'/><geom size='.1'/></body></worldbody><actuator>"
      "<orientation name='o' joint='b' ctrlrange='-1 1'/><pid name='p' joint='j' kp='3' "
      "input='pos vel ff' posrange='-1 1' velrange='-2 2' ffrange='-3 3'/><motor name='m' "
      "joint='j' ctrlrange='-4 4' ctrllimited='true' gear='2'/></actuator></mujoco>");
  mjModel* m = test_compile(s);
  assert_int_equal(m->nu, 7);
  assert_int_equal(m->nout, 5);
  m->actuator_ctrlrange[2 * 4] = -20;     // velocity of the pid
  m->actuator_ctrlrange[2 * 5 + 1] = 30;  // its feedforward
  m->actuator_ctrlrange[2 * 6 + 1] = 40;  // of the motor
  m->actuator_gear[6 * 3] = 7;            // of the pid
  m->actuator_gear[6 * 4] = 8;            // of the motor
  assert_int_equal(cnd_copyBack(s, m), 1);
  const mjsActuator* pid = mjs_asActuator(mjs_findElement(s, mjOBJ_ACTUATOR, "p"));
  const mjsActuator* motor = mjs_asActuator(mjs_findElement(s, mjOBJ_ACTUATOR, "m"));
  assert_that(pid->ctrlrange[0], ==, -1);
  assert_that(pid->velrange[0], ==, -20);
  assert_that(pid->ffrange[1], ==, 30);
  assert_that(pid->gear[0], ==, 7);
  assert_that(motor->gear[0], ==, 8);
  assert_that(motor->ctrlrange[1], ==, 40);
  const mjModel* now = test_compile(s);
  assert_close(now->actuator_ctrlrange, m->actuator_ctrlrange, 2 * m->nu, 0);
  assert_close(now->actuator_gear, m->actuator_gear, 6 * (int)m->nout, 0);

  // one of three that share a range can't have its own
  m->actuator_ctrlrange[0] = -5;
  assert_int_equal(cnd_copyBack(s, m), 0);
  assert_non_null(strstr(mjs_getError(s), "the controls of an actuator have one range"));
}
