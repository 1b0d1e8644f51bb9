// loop.h: a loop whose items threads share, and the pool of these threads.
//
// Items are dealt out in chunks, in ascending order, from one counter. A free thread takes the next
// chunk, so slow items delay nobody. By default chunks get shorter towards the end. Each thread has
// a slot, a number below nslot that no other thread has, and works in the memory of that slot.
//
//   loop_start  --> workers -------------------.   in the background
//   ... the caller does something else         |
//   loop_finish --> the caller joins in, polls -'  until all have ended
//
// An item writes only what belongs to it or to its slot, and reads nothing that the slot's last
// item has left. Then results are the same for any number of threads.

#pragma once

#include <condyle/pool.h>
#include <mujoco/mjthread.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "base/memory/report.h"

struct cndPool_ {
  int nthread;
  mjThreadPool* workers;  // nthread of them, NULL if there are none
};

// An item that ended in an error, and its text.
typedef struct LoopError_ {
  int item;
  char message[REPORT_BYTES];
} LoopError;

typedef struct Loop_ {
  // set by the owner before loop_start
  int n;      // items
  int chunk;  // items that a thread takes at once; 0: the default
  int nslot;  // most threads, at least 1
  void (*item)(void* argument, int i, int slot);  // may end in mju_error
  void (*mend)(void* argument, int i, int slot);  // restores a slot after an error of item i
  int all;                                        // 1: the others go on after an error
  void* argument;
  cndfCancel cancel;  // or NULL
  void* cancel_argument;
  LoopError* error;  // room for nroom errors, at least 1
  int nroom;

  // results, after loop_finish: the errors of the first items that failed, in the order of items
  int nerror;

  // inside
  mjThreadPool* workers;
  _Atomic int64_t next;  // the first item that no thread has taken
  atomic_int limit;      // items from here on are given up
  atomic_int nextslot;   // the first slot that no thread has
  atomic_int caller;     // slot of the thread in loop_finish, -1 if none
  int64_t polled;        // when cancel was called last, ms
  int cancelled;
  pthread_mutex_t lock;  // guards error, nerror, running
  pthread_cond_t ended;
  int running;  // jobs of the workers that have not ended
} Loop;

// How many threads a pool gives, with the caller: at least 1. pool may be NULL.
int loop_threads(const cndPool* pool);

// Makes and frees the lock of a loop whose other members are set later or again.
void loop_open(Loop* loop);
void loop_close(Loop* loop);

// Starts on `helpers` workers of a pool, which may be NULL, and returns at once.
void loop_start(Loop* loop, const cndPool* pool, int helpers);

// Works on the loop until everything is done, has failed or is cancelled.
cndtRun loop_finish(Loop* loop);

// Runs a loop on the caller's thread and the workers of a pool.
cndtRun loop_run(Loop* loop, const cndPool* pool);

// Called by an item between its steps. Returns 1 if the item shall return at once, because an
// earlier item failed or the loop is cancelled.
int loop_givenup(Loop* loop, int i, int slot);
