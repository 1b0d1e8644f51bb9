// loop.c: loops that threads share, their errors and their cancellation.
//
// When item i fails (unless the others shall go on), items above i are given up. Items below i,
// which have all begun or wait in a chunk, are finished. So the error reported is always that of
// the first item that fails, whatever the timing of the threads.

#define _GNU_SOURCE  // CLOCK_MONOTONIC_COARSE

#include "batch/loop.h"

#include <condyle/error.h>
#include <mujoco/api/base.h>
#include <string.h>
#include <time.h>

#include "base/algebra/vec.h"
#include "base/memory/check.h"
#include "base/memory/memory.h"
#include "base/parallel.h"

enum {
  POLL_MS = 10,  // time between two calls of cancel: short for a person, long beside a step
};

cndPool* cnd_makePool(int nthread) {
  if (nthread < 0 || nthread > mjMAXTHREAD) {
    mju_error("cnd_makePool: nthread is %d, must be 0 to %d", nthread, mjMAXTHREAD);
    return NULL;
  }
  cndPool* pool = memory_take(sizeof(cndPool));
  mjThreadPool* workers = pool && nthread ? mju_threadPoolCreate((size_t)nthread) : NULL;
  if (pool && (!nthread || (workers && workers->nworker == nthread))) {
    *pool = (cndPool){nthread, workers};
    return pool;
  }
  mju_threadPoolDestroy(workers);
  mju_free(pool);
  mju_warning("cnd_makePool: out of memory or threads: %d threads are too many", nthread);
  return NULL;
}

void cnd_deletePool(cndPool* pool) {
  if (pool) {
    mju_threadPoolDestroy(pool->workers);
    mju_free(pool);
  }
}

int cnd_poolThreads(const cndPool* pool) {
  check_given(pool);
  return pool->nthread;
}

int loop_threads(const cndPool* pool) {
  return pool ? int_max(pool->nthread, 1) : 1;
}

