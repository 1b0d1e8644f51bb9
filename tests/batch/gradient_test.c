// Derivatives of a batch are those of its worlds, bit for bit.

#include <condyle/batch.h>

#include "support/caught.h"
#include "support/models.h"

enum {
  N = 6
};

static mjtNum* numbers(size_t n) {
  return calloc(n + 1, sizeof(mjtNum));
}

// A batch in random states, with data in the same.
static cndBatch* make(const mjModel* m, mjData** d, int nthread) {
  cndBatch* batch = cnd_makeBatch(m, N, nthread);
  cnd_batchLanes(batch, cndLANES_OFF);
  uint64_t seed = 3;
  for (int i = 0; i < N; i++) {
    d[i] = test_data(m);
    for (int v = 0; v < m->nv; v++) {
      d[i]->qvel[v] = (mjtNum)uniform_random(&seed);
    }
    for (int u = 0; u < m->nu; u++) {
      d[i]->ctrl[u] = (mjtNum)uniform_random(&seed);
    }
    for (int t = 0; t < 3; t++) {
      mj_step(m, d[i]);
    }
    cnd_batchSetData(batch, i, d[i]);
  }
  return batch;
}

static const char* const kPaths[] = {
    MODELS "humanoid.xml",
    MODELS "chain.xml",
    TEST_MODELS "actuator_muscle.xml",
};

TEST_EACH(transitions_are_those_of_the_worlds, kPaths) {
  const mjModel* m = our_model(text);
  size_t nx = (size_t)(2 * m->nv + m->na), nu = (size_t)m->nu, ns = (size_t)m->nsensordata;
  size_t size[4] = {nx * nx, nx * nu, ns * nx, ns * nu};
  for (int nthread = 0; nthread < 4; nthread++) {
    mjData* d[N];
    cndBatch* batch = make(m, d, nthread);
    mjtNum *all[4], *one[4];
    for (int k = 0; k < 4; k++) {
      all[k] = numbers(N * size[k]);
      one[k] = numbers(size[k]);
    }
    int kinks[N];
    if (cnd_batchTransition(batch, all[0], all[1], all[2], all[3], kinks) != cndRUN_DONE) {
      fail_msg("%s", cnd_batchError(batch));
    }
    for (int i = 0; i < N; i++) {
      mjData* other = test_data(m);
      mj_copyData(other, m, d[i]);
      assert_int_equal(cnd_transitionExact(m, other, one[0], one[1], one[2], one[3]), kinks[i]);
      for (int k = 0; k < 4; k++) {
        assert_memory_equal(one[k], all[k] + (size_t)i * size[k], size[k] * sizeof(mjtNum));
      }
    }
    assert_int_equal(cnd_batchTransition(batch, NULL, all[1], NULL, NULL, NULL), cndRUN_DONE);

    // the states are as they were
    cndArray qpos;
    cnd_batchExpose(&qpos, batch, "qpos");
    cnd_batchStep(batch, NULL, NULL, 2);
    for (int i = 0; i < N; i++) {
      mj_step(m, d[i]);
      mj_step(m, d[i]);
      assert_memory_equal(d[i]->qpos, (mjtNum*)qpos.data + i * m->nq,
                          (size_t)m->nq * sizeof(mjtNum));
    }
    for (int k = 0; k < 4; k++) {
      free(all[k]);
      free(one[k]);
    }
    cnd_deleteBatch(batch);
  }
}

TEST_EACH(adjoints_are_those_of_the_worlds, kPaths) {
  const mjModel* m = our_model(text);
  size_t nx = (size_t)(2 * m->nv + m->na), nu = (size_t)m->nu, nb = (size_t)m->nbody;
  size_t nv = (size_t)m->nv;
  mjData* d[N];
  cndBatch* batch = make(m, d, 3);
  mjtNum *dnext = numbers(N * nx), *dstate = numbers(N * nx), *dctrl = numbers(N * nu);
  mjtNum *mass = numbers(N * nb), *damping = numbers(N * nv), *one = numbers(nx + nu + nb + nv);
  uint64_t seed = 12;
  for (size_t k = 0; k < N * nx; k++) {
    dnext[k] = (mjtNum)uniform_random(&seed);
  }
  cndParameterGradient parameters = {.body_mass = mass, .dof_damping = damping};
  int has_muscles = m->na > 0;
  const cndParameterGradient* asked = has_muscles ? NULL : &parameters;
  int kinks[N];
  if (cnd_batchAdjoint(batch, dnext, NULL, dstate, dctrl, asked, kinks) != cndRUN_DONE) {
    fail_msg("%s", cnd_batchError(batch));
  }
  for (int i = 0; i < N; i++) {
    size_t w = (size_t)i;
    memset(one, 0, (nx + nu + nb + nv) * sizeof(mjtNum));
    cndParameterGradient own = {.body_mass = one + nx + nu, .dof_damping = one + nx + nu + nb};
    int n = cnd_transitionAdjoint(m, d[i], dnext + w * nx, NULL, one, one + nx,
                                  has_muscles ? NULL : &own);
    assert_int_equal(n, kinks[i]);
    assert_memory_equal(one, dstate + w * nx, nx * sizeof(mjtNum));
    assert_memory_equal(one + nx, dctrl + w * nu, nu * sizeof(mjtNum));
    assert_memory_equal(own.body_mass, mass + w * nb, nb * sizeof(mjtNum));
    assert_memory_equal(own.dof_damping, damping + w * nv, nv * sizeof(mjtNum));
  }
  cnd_deleteBatch(batch);
  free(dnext);
  free(dstate);
  free(dctrl);
  free(mass);
  free(damping);
  free(one);
}

