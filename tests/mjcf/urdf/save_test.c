// urdf/save: what is written is read as the same robot.

#define _GNU_SOURCE  // mkdtemp

#include <condyle/robot.h>
#include <unistd.h>

#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

static const char ARM[] =
    "<mujoco model='arm'><compiler angle='radian'/><worldbody>"
    "<body name='upper' pos='0 0 1' euler='0 1.5707963267948966 .3'>"
    "<joint name='shoulder' axis='0 1 0' range='-1 2' damping='.5' frictionloss='.2'/>"
    "<geom type='box' size='.1 .2 .3' pos='.1 0 .2' euler='.1 .2 .3'/>"
    "<body name='lower' pos='0 .1 .5'><joint name='elbow' type='slide' axis='1 0 1' range='-1 1'/>"
    "<geom type='cylinder' size='.05 .2'/><geom size='.1' pos='0 0 .3'/></body></body></worldbody>"
    "</mujoco>";

// Writes a model into a new folder, whose name goes to `folder`, and reads it again.
static mjModel* written(char folder[40], const mjModel* m) {
  char path[60];
  strcpy(folder, "/tmp/condyle-urdf-XXXXXX");
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/robot.urdf", folder);
  assert_int_equal(cnd_saveURDF(m, path, NULL), 1);
  char error[500] = "";
  mjModel* copy = mj_loadXML(path, NULL, error, sizeof error);
  assert_string_equal(error, "");
  unlink(path);
  rmdir(folder);
  return copy;
}

TEST(a_written_robot_is_read_as_the_same) {
  char folder[40];
  mjModel* m = test_model(ARM);
  mjModel* copy = written(folder, m);
  assert_int_equal(copy->nv, 2);
  assert_int_equal(copy->njnt, 2);
  assert_close(copy->jnt_range, m->jnt_range, 4, 1e-15);
  assert_close(copy->dof_damping, m->dof_damping, 2, 1e-15);
  assert_close(copy->dof_frictionloss, m->dof_frictionloss, 2, 1e-15);
  assert_close(copy->body_mass + 1, m->body_mass + 1, 2, 1e-12);
  mjData *d = test_data(m), *other = test_data(copy);
  mjtNum M[4], own[4];
  for (int k = 0; k < 5; k++) {
    d->qpos[0] = other->qpos[0] = 0.4 * k - 1;
    d->qpos[1] = other->qpos[1] = 0.3 * k - 0.5;
    mj_forward(m, d);
    mj_forward(copy, other);
    mj_fullM(m, M, d->qM);
    mj_fullM(copy, own, other->qM);
    assert_close(own, M, 4, 1e-8);  // reading finds principal axes to some 1e-9
    assert_close(other->xpos + 3, d->xpos + 3, 6, 1e-12);
    assert_close(other->xmat + 9, d->xmat + 9, 18, 1e-12);
    assert_close(other->geom_xpos, d->geom_xpos, 3, 1e-12);
  }
  mj_deleteModel(copy);
}

TEST(a_robot_that_can_not_be_written_is_told) {
  mjModel* m = test_model(ARM);
  cndDiagnostics* notes = cnd_makeDiagnostics();
  assert_int_equal(cnd_saveURDF(m, "/no such folder/robot.urdf", notes), 0);
  assert_int_equal(cnd_diagnosticCount(notes, cndSEVERITY_ERROR), 1);
  assert_has(cnd_diagnostic(notes, 0)->message, "can't be written: No such file");
  cnd_deleteDiagnostics(notes);
}

TEST(a_mesh_that_can_not_be_written_is_told_with_its_path) {
  mjModel* m = test_model(
      "<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset><worldbody>"
      "<body><joint/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>");
  cndDiagnostics* notes = cnd_makeDiagnostics();
  assert_int_equal(cnd_saveURDF(m, "/no such folder/robot.urdf", notes), 0);
  assert_has(cnd_diagnostic(notes, 0)->message, "can't write '/no such folder/meshes/m.stl'");
  cnd_deleteDiagnostics(notes);
}

// What a robot can't say is told: springs, and words of later releases by their arrays.
TEST(what_is_left_out_is_named) {
  char file[100];
  snprintf(file, sizeof file, "save_test_%d.urdf", (int)getpid());
  mjModel* m = test_model(
      "<mujoco><worldbody><body><joint name='j' stiffness='3 1' damping='.1 .2'/>"
      "<geom size='.1' surfacevel='1 0'/></body></worldbody><actuator><motor joint='j' nsample='3' "
      "delay='.01'/></actuator></mujoco>");
  cndDiagnostics* notes = cnd_makeDiagnostics();
  assert_int_equal(cnd_saveURDF(m, file, notes), 1);
  remove(file);
  assert_has(cnd_diagnostic(notes, 0)->message, "springs of 1 joints left out");
  assert_has(cnd_diagnostic(notes, 1)->message,
             "URDF has nothing like it: jnt_stiffnesspoly, dof_dampingpoly, geom_surfacevel");
  assert_has(cnd_diagnostic(notes, 1)->message, "actuator_delay");
  cnd_deleteDiagnostics(notes);
}
