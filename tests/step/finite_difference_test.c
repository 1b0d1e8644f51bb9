// Derivatives by finite differences: of systems whose derivatives are known, and as what they are
// defined to be, quotients of mj_step and mj_inverse that depend on nothing else.

#include "support/caught.h"
#include "support/models.h"
#include "support/starve.h"
#include "support/zoo.h"

static const char kHand[] = CONDYLE_SOURCE_DIR "/models/hand.xml";

// Sizes of a model's matrices, and one block with room for all of them.
typedef struct Matrices_ {
  int nx, nu, ns;
  mjtNum *A, *B, *C, *D;
} Matrices;

static Matrices matrices_make(const mjModel* m) {
  Matrices all = {.nx = 2 * m->nv + m->na, .nu = m->nu, .ns = m->nsensordata};
  size_t rows = (size_t)(all.nx + all.ns), columns = (size_t)(all.nx + all.nu);
  all.A = calloc(rows * columns + 1, sizeof(mjtNum));
  all.B = all.A + all.nx * all.nx;
  all.C = all.B + all.nx * all.nu;
  all.D = all.C + all.ns * all.nx;
  return all;
}

static size_t matrices_bytes(const Matrices* all) {
  return (size_t)((all->nx + all->ns) * (all->nx + all->nu)) * sizeof(mjtNum);
}

static void transition(const Matrices* all, const mjModel* m, mjData* d, mjtNum eps, int centered) {
  mjd_transitionFD(m, d, eps, (mjtByte)centered, all->A, all->B, all->C, all->D);
}

// Sensors of every stage on the zoo, and actuators that go through velocities and activations.
static const char kZoo[] =
    "<mujoco>" ZOO_NOCONTACT ZOO_WORLD ZOO_ACTUATORS
    "<sensor><jointpos joint='yaw'/><framequat objtype='body' objname='arm'/>"
    "<jointvel joint='yaw'/><subtreeangmom body='base'/><clock/><e_kinetic/>"
    "<actuatorfrc actuator='hold'/><jointactuatorfrc joint='knee'/><framelinacc objtype='site' "
    "objname='tip'/></sensor></mujoco>";

// systems with known derivatives

// A mass on a spring with a damper, pulled by its control; h = 0.01.
static const char kSpring[] =
    "<mujoco><option timestep='.01' gravity='0 0 0'/><worldbody><body><joint name='x' type='slide' "
    "axis='1 0 0' stiffness='30' damping='2'/><geom type='sphere' size='.1' mass='4'/></body>"
    "</worldbody><actuator><motor joint='x' gear='3'/></actuator><sensor><jointactuatorfrc "
    "joint='x'/><jointpos joint='x'/></sensor></mujoco>";

// Euler with implicit damping:  v' = (M v + h (3 u - k q)) / (M + h c),  q' = q + h v'
TEST(a_spring_has_its_transition_matrix) {
  mjModel* m = test_model(kSpring);
  mjData* d = test_data(m);
  Matrices all = matrices_make(m);
  double h = 0.01, M = 4 + h * 2;
  const double A[] = {1 - h * h * 30 / M, h * 4 / M, -h * 30 / M, 4 / M};
  const double B[] = {h * h * 3 / M, h * 3 / M}, C[] = {0, 0, 1, 0}, D[] = {3, 0};
  d->qpos[0] = (mjtNum)0.3;
  d->qvel[0] = (mjtNum)-0.7;
  for (int centered = 0; centered <= 1; centered++) {
    transition(&all, m, d, difference_step(1e-4), centered);
    assert_numbers(all.A, A, 4, slope_error(1e-10), 1);
    assert_numbers(all.B, B, 2, slope_error(1e-10), 1);
    assert_numbers(all.C, C, 4, slope_error(1e-10), 1);
    assert_numbers(all.D, D, 2, slope_error(1e-10), 1);
  }
  free(all.A);
}

