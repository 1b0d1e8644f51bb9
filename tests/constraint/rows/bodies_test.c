// Rows on several bodies against the sum of dense Jacobians of each body alone.

#include "constraint/rows/bodies.h"

#include "base/algebra/vec.h"
#include "constraint/rows/storage.h"
#include "support/zoo.h"

enum {
  WORLD,
  HAND,
  BASE,
  ARM,
  WRIST,
  THIGH,
  SHIN,
  CART,
  CRATE,
  POLE
};

// on one chain, on branches, in several trees, static, repeated, in no order
static const struct {
  int n, body[5];
} lists[] = {
    {1, {SHIN}},
    {2, {WRIST, SHIN}},
    {2, {WRIST, WORLD}},
    {3, {WRIST, ARM, BASE}},
    {3, {SHIN, WRIST, CART}},
    {3, {WORLD, WRIST, HAND}},
    {3, {WRIST, SHIN, WRIST}},
    {4, {ARM, ARM, ARM, ARM}},
    {4, {CRATE, THIGH, CART, SHIN}},
    {4, {POLE, BASE, WORLD, THIGH}},
    {5, {SHIN, WRIST, CRATE, BASE, THIGH}},
    {5, {WORLD, CART, SHIN, CART, ARM}},
    {5, {CRATE, CART, SHIN, WRIST, BASE}},
};

static const int row_counts[] = {1, 3, 6, MAXROW};

// forces, then torques, of nrow rows at a point of each body
typedef struct {
  RowBodies of;
  int nrow;
  mjtNum point[5][3];
  mjtNum force[5][MAXROW][3], torque[5][MAXROW][3];
} Case;

static void fill(mjtNum* x, int n, uint64_t* seed) {
  for (int i = 0; i < n; i++) {
    x[i] = uniform_random(seed);
  }
}

static Case random_case(int list, int nrow, uint64_t* seed) {
  Case c = {.of.n = lists[list].n, .nrow = nrow};
  memcpy(c.of.body, lists[list].body, sizeof lists[list].body);
  fill(c.of.weight, 5, seed);
  fill(c.point[0], 15, seed);
  fill(c.force[0][0], 15 * MAXROW, seed);
  fill(c.torque[0][0], 15 * MAXROW, seed);
  return c;
}

// J_r = sum of weight (force_r' jacp + torque_r' jacr)
static void dense_sum(mjtNum* J, const mjModel* m, const mjData* d, const Case* c) {
  int nv = m->nv;
  mjtNum* part = malloc(7 * (size_t)nv * sizeof *part);
  mjtNum *jacp = part + nv, *jacr = part + 4 * nv;
  memset(J, 0, (size_t)(c->nrow * nv) * sizeof *J);
  for (int b = 0; b < c->of.n; b++) {
    mj_jac(m, d, jacp, jacr, c->point[b], c->of.body[b]);
    for (int r = 0; r < c->nrow; r++) {
      mju_mulMatTVec(part, jacp, c->force[b][r], 3, nv);
      mju_addToScl(J + r * nv, part, c->of.weight[b], nv);
      mju_mulMatTVec(part, jacr, c->torque[b][r], 3, nv);
      mju_addToScl(J + r * nv, part, c->of.weight[b], nv);
    }
  }
  free(part);
}

// The rows of a case as a maker writes them, into efc_J.
static int put(BodyJacobian* bodies, RowSink* sink, const Case* c) {
  mjtNum pos[MAXROW] = {0};
  int n = bodies_select(bodies, sink, &c->of);
  if (!sink_wants(sink, c->nrow, n)) {
    return 0;
  }
  for (int b = 0; b < c->of.n; b++) {
    mjtNum arm[3], moment[3];
    if (!bodies_arm(arm, bodies, sink, b, c->point[b])) {
      continue;
    }
    for (int r = 0; r < c->nrow; r++) {
      v3_cross(moment, arm, c->force[b][r]);
      v3_addto(moment, c->torque[b][r]);
      for (int k = 0; k < 3; k++) {
        bodies->wrench[b][k][r] = moment[k];
        bodies->wrench[b][3 + k][r] = c->force[b][r][k];
      }
    }
  }
  RowJacobian jacobian = bodies_jacobian(bodies, sink->d, c->nrow);
  return sink_put(sink, mjCNSTR_EQUALITY, 0, c->nrow, &jacobian, pos, NULL, 0);
}

