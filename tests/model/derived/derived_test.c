// Arrays of later releases that follow from the rest of a model: they are there after compiling and
// after reading a binary model, and follow what a program edits. Their values are compared with
// those of 4.0.0 in tests/headers/api400 and tests/computed.

#include <condyle/condyle.h>

#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

static const char* const names[] = {
    "tendon_type",       "ten_J_rownnz",      "ten_J_rowadr",      "ten_J_colind",
    "flexedge_J_rownnz", "flexedge_J_rowadr", "flexedge_J_colind", "flex_size",
    "flex_vertcell",     "flex_stiffnessadr", "flex_bendingadr",   "mesh_extrema",
};

static mjModel* whole_model(void) {
  return test_model(
      "<mujoco><asset><mesh name='t' vertex='0 0 0 .1 0 0 0 .2 0 0 0 .3'/></asset><worldbody>"
      "<site name='w' pos='0 0 2'/><body pos='0 0 1' gravcomp='.5'><joint name='a' axis='0 1 0'/>"
      "<geom type='mesh' mesh='t'/><site name='s'/><body><joint name='b' axis='1 0 0'/>"
      "<geom size='.1'/></body></body>"
      "<flexcomp name='f' type='grid' count='3 3 1' spacing='.1 .1 .1' radius='.01' dim='2' "
      "mass='1'><edge equality='true'/></flexcomp>"
      "<flexcomp name='g' type='grid' count='2 2 2' spacing='.1 .1 .1' radius='.01' dim='3' "
      "mass='1'/></worldbody><tendon><spatial><site site='w'/><site site='s'/></spatial>"
      "<fixed><joint joint='b' coef='2'/><joint joint='a' coef='3'/></fixed></tendon></mujoco>");
}

static mjModel* saved_and_read(const mjModel* m) {
  int size = mj_sizeModel(m);
  void* bytes = malloc((size_t)size);
  mj_saveModel(m, NULL, bytes, size);
  mjModel* again = mj_loadModelBuffer(bytes, (mjtSize)size);
  free(bytes);
  assert_non_null(again);
  return test_own_model(again);
}

static void assert_same_derived(const mjModel* a, const mjModel* b) {
  assert_int_equal(a->nJten, b->nJten);
  assert_int_equal(a->nJfe, b->nJfe);
  assert_int_equal(a->nflexstiffness, b->nflexstiffness);
  assert_int_equal(a->nflexbending, b->nflexbending);
  assert_int_equal(a->npolygonmax, b->npolygonmax);
  assert_int_equal(a->nmeshdegmax, b->nmeshdegmax);
  assert_int_equal(a->flg_gravcomp, b->flg_gravcomp);
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    cndArray x, y;
    assert_int_equal(cnd_modelArray(&x, a, names[i]), 1);
    assert_int_equal(cnd_modelArray(&y, b, names[i]), 1);
    size_t bytes = x.rows * x.columns * x.field->size;
    assert_int_equal(bytes, y.rows * y.columns * y.field->size);
    assert_that(bytes, >, 0u);
    if (memcmp(x.data, y.data, bytes) != 0) {
      fail_msg("%s differs", names[i]);
    }
  }
}

TEST(sizes_are_exact) {
  const mjModel* m = whole_model();
  assert_int_equal(m->nJten, 1 + 2);
  assert_int_equal(m->nJfe, 6 * m->nflexedge);
  assert_int_equal(m->nflexstiffness, 21 * m->nflexelem);
  assert_int_equal(m->npolygonmax, 3);
  assert_int_equal(m->flg_gravcomp, 1);
  const int rows[3] = {0, 0, 1};
  assert_memory_equal(m->ten_J_colind, rows, sizeof(rows));
  const mjModel* empty = test_model("<mujoco/>");
  assert_int_equal(empty->nJten + empty->nJfe + empty->npolygonmax + empty->nmeshdegmax, 0);
}

TEST(binary_models_get_them_again) {
  mjModel* m = whole_model();
  assert_same_derived(m, saved_and_read(m));
}

TEST(binary_models_that_use_later_words_get_them_again) {
  mjModel* m = whole_model();
  m->geom_adhesion[0] = 1;
  assert_same_derived(m, saved_and_read(m));
}

// What a file says of their sizes is not believed.
TEST(sizes_in_a_file_are_counted_again) {
  mjModel* m = whole_model();
  m->geom_adhesion[0] = 1;
  mjtSize nJten = m->nJten;
  m->nJten = 1 << 30;
  m->nJfe = 12345;
  m->npolygonmax = 77;
  mjModel* again = saved_and_read(m);
  m->nJten = nJten;
  m->nJfe = (mjtSize)(6 * m->nflexedge);
  m->npolygonmax = 3;
  assert_same_derived(m, again);
  mj_deleteData(mj_makeData(again));
}

TEST(copies_have_them) {
  const mjModel* m = whole_model();
  assert_same_derived(m, test_own_model(mj_copyModel(NULL, m)));
}

TEST(they_follow_edits) {
  mjModel* m = whole_model();
  mjData* d = test_data(m);
  int first = m->flex_edgeadr[1];
  assert_int_equal(m->flexedge_J_rownnz[first], 0);
  m->flex_edgedamping[1] = 1;
  mju_zero(m->body_gravcomp, m->nbody);
  mj_setConst(m, d);
  assert_int_equal(m->flexedge_J_rownnz[first], 6);
  assert_int_equal(m->flexedge_J_rowadr[first], 6 * m->flex_edgenum[0]);
  assert_int_equal(m->flg_gravcomp, 0);
}