// A of Runge-Kutta is the exponential of h F up to order 4, with F = (0 1; -k/M -c/M).
TEST(runge_kutta_has_the_exponential) {
  DOUBLE_ONLY();
  mjModel* m = test_model(kSpring);
  mjData* d = test_data(m);
  Matrices all = matrices_make(m);
  m->opt.integrator = mjINT_RK4;
  mjtNum F[4] = {0, (mjtNum)0.01, (mjtNum)-0.075, (mjtNum)-0.005};
  mjtNum exponential[4] = {1, 0, 0, 1}, power[4] = {1, 0, 0, 1}, next[4];
  for (int k = 1; k <= 4; k++) {
    mju_mulMatMat(next, power, F, 2, 2, 2);
    mju_scl(power, next, 1 / (mjtNum)k, 4);
    mju_addTo(exponential, power, 4);
  }
  d->qpos[0] = (mjtNum)0.3;
  transition(&all, m, d, (mjtNum)1e-4, 1);
  assert_numbers(all.A, exponential, 4, 1e-10, 1);
  free(all.A);
}

// A ball that turns freely, by q' = q exp(h w): blocks of A are the Jacobians of the exponential.
TEST(a_turning_ball_has_the_jacobians_of_the_exponential) {
  mjModel* m = test_model(
      "<mujoco><option timestep='.1' gravity='0 0 0'/><worldbody><body><freejoint/><geom "
      "type='sphere' size='.1'/></body></worldbody></mujoco>");
  mjData* d = test_data(m);
  Matrices all = matrices_make(m);
  const mjtNum w[3] = {3, -2, 5}, h = m->opt.timestep;
  mjtNum Dquat[9], Dvel[9], expected[144] = {0};
  mju_copy(d->qvel + 3, w, 3);
  d->qpos[3] = (mjtNum)0.5;
  d->qpos[4] = (mjtNum)-0.5;
  d->qpos[5] = d->qpos[6] = (mjtNum)0.5;
  mjd_quatIntegrate(w, h, Dquat, Dvel, NULL);
  for (int i = 0; i < 12; i++) {
    expected[13 * i] = 1;
  }
  for (int i = 0; i < 3; i++) {
    expected[12 * i + 6 + i] = h;
    for (int j = 0; j < 3; j++) {
      expected[12 * (3 + i) + 3 + j] = Dquat[3 * i + j];
      expected[12 * (3 + i) + 9 + j] = h * Dvel[3 * i + j];
    }
  }
  transition(&all, m, d, difference_step(1e-5), 1);
  assert_numbers(all.A, expected, 144, slope_error(1e-8), 1);

  // the difference of configurations undoes it
  mjtNum after[4], Da[9], Db[9], product[9], identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  mju_copy4(after, d->qpos + 3);
  mju_quatIntegrate(after, w, h);
  mjd_subQuat(after, d->qpos + 3, Da, Db);
  mju_mulMatMat(product, Da, Dvel, 3, 3, 3);
  assert_numbers(product, identity, 9, rounding(1e-12), 1);
  free(all.A);
}

// Without constraints f = M a + c(q, v), so DfDa = M; and along the motion f stays what it is, so
// DfDq + DfDa da/dq = 0 with da/dq from the velocity rows of A.
TEST(inverse_derivatives_fit_the_forward_ones) {
  DOUBLE_ONLY();
  mjModel* m = test_model(ZOO_XML);
  m->opt.disableflags |= mjDSBL_EULERDAMP;
  mjData* d = test_data(m);
  int nv = m->nv, nx = 2 * nv + m->na;
  Matrices all = matrices_make(m);
  size_t n = (size_t)(nv * nv);
  mjtNum* numbers = calloc(6 * n, sizeof(mjtNum));
  mjtNum *DfDq = numbers, *DfDv = DfDq + n, *DfDa = DfDv + n, *M = DfDa + n, *sum = M + n;
  zoo_randomize(m, d, 5);
  transition(&all, m, d, (mjtNum)1e-6, 0);
  mj_forward(m, d);
  mj_fullM(m, M, d->qM);
  mjd_inverseFD(m, d, (mjtNum)1e-6, 1, DfDq, DfDv, DfDa, NULL, NULL, NULL, NULL);
  assert_numbers(DfDa, M, n, 1e-7, 1);
  for (int velocity = 0; velocity <= 1; velocity++) {
    const mjtNum* DfDx = velocity ? DfDv : DfDq;
    for (int j = 0; j < nv; j++) {
      for (int i = 0; i < nv; i++) {
        sum[nv * j + i] = 0;
        for (int k = 0; k < nv; k++) {
          mjtNum dv = all.A[nx * (nv + k) + nv * velocity + j] - (velocity && k == j);
          sum[nv * j + i] -= M[nv * i + k] * dv / m->opt.timestep;
        }
      }
    }
    assert_numbers(DfDx, sum, n, 1e-5, 1);
  }
  free(numbers);
  free(all.A);
}

