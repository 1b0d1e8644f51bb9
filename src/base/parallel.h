// parallel.h: threads that wait for work.
//
// There is one kind of pool: that of the interface (mju_threadPoolCreate), which carries out tasks
// of the program and islands of the engine, and one made for the length of a call (parallel_for).
//
//   submit -> | job | job | job | -> workers 1, 2, ...
//
// Pieces of one piece of work must not depend on each other, and each writes only what belongs to
// its thing: then the result is the same for any number of threads.

#ifndef CONDYLE_BASE_PARALLEL_H_
#define CONDYLE_BASE_PARALLEL_H_

#include <mujoco/mjthread.h>

// Calls call(argument, i) once for every 0 <= i < n, the low ones first, on at most nthread threads
// (0: as many as there are processors), the caller's among them; returns when all are done. If no
// thread can be had the caller does everything. An error (mju_error) in a piece becomes the
// caller's when the others have ended.
void parallel_for(int n, int nthread, void (*call)(void* argument, int i), void* argument);

// The same on the workers of a pool that are free, and the caller. Takes nothing from the heap once
// the pool has seen as many jobs waiting as it has workers.
void pool_for(mjThreadPool* pool, int n, void (*call)(void* argument, int i), void* argument);

// Number of this thread among a pool's workers, from 1 on; 0 for any other thread.
int pool_worker(const mjThreadPool* pool);

#endif  // CONDYLE_BASE_PARALLEL_H_
