// parallel.h: threads that wait for work.
//
// A pool made by mju_threadPoolCreate runs the program's tasks and loops of the engine's stages.
// parallel_for makes a pool of its own for one call.
//
//   pool_submit -> | job | job | job | -> workers 1, 2, ...
//
// Iterations must not depend on each other, and iteration i writes only what belongs to i. Then the
// result is the same for any number of threads.

#pragma once

#include <mujoco/mjthread.h>

// Calls call(argument, i) once for every 0 <= i < n, started in ascending order, on at most nthread
// threads (0: one per processor). The caller's thread is one of them; it does everything if no
// other can be had. Returns when all calls have ended. If one ended in mju_error, so does this
// function then.
void parallel_for(int n, int nthread, void (*call)(void* argument, int i), void* argument);

// Like parallel_for, on the caller's thread and the free workers of a pool. Allocates only if more
// jobs wait than ever before in this pool.
void pool_for(mjThreadPool* pool, int n, void (*call)(void* argument, int i), void* argument);

// Gives a job to the workers of a pool: one of them runs call(argument), which must not end in
// mju_error. Returns 0 and adds no job if memory is out. Allocates only if more jobs wait than ever
// before in this pool.
int pool_submit(mjThreadPool* pool, void (*call)(void* argument), void* argument);

// Takes back the jobs with this argument that have not begun. Returns their number.
int pool_withdraw(mjThreadPool* pool, const void* argument);

// How many threads share the loops that this thread gives to a pool: one, if it is a worker itself.
int pool_threads(const mjThreadPool* pool);

// How many of them have a processor at best.
int pool_processors(const mjThreadPool* pool);

// Number of this thread among a pool's workers, from 1 on; 0 for any other thread.
int pool_worker(const mjThreadPool* pool);

// Waits until *flag is not 0, which another thread is about to make it. Returns whether it took so
// long that the other must have lost its processor.
int pool_wait(const int* flag);

// Whether threads of a pool may now wait for each other in the midst of their work. Where one had
// no processor they do without it for a while, longer each time.
int pool_may_wait(mjThreadPool* pool);

// Tells how it went: whether a pool_wait was long.
void pool_has_waited(mjThreadPool* pool, int was_long);
