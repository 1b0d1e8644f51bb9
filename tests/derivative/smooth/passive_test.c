// Springs, dampers, fluids and forces that are applied, against differences.

#include "derivative/smooth/force_differences.h"
#include "smooth/tendon.h"

#define MEDIUM "<option density='90' viscosity='2' wind='1 2 3'><flag contact='disable'/></option>"

static void passive(mjtNum* y, const mjModel* m, mjData* d, void* of) {
  (void)of;
  update_velocities(m, d);
  mju_copy(y, d->qfrc_passive, m->nv);
}

// in a medium, with gravity compensated in part; tendons have no inertia
TEST(passive_forces_change_as_differences_say) {
  DOUBLE_ONLY();
  Scene s = scene_make("<mujoco>" MEDIUM ZOO_WORLD "</mujoco>", 0.5);
  mju_zero(s.m->tendon_armature, s.m->ntendon);
  mj_forward(s.m, s.d);
  assert_false(tendon_any_inertia(s.m));
  const JointMotion motion = {s.d->qvel, s.d->qacc, 1};
  BodyMotion bodies = motion_make(s.m, s.d, &motion);
  Twists W = twists_make(s.m, s.d, s.d->qvel);
  ForceJacobian F = force_jacobian(s.m, s.d);
  passive_derivative(&F, s.m, s.d, &bodies, &W, s.d->qacc);
  assert_int_equal(F.kinks, 0);
  check_jacobian(&s, &F, passive, NULL, 1e-7);
  scene_free(&s);
}

static void compensation(mjtNum* y, const mjModel* m, mjData* d, void* of) {
  (void)of;
  update_velocities(m, d);
  mju_copy(y, d->qfrc_gravcomp, m->nv);
}

// Of dofs whose actuators do it, and of the others: together all of it.
TEST(gravity_compensation_is_that_of_both_kinds_of_dofs) {
  DOUBLE_ONLY();
  Scene s = scene_make("<mujoco>" ZOO_NOCONTACT ZOO_WORLD "</mujoco>", 0.5);
  int joint = scene_id(&s, mjOBJ_JOINT, "twist"), dof = s.m->jnt_dofadr[joint];
  s.m->jnt_actgravcomp[joint] = 1;
  ForceJacobian F = force_jacobian(s.m, s.d);
  gravcomp_add(&F, s.m, s.d, 1);
  for (int i = 0; i < s.nv; i++) {
    assert_that((largest_of(F.q + i * s.nv, s.nv) > 0), <=, (i == dof));
  }
  gravcomp_add(&F, s.m, s.d, 0);
  check_jacobian(&s, &F, compensation, NULL, 1e-8);
  scene_free(&s);
}

static void applied(mjtNum* y, const mjModel* m, mjData* d, void* of) {
  (void)of;
  update_positions(m, d);
  mju_zero(y, m->nv);
  for (int b = 1; b < m->nbody; b++) {
    const mjtNum* f = d->xfrc_applied + 6 * b;
    mj_applyFT(m, d, f, f + 3, d->xipos + 3 * b, b, y);
  }
}

TEST(applied_forces_change_as_differences_say) {
  DOUBLE_ONLY();
  Scene s = scene_make("<mujoco>" ZOO_NOCONTACT ZOO_WORLD "</mujoco>", 0.5);
  uint64_t seed = 3;
  random_fill(s.d->xfrc_applied, 6 * s.m->nbody, &seed);
  ForceJacobian F = force_jacobian(s.m, s.d);
  applied_derivative(&F, s.m, s.d);
  check_jacobian(&s, &F, applied, NULL, 1e-8);
  scene_free(&s);
}

// A string along one chain: all of its inertia is in M.
static const char kString[] =
    "<mujoco>" ZOO_NOCONTACT
    "<worldbody><site name='w' pos='1 0 2'/><body pos='0 0 1'><joint type='ball'/>"
    "<geom type='box' size='.1 .2 .3'/><site name='a' pos='.1 .2 .3'/><body pos='.3 0 0'>"
    "<joint axis='1 2 3'/><geom type='capsule' size='.05 .2'/><site name='b' pos='.1 .2 0'/></body>"
    "</body></worldbody><tendon><spatial armature='.7'><site site='w'/><site site='a'/>"
    "<site site='b'/></spatial></tendon></mujoco>";

// armature J' J x
static void tendon_inertia(mjtNum* y, const mjModel* m, mjData* d, void* of) {
  mj_fwdPosition(m, d);
  mjtNum *row = calloc((size_t)m->nv, sizeof(mjtNum)), rate;
  tendon_row(row, m, d, 0);
  rate = mju_dot(row, of, m->nv);
  mju_scl(y, row, m->tendon_armature[0] * rate, m->nv);
  free(row);
}

TEST(inertia_of_tendons_changes_as_differences_say) {
  DOUBLE_ONLY();
  Scene s = scene_make(kString, 0.5);
  mjtNum* x = scene_numbers(&s, s.nv, 5);
  assert_true(tendon_any_inertia(s.m));
  ForceJacobian F = force_jacobian(s.m, s.d);
  tendon_inertia_derivative(&F, s.m, s.d, NULL, x, 2);
  mju_scl(F.q, F.q, (mjtNum)0.5, s.nv * s.nv);
  check_jacobian(&s, &F, tendon_inertia, x, 1e-8);
  scene_free(&s);
}
