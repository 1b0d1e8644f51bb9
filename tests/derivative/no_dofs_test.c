// Models without dofs: nothing moves, but activations go on, and sensors measure them. Their
// matrices have no rows for positions and velocities, and no place is read or written for these.
// (The sanitized builds see it.)

#include <condyle/derivative.h>

#include "support/near.h"
#include "support/zoo.h"

enum {
  MAX_NUMBERS = 100
};

static const char* const kWorlds[] = {
    "<mujoco/>",
    "<mujoco><worldbody><geom type='plane' size='1 1 1'/><geom size='.1'/><site name='s'/><body "
    "mocap='true'><geom size='.1'/></body></worldbody><sensor><clock/><framepos objtype='site' "
    "objname='s'/><accelerometer site='s'/><e_potential/></sensor></mujoco>",
    "<mujoco><worldbody><site name='s'/><body pos='1 0 0'><geom size='.1' mass='1'/><site "
    "name='t'/></body></worldbody><tendon><spatial name='t' stiffness='3' damping='1' "
    "frictionloss='1' limited='true' range='0 .5'><site site='s'/><site "
    "site='t'/></spatial></tendon>"
    "<actuator><general name='a' site='s' gear='1 0 0 0 0 0' dyntype='filter' dynprm='.1' "
    "gainprm='7'/><general tendon='t' dyntype='integrator' biastype='affine' biasprm='0 -2 -1'/>"
    "<motor site='t' gear='0 1 0 0 0 0'/></actuator><sensor><actuatorfrc actuator='a'/><tendonpos "
    "tendon='t'/></sensor></mujoco>",
    "<mujoco><worldbody><body name='b'><geom size='.1' mass='1'/></body><body name='c'><geom "
    "size='.1' mass='1'/></body><flexcomp name='f' type='grid' count='3 3 1' spacing='.1 .1 .1' "
    "rigid='true' dim='2' radius='.01'/></worldbody><equality><weld body1='b' "
    "body2='c'/></equality>"
    "</mujoco>",
};

static const int kIntegrators[] = {mjINT_EULER, mjINT_RK4, mjINT_IMPLICIT, mjINT_IMPLICITFAST};

enum {
  NWORLD = sizeof kWorlds / sizeof kWorlds[0],
  NINTEGRATOR = sizeof kIntegrators / sizeof kIntegrators[0],
};

static mjModel* world(int k) {
  mjModel* m = test_model(kWorlds[k / NINTEGRATOR]);
  m->opt.integrator = kIntegrators[k % NINTEGRATOR];
  assert_int_equal(m->nv, 0);
  assert_that((m->na + m->nsensordata) * (m->na + m->nu), <=, MAX_NUMBERS);
  return m;
}

static mjData* data_of(const mjModel* m) {
  mjData* d = mj_makeData(m);
  for (int i = 0; i < m->nu; i++) {
    d->ctrl[i] = (mjtNum)(0.3 + i);
  }
  for (int i = 0; i < m->na; i++) {
    d->act[i] = (mjtNum)(0.7 - i);
  }
  return d;
}

TEST(steps_have_the_derivatives_of_differences) {
  DOUBLE_ONLY();
  for (int k = 0; k < NWORLD * NINTEGRATOR; k++) {
    mjModel* m = world(k);
    mjData* d = data_of(m);
    mjtNum exact[4][MAX_NUMBERS], by_steps[4][MAX_NUMBERS];
    int na = m->na, nu = m->nu, ns = m->nsensordata;
    const int count[4] = {na * na, na * nu, ns * na, ns * nu};
    memset(exact, 0, sizeof exact);
    memset(by_steps, 0, sizeof by_steps);
    assert_int_equal(cnd_transitionExact(m, d, exact[0], exact[1], exact[2], exact[3]), 0);
    mjd_transitionFD(m, d, 1e-6, 1, by_steps[0], by_steps[1], by_steps[2], by_steps[3]);
    for (int part = 0; part < 4; part++) {
      for (int i = 0; i < count[part]; i++) {
        if (fabs((double)(exact[part][i] - by_steps[part][i])) > 1e-7) {
          fail_msg("world %d, integrator %d: number %d of matrix %c is %.12g, by differences %.12g",
                   k / NINTEGRATOR, m->opt.integrator, i, "ABCD"[part], exact[part][i],
                   by_steps[part][i]);
        }
      }
    }

    // nobody asks
    assert_int_equal(cnd_transitionExact(m, d, NULL, NULL, NULL, NULL), 0);
    mj_deleteData(d);
    test_release(m);
  }
}

TEST(adjoints_are_their_products) {
  DOUBLE_ONLY();
  for (int k = 0; k < NWORLD * NINTEGRATOR; k++) {
    mjModel* m = world(k);
    mjData* d = data_of(m);
    int na = m->na, nu = m->nu, ns = m->nsensordata;
    mjtNum A[MAX_NUMBERS], B[MAX_NUMBERS], C[MAX_NUMBERS], D[MAX_NUMBERS];
    mjtNum dnext[MAX_NUMBERS], dsensor[MAX_NUMBERS], dstate[MAX_NUMBERS], dctrl[MAX_NUMBERS];
    for (int i = 0; i < MAX_NUMBERS; i++) {
      dnext[i] = 1 + i;
      dsensor[i] = 2 - i;
    }
    cnd_transitionExact(m, d, A, B, C, D);
    mjtNum mass[MAX_NUMBERS] = {0};
    cndParameterGradient gradient = {.body_mass = mass};
    cnd_transitionAdjoint(m, d, na ? dnext : NULL, ns ? dsensor : NULL, na ? dstate : NULL,
                          nu ? dctrl : NULL, NULL);
    for (int j = 0; j < na + nu; j++) {
      mjtNum expected = 0;
      for (int i = 0; i < na; i++) {
        expected += dnext[i] * (j < na ? A[i * na + j] : B[i * nu + j - na]);
      }
      for (int i = 0; i < ns; i++) {
        expected += dsensor[i] * (j < na ? C[i * na + j] : D[i * nu + j - na]);
      }
      assert_near(j < na ? dstate[j] : dctrl[j - na], expected, 1e-12);
    }
    cnd_transitionAdjoint(m, d, na ? dnext : NULL, NULL, NULL, NULL, &gradient);
    for (int i = 0; i < m->nbody; i++) {
      assert_that(mass[i], ==, 0);
    }
    mj_deleteData(d);
    test_release(m);
  }
}

TEST(inverse_dynamics_has_no_numbers) {
  for (int k = 0; k < NWORLD * NINTEGRATOR; k++) {
    mjModel* m = world(k);
    mjData* d = data_of(m);
    mjtNum untouched[1] = {5}, *u = untouched;
    assert_int_equal(cnd_inverseExact(m, d, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL), 0);
    assert_int_equal(cnd_inverseExact(m, d, 1, u, u, u, u, u, u, u), 0);
    mjd_inverseFD(m, d, (mjtNum)1e-6, 1, u, u, u, u, u, u, u);
    assert_that(untouched[0], ==, 5);
    mj_deleteData(d);
    test_release(m);
  }
}
