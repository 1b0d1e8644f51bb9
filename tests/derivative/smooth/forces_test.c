// Forces that turn with their bodies, against differences.

#include "derivative/smooth/force_differences.h"

// A force and a torque given in the frame of each body.
static void following(mjtNum* y, const mjModel* m, mjData* d, void* of) {
  const mjtNum* own = of;
  update_positions(m, d);
  mju_zero(y, m->nv);
  for (int b = 1; b < m->nbody; b++) {
    mjtNum torque[3], force[3];
    mju_mulMatVec3(torque, d->xmat + 9 * b, own + 6 * b);
    mju_mulMatVec3(force, d->xmat + 9 * b, own + 6 * b + 3);
    mj_applyFT(m, d, force, torque, d->xpos + 3 * b, b, y);
  }
}

TEST(wrenches_that_turn_with_bodies_change_as_differences_say) {
  DOUBLE_ONLY();
  Scene s = scene_make(ZOO_XML, 0.5);
  mjtNum* own = scene_numbers(&s, 6 * s.m->nbody, 4);
  mjtNum* follower = scene_zeros(&s, 6 * s.m->nbody);
  for (int b = 1; b < s.m->nbody; b++) {
    mjtNum *wrench = follower + 6 * b, arm[3], torque[3];
    mju_mulMatVec3(wrench, s.d->xmat + 9 * b, own + 6 * b);
    mju_mulMatVec3(wrench + 3, s.d->xmat + 9 * b, own + 6 * b + 3);
    mju_sub3(arm, s.d->xpos + 3 * b, tree_point(s.m, s.d, b));
    mju_cross(torque, arm, wrench + 3);
    mju_addTo3(wrench, torque);
  }
  ForceJacobian F = force_jacobian(s.m, s.d);
  assert_near(largest_of(F.q, s.nv * s.nv), 0, 0);
  followers_derivative(F.q, s.m, s.d, follower);
  check_jacobian(&s, &F, following, own, 1e-8);
  scene_free(&s);
}
