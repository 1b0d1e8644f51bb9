// The solver of hard contacts on random problems: it finds forces that obey the laws, and those
// that another algorithm finds.

#include "constraint/hard/cone.h"
#include "constraint/hard/interior.h"
#include "constraint/hard/problems.h"
#include "constraint/hard/smoothing.h"
#include "support/near.h"
#include "support/precision.h"
#include "support/test.h"

static mjModel* m;
static mjData* d;
static Problem p;

BEFORE_ALL() {
  mjSpec* spec = mj_makeSpec();
  spec->memory = 64 << 20;
  m = mj_compile(spec, NULL);
  mj_deleteSpec(spec);
  d = m ? mj_makeData(m) : NULL;
  assert_non_null(d);
}

AFTER_ALL() {
  mj_deleteData(d);
  mj_deleteModel(m);
}

// kinds of problems

static void random_unit(uint64_t* seed, mjtNum x[3]) {
  do {
    for (int k = 0; k < 3; k++) {
      x[k] = uniform_random(seed);
    }
  } while (mju_norm3(x) < 0.1);
  mju_normalize3(x);
}

static const mjtNum kOrigin[3] = {0, 0, 0};

// bodies that touch each other and the ground here and there
static int scattered(uint64_t* seed, int n, mjtNum mu) {
  int nbody = mjMIN(40, n * 2 / 3 + 1);
  for (int i = 0; i < n; i++) {
    mjtNum a[3], b[3], normal[3];
    random_unit(seed, a);
    random_unit(seed, b);
    random_unit(seed, normal);
    int second = below(seed, nbody), first = below(seed, nbody + 1) - 1;
    add_contact(&p, first == second ? -1 : first, a, second, b, normal, mu);
  }
  return nbody;
}

// a box on points of the ground: more forces than the motion determines
static int box_on_points(uint64_t* seed, int n, mjtNum mu) {
  const mjtNum up[3] = {0, 0, 1};
  for (int i = 0; i < 4 + n % 13; i++) {
    mjtNum b[3] = {uniform_random(seed), uniform_random(seed), -1};
    add_contact(&p, -1, kOrigin, 0, b, up, mu);
  }
  return 1;
}

// a box between two walls that just lets it be
static int between_walls(uint64_t* seed, int n, mjtNum mu) {
  for (int i = 0; i < 4 + n % 13; i++) {
    mjtNum side = i % 2 ? -1 : 1, normal[3] = {0, 0, side};
    mjtNum b[3] = {uniform_random(seed), uniform_random(seed), -side};
    add_contact(&p, -1, kOrigin, 0, b, normal, mu);
  }
  return 1;
}

// a box in a corner, now and then with a wall on the other side
static int in_a_corner(uint64_t* seed, int n, mjtNum mu) {
  for (int i = 0; i < n; i++) {
    int axis = below(seed, 3);
    mjtNum side = below(seed, 4) ? 1 : -1, normal[3] = {0};
    mjtNum b[3] = {uniform_random(seed), uniform_random(seed), uniform_random(seed)};
    normal[axis] = side;
    b[axis] = -side;
    add_contact(&p, -1, kOrigin, 0, b, normal, mu);
  }
  return 1;
}

static int (*const kKinds[])(uint64_t*, int, mjtNum) = {scattered, box_on_points, between_walls,
                                                        in_a_corner};
enum {
  KINDS = 4
};

static void make_problem(int kind, uint64_t number, int most, mjtNum most_mu) {
  static mjtNum inverse[MOST_DOFS], velocity[MOST_DOFS];
  uint64_t seed = 1000003 * number + (unsigned)kind;
  for (int i = 0; i < 10; i++) {
    uniform_random(&seed);
  }
  p.nrow = p.nblock = 0;
  mjtNum mu = (mjtNum)0.05 + (most_mu - (mjtNum)0.05) * (uniform_random(&seed) + 1) / 2;
  p.nv = 6 * kKinds[kind](&seed, 1 + below(&seed, most), mu);
  for (int i = 0; i < p.nv; i++) {
    inverse[i] = i % 6 < 3 ? 1 : (mjtNum)2.5;
    velocity[i] = (mjtNum)0.1 * uniform_random(&seed) - (i == 2 ? (mjtNum)0.1 : 0);
  }
  finish(&p, d, inverse, velocity, (mjtNum)0.001);
}

