// Springs and dampers with polynomial terms, and what actuators add to joints and tendons: exact
// derivatives of steps against differences, with every integrator.

#include "derivative/smooth/springs.h"

#include "derivative/ladder.h"

// Large steps, so that what changes in the matrices of integrators counts.
static const char kMachine[] =
    "<mujoco><option timestep='.02' tolerance='0' iterations='200'/><worldbody>"
    "<geom type='plane' size='3 3 1'/><site name='hook' pos='.3 0 1.4'/>"
    "<body pos='0 0 1'><joint name='turn' axis='0 1 0' springref='20' stiffness='5 3 2' "
    "damping='.2 "
    ".3 .2'/>"
    "<geom type='capsule' fromto='0 0 0 0 0 .5' size='.05'/>"
    "<body pos='0 0 .5'><joint name='rod' type='slide' axis='0 0 1' stiffness='90 -40 300' "
    "damping='1 .5 .7'/><geom size='.08'/><site name='end' pos='0 0 .1'/></body></body>"
    "<body pos='1 0 1'><joint name='ball' type='ball' stiffness='3 2 4' damping='.1 .1 .3'/>"
    "<geom type='box' size='.1 .2 .3' mass='1'/></body>"
    "<body pos='2 0 .09'><freejoint/><geom size='.1'/></body></worldbody><tendon>"
    "<spatial name='cable' stiffness='40 20 30' damping='.5 .4 .3' springlength='.2 .25' "
    "armature='.1'><site site='hook'/><site site='end'/></spatial>"
    "<fixed name='sum' stiffness='4 1 2' damping='.3 .2 .1' springlength='.1'>"
    "<joint joint='turn' coef='2'/><joint joint='rod' coef='-1'/></fixed></tendon><actuator>"
    "<position joint='turn' kp='7' gear='2' damping='.1 .2 .3' armature='.02'/>"
    "<motor joint='turn' gear='3' damping='.1' armature='.001'/>"
    "<velocity tendon='cable' kv='2' gear='1.5' damping='.1 .2 .3' armature='.2'/>"
    "<motor tendon='sum' damping='0 .2 0' armature='.03'/></actuator>"
    "<sensor><e_potential/><e_kinetic/></sensor></mujoco>";

enum {
  STATES = 3
};

static mjModel* machine(int integrator) {
  mjModel* m = test_model(kMachine);
  m->opt.integrator = integrator;
  m->narena += 40 * (mjtSize)m->nv * (2 * m->nv + m->na + m->nu) * (mjtSize)sizeof(mjtNum);
  return m;
}

static const int kIntegrators[] = {mjINT_EULER, mjINT_RK4, mjINT_IMPLICIT, mjINT_IMPLICITFAST,
                                   mjINT_DISCRETE};

TEST(terms_agree_with_differences) {
  DOUBLE_ONLY();
  for (int i = 0; i < 5; i++) {
    Steps s = steps_make(machine(kIntegrators[i]));
    unsigned seed = 7;
    for (int state = 0; state < STATES; state++) {
      mj_resetData(s.m, s.d);
      steps_scatter(&s, &seed, (mjtNum)0.3);
      if (ladder_wrong(&s, 1e-7)) {
        fail_msg("integrator %d, state %d", kIntegrators[i], state);
      }
    }
    steps_free(&s);
  }
}

// The products of the adjoint with all rows are those of the matrices.
TEST(adjoint_has_the_terms) {
  DOUBLE_ONLY();
  for (int i = 0; i < 5; i++) {
    Steps s = steps_make(machine(kIntegrators[i]));
    unsigned seed = 9;
    steps_scatter(&s, &seed, (mjtNum)0.3);
    mj_forward(s.m, s.d);
    cnd_transitionExact(s.m, s.d, s.A, s.B, s.C, s.D);
    mjtNum *weight = calloc((size_t)s.ny, sizeof(mjtNum)),
           *product = calloc((size_t)(s.nx + s.nu), sizeof(mjtNum));
    for (int row = 0; row < s.ny; row++) {
      mju_zero(weight, s.ny);
      weight[row] = 1;
      cnd_transitionAdjoint(s.m, s.d, weight, weight + s.nx, product, product + s.nx, NULL);
      for (int j = 0; j < s.nx + s.nu; j++) {
        mjtNum exact = steps_exact(&s, row, j);
        assert_near(product[j], exact, 1e-10 * (1 + fabs((double)exact)));
      }
    }
    free(weight);
    free(product);
    steps_free(&s);
  }
}

// At rest the slope of |v| v bends, and only integrators that have it in their matrix see that.
TEST(dampers_with_a_quadratic_term_bend_at_rest) {
  for (int i = 0; i < 5; i++) {
    mjModel* m = test_model(
        "<mujoco><worldbody><body><joint damping='.1 .2 0' axis='1 0 0'/><geom size='.1'/></body>"
        "</worldbody></mujoco>");
    m->opt.integrator = kIntegrators[i];
    mjData* d = test_data(m);
    mjtNum A[4];
    int bends = kIntegrators[i] != mjINT_RK4;
    assert_int_equal(cnd_transitionExact(m, d, A, NULL, NULL, NULL), bends);
    d->qvel[0] = (mjtNum)0.1;
    assert_int_equal(cnd_transitionExact(m, d, A, NULL, NULL, NULL), 0);
  }
}
