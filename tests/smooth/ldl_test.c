// ldl.c: factors and solves on trees deeper and more branched than a robot, against dense products.

#include "smooth/ldl.h"

#include "support/zoo.h"

enum {
  TREES = 40,
  DOFS = 60  // of a tree, about
};

static unsigned seed = 1;

static mjtNum* numbers(size_t n) {
  return calloc(n, sizeof(mjtNum));
}

static mjtNum uniform(void) {
  seed = seed * 1664525u + 1013904223u;
  return (mjtNum)(seed >> 8) / (1 << 24);
}

// Bodies with a hinge, sometimes two, open one after another; now and then some are closed again.
// Between trees, a body alone in its tree has simple dofs.
static mjModel* random_tree(mjtNum branching) {
  static char text[20000];
  int length = snprintf(text, sizeof text, "<mujoco><worldbody>"), open = 0;
  for (int dofs = 0; dofs < DOFS; dofs++) {
    while (open && uniform() < branching) {
      length += snprintf(text + length, sizeof text - length, "</body>");
      open--;
    }
    length += snprintf(text + length, sizeof text - length,
                       "<body pos='%.2f 0 .1'><joint axis='%.2f 1 0'/>%s<geom size='.1'/>",
                       uniform(), uniform(), uniform() < 0.3 ? "<joint axis='0 0 1'/>" : "");
    open++;
  }
  for (; open; open--) {
    length += snprintf(text + length, sizeof text - length, "</body>");
  }
  snprintf(text + length, sizeof text - length,
           "<body><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
  mjSpec* spec = mj_parseXMLString(text, NULL, NULL, 0);
  mjModel* m = mj_compile(spec, NULL);
  assert_non_null(m);
  mj_deleteSpec(spec);
  return m;
}

// a dominant diagonal: well conditioned
static void random_matrix(mjtNum* M, const mjModel* m) {
  for (int i = 0; i < m->nv; i++) {
    int adr = m->M_rowadr[i], diag = adr + m->M_rownnz[i] - 1;
    for (int k = adr; k < diag; k++) {
      M[k] = uniform() - (mjtNum)0.5;
    }
    M[diag] = 40 + uniform();
  }
}

// res = A x for the symmetric matrix A with the lower rows M
static void multiply(mjtNum* res, const mjModel* m, const mjtNum* M, const mjtNum* x) {
  mju_zero(res, m->nv);
  for (int i = 0; i < m->nv; i++) {
    for (int k = m->M_rowadr[i]; k < m->M_rowadr[i] + m->M_rownnz[i]; k++) {
      int j = m->M_colind[k];
      res[i] += M[k] * x[j];
      if (j != i) {
        res[j] += M[k] * x[i];
      }
    }
  }
}

TEST(solving_undoes_multiplying_on_any_tree) {
  for (int t = 0; t < TREES; t++) {
    mjModel* m = random_tree((mjtNum)t / (2 * TREES));
    int nv = m->nv;
    mjtNum *M = numbers(m->nC), *LD = numbers(m->nC), *inv = numbers(nv), *path = numbers(nv);
    mjtNum *x = numbers(nv), *y = numbers(nv), *shift = numbers(nv);
    random_matrix(M, m);
    for (int i = 0; i < nv; i++) {
      x[i] = uniform() - (mjtNum)0.5;
      shift[i] = uniform();
    }
    multiply(y, m, M, x);
    for (int i = 0; i < nv; i++) {
      y[i] += 3 * shift[i] * x[i];
    }
    ldl_factor(LD, inv, tree_pattern(m), M, shift, 3);
    ldl_solve(y, tree_pattern(m), LD, inv, path);
    assert_close(y, x, nv, 1e-12);

    // in place, without a shift
    multiply(y, m, M, x);
    ldl_factor(M, inv, tree_pattern(m), M, NULL, 0);
    ldl_solve(y, tree_pattern(m), M, inv, path);
    assert_close(y, x, nv, 1e-12);
    free(M);
    free(LD);
    free(inv);
    free(path);
    free(x);
    free(y);
    free(shift);
    mj_deleteModel(m);
  }
}

// M = L'DL entry by entry: row i of the product sums D_k L_ki L_kj over i and its descendants k
TEST(factor_multiplies_to_the_matrix) {
  mjModel* m = random_tree((mjtNum)0.2);
  int nv = m->nv;
  mjtNum *M = numbers(m->nC), *LD = numbers(m->nC), *inv = numbers(nv);
  mjtNum* product = numbers((size_t)nv * nv);
  random_matrix(M, m);
  ldl_factor(LD, inv, tree_pattern(m), M, NULL, 0);
  for (int k = 0; k < nv; k++) {
    int adr = m->M_rowadr[k], n = m->M_rownnz[k];
    mjtNum pivot = LD[adr + n - 1];
    assert_close(&inv[k], &(mjtNum){1 / pivot}, 1, 1e-15);
    for (int a = 0; a < n; a++) {
      for (int b = 0; b <= a; b++) {
        mjtNum la = a == n - 1 ? 1 : LD[adr + a], lb = b == n - 1 ? 1 : LD[adr + b];
        product[m->M_colind[adr + a] * nv + m->M_colind[adr + b]] += pivot * la * lb;
      }
    }
  }
  for (int i = 0; i < nv; i++) {
    for (int k = m->M_rowadr[i]; k < m->M_rowadr[i] + m->M_rownnz[i]; k++) {
      assert_close(&product[i * nv + m->M_colind[k]], &M[k], 1, 1e-12);
    }
  }
  free(M);
  free(LD);
  free(inv);
  free(product);
  mj_deleteModel(m);
}