// columns are quotients

// What column j of an input is: (next, sensors) from a nudge alone, in data of its own. Without one
// nothing is integrated, which would normalize quaternions.
static void evaluate(mjtNum* y, const mjModel* m, const mjData* point, int input, int j,
                     mjtNum by) {
  mjData* d = mj_makeData(m);
  int nv = m->nv, n = mj_stateSize(m, mjSTATE_INTEGRATION);
  mjtNum* numbers = calloc((size_t)(n + nv), sizeof(mjtNum));
  mj_getState(m, point, numbers + nv, mjSTATE_INTEGRATION);
  mj_setState(m, d, numbers + nv, mjSTATE_INTEGRATION);
  if (input == 0 && by != 0) {
    numbers[j] = 1;
    mj_integratePos(m, d->qpos, numbers, by);
  } else if (input != 0) {
    (input == 1 ? d->qvel : input == 2 ? d->act : d->ctrl)[j] += by;
  }
  mj_step(m, d);
  mju_copy(y, d->qpos, m->nq);
  mju_copy(y += m->nq, d->qvel, nv);
  mju_copy(y += nv, d->act, m->na);
  mju_copy(y + m->na, d->sensordata, m->nsensordata);
  free(numbers);
  mj_deleteData(d);
}

// The quotients of mj_step, one column after another.
static void quotients(const Matrices* all, const mjModel* m, const mjData* d, mjtNum eps,
                      int centered) {
  int nv = m->nv, n = m->nq + nv + m->na + m->nsensordata;
  const int counts[] = {nv, nv, m->na, m->nu};
  mjtNum* plus = calloc((size_t)(3 * n), sizeof(mjtNum));
  mjtNum *minus = plus + n, *slope = minus + n, h = centered ? 2 * eps : eps;
  for (int input = 0, column = 0; input < 4; input++) {
    for (int j = 0; j < counts[input]; j++, column++) {
      evaluate(plus, m, d, input, j, eps);
      evaluate(minus, m, d, input, j, centered ? -eps : 0);
      mj_differentiatePos(m, slope, h, minus, plus);
      for (int i = nv; i < all->nx + all->ns; i++) {
        int k = i - nv + m->nq;
        slope[i] = (plus[k] - minus[k]) / h;
      }
      int k = input < 3 ? column : j, columns = input < 3 ? all->nx : all->nu;
      for (int i = 0; i < all->nx; i++) {
        (input < 3 ? all->A : all->B)[columns * i + k] = slope[i];
      }
      for (int i = 0; i < all->ns; i++) {
        (input < 3 ? all->C : all->D)[columns * i + k] = slope[all->nx + i];
      }
    }
  }
  free(plus);
}

static const mjtNum kEps = (mjtNum)1e-6;

