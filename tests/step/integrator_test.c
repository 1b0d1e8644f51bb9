// Physics that every integrator must keep, and the matrices of the implicit ones.

#include "step/derivative.h"
#include "support/zoo.h"

// A chain of n bodies hanging from the world by joints of one type, without losses.
static mjModel* chain(const char* joint, int n) {
  enum {
    kRoom = 400
  };
  char *xml = calloc((size_t)kRoom * (n + 2), 1), *end = xml;
  end +=
      sprintf(end, "<mujoco><option><flag contact='disable' energy='enable'/></option><worldbody>");
  for (int i = 0; i < n; i++) {
    end += sprintf(end,
                   "<body pos='0 %g 0'>%s<geom type='capsule' size='.03' fromto='0 0 0 0 .2 .05'/>",
                   i ? 0.2 : 0.0, joint);
  }
  for (int i = 0; i < n; i++) {
    end += sprintf(end, "</body>");
  }
  sprintf(end, "</worldbody></mujoco>");
  mjModel* m = test_model(xml);
  free(xml);
  return m;
}

// |change of total energy| over a fixed time
static double energy_drift(mjModel* m, int integrator, double timestep) {
  mjData* d = mj_makeData(m);
  m->opt.integrator = integrator;
  m->opt.timestep = (mjtNum)timestep;
  for (int i = 0; i < m->nv; i++) {
    d->qvel[i] = (mjtNum)(1 - 0.4 * i);
  }
  mj_forward(m, d);
  double start = (double)(d->energy[0] + d->energy[1]);
  while (d->time < (mjtNum)(0.2 - timestep / 2)) {
    mj_step(m, d);
  }
  mj_forward(m, d);
  double drift = (double)(d->energy[0] + d->energy[1]) - start;
  mj_deleteData(d);
  return fabs(drift);
}

static const char* const kJoint[] = {
    "<joint axis='1 .2 0'/>",
    "<joint type='ball'/>",
    "<joint type='slide' axis='0 .3 1'/><joint axis='1 0 0'/>",
};

// Halving the step divides the drift by 2^order. Runge-Kutta adds the angular velocities of its
// stages as vectors before it turns a quaternion, which is of second order, so for ball joints it
// is no better than that.
TEST(energy_drift_falls_with_the_order_of_the_integrator) {
  DOUBLE_ONLY();
  const struct {
    int integrator;
    double order[3], timestep;
  } all[] = {{mjINT_EULER, {1, 1, 1}, 1e-3},
             {mjINT_IMPLICIT, {1, 1, 1}, 1e-3},
             {mjINT_RK4, {4, 2, 4}, 1e-2}};
  int judged = 0;
  for (size_t k = 0; k < sizeof kJoint / sizeof kJoint[0]; k++) {
    for (int n = 1; n <= 3; n++) {
      mjModel* m = chain(kJoint[k], n);
      for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        double coarse = energy_drift(m, all[i].integrator, all[i].timestep);
        double fine = energy_drift(m, all[i].integrator, all[i].timestep / 2);
        double order = log2(coarse / fine);
        judged += coarse > 1e-9;
        if (!(coarse <= 1e-9) && !(order > all[i].order[k] - 0.5)) {
          fail_msg("integrator %d, joint %zu, %d bodies: drift %.3g, then %.3g: order %.2f",
                   all[i].integrator, k, n, coarse, fine, order);
        }
      }
      test_release(m);
    }
  }
  assert_that(judged, >, 13);
}

static const char kFloating[] =
    "<mujoco><option gravity='0 0 0'><flag contact='disable'/></option><worldbody>"
    "<body><freejoint/><geom size='.1'/>"
    "<body pos='.2 0 0'><joint type='ball' stiffness='1'/><geom type='box' size='.1 .05 "
    ".02'/></body>"
    "<body pos='0 .2 0'><joint name='hip' axis='1 0 1' damping='.1'/><geom size='.05' pos='0 .1 "
    "0'/>"
    "<body pos='0 .2 0'><joint type='slide' axis='0 1 1' stiffness='3'/><geom size='.04'/></body>"
    "</body></body></worldbody><actuator><motor joint='hip'/></actuator></mujoco>";

static void total_momentum(mjtNum linear[3], mjtNum angular[3], const mjModel* m, mjData* d) {
  mj_forward(m, d);
  mj_subtreeVel(m, d);
  mju_scl3(linear, d->subtree_linvel, m->body_subtreemass[0]);
  mju_copy3(angular, d->subtree_angmom);
}

// Internal forces only. Coordinates are not momenta, so a step of h makes an error of the
// integrator's local order; at these steps it is below rounding.
TEST(one_step_keeps_the_momentum_of_a_floating_tree) {
  const struct {
    int integrator;
    double timestep;
  } all[] = {
      {mjINT_EULER, 1e-7}, {mjINT_RK4, 2e-5}, {mjINT_IMPLICIT, 1e-7}, {mjINT_IMPLICITFAST, 1e-7}};
  mjModel* m = test_model(kFloating);
  mjData* d = test_data(m);
  for (int k = 0; k < 4; k++) {
    m->opt.integrator = all[k].integrator;
    m->opt.timestep = (mjtNum)all[k].timestep;
    for (uint64_t seed = 1; seed <= 5; seed++) {
      mjtNum linear[2][3], angular[2][3];
      zoo_randomize(m, d, seed);
      total_momentum(linear[0], angular[0], m, d);
      mj_step(m, d);
      total_momentum(linear[1], angular[1], m, d);
      assert_close(linear[1], linear[0], 3, 1e-12);
      assert_close(angular[1], angular[0], 3, 1e-12);
    }
  }
}

