#include "smooth/jacobian.h"

#include "smooth/zoo.h"

static const mjtNum kStep = (mjtNum)1e-6;

// Runs check on several random states of the zoo, everything up to the velocity stage computed.
static void on_states(void (*check)(mjModel* m, mjData* d)) {
  mjModel* m = zoo_compile(ZOO_XML);
  mjData* d = mj_makeData(m);
  for (uint64_t seed = 1; seed <= 5; seed++) {
    zoo_randomize(m, d, seed);
    mj_forward(m, d);
    check(m, d);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// world position of a point given in a body's frame
static void place(mjtNum out[3], const mjData* d, int body, const mjtNum local[3]) {
  mju_mulMatVec3(out, d->xmat + 9 * body, local);
  mju_addTo3(out, d->xpos + 3 * body);
}

static void check_gradient(mjModel* m, mjData* d) {
  int nv = m->nv;
  const mjtNum local[3] = {0.1, -0.2, 0.3};
  mjtNum* jacp = malloc(3 * nv * sizeof *jacp);
  mjtNum* step = malloc(nv * sizeof *step);
  mjData* moved = mj_copyData(NULL, m, d);
  for (int body = 0; body < m->nbody; body++) {
    mjtNum point[3];
    place(point, d, body, local);
    mj_jac(m, d, jacp, NULL, point, body);
    for (int j = 0; j < nv; j++) {
      mjtNum ends[2][3], slope[3], column[3];
      for (int side = 0; side < 2; side++) {
        memset(step, 0, nv * sizeof *step);
        step[j] = side ? kStep : -kStep;
        memcpy(moved->qpos, d->qpos, m->nq * sizeof(mjtNum));
        mj_integratePos(m, moved->qpos, step, 1);
        mj_kinematics(m, moved);
        place(ends[side], moved, body, local);
      }
      for (int k = 0; k < 3; k++) {
        slope[k] = (ends[1][k] - ends[0][k]) / (2 * kStep);
        column[k] = jacp[k * nv + j];
      }
      assert_close(column, slope, 3, 1e-8);
    }
  }
  free(jacp);
  free(step);
  mj_deleteData(moved);
}

static void point_jacobian_is_the_gradient_of_the_point(void** state) {
  (void)state;
  DOUBLE_ONLY();
  on_states(check_gradient);
}

static void check_difference(mjModel* m, mjData* d) {
  int nv = m->nv;
  size_t bytes = 3 * nv * sizeof(mjtNum);
  mjtNum *p1 = malloc(bytes), *r1 = malloc(bytes), *p2 = malloc(bytes), *r2 = malloc(bytes);
  mjtNum *p = malloc(bytes), *r = malloc(bytes), *turned = malloc(bytes);
  int* chain = malloc(nv * sizeof(int));
  const mjtNum a[3] = {0.3, 0.1, 0.7}, b[3] = {-0.2, 0.5, 0.4};
  const mjtNum* frame = d->ximat + 9;
  for (int body1 = 0; body1 < m->nbody; body1++) {
    for (int body2 = 0; body2 < m->nbody; body2++) {
      mj_jac(m, d, p1, r1, a, body1);
      mj_jac(m, d, p2, r2, b, body2);
      mju_subFrom(p2, p1, 3 * nv);
      mju_subFrom(r2, r1, 3 * nv);
      assert_int_equal(jac_difference(p, r, nv, 0, m, d, body1, a, body2, b, NULL), nv);
      assert_close(p, p2, 3 * nv, 1e-13);
      assert_close(r, r2, 3 * nv, 1e-13);

      // packed, in a frame: the same columns, rotated; and all others are zero
      int n = jac_chain(chain, m, body1, body2);
      mju_mulMatMat(turned, frame, p2, 3, 3, nv);
      assert_int_equal(jac_difference(p, r, n, 1, m, d, body1, a, body2, b, frame), n);
      for (int i = 0; i < n; i++) {
        assert_true(i == 0 || chain[i] > chain[i - 1]);
        for (int k = 0; k < 3; k++) {
          assert_near(p[k * n + i], turned[k * nv + chain[i]], 1e-13);
          turned[k * nv + chain[i]] = 0;
        }
      }
      assert_near(mju_norm(turned, 3 * nv), 0, 1e-13);
    }
  }
  free(p1);
  free(r1);
  free(p2);
  free(r2);
  free(p);
  free(r);
  free(turned);
  free(chain);
}

static void difference_is_the_difference_of_two_jacobians(void** state) {
  (void)state;
  on_states(check_difference);
}

static void check_velocities(mjModel* m, mjData* d) {
  int nv = m->nv;
  mjtNum* jacp = malloc(3 * nv * sizeof *jacp);
  mjtNum* jacr = malloc(3 * nv * sizeof *jacr);
  mj_subtreeVel(m, d);
  for (int body = 0; body < m->nbody; body++) {
    mjtNum expected[6], velocity[6], momentum[3];
    mj_jacBody(m, d, jacp, jacr, body);
    mju_mulMatVec(expected, jacr, d->qvel, 3, nv);
    mju_mulMatVec(expected + 3, jacp, d->qvel, 3, nv);
    mj_objectVelocity(m, d, mjOBJ_XBODY, body, velocity, 0);
    assert_close(velocity, expected, 6, 1e-12);

    mj_jacSubtreeCom(m, d, jacp, body);
    mju_mulMatVec(velocity, jacp, d->qvel, 3, nv);
    assert_close(velocity, d->subtree_linvel + 3 * body, 3, 1e-12);

    mj_angmomMat(m, d, jacr, body);
    mju_mulMatVec(momentum, jacr, d->qvel, 3, nv);
    assert_close(momentum, d->subtree_angmom + 3 * body, 3, 1e-12);
  }
  free(jacp);
  free(jacr);
}

static void velocities_and_momenta_are_jacobians_times_qvel(void** state) {
  (void)state;
  on_states(check_velocities);
}

// central difference of J along the motion
static void check_rate(mjModel* m, mjData* d) {
  int nv = m->nv;
  const mjtNum local[3] = {0.1, -0.2, 0.3};
  size_t bytes = 6 * nv * sizeof(mjtNum);
  mjtNum *rate = malloc(bytes), *ends[2] = {malloc(bytes), malloc(bytes)};
  mjData* moved = mj_copyData(NULL, m, d);
  for (int body = 1; body < m->nbody; body++) {
    mjtNum point[3], expected[3], found[3];
    place(point, d, body, local);
    mj_jacDot(m, d, rate, rate + 3 * nv, point, body);
    for (int side = 0; side < 2; side++) {
      memcpy(moved->qpos, d->qpos, m->nq * sizeof(mjtNum));
      mj_integratePos(m, moved->qpos, d->qvel, side ? kStep : -kStep);
      mj_kinematics(m, moved);
      mj_comPos(m, moved);
      place(point, moved, body, local);
      mj_jac(m, moved, ends[side], ends[side] + 3 * nv, point, body);
    }
    // the columns of quaternion dofs are a convention; J-dot qvel is not
    for (int half = 0; half < 2; half++) {
      mju_sub(ends[0] + 3 * nv * half, ends[1] + 3 * nv * half, ends[0] + 3 * nv * half, 3 * nv);
      mju_mulMatVec(expected, ends[0] + 3 * nv * half, d->qvel, 3, nv);
      mju_scl3(expected, expected, 1 / (2 * kStep));
      mju_mulMatVec(found, rate + 3 * nv * half, d->qvel, 3, nv);
      assert_close(found, expected, 3, 1e-7);
    }
  }
  free(rate);
  free(ends[0]);
  free(ends[1]);
  mj_deleteData(moved);
}

static void jacobian_rate_is_the_time_derivative(void** state) {
  (void)state;
  DOUBLE_ONLY();
  on_states(check_rate);
}

static void check_force(mjModel* m, mjData* d) {
  int nv = m->nv;
  const mjtNum point[3] = {0.3, 0.1, 0.7}, force[3] = {1, -2, 3}, torque[3] = {0.3, 0.2, -0.5};
  size_t bytes = 3 * nv * sizeof(mjtNum);
  mjtNum *jacp = malloc(bytes), *jacr = malloc(bytes), *qfrc = malloc(bytes);
  for (int body = 0; body < m->nbody; body++) {
    mj_jac(m, d, jacp, jacr, point, body);
    mju_mulMatTVec(qfrc, jacp, force, 3, nv);
    mju_mulMatTVec(qfrc + nv, jacr, torque, 3, nv);
    mju_addTo(qfrc, qfrc + nv, nv);
    mju_zero(qfrc + nv, nv);
    mj_applyFT(m, d, force, torque, point, body, qfrc + nv);
    assert_close(qfrc + nv, qfrc, nv, 1e-13);
  }
  free(jacp);
  free(jacr);
  free(qfrc);
}

static void applied_force_is_mapped_by_the_transposed_jacobian(void** state) {
  (void)state;
  on_states(check_force);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(point_jacobian_is_the_gradient_of_the_point),
      cmocka_unit_test(difference_is_the_difference_of_two_jacobians),
      cmocka_unit_test(velocities_and_momenta_are_jacobians_times_qvel),
      cmocka_unit_test(jacobian_rate_is_the_time_derivative),
      cmocka_unit_test(applied_force_is_mapped_by_the_transposed_jacobian),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