// Compares with quotients: bit for bit if the tolerance is 0. d stays what it is, every bit of it.
static void assert_quotients(mjModel* m, mjData* d, double tolerance) {
  Matrices ours = matrices_make(m), expected = matrices_make(m);
  int n = mj_stateSize(m, mjSTATE_INTEGRATION);
  mjtNum* before = calloc((size_t)(2 * n + 1), sizeof(mjtNum));
  mjtNum* after = before + n;
  for (int centered = 0; centered <= 1; centered++) {
    mj_getState(m, d, before, mjSTATE_INTEGRATION);
    transition(&ours, m, d, kEps, centered);
    mj_getState(m, d, after, mjSTATE_INTEGRATION);
    assert_memory_equal(before, after, (size_t)n * sizeof(mjtNum));
    assert_int_equal(d->pstack, 0);
    quotients(&expected, m, d, kEps, centered);
    if (tolerance == 0) {
      assert_memory_equal(ours.A, expected.A, matrices_bytes(&ours));
    } else {
      assert_numbers(ours.A, expected.A, matrices_bytes(&ours) / sizeof(mjtNum), tolerance, 1);
    }
  }
  free(before);
  free(ours.A);
  free(expected.A);
}

// No order of columns, no stage that is left out and no warm start of another column shows.
TEST(columns_are_quotients_of_steps_bit_for_bit) {
  mjModel* m = test_model(kZoo);
  for (int i = 0; i < m->nu; i++) {
    m->actuator_ctrllimited[i] = 0;
  }
  for (m->opt.integrator = mjINT_EULER; m->opt.integrator <= mjINT_IMPLICITFAST;
       m->opt.integrator++) {
    // where the matrix depends on controls, the columns leave that out
    for (int i = 0; i < m->nu; i++) {
      m->actuator_gainprm[mjNGAIN * i + 2] = 0;
    }
    mjData* d = test_data(m);
    zoo_randomize(m, d, 3);
    for (int i = 0; i < 6; i++) {
      d->xfrc_applied[6 + i] = (mjtNum)0.1 * (mjtNum)i;
    }
    d->mocap_pos[0] = 2;
    assert_quotients(m, d, 0);
  }
}

static void push_and_drag(const mjModel* m, mjData* d) {
  (void)m;
  d->ctrl[0] = -d->qvel[6];
  d->qfrc_applied[1] += 1;
  d->mocap_pos[0] += (mjtNum)0.1;
}

// A callback may write inputs: its feedback is in the columns, and the inputs are put back.
TEST(callbacks_are_differentiated) {
  mjModel* m = test_model(kZoo);
  mjData* d = test_data(m);
  for (int i = 0; i < m->nu; i++) {
    m->actuator_ctrllimited[i] = 0;
  }
  zoo_randomize(m, d, 4);
  mjcb_control = push_and_drag;
  assert_quotients(m, d, 0);
  mjcb_control = NULL;
}

// What is kept of Newton's matrices belongs to one island, and to rows in the same zones.
TEST(every_island_keeps_its_own_matrix) {
  mjModel* m = our_model(kHand);
  for (int i = 0; i < m->nu; i++) {
    m->actuator_ctrllimited[i] = 0;
  }
  mjData* d = test_data(m);
  for (int i = 0; i < 200; i++) {
    mj_step(m, d);
  }
  mj_forward(m, d);
  assert_that(d->nisland, >, 1);
  assert_that(d->ncon, >, 3);
  m->opt.iterations = 1;
  // far enough for rows to change their zone
  const mjtNum far = (mjtNum)0.1;
  Matrices ours = matrices_make(m), expected = matrices_make(m);
  for (m->opt.cone = mjCONE_PYRAMIDAL; m->opt.cone <= mjCONE_ELLIPTIC; m->opt.cone++) {
    assert_quotients(m, d, 0);
    transition(&ours, m, d, far, 0);
    quotients(&expected, m, d, far, 0);
    assert_memory_equal(ours.A, expected.A, matrices_bytes(&ours));
  }
  free(ours.A);
  free(expected.A);
}

