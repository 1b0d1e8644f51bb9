// The bits of a world don't depend on its neighbours: in any lane, any block, on any number of
// threads, beside other states, NaN and numbers that overflow.

#include <condyle/batch.h>

#include "lanes/models.h"
#include "lanes/muscle_models.h"
#include "support/starve.h"

enum {
  N = 37,  // no whole number of blocks
  STEPS = 3,
  CALLS = 4
};

typedef struct Run {
  mjtNum* state[N];
  size_t bytes;
} Run;

// Steps some of the worlds with those states in a batch of their own, in this order.
static void run_worlds(Run* out, const mjModel* m, const int* world, int n, int nthread,
                       mjtNum* const* start, cndtLanes choice) {
  cndBatch* batch = cnd_makeBatch(m, n, nthread);
  size_t size = (size_t)mj_stateSize(m, mjSTATE_INTEGRATION);
  mjtNum* all = malloc((size_t)n * size * sizeof(mjtNum));
  assert_that(cnd_batchLanes(batch, choice), >, 0);
  assert_null(cnd_batchWhy(batch));
  for (int i = 0; i < n; i++) {
    memcpy(all + (size_t)i * size, start[world[i]], size * sizeof(mjtNum));
  }
  cnd_batchSetState(batch, NULL, all, mjSTATE_INTEGRATION);
  for (int k = 0; k < CALLS; k++) {
    assert_int_equal(cnd_batchStep(batch, NULL, NULL, STEPS), cndRUN_DONE);
  }
  cnd_batchGetState(batch, NULL, all, mjSTATE_INTEGRATION);
  out->bytes = size * sizeof(mjtNum);
  for (int i = 0; i < n; i++) {
    out->state[world[i]] = malloc(out->bytes);
    memcpy(out->state[world[i]], all + (size_t)i * size, out->bytes);
  }
  free(all);
  cnd_deleteBatch(batch);
}

static void free_run(Run* run) {
  for (int i = 0; i < N; i++) {
    free(run->state[i]);
    run->state[i] = NULL;
  }
}

static mjtNum* random_start(const mjModel* m, mjData* d, uint64_t* seed, int i) {
  lane_state(d, m, seed, 0.3 * (i % 4), 1.0 * (i % 3));
  size_t size = (size_t)mj_stateSize(m, mjSTATE_INTEGRATION);
  mjtNum* state = malloc(size * sizeof(mjtNum));
  mj_getState(m, d, state, mjSTATE_INTEGRATION);
  return state;
}

static void assert_same(const Run* a, const Run* b, const char* how) {
  for (int i = 0; i < N; i++) {
    if (b->state[i] && memcmp(a->state[i], b->state[i], a->bytes) != 0) {
      fail_msg("world %d has other bits %s", i, how);
    }
  }
}

static void same_bits(const mjModel* m, cndtLanes choice) {
  mjData* d = test_data(m);
  mjtNum* start[N];
  uint64_t seed = 3;
  int order[N], one[1];
  for (int i = 0; i < N; i++) {
    start[i] = random_start(m, d, &seed, i);
    order[i] = i;
  }
  Run among, other = {0};
  run_worlds(&among, m, order, N, 0, start, choice);

  for (int i = 0; i < N; i += 5) {
    one[0] = i;
    run_worlds(&other, m, one, 1, 0, start, choice);
  }
  assert_same(&among, &other, "alone");
  free_run(&other);

  for (int i = 0; i < N; i++) {
    order[i] = (i * 11 + 5) % N;
  }
  run_worlds(&other, m, order, N, 3, start, choice);
  assert_same(&among, &other, "in other lanes, on threads");
  free_run(&other);

  // every third is poisoned
  for (int i = 0; i < N; i += 3) {
    start[i][1] = i % 2 ? NAN : 1e300;
  }
  run_worlds(&other, m, order, N, 2, start, choice);
  for (int i = 0; i < N; i += 3) {
    free(other.state[i]);
    other.state[i] = NULL;
  }
  assert_same(&among, &other, "beside poisoned ones");
  free_run(&other);
  free_run(&among);
  for (int i = 0; i < N; i++) {
    free(start[i]);
  }
  test_release(d);
}

static void both(const mjModel* m) {
  void (*handler)(const char*) = mju_user_warning;
  mju_user_warning = silent;
  same_bits(m, cndLANES_DOUBLE);
  same_bits(m, cndLANES_SINGLE);
  mju_user_warning = handler;
}

TEST(tree) {
  both(test_model(LANE_TREE));
}

TEST(ties) {
  both(test_model(LANE_TIES));
}

TEST(walker) {
  both(test_model(LANE_WALKER("", "contype='1' conaffinity='1'")));
}

TEST(shapes) {
  both(test_model(LANE_SHAPES));
}

TEST(linkage) {
  both(test_model(LANE_LINKAGE));
}

TEST(arm) {
  both(test_model(LANE_ARM("integrator='implicitfast'")));
}

TEST(climber) {
  both(test_model(LANE_CLIMBER("")));
}

TEST(snake) {
  both(test_model(LANE_SNAKE("", "condim='4'")));
}

TEST(mocap_bodies) {
  both(test_model(LANE_MOCAP));
}

TEST(walker_with_cones) {
  both(test_model(
      LANE_WALKER("cone='elliptic' integrator='RK4'", "contype='1' conaffinity='1' condim='4'")));
}

TEST(sweeps) {
  mjModel* m = test_model(LANE_WALKER("", "contype='1' conaffinity='1'"));
  m->opt.solver = mjSOL_PGS;
  both(m);
}

TEST(few_iterations) {
  mjModel* m = test_model(LANE_WALKER("cone='elliptic'", "contype='1' conaffinity='1'"));
  m->opt.iterations = 3;
  m->opt.ls_iterations = 5;
  both(m);
}

TEST(noslip) {
  mjModel* m = test_model(LANE_WALKER("cone='elliptic'", "contype='1' conaffinity='1'"));
  m->opt.noslip_iterations = 3;
  both(m);
}

TEST(fluid) {
  both(test_model(LANE_WALKER("density='10' viscosity='.1' integrator='implicitfast'",
                              "contype='1' conaffinity='1' fluidshape='ellipsoid'")));
}

TEST(humanoid) {
  both(test_model_file("models/humanoid.xml"));
}

TEST(stepping_touches_no_heap) {
  STARVE_OR_SKIP();
  mjModel* m = test_model(LANE_WALKER("", "contype='1' conaffinity='1'"));
  cndBatch* batch = cnd_makeBatch(m, N, 0);
  cnd_batchLanes(batch, cndLANES_DOUBLE);
  cnd_batchStep(batch, NULL, NULL, 1);
  starve_after(0, 0);
  cndtRun run = cnd_batchStep(batch, NULL, NULL, 50);
  int refused = starve_pause();
  starve_end();
  assert_int_equal(run, cndRUN_DONE);
  assert_int_equal(refused, 0);
  cnd_deleteBatch(batch);
}
