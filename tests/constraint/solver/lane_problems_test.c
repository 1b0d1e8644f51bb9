// Problems side by side: random ones with all kinds of rows have the solution that they have alone,
// whichever others share their vectors.

#include "constraint/solver/lane_problems.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdlib.h>
#include <string.h>

#include "constraint/solver/lane_copies.h"
#include "constraint/solver/primal_lanes.h"
#include "constraint/solver/solve.h"
#include "support/load.h"
#include "support/near.h"
#include "support/random.h"
#include "support/test.h"

typedef struct {
  int nefc, ncontact;
  int type[LANE_ROWS], id[LANE_ROWS], state[LANE_ROWS];
  mjtNum D[LANE_ROWS], R[LANE_ROWS], loss[LANE_ROWS], force[LANE_ROWS];
  mjtNum acc[LANE_DOFS], Ma[LANE_DOFS], smooth[LANE_DOFS], frc_smooth[LANE_DOFS];
  mjtNum frc[LANE_DOFS], jar[LANE_ROWS], aref[LANE_ROWS], b[LANE_ROWS];
  int cold_state[LANE_ROWS];
  ProblemStart start;
  mjContact contact[LANE_ROWS];
  int rownnz[LANE_ROWS], rowadr[LANE_ROWS], same[LANE_ROWS], column[LANE_ROWS * LANE_DOFS];
  mjtNum J[LANE_ROWS * LANE_DOFS];
  int Mnnz[LANE_DOFS], Madr[LANE_DOFS], Mcolumn[LANE_DOFS * LANE_DOFS];
  mjtNum M[LANE_DOFS * LANE_DOFS];
  Trouble trouble;
  Problem problem;
} Sample;

static int chance(uint64_t* seed, double part) {
  return uniform_between(seed, 0, 1) < part;
}

// Inertia with a strong diagonal, in blocks of `block` dofs, of which a sparse one lacks some.
static void make_inertia(Sample* s, int n, int block, int sparse, uint64_t* seed) {
  for (int i = 0, adr = 0; i < n; i++) {
    s->Madr[i] = adr;
    for (int j = i / block * block; j <= i; j++) {
      if (j == i || !sparse || chance(seed, 0.6)) {
        s->Mcolumn[adr] = j;
        s->M[adr++] = j == i ? uniform_between(seed, 4, 9) : uniform_between(seed, -.3, .3);
      }
    }
    s->Mnnz[i] = adr - s->Madr[i];
  }
  s->problem.M = s->M;
  s->problem.tree = (TreePattern){n, s->Mnnz, s->Madr, s->Mcolumn, 0, 0};
}

// count rows with the same columns: all, or some of them.
static void add_rows(Sample* s, int n, int type, int count, int sparse, uint64_t* seed) {
  int column[LANE_DOFS], nnz = 0, row = s->nefc, adr = row * LANE_DOFS;
  for (int i = 0; i < n; i++) {
    if (!sparse || chance(seed, 0.4) || (i == n - 1 && !nnz)) {
      column[nnz++] = i;
    }
  }
  for (int k = 0; k < count; k++, row++, adr += nnz) {
    s->type[row] = type;
    s->id[row] = s->ncontact;
    s->R[row] = uniform_between(seed, .05, 1);
    s->D[row] = 1 / s->R[row];
    s->loss[row] = type == mjCNSTR_FRICTION_DOF ? uniform_between(seed, .2, 2) : 0;
    s->rownnz[row] = nnz;
    s->rowadr[row] = adr;
    s->same[row] = count - 1 - k;
    for (int i = 0; i < nnz; i++) {
      s->column[adr + i] = column[i];
      s->J[adr + i] = uniform_between(seed, -1, 1);
    }
  }
  s->nefc = row;
}

