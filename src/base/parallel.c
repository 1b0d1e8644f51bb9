#define _POSIX_C_SOURCE 200809L

#include "base/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum {
  MAX_THREADS = 64,
};

typedef struct Work_ {
  atomic_int next;
  int n;
  void (*call)(void* argument, int i);
  void* argument;
} Work;

static void* work_on(void* argument) {
  Work* w = argument;
  for (int i = atomic_fetch_add(&w->next, 1); i < w->n; i = atomic_fetch_add(&w->next, 1)) {
    w->call(w->argument, i);
  }
  return NULL;
}

void parallel_for(int n, int nthread, void (*call)(void* argument, int i), void* argument) {
  Work w = {.n = n, .call = call, .argument = argument};
  atomic_init(&w.next, 0);
  if (nthread <= 0 && n > 1) {
    nthread = (int)sysconf(_SC_NPROCESSORS_ONLN);
  }
  if (nthread > n) {
    nthread = n;
  }
  if (nthread > MAX_THREADS) {
    nthread = MAX_THREADS;
  }
  pthread_t thread[MAX_THREADS];
  int started = 0;
  while (started < nthread - 1 && pthread_create(&thread[started], NULL, work_on, &w) == 0) {
    started++;
  }
  work_on(&w);
  for (int i = 0; i < started; i++) {
    pthread_join(thread[i], NULL);
  }
}
