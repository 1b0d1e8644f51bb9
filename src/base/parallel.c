// parallel.c: worker threads that take jobs from a ring, loops whose iterations they share, and the
// tasks of mju_threadPool on top of them.

#define _POSIX_C_SOURCE 200809L

#include "base/parallel.h"

#include <mujoco/api/base.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/algebra/vec.h"
#include "base/memory/check.h"
#include "base/memory/error.h"
#include "base/system/machine.h"

enum {
  MAX_THREADS = 64,  // most threads of one parallel_for
  TURNS = 40000,     // looks for work before a thread sleeps, some hundred microseconds
  SHORT = 5000,      // looks for what another thread is about to do, before this one steps back
};

// Tells the processor that this thread waits in a loop.
static inline void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

typedef struct Job_ {
  void (*call)(void* argument);
  void* argument;
} Job;

// A loop whose iterations threads share.
typedef struct Work_ {
  atomic_int next;
  int n;
  void (*call)(void* argument, int i);
  void* argument;
  atomic_int failed;
  char message[1000];  // of the first iteration that failed
} Work;

// Bits of Pool.loop: how many workers are in the loop, whether others may join, and its number.
enum {
  HELPERS = 0xffff,
  OPEN = 0x10000,
  ROUND = 0x20000
};

typedef struct Pool_ {
  mjThreadPool pub;  // first member: what the interface shows
  pthread_t thread[mjMAXTHREAD];

  // The loop of one thread at a time. Workers that look around join it without a lock.
  char apart[64];  // from what others write
  atomic_ullong loop;
  Work work;
  atomic_int most;     // helpers that it may have
  atomic_flag owned;   // by the thread whose loop it is
  atomic_int resting;  // this thread sleeps until all helpers have left

  atomic_int sleeping;   // workers; changes under the lock
  pthread_mutex_t lock;  // guards the members below
  pthread_cond_t filled, left;
  Job* job;  // ring of waiting jobs
  int capacity, first, count;
  int ending;
  atomic_int waiting;  // count, for who doesn't hold the lock
  atomic_int skip;     // how many times threads don't depend on each other from now on
  atomic_int penalty;  // skip after the last time that they had to wait for long
  int processors;      // of the machine
  int turns;           // how often a worker without work looks for some before it sleeps
} Pool;

// The worker that this thread is.
typedef struct Worker_ {
  Pool* pool;
  int number;
} Worker;

static _Thread_local Worker self;

static Pool* pool_of(const mjThreadPool* pool) {
  return (Pool*)(void*)(char*)pool;
}

int pool_worker(const mjThreadPool* pool) {
  return self.pool == pool_of(pool) ? self.number : 0;
}

int pool_threads(const mjThreadPool* pool) {
  return pool_worker(pool) ? 1 : 1 + pool->nworker;
}

