// Cables against the theory of rods, without the reference.

#include "support/models.h"

enum {
  LINKS = 40
};

// A cantilever of length 1 along x, its first link fixed, a force or torque at its end.
static mjModel* cantilever(double bend, double twist, double radius, int free) {
  char xml[2000];
  snprintf(
      xml, sizeof xml,
      "<mujoco><option gravity='0 0 0' integrator='implicitfast' timestep='.005'/><extension>"
      "<plugin plugin='mujoco.elasticity.cable'/></extension><worldbody><composite type='cable' "
      "curve='s' count='%d 1 1' size='1' initial='%s'><joint kind='main' damping='.002'/><geom "
      "type='capsule' size='%g' density='500' contype='0' conaffinity='0'/><plugin "
      "plugin='mujoco.elasticity.cable'><config key='bend' value='%g'/><config key='twist' "
      "value='%g'/></plugin></composite></worldbody></mujoco>",
      LINKS + 1, free ? "free" : "none", radius, bend, twist);
  return test_model(xml);
}

// Turns every joint by an angle about y (axis 1) or x (0) and applies a wrench at the end. Returns
// the largest generalized force that is left, relative to the largest of the wrench.
static mjtNum imbalance(mjData* d, const mjModel* m, const double* angle, int axis,
                        const mjtNum force[3], const mjtNum torque[3]) {
  int last = m->nbody - 1, end = mj_name2id(m, mjOBJ_SITE, "S_last");
  for (int j = 0; j < m->njnt; j++) {
    mjtNum direction[3] = {0, 0, 0};
    direction[axis] = 1;
    mju_axisAngle2Quat(d->qpos + m->jnt_qposadr[j], direction, (mjtNum)angle[j]);
  }
  mj_fwdPosition(m, d);
  mj_fwdVelocity(m, d);
  mju_zero(d->qfrc_applied, m->nv);
  mj_applyFT(m, d, force, torque, d->site_xpos + 3 * end, last, d->qfrc_applied);
  mjtNum most = 0, left = 0;
  for (int i = 0; i < m->nv; i++) {
    most = mju_max(most, mju_abs(d->qfrc_applied[i]));
    left = mju_max(left, mju_abs(d->qfrc_applied[i] + d->qfrc_passive[i]));
  }
  return left / most;
}

// w = F L^3 / (3 E I), I = pi r^4 / 4. At rest joint i, at x_i, is turned by -F (L - x_i) l / (E I)
// about y, l the length of a link; the fixed one does not bend, and sums replace integrals: 1/n.
TEST(a_small_force_bends_by_euler_and_bernoulli) {
  const double E = 1e6, r = 0.02, F = 1e-4, l = 1.0 / LINKS;
  double I = mjPI * pow(r, 4) / 4, angle[LINKS];
  mjModel* m = cantilever(E, E, r, 0);
  mjData* d = test_data(m);
  for (int j = 0; j < m->njnt; j++) {
    angle[j] = -F * (1 - (j + 1) * l) * l / (E * I);
  }
  assert_that(imbalance(d, m, angle, 1, (mjtNum[3]){0, 0, (mjtNum)F}, (mjtNum[3]){0}), <, 1e-4);
  double theory = F * pow(1 - l / 2, 3) / (3 * E * I);
  double found = d->site_xpos[3 * mj_name2id(m, mjOBJ_SITE, "S_last") + 2];
  if (!(fabs(found / theory - 1) < 1.0 / LINKS)) {
    fail_msg("deflection %g, theory %g", found, theory);
  }
}

// A moment bends to a circle of curvature M / E I, however far, a torque about x twists by T / G J
// per length. Lengths of links are rounded like their ends, to single precision.
TEST(moments_make_circles_and_twist) {
  const double E = 1e6, G = 4e5, r = 0.02, T = 0.5, l = 1.0 / LINKS;
  double I = mjPI * pow(r, 4) / 4, angle[LINKS];
  mjModel* m = cantilever(E, G, r, 0);
  for (int axis = 0; axis < 2; axis++) {
    mjData* d = test_data(m);
    mjtNum torque[3] = {0, 0, 0};
    torque[axis] = (mjtNum)T;
    for (int j = 0; j < m->njnt; j++) {
      angle[j] = T * l / (axis ? E * I : G * 2 * I);
    }
    assert_that(imbalance(d, m, angle, axis, (mjtNum[3]){0}, torque), <, 1e-5);
    assert_that(angle[0] * m->njnt, >, 1);  // far indeed
  }
}

// Internal torques come in pairs: a free cable keeps its momentum.
TEST(a_free_cable_keeps_its_momentum) {
  mjModel* m = cantilever(1e5, 1e5, 0.02, 1);
  m->opt.timestep = (mjtNum)1e-4;
  mju_zero(m->dof_damping, m->nv);
  mjData* d = test_data(m);
  for (int i = 0; i < m->nv; i++) {
    d->qvel[i] = (mjtNum)(0.3 * sin(1 + 7 * i));
  }
  mjtNum before[6], after[6];
  mj_forward(m, d);
  mj_subtreeVel(m, d);
  memcpy(before, d->subtree_linvel + 3, sizeof(mjtNum) * 3);
  memcpy(before + 3, d->subtree_angmom + 3, sizeof(mjtNum) * 3);

  // what the cable does changes no momentum: generalized forces of a free motion do no work
  mjtNum rigid = 0;
  for (int k = 0; k < 6; k++) {
    rigid += mju_abs(d->qfrc_passive[k]);
  }
  assert_that(rigid, <, 1e-9);
  for (int i = 0; i < 300; i++) {
    mj_step(m, d);
  }
  mj_subtreeVel(m, d);
  memcpy(after, d->subtree_linvel + 3, sizeof(mjtNum) * 3);
  memcpy(after + 3, d->subtree_angmom + 3, sizeof(mjtNum) * 3);
  for (int k = 0; k < 6; k++) {
    if (!(fabs(after[k] - before[k]) < 2e-4)) {
      fail_msg("momentum %d: %g became %g", k, (double)before[k], (double)after[k]);
    }
  }
}