// A contact, whose stiffness is as its friction asks for.
static void add_contact(Sample* s, int n, int dim, int sparse, uint64_t* seed) {
  mjContact* contact = s->contact + s->ncontact;
  int row = s->nefc, type = dim == 1 ? mjCNSTR_CONTACT_FRICTIONLESS : mjCNSTR_CONTACT_ELLIPTIC;
  *contact = (mjContact){.dim = dim, .mu = uniform_between(seed, .3, 1.2)};
  for (int k = 0; k < 5; k++) {
    contact->friction[k] = uniform_between(seed, .1, 1.5);
  }
  add_rows(s, n, type, dim, sparse, seed);
  for (int k = 1; k < dim; k++) {
    mjtNum ratio = contact->friction[k - 1] / contact->mu;
    s->D[row + k] = s->D[row] * ratio * ratio;
    s->R[row + k] = 1 / s->D[row + k];
  }
  s->ncontact++;
}

// Where the descent starts; what the last solve has changed is made again.
static void start(Sample* s) {
  Problem* p = &s->problem;
  for (int i = 0; i < p->n; i++) {
    s->acc[i] = s->smooth[i] + sin(i * 3 + s->D[0]);
  }
  s->start = (ProblemStart){s->aref, s->b, s->cold_state, 1, 0};
  p->start = &s->start;
  s->trouble = (Trouble){0};
}

static void make_sample(Sample* s, mjData* d, int n, int rows, int sparse, uint64_t* seed) {
  static const int dims[] = {1, 3, 3, 3, 4, 6};
  memset(s, 0, sizeof *s);
  make_inertia(s, n, n > 6 ? 6 : n, sparse, seed);
  int ne = chance(seed, .5) ? 2 : 0, nf = chance(seed, .5) ? 3 : 0;
  add_rows(s, n, mjCNSTR_EQUALITY, ne, sparse, seed);
  add_rows(s, n, mjCNSTR_FRICTION_DOF, nf, sparse, seed);
  add_rows(s, n, mjCNSTR_LIMIT_JOINT, chance(seed, .5) ? 1 : 0, sparse, seed);
  while (s->nefc + 6 <= rows) {
    add_contact(s, n, dims[(int)uniform_between(seed, 0, 5.99)], sparse, seed);
  }
  Problem* p = &s->problem;
  p->d = d;
  p->trouble = &s->trouble;
  p->n = n;
  p->rows = (Rows){s->nefc, ne, nf, s->type, s->id, s->D, s->R, s->loss, s->contact, 1};
  p->J = (Matrix){s->nefc, n, n, s->J, s->rownnz, s->rowadr, s->column, s->same};
  p->scale = 1 / (6.5 * n);
  p->acc = s->acc;
  p->Ma = s->Ma;
  p->jar = s->jar;
  p->acc_smooth = s->smooth;
  p->frc_smooth = s->frc_smooth;
  p->frc_constraint = s->frc;
  p->force = s->force;
  p->state = s->state;
  p->island = mjNISLAND;
  for (int i = 0; i < n; i++) {
    s->smooth[i] = uniform_between(seed, -5, 5);
  }
  problem_mul_M(s->frc_smooth, p, s->smooth);
  matrix_mulv(s->aref, &p->J, s->smooth);
  for (int r = 0; r < s->nefc; r++) {
    s->aref[r] += 3 * sin(r * 7 + s->D[0]);
  }
}

// Counts the iterations of each; negative: it is left to the scalar solver.
static void solve_together(int niter[SIMD_N], mjModel* m, Sample* const* s, int count) {
  static _Alignas(64) char room[1000000];
  Problem* p[SIMD_N] = {NULL};
  for (int l = 0; l < count; l++) {
    start(s[l]);
    p[l] = &s[l]->problem;
  }
  primal_lanes(niter, m, room, p, count);
  for (int l = 0; l < count; l++) {
    assert_that(niter[l], <=, m->opt.iterations);
  }
}

static mjModel* make_model(mjtNum tolerance) {
  mjModel* m = test_model("<mujoco><option cone='elliptic'/></mujoco>");
  m->opt.tolerance = tolerance;
  return m;
}

