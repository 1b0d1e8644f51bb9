// Axes, velocities and constant forces as bodies move, against differences.

#include "derivative/tree/kinematics.h"

#include "derivative/scene.h"

static const mjtNum kLocal[3] = {(mjtNum)0.1, (mjtNum)-0.2, (mjtNum)0.3};

TEST(dofs_of_a_quaternion_are_one_step) {
  Scene s = scene_make(ZOO_XML, 0);
  for (int j = 0; j < s.m->njnt; j++) {
    int first = s.m->jnt_dofadr[j], type = s.m->jnt_type[j];
    int num = type == mjJNT_FREE ? 6 : type == mjJNT_BALL ? 3 : 1;
    for (int i = 0; i < num; i++) {
      DofStep step = dof_step(s.m, first + i);
      int turns = num >= 3 && i >= num - 3;
      assert_int_equal(step.first, turns ? first + num - 3 : first + i);
      assert_int_equal(step.end, turns ? first + num : first + i + 1);
    }
  }
  scene_free(&s);
}

TEST(twists_are_what_jacobians_times_velocities_are) {
  Scene s = scene_make(ZOO_XML, 1);
  const mjtNum* z = scene_numbers(&s, s.nv, 3);
  Twists W = twists_make(s.m, s.d, z);
  mjtNum* J = scene_zeros(&s, 6 * s.nv);
  for (int b = 1; b < s.m->nbody; b++) {
    mjtNum p[3], v[3], expected[6];
    body_point(p, s.d, b, kLocal);
    body_twists(J, s.m, s.d, b, p);
    mju_mulMatVec(expected, J, z, 6, s.nv);
    velocity_at(v, s.m, s.d, b, W.body + 6 * b, p);
    assert_close(v, expected + 3, 3, 1e-12);
    assert_close(W.body + 6 * b, expected, 3, 1e-12);
  }
  scene_free(&s);
}

// Velocity J z of a point that moves with a body.
typedef struct {
  int body;
  const mjtNum* z;
} PointVelocity;

static void point_velocity(mjtNum* y, const mjModel* m, mjData* d, void* of) {
  const PointVelocity* point = of;
  mjtNum* J = malloc(6 * (size_t)m->nv * sizeof(mjtNum));
  mjtNum p[3];
  update_positions(m, d);
  body_point(p, d, point->body, kLocal);
  body_twists(J, m, d, point->body, p);
  mju_mulMatVec(y, J + 3 * m->nv, point->z, 3, m->nv);
  free(J);
}

TEST(velocity_of_a_point_changes_as_differences_say) {
  DOUBLE_ONLY();
  Scene s = scene_make(ZOO_XML, 1);
  PointVelocity of = {.z = scene_numbers(&s, s.nv, 4)};
  Twists W = twists_make(s.m, s.d, of.z);
  mjtNum *J = scene_zeros(&s, 3 * s.nv), p[3], rate[3];
  for (of.body = 1; of.body < s.m->nbody; of.body++) {
    differences_by_dofs(J, point_velocity, &of, s.m, s.d, 3, (mjtNum)1e-3);
    body_point(p, s.d, of.body, kLocal);
    for (int j = 0; j < s.nv; j++) {
      mjtNum column[3] = {J[j], J[s.nv + j], J[2 * s.nv + j]}, zero[3] = {0, 0, 0};
      int above = s.m->body_weldid[of.body] ? s.m->body_dofadr[s.m->body_weldid[of.body]] +
                                                  s.m->body_dofnum[s.m->body_weldid[of.body]] - 1
                                            : -1;
      while (above > j) {
        above = s.m->dof_parentid[above];
      }
      v3_zero(rate);
      if (above == j) {
        twists_point_derivative(rate, s.m, s.d, &W, of.body, p, j);
      }
      assert_close(rate, above == j ? column : zero, 3, 1e-8);
      assert_close(column, rate, 3, 1e-8);
    }
  }
  scene_free(&s);
}

// Forces on bodies that stay what they are in the world, at points that move.
typedef struct {
  int body;
  mjtNum force[3], torque[3], against[3], axis[3];
} Pushed;

// J' of all of them; the last one is the rate of a direction `axis` of the body along `against`.
static void generalized(mjtNum* y, const mjModel* m, mjData* d, void* of) {
  const Pushed* push = of;
  mjtNum p[3], axis[3], turn[3];
  update_positions(m, d);
  mju_zero(y, m->nv);
  for (int i = 0; i < 3; i++) {
    body_point(p, d, push[i].body, kLocal);
    mju_mulMatVec3(axis, d->xmat + 9 * push[i].body, push[i].axis);
    mju_cross(turn, axis, push[i].against);
    mju_addTo3(turn, push[i].torque);
    mj_applyFT(m, d, push[i].force, turn, p, push[i].body, y);
  }
}

TEST(constant_forces_change_as_differences_say) {
  DOUBLE_ONLY();
  Scene s = scene_make(ZOO_XML, 1);
  Pushed push[3];
  uint64_t seed = 5;
  Load* loads = loads_make(s.m, s.d);
  static const char* const names[3] = {"wrist", "shin", "cart"};
  for (int i = 0; i < 3; i++) {
    push[i].body = scene_id(&s, mjOBJ_BODY, names[i]);
    random_fill(push[i].force, 12, &seed);
    mjtNum p[3], axis[3];
    body_point(p, s.d, push[i].body, kLocal);
    mju_mulMatVec3(axis, s.d->xmat + 9 * push[i].body, push[i].axis);
    load_add_force(loads, s.m, s.d, push[i].body, p, push[i].force);
    load_add_torque(loads, push[i].body, push[i].torque);
    load_add_direction(loads, push[i].body, axis, push[i].against);
  }
  mjtNum *G = scene_zeros(&s, s.nv * s.nv), *expected = scene_zeros(&s, s.nv * s.nv);
  loads_derivative(G, s.m, s.d, loads, 2);
  mju_scl(G, G, (mjtNum)0.5, s.nv * s.nv);
  differences_by_dofs(expected, generalized, push, s.m, s.d, s.nv, (mjtNum)1e-3);
  assert_close(G, expected, s.nv * s.nv, 1e-8);
  scene_free(&s);
}

TEST(products_are_added_at_their_dofs) {
  mjtNum G[16] = {0}, u[2] = {2, 3}, v[3] = {5, 7, 11}, all[4] = {1, 1, 2, 1};
  const int row[2] = {3, 1}, col[3] = {0, 2, 3};
  const mjtNum expected[16] = {0, 0, 0, 0, 30 + 30, 30, 60 + 42, 30 + 66,
                               0, 0, 0, 0, 20 + 20, 20, 40 + 28, 20 + 44};
  add_product(G, 4, u, row, 2, v, col, 3, 2);
  add_product(G, 4, u, row, 2, all, NULL, 4, 10);
  assert_close(G, expected, 16, 1e-15);
}
