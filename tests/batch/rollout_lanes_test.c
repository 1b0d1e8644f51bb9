// Trajectories side by side are those one by one but for rounding, with the same bits for any
// number of threads; what lanes can't do is made one by one.

#include <condyle/rollout.h>

#include "lanes/models.h"
#include "support/models.h"
#include "support/near.h"

enum {
  N = 11,
  NSTEP = 60,
  NDATA = 3
};

typedef struct Case_ {
  cndRollout r;
  const mjModel* m;
  mjData* data[NDATA];
  size_t nstate;  // of all states
  mjtNum *start, *warmstart, *control, *state[2], *sensordata[2];
} Case;

static mjtNum* numbers(size_t n) {
  return calloc(n + 1, sizeof(mjtNum));
}

static void make_case(Case* c, const mjModel* m) {
  uint64_t seed = 5;
  size_t width = (size_t)mj_stateSize(m, mjSTATE_FULLPHYSICS), steps = (size_t)N * NSTEP;
  *c = (Case){.m = m, .nstate = steps * width};
  for (int k = 0; k < NDATA; k++) {
    c->data[k] = test_data(m);
  }
  c->start = numbers((size_t)N * width);
  c->warmstart = numbers((size_t)(N * m->nv));
  c->control = numbers(steps * (size_t)m->nu);
  for (int i = 0; i < N; i++) {
    lane_state(c->data[0], m, &seed, 0.1, 0.5);
    mj_getState(m, c->data[0], c->start + (size_t)i * width, mjSTATE_FULLPHYSICS);
    mju_copy(c->warmstart + i * m->nv, c->data[0]->qacc_warmstart, m->nv);
  }
  for (size_t i = 0; i < steps * (size_t)m->nu; i++) {
    c->control[i] = (mjtNum)uniform_random(&seed);
  }
  for (int way = 0; way < 2; way++) {
    c->state[way] = numbers(c->nstate);
    c->sensordata[way] = numbers(steps * (size_t)m->nsensordata);
  }
  cnd_defaultRollout(&c->r);
  c->r.nbatch = N;
  c->r.nstep = NSTEP;
  c->r.model = &c->m;
  c->r.nmodel = 1;
  c->r.data = c->data;
  c->r.ndata = NDATA;
  c->r.initial_state = c->start;
  c->r.initial_warmstart = c->warmstart;
  c->r.control = c->control;
}

static void free_case(Case* c) {
  mjtNum* arrays[] = {c->start,    c->warmstart,     c->control,      c->state[0],
                      c->state[1], c->sensordata[0], c->sensordata[1]};
  for (size_t k = 0; k < sizeof(arrays) / sizeof(arrays[0]); k++) {
    free(arrays[k]);
  }
}

// way 0: one by one, 1: in lanes
static void run(Case* c, cndPool* pool, int way) {
  c->r.lanes = way;
  c->r.state = c->state[way];
  c->r.sensordata = c->sensordata[way];
  assert_int_equal(cnd_rollout(pool, &c->r, NULL, 0), cndRUN_DONE);
}

static void compare(const mjModel* m) {
  DOUBLE_ONLY();
  Case c;
  make_case(&c, m);
  run(&c, NULL, 0);
  run(&c, NULL, 1);
  size_t sensors = (size_t)(N * NSTEP) * (size_t)m->nsensordata;
  assert_memory_not_equal(c.state[1], c.state[0], c.nstate * sizeof(mjtNum));
  assert_numbers(c.state[1], c.state[0], (int)c.nstate, 1e-7, 1.0);
  assert_numbers(c.sensordata[1], c.sensordata[0], (int)sensors, 1e-6, 1.0);

  // data[0] is at the end of the last trajectory
  size_t width = c.nstate / ((size_t)N * NSTEP);
  mjtNum* end = numbers(width);
  mj_getState(m, c.data[0], end, mjSTATE_FULLPHYSICS);
  assert_memory_equal(end, c.state[1] + c.nstate - width, width * sizeof(mjtNum));
  free(end);

  mjtNum* bits = numbers(c.nstate);
  memcpy(bits, c.state[1], c.nstate * sizeof(mjtNum));
  for (int threads = 1; threads < 4; threads++) {
    cndPool* pool = cnd_makePool(threads);
    run(&c, pool, 1);
    assert_memory_equal(c.state[1], bits, c.nstate * sizeof(mjtNum));
    cnd_deletePool(pool);
  }
  free(bits);
  free_case(&c);
}

TEST(walker) {
  compare(test_model(LANE_WALKER("", LANE_FLOOR)));
}

TEST(sensors) {
  compare(test_model(LANE_SENSES("")));
}

TEST(sweeps) {
  compare(test_model(LANE_WALKER("solver='PGS' iterations='20'", LANE_FLOOR)));
}

static void be_silent(const char* text) {
  (void)text;
}

// It is reset by mj_step and stays there; the others go on.
TEST(bad_numbers_end_a_trajectory) {
  const mjModel* m = test_model(LANE_WALKER("", LANE_FLOOR));
  Case c;
  make_case(&c, m);
  size_t row = c.nstate / N, width = row / NSTEP;
  c.start[3 * width + 1] = (mjtNum)1e20;
  mju_user_warning = be_silent;
  run(&c, NULL, 0);
  run(&c, NULL, 1);
  mju_user_warning = NULL;
  assert_memory_equal(c.state[1] + 3 * row, c.state[0] + 3 * row, row * sizeof(mjtNum));
  assert_memory_equal(c.state[1] + 4 * row - width, c.state[1] + 3 * row, width * sizeof(mjtNum));
  assert_numbers(c.state[1] + 4 * row, c.state[0] + 4 * row, (int)row, rounding(1e-7), 1.0);
  free_case(&c);
}

// Too few steps for lanes to pay: the bits of mj_step.
TEST(few_steps_are_made_one_by_one) {
  const mjModel* m = test_model(LANE_WALKER("", LANE_FLOOR));
  Case c;
  make_case(&c, m);
  c.r.nstep = 20;
  run(&c, NULL, 0);
  run(&c, NULL, 1);
  size_t few = c.nstate / NSTEP * 20;
  assert_memory_equal(c.state[1], c.state[0], few * sizeof(mjtNum));
  free_case(&c);
}