// All attempts of smoothing, without sweeps. Returns the residual told, at most that of before.
static mjtNum smoothed(mjtNum before) {
  HardDofs dofs;
  mj_markStack(d);
  assert_true(dofs_make(&dofs, &p.problem, p.list, p.nblock));
  for (int i = 0; i < SMOOTHING_ATTEMPTS && before > 1e-10; i++) {
    before = smoothing_solve(&dofs, i, before, (mjtNum)1e-10);
  }
  mj_freeStack(d);
  return before;
}

static mjtNum residual_of(void) {
  mjtNum need = hard_need(&p.problem, p.list, p.nblock);
  return hard_residual(&p.problem, p.list, p.nblock, need);
}

// Are the conditions met, told apart from the residual of the solver? In velocities, m/s, and what
// is allowed: what forces wrong by the residual do. A contact that hardly presses may move as it
// likes.
static double violation(double* allowed, double residual) {
  double worst = 0, largest = 0, softest = 0;
  for (int i = 0; i < p.nrow; i++) {
    largest = fmax(largest, fabs((double)p.f[i]));
    softest = fmax(softest, (double)p.K[i * p.nrow + i]);
  }
  double pressing = 1e-4 * largest, uncertain = 100 * residual * (1 + largest);
  *allowed = uncertain * softest + 1e-12;
  for (int i = 0; i < p.nrow; i++) {
    p.w[i] = p.b[i];
    for (int k = 0; k < p.nrow; k++) {
      p.w[i] += p.K[i * p.nrow + k] * p.f[k];
    }
  }
  for (int i = 0; i < p.nrow; i += 3) {
    double n = (double)p.f[i], t = hypot((double)p.f[i + 1], (double)p.f[i + 2]);
    double w = (double)p.w[i], slip = hypot((double)p.w[i + 1], (double)p.w[i + 2]);
    double against = (double)(p.f[i + 1] * p.w[i + 1] + p.f[i + 2] * p.w[i + 2]);
    worst = fmax(worst, -w);
    worst = fmax(worst, n > pressing ? w : 0);
    if (n > pressing) {
      worst = fmax(worst, t < n * (1 - 1e-6) - uncertain ? slip : slip + against / n);
    }
    assert_that(n, >=, 0);
    assert_that(t, <=, n * (1 + 1e-12));
  }
  return worst;
}

TEST(random_problems_are_solved) {
  DOUBLE_ONLY();
  int count = getenv("CONDYLE_LONG") ? 2500 : 200;
  for (int kind = 0; kind < KINDS; kind++) {
    int exact = 0, sweeps = 0;
    for (int i = 0; i < count; i++) {
      make_problem(kind, (uint64_t)i, 60, (mjtNum)1.25);
      HardEnd end = hard_solve(&p.problem, p.list, p.nblock, 120, (mjtNum)1e-10, NULL, 0);
      exact += end.residual <= 1e-10;
      sweeps += end.sweeps;
      assert_that(end.sweeps, <=, 120);
      double allowed, wrong = violation(&allowed, (double)end.residual);
      if (!(end.residual <= 1e-8 && wrong <= allowed) || end.failed) {
        fail_msg("kind %d, problem %d: residual %g, conditions violated by %g m/s, not %g", kind, i,
                 (double)end.residual, wrong, allowed);
      }
    }
    print_message("kind %d: %d problems, %.1f sweeps on the average, %d to 1e-10, all to 1e-8\n",
                  kind, count, (double)sweeps / count, exact);
    assert_that(exact, >=, count - count / 100);
  }
}

// What is told is the residual of these forces, in their cones, also where smoothing has gone
// through large ones.
TEST(what_smoothing_leaves_is_told) {
  DOUBLE_ONLY();
  static const unsigned kHard[][2] = {{0, 2314}, {1, 757}};
  for (size_t i = 0; i < 2; i++) {
    make_problem((int)kHard[i][0], kHard[i][1], 60, (mjtNum)1.25);
    HardEnd end = hard_solve(&p.problem, p.list, p.nblock, 120, (mjtNum)1e-10, NULL, 0);
    hard_multiply(&p.problem);
    mjtNum is = residual_of();
    double allowed, wrong = violation(&allowed, (double)is);
    if (!(is <= 1e-8 && is < 2 * end.residual + 1e-12 && wrong <= allowed)) {
      fail_msg("kind %u, problem %u: residual %g, told %g", kHard[i][0], kHard[i][1], (double)is,
               (double)end.residual);
    }
  }
}