// With rows of every kind; from one warm start, which is no solution.
TEST(columns_are_quotients_of_steps_with_contacts) {
  mjModel* m = our_model(kHumanoid);
  mjData* d = test_data(m);
  for (int i = 0; i < 300; i++) {
    mj_step(m, d);
  }
  assert_that(d->ncon, >, 3);
  m->opt.iterations = 20;
  for (m->opt.solver = mjSOL_PGS; m->opt.solver <= mjSOL_CG; m->opt.solver++) {
    assert_quotients(m, d, 0);
  }
  // Newton's method stops before it is there: that is what a step is
  m->opt.solver = mjSOL_NEWTON;
  m->opt.iterations = 1;
  assert_quotients(m, d, 0);
  m->opt.iterations = 100;
  m->opt.disableflags |= mjDSBL_WARMSTART;
  assert_quotients(m, d, 0);

  // and where it finds the solution, nudges start from that
  m->opt.disableflags &= ~mjDSBL_WARMSTART;
  tighten(m);
  for (m->opt.cone = mjCONE_PYRAMIDAL; m->opt.cone <= mjCONE_ELLIPTIC; m->opt.cone++) {
    if (sizeof(mjtNum) == sizeof(double)) {
      assert_quotients(m, d, 1e-6);
    }
  }
}

// Each matrix may be left out, and changes nothing in the others.
TEST(matrices_may_be_left_out) {
  mjModel* m = test_model(kZoo);
  mjData* d = test_data(m);
  Matrices all = matrices_make(m), some = matrices_make(m);
  zoo_randomize(m, d, 1);
  transition(&all, m, d, kEps, 0);
  for (int which = 0; which < 16; which++) {
    Matrices asked = some;
    memset(some.A, 0, matrices_bytes(&some));
    asked.A = which & 1 ? some.A : NULL;
    asked.B = which & 2 ? some.B : NULL;
    asked.C = which & 4 ? some.C : NULL;
    asked.D = which & 8 ? some.D : NULL;
    transition(&asked, m, d, kEps, 0);
    const mjtNum* got[] = {some.A, some.B, some.C, some.D};
    const mjtNum* full[] = {all.A, all.B, all.C, all.D};
    const int sizes[] = {all.nx * all.nx, all.nx * all.nu, all.ns * all.nx, all.ns * all.nu};
    for (int k = 0; k < 4; k++) {
      for (int i = 0; i < sizes[k]; i++) {
        assert_that(got[k][i], ==, (which & (1 << k) ? full[k][i] : 0));
      }
    }
  }
  free(all.A);
  free(some.A);
}

// Row j of the derivatives of inverse dynamics belongs to input j: the quotient of its results.
static void assert_inverse_quotients(const mjModel* m, mjData* d) {
  mjData* one = mj_makeData(m);
  int nv = m->nv, ns = m->nsensordata, nM = m->nM, ny = nv + ns + nM;
  mjtNum* D = calloc((size_t)(3 * nv * ny + 3 * ny), sizeof(mjtNum));
  mjtNum *f[3], *s[3], *M = D + 3 * nv * (nv + ns), *at = D + 3 * nv * ny, *y = at + ny;
  for (int k = 0; k < 3; k++) {
    f[k] = D + k * nv * nv;
    s[k] = D + 3 * nv * nv + k * nv * ns;
  }
  for (int i = 0; i < nv; i++) {
    d->qacc[i] = (mjtNum)0.3 * (mjtNum)(i % 5);
  }
  mju_copy(y, d->qacc, nv);
  mjd_inverseFD(m, d, kEps, 1, f[0], f[1], f[2], s[0], s[1], s[2], M);
  assert_memory_equal(y, d->qacc, (size_t)nv * sizeof(mjtNum));
  for (int j = -1; j < 3 * nv; j++) {
    mj_copyData(one, m, d);
    if (j >= 0 && j < nv) {
      mju_zero(y, nv);
      y[j] = 1;
      mj_integratePos(m, one->qpos, y, kEps);
    } else if (j >= 0) {
      (j < 2 * nv ? one->qvel : one->qacc)[j % nv] += kEps;
    }
    // a first pass, so that actuators have their forces when sensors ask for them
    mj_inverse(m, one);
    mj_fwdActuation(m, one);
    mj_inverse(m, one);
    mjtNum* out = j < 0 ? at : y;
    mju_sub(out, one->qfrc_inverse, one->qfrc_actuator, nv);
    mju_copy(out + nv, one->sensordata, ns);
    mju_copy(out + nv + ns, one->qM, nM);
    for (int i = 0; j >= 0 && i < ny; i++) {
      mjtNum slope = (y[i] - at[i]) / kEps;
      const mjtNum* row = i < nv        ? f[j / nv] + nv * (j % nv) + i
                          : i < nv + ns ? s[j / nv] + ns * (j % nv) + i - nv
                                        : M + nM * (j % nv) + i - nv - ns;
      if ((i < nv + ns || j < nv) && *row != slope) {
        fail_msg("input %d, result %d: %.17g, quotient %.17g", j, i, (double)*row, (double)slope);
      }
    }
  }
  free(D);
  mj_deleteData(one);
}

