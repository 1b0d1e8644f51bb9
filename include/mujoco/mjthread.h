// mjthread.h: the types of the thread pool.

#ifndef MUJOCO_MJTHREAD_H_
#define MUJOCO_MJTHREAD_H_

#define mjMAXTHREAD 128  // most threads of one pool

// how far a task has come
typedef enum mjtTaskStatus_ {
  mjTASK_NEW = 0,   // made, not yet given to a pool
  mjTASK_QUEUED,    // waiting for a thread or running
  mjTASK_COMPLETED  // done
} mjtTaskStatus;

// work of a task: takes and returns a pointer of the user's
typedef void* (*mjfTask)(void*);

// a pool of threads
struct mjThreadPool_ {
  int nworker;  // number of threads
};
typedef struct mjThreadPool_ mjThreadPool;

// a call that a pool can carry out
struct mjTask_ {
  mjfTask func;         // function to call
  void* args;           // argument of the call
  volatile int status;  // mjtTaskStatus
};
typedef struct mjTask_ mjTask;

#endif  // MUJOCO_MJTHREAD_H_