// Of the path to the first one's solution no part turns back; those to the next do, and descending
// gets stuck. The last ones are at the end of shifted paths only.
TEST(a_path_leads_to_a_solution_also_where_it_turns_back) {
  DOUBLE_ONLY();
  static const struct {
    int kind;
    unsigned number;
  } kHard[] = {{1, 97},   {1, 86},   {1, 1100},  {1, 2316}, {3, 478},
               {1, 6511}, {1, 6825}, {1, 24337}, {3, 4857}};
  for (size_t i = 0; i < sizeof kHard / sizeof kHard[0]; i++) {
    make_problem(kHard[i].kind, kHard[i].number, 60, (mjtNum)1.25);
    mjtNum before = residual_of();
    mjtNum after = smoothed(before);
    mjtNum is = residual_of();
    if (!(after <= 1e-8 && is <= 1e-8)) {
      fail_msg("kind %d, problem %u: residual %g, told %g", kHard[i].kind, kHard[i].number,
               (double)is, (double)after);
    }
  }
}

// Two walls that close in on a body: no force stops them both.
TEST(contradictions_are_told) {
  DOUBLE_ONLY();
  const mjtNum inverse[6] = {1, 1, 1, 1, 1, 1}, still[6] = {0};
  p.nrow = p.nblock = 0;
  p.nv = 6;
  for (int side = -1; side <= 1; side += 2) {
    mjtNum normal[3] = {0, 0, (mjtNum)side}, at[3] = {0, 0, (mjtNum)-side};
    add_contact(&p, -1, kOrigin, 0, at, normal, (mjtNum)0.5);
  }
  finish(&p, d, inverse, still, (mjtNum)0.001);
  p.b[0] = p.b[3] = (mjtNum)-0.1;
  hard_multiply(&p.problem);
  HardEnd end = hard_solve(&p.problem, p.list, p.nblock, 120, (mjtNum)1e-10, NULL, 0);
  assert_true(end.failed);
  assert_true(end.contradicts);
  for (int i = 0; i < p.nrow; i++) {
    // as some sweeps would leave them, each of them adding 100 N
    assert_that(p.f[i], >=, 0);
    assert_that(p.f[i], <, 1e4);
  }
  // a path doesn't lead anywhere either
  end.residual = residual_of();
  assert_that(smoothed(end.residual), >, 1e-8);
}

// Equalities, friction loss and pushes among contacts, some of them twice: what depends on others
// is no trouble. bound: of one friction loss.
static void make_all_laws(uint64_t* seed, int bodies, mjtNum bound) {
  mjtNum inverse[MOST_DOFS], velocity[MOST_DOFS];
  p.nrow = p.nblock = 0;
  p.nv = 6 * scattered(seed, bodies, (mjtNum)0.5);
  for (int i = 0; i < p.nv; i++) {
    inverse[i] = 1;
    velocity[i] = uniform_random(seed);
  }
  for (int k = 0; k < 8; k++) {
    static const HardLaw laws[] = {HARD_FREE, HARD_BOUND, HARD_PUSH, HARD_FREE};
    int row = p.nrow;
    add_block(&p, laws[k % 4], 1);
    p.block[p.nblock - 1].bound = k == 1 ? bound : 100;
    memset(p.J[row], 0, sizeof p.J[row]);
    for (int i = 0; i < p.nv; i++) {
      p.J[row][i] = k == 7 ? p.J[row - 4][i] : uniform_random(seed);
    }
  }
  finish(&p, d, inverse, velocity, (mjtNum)0.001);
}

