// Systems with rows in a border have the same solution as without a border.

#include "derivative/constraint/bordered.h"

#include "derivative/constraint/constraint.h"
#include "derivative/constraint/row_law.h"
#include "derivative/system.h"
#include "derivative/tree/factor.h"
#include "support/near.h"
#include "support/precision.h"
#include "support/zoo.h"

// Every kind of row whose force is linear: couplings of joints and tendons, a connect, a weld,
// limits, contacts of every dimension.
static const char kScene[] =
    "<mujoco><option timestep='.004' jacobian='dense'/><default><joint damping='.1' "
    "armature='.01'/></default>"
    "<worldbody><geom type='plane' size='3 3 .1'/>"
    "<body name='a' pos='0 0 .1'><freejoint/><geom size='.101' condim='1'/></body>"
    "<body name='b' pos='.5 0 .1'><freejoint/><geom size='.102' condim='3' friction='5'/>"
    "<body name='c' pos='.2 0 0'><joint name='h' axis='0 1 0' range='-10 10'/>"
    "<geom size='.101' condim='4' friction='5 .5 .4'/></body></body>"
    "<body name='e' pos='-.5 0 .1'><freejoint/><geom type='box' size='.1 .1 .101' condim='6' "
    "friction='6 .6 .4'/><body pos='0 0 .3'><joint name='s' axis='1 0 0' type='slide'/>"
    "<joint name='u' axis='0 1 0'/><joint name='w' type='ball' range='0 20'/>"
    "<geom type='capsule' size='.03 .1' pos='.1 0 0' contype='0' conaffinity='0'/>"
    "</body></body></worldbody>"
    "<tendon><fixed name='t' limited='true' range='-.1 .001'><joint joint='h' coef='1'/>"
    "<joint joint='s' coef='.5'/></fixed></tendon><equality>"
    "<connect body1='a' body2='b' anchor='.2 .1 0'/><weld body1='b' body2='e'/>"
    "<joint joint1='s' joint2='u' polycoef='.01 .3 .2 0 0'/></equality></mujoco>";

// Every other row that is in its linear zone.
static BorderedRows some_rows(const mjModel* m, mjData* d, int first) {
  size_t n = (size_t)d->nefc, nv = (size_t)m->nv;
  RowLaw law = row_law_make(m, d, d->qacc);
  BorderedRows bordered = {.index = mj_stackAllocInt(d, n),
                           .J = mj_stackAllocNum(d, n * nv),
                           .D = mj_stackAllocNum(d, n),
                           .response = mj_stackAllocNum(d, n)};
  for (int row = 0; row < d->nefc; row++) {
    int whole = d->efc_type[row] == mjCNSTR_CONTACT_ELLIPTIC ? d->efc_id[row] : row;
    bordered.index[row] = -1;
    if (law.zone[row] == mjCNSTRSTATE_QUADRATIC && whole % 2 == first) {
      mju_copy(bordered.J + bordered.n * m->nv, d->efc_J + row * m->nv, m->nv);
      bordered.D[bordered.n] = d->efc_D[row];
      bordered.index[row] = bordered.n++;
    }
  }
  return bordered;
}

// kappa . dr and gradients by parameters, from xi.
typedef struct {
  mjtNum *rate, *friction, *place;
} Pulled;

static Pulled pull(const mjModel* m, mjData* d, const BorderedRows* bordered, ForceParts parts) {
  int nv = m->nv, ng = m->ngeom;
  Pulled out = {mj_stackAllocNum(d, 3 * (size_t)nv), mj_stackAllocNum(d, 3 * (size_t)ng),
                mj_stackAllocNum(d, 3 * (size_t)ng)};
  mjtNum* xi = mj_stackAllocNum(d, (size_t)nv);
  mju_zero(out.rate, 3 * nv);
  mju_zero(out.friction, 3 * ng);
  mju_zero(out.place, 3 * ng);
  for (int i = 0; i < nv; i++) {
    xi[i] = (mjtNum)sin(1 + 3 * i);
  }
  System s = system_make_apart(m, d, d->qacc, parts);
  system_pull(xi, &s);
  for (int i = 0; i < nv; i++) {
    mju_addToScl(out.rate, s.r.q + i * nv, xi[i], nv);
    mju_addToScl(out.rate + nv, s.r.v + i * nv, xi[i], nv);
  }
  ConstraintGradient gradient = {.geom_friction = out.friction, .geom_pos = out.place};
  constraint_vjp(m, d, d->qacc, bordered, xi, out.rate, out.rate + nv, out.rate + 2 * nv,
                 &gradient);
  mju_zero(out.rate + 2 * nv, nv);  // what x answers is not the same
  return out;
}