TEST(rows_are_quotients_of_the_inverse) {
  mjModel* m = test_model(kZoo);
  mjData* d = test_data(m);
  for (int discrete = 0; discrete <= 1; discrete++) {
    m->opt.enableflags = discrete ? mjENBL_INVDISCRETE : 0;
    zoo_randomize(m, d, 7);
    assert_inverse_quotients(m, d);
  }
}

// Contacts of fingers that stand still are found once; in data that were never evaluated as well.
TEST(derivatives_of_the_sparse_inertia_are_those_of_the_legacy_one) {
  mjModel* m = test_model(kZoo);
  mjData* d = test_data(m);
  mj_forward(m, d);
  mjtNum* by_qM = calloc((size_t)(m->nv * m->nM), sizeof(mjtNum));
  mjtNum* by_M = calloc((size_t)(m->nv * m->nC), sizeof(mjtNum));
  mjd_inverseFD(m, d, kEps, 0, NULL, NULL, NULL, NULL, NULL, NULL, by_qM);
  cnd_inverseFD(m, d, kEps, 0, NULL, NULL, NULL, NULL, NULL, NULL, by_M);
  mjtNum largest = 0;
  for (int i = 0; i < m->nv; i++) {
    for (int j = 0; j < m->nC; j++) {
      mjtNum expected = by_qM[i * m->nM + m->mapM2M[j]];
      assert_that(by_M[i * m->nC + j], ==, expected);
      largest = mju_max(largest, mju_abs(expected));
    }
  }
  assert_that(largest, >, 0.01);
  free(by_qM);
  free(by_M);
}

TEST(rows_are_quotients_of_the_inverse_with_contacts) {
  mjModel* m = our_model(kHand);
  assert_non_null(m);
  mjData *d = test_data(m), *fresh = test_data(m);
  for (int i = 0; i < 200; i++) {
    mj_step(m, d);
  }
  assert_that(d->ncon, >, 3);
  mju_copy(fresh->qpos, d->qpos, m->nq);
  mju_copy(fresh->qvel, d->qvel, m->nv);
  assert_inverse_quotients(m, d);
  assert_inverse_quotients(m, fresh);
}

TEST(collisions_are_searched_once_at_the_point_and_once_at_each_nudge) {
  mjModel* m = our_model(kHand);
  assert_non_null(m);
  mjData* d = test_data(m);
  mjtNum* DfDq = calloc((size_t)(m->nv * m->nv), sizeof(mjtNum));
  mjd_inverseFD(m, d, kEps, 0, DfDq, NULL, NULL, NULL, NULL, NULL, NULL);
  assert_int_equal(d->timer[mjTIMER_POS_COLLISION].number, m->nv + 1);
  free(DfDq);
}

// controls at the ends of their range