// The laws of one row, told apart from the residual of the solver.
static void assert_laws(int trial) {
  double largest = 0;
  for (int i = 0; i < p.nrow; i++) {
    largest = fmax(largest, fabs((double)p.f[i]));
  }
  for (int i = 0; i < p.nblock; i++) {
    int row = p.block[i].first;
    double error = 1e-7 * (1 + largest), f = (double)p.f[row], bound = (double)p.block[i].bound;
    double w = (double)(p.w[row] / p.K[row * p.nrow + row]);
    int fine = p.block[i].law == HARD_FREE   ? fabs(w) < error
               : p.block[i].law == HARD_PUSH ? f >= 0 && w > -error && fmin(f, w) < error
               : p.block[i].law == HARD_BOUND
                   ? fabs(f) <= bound + error && (fabs(w) < error || f * w <= 0) &&
                         fmin(fabs(w), bound - fabs(f)) < error
                   : 1;
    if (!fine) {
      fail_msg("trial %d, law %d: force %g, velocity %g by force", trial, p.block[i].law, f, w);
    }
  }
}

TEST(smoothing_knows_all_laws) {
  DOUBLE_ONLY();
  uint64_t seed = 11;
  for (int trial = 0; trial < 200; trial++) {
    make_all_laws(&seed, 4 + below(&seed, 8), 0);
    mjtNum before = residual_of(), residual = smoothed(before);
    if (!(residual <= 1e-8)) {
      fail_msg("trial %d: residual %g, %g before", trial, (double)residual, (double)before);
    }
    assert_laws(trial);
  }
}

// With equations by dofs and, of few bodies, by rows; what is left is for Newton's steps.
TEST(interior_points_pulled_to_centres_know_all_laws) {
  DOUBLE_ONLY();
  uint64_t seed = 12;
  int solved = 0;
  for (int trial = 0; trial < 100; trial++) {
    make_all_laws(&seed, 2 + below(&seed, 10), 1);
    HardDofs dofs;
    mj_markStack(d);
    assert_true(dofs_make(&dofs, &p.problem, p.list, p.nblock));
    mjtNum before = residual_of();
    mjtNum residual = interior_solve_pulled(&dofs, before, (mjtNum)1e-10);
    mj_freeStack(d);
    assert_near(residual_of(), residual, 1e-12);
    if (residual <= 1e-10) {
      solved++;
      assert_laws(trial);
    }
  }
  assert_that(solved, >=, 80);
}

// Damped fixed point f := P(f - rho u) in long double: slow, but of another kind.
static void fixed_point(long double* f) {
  long double norm = 0;
  for (int i = 0; i < p.nrow; i++) {
    long double sum = 0;
    f[i] = 0;
    for (int k = 0; k < p.nrow; k++) {
      sum += fabsl((long double)p.K[i * p.nrow + k]);
    }
    norm = fmaxl(norm, sum);
  }
  long double change = 1, u[MOST_ROWS];
  for (int step = 0; step < 400000 && change > 1e-13L; step++) {
    for (int i = 0; i < p.nrow; i++) {
      u[i] = p.b[i];
      for (int k = 0; k < p.nrow; k++) {
        u[i] += p.K[i * p.nrow + k] * f[k];
      }
    }
    change = 0;
    for (int i = 0; i < p.nrow; i += 3) {
      long double x[3];
      u[i] += sqrtl(u[i + 1] * u[i + 1] + u[i + 2] * u[i + 2]);
      for (int k = 0; k < 3; k++) {
        x[k] = f[i + k] - u[i + k] / norm;
      }
      long double t = sqrtl(x[1] * x[1] + x[2] * x[2]), half = (x[0] + t) / 2;
      if (t <= -x[0]) {
        x[0] = x[1] = x[2] = 0;
      } else if (t > x[0]) {
        x[0] = half;
        x[1] *= half / t;
        x[2] *= half / t;
      }
      for (int k = 0; k < 3; k++) {
        change = fmaxl(change, fabsl(x[k] - f[i + k]));
        f[i + k] = x[k];
      }
    }
  }
}

