#define _POSIX_C_SOURCE 200809L

#include "base/parallel.h"

#include <mujoco/api/base.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/vec.h"

enum {
  MAX_THREADS = 64,
};

typedef struct Work_ {
  atomic_int next;
  int n;
  void (*call)(void* argument, int i);
  void* argument;
  atomic_int failed;
  char message[1000];  // of the first piece that failed
} Work;

static void work_on(void* argument) {
  Work* w = argument;
  for (int i = atomic_fetch_add(&w->next, 1); i < w->n; i = atomic_fetch_add(&w->next, 1)) {
    w->call(w->argument, i);
  }
}

// All threads alike: errors wait for the caller, memory that pieces keep belongs to no call.
static void* work_caught(void* argument) {
  Work* w = argument;
  Heap* heap = heap_pause();
  char message[sizeof(w->message)];
  if (error_catch(message, sizeof(message), work_on, w) && !atomic_exchange(&w->failed, 1)) {
    memcpy(w->message, message, sizeof(message));
  }
  heap_resume(heap);
  return NULL;
}

void parallel_for(int n, int nthread, void (*call)(void* argument, int i), void* argument) {
  Work w = {.n = n, .call = call, .argument = argument};
  atomic_init(&w.next, 0);
  atomic_init(&w.failed, 0);
  if (nthread <= 0 && n > 1) {
    nthread = (int)sysconf(_SC_NPROCESSORS_ONLN);
  }
  nthread = int_min(nthread, int_min(n, MAX_THREADS));
  pthread_t thread[MAX_THREADS];
  int started = 0;
  while (started < nthread - 1 && pthread_create(&thread[started], NULL, work_caught, &w) == 0) {
    started++;
  }
  work_caught(&w);
  for (int i = 0; i < started; i++) {
    pthread_join(thread[i], NULL);
  }
  if (w.failed) {
    mju_error("%s", w.message);
  }
}