// Losses of a world follow each other in all arrays.
TEST(several_losses_of_a_world_are_those_of_one_each) {
  const mjModel* m = our_model(kChain);
  size_t nx = (size_t)(2 * m->nv + m->na), nv = (size_t)m->nv, nu = (size_t)m->nu;
  mjData* d[N];
  cndBatch* batch = make(m, d, 3);
  mjtNum *dnext = numbers(N * 2 * nx), *dstate = numbers(N * 2 * nx), *dctrl = numbers(N * 2 * nu);
  mjtNum *damping = numbers(N * 2 * nv), *one = numbers(nx + nv);
  uint64_t seed = 12;
  for (size_t k = 0; k < N * 2 * nx; k++) {
    dnext[k] = (mjtNum)uniform_random(&seed);
  }
  const cndParameterGradient asked = {.dof_damping = damping};
  assert_int_equal(cnd_batchAdjoints(batch, 2, dnext, NULL, dstate, dctrl, &asked, NULL),
                   cndRUN_DONE);
  for (size_t k = 0; k < N * 2; k++) {
    memset(one, 0, (nx + nv) * sizeof(mjtNum));
    cndParameterGradient own = {.dof_damping = one + nx};
    cnd_transitionAdjoint(m, d[k / 2], dnext + k * nx, NULL, one, NULL, &own);
    assert_memory_equal(one, dstate + k * nx, nx * sizeof(mjtNum));
    assert_memory_equal(own.dof_damping, damping + k * nv, nv * sizeof(mjtNum));
  }
  assert_error(cnd_batchAdjoints(batch, -1, dnext, NULL, NULL, NULL, NULL, NULL), "count is -1");
  cnd_deleteBatch(batch);
  free(dnext);
  free(dstate);
  free(dctrl);
  free(damping);
  free(one);
}

// The derivative of a world is that of its own model.
TEST(gradients_see_the_parameters_of_a_world) {
  mjModel* m = (mjModel*)(uintptr_t)our_model(kChain);
  mjData* d[N];
  cndBatch* batch = make(m, d, 2);
  size_t nx = (size_t)(2 * m->nv + m->na);
  mjtNum *A = numbers(N * nx * nx), *one = numbers(nx * nx);
  cndArray damping;
  cnd_batchVary(&damping, batch, "dof_damping");
  for (int k = 0; k < N * m->nv; k++) {
    ((mjtNum*)damping.data)[k] = (mjtNum)(0.1 * (k / m->nv));
  }
  assert_int_equal(cnd_batchTransition(batch, A, NULL, NULL, NULL, NULL), cndRUN_DONE);
  for (int i = 0; i < N; i++) {
    for (int v = 0; v < m->nv; v++) {
      m->dof_damping[v] = (mjtNum)(0.1 * i);
    }
    cnd_transitionExact(m, d[i], one, NULL, NULL, NULL);
    assert_memory_equal(one, A + (size_t)i * nx * nx, nx * nx * sizeof(mjtNum));
  }
  cnd_deleteBatch(batch);
  free(A);
  free(one);
}

static void do_nothing(const mjModel* m, mjData* d) {
  (void)m;
  (void)d;
}

TEST(worlds_without_derivative_are_told) {
  const mjModel* m = our_model(kChain);
  mjData* d[N];
  cndBatch* batch = make(m, d, 2);
  mjcb_control = do_nothing;
  assert_int_equal(cnd_batchTransition(batch, NULL, NULL, NULL, NULL, NULL), cndRUN_FAILED);
  mjcb_control = NULL;
  assert_non_null(strstr(cnd_batchError(batch), "world 0: "));
  assert_int_equal(cnd_batchTransition(batch, NULL, NULL, NULL, NULL, NULL), cndRUN_DONE);
  cnd_deleteBatch(batch);
}