// few contacts of many bodies with little friction: one solution
TEST(unique_forces_are_those_of_a_fixed_point) {
  DOUBLE_ONLY();
  long double f[MOST_ROWS];
  int compared = 0;
  for (unsigned i = 0; compared < 20; i++) {
    make_problem(0, i, 4, (mjtNum)0.3);
    HardEnd end = hard_solve(&p.problem, p.list, p.nblock, 2000, (mjtNum)1e-13, NULL, 0);
    if (end.residual > 1e-12) {
      continue;
    }
    fixed_point(f);
    double largest = 0;
    for (int k = 0; k < p.nrow; k++) {
      largest = fmax(largest, fabs((double)p.f[k]));
    }
    for (int k = 0; k < p.nrow; k++) {
      if (!(fabs((double)p.f[k] - (double)f[k]) <= 1e-7 * (1 + largest))) {
        fail_msg("problem %u: force %d is %.12g, by the fixed point %.12g", i, k, (double)p.f[k],
                 (double)f[k]);
      }
    }
    compared++;
  }
}

// one contact

TEST(a_cone_is_solved_exactly_in_every_dimension) {
  DOUBLE_ONLY();
  uint64_t seed = 7;
  for (int trial = 0; trial < 3000; trial++) {
    int dim = trial % 3 == 0 ? 3 : trial % 3 == 1 ? 4 : 6;
    mjtNum A[36], K[36], q[6], f[6], w[6];
    for (int i = 0; i < dim * dim; i++) {
      A[i] = uniform_random(&seed);
    }
    mju_mulMatMatT(K, A, A, dim, dim, dim);
    for (int i = 0; i < dim; i++) {
      q[i] = uniform_random(&seed);
    }
    Cone cone;
    cone_make(&cone, K, dim);
    cone_solve(f, &cone, q);
    mju_mulMatVec(w, K, f, dim, dim);
    mju_addTo(w, q, dim);
    mjtNum t = mju_norm(f + 1, dim - 1), slip = mju_norm(w + 1, dim - 1),
           size = 1 + mju_norm(f, dim);
    mjtNum scale = size * (1 + mju_norm(K, dim * dim));
    assert_that(f[0], >=, 0);
    assert_that(t, <=, f[0] * (1 + 1e-12));
    assert_that(w[0], >=, -1e-11 * scale);
    assert_that(f[0] * fabs(w[0]), <=, 1e-11 * scale * size);
    if (f[0] > 0 && t < f[0] * (1 - 1e-9)) {
      assert_that(slip, <, 1e-10 * scale);
    } else if (f[0] > 0) {
      assert_that(fabs(mju_dot(f + 1, w + 1, dim - 1) + f[0] * slip), <, 1e-9 * scale * size);
    }
  }
}

TEST(a_contact_that_moves_along_one_line_only_is_no_trouble) {
  DOUBLE_ONLY();
  // a body on a rail along x, its contact frame turned about the normal by 30 degrees, and one on a
  // rail along the normal
  const mjtNum c = (mjtNum)0.5 * (mjtNum)sqrt(3), s = (mjtNum)0.5;
  const mjtNum rail[9] = {1, 0, 0, 0, c * c, c * s, 0, c * s, s * s}, normal[9] = {1};
  const mjtNum q[3] = {-1, c * (mjtNum)0.3, s * (mjtNum)0.3}, down[3] = {-1, 0, 0};
  mjtNum f[3];
  Cone cone;
  cone_make(&cone, rail, 3);
  cone_solve(f, &cone, q);
  assert_that(fabs(f[0] - 1), <, 1e-12);
  assert_that(fabs(c * f[1] + s * f[2] + 0.3), <, 1e-9);
  cone_make(&cone, normal, 3);
  cone_solve(f, &cone, down);
  assert_that(fabs(f[0] - 1), <, 1e-12);
  assert_that(f[1], ==, 0);
  assert_that(f[2], ==, 0);
}

TEST(the_projection_is_the_nearest_point) {
  DOUBLE_ONLY();
  uint64_t seed = 3;
  for (int trial = 0; trial < 1000; trial++) {
    mjtNum x[4], f[4], r[4];
    for (int i = 0; i < 4; i++) {
      x[i] = f[i] = uniform_random(&seed);
    }
    cone_project(f, 4);
    mju_sub(r, x, f, 4);
    // the rest is in the opposite of the dual cone, at right angles to f
    assert_that(mju_norm(f + 1, 3), <=, f[0] + 1e-14);
    assert_that(mju_norm(r + 1, 3), <=, -r[0] + 1e-14);
    assert_that(fabs(mju_dot(f, r, 4)), <, 1e-14);
  }
}