int pool_processors(const mjThreadPool* pool) {
  return int_min(pool_threads(pool), pool_of(pool)->processors);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int pool_wait(const int* flag) {
  const double long_wait = 1e-3;  // more than any row takes: the other thread has no processor
  double begin = 0, end = 0;
  for (int i = 0; !__atomic_load_n(flag, __ATOMIC_ACQUIRE); i++) {
    relax();
    if (i >= SHORT) {
      sched_yield();
      end = seconds();
      begin = i == SHORT ? end : begin;
    }
  }
  return end - begin > long_wait;
}

int pool_may_wait(mjThreadPool* pool) {
  Pool* own = pool_of(pool);
  int skip = atomic_load_explicit(&own->skip, memory_order_relaxed);
  if (skip > 0) {
    atomic_store_explicit(&own->skip, skip - 1, memory_order_relaxed);
  }
  return skip <= 0;
}

void pool_has_waited(mjThreadPool* pool, int was_long) {
  const int most = 1000;
  Pool* own = pool_of(pool);
  int penalty = atomic_load_explicit(&own->penalty, memory_order_relaxed);
  penalty = was_long ? int_min(2 * penalty + 10, most) : penalty / 2;
  atomic_store_explicit(&own->penalty, penalty, memory_order_relaxed);
  if (was_long) {
    atomic_store_explicit(&own->skip, penalty, memory_order_relaxed);
  }
}

// jobs (the caller holds the lock)

static int take_job(Job* out, Pool* pool) {
  if (!pool->count) {
    return 0;
  }
  *out = pool->job[pool->first];
  pool->first = (pool->first + 1) % pool->capacity;
  pool->count--;
  atomic_store_explicit(&pool->waiting, pool->count, memory_order_relaxed);
  return 1;
}

// Returns 0 if memory runs out.
static int add_job(Pool* pool, Job job) {
  if (pool->count == pool->capacity) {
    int capacity = 2 * pool->capacity + mjMAXTHREAD;
    Job* ring = malloc((size_t)capacity * sizeof(Job));
    if (!ring) {
      return 0;
    }
    for (int i = 0; i < pool->count; i++) {
      ring[i] = pool->job[(pool->first + i) % pool->capacity];
    }
    free(pool->job);
    pool->job = ring;
    pool->capacity = capacity;
    pool->first = 0;
  }
  pool->job[(pool->first + pool->count++) % pool->capacity] = job;
  atomic_store_explicit(&pool->waiting, pool->count, memory_order_relaxed);
  return 1;
}

// Removes the waiting jobs with this argument and returns their number.
static int withdraw(Pool* pool, const void* argument) {
  int kept = 0, found = 0;
  for (int i = 0; i < pool->count; i++) {
    Job job = pool->job[(pool->first + i) % pool->capacity];
    if (job.argument == argument) {
      found++;
    } else {
      pool->job[(pool->first + kept++) % pool->capacity] = job;
    }
  }
  pool->count = kept;
  atomic_store_explicit(&pool->waiting, kept, memory_order_relaxed);
  return found;
}

// Returns 0 and adds no job if memory runs out.
static int submit(Pool* pool, void (*call)(void* argument), void* argument) {
  pthread_mutex_lock(&pool->lock);
  int added = add_job(pool, (Job){call, argument});
  pthread_cond_signal(&pool->filled);
  pthread_mutex_unlock(&pool->lock);
  return added;
}

int pool_submit(mjThreadPool* pool, void (*call)(void* argument), void* argument) {
  return submit(pool_of(pool), call, argument);
}

int pool_withdraw(mjThreadPool* pool, const void* argument) {
  pthread_mutex_lock(&pool_of(pool)->lock);
  int found = withdraw(pool_of(pool), argument);
  pthread_mutex_unlock(&pool_of(pool)->lock);
  return found;
}

// loops shared by threads

static void work_on(void* argument) {
  Work* w = argument;
  for (int i = atomic_fetch_add(&w->next, 1); i < w->n; i = atomic_fetch_add(&w->next, 1)) {
    w->call(w->argument, i);
  }
}

// Runs iterations in any thread. An error is kept for the caller; blocks taken belong to no heap,
// so they outlive it.
static void work_caught(Work* w) {
  Heap* heap = heap_pause();
  char message[sizeof(w->message)];
  if (error_catch(message, sizeof(message), work_on, w) && !atomic_exchange(&w->failed, 1)) {
    memcpy(w->message, message, sizeof(message));
  }
  heap_resume(heap);
}

// Whether a worker may join the loop, which is not the one of round `last`.
static int may_join(Pool* pool, unsigned long long loop, unsigned long long last) {
  return (loop & OPEN) && loop / ROUND != last &&
         (loop & HELPERS) < (unsigned long long)atomic_load(&pool->most);
}

// Joins the open loop, unless this worker has done so before: *last is the round that it joined
// last. Returns whether it did.
static int join_loop(Pool* pool, unsigned long long* last) {
  unsigned long long loop = atomic_load_explicit(&pool->loop, memory_order_acquire);
  do {
    if (!may_join(pool, loop, *last)) {
      return 0;
    }
  } while (!atomic_compare_exchange_weak(&pool->loop, &loop, loop + 1));
  *last = loop / ROUND;
  work_caught(&pool->work);
  loop = atomic_fetch_sub(&pool->loop, 1) - 1;
  if (!(loop & (OPEN | HELPERS)) && atomic_load(&pool->resting)) {
    pthread_mutex_lock(&pool->lock);
    pthread_cond_signal(&pool->left);
    pthread_mutex_unlock(&pool->lock);
  }
  return 1;
}

// Looks for work for a while. The loops of a step follow each other closely, and waking a thread
// that sleeps takes longer than many of them.
static void look_around(Pool* pool, unsigned long long* last) {
  for (int i = 0; i < pool->turns; i++) {
    if (atomic_load_explicit(&pool->waiting, memory_order_relaxed)) {
      return;
    }
    if (join_loop(pool, last)) {
      i = 0;
    }
    relax();
  }
}

// Sleeps until there is a job, an open loop or the end. The caller holds the lock.
static void await_work(Pool* pool, unsigned long long last) {
  atomic_fetch_add(&pool->sleeping, 1);
  while (!pool->count && !pool->ending && !may_join(pool, atomic_load(&pool->loop), last)) {
    pthread_cond_wait(&pool->filled, &pool->lock);
  }
  atomic_fetch_sub(&pool->sleeping, 1);
}

// A pool that ends still runs its waiting jobs.
static void* run_worker(void* argument) {
  self = *(Worker*)argument;
  free(argument);
  Pool* pool = self.pool;
  unsigned long long last = 0;
  for (int ends = 0; !ends;) {
    Job job;
    pthread_mutex_lock(&pool->lock);
    await_work(pool, last);
    int found = take_job(&job, pool);
    ends = pool->ending && !found;
    pthread_mutex_unlock(&pool->lock);
    if (found) {
      job.call(job.argument);
    } else {
      join_loop(pool, &last);
    }
    if (!ends) {
      look_around(pool, &last);
    }
  }
  return NULL;
}

// A pool of nworker workers, or fewer if the system gives no more threads. NULL if memory runs out.
static Pool* pool_make(int nworker) {
  Pool* pool = calloc(1, sizeof(Pool));
  Job* job = malloc(mjMAXTHREAD * sizeof(Job));
  if (!pool || !job) {
    free(pool);
    free(job);
    return NULL;
  }
  pool->job = job;
  pool->capacity = mjMAXTHREAD;
  // a thread that looks around must not take a processor from one that works
  pool->processors = system_processors();
  pool->turns = nworker < pool->processors ? TURNS : 0;
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->filled, NULL);
  pthread_cond_init(&pool->left, NULL);
  atomic_flag_clear(&pool->owned);
  for (int i = 0; i < nworker; i++) {
    Worker* worker = malloc(sizeof(Worker));
    if (worker) {
      *worker = (Worker){pool, i + 1};
    }
    if (!worker || pthread_create(&pool->thread[i], NULL, run_worker, worker)) {
      free(worker);
      break;
    }
    pool->pub.nworker = i + 1;
  }
  return pool;
}

