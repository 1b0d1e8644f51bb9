// Copies of data, and loops over them on the threads of a pool.

#include "step/replicas.h"

#include <condyle/profile.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <stdatomic.h>

#include "base/algebra/vec.h"
#include "base/memory/error.h"
#include "base/parallel.h"
#include "collision/collide.h"
#include "model/data/arena.h"
#include "model/data/hold.h"
#include "model/data/share.h"

// Does code of a program or of a plugin take part in a step?
static int has_foreign_code(const mjModel* m) {
  return m->nplugin || mjcb_passive || mjcb_control || mjcb_contactfilter || mjcb_sensor ||
         mjcb_act_dyn || mjcb_act_gain || mjcb_act_bias || mjcb_time || cnd_observePair ||
         !collide_is_standard();
}

// A copy has no pool and an empty stack.
static mjData* copy_of(const mjModel* m, mjData* d) {
  size_t pstack = d->pstack;
  uintptr_t threadpool = d->threadpool;
  d->pstack = d->threadpool = 0;
  mjData* copy = mj_copyData(NULL, m, d);
  d->pstack = pstack;
  d->threadpool = threadpool;
  return copy;
}

Replicas replicas_make(const mjModel* m, mjData* d) {
  Replicas out = {0, d, NULL};
  int n = share_threads(d) - 1;
  if (n <= 0 || has_foreign_code(m)) {
    return out;
  }
  out.copy = arena_push(d, (size_t)n * sizeof(mjData*), _Alignof(mjData*));
  for (int i = 0; out.copy && i < n; i++) {
    out.copy[i] = copy_of(m, d);
    if (!out.copy[i]) {
      replicas_free(&out);
      break;
    }
    out.n++;
  }
  return out;
}

// Numbers of a copy that tell how much memory steps have needed are those of the data too.
static void note_use(mjData* d, const mjData* copy) {
  d->maxuse_con = int_max(d->maxuse_con, copy->maxuse_con);
  d->maxuse_efc = int_max(d->maxuse_efc, copy->maxuse_efc);
  d->maxuse_arena = copy->maxuse_arena > d->maxuse_arena ? copy->maxuse_arena : d->maxuse_arena;
}

void replicas_free(Replicas* all) {
  for (int i = 0; i < all->n; i++) {
    note_use(all->d, all->copy[i]);
    mj_deleteData(all->copy[i]);
  }
  all->n = 0;
}

typedef struct {
  const mjThreadPool* pool;
  void (*call)(void* argument, int thread, int i);
  void* argument;
  int n;
  atomic_int next, failed;
} Run;

static void call_all(void* argument) {
  Run* run = argument;
  int thread = pool_worker(run->pool), i;
  while (!atomic_load(&run->failed) && (i = atomic_fetch_add(&run->next, 1)) < run->n) {
    run->call(run->argument, thread, i);
  }
}

// What one thread does; its errors and warnings end the loop.
static void run_thread(void* argument, int iteration) {
  Run* run = argument;
  char message[1000];
  int held = 0, *outer = warning_hold(&held);
  (void)iteration;
  int failed = error_catch(message, sizeof(message), call_all, run);
  warning_hold(outer);
  if (failed || held) {
    atomic_store(&run->failed, 1);
  }
}

int replicas_run(const Replicas* all, int n, void (*call)(void* argument, int thread, int i),
                 void* argument) {
  mjData* d = all->d;
  size_t pstack = d->pstack, pbase = d->pbase;
  uintptr_t threadpool = d->threadpool;
  Run run = {.pool = (const mjThreadPool*)threadpool, .call = call, .argument = argument, .n = n};
  atomic_init(&run.next, 0);
  atomic_init(&run.failed, 0);

  // the data have no pool while their own stages are not what is shared out
  d->threadpool = 0;
  pool_for((mjThreadPool*)threadpool, all->n + 1, run_thread, &run);
  d->threadpool = threadpool;
  d->pstack = pstack;
  d->pbase = pbase;
  return !atomic_load(&run.failed);
}
