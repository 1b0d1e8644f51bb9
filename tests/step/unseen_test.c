// Evaluations within a Runge-Kutta step leave out results that a later one replaces or an earlier
// one has. These results are in the data after the step. With a callback that could read them,
// nothing is left out.

#include "support/load.h"

#define SCENE(option, custom, rest)                                                                \
  "<mujoco><option integrator='RK4' density='5' " option "</option><custom>" custom                \
  "</custom>"                                                                                      \
  "<worldbody><light pos='1 0 3' dir='.1 0 -1'/><camera mode='targetbody' target='arm' pos='0 -2 " \
  "1'/><site name='origin' pos='.1 0 1.2' euler='10 20 30'/>"                                      \
  "<geom name='floor' type='plane' size='3 3 .1' euler='1 2 3'/>"                                  \
  "<geom type='box' size='.1 .1 .1' pos='2 1 .1' euler='0 0 20'/>"                                 \
  "<body name='arm' pos='0 0 1'><joint axis='0 1 0' damping='.1'/>"                                \
  "<geom type='capsule' size='.03' fromto='0 0 0 .4 0 0'/><site name='tip' pos='.4 0 .1'/>"        \
  "<camera pos='0 0 .2'/><light mode='trackcom' pos='0 0 1'/>"                                     \
  "<body pos='.4 0 0'><joint axis='0 1 0'/><geom type='ellipsoid' size='.05 .06 .2' "              \
  "fluidshape='ellipsoid'/><site name='end' pos='0 0 .2'/></body></body>"                          \
  "<body pos='.2 0 .3'><freejoint/><geom size='.1'/><site pos='0 .1 0'/></body></worldbody>" rest  \
  "</mujoco>"

static const char* const scenes[] = {
    SCENE("> <flag energy='enable'/>", "", ""),
    SCENE("> <flag contact='disable' energy='enable'/>", "", ""),
    SCENE("> <flag constraint='disable'/>", "",
          "<tendon><spatial stiffness='3'><site site='origin'/><site "
          "site='end'/></spatial></tendon>"),
    SCENE("> <flag contact='disable'/>", "",
          "<equality><connect site1='origin' site2='end'/></equality>"),
    SCENE("> <flag contact='disable'/>", "",
          "<actuator><general site='end' gear='1 2 3 0 0 0' biastype='affine' "
          "biasprm='1'/></actuator>"),
    SCENE("> <flag energy='enable'/>", "<numeric name='condyle.restitution' data='.8'/>", ""),
    SCENE("> <flag contact='disable'/>", "",
          "<sensor><framepos objtype='geom' objname='floor'/>"
          "<framepos objtype='site' objname='tip'/></sensor>"),
};

enum {
  ALIGN = 64  // arrays of a buffer begin at the first multiple of this
};

static void look(const mjModel* m, mjData* d) {
  (void)m;
  (void)d;
}

TEST(unseen_evaluations_leave_nothing_out) {
  for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
    mjModel* m = test_model(scenes[i]);
    mjData *plain = mj_makeData(m), *seen = mj_makeData(m);
    for (int step = 0; step < 400; step++) {
      mj_step(m, plain);
      mjcb_passive = look;
      mj_step(m, seen);
      mjcb_passive = NULL;
      if (memcmp(plain->qpos, seen->qpos, (size_t)plain->nbuffer - ALIGN)) {
        fail_msg("scene %d differs after step %d", (int)i, step);
      }
      assert_memory_equal(plain->energy, seen->energy, sizeof plain->energy);
    }
    mj_deleteData(plain);
    mj_deleteData(seen);
    test_release(m);
  }
}