// Rows at the dofs of the model, for both kinds of storage.
TEST(flat_jacobians_are_the_rows) {
  mjModel* m = whole_model();
  mjData* d = test_data(m);
  for (int sparse = 0; sparse < 2; sparse++) {
    m->opt.jacobian = sparse ? mjJAC_SPARSE : mjJAC_DENSE;
    for (int i = 0; i < m->nv; i++) {
      d->qpos[i] = .01 * (i % 7) - .02 * (i % 3);
    }
    mj_forward(m, d);
    for (int e = 0; e < m->nflexedge; e++) {
      for (int k = 0; k < m->flexedge_J_rownnz[e]; k++) {
        int adr = m->flexedge_J_rowadr[e] + k, dof = m->flexedge_J_colind[adr];
        mjtNum wanted = sparse ? d->flexedge_J[d->flexedge_J_rowadr[e] + k]
                               : d->flexedge_J[(size_t)e * (size_t)m->nv + (size_t)dof];
        assert_near(d->cnd_flexedge_J[adr], wanted, 0);
      }
    }
    // the fixed tendon: coefficients in the order of dofs
    const mjtNum coefficients[2] = {3, 2};
    assert_near(d->cnd_ten_J[1], coefficients[0], 0);
    assert_near(d->cnd_ten_J[2], coefficients[1], 0);
  }
}

#define SHEET(dialect)                                                                        \
  "<mujoco><compiler dialect='" dialect                                                       \
  "'/><worldbody><flexcomp name='f' type='grid' count='3 3 1' spacing='.1 .1 .1' dim='2' "    \
  "radius='.01' mass='1'><contact selfcollide='none'/><elasticity young='1e4' poisson='.2' "  \
  "thickness='.01' damping='.1' elastic2d='both'/></flexcomp><flexcomp name='r' type='grid' " \
  "count='4 1 1' spacing='.1 .1 .1' pos='1 0 0' dim='1' radius='.01' mass='1'><elasticity "   \
  "young='1e4'/></flexcomp></worldbody></mujoco>"

// The order by minimum degree, with the ties of 4.0.0.
TEST(vertices_of_flexes_have_the_order_of_4_0) {
  static const int wanted[13] = {0, 3, 9, 12, 15, 24, 21, 18, 6, 30, 36, 33, 27};
  mjModel* m = test_model(SHEET("4.0"));
  assert_int_equal(m->nefmCvert, 13);
  int found[27] = {0};
  for (int i = 0; i < 13; i++) {
    found[m->efmC_perm[i] / 3] = 1;
  }
  for (int i = 0; i < 9; i++) {
    assert_int_equal(found[i], 1);
  }
  mjModel* alone = test_model(
      "<mujoco><compiler dialect='4.0'/><worldbody><flexcomp name='f' type='grid' count='3 3 1' "
      "spacing='.1 .1 .1' dim='2'><contact selfcollide='none'/><elasticity young='1e4' "
      "thickness='.01' elastic2d='both'/></flexcomp></worldbody></mujoco>");
  assert_int_equal(alone->nefmCvert, 9);
  for (int i = 0; i < 9; i++) {
    assert_int_equal(alone->efmC_perm[i], wanted[i]);
  }
  m = test_model(SHEET("3.3"));
  assert_int_equal(m->nefmCvert, 0);
  assert_int_equal(m->nefm0dof, 0);
}

// L'L = M + (h^2 + h b) K: it has the mass on the diagonal beside K, and K has no force for a
// translation.
TEST(the_factor_of_bends_is_that_of_their_metric) {
  mjModel* m = test_model(SHEET("4.0"));
  mjData* d = test_data(m);
  for (int again = 0; again < 2; again++) {
    int n = (int)m->nefm0dof;
    assert_int_equal(n, 27);
    assert_int_equal(m->nefm0L, 330);
    double A[27][27] = {{0}}, sum[27] = {0};
    for (int r = 0; r < n; r++) {
      const mjtNum* L = m->efm0_L + m->efm0_L_rowadr[r];
      const int* column = m->efm0_L_colind + m->efm0_L_rowadr[r];
      for (int i = 0; i < m->efm0_L_rownnz[r]; i++) {
        for (int j = 0; j < m->efm0_L_rownnz[r]; j++) {
          A[column[i]][column[j]] += L[i] * L[j];
        }
      }
    }
    for (int r = 0; r < n; r++) {
      for (int c = r % 3; c < n; c += 3) {
        sum[r] += A[r][c];
      }
      assert_near(sum[r], m->dof_M0[m->efm0_dofid[r]], 1e-12);
    }
    double scale = m->opt.timestep * (m->opt.timestep + m->flex_damping[0]), K = 0;
    for (int e = 0; e < m->flex_edgenum[0]; e++) {
      const int* edge = m->flex_edge + 2 * e;
      const mjtNum* B = m->flex_bending + 17 * (size_t)e;
      const int* flap = m->flex_edgeflap + 2 * e;
      const int vert[4] = {edge[0], edge[1], flap[0], flap[1]};
      for (int i = 0; i < 4 && flap[1] >= 0; i++) {
        K += vert[i] == 4 ? B[5 * i] : 0;
      }
    }
    assert_near(A[12][12] - m->dof_M0[12], scale * K, 1e-12);
    m->opt.timestep *= 3;
    m->flex_damping[0] /= 2;
    mj_setConst(m, d);
  }
  // it is computed again where a model is read
  mjModel* read = saved_and_read(m);
  assert_int_equal(read->nefm0L, m->nefm0L);
  for (int i = 0; i < (int)m->nefm0L; i++) {
    assert_near(read->efm0_L[i], m->efm0_L[i], 1e-15);
  }
}
