// Friction loss of joints and tendons in sticking mode: a load below it moves nothing, the excess
// of a larger load accelerates, and the deformation is part of the state.

#include <condyle/state.h>

#include "support/zoo.h"

enum {
  HINGE,
  SLIDE,
  TENDON,
  NKIND
};

// One dof of inertia 0.05 (kg or kg m^2) with friction loss 1, by its joint or a tendon, and a
// motor.
static mjModel* one_dof(const char* mode, const char* option, int kind) {
  static const char* const loss[NKIND] = {"frictionloss='1'", "frictionloss='1'", ""};
  char xml[3000];
  snprintf(xml, sizeof xml,
           "<mujoco><option gravity='0 0 0' tolerance='1e-14' %s/>"
           "<custom><text name='condyle.contact' data='%s'/></custom><worldbody><body>"
           "<joint name='j' type='%s' axis='0 1 0' %s/>"
           "<inertial pos='0 0 0' mass='.05' diaginertia='.05 .05 .05'/></body></worldbody>"
           "%s<actuator><motor joint='j'/></actuator></mujoco>",
           option, mode, kind == SLIDE ? "slide" : "hinge", loss[kind],
           kind == TENDON ? "<tendon><fixed frictionloss='1'><joint joint='j' coef='1'/></fixed>"
                            "</tendon>"
                          : "");
  return test_model(xml);
}

static void run(const mjModel* m, mjData* d, int steps) {
  for (int i = 0; i < steps; i++) {
    mj_step(m, d);
  }
}

// How far the dof gets in ten seconds after the first one.
static double drift(mjModel* m, double load) {
  mjData* d = test_data(m);
  d->ctrl[0] = (mjtNum)load;
  run(m, d, 500);
  double start = d->qpos[0];
  run(m, d, 5000);
  return fabs(d->qpos[0] - start);
}

TEST(loads_below_the_friction_loss_move_nothing) {
  static const char* const options[] = {"",
                                        "cone='elliptic'",
                                        "solver='PGS' iterations='300'",
                                        "solver='CG'",
                                        "integrator='RK4'",
                                        "integrator='implicit'",
                                        "integrator='implicitfast'"};
  for (int kind = 0; kind < NKIND; kind++) {
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
      for (double load = -.99; load < 1; load += .33) {
        assert_near(drift(one_dof("stick", options[i], kind), load), 0, 1e-9);
      }
    }
  }
}

TEST(soft_friction_loss_creeps) {
  for (int kind = 0; kind < NKIND; kind++) {
    assert_near(drift(one_dof("soft", "", kind), .9), .19, 1e-6);
  }
}

TEST(loads_above_the_friction_loss_accelerate_by_the_rest) {
  for (int kind = 0; kind < NKIND; kind++) {
    mjModel* m = one_dof("stick", "", kind);
    mjData* d = test_data(m);
    d->ctrl[0] = (mjtNum).9;
    run(m, d, 500);
    for (double load = 1.05; load < 3; load += .5) {
      d->ctrl[0] = (mjtNum)load;
      run(m, d, 250);
      mj_forward(m, d);
      assert_near(d->qacc[0], (load - 1) / .05, 1e-8);
    }
  }
}

// v^2 / (2 a) with a = loss / inertia, but for the last part, where damping gives way to the
// spring.
TEST(what_is_thrown_stops_where_coulomb_says) {
  for (int kind = 0; kind < NKIND; kind++) {
    mjModel* m = one_dof("stick", "timestep='.0005'", kind);
    mjData* d = test_data(m);
    d->qvel[0] = 10;
    run(m, d, 8000);
    assert_near(d->qpos[0], 100 / (2 * 1 / .05), .02);
    assert_near(d->qvel[0], 0, 1e-9);
  }
}

TEST(deformations_of_friction_loss_are_state) {
  mjModel* m = one_dof("stick", "", TENDON);
  mjData* d = test_data(m);
  d->ctrl[0] = (mjtNum).8;
  run(m, d, 100);
  int n = mj_stateSize(m, mjSTATE_INTEGRATION);
  mjtNum *start = malloc(sizeof(mjtNum) * n), *end = malloc(sizeof(mjtNum) * n);
  mj_getState(m, d, start, mjSTATE_INTEGRATION);
  run(m, d, 50);
  mj_getState(m, d, end, mjSTATE_INTEGRATION);
  mjData* other = test_data(m);
  mj_setState(m, other, start, mjSTATE_INTEGRATION);
  run(m, other, 50);
  mj_getState(m, other, start, mjSTATE_INTEGRATION);
  assert_memory_equal(start, end, sizeof(mjtNum) * n);
  assert_int_equal(other->cnd_memory[6] != 0, 1);
  free(start), free(end);
}
