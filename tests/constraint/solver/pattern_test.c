// Entries of the factor counted by bits are those of its pattern. Islands of few dofs are solved
// alike whether the rows of the whole system are dense or compressed, and share rows where these
// are in order.

#include "constraint/solver/pattern.h"

#include <stdio.h>
#include <string.h>

#include "model/behaviour.h"
#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

// Arms that touch a plane, boxes at rest on it, and two that lie on each other.
static const char scene[] =
    "<mujoco><option jacobian='%s'/><worldbody><geom type='plane' size='9 9 1'/>"
    "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "<body pos='2 0 .05'><joint type='slide' axis='0 0 1'/><geom size='.06'/>"
    "<body pos='.3 0 0'><joint axis='0 1 0'/><geom size='.06'/>"
    "<body pos='.3 0 0'><joint axis='0 1 0'/><geom size='.06'/></body></body></body>"
    "<body pos='4 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "<body pos='%g 0 .299'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "</worldbody></mujoco>";

static mjModel* make(const char* jacobian, double x) {
  char xml[2000];
  snprintf(xml, sizeof xml, scene, jacobian, x);
  return test_model(xml);
}

TEST(entries_counted_by_bits_are_those_of_the_pattern) {
  for (double x = 0; x < 5; x += .5) {
    mjModel* m = make("sparse", x);
    mjData* d = test_data(m);
    mj_forward(m, d);
    assert_that(d->nefc, >, 0);
    Problem p = {.d = d, .n = (int)m->nv, .rows = rows_whole(m, d), .J = matrix_whole_J(m, d)};
    p.tree = tree_pattern(m);
    int64_t nnzL, nnzJ;
    pattern_count(&nnzL, &nnzJ, &p);
    mj_markStack(d);
    Pattern pattern = pattern_make(d, &p);
    mj_freeStack(d);
    assert_int_equal(nnzL, pattern.nnzL);
    assert_int_equal(nnzJ, pattern.nnzJ);
  }
}

TEST(small_islands_are_solved_alike_by_dense_and_compressed_rows) {
  for (double x = 3.9; x < 4.3; x += .05) {
    mjModel *m1 = make("dense", x), *m2 = make("sparse", x);
    int by_decrement = x > 4.1;
    m1->opt.behaviour = m2->opt.behaviour = by_decrement << cndBEHAVIOUR_solverexit;
    mjData *d1 = test_data(m1), *d2 = test_data(m2);
    for (int i = 0; i < 200; i++) {
      mj_step(m1, d1);
      mj_step(m2, d2);
      assert_int_equal(d1->nefc, d2->nefc);
      assert_int_equal(d1->nisland, d2->nisland);
      assert_close(d1->qacc, d2->qacc, (int)m1->nv, 1e-9);
      memcpy(d2->qpos, d1->qpos, (size_t)m1->nq * sizeof(mjtNum));
      memcpy(d2->qvel, d1->qvel, (size_t)m1->nv * sizeof(mjtNum));
      memcpy(d2->qacc_warmstart, d1->qacc_warmstart, (size_t)m1->nv * sizeof(mjtNum));
    }
  }
}

// Rows by island, which are copies or the same arrays.
static void check_island_rows(const mjData* d) {
  for (int i = 0; i < d->nefc; i++) {
    int row = d->map_iefc2efc[i], n = d->efc_J_rownnz[row];
    assert_int_equal(d->iefc_J_rownnz[i], n);
    assert_int_equal(d->iefc_type[i], d->efc_type[row]);
    assert_that(d->iefc_D[i], ==, d->efc_D[row]);
    const int first = d->island_idofadr[d->efc_island[row]];
    for (int k = 0; k < n; k++) {
      int at = d->iefc_J_rowadr[i] + k, from = d->efc_J_rowadr[row] + k;
      assert_that(d->iefc_J[at], ==, d->efc_J[from]);
      assert_int_equal(d->map_idof2dof[first + d->iefc_J_colind[at]], d->efc_J_colind[from]);
    }
  }
}

// The last box lies on another of the last ones, or on the first one, whose rows then are apart.
TEST(islands_share_rows_that_are_in_their_order) {
  for (int on_first = 0; on_first < 2; on_first++) {
    mjModel* m = make("sparse", on_first ? 0 : 4);
    mjData* d = test_data(m);
    for (int i = 0; i < 50; i++) {
      mj_step(m, d);
    }
    mj_forward(m, d);
    assert_int_equal(d->nisland, 3);
    assert_int_equal(d->iefc_J == d->efc_J, !on_first);
    check_island_rows(d);
    mjData* copy = mj_copyData(NULL, m, d);
    check_island_rows(copy);
    mj_deleteData(copy);
  }
}

// A row between two free bodies, by runs of columns, against the plain sum.
TEST(rows_between_free_bodies_are_multiplied_by_runs) {
  mjModel* m = make("sparse", 4);
  mjData* d = test_data(m);
  mj_forward(m, d);
  Matrix J = matrix_whole_J(m, d);
  mjtNum x[64], res[256];
  int pairs = 0;
  assert_that(d->nefc, <, 256);
  for (int i = 0; i < m->nv; i++) {
    x[i] = 1 / (mjtNum)(i + 3);
  }
  matrix_mulv(res, &J, x);
  for (int i = 0; i < d->nefc; i++) {
    mjtNum sum = 0;
    for (int k = d->efc_J_rowadr[i]; k < d->efc_J_rowadr[i] + d->efc_J_rownnz[i]; k++) {
      sum += d->efc_J[k] * x[d->efc_J_colind[k]];
    }
    pairs += d->efc_J_rownnz[i] == 12;
    assert_close(res + i, &sum, 1, 1e-13);
  }
  assert_that(pairs, >, 0);
}