// The clock that costs least: it has the resolution of the scheduler, some ms.
static int64_t now_ms(void) {
#ifdef CLOCK_MONOTONIC_COARSE
  const clockid_t clock = CLOCK_MONOTONIC_COARSE;
#else
  const clockid_t clock = CLOCK_MONOTONIC;
#endif
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void loop_open(Loop* loop) {
  memset(loop, 0, sizeof(*loop));
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
#ifndef __APPLE__  // which has no such choice, and waits for a duration instead
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
#endif
  pthread_mutex_init(&loop->lock, NULL);
  pthread_cond_init(&loop->ended, &attributes);
  pthread_condattr_destroy(&attributes);
}

void loop_close(Loop* loop) {
  pthread_mutex_destroy(&loop->lock);
  pthread_cond_destroy(&loop->ended);
}

static int limit_of(const Loop* loop) {
  return atomic_load_explicit(&loop->limit, memory_order_relaxed);
}

static void lower_limit(Loop* loop, int to) {
  int limit = limit_of(loop);
  while (to < limit && !atomic_compare_exchange_weak(&loop->limit, &limit, to)) {
  }
}

// Calls cancel, which must happen in the caller's own thread.
static void poll_caller(Loop* loop) {
  if (!loop->cancel || loop->cancelled) {
    return;
  }
  int64_t now = now_ms();
  if (now - loop->polled < POLL_MS) {
    return;
  }
  loop->polled = now;
  if (loop->cancel(loop->cancel_argument)) {
    loop->cancelled = 1;
    lower_limit(loop, 0);
  }
}

int loop_givenup(Loop* loop, int i, int slot) {
  if (loop->cancel && slot == atomic_load_explicit(&loop->caller, memory_order_relaxed)) {
    poll_caller(loop);
  }
  return i >= limit_of(loop);
}

// Consecutive items that a thread has taken; i is the next to run.
typedef struct Chunk_ {
  Loop* loop;
  int i, end, slot;
} Chunk;

static void run_items(void* argument) {
  Chunk* chunk = argument;
  Loop* loop = chunk->loop;
  for (; chunk->i < chunk->end; chunk->i++) {
    if (loop_givenup(loop, chunk->i, chunk->slot)) {
      chunk->i = chunk->end;
      return;
    }
    loop->item(loop->argument, chunk->i, chunk->slot);
  }
}

static void mend_slot(void* argument) {
  const Chunk* chunk = argument;
  chunk->loop->mend(chunk->loop->argument, chunk->i, chunk->slot);
}

// Keeps the error of item i, if there is room or if the error of a later item can be dropped for
// it.
static void keep_error(Loop* loop, int i, const char* message) {
  if (!loop->all) {
    lower_limit(loop, i);
  }
  pthread_mutex_lock(&loop->lock);
  int last = loop->nerror - 1;
  if (loop->nerror < loop->nroom) {
    last = loop->nerror++;
  } else if (i > loop->error[last].item) {
    last = -1;
  }
  for (; last > 0 && loop->error[last - 1].item > i; last--) {
    loop->error[last] = loop->error[last - 1];
  }
  if (last >= 0) {
    loop->error[last].item = i;
    memcpy(loop->error[last].message, message, sizeof(loop->error[last].message));
  }
  pthread_mutex_unlock(&loop->lock);
}

// The number of items in the next chunk, given its first item. By default it is a quarter of an
// equal share of what is left, so that chunks get shorter towards the end and all threads end
// together.
static int64_t chunk_size(const Loop* loop, int64_t first) {
  int64_t left = loop->n - first;
  int64_t size = loop->chunk ? loop->chunk : loop->nslot > 1 ? left / (4 * loop->nslot) : left;
  return size < 1 ? 1 : size < left ? size : left;
}

// Takes chunks until none is left. Errors are caught once per chunk, which costs less than once per
// item; after an error the chunk continues behind the failed item.
static void work_in(Loop* loop, int slot) {
  for (;;) {
    int64_t first = atomic_load(&loop->next), end;
    do {
      if (first >= limit_of(loop)) {
        return;
      }
      end = first + chunk_size(loop, first);
    } while (!atomic_compare_exchange_weak(&loop->next, &first, end));
    Chunk chunk = {loop, (int)first, (int)end, slot};
    char message[REPORT_BYTES];
    while (cnd_try(run_items, &chunk, message, sizeof(message))) {
      keep_error(loop, chunk.i, message);
      cnd_try(mend_slot, &chunk, NULL, 0);
      chunk.i++;
    }
  }
}

// The job of a worker. It does nothing if other threads have taken all slots in the meantime.
static void help(void* argument) {
  Loop* loop = argument;
  int slot = atomic_fetch_add(&loop->nextslot, 1);
  if (slot < loop->nslot) {
    work_in(loop, slot);
  }
  pthread_mutex_lock(&loop->lock);
  loop->running--;
  pthread_cond_signal(&loop->ended);
  pthread_mutex_unlock(&loop->lock);
}

void loop_start(Loop* loop, const cndPool* pool, int helpers) {
  loop->nerror = 0;
  loop->workers = pool ? pool->workers : NULL;
  loop->cancelled = 0;
  loop->polled = loop->cancel ? now_ms() : 0;
  atomic_store(&loop->next, 0);
  atomic_store(&loop->limit, loop->n);
  atomic_store(&loop->nextslot, 0);
  atomic_store(&loop->caller, -1);
  int chunk = int_max(loop->chunk, 1);
  int64_t chunks = ((int64_t)loop->n + chunk - 1) / chunk;
  int most = (int)(chunks < loop->nslot ? chunks : loop->nslot);
  helpers = loop->workers ? int_min(helpers, most) : 0;
  loop->running = helpers;
  int given = 0;
  while (given < helpers && pool_submit(loop->workers, help, loop)) {
    given++;
  }
  pthread_mutex_lock(&loop->lock);
  loop->running -= helpers - given;
  pthread_mutex_unlock(&loop->lock);
}

// Waits for the end of a job or for the next poll. The caller holds the lock.
static void await_end(Loop* loop) {
  if (!loop->cancel || loop->cancelled) {
    pthread_cond_wait(&loop->ended, &loop->lock);
    return;
  }
#ifdef __APPLE__
  const struct timespec duration = {.tv_nsec = POLL_MS * 1000000};
  pthread_cond_timedwait_relative_np(&loop->ended, &loop->lock, &duration);
#else
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += POLL_MS * 1000000;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_cond_timedwait(&loop->ended, &loop->lock, &until);
#endif
}

cndtRun loop_finish(Loop* loop) {
  int slot = atomic_fetch_add(&loop->nextslot, 1);
  if (slot < loop->nslot) {
    atomic_store(&loop->caller, slot);
    work_in(loop, slot);
  }

  // jobs that have not begun are withdrawn: no items or no slots are left for them
  int withdrawn = loop->workers ? pool_withdraw(loop->workers, loop) : 0;
  pthread_mutex_lock(&loop->lock);
  loop->running -= withdrawn;
  while (loop->running) {
    await_end(loop);
    pthread_mutex_unlock(&loop->lock);
    poll_caller(loop);
    pthread_mutex_lock(&loop->lock);
  }
  pthread_mutex_unlock(&loop->lock);
  if (loop->cancelled) {
    return cndRUN_CANCELLED;
  }
  return loop->nerror ? cndRUN_FAILED : cndRUN_DONE;
}

cndtRun loop_run(Loop* loop, const cndPool* pool) {
  loop_start(loop, pool, loop_threads(pool) - 1);
  return loop_finish(loop);
}