static void pool_free(Pool* pool) {
  pthread_mutex_lock(&pool->lock);
  pool->ending = 1;
  pthread_cond_broadcast(&pool->filled);
  pthread_mutex_unlock(&pool->lock);
  for (int i = 0; i < pool->pub.nworker; i++) {
    pthread_join(pool->thread[i], NULL);
  }
  pthread_mutex_destroy(&pool->lock);
  pthread_cond_destroy(&pool->filled);
  pthread_cond_destroy(&pool->left);
  free(pool->job);
  free(pool);
}

// Opens the pool's loop to at most `most` workers, of which those that sleep are woken.
static void open_loop(Pool* pool, int most) {
  atomic_store(&pool->most, most);
  unsigned long long round = atomic_load_explicit(&pool->loop, memory_order_relaxed) / ROUND + 1;
  atomic_store(&pool->loop, round * ROUND + OPEN);
  int sleeping = int_min(most, atomic_load(&pool->sleeping));
  if (sleeping > 0) {
    pthread_mutex_lock(&pool->lock);
    for (int i = 0; i < sleeping; i++) {
      pthread_cond_signal(&pool->filled);
    }
    pthread_mutex_unlock(&pool->lock);
  }
}

// Lets no more workers in and waits until those that are in have left.
static void close_loop(Pool* pool) {
  atomic_fetch_and(&pool->loop, ~(unsigned long long)OPEN);
  for (int i = 0; i < pool->turns && (atomic_load(&pool->loop) & HELPERS); i++) {
    relax();
  }
  if (atomic_load(&pool->loop) & HELPERS) {
    pthread_mutex_lock(&pool->lock);
    atomic_store(&pool->resting, 1);
    while (atomic_load(&pool->loop) & HELPERS) {
      pthread_cond_wait(&pool->left, &pool->lock);
    }
    atomic_store(&pool->resting, 0);
    pthread_mutex_unlock(&pool->lock);
  }
}

static void work_set(Work* w, int n, void (*call)(void* argument, int i), void* argument) {
  w->n = n;
  w->call = call;
  w->argument = argument;
  atomic_store(&w->next, 0);
  atomic_store(&w->failed, 0);
}

// On this thread alone.
static void run_alone(int n, void (*call)(void* argument, int i), void* argument) {
  Work w;  // too large to be cleared each time
  work_set(&w, n, call, argument);
  work_caught(&w);
  if (w.failed) {
    mju_error("%s", w.message);
  }
}

