// The inertia matrix: its definition, its factor, and sums with other matrices.

#include "support/zoo.h"

// A model with a random state, its position stage computed.
typedef struct {
  mjModel* m;
  mjData* d;
  int nv;
} Scene;

static Scene scene_make(const char* xml) {
  Scene s;
  s.m = test_model(xml);
  s.d = test_data(s.m);
  s.nv = s.m->nv;
  zoo_randomize(s.m, s.d, 11);
  mj_forward(s.m, s.d);
  return s;
}

static void scene_delete(Scene* s) {
  test_release(s->m);
}

static mjtNum* numbers(int n) {
  return calloc(n, sizeof(mjtNum));
}

// M = sum over bodies of m J'J + J_r' I J_r, plus armatures; couplings through the tendons only
// inside a branch
TEST(inertia_is_the_sum_over_bodies) {
  Scene s = scene_make("<mujoco>" ZOO_NOCONTACT ZOO_WORLD "</mujoco>");
  int nv = s.nv;
  mjtNum *full = numbers(nv * nv), *sum = numbers(nv * nv);
  mjtNum *jacp = numbers(3 * nv), *jacr = numbers(3 * nv), *row = numbers(nv);
  mj_fullM(s.m, full, s.d->qM);

  for (int b = 1; b < s.m->nbody; b++) {
    mj_jacBodyCom(s.m, s.d, jacp, jacr, b);
    for (int k = 0; k < 3; k++) {
      // rotational row along the k-th principal axis
      for (int j = 0; j < nv; j++) {
        row[j] = 0;
        for (int r = 0; r < 3; r++) {
          row[j] += s.d->ximat[9 * b + 3 * r + k] * jacr[r * nv + j];
        }
      }
      for (int i = 0; i < nv; i++) {
        for (int j = 0; j < nv; j++) {
          sum[i * nv + j] += s.m->body_mass[b] * jacp[k * nv + i] * jacp[k * nv + j] +
                             s.m->body_inertia[3 * b + k] * row[i] * row[j];
        }
      }
    }
  }
  for (int i = 0; i < nv; i++) {
    sum[i * nv + i] += s.m->dof_armature[i];
  }
  for (int t = 0; t < s.m->ntendon; t++) {
    for (int i = 0; i < nv; i++) {
      for (int j = 0; j < nv; j++) {
        // where M has an entry: dof and ancestor, the simple ones only with themselves
        int low = i < j ? i : j, high = i < j ? j : i, found = i == j;
        for (int k = 0; k < s.m->M_rownnz[high]; k++) {
          found = found || s.m->M_colind[s.m->M_rowadr[high] + k] == low;
        }
        if (found) {
          sum[i * nv + j] +=
              s.m->tendon_armature[t] * s.d->ten_J[t * nv + i] * s.d->ten_J[t * nv + j];
        }
      }
    }
  }
  assert_close(full, sum, nv * nv, 1e-12);
  free(full);
  free(sum);
  free(jacp);
  free(jacr);
  free(row);
  scene_delete(&s);
}

TEST(solving_undoes_multiplying) {
  Scene s = scene_make(ZOO_XML);
  mjtNum *x = numbers(3 * s.nv), *y = numbers(3 * s.nv);
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < s.nv; i++) {
      x[k * s.nv + i] = (mjtNum)(i + k) / s.nv;
    }
    mj_mulM(s.m, s.d, y + k * s.nv, x + k * s.nv);
  }
  mj_solveM(s.m, s.d, y, y, 3);
  assert_close(y, x, 3 * s.nv, 1e-11);
  free(x);
  free(y);
  scene_delete(&s);
}

TEST(half_products_have_the_right_norms) {
  Scene s = scene_make(ZOO_XML);
  int nv = s.nv;
  mjtNum *x = numbers(nv), *y = numbers(nv), *root = numbers(nv);
  for (int i = 0; i < nv; i++) {
    x[i] = (mjtNum)(i % 5) - 2;
    root[i] = mju_sqrt(s.d->qLDiagInv[i]);
  }
  mj_mulM(s.m, s.d, y, x);
  mjtNum energy = mju_dot(x, y, nv);
  mj_mulM2(s.m, s.d, y, x);
  assert_near(mju_dot(y, y, nv) / energy, 1, 1e-12);
  mj_solveM(s.m, s.d, y, x, 1);
  energy = mju_dot(x, y, nv);
  mj_solveM2(s.m, s.d, y, x, root, 1);
  assert_near(mju_dot(y, y, nv) / energy, 1, 1e-12);
  free(x);
  free(y);
  free(root);
  scene_delete(&s);
}

// dense: the lower triangle; sparse: the union of the patterns, whatever was there before
TEST(adding_to_a_matrix_keeps_what_it_had) {
  Scene s = scene_make(ZOO_XML);
  int nv = s.nv;
  mjtNum *full = numbers(nv * nv), *dense = numbers(nv * nv), *sparse = numbers(nv * nv);
  int *rownnz = calloc(nv, sizeof(int)), *rowadr = calloc(nv, sizeof(int));
  int* colind = calloc(nv * nv, sizeof(int));
  mj_fullM(s.m, full, s.d->qM);

  // every third entry of the lower triangle is 1
  for (int i = 0; i < nv; i++) {
    rowadr[i] = i * nv;
    for (int j = i % 3; j <= i; j += 3) {
      dense[i * nv + j] = 1;
      sparse[rowadr[i] + rownnz[i]] = 1;
      colind[rowadr[i] + rownnz[i]++] = j;
    }
  }
  mj_addM(s.m, s.d, dense, NULL, NULL, NULL);
  mj_addM(s.m, s.d, sparse, rownnz, rowadr, colind);
  for (int i = 0; i < nv; i++) {
    int k = rowadr[i];
    for (int j = 0; j < nv; j++) {
      mjtNum expected = j > i ? 0 : full[i * nv + j] + (j % 3 == i % 3);
      assert_near(dense[i * nv + j], expected, 1e-14);
      if (k < rowadr[i] + rownnz[i] && colind[k] == j) {
        assert_near(sparse[k++], expected, 1e-14);
      } else {
        assert_near(expected, 0, 0);
      }
    }
    assert_int_equal(k, rowadr[i] + rownnz[i]);
  }
  free(full);
  free(dense);
  free(sparse);
  free(rownnz);
  free(rowadr);
  free(colind);
  scene_delete(&s);
}
