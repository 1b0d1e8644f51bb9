// The minimum along a line of laws, and what a cost that is not convex does.

#include "constraint/solver/line_bracket.h"

#include "support/load.h"
#include "support/small_model.h"
#include "support/test.h"

enum {
  NROW = 10  // 3 equalities, 3 friction losses, 4 one-sided rows
};

typedef struct {
  mjData* d;
  Rows rows;
  int type[NROW];
  mjtNum D[NROW], R[NROW], eta[NROW];
  _Alignas(64) mjtNum jar[SIMD_PADDED(NROW)];
} Sample;

static mjtNum uniform(mjtNum low, mjtNum high) {
  return low + (high - low) * (mjtNum)rand() / (mjtNum)RAND_MAX;
}

static void make_sample(Sample* s, mjData* d) {
  memset(s, 0, sizeof *s);
  s->d = d;
  for (int i = 0; i < NROW; i++) {
    s->type[i] = i < 3 ? mjCNSTR_EQUALITY : i < 6 ? mjCNSTR_FRICTION_DOF : mjCNSTR_LIMIT_JOINT;
    s->R[i] = uniform((mjtNum)0.1, 1);
    s->D[i] = 1 / s->R[i];
    s->eta[i] = i >= 3 && i < 6 ? uniform((mjtNum)0.5, 2) : 0;
    s->jar[i] = uniform(-3, 3);
  }
  s->rows = (Rows){.nefc = NROW,
                   .ne = 3,
                   .nf = 3,
                   .type = s->type,
                   .D = s->D,
                   .R = s->R,
                   .frictionloss = s->eta};
}

static double minus_slope(const Sample* s, const mjtNum* Jv, mjtNum alpha, mjtNum gauss) {
  double sum = -2 * (double)(gauss * alpha);
  for (int i = 0; i < NROW; i++) {
    double x = (double)(s->jar[i] + alpha * Jv[i]), D = (double)s->D[i], eta = (double)s->eta[i];
    double f = -D * x;
    if (i >= 3 && i < 6) {
      f = fmin(fmax(f, -eta), eta);
    } else if (i >= 6) {
      f = fmax(f, 0);
    }
    sum += f * (double)Jv[i];
  }
  return sum;
}

TEST(the_slope_vanishes_at_the_minimum) {
  mjModel* m = small_model();
  mjData* d = test_data(m);
  for (int trial = 0; trial < 1000; trial++) {
    Sample s;
    make_sample(&s, d);
    mj_markStack(d);
    Trouble trouble = {0};
    Line line = line_make(d, &s.rows, s.jar, &trouble);
    for (int i = 0; i < NROW; i++) {
      line.Jv[i] = uniform(-1, 1);
    }
    const mjtNum gauss[3] = {0, 0, uniform((mjtNum)0.1, 1)};
    int uphill = minus_slope(&s, line.Jv, 0, gauss[2]) < 0;
    for (int i = 0; i < NROW; i++) {
      line.Jv[i] *= uphill ? -1 : 1;
    }
    const mjtNum gtol = sizeof(mjtNum) == 8 ? (mjtNum)1e-5 : (mjtNum)1e-3;
    LineMinimum found = trial % 2 ? line_bracket(&line, gauss, gtol, 50, trial / 2 % 2)
                                  : line_minimum(&line, gauss, gtol, 50);
    double slope = minus_slope(&s, line.Jv, found.alpha, gauss[2]);
    if (!(fabs(slope) <= (sizeof(mjtNum) == 8 ? 1.01e-5 : 2e-3))) {
      fail_msg("slope %g at alpha %g", slope, (double)found.alpha);
    }
    mj_freeStack(d);
  }
  assert_int_equal(d->cnd_warning[cndWARN_LINESEARCH - cndWARN_FIRST].number, 0);
  mj_deleteModel(m);
}

static int messages;

static void count_message(const char* message) {
  (void)message;
  messages++;
}

TEST(a_concave_cost_is_counted_and_said_once) {
  mjModel* m = small_model();
  mjData* d = test_data(m);
  mju_user_warning = count_message;
  for (int trial = 0; trial < 3; trial++) {
    // a limit that is not touched
    const int type = mjCNSTR_LIMIT_JOINT;
    const mjtNum D = 1;
    _Alignas(64) mjtNum jar[SIMD_N] = {1};
    Rows rows = {.nefc = 1, .type = &type, .D = &D};
    mj_markStack(d);
    Trouble trouble = {0};
    Line line = line_make(d, &rows, jar, &trouble);
    line.Jv[0] = 0;
    const mjtNum gauss[3] = {0, 1, -1};
    LineMinimum found = line_bracket(&line, gauss, (mjtNum)1e-5, 2, 0);
    assert_finite_number((double)found.alpha);
    mj_freeStack(d);
    problem_warn(d, &trouble);
  }
  mju_user_warning = NULL;
  assert_int_equal(messages, 1);
  assert_that(d->cnd_warning[cndWARN_LINESEARCH - cndWARN_FIRST].number, >=, 3);
  mj_deleteModel(m);
}
