// Products with rows of edges, by rows and packed, against those of the dense matrix.

#include "constraint/solver/edges.h"

#include "support/load.h"
#include "support/small_model.h"
#include "support/test.h"

enum {
  NV = 32,  // whole vectors: what is read beyond is beyond all of them
  NROW = 60,
  MOST = 8  // columns of a row
};

typedef struct {
  int num[NROW], adr[NROW], column[NROW * MOST];
  mjtNum value[NROW * MOST], dense[NROW][NV];
  Matrix J;
} Sample;

static mjtNum uniform(void) {
  return 2 * (mjtNum)rand() / (mjtNum)RAND_MAX - 1;
}

static void add_triple(Sample* s, int row, int column) {
  for (int k = 0; k < 3; k++) {
    int at = s->adr[row] + s->num[row]++;
    s->column[at] = column + k;
    s->dense[row][column + k] = s->value[at] = uniform();
  }
}

// Edges, some with a fixed end, between rows of other columns.
static void make_sample(Sample* s, int first, int end) {
  memset(s, 0, sizeof *s);
  for (int i = 0; i < NROW; i++) {
    s->adr[i] = i * MOST;
    if (i < first || i >= end) {
      for (int c = i % 3; c < NV && s->num[i] < MOST; c += 5) {
        int at = s->adr[i] + s->num[i]++;
        s->column[at] = c;
        s->dense[i][c] = s->value[at] = uniform();
      }
      continue;
    }
    // one has the last columns of all
    int low = i == end - 1 ? NV - 3 : rand() % (NV - 5);
    add_triple(s, i, low);
    if (low < NV - 5 && rand() % 4) {
      add_triple(s, i, low + 3 + rand() % (NV - 5 - low));
    }
  }
  s->J = (Matrix){.nrow = NROW,
                  .ncolumn = NV,
                  .ld = NV,
                  .value = s->value,
                  .rownnz = s->num,
                  .rowadr = s->adr,
                  .column = s->column};
}

static void assert_products(const Sample* s, const EdgeRows* edges) {
  mjtNum x[NV + 1], f[NROW], res[NROW], out[NV];
  for (int i = 0; i <= NV; i++) {
    x[i] = uniform();
  }
  for (int i = 0; i < NROW; i++) {
    f[i] = i % 7 ? uniform() : 0;
  }
  if (edges) {
    edges_mulv(res, edges, &s->J, x);
    edges_tmulv(out, edges, &s->J, f);
  } else {
    matrix_mulv(res, &s->J, x);
    matrix_tmulv(out, &s->J, f);
  }
  mjtNum tolerance = 100 * (sizeof(mjtNum) == 8 ? (mjtNum)2e-16 : (mjtNum)1e-7);
  for (int i = 0; i < NROW; i++) {
    mjtNum sum = 0;
    for (int c = 0; c < NV; c++) {
      sum += s->dense[i][c] * x[c];
    }
    assert_that(fabs((double)(sum - res[i])), <, (double)tolerance);
  }
  for (int c = 0; c < NV; c++) {
    mjtNum sum = 0;
    for (int i = 0; i < NROW; i++) {
      sum += s->dense[i][c] * f[i];
    }
    assert_that(fabs((double)(sum - out[c])), <, (double)tolerance);
  }
}

TEST(rows_of_edges_multiply_as_dense_ones) {
  static Sample s;
  for (int trial = 0; trial < 50; trial++) {
    make_sample(&s, trial % 5, NROW - trial % 6);
    assert_products(&s, NULL);
  }
}

TEST(packed_edges_multiply_as_dense_ones) {
  static Sample s;
  mjModel* m = small_model();
  mjData* d = test_data(m);
  for (int trial = 0; trial < 50; trial++) {
    EdgeRows edges;
    make_sample(&s, trial % 5, NROW - trial % 6);
    mj_markStack(d);
    edges_make(&edges, d, &s.J);
    assert_int_equal(edges.first, trial % 5);
    assert_int_equal(edges.n, NROW - trial % 6 - trial % 5);
    assert_products(&s, &edges);
    mj_freeStack(d);
  }
  mj_deleteModel(m);
}

TEST(rows_without_edges_are_not_packed) {
  static Sample s;
  make_sample(&s, 0, NROW);
  s.J.nrow = 0;
  EdgeRows edges;
  edges_make(&edges, NULL, &s.J);
  assert_int_equal(edges.n, 0);
}
