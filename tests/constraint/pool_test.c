// Islands on the threads of a pool: the same bits as without, whatever the pool, the copies and the
// room in the arena.

#include "support/caught.h"
#include "support/models.h"

// boxes in pairs, each pair an island
static const char kPairs[] =
    "<mujoco><size memory='%s'/><option solver='%s' cone='%s' jacobian='%s'/><worldbody><geom "
    "type='plane' size='9 9 1'/><replicate count='12' offset='.5 0 0' euler='0 0 5'><body "
    "pos='0 0 .1'><freejoint/><geom type='box' size='.1 .08 .1'/></body><body pos='.02 .01 .31' "
    "euler='3 5 7'><freejoint/><geom type='box' size='.1 .1 .1'/></body></replicate></worldbody>"
    "</mujoco>";

static mjModel* load(const char* memory, const char* solver, const char* cone,
                     const char* jacobian) {
  char xml[2000];
  snprintf(xml, sizeof xml, kPairs, memory, solver, cone, jacobian);
  return test_model(xml);
}

// Steps with and without a pool; returns the most islands that there were.
static int same_bits(const mjModel* m, int nworker, int steps) {
  mjThreadPool* pool = mju_threadPoolCreate((size_t)nworker);
  mjData *alone = mj_makeData(m), *pooled = mj_makeData(m);
  mju_bindThreadPool(pooled, pool);
  int islands = 0;
  for (int i = 0; i < steps; i++) {
    mj_step(m, alone);
    mj_step(m, pooled);
    islands = alone->nisland > islands ? alone->nisland : islands;
    assert_int_equal(alone->nefc, pooled->nefc);
    assert_memory_equal(alone->qpos, pooled->qpos, (size_t)m->nq * sizeof(mjtNum));
    assert_memory_equal(alone->qacc, pooled->qacc, (size_t)m->nv * sizeof(mjtNum));
    assert_memory_equal(alone->solver_niter, pooled->solver_niter, sizeof alone->solver_niter);
    assert_memory_equal(alone->solver, pooled->solver, sizeof alone->solver);
    for (int k = 0; k < mjNWARNING; k++) {
      assert_int_equal(alone->warning[k].number, pooled->warning[k].number);
    }
  }
  mj_deleteData(alone);
  mj_deleteData(pooled);
  mju_threadPoolDestroy(pool);
  return islands;
}

TEST(a_pool_changes_no_bit) {
  static const char* const solvers[] = {"Newton", "CG", "PGS"};
  static const char* const cones[] = {"pyramidal", "elliptic"};
  static const char* const layouts[] = {"dense", "sparse"};
  for (int i = 0; i < 12; i++) {
    mjModel* m = load("4M", solvers[i % 3], cones[i / 3 % 2], layouts[i / 6]);
    int islands = same_bits(m, 3, 40);
    assert_that(islands, >, 6);
    test_release(m);
  }
}

TEST(pools_of_any_size_change_no_bit) {
  mjModel* m = load("4M", "Newton", "pyramidal", "auto");
  static const int sizes[] = {0, 1, 2, 7};
  for (int i = 0; i < 4; i++) {
    same_bits(m, sizes[i], 40);
  }
}

// An island that found room on a worker's stack but would not have without a pool is not solved.
TEST(a_small_arena_changes_no_bit) {
  static const char* const sizes[] = {"60K", "100K", "150K", "200K", "300K", "500K"};
  mju_user_warning = silent;
  for (int i = 0; i < 6; i++) {
    mjModel* m = load(sizes[i], "Newton", "elliptic", "sparse");
    same_bits(m, 2, 30);
    test_release(m);
  }
  mju_user_warning = NULL;
}

