// Second derivatives for implicit integrators, against differences of their matrix.

#include "derivative/smooth/second_order.h"

#include "derivative/discrete.h"
#include "derivative/smooth/force_differences.h"

static const char kMoving[] =
    "<mujoco><option timestep='.002' integrator='%s' density='90' viscosity='2'><flag "
    "contact='disable'/></option>" ZOO_WORLD
    "<actuator><general joint='twist' gaintype='affine' gainprm='1 2 -3' biastype='affine' "
    "biasprm='1 -2 -.5'/><general tendon='cord' gainprm='3' biastype='affine' biasprm='0 -2 -1'/>"
    "</actuator></mujoco>";

// Q a
static void damped(mjtNum* y, const mjModel* m, mjData* d, void* of) {
  update_velocities(m, d);
  mj_fwdActuation(m, d);
  mj_markStack(d);
  DiscreteMatrices at = discrete_matrices(m, d);
  mju_mulMatVec(y, at.Q, of, m->nv, m->nv);
  mj_freeStack(d);
}

TEST(matrices_of_integrators_change_as_differences_say) {
  DOUBLE_ONLY();
  static const char* const names[2] = {"implicit", "implicitfast"};
  for (int i = 0; i < 2; i++) {
    char xml[6000];
    snprintf(xml, sizeof(xml), kMoving, names[i]);
    Scene s = scene_make(xml, 0.5);
    mjtNum* a = scene_numbers(&s, s.nv, 5);
    ForceJacobian F = force_jacobian(s.m, s.d);
    smooth_second_derivative(&F, s.m, s.d, a);
    check_jacobian(&s, &F, damped, a, 1e-7);
    scene_free(&s);
  }
}

// With every dof on one chain the pattern is full: D (g row row' a).
TEST(products_of_a_row_change_with_it) {
  enum {
    NV = 4
  };
  Scene s = scene_make(
      "<mujoco><worldbody><body><joint type='ball'/><geom size='.1'/>"
      "<body pos='1 0 0'><joint/><geom size='.1'/></body></body></worldbody>"
      "</mujoco>",
      0);
  assert_int_equal(s.nv, NV);
  const mjtNum *row = scene_numbers(&s, NV, 1), *a = scene_numbers(&s, NV, 2);
  const mjtNum* hessian = scene_numbers(&s, NV * NV, 3);
  for (int only_M = 0; only_M < 2; only_M++) {
    mjtNum G[NV * NV] = {0}, expected[NV * NV], rate = mju_dot(row, a, NV);
    pattern_derivative(G, s.m, row, hessian, a, 3, only_M);
    for (int k = 0; k < NV; k++) {
      for (int j = 0; j < NV; j++) {
        mjtNum sum = hessian[k * NV + j] * rate;
        for (int l = 0; l < NV; l++) {
          sum += row[k] * hessian[l * NV + j] * a[l];
        }
        expected[k * NV + j] = 3 * sum;
      }
    }
    assert_close(G, expected, NV * NV, 1e-12);
  }
  scene_free(&s);
}
