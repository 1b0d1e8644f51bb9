// parallel.h: one piece of work for each of many things, on several threads.
//
// Pieces must not depend on each other, and each writes only what belongs to its thing: then the
// result is the same for any number of threads.

#ifndef CONDYLE_BASE_PARALLEL_H_
#define CONDYLE_BASE_PARALLEL_H_

// Calls call(argument, i) once for every 0 <= i < n, the low ones first, on at most nthread threads
// (0: as many as there are processors), the caller's among them; returns when all are done. If no
// thread can be had the caller does everything. An error (mju_error) in a piece becomes the caller's
// when the others have ended.
void parallel_for(int n, int nthread, void (*call)(void* argument, int i), void* argument);

#endif  // CONDYLE_BASE_PARALLEL_H_