static void read_rows(mjtNum* J, const mjModel* m, const mjData* d, int nrow) {
  if (mj_isSparse(m)) {
    mju_sparse2dense(J, d->efc_J, nrow, m->nv, d->efc_J_rownnz, d->efc_J_rowadr, d->efc_J_colind);
  } else {
    memcpy(J, d->efc_J, (size_t)(nrow * m->nv) * sizeof *J);
  }
}

static void check(mjModel* m, mjData* d, BodyJacobian* bodies, const Case* c) {
  size_t bytes = (size_t)(c->nrow * m->nv) * sizeof(mjtNum);
  mjtNum *found = malloc(bytes), *expected = malloc(bytes);
  RowSink sink = {.m = m, .d = d, .measuring = 1, .sparse = mj_isSparse(m)};
  storage_clear(d);
  assert_int_equal(put(bodies, &sink, c), 0);
  assert_int_equal(sink.nrow, c->nrow);
  sink.measuring = 0;
  assert_true(storage_rows(m, d, sink.nrow, sink.nJ));
  assert_int_equal(put(bodies, &sink, c), c->nrow);

  // as much as was foreseen, columns ascending
  if (sink.sparse) {
    int last = c->nrow - 1;
    assert_int_equal(d->efc_J_rowadr[last] + d->efc_J_rownnz[last], sink.nJ);
    for (int k = 1; k < d->efc_J_rownnz[0]; k++) {
      assert_that(d->efc_J_colind[k], >, d->efc_J_colind[k - 1]);
    }
  }
  read_rows(found, m, d, c->nrow);
  dense_sum(expected, m, d, c);
  assert_close(found, expected, c->nrow * m->nv, 1e-13);
  free(found);
  free(expected);
}

TEST(rows_are_the_weighted_sum_of_the_bodies_jacobians) {
  mjModel* m = test_model(ZOO_XML);
  mjData* d = test_data(m);
  uint64_t seed = 1;
  for (int sparse = 0; sparse < 2; sparse++) {
    m->opt.jacobian = sparse ? mjJAC_SPARSE : mjJAC_DENSE;
    zoo_randomize(m, d, seed);
    mj_forward(m, d);
    mj_markStack(d);
    BodyJacobian bodies;
    bodies_make(&bodies, m, d, 5);
    for (int list = 0; list < (int)(sizeof lists / sizeof *lists); list++) {
      for (int k = 0; k < 4; k++) {
        Case c = random_case(list, row_counts[k], &seed);
        check(m, d, &bodies, &c);
      }
    }
    mj_freeStack(d);
  }
}

// the same bodies with other weights, and in another order
TEST(selection_is_renewed_when_weights_or_order_change) {
  mjModel* m = test_model(ZOO_XML);
  mjData* d = test_data(m);
  uint64_t seed = 7;
  m->opt.jacobian = mjJAC_SPARSE;
  zoo_randomize(m, d, seed);
  mj_forward(m, d);
  mj_markStack(d);
  BodyJacobian bodies;
  bodies_make(&bodies, m, d, 5);
  Case c = random_case(10, 6, &seed);
  check(m, d, &bodies, &c);
  fill(c.of.weight, 5, &seed);
  check(m, d, &bodies, &c);
  int first = c.of.body[0];
  memmove(c.of.body, c.of.body + 1, 4 * sizeof(int));
  c.of.body[4] = first;
  check(m, d, &bodies, &c);
  c.of.n = 3;
  check(m, d, &bodies, &c);
  mj_freeStack(d);
}

TEST(bodies_that_nothing_moves_have_no_rows) {
  mjModel* m = test_model(ZOO_XML);
  mjData* d = test_data(m);
  const RowBodies of = {.n = 3, .body = {POLE, WORLD, HAND}, .weight = {1, -2, 1}};
  mj_forward(m, d);
  mj_markStack(d);
  BodyJacobian bodies;
  bodies_make(&bodies, m, d, 3);
  RowSink sink = {.m = m, .d = d, .sparse = 1};
  assert_int_equal(bodies_select(&bodies, &sink, &(RowBodies){0}), 0);
  int n = bodies_select(&bodies, &sink, &of);
  assert_int_equal(n, 0);
  assert_false(sink_wants(&sink, 3, n));
  mj_freeStack(d);
}