TEST(a_pool_of_its_own_stays_with_the_data) {
  mjModel* m = load("4M", "Newton", "pyramidal", "auto");
  mjData *alone = test_data(m), *d = test_data(m), *other = test_data(m);
  mju_threadpool(d, 2);
  mju_threadpool(other, 1);
  uintptr_t pool = d->threadpool, own = other->threadpool;
  assert_int_equal(((mjThreadPool*)pool)->nworker, 2);
  mj_resetData(m, d);
  assert_that(d->threadpool, ==, pool);
  for (int i = 0; i < 20; i++) {
    mj_step(m, alone);
    mj_step(m, d);
  }
  assert_memory_equal(alone->qpos, d->qpos, (size_t)m->nq * sizeof(mjtNum));

  // copies don't share it: new ones have none, others keep theirs
  mjData* copy = mj_copyData(NULL, m, d);
  mj_copyData(other, m, d);
  assert_true(!copy->threadpool);
  assert_that(other->threadpool, ==, own);
  assert_true(other->cnd_ownsPool);
  mju_threadpool(d, 3);
  assert_int_equal(((mjThreadPool*)d->threadpool)->nworker, 3);
  mju_threadpool(d, 0);
  assert_true(!d->threadpool);
  mj_step(m, d);
  mj_step(m, copy);
  mj_step(m, other);
  assert_memory_equal(d->qpos, copy->qpos, (size_t)m->nq * sizeof(mjtNum));
  assert_memory_equal(d->qpos, other->qpos, (size_t)m->nq * sizeof(mjtNum));
  mj_deleteData(copy);
  assert_error(mju_threadpool(d, -1), "mju_threadpool: -1 threads");
  assert_error(mju_threadpool(d, mjMAXTHREAD + 1), "must be 0 to 128");
}

TEST(a_bound_pool_gives_way_to_one_of_its_own) {
  mjModel* m = load("4M", "Newton", "pyramidal", "auto");
  mjThreadPool* pool = mju_threadPoolCreate(2);
  mjData *d = mj_makeData(m), *bound = mj_makeData(m);
  mju_bindThreadPool(d, pool);
  mju_bindThreadPool(bound, pool);
  mju_threadpool(d, 1);
  assert_that(d->threadpool, !=, (uintptr_t)pool);
  // a copy of its data is bound no more to the pool that it had before
  mj_copyData(bound, m, d);
  assert_true(!bound->threadpool);
  mj_deleteData(d);
  mj_deleteData(bound);
  mju_threadPoolDestroy(pool);
}

