// Jacobians are the gradients of points, and their rates the time derivatives.

#include "smooth/jacobian.h"

#include "support/zoo.h"

#define kStep difference_step(1e-6)

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
      assert_close(column, slope, 3, slope_error(1e-8));
    }
  }
  free(jacp);
  free(step);
  mj_deleteData(moved);
}

TEST(point_jacobian_is_the_gradient_of_the_point) {
  zoo_each_state(check_gradient);
}

// the dofs of all runs
static int union_of_chains(int* dof, const mjModel* m, const int* body, int nbody) {
  BodyChain chain[6];
  ChainRun run[11];
  int n = 0, nrun = jac_runs(run, chain, m, body, nbody);
  assert_that(nbody, <=, 6);
  assert_that(nrun, <, 2 * nbody);
  for (int k = 0; k < nrun; k++) {
    for (int i = 0; i < run[k].ndof; i++) {
      dof[n++] = run[k].dof[i];
    }
  }
  return n;
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
      int n = union_of_chains(chain, m, (int[]){body1, body2}, 2);
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

TEST(difference_is_the_difference_of_two_jacobians) {
  zoo_each_state(check_difference);
}

// Every run moves exactly the bodies that mj_jac says, and no dof is missing or out of order.
static void check_runs(mjModel* m, mjData* d) {
  static const int lists[][5] = {
      {4, 3, 2, 6, 5}, {6, 4, 7, 0, 8}, {4, 4, 6, 6, 4}, {8, 7, 6, 4, 2}, {0, 9, 1, 0, 2}};
  int nv = m->nv;
  mjtNum* jac = malloc(6 * nv * sizeof *jac);
  for (int l = 0; l < 5; l++) {
    BodyChain chain[5];
    ChainRun run[9];
    int nrun = jac_runs(run, chain, m, lists[l], 5), last = -1;
    int* moves = calloc(5 * nv, sizeof *moves);
    assert_that(nrun, <=, 9);
    for (int k = 0; k < nrun; k++) {
      for (int i = 0; i < run[k].ndof; last = run[k].dof[i++]) {
        assert_that(run[k].dof[i], >, last);
        for (int b = run[k].first; b < run[k].end; b++) {
          moves[chain[b].place * nv + run[k].dof[i]] = 1;
        }
      }
    }
    for (int b = 0; b < 5; b++) {
      mj_jac(m, d, jac, jac + 3 * nv, d->xipos, lists[l][b]);
      for (int j = 0; j < nv; j++) {
        mjtNum size = 0;
        for (int r = 0; r < 6; r++) {
          size += mju_abs(jac[r * nv + j]);
        }
        assert_int_equal(moves[b * nv + j], size != 0);
      }
    }
    free(moves);
  }
  free(jac);
}

TEST(runs_of_dofs_move_the_bodies_they_name) {
  zoo_each_state(check_runs);
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

TEST(velocities_and_momenta_are_jacobians_times_qvel) {
  zoo_each_state(check_velocities);
}

// J(t) qvel - J(-t) qvel of a point that moves with its body, the rotational half below
static void odd_part(mjtNum out[6], const mjModel* m, const mjData* d, mjData* moved, int body,
                     const mjtNum local[3], mjtNum t) {
  int nv = m->nv;
  mjtNum *jacobian = malloc(6 * nv * sizeof(mjtNum)), point[3], ends[2][6];
  for (int side = 0; side < 2; side++) {
    memcpy(moved->qpos, d->qpos, m->nq * sizeof(mjtNum));
    mj_integratePos(m, moved->qpos, d->qvel, side ? t : -t);
    mj_kinematics(m, moved);
    mj_comPos(m, moved);
    place(point, moved, body, local);
    mj_jac(m, moved, jacobian, jacobian + 3 * nv, point, body);
    mju_mulMatVec(ends[side], jacobian, d->qvel, 6, nv);
  }
  mju_sub(out, ends[1], ends[0], 6);
  free(jacobian);
}

// J-dot qvel against differences over two times, whose errors of t^2 cancel. Single columns of
// quaternion dofs are a convention; the product is not.
static void check_rate(mjModel* m, mjData* d) {
  int nv = m->nv;
  const mjtNum local[3] = {0.1, -0.2, 0.3}, t = difference_step(1e-3);
  mjtNum* rate = malloc(6 * nv * sizeof *rate);
  mjData* moved = mj_copyData(NULL, m, d);
  for (int body = 1; body < m->nbody; body++) {
    mjtNum point[3], coarse[6], fine[6], expected[6], found[6];
    place(point, d, body, local);
    mj_jacDot(m, d, rate, rate + 3 * nv, point, body);
    mju_mulMatVec(found, rate, d->qvel, 6, nv);
    odd_part(coarse, m, d, moved, body, local, t);
    odd_part(fine, m, d, moved, body, local, t / 2);
    for (int k = 0; k < 6; k++) {
      expected[k] = (8 * fine[k] - coarse[k]) / (6 * t);
    }
    assert_close(found, expected, 6, slope_error(2e-10));
  }
  free(rate);
  mj_deleteData(moved);
}

TEST(jacobian_rate_is_the_time_derivative) {
  zoo_each_state(check_rate);
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

TEST(applied_force_is_mapped_by_the_transposed_jacobian) {
  zoo_each_state(check_force);
}