// One loop of a pool at a time has helpers.
static void run_work(Pool* pool, int n, void (*call)(void* argument, int i), void* argument) {
  int most = pool ? int_min(pool->pub.nworker, n - 1) : 0;
  if (most <= 0 || atomic_flag_test_and_set(&pool->owned)) {
    run_alone(n, call, argument);
    return;
  }
  work_set(&pool->work, n, call, argument);
  open_loop(pool, most);
  work_caught(&pool->work);
  close_loop(pool);
  char message[sizeof(pool->work.message)];
  int failed = pool->work.failed;
  if (failed) {
    memcpy(message, pool->work.message, sizeof(message));
  }
  atomic_flag_clear(&pool->owned);
  if (failed) {
    mju_error("%s", message);
  }
}

void pool_for(mjThreadPool* pool, int n, void (*call)(void* argument, int i), void* argument) {
  run_work(pool_of(pool), n, call, argument);
}

typedef struct Call_ {
  Pool* pool;
  int n;
  void (*call)(void* argument, int i);
  void* argument;
} Call;

static void run_call(void* argument) {
  const Call* c = argument;
  run_work(c->pool, c->n, c->call, c->argument);
}

void parallel_for(int n, int nthread, void (*call)(void* argument, int i), void* argument) {
  if (nthread <= 0 && n > 1) {
    nthread = system_processors();
  }
  nthread = int_min(nthread, int_min(n, MAX_THREADS));
  Call c = {nthread > 1 ? pool_make(nthread - 1) : NULL, n, call, argument};
  char message[1000];
  int failed = error_catch(message, sizeof(message), run_call, &c);
  if (c.pool) {
    pool_free(c.pool);
  }
  if (failed) {
    mju_error("%s", message);
  }
}

// tasks of mju_threadPool

mjThreadPool* mju_threadPoolCreate(size_t number_of_threads) {
  int most = number_of_threads < mjMAXTHREAD ? (int)number_of_threads : mjMAXTHREAD;
  Pool* pool = pool_make(most);
  if (!pool) {
    mju_warning("mju_threadPoolCreate: out of memory");
    return NULL;
  }
  return &pool->pub;
}

void mju_threadPoolDestroy(mjThreadPool* thread_pool) {
  if (thread_pool) {
    pool_free(pool_of(thread_pool));
  }
}

void mju_defaultTask(mjTask* task) {
  check_given(task);
  task->func = NULL;
  task->args = NULL;
  task->status = mjTASK_NEW;
}

// Tasks are few and large, so all share one lock: the end of any task wakes every waiting thread.
static pthread_mutex_t task_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t task_ended = PTHREAD_COND_INITIALIZER;

static int task_status(const mjTask* task) {
  return __atomic_load_n(&task->status, __ATOMIC_ACQUIRE);
}

static void run_task(void* argument) {
  mjTask* task = argument;
  task->args = task->func ? task->func(task->args) : task->args;
  pthread_mutex_lock(&task_lock);
  __atomic_store_n(&task->status, mjTASK_COMPLETED, __ATOMIC_RELEASE);
  pthread_cond_broadcast(&task_ended);
  pthread_mutex_unlock(&task_lock);
}

void mju_threadPoolEnqueue(mjThreadPool* thread_pool, mjTask* task) {
  check_given(thread_pool, task);
  if (task_status(task) != mjTASK_NEW) {
    mju_error("mju_threadPoolEnqueue: the task was given to a pool before: see mju_defaultTask");
    return;
  }
  Pool* pool = pool_of(thread_pool);
  __atomic_store_n(&task->status, mjTASK_QUEUED, __ATOMIC_RELEASE);
  if (!pool->pub.nworker || !submit(pool, run_task, task)) {
    run_task(task);
  }
}

// Runs one waiting job if this thread is a worker. A worker in mju_taskJoin does so because the
// task that it waits for may be queued behind others.
static int work_meanwhile(void) {
  Job job;
  if (!self.pool) {
    return 0;
  }
  pthread_mutex_lock(&self.pool->lock);
  int found = take_job(&job, self.pool);
  pthread_mutex_unlock(&self.pool->lock);
  if (found) {
    job.call(job.argument);
  }
  return found;
}

void mju_taskJoin(mjTask* task) {
  check_given(task);
  if (task_status(task) == mjTASK_NEW) {
    mju_error("mju_taskJoin: the task was not given to a pool: see mju_threadPoolEnqueue");
    return;
  }
  while (task_status(task) != mjTASK_COMPLETED) {
    if (work_meanwhile()) {
      continue;
    }
    pthread_mutex_lock(&task_lock);
    if (task_status(task) != mjTASK_COMPLETED) {
      pthread_cond_wait(&task_ended, &task_lock);
    }
    pthread_mutex_unlock(&task_lock);
  }
}