TEST(recompiling_keeps_a_pool_of_its_own) {
  mjSpec* spec = test_spec(
      "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body>"
      "</worldbody></mujoco>");
  mjModel* m = mj_compile(spec, NULL);
  mjData* d = mj_makeData(m);
  mju_threadpool(d, 2);
  uintptr_t pool = d->threadpool;
  assert_int_equal(mj_recompile(spec, NULL, m, d), 0);
  assert_that(d->threadpool, ==, pool);
  assert_true(d->cnd_ownsPool);
  mj_step(m, d);
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(copies_are_bound_and_resets_keep_it) {
  mjModel* m = load("4M", "Newton", "pyramidal", "auto");
  mjThreadPool* pool = mju_threadPoolCreate(2);
  mjData *d = mj_makeData(m), *plain = mj_makeData(m);
  mju_bindThreadPool(d, pool);
  assert_error(mju_bindThreadPool(d, pool), "Thread Pool already bound to mjData");
  for (int i = 0; i < 20; i++) {
    mj_step(m, d);
  }
  mjData* copy = mj_copyData(NULL, m, d);
  mj_copyData(plain, m, d);
  assert_that(copy->threadpool, ==, (uintptr_t)pool);
  assert_that(plain->threadpool, ==, (uintptr_t)pool);
  mj_step(m, d);
  mj_step(m, copy);
  mj_step(m, plain);
  assert_memory_equal(d->qpos, copy->qpos, (size_t)m->nq * sizeof(mjtNum));
  assert_memory_equal(d->qpos, plain->qpos, (size_t)m->nq * sizeof(mjtNum));
  mj_resetData(m, d);
  assert_that(d->threadpool, ==, (uintptr_t)pool);
  mj_step(m, d);
  mj_deleteData(d);
  mj_deleteData(copy);
  mj_deleteData(plain);
  mju_threadPoolDestroy(pool);
}

// tasks of a program

typedef struct {
  const mjModel* m;
  mjData* d;
  mjThreadPool* pool;
  mjTask inner;
} Job;

static void* double_it(void* number) {
  *(int*)number *= 2;
  return number;
}

static void* step_it(void* argument) {
  Job* job = argument;
  for (int i = 0; i < 10; i++) {
    mj_step(job->m, job->d);
  }
  return job;
}

static void* wait_for_another(void* argument) {
  Job* job = argument;
  static int number;
  number = 21;
  mju_defaultTask(&job->inner);
  job->inner.func = double_it;
  job->inner.args = &number;
  mju_threadPoolEnqueue(job->pool, &job->inner);
  mju_taskJoin(&job->inner);
  return job->inner.args;
}

TEST(tasks_are_carried_out_once) {
  enum {
    N = 2000
  };
  static mjTask task[N];
  static int number[N];
  for (int nworker = 0; nworker < 4; nworker++) {
    mjThreadPool* pool = mju_threadPoolCreate((size_t)nworker);
    assert_int_equal(pool->nworker, nworker);
    for (int i = 0; i < N; i++) {
      number[i] = i;
      mju_defaultTask(&task[i]);
      assert_int_equal(task[i].status, mjTASK_NEW);
      task[i].func = double_it;
      task[i].args = &number[i];
      mju_threadPoolEnqueue(pool, &task[i]);
    }
    for (int i = 0; i < N; i++) {
      mju_taskJoin(&task[i]);
      assert_int_equal(task[i].status, mjTASK_COMPLETED);
      assert_ptr_equal(task[i].args, &number[i]);
      assert_int_equal(number[i], 2 * i);
    }
    assert_error(mju_threadPoolEnqueue(pool, &task[0]), "given to a pool before");
    mju_defaultTask(&task[0]);
    assert_error(mju_taskJoin(&task[0]), "was not given to a pool");

    // what was given to a pool is done before it ends
    task[0].func = double_it;
    task[0].args = &number[0];
    number[0] = 4;
    mju_threadPoolEnqueue(pool, &task[0]);
    mju_threadPoolDestroy(pool);
    assert_int_equal(number[0], 8);
  }
  mju_threadPoolDestroy(NULL);
}

TEST(a_task_may_wait_for_one_behind_it) {
  mjThreadPool* pool = mju_threadPoolCreate(1);
  Job job = {.pool = pool};
  mjTask task;
  mju_defaultTask(&task);
  task.func = wait_for_another;
  task.args = &job;
  mju_threadPoolEnqueue(pool, &task);
  mju_taskJoin(&task);
  assert_int_equal(*(int*)task.args, 42);
  mju_threadPoolDestroy(pool);
}

// worlds side by side on the pool that they are bound to: each steps on the stack of a worker
TEST(workers_step_data_of_their_own) {
  enum {
    N = 4
  };
  mjModel* m = load("4M", "Newton", "pyramidal", "auto");
  mjThreadPool* pool = mju_threadPoolCreate(2);
  Job job[N];
  mjTask task[N];
  mjData* alone = test_data(m);
  for (int i = 0; i < 10; i++) {
    mj_step(m, alone);
  }
  for (int i = 0; i < N; i++) {
    job[i] = (Job){.m = m, .d = mj_makeData(m)};
    mju_bindThreadPool(job[i].d, pool);
    mju_defaultTask(&task[i]);
    task[i].func = step_it;
    task[i].args = &job[i];
    mju_threadPoolEnqueue(pool, &task[i]);
  }
  for (int i = 0; i < N; i++) {
    mju_taskJoin(&task[i]);
    assert_memory_equal(alone->qpos, job[i].d->qpos, (size_t)m->nq * sizeof(mjtNum));
    mj_deleteData(job[i].d);
  }
  mju_threadPoolDestroy(pool);
}