// the same for continuous time: nothing goes through the free joint
TEST(free_joint_transmits_nothing) {
  mjModel* m = test_model(kFloating);
  mjData* d = test_data(m);
  for (uint64_t seed = 1; seed <= 5; seed++) {
    zoo_randomize(m, d, seed);
    mj_forward(m, d);
    mj_rnePostConstraint(m, d);
    assert_near(mju_norm(d->cfrc_int + 6, 6), 0, 1e-12);
  }
}

// inverse

TEST(inverse_undoes_forward) {
  mjModel* m = test_model(ZOO_XML);
  mjData* d = test_data(m);
  for (uint64_t seed = 1; seed <= 5; seed++) {
    zoo_randomize(m, d, seed);
    uint64_t forces = seed;
    for (int i = 0; i < m->nv; i++) {
      d->qfrc_applied[i] = uniform_random(&forces);
    }
    for (int i = 0; i < 6; i++) {
      d->xfrc_applied[6 * 2 + i] = uniform_random(&forces);
    }
    mj_forward(m, d);
    mjtNum* expected = calloc(m->nv, sizeof *expected);
    mju_add(expected, d->qfrc_applied, d->qfrc_actuator, m->nv);
    mj_applyFT(m, d, d->xfrc_applied + 12, d->xfrc_applied + 15, d->xipos + 6, 2, expected);
    mj_inverse(m, d);
    assert_close(d->qfrc_inverse, expected, m->nv, 1e-10);
    free(expected);
  }
}

// (v_new - v) / h goes into inverse dynamics and the applied force comes out
TEST(discrete_inverse_undoes_a_step) {
  mjModel* m = test_model(ZOO_XML);
  mjData *d = mj_makeData(m), *before = mj_makeData(m);
  const int integrators[] = {mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST};
  for (int k = 0; k < 3; k++) {
    m->opt.integrator = integrators[k];
    m->opt.enableflags &= ~mjENBL_INVDISCRETE;
    zoo_randomize(m, d, 6);
    zoo_randomize(m, before, 6);
    mj_step(m, d);
    mj_forward(m, before);
    m->opt.enableflags |= mjENBL_INVDISCRETE;
    for (int i = 0; i < m->nv; i++) {
      before->qacc[i] = (d->qvel[i] - before->qvel[i]) / m->opt.timestep;
    }
    mj_inverse(m, before);
    assert_close(before->qfrc_inverse, before->qfrc_actuator, m->nv, slope_error(1e-8));
  }
  mj_deleteData(d);
  mj_deleteData(before);
}

// derivatives

// qfrc_actuator + qfrc_passive - qfrc_bias, at the current velocity
static void smooth_force(mjtNum* out, const mjModel* m, mjData* d) {
  mj_fwdVelocity(m, d);
  mj_fwdActuation(m, d);
  for (int i = 0; i < m->nv; i++) {
    out[i] = d->qfrc_actuator[i] + d->qfrc_passive[i] - d->qfrc_bias[i];
  }
}

TEST(velocity_derivative_matches_differences) {
  DOUBLE_ONLY();
  const mjtNum h = (mjtNum)1e-6;
  mjModel* m = test_model("<mujoco>" ZOO_NOCONTACT ZOO_WORLD ZOO_ACTUATORS "</mujoco>");
  mjData* d = test_data(m);
  int nv = m->nv;
  m->opt.density = 1;
  m->opt.viscosity = (mjtNum)0.1;
  // clamps have no part in the derivative
  memset(m->actuator_forcelimited, 0, m->nu);
  mjtNum *plus = calloc(nv, sizeof *plus), *minus = calloc(nv, sizeof *minus);
  for (uint64_t seed = 1; seed <= 3; seed++) {
    zoo_randomize(m, d, seed);
    mj_forward(m, d);
    derivative_smooth(m, d, 0);
    for (int j = 0; j < nv; j++) {
      mjtNum v = d->qvel[j];
      d->qvel[j] = v + h;
      smooth_force(plus, m, d);
      d->qvel[j] = v - h;
      smooth_force(minus, m, d);
      d->qvel[j] = v;
      for (int i = 0; i < nv; i++) {
        for (int k = m->D_rowadr[i]; k < m->D_rowadr[i] + m->D_rownnz[i]; k++) {
          if (m->D_colind[k] == j) {
            assert_near(d->qDeriv[k], (plus[i] - minus[i]) / (2 * h), 2e-6);
          }
        }
      }
    }
  }
  free(plus);
  free(minus);
}

// stiff damping: the step must not overshoot
TEST(implicit_damping_is_stable) {
  mjModel* m = test_model(
      "<mujoco><option gravity='0 0 0' timestep='.01'/><worldbody><body><joint axis='0 0 1' "
      "damping='100'/>"
      "<geom type='box' size='.1 .05 .02' mass='.1'/></body></worldbody></mujoco>");
  const int integrators[] = {mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST};
  for (int k = 0; k < 3; k++) {
    mjData* d = test_data(m);
    m->opt.integrator = integrators[k];
    d->qvel[0] = 1;
    mj_step(m, d);
    mjtNum inertia = d->M[0];
    assert_near(d->qvel[0], inertia / (inertia + 1), 1e-12);
  }
}