static void compare(const mjModel* m, mjData* d, int first) {
  mj_markStack(d);
  BorderedRows bordered = some_rows(m, d, first);
  StateColumns c = state_columns(m);
  ForceParts with = {1, 1, &bordered, "test"}, without = {1, 1, NULL, "test"};
  assert_that(bordered.n, >=, 8);
  System s = system_make(m, d, d->qacc, with), plain = system_make(m, d, d->qacc, without);
  const mjtNum *a = system_solve(&s, c), *b = system_solve(&plain, c);
  assert_close(a, b, (size_t)(m->nv * c.ld), 1e-10);
  Pulled p = pull(m, d, &bordered, with), q = pull(m, d, NULL, without);
  assert_close(p.rate, q.rate, 3 * (size_t)m->nv, 1e-10);
  assert_close(p.friction, q.friction, 3 * (size_t)m->ngeom, 1e-10);
  assert_close(p.place, q.place, 3 * (size_t)m->ngeom, 1e-10);
  mj_freeStack(d);
}

TEST(rows_in_a_border_change_nothing) {
  DOUBLE_ONLY();
  mjModel* m = test_model(kScene);
  mjData* d = test_data(m);
  for (int cone = mjCONE_PYRAMIDAL; cone <= mjCONE_ELLIPTIC; cone++) {
    m->opt.cone = cone;
    mj_resetData(m, d);
    d->qpos[m->jnt_qposadr[mj_name2id(m, mjOBJ_JOINT, "h")]] = (mjtNum)0.18;
    mju_axisAngle2Quat(d->qpos + m->jnt_qposadr[mj_name2id(m, mjOBJ_JOINT, "w")],
                       (mjtNum[]){0, 0, 1}, (mjtNum)0.4);
    for (int i = 0; i < m->nv; i++) {
      d->qvel[i] = (mjtNum)(0.02 * cos(i));
    }
    mj_forward(m, d);
    for (int first = 0; first < 2; first++) {
      compare(m, d, first);
    }
  }
}

// The whole system, with the forces of the border as unknowns.
TEST(a_border_is_eliminated_as_by_solving_the_whole_system) {
  enum {
    NV = 5,
    N = 2,
    ALL = NV + N
  };
  mjModel* m = test_model("<mujoco/>");
  mjData* d = test_data(m);
  uint64_t seed = 3;
  mjtNum H[NV * NV], J[N * NV], D[N] = {(mjtNum)1e3, 20}, answer[N], whole[ALL * ALL] = {0};
  mjtNum factor[NV * NV], rhs[ALL], x[ALL], X[NV], dy[N];
  mj_markStack(d);
  for (int i = 0; i < NV; i++) {
    for (int j = 0; j <= i; j++) {
      H[i * NV + j] = H[j * NV + i] = (mjtNum)uniform_random(&seed) + (i == j ? NV : 0);
    }
  }
  for (int i = 0; i < N * NV; i++) {
    J[i] = (mjtNum)uniform_random(&seed);
  }
  for (int i = 0; i < ALL; i++) {
    rhs[i] = (mjtNum)uniform_random(&seed);
  }
  for (int i = 0; i < NV; i++) {
    mju_copy(whole + i * ALL, H + i * NV, NV);
    for (int k = 0; k < N; k++) {
      whole[i * ALL + NV + k] = -J[k * NV + i];
      whole[(NV + k) * ALL + i] = J[k * NV + i];
      whole[(NV + k) * ALL + NV + k] = 1 / D[k];
    }
  }
  BorderedRows border = {.n = N, .J = J, .D = D, .response = answer};
  mju_copy(factor, H, NV * NV);
  assert_true(factor_make(factor, NV, 1));
  assert_true(factor_make(whole, ALL, 0));
  SchurComplement s = schur_make(&border, d, factor, NV, "test");

  // rhs = (dr, dy)
  mju_copy(x, rhs, ALL);
  mju_scl(x + NV, x + NV, -1, N);
  factor_solve_one(x, whole, ALL);
  mju_copy(X, rhs, NV);
  mju_copy(dy, rhs + NV, N);
  factor_solve_one(X, factor, NV);
  schur_solve(X, dy, d, &s, 1, 1, NV);
  assert_close(X, x, NV, 1e-12);

  // xi . dx = kappa . dr + answer . dy
  mjtNum xi[NV], kappa[NV];
  for (int i = 0; i < NV; i++) {
    xi[i] = kappa[i] = (mjtNum)uniform_random(&seed);
  }
  factor_solve_one(kappa, factor, NV);
  schur_pull(kappa, &s, NV);
  assert_near(mju_dot(kappa, rhs, NV) + mju_dot(answer, rhs + NV, N), mju_dot(xi, x, NV), 1e-12);
  mj_freeStack(d);
}
