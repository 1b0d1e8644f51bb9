// pool.h: threads that wait for worlds to step, for rollout.h and batch.h.
//
// They are made once and sleep between calls, because making threads takes longer than many steps.

#ifndef CONDYLE_POOL_H_
#define CONDYLE_POOL_H_

#include <mujoco/mjexport.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cndPool_ cndPool;

// How a call that threads share has ended.
typedef enum cndtRun_ {
  cndRUN_DONE = 0,   // everything was done
  cndRUN_FAILED,     // something ended in mju_error, whose text is given
  cndRUN_CANCELLED,  // the caller's callback has asked for the end
} cndtRun;

// Asked now and then whether a call shall end before its work is done: 0 to go on. It is called
// from the thread that waits for the call, at most every 10 ms, between two steps or while other
// threads work. It must return: no mju_error, no exception.
typedef int (*cndfCancel)(void* argument);

// Makes a pool for calls on nthread threads, 0 to 128. The thread of the caller is one of them, so
// with 0 or 1 it does everything. Returns NULL with a warning if memory or threads are out.
MJAPI cndPool* cnd_makePool(int nthread);

// Ends the threads and frees the pool, which may be NULL. No call may be using it.
MJAPI void cnd_deletePool(cndPool* pool);

// Number of threads as given to cnd_makePool.
MJAPI int cnd_poolThreads(const cndPool* pool);

#ifdef __cplusplus
}
#endif

#endif  // CONDYLE_POOL_H_