TEST(controls_stay_in_their_range) {
  DOUBLE_ONLY();
  mjModel* m = test_model(kSpring);
  mjData* d = test_data(m);
  Matrices all = matrices_make(m);
  m->actuator_ctrllimited[0] = 1;
  m->actuator_ctrlrange[0] = -1;
  m->actuator_ctrlrange[1] = 1;
  const struct {
    double u;
    int effect;
  } cases[] = {{-1.5, 0}, {-1, 1},       {-1 + 1e-6, 1}, {0, 1},  {1 - 1e-6, 1},
               {1, 1},    {1 - 3e-7, 1}, {1 + 1e-9, 0},  {1.5, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    for (int centered = 0; centered <= 1; centered++) {
      d->ctrl[0] = (mjtNum)cases[i].u;
      transition(&all, m, d, kEps, centered);
      assert_near(all.D[0], 3 * cases[i].effect, 1e-8);
      assert_near(all.B[1], 0.03 / 4.02 * cases[i].effect, 1e-8);
    }
  }
  // nothing is clamped if that is switched off
  m->opt.disableflags |= mjDSBL_CLAMPCTRL;
  transition(&all, m, d, kEps, 1);
  assert_near(all.D[0], 3, 1e-8);
  free(all.A);
}

// what can't be

TEST(errors_say_what_is_wrong) {
  mjModel* m = test_model(kSpring);
  mjData* d = test_data(m);
  mjtNum A[4];
  assert_error(mjd_transitionFD(m, d, 0, 0, A, NULL, NULL, NULL), "mjd_transitionFD: eps is 0");
  assert_error(mjd_inverseFD(m, d, (mjtNum)NAN, 0, A, NULL, NULL, NULL, NULL, NULL, NULL),
               "mjd_inverseFD: eps is nan");
  m->opt.noslip_iterations = 1;
  assert_error(mjd_inverseFD(m, d, 1, 0, A, NULL, NULL, NULL, NULL, NULL, NULL),
               "mjd_inverseFD: the noslip");
  m->opt.noslip_iterations = 0;
  m->opt.integrator = mjINT_RK4;
  mjd_inverseFD(m, d, 1, 0, A, NULL, NULL, NULL, NULL, NULL, NULL);
  m->opt.enableflags |= mjENBL_INVDISCRETE;
  assert_error(mjd_inverseFD(m, d, 1, 0, A, NULL, NULL, NULL, NULL, NULL, NULL),
               "mjd_inverseFD: Runge-Kutta");
  assert_int_equal(d->pstack, 0);

  // a state without derivatives has none; nothing is reset
  mju_user_warning = silent;
  m->opt.integrator = mjINT_EULER;
  d->time = 3;
  d->qpos[0] = (mjtNum)NAN;
  mjd_transitionFD(m, d, kEps, 0, A, NULL, NULL, NULL);
  assert_true(isnan(A[0]));
  assert_true(isnan(d->qpos[0]));
  assert_that(d->time, ==, 3);
  mju_user_warning = NULL;
}

// An arena of any size: derivatives, or an error that leaves the data as they were. No heap is
// used.
TEST(any_arena_and_no_heap) {
  mjModel* m = our_model(kHumanoid);
  mju_user_warning = silent;
  Matrices all = matrices_make(m);
  int failed = 0, worked = 0;
  for (double size = 0; size < 1e6; size = fmax(1000, size * 1.5)) {
    m->narena = (mjtSize)size;
    mjData* d = mj_makeData(m);
    for (int i = 0; i < 200; i++) {
      mj_step(m, d);
    }
    caught_text[0] = 0;
    void (*before)(const char*) = mju_user_error;
    mju_user_error = caught_jump;
    if (!setjmp(caught_place)) {
      if (starve_works()) {
        starve_after(0, 0);
      }
      transition(&all, m, d, kEps, 0);
    }
    if (starve_works()) {
      int refused = starve_pause();
      starve_end();
      assert_int_equal(refused, 0);
    }
    mju_user_error = before;
    failed += caught_text[0] != 0;
    worked += !caught_text[0];
    assert_true(!caught_text[0] || strstr(caught_text, "mjd_transitionFD: out of memory"));
    assert_int_equal(d->pstack, 0);
    assert_true(caught_text[0] || isfinite(all.A[0]));
    mj_deleteData(d);
  }
  assert_true(failed);
  assert_true(worked);
  mju_user_warning = NULL;
  free(all.A);
}