static int rows_together(Sample* const* s, int count) {
  RowShape all = {{0}};
  int rows = 0;
  for (int l = 0; l < count; l++) {
    RowShape own = row_shape(&s[l]->problem.rows);
    rows = row_shape_join(&all, &own);
  }
  return rows;
}

// Solves each sample alone, and compares.
static void check_alone(mjModel* m, mjData* d, Sample* s, int middle[1]) {
  static Sample other;
  mjtNum acc[LANE_DOFS], frc[LANE_DOFS];
  other = *s;
  start(s);
  Problem p = s->problem;
  problem_solve(acc, frc, m, d, &p);
  assert_close(other.acc, acc, p.n, 1e-11);
  assert_close(other.frc, frc, p.n, 1e-11);
  assert_close(other.force, s->force, s->nefc, 1e-11);
  assert_close(other.b, s->b, s->nefc, 1e-11);
  for (int r = 0; r < s->nefc; r++) {
    assert_int_equal(other.state[r], s->state[r]);
    assert_int_equal(other.cold_state[r], s->cold_state[r]);
    if (s->state[r] == mjCNSTRSTATE_CONE) {
      const mjContact *a = other.contact + s->id[r], *b = s->contact + s->id[r];
      assert_close(a->H, b->H, b->dim * b->dim, 1e-9);
      ++*middle;
    }
  }
}

TEST(random_problems_have_the_solution_that_they_have_alone) {
  static Sample sample[SIMD_N];
  mjModel* m = make_model(1e-14);
  mjData* d = test_data(m);
  Sample* s[SIMD_N];
  uint64_t seed = 7;
  int middle = 0, left = 0;
  for (int k = 0; k < 300; k++) {
    int n = 1 + k % LANE_DOFS, rows = (int)uniform_between(&seed, 14, LANE_ROWS * .7);
    int count = 1 + k / 2 % SIMD_N, sparse = k & 1;
    for (int l = 0; l < count; l++) {
      s[l] = sample + l;
      do {
        make_sample(s[l], d, n, rows, sparse, &seed);
      } while (rows_together(s, l + 1) > LANE_ROWS);
    }
    int niter[SIMD_N];
    solve_together(niter, m, s, count);
    for (int l = 0; l < count; l++) {
      left += niter[l] < 0;
      if (niter[l] >= 0) {
        check_alone(m, d, s[l], &middle);
      }
    }
  }
  assert_that(middle, >, 1000);
  assert_that(left, <, 5);
}

TEST(neighbours_and_lanes_change_no_bit) {
  static Sample sample[SIMD_N];
  mjModel* m = make_model(1e-11);
  mjData* d = test_data(m);
  uint64_t seed = 8;
  for (int k = 0; k < 100; k++) {
    mjtNum acc[LANE_DOFS], force[LANE_ROWS];
    int n = 1 + k % LANE_DOFS, rows = (int)uniform_between(&seed, 14, LANE_ROWS * .7);
    Sample* s[SIMD_N];
    for (int l = 0; l < SIMD_N; l++) {
      s[l] = sample + l;
      do {
        make_sample(s[l], d, n, rows, (k + l) & 1, &seed);
      } while (rows_together(s, l + 1) > LANE_ROWS);
    }
    Sample *own = s[0], *last = s[SIMD_N - 1];
    int alone[SIMD_N], beside[SIMD_N];
    solve_together(alone, m, s, 1);
    memcpy(acc, own->acc, sizeof acc);
    memcpy(force, own->force, sizeof force);
    solve_together(beside, m, s, SIMD_N);
    assert_int_equal(alone[0], beside[0]);
    assert_memory_equal(acc, own->acc, sizeof acc);
    assert_memory_equal(force, own->force, sizeof force);
    s[0] = last;
    s[SIMD_N - 1] = own;
    solve_together(beside, m, s, SIMD_N);
    assert_memory_equal(acc, own->acc, sizeof acc);
    assert_memory_equal(force, own->force, sizeof force);
  }
}
